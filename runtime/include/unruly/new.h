/* new and delete in kernels, which need no header there. Clang's own <new> has them but for types with an alignment of their own. */
#ifndef UNRULY_NEW_H
#define UNRULY_NEW_H

#include <new>

#if defined(__cpp_aligned_new)
/* The address that malloc gave stands before the object. */
__device__ inline void *operator new(size_t size, std::align_val_t alignment) {
  size_t room = (size_t)alignment < sizeof(void *) ? sizeof(void *) : (size_t)alignment;
  char *block = (char *)::malloc(size + room + sizeof(void *));
  if (!block)
    return nullptr;
  void **object = (void **)(((size_t)block + sizeof(void *) + room - 1) / room * room);
  object[-1] = block;
  return object;
}
__device__ inline void operator delete(void *object, std::align_val_t) noexcept {
  if (object)
    ::free(((void **)object)[-1]);
}
__device__ inline void *operator new[](size_t size, std::align_val_t alignment) { return ::operator new(size, alignment); }
__device__ inline void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return ::operator new(size, alignment);
}
__device__ inline void *operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return ::operator new(size, alignment);
}
__device__ inline void operator delete[](void *object, std::align_val_t alignment) noexcept { ::operator delete(object, alignment); }
__device__ inline void operator delete(void *object, size_t, std::align_val_t alignment) noexcept {
  ::operator delete(object, alignment);
}
__device__ inline void operator delete[](void *object, size_t, std::align_val_t alignment) noexcept {
  ::operator delete(object, alignment);
}
__device__ inline void operator delete(void *object, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  ::operator delete(object, alignment);
}
__device__ inline void operator delete[](void *object, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  ::operator delete(object, alignment);
}
#endif

#endif
