//! Faults are seen. An output that is wrong in one of the last cycles of a unit ends the run, up to the cycle after its last clock
//! edge; and so do inputs that break a rule, in any build. The implementation under test is a second behavioural model,
//! with a wrong bit, in place of the RTL.

use sim::config::Config;
use sim::gpu::{Gpu, RunError};
use sim::unit::{words, Fault, Interface, Pin, Pins, Unit};
use sim::units::gw::{self, B32FrontEnd, GwFrontEnd};
use sim::units::hwwl::{self, Hwwl};
use sim::units::iru::{self, Iru};
use sim::units::prim;
use sim::workload::{self, Input, WorkloadError};
use std::fs;
use std::ops::Range;
use std::path::Path;
use testbench::in_gpu::{AnyUnit, Handle, NotEqual, SystemUnit};
use testbench::input_log::InputLog;
use testbench::lockstep::{Follower, Lockstep, UnderTest};
use testbench::trace::Subject;
use testbench::trailing::{Group, Trail};

/// A unit whose first output that means something in every cycle has a wrong bit in one cycle.
struct Flipped<U> {
    unit: U,
    inputs: Vec<Pin>,
    cycle: u64,
    /// `u64::MAX`: in none.
    wrong: u64,
    word: usize,
    words: Vec<u64>,
}

impl<U: Unit> Flipped<U> {
    fn new(unit: U, wrong: u64) -> Self {
        let Interface { inputs, outputs: pins } = unit.interface();
        let place = pins.iter().position(|pin| pin.valid_if.is_empty()).expect("an unconditional output");
        let (word, words) = (words(&pins[..place]), vec![0; words(&pins)]);
        let mut flipped = Flipped { unit, inputs, cycle: 0, wrong, word, words };
        flipped.store();
        flipped
    }

    fn store(&mut self) {
        self.unit.outputs().store(&mut self.words);
        self.words[self.word] ^= u64::from(self.cycle == self.wrong);
    }

    fn next_cycle(&mut self) {
        self.cycle += 1;
        self.store();
    }
}

impl<U: Unit> Unit for Flipped<U> {
    type In = U::In;
    type Out = U::Out;

    fn interface(&self) -> Interface {
        self.unit.interface()
    }
    fn outputs(&self) -> U::Out {
        self.unit.outputs()
    }
    fn clock(&mut self, pins: &U::In) -> Result<(), Fault> {
        self.unit.clock(pins)?;
        self.next_cycle();
        Ok(())
    }
    fn reset(&mut self) {
        self.unit.reset();
        self.next_cycle();
    }
}

impl<U: Unit> UnderTest for Flipped<U> {
    fn output_words(&self) -> &[u64] {
        &self.words
    }
    fn step(&mut self, reset: bool, inputs: &[u64]) {
        if reset {
            return self.reset();
        }
        let mut pins = U::In::for_pins(&self.inputs);
        pins.load(inputs);
        self.clock(&pins).unwrap();
    }
    fn waveform(&self, _: &mut InputLog, _: Range<u64>, _: u64, _: &Path) -> testbench::Result<()> {
        Ok(())
    }
}

/// Two implementations of a unit, of which the second is wrong in cycle `wrong`.
fn pair<U: Unit + Clone>(unit: &U, name: &str, wrong: u64, directory: &Path) -> Lockstep<U, Follower<Flipped<U>>> {
    let subject = Subject { unit: name.into(), module: name.into(), parameters: vec![], seed: 1 };
    Lockstep::new(unit.clone(), Flipped::new(unit.clone(), wrong), subject, directory)
}

/// Lock-step as in the GPU: the second implementation follows later, as a further member of `group`.
fn trailing<U: Unit + Clone + Send + 'static>(
    unit: &U,
    name: &str,
    wrong: u64,
    directory: &Path,
    group: &Group,
) -> Lockstep<U, Trail> {
    let subject = Subject { unit: name.into(), module: name.into(), parameters: vec![], seed: 1 };
    Lockstep::trailing(unit.clone(), Flipped::new(unit.clone(), wrong), subject, directory, group)
}

/// A GPU with its units, the `place`th of which is wrong in cycle `wrong`.
type Make = fn(place: usize, wrong: u64, directory: &Path) -> (Gpu, Handle);

fn config(preset: &str, changes: &[&str]) -> Config {
    let mut config = Config::preset(preset).unwrap();
    config.set_all(changes).unwrap();
    config
}

fn with_worklist(_: usize, wrong: u64, directory: &Path) -> (Gpu, Handle) {
    let config = config("hwwl-micro14", &["core.count=2", "hwwl.lanes=4"]);
    let parameters = config.hwwl.as_ref().unwrap().parameters(config.core.count);
    let group = Group::default();
    let unit = trailing(&Hwwl::new(&parameters).unwrap(), "hwwl", wrong, directory, &group);
    (Gpu::new(&config, vec![Hwwl::system(&config, vec![Box::new(unit)])]), Handle::of(group))
}

fn with_reorder_units(_: usize, wrong: u64, directory: &Path) -> (Gpu, Handle) {
    let config = config("iru-gtx980", &["core.count=2", "iru.sets=16"]);
    let group = Group::default();
    let model = Iru::new(&config.iru.as_ref().unwrap().parameters(&config)).unwrap();
    let unit = trailing(&model, "iru", wrong, directory, &group);
    (Gpu::new(&config, vec![Iru::system(&config, vec![Box::new(unit)])]), Handle::of(group))
}

fn with_front_ends(place: usize, wrong: u64, directory: &Path) -> (Gpu, Handle) {
    let config = config("gw-fermi-gw8", &["core.count=2", "core.schedulers=2", "core.max_warps=64"]);
    let model = GwFrontEnd::new(&config.gw.as_ref().unwrap().parameters(&config)).unwrap();
    let wrong = |core| if core == place { wrong } else { u64::MAX };
    let group = Group::default();
    let unit = |core| Box::new(trailing(&model, "gw_front_end", wrong(core), directory, &group)) as AnyUnit<GwFrontEnd>;
    let units = (0..2).map(unit).collect();
    (Gpu::new(&config, vec![GwFrontEnd::system(&config, units)]), Handle::of(group))
}

const LAST: u64 = 40;

/// Runs the workload with each of the units wrong in each of its last cycles.
fn assert_seen_to_the_end(name: &str, variant: &str, make: Make) {
    let directory = tempfile::tempdir().unwrap();
    let graph = sim::graph::open("gen:grid:1x3").unwrap();
    let input = Input::Graph { graph: &graph, source: 0 };
    let run = |place, wrong| {
        let (mut gpu, handle) = make(place, wrong, directory.path());
        let outcome = workload::find(name).unwrap().run(&mut gpu, input, variant.parse().unwrap(), &mut |_| {});
        (outcome.map(|_| ()), handle)
    };
    let (outcome, right) = run(0, u64::MAX);
    outcome.unwrap();
    assert_eq!(right.check(), Ok(()));
    for (place, cycles) in right.cycles_of_units().into_iter().enumerate() {
        assert!(cycles > LAST, "{name}: unit {place} was clocked in {cycles} cycles only");
        assert!(run(place, cycles).0.is_ok(), "there is no cycle {cycles}");
        for wrong in cycles - LAST..cycles {
            let what = format!("{name} {variant}, unit {place}, cycle {wrong} of {cycles}");
            let (outcome, handle) = run(place, wrong);
            let Err(WorkloadError::Run(RunError::Unit { text, .. })) = &outcome else { panic!("{what}: {outcome:?}") };
            assert!(text.contains(&format!("cycle {wrong}: pin ")), "{what}: {text}");
            assert_eq!(handle.difference().map(|difference| difference.cycle), Some(wrong), "{what}");
            let check = handle.check();
            assert!(matches!(check, Err(NotEqual::Fault(fault)) if text.ends_with(&fault)), "{what}");
        }
    }
}

#[test]
fn of_the_worklist() {
    assert_seen_to_the_end("bfs", "hwwl", with_worklist);
    assert_seen_to_the_end("bfs", "hwwl-single", with_worklist);
}

#[test]
fn of_the_reorder_units() {
    assert_seen_to_the_end("bfs", "iru", with_reorder_units);
}

/// In the last launch, which is of another kernel than the one before, one of the cores has no CTA.
#[test]
fn of_the_front_ends() {
    assert_seen_to_the_end("bc", "topo", with_front_ends);
}

#[test]
fn a_lock_step_that_compared_nothing_is_not_equality() {
    assert_eq!(Handle::default().check(), Err(NotEqual::NothingCompared));
}

/// Inputs by the names of their pins; others are low.
fn inputs<U: Unit>(unit: &U, set: &[(&str, u64)]) -> U::In {
    let pins = unit.interface().inputs;
    let mut all = vec![0; words(&pins)];
    for (name, value) in set {
        let place = pins.iter().position(|pin| pin.name == *name).unwrap_or_else(|| panic!("no input {name}"));
        all[words(&pins[..place])] = *value;
    }
    let mut inputs = U::In::for_pins(&pins);
    inputs.load(&all);
    inputs
}

/// After the legal cycles the next one breaks the rule. The lock-step says so once, leaves its trace, and compares no more.
fn assert_refused<U: Unit + Clone>(unit: U, legal: &[&[(&str, u64)]], illegal: &[(&str, u64)], rule: &str) {
    let directory = tempfile::tempdir().unwrap();
    let mut lockstep = pair(&unit, "unit", u64::MAX, directory.path());
    legal.iter().for_each(|pins| lockstep.clock(&inputs(&unit, pins)).unwrap());
    let clocked = lockstep.clock(&inputs(&unit, illegal));
    let fault = lockstep.fault().unwrap_or_else(|| panic!("{rule}: not seen"));
    assert_eq!(clocked, Err(fault.clone().into()));
    let start = format!("unit, cycle {}: inputs break a rule: {rule}; waveform ", legal.len());
    assert!(fault.starts_with(&start), "{fault}");
    let trace = directory.path().join("unit-1.trace");
    assert!(fault.ends_with(trace.to_str().unwrap()), "{fault}");
    assert!(fs::metadata(trace).unwrap().len() > 0);
    let compared = lockstep.follower.tally().comparisons();
    assert_eq!(lockstep.clock(&inputs(&unit, &[])), clocked);
    assert_eq!((lockstep.fault(), lockstep.follower.tally().comparisons()), (Some(fault), compared));
    assert_eq!(lockstep.follower.tally().difference(), None);
}

#[test]
fn rules_of_the_worklist_units_hold_in_any_build() {
    let parameters = hwwl::Parameters { lanes: 4, cores: 2, ..Default::default() };
    let bank = || hwwl::Bank::new(32, 4).unwrap();
    assert_refused(bank(), &[&[("push", 1)]], &[("pull", 1), ("push", 1)], "bank: pull and push together");
    let rule = "bank: swap together with pull, push, reserve or unreserve";
    assert_refused(bank(), &[], &[("swap", 1), ("push", 1)], rule);
    assert_refused(bank(), &[], &[("unreserve", 1)], "bank: a reserved fill or unreserve, but nothing is reserved");
    // Four times eight entries are all.
    let reserve: &[(&str, u64)] = &[("reserve", 1)];
    assert_refused(bank(), &[reserve; 4], reserve, "bank: reserve without free entries");
    let hvu = || hwwl::Hvu::new(&parameters).unwrap();
    assert_refused(hvu(), &[], &[("swap", 1)], "hvu: swap while the pull side or the holding register has IDs");
    assert_refused(hvu(), &[], &[("line_valid", 1)], "hvu: a line with a tag that is not under way");
    let core = || hwwl::HwwlCore::new(&parameters).unwrap();
    assert_refused(core(), &[&[]], &[("pull", 1), ("push", 2)], "hwwl_core: pull and push together");
    assert_refused(core(), &[], &[("leave", 1)], "hwwl_core: leave without an ID");
    let rule = "hwwl_core: kernel_end together with pull, push or leave";
    assert_refused(core(), &[], &[("kernel_end", 1), ("pull", 1)], rule);
    let sorting = hwwl::WruSorting::new(&parameters).unwrap();
    assert_refused(sorting, &[], &[("wru_valid", 1)], "wru_sorting: wru_valid without a pop");
    let system = Hwwl::new(&parameters).unwrap();
    assert_refused(system, &[], &[("pull_0", 1), ("push_0", 1)], "hwwl_core: pull and push together");
}

#[test]
fn rules_of_the_reorder_units_hold_in_any_build() {
    let parameters = iru::Parameters { partitions: 2, sets: 8, ..Default::default() };
    let memory = prim::Sram1r1w::new(16, 16).unwrap();
    let both = [("read", 1), ("write", 1), ("read_addr", 3), ("write_addr", 3)];
    assert_refused(memory, &[], &both, "sram_1r1w: word 3 is read in the cycle in which it is written");
    assert_refused(prim::Queue::new(16, 16).unwrap(), &[], &[("take", 1)], "queue: take without a head");
    let prefetcher = || iru::Prefetcher::new(&parameters).unwrap();
    let start: &[(&str, u64)] = &[("start", 1), ("count", 64)];
    assert_refused(prefetcher(), &[start, &[]], start, "prefetcher: start before it is done");
    assert_refused(prefetcher(), &[], &[("data_valid", 1)], "prefetcher: a sector for slot 0, which is free");
    let rest: Vec<&[(&str, u64)]> = vec![&[]; 16];
    let under_way = [&rest[..], &[start], &rest[..]].concat();
    assert_refused(Iru::new(&parameters).unwrap(), &under_way, start, "iru: start before the job before has ended");
}

#[test]
fn rules_of_the_front_end_units_hold_in_any_build() {
    let parameters =
        gw::Parameters { schedulers: 1, warps: 16, wave: 4, swst: 2, sets: 4, ways: 2, ..Default::default() };
    let front_end = || GwFrontEnd::new(&parameters).unwrap();
    assert_refused(front_end(), &[], &[("wake_0", 1)], "gw_front_end: wake of a place that has not halted");
    let start = [("start_0", 1)];
    assert_refused(front_end(), &[&start], &start, "gw_front_end: start of a place that is not free");
    let answer = [("answer_even_0", 1)];
    let text = "front_end: an answer to a place that does not wait for one";
    assert_refused(front_end(), &[&start], &answer, &format!("gw_{text}"));
    let b32 = B32FrontEnd::new(&gw::B32Parameters { schedulers: 1, warps: 4, lowest: false }).unwrap();
    assert_refused(b32, &[&start], &[("answer_valid_0", 1)], &format!("b32_{text}"));
    let done = [("done_even_1_0", 1), ("done_pair_1_0", 2), ("done_even_slot_1_0", 5)];
    assert_refused(front_end(), &[], &done, "gw_front_end: slot 5 of place 4 is done and not in use");
    let done = [("done_wave_0", 1), ("done_swid_0", 1)];
    assert_refused(front_end(), &[], &done, "gw_front_end: wave 1 is done and was not issued");
    let fill = [("fill_valid", 1), ("fill_entry", 3)];
    assert_refused(front_end(), &[], &fill, "gw_front_end: a fill of 3, which is not pending");
}

/// No model checks a rule in some builds only.
#[test]
fn no_rule_depends_on_the_build() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim/src/units")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("debug_assert"), "{}: a rule that release builds do not check", path.display());
        }
    }
    assert!(files > 50, "{files} files");
}
