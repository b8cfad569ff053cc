/* Memory that the library knows: on the device, on the host, and on both sides. */
#include "internal.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* In the order of their addresses on the device. */
static struct unruly_region *regions;
static size_t count, room;

/* Where a region of this device address is, or would be. */
static size_t position(uint64_t address) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (regions[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void unruly_add_region(struct unruly_region region) {
  pthread_mutex_lock(&lock);
  if (count == room) {
    room = room == 0 ? 64 : 2 * room;
    regions = realloc(regions, room * sizeof *regions);
    if (regions == NULL)
      abort();
  }
  size_t place = position(region.address);
  memmove(regions + place + 1, regions + place, (count - place) * sizeof *regions);
  regions[place] = region;
  count++;
  pthread_mutex_unlock(&lock);
}

/* An empty region has its first address. */
static int has(uint64_t begin, size_t bytes, uint64_t address) { return address - begin < bytes || address == begin; }

/* The place of the region that has an address; `count`: there is none. */
static size_t find(uint64_t address) {
  size_t place = position(address + 1);
  if (place > 0 && has(regions[place - 1].address, regions[place - 1].bytes, address))
    return place - 1;
  for (place = 0; place < count; place++)
    if (regions[place].kind == UNRULY_HOST && has((uintptr_t)regions[place].host, regions[place].bytes, address))
      return place;
  return count;
}

int unruly_find_region(uint64_t address, struct unruly_region *region) {
  pthread_mutex_lock(&lock);
  size_t place = find(address);
  int found = place < count;
  if (found)
    *region = regions[place];
  pthread_mutex_unlock(&lock);
  return found;
}

int unruly_remove_region(uint64_t begin, struct unruly_region *region) {
  pthread_mutex_lock(&lock);
  size_t place = find(begin);
  int found = place < count && (regions[place].address == begin || (uintptr_t)regions[place].host == begin);
  if (found) {
    *region = regions[place];
    count--;
    memmove(regions + place, regions + place + 1, (count - place) * sizeof *regions);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void unruly_map_region(uint64_t address) {
  pthread_mutex_lock(&lock);
  size_t place = find(address);
  if (place < count)
    regions[place].is_mapped = 1;
  pthread_mutex_unlock(&lock);
}

/* Memory of the host at addresses of the device goes with those of the device, which new memory may get. */
void unruly_drop_host_side(const struct unruly_region *region) {
  free(region->shadow);
  if (region->kind == UNRULY_TWIN || region->kind == UNRULY_MANAGED)
    munmap(region->host, (region->bytes + UNRULY_PAGE - 1) / UNRULY_PAGE * UNRULY_PAGE);
}

void unruly_remove_all_regions(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; i++)
    unruly_drop_host_side(&regions[i]);
  count = 0;
  pthread_mutex_unlock(&lock);
}

/* A kernel may use it: it is mapped, or an argument points there. */
static int is_used(const struct unruly_region *region, const unsigned char *parameters, size_t bytes) {
  if (region->shadow == NULL)
    return 0;
  for (size_t at = 0; !region->is_mapped && at + 8 <= bytes; at += 8)
    if (has(region->address, region->bytes, unruly_get64(parameters + at)))
      return 1;
  return region->is_mapped;
}

static size_t page_at(const struct unruly_region *region, size_t at) {
  return region->bytes - at < UNRULY_PAGE ? region->bytes - at : UNRULY_PAGE;
}

/* Sends the pages that the host has changed, neighbours together. */
static cudaError_t push(const char *call, struct unruly_region *region) {
  struct unruly_rows to = {NULL, 0, 0}, from = {NULL, 0, 0};
  for (size_t at = 0, begin = 0, end = 0; at <= region->bytes; at += UNRULY_PAGE) {
    int is_changed = at < region->bytes && memcmp(region->host + at, region->shadow + at, page_at(region, at)) != 0;
    if (is_changed) {
      begin = begin == end ? at : begin;
      end = at + page_at(region, at);
      memcpy(region->shadow + at, region->host + at, page_at(region, at));
    }
    if (begin < end && (!is_changed || end == region->bytes)) {
      to.address = region->address + begin;
      from.host = region->host + begin;
      cudaError_t error = unruly_copy(call, to, from, end - begin, 1);
      if (error != cudaSuccess)
        return error;
      begin = end = 0;
    }
  }
  return cudaSuccess;
}

/* Takes the bytes that the kernel has changed, and no others: the host may be at work beside them. */
static cudaError_t pull(const char *call, struct unruly_region *region, unsigned char *fresh) {
  struct unruly_rows to = {fresh, 0, 0}, from = {NULL, region->address, 0};
  cudaError_t error = unruly_copy(call, to, from, region->bytes, 1);
  for (size_t at = 0; error == cudaSuccess && at < region->bytes; at += UNRULY_PAGE) {
    size_t bytes = page_at(region, at);
    if (memcmp(fresh + at, region->shadow + at, bytes) == 0)
      continue;
    for (size_t i = at; i < at + bytes; i++)
      if (fresh[i] != region->shadow[i])
        region->host[i] = region->shadow[i] = fresh[i];
  }
  return error;
}

cudaError_t unruly_push_twins(const char *call, const unsigned char *parameters, size_t bytes) {
  cudaError_t error = cudaSuccess;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    if (is_used(&regions[i], parameters, bytes))
      error = push(call, &regions[i]);
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t unruly_pull_twins(const char *call, const unsigned char *parameters, size_t bytes) {
  cudaError_t error = cudaSuccess;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    if (is_used(&regions[i], parameters, bytes)) {
      unsigned char *fresh = malloc(regions[i].bytes);
      error = fresh == NULL ? cudaErrorMemoryAllocation : pull(call, &regions[i], fresh);
      free(fresh);
    }
  pthread_mutex_unlock(&lock);
  return error;
}
