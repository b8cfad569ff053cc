/* `unruly nvcc` has clang read text in the place of this file that gives the macros of the command line back. */
