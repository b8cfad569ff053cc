/* The channels of a type, and the typed calls for textures. */
#ifndef UNRULY_CHANNEL_DESCRIPTOR_H
#define UNRULY_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__
#include "unruly/aside.h"

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
/* What no texture can have: no channels. */
template <class T> static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void) {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#pragma push_macro("UNRULY_CHANNELS")
#define UNRULY_CHANNELS(type, x, y, z, w, kind)                                                                                  \
  template <> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {                                      \
    return ::cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);                                                     \
  }
UNRULY_CHANNELS(char, 8, 0, 0, 0, Signed)
UNRULY_CHANNELS(signed char, 8, 0, 0, 0, Signed)
UNRULY_CHANNELS(char1, 8, 0, 0, 0, Signed)
UNRULY_CHANNELS(char2, 8, 8, 0, 0, Signed)
UNRULY_CHANNELS(char4, 8, 8, 8, 8, Signed)
UNRULY_CHANNELS(unsigned char, 8, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(uchar1, 8, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(uchar2, 8, 8, 0, 0, Unsigned)
UNRULY_CHANNELS(uchar4, 8, 8, 8, 8, Unsigned)
UNRULY_CHANNELS(short, 16, 0, 0, 0, Signed)
UNRULY_CHANNELS(short1, 16, 0, 0, 0, Signed)
UNRULY_CHANNELS(short2, 16, 16, 0, 0, Signed)
UNRULY_CHANNELS(short4, 16, 16, 16, 16, Signed)
UNRULY_CHANNELS(unsigned short, 16, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(ushort1, 16, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(ushort2, 16, 16, 0, 0, Unsigned)
UNRULY_CHANNELS(ushort4, 16, 16, 16, 16, Unsigned)
UNRULY_CHANNELS(int, 32, 0, 0, 0, Signed)
UNRULY_CHANNELS(int1, 32, 0, 0, 0, Signed)
UNRULY_CHANNELS(int2, 32, 32, 0, 0, Signed)
UNRULY_CHANNELS(int4, 32, 32, 32, 32, Signed)
UNRULY_CHANNELS(unsigned int, 32, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(uint1, 32, 0, 0, 0, Unsigned)
UNRULY_CHANNELS(uint2, 32, 32, 0, 0, Unsigned)
UNRULY_CHANNELS(uint4, 32, 32, 32, 32, Unsigned)
UNRULY_CHANNELS(float, 32, 0, 0, 0, Float)
UNRULY_CHANNELS(float1, 32, 0, 0, 0, Float)
UNRULY_CHANNELS(float2, 32, 32, 0, 0, Float)
UNRULY_CHANNELS(float4, 32, 32, 32, 32, Float)
#pragma pop_macro("UNRULY_CHANNELS")
#endif

#include "unruly/back.h"

#endif
