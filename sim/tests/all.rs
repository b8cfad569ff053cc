//! The GPU model as a whole. All tests are one program: the library is linked once.

mod composition;
mod core_options;
mod early_ends;
mod front_ends;
mod functional;
mod generic_addresses;
mod parallel;
mod programs;
mod scalars;
