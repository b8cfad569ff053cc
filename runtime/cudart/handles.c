/* Handles that programs hold. A handle that has been given back is known as such, even if its place is taken again. */
#include "internal.h"
#include <pthread.h>
#include <stdlib.h>

struct slot {
  uintptr_t handle; /* 0: free */
  void *data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static size_t slots_there;
static uintptr_t generation;

/* A handle has its kind in 3 bits, its slot in 24 and its generation above. The generation begins at 1, so that no handle is a small
 * number, which means a special stream. The lowest bit is set, so that no texture object has the number of a texture reference, which
 * is an even address. */
enum { KIND_SHIFT = 1, SLOT_SHIFT = 8, GENERATION_SHIFT = 32, SLOT_BITS = 24 };

static size_t slot_of(uintptr_t handle) { return handle >> SLOT_SHIFT & ((1u << SLOT_BITS) - 1); }

static size_t free_slot(void) {
  for (size_t i = 0; i < slots_there; i++)
    if (slots[i].handle == 0)
      return i;
  size_t more = slots_there == 0 ? 64 : 2 * slots_there;
  struct slot *grown = more > 1u << SLOT_BITS ? NULL : realloc(slots, more * sizeof *slots);
  if (grown == NULL)
    return SIZE_MAX;
  for (size_t i = slots_there; i < more; i++)
    grown[i].handle = 0;
  size_t first = slots_there;
  slots = grown;
  slots_there = more;
  return first;
}

void *unruly_new_handle(enum unruly_handle_kind kind, void *data) {
  uintptr_t handle = 0;
  pthread_mutex_lock(&lock);
  size_t slot = free_slot();
  if (slot != SIZE_MAX) {
    handle = 1 | (uintptr_t)kind << KIND_SHIFT | slot << SLOT_SHIFT | ++generation << GENERATION_SHIFT;
    slots[slot] = (struct slot){handle, data};
  }
  pthread_mutex_unlock(&lock);
  return (void *)handle;
}

void *unruly_handle(enum unruly_handle_kind kind, const void *given) {
  uintptr_t handle = (uintptr_t)given;
  void *data = NULL;
  pthread_mutex_lock(&lock);
  if (slot_of(handle) < slots_there && slots[slot_of(handle)].handle == handle && (handle >> KIND_SHIFT & 7) == (uintptr_t)kind)
    data = slots[slot_of(handle)].data;
  pthread_mutex_unlock(&lock);
  return data;
}

void unruly_free_handle(const void *given) {
  pthread_mutex_lock(&lock);
  slots[slot_of((uintptr_t)given)].handle = 0;
  pthread_mutex_unlock(&lock);
}
