// What texture fetches give: one line for each kind of texture and fetch, with a digest of 2,048 fetches.
//
// A GPU and `unruly exec` must print the same (docs/hardware.md).
//
// With the words of a line as argument, the program prints the coordinates and values of all lines that begin with them.
#include "operands.h"
#include <string.h>

const int SIZE[3] = {24, 10, 6};
static float host[OPERANDS][3];
static float *places;
static uint64_t *out, results[OPERANDS];
static const char *asked;

// One word for the channels of a texel.
__device__ uint64_t word(float v) { return __float_as_uint(v); }
__device__ uint64_t word(int v) { return (unsigned)v; }
__device__ uint64_t word(unsigned v) { return v; }
__device__ uint64_t word(float4 v) {
  return word(v.x) + 3 * (word(v.y) + 5 * (word(v.z) + 7 * word(v.w)));
}
__device__ uint64_t word(uchar4 v) { return v.x + 3 * (v.y + 5 * (v.z + 7 * (uint64_t)v.w)); }
__device__ uint64_t word(int2 v) { return word(v.x) + 3 * word(v.y); }

template <typename T> __global__ void fetch(cudaTextureObject_t texture, int axes, const float *at, uint64_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
  if (axes == 1)
    out[i] = word(tex1D<T>(texture, x));
  else if (axes == 2)
    out[i] = word(tex2D<T>(texture, x, y));
  else
    out[i] = word(tex3D<T>(texture, x, y, z));
}

template <typename T, int channel> __global__ void gather(cudaTextureObject_t texture, const float *at, uint64_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = word(tex2Dgather<T>(texture, at[3 * i], at[3 * i + 1], channel));
}

template <typename T> __global__ void fetch_line(cudaTextureObject_t texture, const float *at, uint64_t *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = word(tex1Dfetch<T>(texture, (int)at[3 * i]));
}

static void print(const char *name) {
  GOOD(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
  if (asked && strncmp(name, asked, strlen(asked)) == 0) {
    for (int i = 0; i < OPERANDS; i++)
      printf("%s  %.9g %.9g %.9g: %llx\n", name, host[i][0], host[i][1], host[i][2], (unsigned long long)results[i]);
  } else if (!asked) {
    printf("%016llx %s\n", digest(results, OPERANDS), name);
  }
}

// A number between 0 and 1 that is the same everywhere.
static float unit(int n, uint64_t salt) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15 ^ salt * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  return (float)(z >> 40) / 16777216;
}

// Texture coordinates, those of normalized ones being a part of the size.
static void make_places(bool normalized) {
  for (int i = 0; i < OPERANDS; i++)
    for (int axis = 0; axis < 3; axis++) {
      float u = unit(3 * i + axis, 1), size = SIZE[axis], x;
      switch (i % 8) {
      case 0: // whole
        x = (int)(u * (size + 8)) - 4;
        break;
      case 1: // centres of texels
        x = (int)(u * (size + 8)) - 3.5f;
        break;
      case 2: // fractions of 1/512
        x = (float)(int)(u * size * 512) / 512;
        break;
      case 3: // far away
        x = (u - 0.5f) * 1000;
        break;
      default:
        x = u * (size + 4) - 2;
      }
      host[i][axis] = normalized ? x / size : x;
    }
  GOOD(cudaMemcpy(places, host, sizeof host, cudaMemcpyHostToDevice));
}

// A number in half precision.
struct Half {
  unsigned short bits;
};

template <typename Texel> cudaChannelFormatDesc format_of() { return cudaCreateChannelDesc<Texel>(); }
template <> cudaChannelFormatDesc format_of<Half>() { return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }

static const char *MODES[] = {"wrap", "clamp", "mirror", "border"};

template <typename Texel, typename T>
static void textures(const char *texel, Texel (*make)(int), cudaTextureReadMode read, bool may_filter, int most_axes = 3) {
  static Texel texels[24 * 10 * 6];
  for (int i = 0; i < 24 * 10 * 6; i++)
    texels[i] = make(i);
  cudaChannelFormatDesc format = format_of<Texel>();
  char name[200];
  for (int axes = 1; axes <= most_axes; axes++) {
    cudaArray_t array;
    cudaExtent extent = make_cudaExtent(SIZE[0], axes > 1 ? SIZE[1] : 0, axes > 2 ? SIZE[2] : 0);
    GOOD(cudaMalloc3DArray(&array, &format, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, SIZE[0] * sizeof(Texel), SIZE[0], SIZE[1]);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(SIZE[0], axes > 1 ? SIZE[1] : 1, axes > 2 ? SIZE[2] : 1);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    for (int normalized = 0; normalized < 2; normalized++) {
      make_places(normalized);
      for (int mode = 0; mode < 4; mode++)
        for (int filtered = 0; filtered <= may_filter; filtered++) {
          cudaResourceDesc resource = {};
          resource.resType = cudaResourceTypeArray;
          resource.res.array.array = array;
          cudaTextureDesc how = {};
          // A GPU filters along the axes that a texture does not have as well.
          for (int axis = 0; axis < 3; axis++)
            how.addressMode[axis] = axis < axes ? (cudaTextureAddressMode)mode : cudaAddressModeClamp;
          how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
          how.readMode = read;
          how.normalizedCoords = normalized;
          cudaTextureObject_t texture;
          GOOD(cudaCreateTextureObject(&texture, &resource, &how, 0));
          sprintf(name, "tex%dD.%s.%s.%s.%s", axes, texel, MODES[mode], normalized ? "normalized" : "texels",
                  filtered ? "linear" : "point");
          fetch<T><<<OPERANDS / 256, 256>>>(texture, axes, places, out);
          GOOD(cudaDeviceSynchronize());
          print(name);
          GOOD(cudaDestroyTextureObject(texture));
        }
    }
    GOOD(cudaFreeArray(array));
  }
}

typedef void Gather(cudaTextureObject_t texture, const float *at, uint64_t *out);

template <typename Texel> static void gathers(const char *what, Texel (*make)(int), Gather *gather) {
  static Texel texels[24 * 10];
  for (int i = 0; i < 24 * 10; i++)
    texels[i] = make(i);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
  cudaArray_t array;
  GOOD(cudaMallocArray(&array, &format, SIZE[0], SIZE[1], cudaArrayTextureGather));
  GOOD(cudaMemcpy2DToArray(array, 0, 0, texels, SIZE[0] * sizeof(Texel), SIZE[0] * sizeof(Texel), SIZE[1],
                           cudaMemcpyHostToDevice));
  char name[200];
  make_places(false);
  for (int mode = 1; mode < 4; mode += 2) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = (cudaTextureAddressMode)mode;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    GOOD(cudaCreateTextureObject(&texture, &resource, &how, 0));
    sprintf(name, "tex2Dgather.%s.%s", what, MODES[mode]);
    gather<<<OPERANDS / 256, 256>>>(texture, places, out);
    GOOD(cudaDeviceSynchronize());
    print(name);
    GOOD(cudaDestroyTextureObject(texture));
  }
  GOOD(cudaFreeArray(array));
}

// Linear memory.
template <typename Texel, typename T> static void lines(const char *texel, Texel (*make)(int), cudaTextureReadMode read) {
  const int n = 24;
  static Texel texels[n];
  for (int i = 0; i < n; i++)
    texels[i] = make(i);
  Texel *data;
  GOOD(cudaMalloc(&data, sizeof texels));
  GOOD(cudaMemcpy(data, texels, sizeof texels, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<Texel>();
  resource.res.linear.sizeInBytes = sizeof texels;
  cudaTextureDesc how = {};
  how.readMode = read;
  cudaTextureObject_t texture;
  GOOD(cudaCreateTextureObject(&texture, &resource, &how, 0));
  make_places(false);
  fetch_line<T><<<OPERANDS / 256, 256>>>(texture, places, out);
  GOOD(cudaDeviceSynchronize());
  char name[200];
  sprintf(name, "tex1Dfetch.%s", texel);
  print(name);
  GOOD(cudaDestroyTextureObject(texture));
  GOOD(cudaFree(data));
}

static float make_float(int i) { return (unit(i, 2) - 0.5f) * 100; }
static Half make_half(int i) {
  Half half = {(unsigned short)(unit(i, 12) * 65536)};
  return half;
}
// Of 64 exponents; one in 16 texels is subnormal, huge, infinite or not a number.
static float make_any(int i) {
  unsigned special[] = {0, 1, 254, 255}, exponent = i % 16 ? 96 + (unsigned)(unit(i, 13) * 64) : special[i / 16 % 4];
  return same_bits<float>((i & 1u) << 31 | exponent << 23 | (unsigned)(unit(i, 14) * 8388608));
}
static float make_tiny(int i) { return same_bits<float>((i & 1u) << 31 | (unsigned)(unit(i, 15) * 33554432)); }
static float4 make_float4(int i) { return ::make_float4(unit(i, 3), unit(i, 4) * 10, -unit(i, 5), unit(i, 6) * 1e10f); }
static unsigned char make_byte(int i) { return (unsigned char)(unit(i, 7) * 256); }
static signed char make_signed_byte(int i) { return (signed char)(unit(i, 8) * 256 - 128); }
static short make_short(int i) { return (short)(unit(i, 9) * 65536 - 32768); }
static unsigned short make_unsigned_short(int i) { return (unsigned short)(unit(i, 10) * 65536); }
static int make_int(int i) { return (int)(unit(i, 11) * 2e9f) - 1000000000; }
static int2 make_pair(int i) { return make_int2(make_int(i), make_int(i + 5000)); }
static uchar4 make_bytes(int i) {
  return make_uchar4(make_byte(i), make_byte(i + 1000), make_byte(i + 2000), make_byte(i + 3000));
}

int main(int argc, char **argv) {
  asked = argc > 1 ? argv[1] : 0;
  GOOD(cudaMalloc(&places, sizeof host));
  GOOD(cudaMalloc(&out, sizeof results));
  textures<float, float>("f32", make_float, cudaReadModeElementType, true);
  // How a GPU adds two planes is known but for the last bit of very different numbers.
  textures<float, float>("f32.any", make_any, cudaReadModeElementType, true, 2);
  textures<float, float>("f32.tiny", make_tiny, cudaReadModeElementType, true);
  textures<Half, float>("f16", make_half, cudaReadModeElementType, true, 2);
  textures<float4, float4>("f32x4", make_float4, cudaReadModeElementType, false);
  textures<unsigned char, float>("u8.as-float", make_byte, cudaReadModeNormalizedFloat, true);
  textures<signed char, float>("s8.as-float", make_signed_byte, cudaReadModeNormalizedFloat, true);
  textures<short, float>("s16.as-float", make_short, cudaReadModeNormalizedFloat, true);
  textures<unsigned short, float>("u16.as-float", make_unsigned_short, cudaReadModeNormalizedFloat, true);
  textures<int, int>("s32", make_int, cudaReadModeElementType, false);
  textures<int2, int2>("s32x2", make_pair, cudaReadModeElementType, false);
  textures<uchar4, float4>("u8x4.as-float", make_bytes, cudaReadModeNormalizedFloat, true);
  gathers("r.f32x4", make_float4, gather<float4, 0>);
  gathers("g.f32x4", make_float4, gather<float4, 1>);
  gathers("a.f32x4", make_float4, gather<float4, 3>);
  gathers("r.u8x4", make_bytes, gather<uchar4, 0>);
  gathers("b.u8x4", make_bytes, gather<uchar4, 2>);
  lines<float, float>("f32", make_float, cudaReadModeElementType);
  lines<int2, int2>("s32x2", make_pair, cudaReadModeElementType);
  lines<unsigned char, float>("u8.as-float", make_byte, cudaReadModeNormalizedFloat);
  lines<short, float>("s16.as-float", make_short, cudaReadModeNormalizedFloat);
  return 0;
}
