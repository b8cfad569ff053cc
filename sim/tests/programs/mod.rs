//! Device features of whole CUDA programs beyond arithmetic: printing, assertions, a heap, a call stack, textures.
//! The kernels run on the GPU model, on warps of 32 lanes and on pairs of warps of 8.

mod checks;
mod isa;
mod runner;
mod stack;
mod system;
mod texture;
