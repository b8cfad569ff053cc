// Texture references and texture objects: linear memory, rows with a pitch, arrays; filters and address modes.
#include "check.h"
#include <math.h>

texture<float, 1, cudaReadModeElementType> line;
texture<int4, 1, cudaReadModeElementType> quads;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;
texture<float, 2, cudaReadModeElementType> image;

__global__ void from_line(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch(line, n - 1 - i);
}

__global__ void from_quads(int *out) {
  int4 quad = tex1Dfetch(quads, threadIdx.x);
  out[threadIdx.x] = quad.x + 10 * quad.y + 100 * quad.z + 1000 * quad.w;
}

__global__ void from_bytes(float *out) { out[threadIdx.x] = tex1Dfetch(bytes, threadIdx.x); }

__global__ void from_image(float *out, float x, float dx, float y) { out[threadIdx.x] = tex2D(image, x + threadIdx.x * dx, y); }

__global__ void from_object(cudaTextureObject_t object, float *out, float x, float dx, float y) {
  out[threadIdx.x] = tex2D<float>(object, x + threadIdx.x * dx, y);
}

__global__ void from_linear_object(cudaTextureObject_t object, int *out) {
  out[threadIdx.x] = tex1Dfetch<int>(object, 2 * threadIdx.x);
}

const int W = 20, H = 10;
static float texels[H][W];

static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static int wrapped(int i, int n) { return ((i % n) + n) % n; }

// The formula of the programming guide: weights have 8 bits of fraction.
static float filtered(float x, float y, int (*index)(int, int)) {
  float xb = x - 0.5f, yb = y - 0.5f;
  int i = (int)floorf(xb), j = (int)floorf(yb);
  float a = roundf((xb - i) * 256) / 256, b = roundf((yb - j) * 256) / 256;
  float t00 = texels[index(j, H)][index(i, W)], t10 = texels[index(j, H)][index(i + 1, W)];
  float t01 = texels[index(j + 1, H)][index(i, W)], t11 = texels[index(j + 1, H)][index(i + 1, W)];
  return (1 - a) * (1 - b) * t00 + a * (1 - b) * t10 + (1 - a) * b * t01 + a * b * t11;
}

int main() {
  const int n = 1000;
  float *host = (float *)malloc(n * sizeof(float)), *data, *out;
  for (int i = 0; i < n; i++)
    host[i] = 0.25f * i;
  GOOD(cudaMalloc(&data, n * sizeof(float)));
  GOOD(cudaMalloc(&out, n * sizeof(float)));
  GOOD(cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice));

  // References to linear memory.
  size_t offset = 77;
  GOOD(cudaBindTexture(&offset, line, data, n * sizeof(float)));
  CHECK(offset == 0);
  from_line<<<4, 256>>>(out, n);
  GOOD(cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    CHECK(host[i] == 0.25f * (n - 1 - i));
  GOOD(cudaUnbindTexture(line));

  int four[40 * 4], sums[40];
  for (int i = 0; i < 160; i++)
    four[i] = i;
  GOOD(cudaMemcpy(data, four, sizeof four, cudaMemcpyHostToDevice));
  GOOD(cudaBindTexture(0, quads, data, cudaCreateChannelDesc<int4>(), sizeof four));
  from_quads<<<1, 40>>>((int *)out);
  GOOD(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 40; i++)
    CHECK(sums[i] == four[4 * i] + 10 * four[4 * i + 1] + 100 * four[4 * i + 2] + 1000 * four[4 * i + 3]);

  unsigned char small[256];
  for (int i = 0; i < 256; i++)
    small[i] = i;
  GOOD(cudaMemcpy(data, small, 256, cudaMemcpyHostToDevice));
  GOOD(cudaBindTexture(0, bytes, data, 256));
  from_bytes<<<1, 256>>>(out);
  GOOD(cudaMemcpy(host, out, 256 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; i++)
    CHECK(fabsf(host[i] - i / 255.0f) < 1e-6f);

  // A reference to an array, without and with filter.
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      texels[y][x] = (x * 7 + y * 13) % 32;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  GOOD(cudaMallocArray(&array, &format, W, H));
  GOOD(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels[0], sizeof texels[0], H, cudaMemcpyHostToDevice));
  GOOD(cudaBindTextureToArray(image, array));
  from_image<<<1, 64>>>(out, -4.25f, 0.5f, 3.5f);
  GOOD(cudaMemcpy(host, out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    CHECK(host[i] == texels[3][clamped((int)floorf(-4.25f + 0.5f * i), W)]);
  image.filterMode = cudaFilterModeLinear;
  GOOD(cudaBindTextureToArray(image, array, format));
  from_image<<<1, 64>>>(out, -2.0f, 0.40625f, 4.375f);
  GOOD(cudaMemcpy(host, out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    CHECK(fabsf(host[i] - filtered(-2.0f + 0.40625f * i, 4.375f, clamped)) < 1e-4f);
  GOOD(cudaUnbindTexture(image));

  // An object for the same array, with coordinates from 0 to 1 that wrap.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
  how.filterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  cudaTextureObject_t object;
  GOOD(cudaCreateTextureObject(&object, &resource, &how, 0));
  from_object<<<1, 96>>>(object, out, -1.0f, 0.03125f, 0.4f);
  GOOD(cudaMemcpy(host, out, 96 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 96; i++)
    CHECK(fabsf(host[i] - filtered((-1.0f + 0.03125f * i) * W, 0.4f * H, wrapped)) < 0.15f);
  cudaResourceDesc asked;
  GOOD(cudaGetTextureObjectResourceDesc(&asked, object));
  CHECK(asked.resType == cudaResourceTypeArray && asked.res.array.array == array);
  GOOD(cudaDestroyTextureObject(object));
  GIVES(cudaErrorInvalidValue, cudaDestroyTextureObject(object));

  // Objects for rows with a pitch, and for linear memory. Outside of a border there is nothing.
  char *rows;
  size_t pitch;
  GOOD(cudaMallocPitch((void **)&rows, &pitch, sizeof texels[0], H));
  GOOD(cudaMemcpy2D(rows, pitch, texels, sizeof texels[0], sizeof texels[0], H, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows;
  pitched.res.pitch2D.desc = format;
  pitched.res.pitch2D.width = W;
  pitched.res.pitch2D.height = H;
  pitched.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc border = {};
  border.addressMode[0] = border.addressMode[1] = cudaAddressModeBorder;
  GOOD(cudaCreateTextureObject(&object, &pitched, &border, 0));
  from_object<<<1, 32>>>(object, out, -3.5f, 1.0f, 7.5f);
  GOOD(cudaMemcpy(host, out, 32 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    CHECK(host[i] == (i < 4 || i - 4 >= W ? 0 : texels[7][i - 4]));
  GOOD(cudaDestroyTextureObject(object));

  GOOD(cudaMemcpy(data, four, sizeof four, cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = data;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = 30 * sizeof(int);
  cudaTextureDesc plain = {};
  GOOD(cudaCreateTextureObject(&object, &linear, &plain, 0));
  from_linear_object<<<1, 20>>>(object, (int *)out);
  GOOD(cudaMemcpy(sums, out, 20 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 20; i++)
    CHECK(sums[i] == (2 * i < 30 ? 2 * i : 0));
  GOOD(cudaDestroyTextureObject(object));
  GOOD(cudaFreeArray(array));
  PASS();
}
