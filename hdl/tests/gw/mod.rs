//! The units of Graph-Waving against `docs/graph-waving.md`, in RustHDL's own simulation.

mod b32_front_end;
mod fetch_arbiter;
mod gw_front_end;
mod instruction_buffer;
mod round_robin_scheduler;

/// A list of registers.
fn list(registers: &[u64]) -> u64 {
    registers.iter().enumerate().map(|(i, register)| (64 | register) << (7 * i)).sum()
}

/// A record.
fn record(writes: &[u64], reads: &[u64], path: u64, scalar: bool) -> rust_hdl::prelude::Bits<73> {
    use rust_hdl::prelude::{bit_cast, Bits};
    let [writes, reads]: [Bits<73>; 2] = [writes, reads].map(|registers| bit_cast::<73, 64>(list(registers).into()));
    let [path, scalar]: [Bits<73>; 2] = [path, scalar as u64].map(|field| bit_cast::<73, 64>(field.into()));
    writes | (reads << 28) | (path << 70) | (scalar << 72)
}
