/* What the files of the library share. */
#ifndef UNRULY_INTERNAL_H
#define UNRULY_INTERNAL_H

/* What programs see is exported; all else is hidden by -fvisibility=hidden. */
#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop

#include "wire.h"
#include <stddef.h>
#include <stdint.h>

/* ---- errors.c ---- */

/* The result of a runtime call: an error becomes the last error of this thread. */
cudaError_t unruly_done(cudaError_t error);
/* The same, with a line on standard error that names the call. */
cudaError_t unruly_refuse(const char *call, cudaError_t error, const char *text);
/* One line on standard error, unless the last one was the same. */
void unruly_say(const char *call, const char *text);
/* The error that all calls give after a kernel has failed, or cudaSuccess. */
cudaError_t unruly_sticky(void);
void unruly_set_sticky(cudaError_t error);

/* ---- connection.c ---- */

/* A payload that is put together. */
struct unruly_message {
  unsigned char bytes[8192];
  size_t length;
};
void unruly_put32(struct unruly_message *message, uint32_t value);
void unruly_put64(struct unruly_message *message, uint64_t value);
void unruly_put(struct unruly_message *message, const void *bytes, size_t length);
/* Numbers of a reply. */
uint32_t unruly_get32(const unsigned char *bytes);
uint64_t unruly_get64(const unsigned char *bytes);

/* Asks `unruly exec`. The payload is `message` and then `data`. A good reply has exactly `room` bytes, which go to `into`. An error is
 * said on standard error in the name of `call`. */
cudaError_t unruly_ask(const char *call, enum unruly_operation operation, const struct unruly_message *message, const void *data,
                       size_t data_bytes, void *into, size_t room);
/* The same of a reply whose length is not known before: up to `room` bytes, and their number in `length`. */
cudaError_t unruly_ask_some(const char *call, enum unruly_operation operation, const struct unruly_message *message, const void *data,
                            size_t data_bytes, void *into, size_t room, size_t *length);
/* A launch: prints what kernels print. */
cudaError_t unruly_ask_launch(const char *call, const struct unruly_message *message);
/* Connects if need be. cudaSuccess: the device is there, and no kernel has failed. */
cudaError_t unruly_reached(void);
/* The same for a call that works in a context: a thread without one has the primary context from then on. */
cudaError_t unruly_ready(void);
void unruly_use_context(void);

/* ---- modules.c ---- */

/* The code of one fat binary, or what cuModuleLoad has loaded. */
struct unruly_module;
struct unruly_function {
  const void *stub;
  const char *name;
  struct unruly_module *module;
  struct unruly_function *next;
  int is_known; /* what follows has been asked for */
  uint64_t handle;
  uint32_t registers, shared_bytes, local_bytes, constant_bytes, most_threads, parameter_bytes, parameters;
  struct unruly_parameter {
    uint32_t offset, bytes;
  } *parameter;
};
struct unruly_variable {
  const void *host;
  const char *name;
  size_t bytes;
  struct unruly_module *module;
  struct unruly_variable *next;
  uint64_t address; /* 0: has not been asked for */
};
/* Sends all modules that the device does not have yet. */
void unruly_load_modules(void);
cudaError_t unruly_function(const char *call, const void *stub, struct unruly_function **function);
cudaError_t unruly_variable(const char *call, const void *symbol, struct unruly_variable **variable);
/* What the device says of a kernel. */
cudaError_t unruly_know(const char *call, struct unruly_function *function);
/* The PTX text of a fat binary. NULL: it is none. */
const char *unruly_image(const void *data);
cudaError_t unruly_module_load(const char *call, const char *ptx, struct unruly_module **module);
cudaError_t unruly_module_unload(const char *call, struct unruly_module *module);
cudaError_t unruly_module_function(const char *call, struct unruly_module *module, const char *name, struct unruly_function **function);
cudaError_t unruly_module_variable(const char *call, struct unruly_module *module, const char *name, uint64_t *address, uint64_t *bytes);
/* After cudaDeviceReset: variables have new addresses, and managed ones their initial values on both sides. */
void unruly_forget_addresses(void);

/* ---- launch.c ---- */

/* The parameters of a launch: a pointer to each, or all as one piece. */
struct unruly_arguments {
  void **each;
  const void *piece; /* NULL: `each` counts */
  size_t bytes;      /* of the piece; those that are missing at its end are 0 */
};
cudaError_t unruly_launch(const char *call, struct unruly_function *function, dim3 grid, dim3 block, struct unruly_arguments arguments,
                          size_t shared);

/* ---- regions.c ---- */

enum { UNRULY_PAGE = 4096 };
enum unruly_kind {
  UNRULY_DEVICE,  /* device memory */
  UNRULY_VARIABLE, /* a device variable */
  UNRULY_TWIN,    /* host memory with a twin on the device at the same address */
  UNRULY_MANAGED, /* the same, from cudaMallocManaged */
  UNRULY_HOST,    /* host memory whose twin on the device has another address */
};
struct unruly_region {
  uint64_t address; /* on the device */
  unsigned char *host; /* NULL: there is none */
  size_t bytes;
  enum unruly_kind kind;
  unsigned flags;          /* as given by the program */
  int is_mapped;           /* kernels see it in any case, not only if its address is one of their arguments */
  unsigned char *shadow;   /* what the device has, of memory that both sides see */
};
void unruly_add_region(struct unruly_region region);
/* Takes it off the list. 0: there is none that begins at this address, on one of the sides. */
int unruly_remove_region(uint64_t begin, struct unruly_region *region);
/* The region that has this address, on one of the sides. 0: there is none. */
int unruly_find_region(uint64_t address, struct unruly_region *region);
/* Kernels see it from now on. */
void unruly_map_region(uint64_t address);
void unruly_remove_all_regions(void);
/* Gives back what the host has for a region, which is on the list no more. */
void unruly_drop_host_side(const struct unruly_region *region);
/* Copies what the host has changed to the device before a launch, and back what the kernel has changed. */
cudaError_t unruly_push_twins(const char *call, const unsigned char *parameters, size_t bytes);
cudaError_t unruly_pull_twins(const char *call, const unsigned char *parameters, size_t bytes);

/* ---- memory.c ---- */

cudaError_t unruly_allocate(const char *call, size_t bytes, uint64_t *address);
cudaError_t unruly_allocate_twin(const char *call, size_t bytes, enum unruly_kind kind, unsigned flags, void **pointer);
cudaError_t unruly_release(const char *call, uint64_t address);

/* ---- copy.c ---- */

/* Bytes of the host or of the device, in rows. */
struct unruly_rows {
  unsigned char *host; /* NULL: it is on the device */
  uint64_t address;
  size_t pitch;
};
enum unruly_side { UNRULY_ON_HOST, UNRULY_ON_DEVICE, UNRULY_ANYWHERE };
/* Where a pointer points. `side` counts if nobody knows. */
struct unruly_rows unruly_rows(const void *pointer, size_t pitch, enum unruly_side side);
cudaError_t unruly_copy(const char *call, struct unruly_rows to, struct unruly_rows from, size_t width, size_t rows);
cudaError_t unruly_set(const char *call, struct unruly_rows to, size_t width, size_t rows, uint32_t value, unsigned bytes);
/* The sides of a kind of copy. 0: there is no such kind. */
int unruly_sides(enum cudaMemcpyKind kind, enum unruly_side *to, enum unruly_side *from);

/* ---- handles.c ---- */

enum unruly_handle_kind {
  UNRULY_STREAM = 1,
  UNRULY_EVENT,
  UNRULY_ARRAY,
  UNRULY_MODULE_HANDLE,
  UNRULY_FUNCTION_HANDLE,
  UNRULY_CONTEXT,
  UNRULY_TEXTURE_OBJECT,
};
/* A handle that the program gets for `data`. NULL: no memory. */
void *unruly_new_handle(enum unruly_handle_kind kind, void *data);
/* NULL: it is none of this kind, or not any more. */
void *unruly_handle(enum unruly_handle_kind kind, const void *handle);
void unruly_free_handle(const void *handle);

/* ---- streams.c ---- */

int unruly_is_stream(cudaStream_t stream);
/* The same, with a line for the user. */
cudaError_t unruly_check_stream(const char *call, cudaStream_t stream);

/* ---- device.c ---- */

cudaError_t unruly_properties(const char *call, struct unruly_properties *properties);

#endif
