// Streams and events: order, callbacks, the time of the model, and handles that are none.
#include "check.h"

__global__ void add(int *data, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] += value;
}

static int called;

static void callback(cudaStream_t stream, cudaError_t status, void *data) {
  (void)stream;
  called += status == cudaSuccess ? *(int *)data : 1000;
}

static void host_function(void *data) { called *= *(int *)data; }

int main() {
  const int n = 1 << 14;
  int *pinned, *device[2], ten = 10, three = 3;
  cudaStream_t stream[2];
  cudaEvent_t start, stop, other;
  GOOD(cudaHostAlloc((void **)&pinned, n * sizeof(int), cudaHostAllocDefault));
  for (int i = 0; i < n; i++)
    pinned[i] = i;
  for (int s = 0; s < 2; s++) {
    GOOD(cudaStreamCreate(&stream[s]));
    GOOD(cudaMalloc(&device[s], n * sizeof(int)));
    GOOD(cudaMemcpyAsync(device[s], pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
  }
  GOOD(cudaEventCreate(&start));
  GOOD(cudaEventCreate(&stop));
  GOOD(cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
  float ms = -1;
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, stop));
  GOOD(cudaEventQuery(start));

  GOOD(cudaEventRecord(start, stream[0]));
  add<<<8, 128, 0, stream[0]>>>(device[0], n, 5);
  GOOD(cudaEventRecord(stop, stream[0]));
  GOOD(cudaEventRecord(other, stream[0]));
  GOOD(cudaStreamWaitEvent(stream[1], other, 0));
  add<<<8, 128, 0, stream[1]>>>(device[1], n, 6);
  GOOD(cudaStreamAddCallback(stream[1], callback, &ten, 0));
  GOOD(cudaLaunchHostFunc(stream[1], host_function, &three));
  GOOD(cudaStreamSynchronize(stream[1]));
  CHECK(called == 30);
  GOOD(cudaStreamQuery(stream[0]));
  GOOD(cudaEventSynchronize(stop));

  // The kernel reads and writes 64 KB: at the peak of any GPU here that is more than 100 ns, and far less than a second.
  GOOD(cudaEventElapsedTime(&ms, start, stop));
  CHECK(ms > 1e-4f && ms < 1000);
  float same = -1, back;
  GOOD(cudaEventElapsedTime(&same, start, start));
  CHECK(same == 0);
  GOOD(cudaEventElapsedTime(&back, stop, start));
  CHECK(back == -ms);
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, other));

  for (int s = 0; s < 2; s++) {
    GOOD(cudaMemcpyAsync(pinned, device[s], n * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
    GOOD(cudaStreamSynchronize(stream[s]));
    for (int i = 0; i < n; i++)
      CHECK(pinned[i] == i + 5 + s);
    GOOD(cudaStreamDestroy(stream[s]));
    GOOD(cudaFree(device[s]));
  }

  // Handles that have been given back.
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream[0]));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream[0]));
  GOOD(cudaEventDestroy(start));
  GOOD(cudaEventDestroy(stop));
  GOOD(cudaEventDestroy(other));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(start, 0));
  unsigned flags = 99;
  int priority = 99;
  GOOD(cudaStreamCreateWithFlags(&stream[0], cudaStreamNonBlocking));
  GOOD(cudaStreamGetFlags(stream[0], &flags));
  GOOD(cudaStreamGetPriority(stream[0], &priority));
  CHECK(flags == cudaStreamNonBlocking && priority == 0);
  GOOD(cudaStreamDestroy(stream[0]));
  GOOD(cudaFreeHost(pinned));
  PASS();
}
