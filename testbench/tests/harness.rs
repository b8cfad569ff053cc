//! The harness itself, on a small Verilog fixture.

use crate::common::wide_fifo::{interface, Entry, Fifo, FifoIn, FifoOut, VERILOG};
use sim::unit::{Interface, Pin, Unit};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use testbench::bridge::{Instance, Model};
use testbench::lockstep::{Evidence, Follower, Lockstep, WAVEFORM_CYCLES};
use testbench::rtl::Rtl;
use testbench::stimulus::Rng;
use testbench::trace::{Subject, Trace};
use testbench::user_verilog::UserVerilog;
use testbench::verilate::Verilator;
use testbench::watch::Watch;
use testbench::Error;

fn load(verilog: &str) -> testbench::Result<Arc<Model>> {
    Model::load(&Verilator::find()?, "wide_fifo", verilog, &interface())
}

/// The fixture with exactly one place changed.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(VERILOG.matches(from).count(), 1, "{from}");
    VERILOG.replace(from, to)
}

fn random_inputs(rng: &mut Rng) -> FifoIn {
    let bits = rng.draw();
    let wide = (u128::from(rng.draw()) << 64 | u128::from(rng.draw())) >> 28;
    let entry = Entry { tag: bits as u16, stamp: bits >> 24, wide };
    FifoIn { push: rng.below(2) == 0, pop: rng.below(2) == 0, entry }
}

/// Lock-step of the model and `verilog` under random stimulus with resets, `cycles` long at most.
fn lockstep(verilog: &str, seed: u64, cycles: u64, directory: &Path) -> Lockstep<Fifo, Follower<Rtl<FifoIn, FifoOut>>> {
    let subject = Subject { unit: "wide_fifo".into(), module: "wide_fifo".into(), parameters: vec![], seed };
    let rtl = Rtl::new(&load(verilog).unwrap(), seed);
    let mut lockstep = Lockstep::new(Fifo::default(), rtl, subject, directory);
    let mut rng = Rng::new(seed);
    for _ in 0..cycles {
        if !lockstep.follower.is_healthy() {
            break;
        }
        if rng.one_in(500) {
            lockstep.reset();
        } else if lockstep.clock(&random_inputs(&mut rng)).is_err() {
            break;
        }
    }
    lockstep
}

#[test]
fn ports_of_every_size_are_reached_in_place() {
    let mut fifo = Instance::new(&load(VERILOG).unwrap(), 1);
    let (reset, push, pop) = (fifo.input::<u8>("reset"), fifo.input::<u8>("push"), fifo.input::<u8>("pop"));
    let (reset, push, pop) = (reset.unwrap(), push.unwrap(), pop.unwrap());
    let (tag, stamp) = (fifo.input::<u16>("tag").unwrap(), fifo.input::<u64>("stamp").unwrap());
    let wide = fifo.wide_input("wide").unwrap();
    fifo.set(reset, 1);
    fifo.clock();
    fifo.set(reset, 0);
    fifo.set(push, 1);
    fifo.set(tag, 0xbeef);
    fifo.set(stamp, u64::MAX);
    fifo.bits_mut(wide).fill(false);
    fifo.bits_mut(wide).set(99, true);
    fifo.bits_mut(wide).set(3, true);
    fifo.clock();
    fifo.set(push, 0);
    fifo.set(pop, 0xff);
    fifo.clock();
    fifo.eval();
    assert_eq!(fifo.get(fifo.output::<u8>("valid").unwrap()), 1);
    assert_eq!(fifo.get(fifo.output::<u8>("count").unwrap()), 0);
    assert_eq!(fifo.get(fifo.output::<u16>("tag_out").unwrap()), 0xbeef);
    assert_eq!(fifo.get(fifo.output::<u64>("stamp_out").unwrap()), (1 << 40) - 1, "cut to the port's width");
    let wide_out = fifo.bits(fifo.wide_output("wide_out").unwrap());
    assert_eq!((wide_out.len(), wide_out.iter_ones().collect::<Vec<_>>()), (100, vec![3, 99]));
}

/// A signal that depends on itself where `push` and `pop` meet. The model says so in the lock-step, and by itself.
#[test]
fn a_model_that_does_not_settle_says_so() {
    let lint_off = "/* verilator lint_off UNOPTFLAT */ wire do_pop = !(push && do_pop) && pop &&";
    let looping = changed("wire do_pop = pop &&", lint_off);
    let reason = "it does not settle within a cycle: a signal depends on itself";
    let directory = tempfile::tempdir().unwrap();
    let fault = lockstep(&looping, 1, 1000, directory.path()).fault().unwrap();
    assert!(fault.contains(&format!(": pins of the RTL break a rule: {reason}; waveform ")), "{fault}");

    let fault_alone = |verilog: &str| {
        let mut rtl = Rtl::<FifoIn, FifoOut>::new(&load(verilog).unwrap(), 1);
        rtl.clock(&FifoIn { push: true, pop: true, ..FifoIn::default() })
    };
    assert_eq!(fault_alone(VERILOG), Ok(()));
    assert_eq!(fault_alone(&looping).unwrap_err().to_string(), reason);
}

#[test]
#[should_panic(expected = "a port of another model")]
fn a_port_of_another_model_is_refused() {
    let [one, mut other] = [(); 2].map(|()| Instance::new(&load(VERILOG).unwrap(), 1));
    other.set(one.input::<u8>("push").unwrap(), 1);
}

#[test]
fn a_port_of_another_name_or_size_is_refused() {
    let fifo = Instance::new(&load(VERILOG).unwrap(), 1);
    let error = |result: Option<Error>| result.unwrap().to_string();
    assert_eq!(error(fifo.input::<u8>("tag").err()), "wide_fifo: no input port tag of 1 to 8 bits");
    assert_eq!(error(fifo.output::<u8>("push").err()), "wide_fifo: no output port push of 1 to 8 bits");
    assert_eq!(error(fifo.wide_output("stamp_out").err()), "wide_fifo: no output port stamp_out of more than 64 bits");
}

#[test]
fn model_and_fixture_agree_on_every_pin() {
    let directory = tempfile::tempdir().unwrap();
    let lockstep = lockstep(VERILOG, 5, 20_000, directory.path());
    assert_eq!(lockstep.fault(), None);
    let tally = lockstep.follower.tally();
    assert_eq!(tally.cycles(), 20_001, "the cycle after the first reset counts");
    // Two pins always, three more while `valid` is high: in about half of the cycles.
    let conditional = tally.comparisons() - 2 * tally.cycles();
    assert_eq!(conditional % 3, 0);
    assert!((20_000..40_000).contains(&conditional), "{conditional}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_difference_names_cycle_pin_and_values_and_leaves_waveform_and_trace() {
    let directory = tempfile::tempdir().unwrap();
    let broken = changed("tail <= tail + 2'd1", "tail <= tail + (wide[99] & wide[98] & wide[97] ? 2'd2 : 2'd1)");
    let first = lockstep(&broken, 7, 20_000, directory.path());
    let difference = first.follower.tally().difference().expect("the pointer skips an entry").clone();
    assert!(["tag_out", "stamp_out", "wide_out"].contains(&difference.pin.as_str()));
    assert_ne!(difference.model, difference.rtl);
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    for text in [&difference.pin, &difference.model, &difference.rtl, &format!("cycle {}", difference.cycle)] {
        assert!(first.fault().unwrap().contains(text.as_str()), "{difference}");
    }
    assert!(first.fault().unwrap().contains(trace.to_str().unwrap()));

    // An FST file starts with its first and last time, at bytes 9 and 17.
    let bytes = fs::read(waveform).unwrap();
    let time = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(time(9), 2 * difference.cycle.saturating_sub(WAVEFORM_CYCLES));
    assert_eq!(time(17), 2 * difference.cycle - 1);

    // The trace, replayed on a fresh model and RTL, ends in the same difference.
    let mut trace = Trace::read(trace, &interface()).unwrap();
    let rtl = Rtl::<FifoIn, FifoOut>::new(&load(&broken).unwrap(), trace.subject.seed);
    let again_directory = tempfile::tempdir().unwrap();
    let mut again = Lockstep::new(Fifo::default(), rtl, trace.subject.clone(), again_directory.path());
    trace
        .log
        .replay(|reset, inputs, length| {
            let mut pins = FifoIn::default();
            sim::unit::Pins::load(&mut pins, inputs);
            (0..length).for_each(|_| if reset { again.reset() } else { drop(again.clock(&pins)) });
            std::io::Result::Ok(())
        })
        .unwrap();
    let again = again.follower.tally().difference().expect("the same difference").clone();
    assert_eq!(
        (again.cycle, again.pin, again.model, again.rtl),
        (difference.cycle, difference.pin, difference.model, difference.rtl)
    );
}

#[test]
fn the_library_with_waveforms_runs_as_the_one_without() {
    let model = load(VERILOG).unwrap();
    let (mut plain, mut drawn) = (Instance::new(&model, 3), Instance::with_waveform(&model, 3).unwrap());
    let file = tempfile::NamedTempFile::new().unwrap();
    drawn.open_waveform(file.path()).unwrap();
    let mut rng = Rng::new(3);
    let (mut outputs, mut of_drawn) = ([0; 6], [0; 6]);
    for cycle in 0..1000 {
        let inputs: [u64; 6] = std::array::from_fn(|_| rng.draw());
        // There is no reset before: the state is what the seed has filled.
        let reset = cycle > 100 && rng.one_in(100);
        plain.step(reset, &inputs, &mut outputs);
        drawn.step_waveform(reset, &inputs, &mut of_drawn, cycle);
        assert_eq!(outputs, of_drawn, "cycle {cycle}");
    }
}

#[test]
fn a_register_that_reset_forgets_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let broken = changed("            held <= 3'd0;\n", "");
    let found = (1..=8).filter(|&seed| !lockstep(&broken, seed, 10, directory.path()).follower.is_healthy()).count();
    assert!(found >= 6, "the state before reset is random: {found} of 8");
}

#[test]
fn after_a_difference_the_model_goes_on_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut lockstep = lockstep(&changed("held + 3'd1", "held + 3'd2"), 1, 100, directory.path());
    let cycles = lockstep.follower.tally().cycles();
    assert!(!lockstep.follower.is_healthy());
    lockstep.reset();
    assert!(lockstep.clock(&FifoIn { push: true, ..Default::default() }).is_err());
    assert_eq!(lockstep.outputs().count, 1);
    assert_eq!(lockstep.follower.tally().cycles(), cycles);
}

#[test]
fn evidence_that_cannot_be_written_is_said_in_the_fault() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let lockstep = lockstep(&changed("held + 3'd1", "held + 3'd2"), 1, 100, &file.join("below"));
    let fault = lockstep.fault().unwrap();
    assert!(fault.contains("no waveform or trace") && fault.contains(file.to_str().unwrap()), "{fault}");
}

#[test]
fn a_warning_is_an_error_with_verilators_text() {
    let error = load(&changed("held <= 3'd0;", "held <= 4'd0;")).err().unwrap().to_string();
    assert!(error.starts_with("wide_fifo: Verilator does not take the Verilog:"), "{error}");
    assert!(error.contains("WIDTH") && error.contains("wide_fifo.v:37"), "{error}");
}

/// The value may be one that no instance uses: the model says it when it starts.
#[test]
fn a_memory_without_its_file_is_an_error_where_a_parameter_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let verilog =
        "module rom(input clock, input reset, input a, output reg [7:0] y);\n    reg [7:0] words [0:1];\n    \
        parameter FILE = \"no.hex\"; initial $readmemh(FILE, words);\n    always @(posedge clock) y <= words[a];\nendmodule\n";
    fs::write(folder.path().join("rom.v"), verilog).unwrap();
    let own = UserVerilog::unit(&[folder.path().join("rom.v")], "rom").unwrap();
    let pins = Interface { inputs: vec![Pin::new("a", 1)], outputs: vec![Pin::new("y", 8)] };
    let error = Model::load(&Verilator::find().unwrap().in_haste(), "rom", &own, &pins).err().unwrap();
    let text = "rom: a memory is read from no.hex, and there is no such file beside the Verilog";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn ports_that_are_not_the_pins_are_named() {
    let mut pins = interface();
    pins.inputs[2] = Pin::new("tag", 17);
    let error = Model::load(&Verilator::find().unwrap(), "wide_fifo", VERILOG, &pins).err().unwrap();
    assert_eq!(
        error.to_string(),
        "wide_fifo: ports and pins differ: no input tag of 17 bits, unexpected input tag of 16 bits"
    );
}

#[test]
fn a_model_is_built_once() {
    let verilator = Verilator::find().unwrap();
    let build = || verilator.build("wide_fifo", VERILOG, &interface()).unwrap();
    let library = build();
    let made = || fs::metadata(&library).unwrap().modified().unwrap();
    let first = made();
    assert_eq!(build(), library);
    assert_eq!(made(), first);
}

/// A cache that trusts `model.so` runs the model of another unit, or none.
#[test]
fn a_model_that_was_changed_on_disk_is_built_again() {
    let verilator = Verilator::find().unwrap();
    let build = |verilog: &str| verilator.build("wide_fifo", verilog, &interface()).unwrap();
    // Text that no other test has: the entry is changed while nobody uses it.
    let broken = changed("held + 3'd1", "held + 3'd2") + "// The entry of this text is damaged.\n";
    let (library, other) = (build(&broken), build(VERILOG));
    for damaged in [fs::read(other).unwrap(), fs::read(&library).unwrap()[..1000].to_vec()] {
        fs::write(&library, &damaged).unwrap();
        assert_eq!(build(&broken), library);
        assert_ne!(fs::read(&library).unwrap(), damaged);
    }
    let directory = tempfile::tempdir().unwrap();
    assert!(lockstep(&broken, 1, 100, directory.path()).fault().is_some(), "it is the model of this text");
}

#[test]
fn an_interruption_ends_a_build_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let (interrupt, lines) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let (flag, heard) = (interrupt.clone(), lines.clone());
    let hear = move |line: &str| {
        heard.lock().unwrap().push(line.to_string());
        flag.store(line.contains("C++"), Ordering::Relaxed);
    };
    let cache = directory.path().join("cache");
    let verilator = Verilator::with_cache(cache.clone()).unwrap().watched_by(Watch::new(hear, interrupt));
    let error = verilator.build("wide_fifo", VERILOG, &interface()).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    assert_eq!(lines.lock().unwrap()[0], "building Verilator's runtime: C++ compiler, 0 s");
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
    let is_ours = |line: &[u8]| String::from_utf8_lossy(line).contains(cache.to_str().unwrap());
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    assert_eq!(processes.filter(|line| is_ours(line)).count(), 0, "no compiler goes on");
}
