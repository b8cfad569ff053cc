//! A GPU with the kernels of the microbenchmarks, and what all of them need of it.

use crate::config::Config;
use crate::gpu::{Gpu, Launch};
use crate::kernels::MICROBENCH;
use crate::ptx::program::Program;
use crate::ptx::Module;
use crate::workload::{Params, Result};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Threads of a CTA of a kernel that all cores run.
pub const BLOCK: u32 = 256;
/// Steps between two looks of a kernel at the count: the number of steps is a multiple of it.
pub const UNROLL: u32 = 16;

pub struct Bench {
    gpu: Gpu,
    module: Module,
}

impl Bench {
    /// `kernels`: their PTX.
    pub fn new(config: &Config, interrupt: Arc<AtomicBool>, kernels: &str) -> Result<Self> {
        let mut gpu = Gpu::new(config, Vec::new());
        gpu.set_interrupt(interrupt);
        Ok(Bench { gpu, module: Module::parse(MICROBENCH.name, kernels)? })
    }

    pub fn config(&self) -> &Config {
        self.gpu.config()
    }

    pub fn kernel(&self, name: &str) -> Result<Program> {
        Ok(self.module.kernel(name)?)
    }

    /// An empty buffer of so many words.
    pub fn alloc(&mut self, words: u32) -> u64 {
        self.gpu.memory_mut().alloc(4 * u64::from(words))
    }

    pub fn write(&mut self, address: u64, words: &[u32]) -> Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(self.gpu.copy_to_device(address, &bytes)?)
    }

    pub fn upload(&mut self, words: &[u32]) -> Result<u64> {
        let address = self.alloc(words.len() as u32);
        self.write(address, words)?;
        Ok(address)
    }

    pub fn read(&self, address: u64, words: u32) -> Result<Vec<u32>> {
        Ok(self.gpu.memory().read_u32s(address, words as usize)?)
    }

    /// Core cycles of a launch.
    pub fn launch(&mut self, program: &Program, ctas: u32, threads: u32, params: Params) -> Result<u64> {
        let launch = Launch { grid: [ctas, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, params: params.bytes() };
        Ok(self.gpu.launch(program, &launch)?.cycles)
    }

    /// CTAs of [`BLOCK`] threads that all cores hold at once, each with so many bytes of shared memory.
    pub fn resident_ctas(&self, shared: u32) -> u32 {
        let Config { core, shared: memory, .. } = self.config();
        let by_threads = core.max_warps * core.warp_size / BLOCK as usize;
        let by_memory = if shared == 0 { usize::MAX } else { (memory.bytes / shared) as usize };
        (core.count * by_threads.min(core.max_ctas).min(by_memory).max(1)) as u32
    }

    pub fn l1_bytes(&self) -> u64 {
        l1_bytes(self.config())
    }

    pub fn l2_bytes(&self) -> u64 {
        l2_bytes(self.config())
    }

    /// Leaves nothing in the L2 of what was copied before.
    pub fn flush_l2(&mut self) -> Result<()> {
        let words = vec![0; self.l2_bytes() as usize / 2];
        self.upload(&words).map(drop)
    }

    /// Core cycles to cycles of the L2.
    pub fn l2_cycles(&self, cycles: f64) -> f64 {
        cycles * self.config().l2.clock_mhz as f64 / self.config().core.clock_mhz as f64
    }
}

/// Bytes of the L1 of a core.
pub fn l1_bytes(config: &Config) -> u64 {
    let l1d = &config.l1d;
    (l1d.sets * l1d.ways) as u64 * l1d.line_bytes
}

/// Bytes of the L2, all slices together.
pub fn l2_bytes(config: &Config) -> u64 {
    let Config { l2, dram, .. } = config;
    (dram.channels * l2.slices_per_channel * l2.sets * l2.ways) as u64 * l2.line_bytes
}

/// Core cycles of a step: `run` does so many of them and gives the cycles. It is called three times, first so that the code is in
/// the instruction cache, and with as many steps as the second time, so that both leave the same in the others.
pub fn cycles_a_step(steps: u32, mut run: impl FnMut(u32) -> Result<u64>) -> Result<f64> {
    run(steps)?;
    let (once, twice) = (run(steps)?, run(2 * steps)?);
    Ok((twice as f64 - once as f64) / f64::from(steps))
}
