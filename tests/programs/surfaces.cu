// Surfaces: arrays that kernels read and write, through references and objects.
#include "check.h"

surface<void, 2> reference;

__global__ void through_reference(int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width) {
    float v;
    surf2Dread(&v, reference, x * 4, y);
    surf2Dwrite(v + 100 * y, reference, x * 4, y);
  }
}
__global__ void through_object(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width) {
    uchar4 v = surf2Dread<uchar4>(in, x * 4, y);
    surf2Dwrite(make_uchar4(v.w, v.z, v.y, v.x), out, x * 4, y);
  }
}
__global__ void one_dimension(cudaSurfaceObject_t surf, int n) {
  int x = threadIdx.x;
  if (x < n) {
    int2 v = surf1Dread<int2>(surf, x * 8);
    surf1Dwrite(make_int2(v.y, v.x + 1), surf, x * 8);
    // Outside: nothing is written, and zero is read.
    surf1Dwrite(make_int2(7, 7), surf, (n + x) * 8, cudaBoundaryModeZero);
    int2 none = surf1Dread<int2>(surf, (n + x) * 8, cudaBoundaryModeZero);
    if (none.x != 0)
      surf1Dwrite(make_int2(-1, -1), surf, x * 8);
  }
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surf;
  GOOD(cudaCreateSurfaceObject(&surf, &resource));
  return surf;
}

static cudaArray_t array_of(cudaChannelFormatDesc format, int width, int height) {
  cudaArray_t array;
  GOOD(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  return array;
}

int main() {
  const int width = 40, height = 6;
  static float floats[height][width];
  for (int i = 0; i < width * height; i++)
    floats[0][i] = 0.5f * i;
  cudaArray_t array = array_of(cudaCreateChannelDesc<float>(), width, height);
  GOOD(cudaMemcpyToArray(array, 0, 0, floats, sizeof floats, cudaMemcpyHostToDevice));
  GOOD(cudaBindSurfaceToArray(reference, array));
  through_reference<<<dim3(2, height), 32>>>(width, height);
  GOOD(cudaMemcpyFromArray(floats, array, 0, 0, sizeof floats, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      CHECK(floats[y][x] == 0.5f * (y * width + x) + 100 * y);

  static uchar4 in[height][width], out[height][width];
  for (int i = 0; i < width * height; i++)
    in[0][i] = make_uchar4(i, 2 * i, 3 * i, 4 * i);
  cudaArray_t from = array_of(cudaCreateChannelDesc<uchar4>(), width, height), to = array_of(cudaCreateChannelDesc<uchar4>(), width, height);
  GOOD(cudaMemcpyToArray(from, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
  through_object<<<height, 64>>>(surface_of(from), surface_of(to), width);
  GOOD(cudaMemcpyFromArray(out, to, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; i++)
    CHECK(out[0][i].x == in[0][i].w && out[0][i].y == in[0][i].z && out[0][i].z == in[0][i].y && out[0][i].w == in[0][i].x);

  int2 pairs[16];
  for (int i = 0; i < 16; i++)
    pairs[i] = make_int2(i, 100 + i);
  cudaArray_t line = array_of(cudaCreateChannelDesc<int2>(), 16, 0);
  GOOD(cudaMemcpyToArray(line, 0, 0, pairs, sizeof pairs, cudaMemcpyHostToDevice));
  one_dimension<<<1, 32>>>(surface_of(line), 16);
  GOOD(cudaMemcpyFromArray(pairs, line, 0, 0, sizeof pairs, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++)
    CHECK(pairs[i].x == 100 + i && pairs[i].y == i + 1);
  PASS();
}
