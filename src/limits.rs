//! When a simulation that does not come to its end is given up.

use sim::gpu::{Gpu, PATIENCE};
use sim::number::whole_u64;

#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Limits {
    /// End in this core cycle, counted over all launches, if the end has not come before [default: no limit]
    #[arg(long, value_name = "CYCLES", value_parser = positive)]
    max_cycles: Option<u64>,
    /// Give up after so many core cycles in which nothing was new, neither in memory nor in registers (see docs/workloads.md)
    #[arg(long, default_value_t = PATIENCE, value_name = "CYCLES", value_parser = whole_u64)]
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

fn positive(text: &str) -> Result<u64, String> {
    match whole_u64(text) {
        Ok(0) => Err("must be 1 or more".into()),
        value => value.map_err(|error| error.to_string()),
    }
}
