//! Units that are also written by hand: each does what the behavioural model of its unit does.

use std::path::{Path, PathBuf};
use testbench::cosim::Cosim;
use testbench::verilate::Verilator;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("hand/{name}.v"))
}

fn assert_equal(unit: &str, parameters: &[(&str, u64)], files: &[&str], top: &str, cycles: u64) {
    let files: Vec<_> = files.iter().map(|name| file(name)).collect();
    let directory = tempfile::tempdir().unwrap();
    let cosim = Cosim::with_user_verilog(&Verilator::find().unwrap(), unit, parameters, &files, Some(top)).unwrap();
    let report = cosim.run(cycles, 1, directory.path(), &mut |_| {}).unwrap();
    assert_eq!((report.failure(), report.mismatches), (None, 0));
}

#[test]
fn fp32_add_does_what_the_model_does() {
    assert_equal("fp32_add", &[], &["fp32_add"], "hand_fp32_add", 2_000_000);
}

#[test]
fn bank_does_what_the_model_does() {
    assert_equal("bank", &[("entries", 32)], &["bank"], "hand_bank", 500_000);
}

#[test]
fn sorter_does_what_the_model_does() {
    assert_equal("sorter", &[], &["sorter"], "hand_sorter", 100_000);
}

#[test]
fn round_robin_scheduler_does_what_the_model_does() {
    assert_equal("round_robin_scheduler", &[("warps", 24)], &["round_robin"], "hand_round_robin", 300_000);
}
