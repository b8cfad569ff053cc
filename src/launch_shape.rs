//! Limits of every CUDA GPU for the grid and the blocks of a launch; the rest depends on the configuration.

use sim::config::Config;

/// Threads of a block, as on all CUDA GPUs of compute capability 2.0 and later.
const MOST_THREADS: u32 = 1024;
/// Threads of a block in each dimension.
const MOST_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks of a grid in each dimension, as on all CUDA GPUs.
const MOST_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];

/// Threads that a block may have.
pub fn most_threads(config: &Config) -> u32 {
    MOST_THREADS.min((config.core.max_warps * config.core.warp_size) as u32)
}

/// The fault of a launch.
pub fn fault(config: &Config, grid: [u32; 3], block: [u32; 3]) -> Option<String> {
    let (threads, most) = (block.iter().map(|n| u64::from(*n)).product::<u64>(), most_threads(config));
    let within = |sizes: [u32; 3], most: [u32; 3]| sizes.iter().zip(most).all(|(n, most)| (1..=most).contains(n));
    let shown = |[x, y, z]: [u32; 3]| format!("{x} x {y} x {z}");
    if !within(block, MOST_BLOCK) || threads > u64::from(most) {
        let most_each = shown(MOST_BLOCK);
        return Some(format!("a block of {} threads: at most {most} are possible, and {most_each}", shown(block)));
    }
    let is_possible = within(grid, MOST_GRID);
    (!is_possible).then(|| format!("a grid of {} blocks: at most {} are possible", shown(grid), shown(MOST_GRID)))
}
