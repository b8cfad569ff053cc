/* Surfaces: functions that read and write arrays. The first coordinate counts bytes. An element is moved as one, two or four words. */
#ifndef UNRULY_SURFACE_H
#define UNRULY_SURFACE_H

/* The 64 bits by which instructions know a surface reference. */
template <class Surface> static __device__ __forceinline__ cudaSurfaceObject_t unruly_surface(Surface reference) {
  cudaSurfaceObject_t object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}
static __device__ __forceinline__ cudaSurfaceObject_t unruly_surface(cudaSurfaceObject_t object) { return object; }

template <int bytes> struct unruly_element;

#define UNRULY_LIST(...) __VA_ARGS__
#define UNRULY_WORDS_1(constraint) [v0] constraint(v[0])
#define UNRULY_WORDS_2(constraint) UNRULY_WORDS_1(constraint), [v1] constraint(v[1])
#define UNRULY_WORDS_4(constraint) UNRULY_WORDS_2(constraint), [v2] constraint(v[2]), [v3] constraint(v[3])

/* One instruction. `form` and `text` are its type and its words in PTX; `space`, `place` and `at` are the dimension, the coordinates
 * in PTX, and their operands. */
#define UNRULY_LOAD(boundary, words, letter, form, text, space, place, at)                                                      \
  asm volatile("suld.b." space "." form "." boundary " {" text "}, [%[surf], {" place "}];"                                     \
               : words("=" letter) : [surf] "l"(surf), UNRULY_LIST at : "memory")
#define UNRULY_STORE(boundary, words, letter, form, text, space, place, at)                                                     \
  asm volatile("sust.b." space "." form "." boundary " [%[surf], {" place "}], {" text "};"                                     \
               : : [surf] "l"(surf), UNRULY_LIST at, words(letter) : "memory")
#define UNRULY_IN_MODE(instruction, ...)                                                                                        \
  if (mode == cudaBoundaryModeZero)                                                                                             \
    instruction("zero", __VA_ARGS__);                                                                                           \
  else if (mode == cudaBoundaryModeClamp)                                                                                       \
    instruction("clamp", __VA_ARGS__);                                                                                          \
  else                                                                                                                          \
    instruction("trap", __VA_ARGS__)
#define UNRULY_DIMENSION(name, coordinates, ...)                                                                                \
  __device__ __forceinline__ void read##name(cudaSurfaceObject_t surf, UNRULY_LIST coordinates,                                 \
                                             enum cudaSurfaceBoundaryMode mode) {                                               \
    UNRULY_IN_MODE(UNRULY_LOAD, __VA_ARGS__);                                                                                   \
  }                                                                                                                             \
  __device__ __forceinline__ void write##name(cudaSurfaceObject_t surf, UNRULY_LIST coordinates,                                \
                                              enum cudaSurfaceBoundaryMode mode) const {                                        \
    UNRULY_IN_MODE(UNRULY_STORE, __VA_ARGS__);                                                                                  \
  }
/* Elements of so many bytes, in words of one type. */
#define UNRULY_ELEMENT(bytes, word, count, ...)                                                                                 \
  template <> struct unruly_element<bytes> {                                                                                    \
    word v[count];                                                                                                              \
    UNRULY_DIMENSION(1D, (int x), UNRULY_WORDS_##count, __VA_ARGS__, "1d", "%[x]", ([x] "r"(x)))                                \
    UNRULY_DIMENSION(2D, (int x, int y), UNRULY_WORDS_##count, __VA_ARGS__, "2d", "%[x], %[y]", ([x] "r"(x), [y] "r"(y)))       \
    UNRULY_DIMENSION(3D, (int x, int y, int z), UNRULY_WORDS_##count, __VA_ARGS__, "3d", "%[x], %[y], %[z], %[z]",              \
                     ([x] "r"(x), [y] "r"(y), [z] "r"(z)))                                                                      \
  };

UNRULY_ELEMENT(1, unsigned short, 1, "h", "b8", "%[v0]")
UNRULY_ELEMENT(2, unsigned short, 1, "h", "b16", "%[v0]")
UNRULY_ELEMENT(4, unsigned int, 1, "r", "b32", "%[v0]")
UNRULY_ELEMENT(8, unsigned int, 2, "r", "v2.b32", "%[v0], %[v1]")
UNRULY_ELEMENT(16, unsigned int, 4, "r", "v4.b32", "%[v0], %[v1], %[v2], %[v3]")

#undef UNRULY_LIST
#undef UNRULY_WORDS_1
#undef UNRULY_WORDS_2
#undef UNRULY_WORDS_4
#undef UNRULY_LOAD
#undef UNRULY_STORE
#undef UNRULY_IN_MODE
#undef UNRULY_DIMENSION
#undef UNRULY_ELEMENT

/* The bits of a value in words, and back. */
template <class T> static __device__ __forceinline__ void unruly_move(void *to, const void *from) {
  if (sizeof(T) == 1)
    *(unsigned char *)to = *(const unsigned char *)from;
  else
    __builtin_memcpy(to, from, sizeof(T));
}

template <class T, class Surface>
static __device__ __forceinline__ void surf1Dread(T *value, Surface surf, int x,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read1D(unruly_surface(surf), x, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf1Dread(Surface surf, int x, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf1Dread(&value, surf, x, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf1Dwrite(T value, Surface surf, int x,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write1D(unruly_surface(surf), x, mode);
}
template <class T, class Surface>
static __device__ __forceinline__ void surf2Dread(T *value, Surface surf, int x, int y,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read2D(unruly_surface(surf), x, y, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf2Dread(Surface surf, int x, int y, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf2Dread(&value, surf, x, y, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf2Dwrite(T value, Surface surf, int x, int y,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write2D(unruly_surface(surf), x, y, mode);
}
template <class T, class Surface>
static __device__ __forceinline__ void surf3Dread(T *value, Surface surf, int x, int y, int z,
                                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  element.read3D(unruly_surface(surf), x, y, z, mode);
  unruly_move<T>(value, element.v);
}
template <class T, class Surface>
static __device__ __forceinline__ T surf3Dread(Surface surf, int x, int y, int z, enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  T value;
  surf3Dread(&value, surf, x, y, z, mode);
  return value;
}
template <class T, class Surface>
static __device__ __forceinline__ void surf3Dwrite(T value, Surface surf, int x, int y, int z,
                                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  unruly_element<sizeof(T)> element;
  unruly_move<T>(element.v, &value);
  element.write3D(unruly_surface(surf), x, y, z, mode);
}

#endif
