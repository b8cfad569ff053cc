//! When a simulation that does not come to its end is given up.

use sim::gpu::{Gpu, PATIENCE};

#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Limits {
    /// End in this core cycle, counted over all launches, if the end has not come before [default: no limit]
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u64).range(1..))]
    max_cycles: Option<u64>,
    /// Give up after so many core cycles in which nothing was new, neither in memory nor in registers (see docs/workloads.md)
    #[arg(long, default_value_t = PATIENCE, value_name = "CYCLES")]
    patience: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_cycles: None, patience: PATIENCE }
    }
}

impl Limits {
    pub fn set(self, gpu: &mut Gpu) {
        gpu.set_patience(self.patience);
        if let Some(cycles) = self.max_cycles {
            gpu.set_max_cycles(cycles);
        }
    }
}
