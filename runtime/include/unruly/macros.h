/* `unruly nvcc` has clang read the macros of the command line in the place of this file. */
