//! All tests of the units in one program, so that a long one does not have the processors for itself.

mod catalog;
mod circuit;
mod common;
mod grant;
mod gw;
mod hwwl;
mod iru;
mod lint;
mod prim;
mod round_robin;
