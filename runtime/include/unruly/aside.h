/* `unruly nvcc` has clang read text in the place of this file that sets the macros of the command line aside. No guard: each header of
 * ours reads it at its beginning, and back.h at its end. */
