//! RTL and models in lock-step. All tests are one program: long ones run in parallel, and libraries are linked once.

mod bugs;
mod campaign;
mod common;
mod composition;
mod faults;
mod gw;
mod gw_in_gpu;
mod hand;
mod harness;
mod hwwl;
mod iru;
mod mutants;
mod prim;
mod prove;
