//! RTL and model of the worklist units in lock-step, and RTL that is broken on purpose.

use sim::config::Config;
use sim::gpu::{Gpu, RunError};
use sim::units::hwwl::pins::{CoreIn, CoreOut};
use sim::units::hwwl::Parameters;
use sim::workload::{self, Input, Variant, WorkloadError};
use std::fs;
use testbench::cosim::{cosim, replay, Cosim, CosimReport};
use testbench::in_gpu::{hwwl_units, hwwl_units_with_changed_verilog, Kind, Worklist};
use testbench::lockstep::Evidence;
use testbench::traffic::{CoreTraffic, Traffic};

fn run(unit: &str, parameters: &[(&str, u64)], cycles: u64, seed: u64) -> CosimReport {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, seed, directory.path(), &mut |_| {}).unwrap();
    if let Some(difference) = &report.difference {
        panic!("{difference}");
    }
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons > cycles);
    report
}

/// All instances of `unit` that ship are equal to their models, and every event of the unit's traffic happened. Banks of
/// many entries are not filled in the time that a test has: there an event may be missing.
fn assert_shipped_are_equal(unit: &str, cycles: u64) {
    let instances: Vec<_> = hdl::catalog::catalog().into_iter().filter(|instance| instance.unit == unit).collect();
    assert!(!instances.is_empty());
    for instance in instances {
        let report = run(unit, &instance.parameters, cycles, 1);
        let missed: Vec<_> = report.coverage.iter().filter(|(_, &count)| count == 0).map(|(event, _)| event).collect();
        let small = instance.parameter("entries").is_none_or(|entries| entries <= 128);
        assert!(missed.is_empty() || !small, "{} never saw: {missed:?}", report.module);
    }
}

#[test]
fn bank() {
    assert_shipped_are_equal("bank", 500_000);
}

#[test]
fn sorter() {
    assert_shipped_are_equal("sorter", 100_000);
    run("sorter", &[("cut", 1)], 50_000, 2);
}

#[test]
fn wru_sorting() {
    assert_shipped_are_equal("wru_sorting", 200_000);
}

#[test]
fn hwwl_core() {
    assert_shipped_are_equal("hwwl_core", 200_000);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (one, two) = (run("bank", &[], 100_000, 9), run("bank", &[], 100_000, 9));
    assert_eq!((one.comparisons, one.coverage), (two.comparisons, two.coverage));
    assert_ne!(run("bank", &[], 100_000, 10).comparisons, one.comparisons);
}

/// The RTL of `unit` with one place changed is caught; what is left behind leads to the same difference again, and to none
/// on the RTL as it should be.
fn assert_caught(unit: &str, from: &str, to: &str) {
    let directory = tempfile::tempdir().unwrap();
    let broken = Cosim::with_changed_verilog(unit, &[], |verilog| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    });
    let broken = broken.unwrap();
    let report = broken.run(1_000_000, 1, directory.path(), &mut |_| {}).unwrap();
    let difference = report.difference.unwrap_or_else(|| panic!("{unit}: not caught: `{to}` for `{from}`"));
    assert_eq!(report.mismatches, 1);
    assert_ne!(difference.model, difference.rtl);
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    let line = difference.to_string();
    let cycle = format!("cycle {}", difference.cycle);
    let files = [waveform.to_str().unwrap(), trace.to_str().unwrap()];
    for text in [unit, &cycle, &difference.pin, &difference.model, &difference.rtl, files[0], files[1]] {
        assert!(line.contains(text), "{line}");
    }
    assert!(fs::metadata(waveform).unwrap().len() > 1000);

    let again = broken.replay(trace, &directory.path().join("again")).unwrap().expect("the same difference");
    assert_eq!(
        (again.cycle, again.pin, again.model, again.rtl),
        (difference.cycle, difference.pin, difference.model, difference.rtl)
    );
    assert_eq!(replay(trace, directory.path()).unwrap(), None);
}

#[test]
fn an_off_by_one_pointer_is_caught() {
    assert_caught("bank", "tail_1_d = next_pointer;", "tail_1_d = next_pointer + 5'd1;");
}

#[test]
fn an_off_by_one_capacity_is_caught() {
    assert_caught("bank", "HALF_ENTRIES = 6'd16", "HALF_ENTRIES = 6'd15");
}

#[test]
fn a_swapped_comparator_is_caught() {
    let (from, to) = ("swap0_0_1 = in_item_1 < in_item_0", "swap0_0_1 = in_item_0 < in_item_1");
    assert_caught("sorter", from, to);
    assert_caught("hwwl_core", from, to);
}

#[test]
fn a_dropped_reset_is_caught() {
    assert_caught("bank", "            head_0_q <= 5'd0;\n", "");
    assert_caught("wru_sorting", "            rotation_q <= 4'd0;\n", "");
    assert_caught("hwwl_core", "            rotation_q <= 4'd0;\n", "");
}

/// The outputs of one worklist in `cycles` cycles of random traffic.
fn outputs(worklist: &mut Worklist, parameters: &Parameters, seed: u64, cycles: u64) -> Vec<CoreOut> {
    let mut traffic = CoreTraffic::new(parameters, seed);
    let mut pins = CoreIn::default();
    let mut outputs = Vec::new();
    for _ in 0..cycles {
        let now = worklist.outputs();
        if traffic.next(&now, &mut pins) {
            worklist.reset();
        } else {
            worklist.clock(&pins);
        }
        outputs.push(now);
    }
    outputs
}

#[test]
fn the_gpu_sees_the_same_from_every_kind_of_body() {
    let directory = tempfile::tempdir().unwrap();
    let parameters = Parameters { lanes: 4, entries: 8, ..Default::default() };
    let (cycles, cores) = (20_000, 3);
    let run = |kind| {
        let (mut units, handle) = hwwl_units(kind, &parameters, cores, directory.path()).unwrap();
        assert_eq!(units.len(), cores);
        let seen: Vec<_> = (0..).zip(&mut units).map(|(seed, u)| outputs(u, &parameters, seed, cycles)).collect();
        assert!(units.iter().all(|unit| unit.fault().is_none()));
        (seen, handle)
    };
    let (behavioural, none) = run(Kind::Behavioural);
    let (lockstep, handle) = run(Kind::Lockstep);
    let (mut rtl, _) = run(Kind::Rtl);
    assert_eq!(behavioural, lockstep);
    // An ID means something only beside its status: elsewhere the RTL shows what it likes.
    for (model, rtl) in behavioural.iter().flatten().zip(rtl.iter_mut().flatten()) {
        (0..4).filter(|&lane| model.status(lane) != 1).for_each(|lane| rtl.id[lane] = model.id[lane]);
        assert_eq!(model, rtl);
    }
    assert_eq!((none.cycles(), none.comparisons(), none.mismatches()), (0, 0, 0));
    assert_eq!((handle.cycles(), handle.mismatches()), (cores as u64 * (cycles + 1), 0));
    assert!(handle.comparisons() > 4 * handle.cycles());
}

#[test]
fn parameters_without_rtl_are_an_error_that_says_what_there_is() {
    let parameters = Parameters { interval: 7, ..Default::default() };
    for kind in [Kind::Behavioural, Kind::Lockstep] {
        let error = hwwl_units(kind, &parameters, 1, std::path::Path::new("out")).err().unwrap().to_string();
        assert_eq!(error, "hwwl_core: interval is 7; it must be even and from 10 to 65536");
    }
    let error = cosim("bank", &[("entries", 33)], 1, 1, std::path::Path::new("out"), &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "bank: entries = 33, but it must be a power of two from 4 to 65536");
}

/// A whole kernel on the GPU ends at the first difference, which names core, pin, values and files.
#[test]
fn broken_rtl_inside_the_gpu_ends_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::preset("hwwl-micro14").unwrap();
    config.set("hwwl.entries=128").unwrap();
    let parameters = Parameters { entries: 128, ..Parameters::default() };
    let (from, to) = ("tail_1_d = next_pointer;", "tail_1_d = next_pointer + 7'd1;");
    let broken = |verilog: String| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    };
    let cores = config.core.count;
    let (units, handle) =
        hwwl_units_with_changed_verilog(Kind::Lockstep, &parameters, cores, directory.path(), broken).unwrap();
    let graph = sim::graph::open("gen:uniform:500").unwrap();
    let bfs = workload::find("bfs").unwrap();
    let input = Input::Graph { graph: &graph, source: 0 };
    let error = bfs.run(&mut Gpu::new(&config, units), input, Variant::Hwwl, &mut |_| {}).unwrap_err();
    let WorkloadError::Run(RunError::Unit { text, .. }) = &error else { panic!("{error}") };
    let difference = handle.differences().next().expect("the lock-step remembers it");
    assert_eq!(text, &difference.to_string());
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    assert!(waveform.exists() && trace.exists());
}
