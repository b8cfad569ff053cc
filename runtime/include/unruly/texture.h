/* Texture and surface references, and the functions that read them. The instructions come from a header of clang's own. */
#ifndef UNRULY_TEXTURE_H
#define UNRULY_TEXTURE_H
#define __CUDA_TEXTURE_TYPES_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "channel_descriptor.h"

template <class T, int dimension = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
#if !defined(__CUDA_ARCH__)
  __host__ texture(int isNormalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp) {
    set(isNormalized, filter, address, cudaCreateChannelDesc<T>());
  }
  __host__ texture(int isNormalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                   struct cudaChannelFormatDesc desc) {
    set(isNormalized, filter, address, desc);
  }

private:
  __host__ void set(int isNormalized, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
                    struct cudaChannelFormatDesc desc) {
    normalized = isNormalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
    sRGB = 0;
    maxAnisotropy = 0;
    mipmapFilterMode = filter;
    mipmapLevelBias = minMipmapLevelClamp = maxMipmapLevelClamp = 0;
  }
#endif
};

template <class T, int dimension = 1>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {};
template <int dimension>
struct __attribute__((device_builtin_surface_type)) surface<void, dimension> : public surfaceReference {};

/* ---- Binding */

#pragma push_macro("UNRULY_CALL")
#define UNRULY_CALL static __inline__ __host__ __attribute__((unused)) cudaError_t

template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTexture(size_t *offset, const texture<T, dimension, mode> &tex, const void *devPtr,
                            const struct cudaChannelFormatDesc &desc, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &tex, devPtr, &desc, size);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTexture(size_t *offset, const texture<T, dimension, mode> &tex, const void *devPtr, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTexture2D(size_t *offset, const texture<T, dimension, mode> &tex, const void *devPtr,
                              const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTexture2D(size_t *offset, const texture<T, dimension, mode> &tex, const void *devPtr, size_t width,
                              size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTextureToArray(const texture<T, dimension, mode> &tex, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToArray(&tex, array, &desc);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaBindTextureToArray(const texture<T, dimension, mode> &tex, cudaArray_const_t array) {
  struct cudaChannelFormatDesc desc;
  cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? ::cudaBindTextureToArray(&tex, array, &desc) : error;
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaUnbindTexture(const texture<T, dimension, mode> &tex) {
  return ::cudaUnbindTexture(&tex);
}
template <class T, int dimension, enum cudaTextureReadMode mode>
UNRULY_CALL cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dimension, mode> &tex) {
  return ::cudaGetTextureAlignmentOffset(offset, &tex);
}
template <class T, int dimension>
UNRULY_CALL cudaBindSurfaceToArray(const surface<T, dimension> &surf, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc &desc) {
  return ::cudaBindSurfaceToArray(&surf, array, &desc);
}
template <class T, int dimension> UNRULY_CALL cudaBindSurfaceToArray(const surface<T, dimension> &surf, cudaArray_const_t array) {
  struct cudaChannelFormatDesc desc;
  cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? ::cudaBindSurfaceToArray(&surf, array, &desc) : error;
}
#pragma pop_macro("UNRULY_CALL")

/* ---- Reading */

#if __cplusplus >= 201103L
#include <__clang_cuda_texture_intrinsics.h>

/* What a read gives: an element, or floats between -1 and 1 with as many channels. */
template <class T, enum cudaTextureReadMode mode> struct unruly_read { typedef T type; };
#define UNRULY_NORMALIZED(kind)                                                                                                  \
  template <> struct unruly_read<kind##1, cudaReadModeNormalizedFloat> { typedef float1 type; };                                 \
  template <> struct unruly_read<kind##2, cudaReadModeNormalizedFloat> { typedef float2 type; };                                 \
  template <> struct unruly_read<kind##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
UNRULY_NORMALIZED(char)
UNRULY_NORMALIZED(uchar)
UNRULY_NORMALIZED(short)
UNRULY_NORMALIZED(ushort)
#undef UNRULY_NORMALIZED
#define UNRULY_NORMALIZED(kind)                                                                                                  \
  template <> struct unruly_read<kind, cudaReadModeNormalizedFloat> { typedef float type; };
UNRULY_NORMALIZED(char)
UNRULY_NORMALIZED(signed char)
UNRULY_NORMALIZED(unsigned char)
UNRULY_NORMALIZED(short)
UNRULY_NORMALIZED(unsigned short)
#undef UNRULY_NORMALIZED

/* A function for texture references, one for texture objects with a value, one for texture objects with a place for the value. */
#define UNRULY_FETCH(name, dimension, parameters, arguments)                                                                     \
  template <class T, enum cudaTextureReadMode mode>                                                                              \
  static __device__ __forceinline__ typename unruly_read<T, mode>::type name(texture<T, dimension, mode> tex,                    \
                                                                             UNRULY_LIST parameters) {                           \
    typename unruly_read<T, mode>::type v;                                                                                       \
    unruly_fetch<mode>::name(&v, (T *)0, tex, UNRULY_LIST arguments);                                                            \
    return v;                                                                                                                    \
  }                                                                                                                              \
  template <class T> static __device__ __forceinline__ T name(cudaTextureObject_t tex, UNRULY_LIST parameters) {                 \
    T v;                                                                                                                         \
    __nv_tex_surf_handler("__i" #name, &v, tex, UNRULY_LIST arguments);                                                          \
    return v;                                                                                                                    \
  }                                                                                                                              \
  template <class T> static __device__ __forceinline__ void name(T *v, cudaTextureObject_t tex, UNRULY_LIST parameters) {        \
    __nv_tex_surf_handler("__i" #name, v, tex, UNRULY_LIST arguments);                                                           \
  }
#define UNRULY_LIST(...) __VA_ARGS__
#define UNRULY_FETCHES(X)                                                                                                        \
  X(tex1Dfetch, cudaTextureType1D, (int x), (x))                                                                                 \
  X(tex1D, cudaTextureType1D, (float x), (x))                                                                                    \
  X(tex2D, cudaTextureType2D, (float x, float y), (x, y))                                                                        \
  X(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))                                                            \
  X(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))                                                    \
  X(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))                                        \
  X(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))                                                             \
  X(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))                                                 \
  X(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z, level))                                     \
  X(tex2Dgather, cudaTextureType2D, (float x, float y, int channel = 0), (x, y, channel))

template <enum cudaTextureReadMode mode> struct unruly_fetch;
#define UNRULY_MODE(name, dimension, parameters, arguments)                                                                      \
  template <class V, class T, class H>                                                                                           \
  static __device__ __forceinline__ void name(V *v, T *type, H tex, UNRULY_LIST parameters) {                                        \
    __nv_tex_surf_handler("__" #name "_v2", type, v, tex, UNRULY_LIST arguments);                                                      \
  }
template <> struct unruly_fetch<cudaReadModeElementType> { UNRULY_FETCHES(UNRULY_MODE) };
#undef UNRULY_MODE
#define UNRULY_MODE(name, dimension, parameters, arguments)                                                                      \
  template <class V, class T, class H>                                                                                           \
  static __device__ __forceinline__ void name(V *v, T *type, H tex, UNRULY_LIST parameters) {                                        \
    __nv_tex_surf_handler("__" #name "_rmnf_v2", type, v, tex, UNRULY_LIST arguments);                                                 \
  }
template <> struct unruly_fetch<cudaReadModeNormalizedFloat> { UNRULY_FETCHES(UNRULY_MODE) };
#undef UNRULY_MODE

UNRULY_FETCHES(UNRULY_FETCH)
#undef UNRULY_FETCHES
#undef UNRULY_FETCH
#undef UNRULY_LIST
#endif

#endif
