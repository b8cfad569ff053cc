//! RTL and model of the units of HWWL in lock-step, and RTL that is broken on purpose. Here are the instances whose RTL
//! builds in a few seconds, for as many cycles as every coverage point needs; all of them, for long, are in
//! `make campaign`.

use crate::common::units::{assert_caught, assert_equal, changed};
use sim::attach::hwwl::WorklistStats;
use sim::config::Config;
use sim::gpu::{Gpu, RunError};
use sim::units::hwwl::pins::{HwwlIn, HwwlOut};
use sim::units::hwwl::{Hwwl, Parameters, Refill, Scheme};
use sim::workload::{self, Input, Variant, WorkloadError};
use std::path::Path;
use testbench::by_name::cosim;
use testbench::cosim::CosimReport;
use testbench::in_gpu::{AnyUnit, Choice, Handle, Implementation};
use testbench::lockstep::Evidence;
use testbench::stimulus::hwwl::HwwlStimulus;
use testbench::stimulus::Stimulus;

fn run(unit: &str, parameters: &[(&str, u64)], cycles: u64, seed: u64) -> CosimReport {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, seed, directory.path(), &mut |_| {}).unwrap();
    assert_eq!((&report.difference, &report.violation), (&None, &None));
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons > cycles);
    report
}

/// The instances of `unit` that ship, for which `holds`, are equal to their models, and the stimulus hit every coverage
/// point.
fn assert_shipped_are_equal(unit: &str, cycles: u64, holds: impl Fn(&dyn Fn(&str) -> u64) -> bool) {
    let instances = hdl::catalog::catalog().into_iter().filter(|instance| instance.unit == unit);
    let mut chosen = instances.filter(|instance| holds(&|name| instance.parameter(name).unwrap_or(0))).peekable();
    assert!(chosen.peek().is_some(), "no {unit} like that");
    chosen.for_each(|instance| assert_equal(unit, &instance.parameters, cycles));
}

/// At most 16 lanes, and banks that are filled in the time that a test has.
fn is_small(parameter: &dyn Fn(&str) -> u64) -> bool {
    parameter("entries") <= 128 && parameter("lanes") <= 16
}

fn is_narrow(parameter: &dyn Fn(&str) -> u64) -> bool {
    parameter("lanes") == 4
}

/// Half of the narrow ones: each of these schemes refills on demand, and each of the others at intervals.
fn is_half(parameter: &dyn Fn(&str) -> u64, on_demand: [u64; 2]) -> bool {
    is_narrow(parameter) && (parameter("refill") == 1) == on_demand.contains(&parameter("scheme"))
}

macro_rules! shipped {
    ($($unit:ident: $cycles:literal, $holds:expr;)+) => {
        $(#[test]
        fn $unit() {
            assert_shipped_are_equal(stringify!($unit), $cycles, $holds);
        })+
    };
}

shipped! {
    bank: 500_000, is_small;
    wru_threshold: 200_000, is_small;
    wru_sorting: 200_000, is_small;
    wru_serial: 200_000, is_small;
    wru_global: 100_000, is_narrow;
    hvu: 200_000, is_small;
    hvu_bins: 1_200_000, is_narrow;
    icrn: 50_000, |_| true;
    hwwl_core: 300_000, |parameter| is_half(parameter, [2, 3]);
    hwwl: 300_000, |parameter| is_half(parameter, [0, 1]);
}

#[test]
fn a_run_that_is_too_short_to_prove_something_says_what_it_missed() {
    let failure = run("icrn", &[("cores", 2)], 20, 1).failure().expect("20 cycles are too few");
    assert!(failure.starts_with("icrn_c2: never happened in 20 cycles: "), "{failure}");
    assert!(failure.contains("all_done falls") && failure.contains("more cycles"), "{failure}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (one, two) = (run("bank", &[], 100_000, 9), run("bank", &[], 100_000, 9));
    assert_eq!((one.comparisons, one.coverage), (two.comparisons, two.coverage));
    assert_ne!(run("bank", &[], 100_000, 10).comparisons, one.comparisons);
}

const NARROW: &[(&str, u64)] = &[("lanes", 4), ("entries", 32)];

#[test]
fn an_off_by_one_pointer_or_capacity_is_caught() {
    assert_caught(
        "bank",
        &[],
        "tail_d[i*5 +: 5] = next_tail[i*5 +: 5];",
        "tail_d[i*5 +: 5] = next_tail[i*5 +: 5] + 5'd1;",
    );
    assert_caught("bank", &[], "HALF_ENTRIES = 6'd16", "HALF_ENTRIES = 6'd15");
}

/// Faults of the memory, the counts and the choice of the bin.
#[test]
fn a_fault_in_the_bins_is_caught() {
    let narrow = &[("lanes", 4)];
    assert_caught("hvu_bins", narrow, "bin_of_moving = moving_id[13:8]", "bin_of_moving = moving_id[12:7]");
    assert_caught("hvu_bins", narrow, "id_leaves_bin_q <= id_pops", "id_leaves_bin_q <= id_pops & ~bin_closes");
}

#[test]
fn a_swapped_comparator_is_caught() {
    assert_caught("hwwl_core", NARROW, "less_8(y, x) ?", "less_8(x, y) ?");
}

/// The end would be seen while an ID is in a link, and a cycle of the sides before would count after an exchange.
#[test]
fn an_end_that_comes_too_early_is_caught() {
    let far = [("cores", 2), ("lanes", 4), ("link", 2)];
    assert_caught("hwwl", &far, "hub_quiet = quiet & {2{clear_q}};", "hub_quiet = quiet & {2{clear_q | quiet[0]}};");
    assert_caught("hwwl", &far, "outdated_d = changed ? 3'd4 :", "outdated_d = changed ? 3'd3 :");
}

/// The RTL of `unit` with one place changed breaks a rule that no pin of the unit shows: the line of the violation.
fn assert_violates(unit: &str, parameters: &[(&str, u64)], from: &str, to: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let report = changed(unit, parameters, from, to).run(1_000_000, 1, directory.path(), &mut |_| {}).unwrap();
    assert_eq!((report.mismatches, &report.difference), (0, &None));
    report.violation.unwrap_or_else(|| panic!("{unit}: not caught: `{to}` for `{from}`"))
}

/// An assertion in a bank sees what no pin of the core shows.
#[test]
fn a_rule_that_is_broken_inside_is_a_violation() {
    let (from, to) =
        (".wru_push       (wru_sorting_push[i]),", ".wru_push       (wru_sorting_push[i] | wru_sorting_pop[i]),");
    let violation = assert_violates("hwwl_core", NARROW, from, to);
    let rule = "pins of the RTL break a rule: hwwl_core_l4_e32_lsorting_bank: wru_pop and wru_push together; waveform ";
    assert!(violation.contains(rule), "{violation}");
}

#[test]
fn a_dropped_reset_is_caught() {
    assert_caught("bank", &[], "            head_q[0*5 +: 5] <= 5'd0;\n", "");
    assert_caught("wru_threshold", NARROW, "            below_first_q <= 3'd0;\n", "");
    for unit in ["wru_sorting", "hwwl_core"] {
        assert_caught(unit, NARROW, "            rotation_q <= 2'd0;\n", "");
    }
}

#[test]
fn a_reset_that_loses_against_an_input_is_caught() {
    let tail = "            tail_q[0*5 +: 5] <= 5'd0;\n";
    assert_caught("bank", &[], tail, &tail.replace("tail_q", "if (~push) tail_q"));
    assert_caught("icrn", &[], "            held <= 7'd0;\n", "            if (~(|out_valid)) held <= 7'd0;\n");
    let lines = "            ring_lines_q <= 16'd0;\n";
    assert_caught("hvu", &[("lanes", 4)], lines, &lines.replace("ring_lines_q", "if (~init) ring_lines_q"));
}

/// Faults of numbers that only large rings reach.
#[test]
fn numbers_of_lines_that_are_cut_short_are_caught() {
    let narrow = &[("lanes", 4)];
    let tail = "(tail_moves[0] ? moved_place :";
    assert_caught("hvu", narrow, tail, "(tail_moves[0] ? {8'd0, moved_place[7:0]} :");
    let lines = "lines_d = init ? init_lines :";
    assert_caught("hvu", narrow, lines, "lines_d = init ? {5'd0, init_lines[10:0]} :");
}

/// The number of lines is left from before the reset until the next `init`.
#[test]
fn lines_that_outlive_a_reset_are_caught() {
    let lines = "\n            lines_q <= 16'd0;\n";
    assert_caught("hvu", &[("lanes", 4)], lines, &lines.replace("lines_q", "if (~init) lines_q"));
}

/// Straight after the edge, where pins are compared, the inputs are still the old ones: this violation hides there.
#[test]
fn an_output_that_follows_an_input_is_a_violation() {
    let (from, to) = ("assign pull_valid = pull_done_q;", "assign pull_valid = pull_done_q & ~push;");
    let violation = assert_violates("bank", &[], from, to);
    let rule = "pins of the RTL break a rule: output pull_valid follows an input within a cycle; waveform ";
    assert!(violation.contains(rule), "{violation}");
}

const SYSTEM: Parameters = Parameters {
    cores: 2,
    lanes: 4,
    entries: 32,
    threshold: 5,
    interval: 10,
    scheme: Scheme::LocalSorting,
    refill: Refill::Interval,
    refill_interval: 10,
    bins: 0,
    link: 0,
};

/// The outputs of the worklist in `cycles` cycles of random stimulus.
fn outputs(worklist: &mut AnyUnit<Hwwl>, parameters: &Parameters, cycles: u64) -> Vec<HwwlOut> {
    let mut stimulus = HwwlStimulus::new(parameters, 5);
    let mut pins = HwwlIn::new(parameters.cores);
    let mut outputs = Vec::new();
    for _ in 0..cycles {
        let now = worklist.outputs();
        if stimulus.next(&now, &mut pins) {
            worklist.reset();
        } else {
            worklist.clock(&pins).unwrap();
        }
        outputs.push(now);
    }
    assert_eq!(stimulus.violation(), None);
    outputs
}

/// The worklist of a GPU.
fn worklist(
    implementation: Implementation,
    parameters: &Parameters,
    directory: &Path,
) -> testbench::Result<(AnyUnit<Hwwl>, Handle)> {
    let (mut units, handle) = Choice::new(implementation, directory).of_parameters::<Hwwl>(parameters, 1)?;
    Ok((units.remove(0), handle))
}

#[test]
fn the_gpu_sees_the_same_from_every_implementation() {
    let directory = tempfile::tempdir().unwrap();
    let cycles = 20_000;
    for scheme in [Scheme::LocalSorting, Scheme::GlobalSorting] {
        let parameters = Parameters { scheme, ..SYSTEM };
        let run = |kind| {
            let (mut worklist, handle) = worklist(kind, &parameters, directory.path()).unwrap();
            let seen = outputs(&mut worklist, &parameters, cycles);
            assert_eq!(worklist.fault(), None);
            (seen, handle)
        };
        let (behavioural, none) = run(Implementation::Behavioural);
        let (lockstep, handle) = run(Implementation::Lockstep);
        let (rtl, _) = run(Implementation::Rtl);
        let visible = |outputs: &[HwwlOut]| outputs.iter().map(what_means_something).collect::<Vec<_>>();
        assert!(visible(&behavioural) == visible(&lockstep), "{scheme:?}");
        assert!(visible(&behavioural) == visible(&rtl), "{scheme:?}");
        assert_eq!((none.cycles(), none.comparisons(), none.mismatches()), (0, 0, 0));
        assert_eq!((handle.cycles(), handle.mismatches()), (cycles + 1, 0));
        assert!(handle.comparisons() > 4 * handle.cycles());
    }
}

/// Pins whose value means nothing are cleared: an implementation may show anything there.
fn what_means_something(pins: &HwwlOut) -> HwwlOut {
    let mut pins = pins.clone();
    for core in &mut pins.cores {
        let status = core.status;
        let ids = (0..).zip(&mut core.id).filter(|(lane, _)| *lane >= 32 || status >> (2 * lane) & 3 != 1);
        ids.for_each(|(_, id)| *id = 0);
        let memory = &mut core.memory;
        if !memory.mem_valid {
            (memory.mem_line, memory.mem_tag) = (0, 0);
        }
        if !memory.mem_write {
            (memory.mem_count, memory.mem_id) = (0, Default::default());
        }
    }
    pins
}

#[test]
fn parameters_without_rtl_are_an_error_that_says_what_there_is() {
    let parameters = Parameters { interval: 7, ..Default::default() };
    let directory = std::path::Path::new("out");
    for kind in [Implementation::Behavioural, Implementation::Lockstep] {
        let error = worklist(kind, &parameters, directory).err().unwrap().to_string();
        assert_eq!(error, "hwwl: interval = 7, but it must be even and from 10 to 65536");
    }
    let parameters = Parameters { entries: 64, ..SYSTEM };
    assert!(worklist(Implementation::Behavioural, &parameters, directory).is_ok());
    let error = worklist(Implementation::Rtl, &parameters, directory).err().unwrap().to_string();
    assert!(error.starts_with("hwwl: no RTL for cores = 2, lanes = 4, entries = 64"), "{error}");
    let error = cosim("bank", &[("entries", 33)], 1, 1, directory, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "bank: entries = 33, but it must be a power of two from 4 to 65536");
}

/// A GPU of the size of `parameters`, but for the worklist that of the paper.
fn gpu_config(parameters: &Parameters) -> Config {
    let mut config = Config::preset("hwwl-micro14").unwrap();
    let hwwl = config.hwwl.as_mut().unwrap();
    (hwwl.lanes, hwwl.entries) = (parameters.lanes, parameters.entries);
    (hwwl.scheme, hwwl.refill) = (parameters.scheme, parameters.refill);
    hwwl.link = parameters.link;
    config.set(&format!("core.count={}", parameters.cores)).unwrap();
    assert_eq!(config.hwwl.as_ref().unwrap().parameters(parameters.cores), *parameters);
    config
}

/// Breadth-first search with RTL and model in lock-step from the first launch to the last: every variant that uses the
/// worklist. An outcome is a verified one. The systems are some of those of the test `hwwl`.
fn assert_searches_are_equal(scheme: Scheme, refill: Refill) {
    assert_are_equal(&Parameters { scheme, refill, ..SYSTEM }, |variant| variant.name().starts_with("hwwl"));
}

fn assert_are_equal(parameters: &Parameters, takes: impl Fn(&Variant) -> bool) {
    let directory = tempfile::tempdir().unwrap();
    let graph = sim::graph::open("gen:uniform:2200").unwrap();
    let bfs = workload::find("bfs").unwrap();
    let config = gpu_config(parameters);
    let mut variants = bfs.variants_on(&config).filter(takes).peekable();
    assert!(variants.peek().is_some(), "{parameters:?}");
    for variant in variants {
        let choice = Choice::new(Implementation::Lockstep, directory.path());
        let (worklist, handle) = choice.attach::<Hwwl>(&config).unwrap();
        let mut gpu = Gpu::new(&config, vec![worklist]);
        let input = Input::Graph { graph: &graph, source: 0 };
        let what = format!("{} {parameters:?}", variant.name());
        let outcome = bfs.run(&mut gpu, input, variant, &mut |_| {}).unwrap_or_else(|error| panic!("{what}: {error}"));
        let total = |count: fn(&WorklistStats) -> u64| -> u64 {
            outcome.steps.iter().map(|step| count(&step.stats.of())).sum()
        };
        let cycles: u64 = outcome.steps.iter().map(|step| step.stats.cycles).sum();
        assert_eq!(handle.mismatches(), 0, "{what}");
        assert!(handle.cycles() >= cycles && handle.comparisons() > 10 * cycles, "{what}: every cycle");
        assert!(total(|w| w.ids_pulled) >= 1500, "{what}: most nodes are reached through the worklist");
        let (spilled, refills) = (total(|w| w.ids_spilled), total(|w| w.refill_loads));
        assert!(spilled > 0 && refills > 0, "{what}: {spilled} IDs spilled, {refills} refills");
    }
}

#[test]
fn searches_without_a_scheme_run_in_the_gpu_without_a_difference() {
    assert_searches_are_equal(Scheme::None, Refill::Demand);
}

#[test]
fn searches_with_a_threshold_run_in_the_gpu_without_a_difference() {
    assert_searches_are_equal(Scheme::Threshold, Refill::Demand);
}

#[test]
fn searches_with_local_sorting_run_in_the_gpu_without_a_difference() {
    assert_searches_are_equal(Scheme::LocalSorting, Refill::Interval);
}

#[test]
fn searches_with_global_sorting_run_in_the_gpu_without_a_difference() {
    assert_searches_are_equal(Scheme::GlobalSorting, Refill::Interval);
}

#[test]
fn a_search_over_links_runs_in_the_gpu_without_a_difference() {
    assert_are_equal(&Parameters { link: 2, ..SYSTEM }, |variant| *variant == Variant::Hwwl);
}

/// The RTL of one core's bank is broken: the worklist that the GPU gets says so, with cycle, pin, values and files, and goes
/// on with the model.
#[test]
fn broken_rtl_of_the_system_is_a_fault() {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = ("tail_d[i*5 +: 5] = next_tail[i*5 +: 5];", "tail_d[i*5 +: 5] = next_tail[i*5 +: 5] + 5'd1;");
    let broken = |verilog: String| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    };
    let config = gpu_config(&SYSTEM);
    let choice = Choice::new(Implementation::Lockstep, directory.path()).changed(&broken);
    let (worklist, handle) = choice.attach::<Hwwl>(&config).unwrap();
    let graph = sim::graph::open("gen:uniform:500").unwrap();
    let input = Input::Graph { graph: &graph, source: 0 };
    let mut gpu = Gpu::new(&config, vec![worklist]);
    let bfs = workload::find("bfs").unwrap();
    let error = bfs.run(&mut gpu, input, Variant::Hwwl, &mut |_| {}).unwrap_err();
    let WorkloadError::Run(RunError::Unit { text, .. }) = &error else { panic!("{error}") };
    let difference = handle.difference().expect("the lock-step remembers it");
    assert_eq!(text, &difference.to_string());
    assert_eq!(handle.mismatches(), 1);
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    assert!(waveform.exists() && trace.exists());
}

/// The stimulus alone finds an implementation that loses an ID or gives it twice, without another one to compare with.
#[test]
fn stimulus_finds_an_id_that_comes_out_twice() {
    let (mut worklist, _) = worklist(Implementation::Behavioural, &SYSTEM, std::path::Path::new("out")).unwrap();
    let mut stimulus = HwwlStimulus::new(&SYSTEM, 5);
    let mut pins = HwwlIn::new(SYSTEM.cores);
    let mut first = None;
    for _ in 0..20_000 {
        let mut now = worklist.outputs();
        for core in &mut now.cores {
            if core.status(0) == 1 {
                core.id[0] = *first.get_or_insert(core.id[0]);
            }
        }
        if stimulus.next(&now, &mut pins) {
            worklist.reset();
        } else {
            worklist.clock(&pins).unwrap();
        }
    }
    let violation = stimulus.violation().expect("every ID comes out once");
    assert!(violation.contains("is pulled, but it is not inside"), "{violation}");
}
