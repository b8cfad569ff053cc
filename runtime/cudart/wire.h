/* What the runtime library and `unruly exec` say to each other over a Unix socket.
 *
 * All numbers are little-endian. A request is: u32 operation, u32 payload bytes, payload. Its reply is: u32 status, u32 payload
 * bytes, payload. A status is a cudaError number. If it is not 0, the payload is the text that tells the user why. The reply to a
 * launch is different: its payload is always u32 bytes of what kernels printed, that text, and what is to be said to the user, if there is anything.
 *
 * src/exec/wire.rs has the same list in Rust, and a test compares the two.
 */
#ifndef UNRULY_WIRE_H
#define UNRULY_WIRE_H

enum unruly_operation {
  /* PTX text. Reply: u64 module. */
  UNRULY_MODULE = 1,
  /* u64 module. Its functions and variables are gone afterwards. */
  UNRULY_UNLOAD = 2,
  /* u64 module, name. Reply: u64 function, u32 registers a thread, u32 shared bytes, u32 local bytes a thread, u32 constant bytes,
   * u32 most threads of a block, u32 parameter bytes, u32 parameters, and for each parameter u32 offset and u32 bytes. */
  UNRULY_FUNCTION = 3,
  /* u64 module, name. Reply: u64 address, u64 bytes. */
  UNRULY_SYMBOL = 4,
  /* u64 function, 3 x u32 grid, 3 x u32 block, u32 dynamic shared bytes, parameter block. */
  UNRULY_LAUNCH = 5,
  /* u64 bytes, u32 kind (0: device memory; 1: a page-aligned twin of host memory, which does not count as device memory).
   * Reply: u64 address. */
  UNRULY_ALLOC = 6,
  /* u64 address. */
  UNRULY_FREE = 7,
  /* u64 address, u64 pitch, u64 bytes of a row, u64 rows, the bytes of all rows. */
  UNRULY_WRITE = 8,
  /* u64 address, u64 pitch, u64 bytes of a row, u64 rows. Reply: the bytes of all rows. */
  UNRULY_READ = 9,
  /* u64 to, u64 its pitch, u64 from, u64 its pitch, u64 bytes of a row, u64 rows. */
  UNRULY_COPY = 10,
  /* u64 address, u64 pitch, u64 bytes of a row, u64 rows, u32 value, u32 bytes of the value (1, 2 or 4). */
  UNRULY_SET = 11,
  /* Nothing. Reply: struct unruly_properties. */
  UNRULY_PROPERTIES = 12,
  /* Nothing. Reply: u64 model time in ns: core cycles over the core clock. */
  UNRULY_TIME = 13,
  /* Nothing. Reply: u64 free bytes, u64 all bytes of device memory. */
  UNRULY_MEMORY_INFO = 14,
  /* u32 limit (a cudaLimit), u32 1 to set it and 0 to ask, u64 value. Reply: u64 value. */
  UNRULY_LIMIT = 15,
  /* Nothing. Frees all memory, and gives variables their initial values. */
  UNRULY_RESET = 16,
  /* u64 function, u32 threads of a block, u64 dynamic shared bytes. Reply: u32 blocks that a core can hold. */
  UNRULY_OCCUPANCY = 17,
  /* Nothing. Reply: u64 IDs in the hardware worklist. */
  UNRULY_WORKLIST = 18,
  /* u64 target, u64 bytes of its elements, u64 indices, u64 secondary values (0: none), u64 elements, u32 filter (0 none,
   * 1 minimum, 2 addition). For the next kernel with a `load_iru`. */
  UNRULY_REORDER = 19,
  /* u64 handle, u32 1 to bind it and 0 to let it go. To bind: 3 x u32 size in texels, u32 kind of the channels (a
   * cudaChannelFormatKind), 4 x u32 bits of a channel, 3 x u32 address mode (a cudaTextureAddressMode), u32 linear filter, u32
   * normalised coordinates, u32 integers are read as floats, u32 linear memory, u64 address, u64 bytes from row to row, u64 bytes from
   * slice to slice. */
  UNRULY_TEXTURE = 20,
};

/* The facts of the GPU that programs ask for. */
struct unruly_properties {
  char name[256];
  unsigned long long memory_bytes;
  unsigned long long constant_bytes;
  unsigned cores, warp_size, clock_khz, memory_clock_khz, memory_bus_bits, l2_bytes;
  unsigned shared_bytes, registers, max_threads_core, max_blocks_core, max_threads_block;
  unsigned compute_major, compute_minor, l1_caches_global;
};

#endif
