//! The options of the hardware units in the GPU, of every command that simulates one GPU.

use crate::{implementations, user_unit};
use sim::number::whole_u64;
use std::path::PathBuf;
use testbench::in_gpu::Implementation;

#[derive(clap::Args)]
pub struct HardwareOptions {
    /// Which implementation of the hardware units runs in the GPU
    #[arg(long, value_parser = implementations::parser(), default_value = "behavioural")]
    pub units: Implementation,
    /// Seed of the values that registers and memories of the RTL have before reset
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole_u64)]
    pub seed: u64,
    /// Add a system of another crate to the GPU, see `unruly list extensions`; may be repeated
    #[arg(long, value_name = "NAME")]
    pub attach: Vec<String>,
    #[command(flatten)]
    pub user_unit: user_unit::UnitOptions,
    /// Where a waveform and an input trace go if model and RTL differ
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub evidence: PathBuf,
}
