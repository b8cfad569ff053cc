/* The code of the program: what its constructors register, and what the device knows of it. */
#include "internal.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the compiler puts in `.nvFatBinSegment`. */
struct wrapper {
  int magic, version;
  const void *data;
  void *unused;
};
enum { WRAPPER_MAGIC = 0x466243b1 };

/* runtime/README.md has the form of a fat binary. */
const char *unruly_image(const void *data) {
  enum { HEAD = 20 };
  return strncmp(data, "UNRULYF1", 8) == 0 ? (const char *)data + HEAD : NULL;
}

struct unruly_module {
  const char *ptx; /* NULL: the data has none */
  int is_sent;
  cudaError_t error; /* why the device does not take it */
  int is_gone;
  uint64_t handle;
  struct unruly_module *next;
};

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct unruly_module *modules, **last_module = &modules;
static struct unruly_function *functions;
static struct unruly_variable *variables;

/* Sending a module can say something, which takes no lock of this file: but a call of a locked function from another one may. */
static void initialise(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
}

static void enter(void) {
  pthread_once(&once, initialise);
  pthread_mutex_lock(&lock);
}

static void leave(void) { pthread_mutex_unlock(&lock); }

static void *new(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory == NULL) {
    fputs("unruly: no memory for the program's modules\n", stderr);
    abort();
  }
  return memory;
}

static struct unruly_module *add_module(const char *ptx) {
  struct unruly_module *module = new (sizeof *module);
  module->ptx = ptx;
  *last_module = module;
  last_module = &module->next;
  return module;
}

/* ---- what constructors call ---- */

void **__cudaRegisterFatBinary(void *fat) {
  const struct wrapper *wrapper = fat;
  enter();
  struct unruly_module *module = add_module(wrapper->magic == WRAPPER_MAGIC ? unruly_image(wrapper->data) : NULL);
  leave();
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaUnregisterFatBinary(void **handle) {
  enter();
  ((struct unruly_module *)handle)->is_gone = 1;
  leave();
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *device_name, int thread_limit,
                            void *thread, void *block, void *block_size, void *grid_size, int *warp_size) {
  (void)device_function, (void)thread_limit, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)warp_size;
  struct unruly_function *function = new (sizeof *function);
  function->stub = stub;
  function->name = device_name;
  function->module = (struct unruly_module *)handle;
  enter();
  function->next = functions;
  functions = function;
  leave();
}

static void adopt(struct unruly_variable *variable);

/* `__managed__` is a tag of the variable, which its mangled name has. */
static int is_managed(const char *name) { return strstr(name, "B14unruly_managed") != NULL; }

void __cudaRegisterVar(void **handle, char *host, char *device_address, const char *name, int is_external, size_t bytes,
                       int is_constant, int is_global) {
  (void)device_address, (void)is_external, (void)is_constant, (void)is_global;
  struct unruly_variable *variable = new (sizeof *variable);
  variable->host = host;
  variable->name = name;
  variable->bytes = bytes;
  variable->module = (struct unruly_module *)handle;
  enter();
  variable->next = variables;
  variables = variable;
  leave();
  if (is_managed(name))
    adopt(variable);
}

/* ---- what the device knows ---- */

/* The host's side of a managed variable gets the initial value, and from now on both sides are the same around launches. */
static void adopt(struct unruly_variable *variable) {
  const char *call = variable->name;
  struct unruly_variable *found;
  struct unruly_region region;
  void *host = (void *)variable->host;
  if (unruly_variable(call, host, &found) != cudaSuccess)
    return;
  unsigned char *shadow = new (variable->bytes);
  struct unruly_rows to = {host, 0, variable->bytes}, from = {NULL, variable->address, variable->bytes};
  unruly_copy(call, to, from, variable->bytes, 1);
  memcpy(shadow, host, variable->bytes);
  unruly_remove_region(variable->address, &region);
  unruly_add_region((struct unruly_region){variable->address, host, variable->bytes, UNRULY_HOST, 0, 1, shadow});
}

static void send_module(struct unruly_module *module, const char *call) {
  module->is_sent = 1;
  if (module->ptx == NULL) {
    module->error = unruly_refuse(call, cudaErrorNoKernelImageForDevice,
                                  "the program has device code that was not compiled with `unruly nvcc`");
    return;
  }
  struct unruly_message nothing = {.length = 0};
  module->error = unruly_ask(call, UNRULY_MODULE, &nothing, module->ptx, strlen(module->ptx), &module->handle, 8);
}

void unruly_load_modules(void) {
  enter();
  for (struct unruly_module *module = modules; module != NULL; module = module->next)
    if (!module->is_sent && !module->is_gone)
      send_module(module, "the program's device code");
  leave();
}

static cudaError_t usable(struct unruly_module *module) {
  cudaError_t error = unruly_ready();
  return error != cudaSuccess ? error : module->error;
}

cudaError_t unruly_function(const char *call, const void *stub, struct unruly_function **found) {
  enter();
  struct unruly_function *function = functions;
  while (function != NULL && (function->stub != stub || function->module->is_gone))
    function = function->next;
  leave();
  *found = function;
  return function != NULL ? cudaSuccess : unruly_refuse(call, cudaErrorInvalidDeviceFunction, "the pointer is not that of a kernel");
}

/* What `__cudaRegisterFunction` or cuModuleGetFunction names. */
static cudaError_t know(const char *call, struct unruly_function *function) {
  enum { HEAD = 36, MOST = 1 << 16 };
  unsigned char *reply = new (MOST);
  struct unruly_message message = {.length = 0};
  size_t length;
  unruly_put64(&message, function->module->handle);
  const char *name = function->name;
  cudaError_t error = unruly_ask_some(call, UNRULY_FUNCTION, &message, name, strlen(name), reply, MOST, &length);
  if (error == cudaSuccess) {
    function->handle = unruly_get64(reply);
    uint32_t *numbers[] = {&function->registers,    &function->shared_bytes,    &function->local_bytes, &function->constant_bytes,
                           &function->most_threads, &function->parameter_bytes, &function->parameters};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      *numbers[i] = unruly_get32(reply + 8 + 4 * i);
    function->parameter = new (sizeof *function->parameter * (function->parameters + 1));
    for (uint32_t i = 0; i < function->parameters; i++)
      function->parameter[i] = (struct unruly_parameter){unruly_get32(reply + HEAD + 8 * i), unruly_get32(reply + HEAD + 8 * i + 4)};
    __atomic_store_n(&function->is_known, 1, __ATOMIC_SEQ_CST);
  }
  free(reply);
  return error;
}

cudaError_t unruly_know(const char *call, struct unruly_function *function) {
  cudaError_t error = usable(function->module);
  if (error == cudaSuccess && function->module->is_gone)
    error = unruly_refuse(call, cudaErrorInvalidResourceHandle, "the module of the kernel is unloaded");
  if (error != cudaSuccess || __atomic_load_n(&function->is_known, __ATOMIC_SEQ_CST))
    return error;
  enter();
  error = function->is_known ? cudaSuccess : know(call, function);
  leave();
  return error;
}

/* A C++ compiler calls a static variable `_ZL4name`. */
static int has_name(const char *symbol, const char *name) {
  char *rest;
  if (strcmp(symbol, name) == 0)
    return 1;
  if (strncmp(symbol, "_ZL", 3) != 0)
    return 0;
  size_t length = strtoul(symbol + 3, &rest, 10);
  return length == strlen(name) && strcmp(rest, name) == 0;
}

/* By the address of the variable's shadow on the host, or by its name. */
static struct unruly_variable *find_variable(const void *symbol) {
  for (struct unruly_variable *variable = variables; variable != NULL; variable = variable->next)
    if (!variable->module->is_gone && variable->host == symbol)
      return variable;
  for (struct unruly_variable *variable = variables; variable != NULL; variable = variable->next)
    if (!variable->module->is_gone && has_name(variable->name, symbol))
      return variable;
  return NULL;
}

static cudaError_t address_of(const char *call, struct unruly_module *module, const char *name, uint64_t *address, uint64_t *bytes) {
  unsigned char reply[16];
  struct unruly_message message = {.length = 0};
  unruly_put64(&message, module->handle);
  cudaError_t error = unruly_ask(call, UNRULY_SYMBOL, &message, name, strlen(name), reply, sizeof reply);
  if (error != cudaSuccess)
    return error;
  *address = unruly_get64(reply);
  *bytes = unruly_get64(reply + 8);
  struct unruly_region known;
  if (!unruly_find_region(*address, &known))
    unruly_add_region((struct unruly_region){.address = *address, .bytes = *bytes, .kind = UNRULY_VARIABLE});
  return cudaSuccess;
}

cudaError_t unruly_variable(const char *call, const void *symbol, struct unruly_variable **found) {
  if (symbol == NULL)
    return cudaErrorInvalidSymbol;
  enter();
  struct unruly_variable *variable = find_variable(symbol);
  cudaError_t error = variable == NULL ? unruly_refuse(call, cudaErrorInvalidSymbol, "the symbol is not a device variable")
                                       : usable(variable->module);
  uint64_t bytes;
  if (error == cudaSuccess && variable->address == 0)
    error = address_of(call, variable->module, variable->name, &variable->address, &bytes);
  leave();
  *found = variable;
  return error;
}

void unruly_forget_addresses(void) {
  enter();
  for (struct unruly_variable *variable = variables; variable != NULL; variable = variable->next) {
    variable->address = 0;
    if (is_managed(variable->name) && !variable->module->is_gone)
      adopt(variable);
  }
  leave();
}

/* ---- modules that the program loads itself ---- */

cudaError_t unruly_module_load(const char *call, const char *ptx, struct unruly_module **module) {
  cudaError_t error = unruly_ready();
  if (error != cudaSuccess)
    return error;
  enter();
  *module = add_module(ptx);
  send_module(*module, call);
  error = (*module)->error;
  (*module)->is_gone = error != cudaSuccess;
  leave();
  return error;
}

cudaError_t unruly_module_unload(const char *call, struct unruly_module *module) {
  struct unruly_message message = {.length = 0};
  module->is_gone = 1;
  unruly_put64(&message, module->handle);
  return unruly_ask(call, UNRULY_UNLOAD, &message, NULL, 0, NULL, 0);
}

cudaError_t unruly_module_function(const char *call, struct unruly_module *module, const char *name, struct unruly_function **found) {
  enter();
  struct unruly_function *function = functions;
  while (function != NULL && (function->module != module || strcmp(function->name, name) != 0))
    function = function->next;
  if (function == NULL) {
    function = new (sizeof *function);
    function->name = strdup(name);
    function->module = module;
  }
  cudaError_t error = unruly_know(call, function);
  if (error == cudaSuccess && function->stub == NULL) {
    function->stub = function;
    function->next = functions;
    functions = function;
  }
  leave();
  *found = function;
  return error;
}

cudaError_t unruly_module_variable(const char *call, struct unruly_module *module, const char *name, uint64_t *address,
                                   uint64_t *bytes) {
  cudaError_t error = usable(module);
  return error != cudaSuccess ? error : address_of(call, module, name, address, bytes);
}
