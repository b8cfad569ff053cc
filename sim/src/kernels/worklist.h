// One worklist with several bodies (HWWL, III-A: a data-driven kernel is linked to any of them). A kernel says, whichever
// body it gets:
//
//   WorklistThread work(worklist);
//   work.balance(row);
//   unsigned id;
//   do {
//     id = work.pull();
//     if (is_work(id)) { ... work.push(other); ... }
//   } while (work.goes_on(id));
//   work.finish();
//
// and the kernel that fills the worklist first calls work.configure(). All threads of a CTA call configure(), balance() and
// finish(). balance() says how much work an ID is: the edges of its vertex. What a thread has pushed is in the worklist for
// certain after its finish().
//
// HARDWARE_WORKLIST: the worklist units. What is pushed during a launch is pulled during the next or, with SINGLE_BUFFER
// too, at any time. Otherwise two arrays in memory, worklist_software.h; what is pushed is pulled during the next launch.
#pragma once
#include "unruly_cuda.h"

// Tells a work ID (24 bits) from the tokens WL_WAIT and WL_DONE.
DEVICE bool is_work(unsigned id) { return id < WL_WAIT; }

#define MEMBER __device__ __forceinline__

#ifdef HARDWARE_WORKLIST
#include "worklist_hardware.h"
#else
#include "worklist_software.h"
#endif
