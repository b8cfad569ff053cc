// The driver API: a module from PTX text, its functions and variables, launches with both forms of parameters.
#include "check.h"
#include <cuda.h>
#include <string.h>
#include <thread>

static const char *PTX = R"(
.version 6.0
.target sm_35
.address_size 64
.visible .global .align 4 .u32 calls = 7;
.visible .const .align 4 .u32 factor = 2;
.visible .entry scale(.param .u64 data, .param .u32 n, .param .u32 more) {
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r8, [more];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  ld.const.u32 %r7, [factor];
  mad.lo.u32 %r6, %r6, %r7, %r8;
  st.global.u32 [%rd3], %r6;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra DONE;
  atom.global.add.u32 %r6, [calls], 1;
DONE:
  ret;
}
)";

#define DRIVER(error, call) CHECK((call) == (error))

int main() {
  CUdevice device;
  CUcontext context, popped;
  CUmodule module, second;
  CUfunction scale;
  CUdeviceptr data, calls, factor;
  const unsigned n = 1000;
  unsigned host[n], value;
  size_t bytes;

  DRIVER(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
  DRIVER(CUDA_SUCCESS, cuInit(0));
  int count, major;
  DRIVER(CUDA_SUCCESS, cuDeviceGetCount(&count));
  CHECK(count == 1);
  DRIVER(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  DRIVER(CUDA_SUCCESS, cuDeviceGet(&device, 0));
  char name[100];
  DRIVER(CUDA_SUCCESS, cuDeviceGetName(name, sizeof name, device));
  CHECK(strlen(name) > 0);
  DRIVER(CUDA_SUCCESS, cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(major >= 3);
  DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&data, 4));
  const char *error_name;
  DRIVER(CUDA_SUCCESS, cuGetErrorName(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, &error_name));
  CHECK(strcmp(error_name, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED") == 0);
  DRIVER(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &error_name));
  DRIVER(CUDA_SUCCESS, cuCtxCreate(&context, 0, device));

  DRIVER(CUDA_SUCCESS, cuModuleLoadData(&module, PTX));
  DRIVER(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&second, "this is no PTX"));
  DRIVER(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&second, "no_such_file.ptx"));
  DRIVER(CUDA_SUCCESS, cuModuleGetFunction(&scale, module, "scale"));
  DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&scale, module, "nothing"));
  DRIVER(CUDA_SUCCESS, cuModuleGetGlobal(&calls, &bytes, module, "calls"));
  CHECK(bytes == 4);
  DRIVER(CUDA_SUCCESS, cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  CHECK(bytes == 4);
  DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&factor, &bytes, module, "nothing"));
  static char long_name[20000];
  memset(long_name, 'a', sizeof long_name - 1);
  CUfunction none;
  DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, long_name));
  DRIVER(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&factor, &bytes, module, long_name));
  int registers;
  DRIVER(CUDA_SUCCESS, cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
  CHECK(registers > 0);

  for (unsigned i = 0; i < n; i++)
    host[i] = i;
  DRIVER(CUDA_SUCCESS, cuMemAlloc(&data, sizeof host));
  DRIVER(CUDA_SUCCESS, cuMemcpyHtoD(data, host, sizeof host));
  unsigned elements = n, more = 5;
  void *arguments[] = {&data, &elements, &more};
  DRIVER(CUDA_SUCCESS, cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, 0, arguments, 0));
  value = 10;
  DRIVER(CUDA_SUCCESS, cuMemcpyHtoD(factor, &value, sizeof value));
  struct {
    CUdeviceptr data;
    unsigned elements, more;
  } block = {data, n / 2, 1};
  size_t block_bytes = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &block_bytes, CU_LAUNCH_PARAM_END};
  DRIVER(CUDA_SUCCESS, cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, 0, 0, extra));
  DRIVER(CUDA_SUCCESS, cuCtxSynchronize());
  DRIVER(CUDA_SUCCESS, cuMemcpyDtoH(host, data, sizeof host));
  for (unsigned i = 0; i < n; i++)
    CHECK(host[i] == (i < n / 2 ? (2 * i + 5) * 10 + 1 : 2 * i + 5));
  DRIVER(CUDA_SUCCESS, cuMemcpyDtoH(&value, calls, sizeof value));
  CHECK(value == 9);
  DRIVER(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 5000, 1, 1, 0, 0, arguments, 0));
  block_bytes = 1 << 20;
  DRIVER(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, 0, 0, extra));

  DRIVER(CUDA_SUCCESS, cuMemsetD32(data + 8, 0x12345678, 2));
  DRIVER(CUDA_SUCCESS, cuMemsetD16(data + 16, 0xabcd, 1));
  DRIVER(CUDA_SUCCESS, cuMemcpyDtoH(host, data, 24));
  CHECK(host[1] == 71 && host[2] == 0x12345678 && host[3] == 0x12345678 && (host[4] & 0xffff) == 0xabcd);

  CUevent start, end;
  float ms;
  DRIVER(CUDA_SUCCESS, cuEventCreate(&start, CU_EVENT_DEFAULT));
  DRIVER(CUDA_SUCCESS, cuEventCreate(&end, CU_EVENT_DEFAULT));
  DRIVER(CUDA_SUCCESS, cuEventRecord(start, 0));
  DRIVER(CUDA_SUCCESS, cuLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, 0, arguments, 0));
  DRIVER(CUDA_SUCCESS, cuEventRecord(end, 0));
  DRIVER(CUDA_SUCCESS, cuEventElapsedTime(&ms, start, end));
  CHECK(ms > 0);

  DRIVER(CUDA_SUCCESS, cuModuleUnload(module));
  DRIVER(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  DRIVER(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
  DRIVER(CUDA_SUCCESS, cuMemFree(data));
  DRIVER(CUDA_SUCCESS, cuCtxPopCurrent(&popped));
  CHECK(popped == context);
  DRIVER(CUDA_SUCCESS, cuCtxDestroy(context));

  // What the runtime works in is there for the driver API as well, and only for a thread that has called the runtime.
  DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(&module, PTX));
  unsigned *memory;
  GOOD(cudaMalloc(&memory, sizeof host));
  GOOD(cudaMemcpy(memory, host, 8, cudaMemcpyHostToDevice));
  DRIVER(CUDA_SUCCESS, cuCtxGetCurrent(&context));
  DRIVER(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&popped, device));
  CHECK(context != NULL && context == popped);
  DRIVER(CUDA_SUCCESS, cuModuleLoadData(&module, PTX));
  DRIVER(CUDA_SUCCESS, cuModuleGetFunction(&scale, module, "scale"));
  elements = 2;
  void *shared[] = {&memory, &elements, &more};
  DRIVER(CUDA_SUCCESS, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, shared, 0));
  unsigned scaled[2];
  GOOD(cudaMemcpy(scaled, memory, sizeof scaled, cudaMemcpyDeviceToHost));
  CHECK(scaled[0] == 2 * host[0] + 5 && scaled[1] == 2 * host[1] + 5);
  std::thread([=] {
    CUdeviceptr other;
    DRIVER(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&other, 4));
    GOOD(cudaFree(0));
    DRIVER(CUDA_SUCCESS, cuMemAlloc(&other, 4));
  }).join();
  PASS();
}
