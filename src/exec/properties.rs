//! The facts of the GPU that programs ask for.

use super::wire::Append;
use crate::launch_shape::most_threads;
use sim::config::Config;

/// Bytes of device memory. The presets do not say how much their GPUs have: no result depends on it.
pub const MEMORY_BYTES: u64 = 4 << 30;
/// Bytes of `.const` variables, as on all CUDA GPUs.
const CONSTANT_BYTES: u32 = 64 << 10;
/// The newest that `unruly nvcc` compiles for: PTX for older ones runs, too.
const COMPUTE_CAPABILITY: [u32; 2] = [7, 5];
const NAME_BYTES: usize = 256;

/// `struct unruly_properties` of `runtime/cudart/wire.h`.
pub fn payload(config: &Config) -> Vec<u8> {
    let mut bytes = format!("Unruly {}", config.name).into_bytes();
    bytes.truncate(NAME_BYTES - 1);
    bytes.resize(NAME_BYTES, 0);
    bytes.u64(MEMORY_BYTES);
    bytes.u64(CONSTANT_BYTES.into());
    let (core, l2) = (&config.core, &config.l2);
    let slices = config.dram.channels * l2.slices_per_channel;
    let l2_bytes = slices as u64 * l2.sets as u64 * l2.ways as u64 * l2.line_bytes;
    let bus_bits = config.dram.channels as u32 * config.dram.bus_bytes * 8;
    // CUDA's memory clock is one with two beats.
    let memory_khz = config.dram.clock_mhz * config.dram.beats_per_clock / 2 * 1000;
    for value in [core.count as u32, core.warp_size as u32, core.clock_mhz * 1000, memory_khz] {
        bytes.u32(value);
    }
    for value in [bus_bits, l2_bytes as u32, config.shared.bytes, core.registers] {
        bytes.u32(value);
    }
    let threads = (core.max_warps * core.warp_size) as u32;
    let caches_global = u32::from(config.l1d.global_accesses == sim::config::GlobalAccesses::Cached);
    let [major, minor] = COMPUTE_CAPABILITY;
    for value in [threads, core.max_ctas as u32, most_threads(config), major, minor, caches_global] {
        bytes.u32(value);
    }
    bytes
}
