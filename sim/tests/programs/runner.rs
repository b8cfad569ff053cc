//! A GPU with a module of kernels.

use sim::attach::{models, Uses};
use sim::config::Config;
use sim::gpu::{Gpu, Launch, RunError};
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::stats::LaunchStats;

/// Presets that the tests run on: warps of 32 lanes, and warps of 8 that issue in pairs.
pub const PRESETS: [&str; 2] = ["hwwl-micro14", "gw-fermi-gw8"];

/// A GPU and the module whose kernels it runs.
pub struct Machine {
    pub gpu: Gpu,
    pub module: Module,
}

impl Machine {
    pub fn new(preset: &str, text: &str) -> Self {
        let config = Config::preset(preset).unwrap();
        let module = Module::parse("t.ptx", text).unwrap_or_else(|e| panic!("{e}"));
        let mut gpu = Gpu::new(&config, models(&config, Uses::all()).unwrap());
        gpu.memory_mut().place_statics(module.statics());
        gpu.set_check_scalars(true);
        Machine { gpu, module }
    }

    /// Launches a kernel with parameters of 8 bytes each, of which it takes what its own have.
    pub fn launch(&mut self, kernel: &str, grid: u32, block: u32, params: &[u64]) -> Result<LaunchStats, RunError> {
        let (program, launch) = self.prepared(kernel, grid, block, params);
        self.gpu.launch(&program, &launch)
    }

    /// Program and launch of [`Machine::launch`], not launched.
    pub fn prepared(&self, kernel: &str, grid: u32, block: u32, params: &[u64]) -> (Program, Launch) {
        let program = self.module.kernel(kernel).unwrap_or_else(|e| panic!("{e}"));
        let mut bytes = vec![0; program.param_bytes as usize];
        for (param, value) in program.params.iter().zip(params) {
            let (at, size) = (param.offset as usize, param.bytes as usize);
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        (program, Launch { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, params: bytes })
    }

    /// Launches a kernel `k(out, params...)` of one thread per word, and gives the words.
    pub fn words(&mut self, kernel: &str, grid: u32, block: u32, params: &[u64]) -> Vec<u32> {
        let count = (grid * block) as usize;
        let out = self.gpu.memory_mut().alloc(4 * count as u64);
        let all: Vec<_> = [out].into_iter().chain(params.iter().copied()).collect();
        self.launch(kernel, grid, block, &all).unwrap_or_else(|e| panic!("{e}"));
        self.gpu.memory().read_u32s(out, count).unwrap()
    }

    pub fn printed(&mut self) -> String {
        String::from_utf8(self.gpu.memory_mut().output.take().text).unwrap()
    }
}
