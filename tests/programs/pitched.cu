// Rows and planes with a pitch, arrays, and copies of boxes.
#include "check.h"
#include <string.h>

__global__ void transposed(const char *in, size_t in_pitch, char *out, size_t out_pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    *(float *)(out + x * out_pitch + y * sizeof(float)) = *(const float *)(in + y * in_pitch + x * sizeof(float));
}

int main() {
  const int width = 37, height = 23;
  float host[height][width + 3], back[width][height];
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width + 3; x++)
      host[y][x] = 100 * y + x;
  char *in, *out;
  size_t in_pitch, out_pitch;
  GOOD(cudaMallocPitch((void **)&in, &in_pitch, width * sizeof(float), height));
  GOOD(cudaMallocPitch((void **)&out, &out_pitch, height * sizeof(float), width));
  CHECK(in_pitch >= width * sizeof(float) && in_pitch % 32 == 0);
  GOOD(cudaMemset2D(out, out_pitch, 0xff, height * sizeof(float), width));
  GOOD(cudaMemcpy2D(in, in_pitch, host, sizeof host[0], width * sizeof(float), height, cudaMemcpyHostToDevice));
  transposed<<<dim3(3, 2), dim3(16, 16)>>>(in, in_pitch, out, out_pitch, width, height);
  GOOD(cudaMemcpy2D(back, sizeof back[0], out, out_pitch, height * sizeof(float), width, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      CHECK(back[x][y] == host[y][x]);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(in, 4, host, sizeof host[0], 8, 2, cudaMemcpyHostToDevice));

  // An array, and parts of it.
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  GOOD(cudaMallocArray(&array, &format, width, height));
  GOOD(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], width * sizeof(float), height, cudaMemcpyHostToDevice));
  float line[2 * width];
  GOOD(cudaMemcpyFromArray(line, array, 5 * sizeof(float), 2, 40 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 40; i++)
    CHECK(line[i] == host[2 + (5 + i) / width][(5 + i) % width]);
  float ones[3] = {1, 1, 1};
  GOOD(cudaMemcpyToArray(array, (width - 2) * sizeof(float), 0, ones, sizeof ones, cudaMemcpyHostToDevice));
  GOOD(cudaMemcpy2DFromArray(line, 2 * sizeof(float), array, 0, 0, 2 * sizeof(float), 2, cudaMemcpyDeviceToHost));
  CHECK(line[0] == 0 && line[1] == 1 && line[2] == 1 && line[3] == 101);
  cudaExtent extent;
  unsigned flags;
  GOOD(cudaArrayGetInfo(&format, &extent, &flags, array));
  CHECK(format.x == 32 && extent.width == (size_t)width && extent.height == (size_t)height && extent.depth == 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpyToArray(array, 0, height, ones, 4, cudaMemcpyHostToDevice));
  GOOD(cudaFreeArray(array));
  GIVES(cudaErrorInvalidValue, cudaFreeArray(array));

  // A box, in and out, by way of an array.
  const int w = 5, h = 4, d = 3;
  int box[d][h][w], found[d][h][w];
  for (int i = 0; i < w * h * d; i++)
    (&box[0][0][0])[i] = i * 3;
  cudaChannelFormatDesc integers = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  GOOD(cudaMalloc3DArray(&array, &integers, make_cudaExtent(w, h, d)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box, w * sizeof(int), w, h);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, h, d);
  copy.kind = cudaMemcpyHostToDevice;
  GOOD(cudaMemcpy3D(&copy));
  // Beyond the end of the array, in each dimension.
  copy.dstPos = make_cudaPos(1, 0, 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(0, h, 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(0, 0, (size_t)-1);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  // A line is one element high and deep.
  cudaArray_t line_array;
  GOOD(cudaMallocArray(&line_array, &integers, w));
  copy.dstArray = line_array;
  copy.dstPos = make_cudaPos(0, 0, 0);
  GIVES(cudaErrorInvalidValue, cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(w, 1, 1);
  GOOD(cudaMemcpy3D(&copy));
  GOOD(cudaFreeArray(line_array));
  cudaPitchedPtr device;
  GOOD(cudaMalloc3D(&device, make_cudaExtent(w * sizeof(int), h, d)));
  GOOD(cudaMemset3D(device, 0, make_cudaExtent(w * sizeof(int), h, d)));
  cudaMemcpy3DParms part = {};
  part.srcArray = array;
  part.srcPos = make_cudaPos(1, 2, 1);
  part.dstPtr = device;
  part.dstPos = make_cudaPos(2 * sizeof(int), 0, 1);
  part.extent = make_cudaExtent(3, 2, 2);
  part.kind = cudaMemcpyDeviceToDevice;
  GOOD(cudaMemcpy3D(&part));
  cudaMemcpy3DParms out_again = {};
  out_again.srcPtr = device;
  out_again.dstPtr = make_cudaPitchedPtr(found, w * sizeof(int), w, h);
  out_again.extent = make_cudaExtent(w * sizeof(int), h, d);
  out_again.kind = cudaMemcpyDeviceToHost;
  GOOD(cudaMemcpy3D(&out_again));
  for (int z = 0; z < d; z++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        bool is_inside = z >= 1 && y < 2 && x >= 2;
        CHECK(found[z][y][x] == (is_inside ? box[z][y + 2][x - 1] : 0));
      }
  PASS();
}
