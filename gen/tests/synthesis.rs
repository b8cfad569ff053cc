//! Area and timing of small blocks, against bounds that follow from what they must contain.

use crate::common::{elaborate, Lanes, Reg};
use gen::fo4;
use gen::liberty::Liberty;
use gen::order::{Orders, ORDERS};
use gen::report::Units;
use gen::synth::{self, Mapped};
use gen::timing::{critical_path, CriticalPath};
use gen::tool::Tools;
use gen::{Design, Error};
use rust_hdl::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// ns, of the default library.
const FO4: f64 = 0.1;

fn cost(design: gen::Result<Design>, library: &Liberty) -> (synth::Logic, CriticalPath) {
    let design = design.unwrap();
    let directory = || tempfile::tempdir().unwrap();
    let parts = synth::parts(&design);
    let map = |part: &synth::Part| {
        let cells = part.cells(directory().path(), &Tools::default()).unwrap();
        part.map(&cells, 0, synth::Effort::Area, library, directory().path(), &Tools::default()).unwrap()
    };
    let mapped: Vec<Mapped> = parts.iter().map(map).collect();
    let by_name: BTreeMap<&str, &Mapped> = parts.iter().map(|p| p.top.module.as_str()).zip(&mapped).collect();
    let netlist: String = mapped.iter().map(|m| m.netlist.as_str()).collect();
    let logic = synth::sum(&design, library, &by_name).unwrap();
    (logic, critical_path(&design, library, FO4, &netlist, directory().path(), &Tools::default()).unwrap())
}

fn library() -> Liberty {
    Liberty::read(None).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn lanes_have_their_flip_flops_and_no_memory_bit_among_them() {
    let library = library();
    let (logic, path) = cost(elaborate::<Lanes>("lanes_4"), &library);
    // Four lanes, two pointers of four bits each.
    assert_eq!(logic.flip_flops, 4 * 2 * 4);
    let flip_flop = library.cells["DFFPOSX1"].area;
    // A pointer bit cannot do without its flip-flop, and has less than 30 NAND2 of increment, reset and compare.
    assert!(logic.area > 32.0 * flip_flop, "{}", logic.area);
    assert!(logic.area < 32.0 * (flip_flop + 30.0 * library.nand2), "{}", logic.area);
    let by_cells: f64 = logic.cells.iter().map(|(name, n)| library.cells[name].area * *n as f64).sum();
    assert_eq!(by_cells, logic.area);

    // A word takes 20 FO4 to come out, and goes to a neighbour's flip-flop, which has a set-up time.
    assert!(path.from.contains("/ram/rdata[") && path.to.starts_with("out["), "{path:?}");
    assert!(path.ns > 20.0 * FO4 && path.ns < 26.0 * FO4, "{path:?}");
}

/// A library of 180 nm: half a picosecond a nanometre is 0.09 ns at the slow corner, a fifth more or less.
#[test]
fn an_fo4_is_that_of_the_process() {
    let fo4 = fo4::measure(&library(), &Tools::default()).unwrap();
    assert!((0.072..0.108).contains(&fo4), "{fo4}");
}

/// A library of picoseconds and femtofarads. Its inverter takes 10 ps and 1 ps a fF, and its input weighs 1 fF: 14 ps over four of them.
/// A smaller one, which tools may not use, and wires by default are slower.
#[test]
fn an_fo4_is_of_a_usable_inverter_without_wires() {
    let timing = |slow: f64| {
        let table = |name| format!("{name} (by_load) {{ values (\"{}, {}\"); }} ", 10.0 * slow, 1010.0 * slow);
        ["cell_rise", "cell_fall", "rise_transition", "fall_transition"].map(table).concat()
    };
    let input = |pin| format!("pin ({pin}) {{ direction : input; capacitance : 1; }}");
    let inverter = |name, area, more, slow| {
        format!(
            "  cell ({name}) {{ area : {area}; {more} {} pin (Y) {{ direction : output; function : \"!A\"; \
             timing () {{ related_pin : \"A\"; timing_sense : negative_unate; {} }} }} }}\n",
            input("A"),
            timing(slow)
        )
    };
    let nand = format!(
        "  cell (NAND2) {{ area : 3; {} {} pin (Y) {{ direction : output; function : \"!(A B)\"; }} }}\n",
        input("A"),
        input("B")
    );
    let thresholds = |percent: u32, names: &[&str]| -> String {
        let edges =
            names.iter().flat_map(|name| ["rise", "fall"].map(|edge| format!("  {name}_pct_{edge} : {percent};\n")));
        edges.collect()
    };
    let text = [
        "library (tiny) {\n  delay_model : table_lookup;\n  time_unit : \"1ps\";\n  capacitive_load_unit (1, ff);\n",
        &thresholds(50, &["input_threshold", "output_threshold"]),
        &thresholds(30, &["slew_lower_threshold"]),
        &thresholds(70, &["slew_upper_threshold"]),
        "  lu_table_template (by_load) { variable_1 : total_output_net_capacitance; index_1 (\"0, 1000\"); }\n",
        "  wire_load (\"wires\") { capacitance : 1; resistance : 0.001; slope : 1; fanout_length (1, 50); }\n",
        "  default_wire_load : \"wires\";\n",
        &inverter("SMALL", 1, "dont_use : true;", 5.0),
        &inverter("INV", 2, "", 1.0),
        &nand,
        "}\n",
    ]
    .concat();
    let file = tempfile::NamedTempFile::new().unwrap();
    let fo4 = |text: &str| {
        std::fs::write(file.path(), text).unwrap();
        fo4::measure(&Liberty::read(Some(file.path())).unwrap(), &Tools::default())
    };
    assert_eq!(fo4(&text).unwrap(), 0.014);
    let error = fo4(&text.replace("delay_model : table_lookup;", "")).unwrap_err().to_string();
    assert!(error.contains("OpenSTA finds no delay of INV: it reads tables"), "{error}");
}

#[derive(LogicBlock, Default)]
struct Adder<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub a: Signal<In, Bits<W>>,
    pub sum: Signal<Out, Bits<W>>,
    total: Reg<W>,
}

impl<const W: usize> Logic for Adder<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.total.clock.next = self.clock.val();
        self.total.reset.next = self.reset.val();
        self.total.d.next = self.total.q.val() + self.a.val();
        self.sum.next = self.total.q.val();
    }
}

#[test]
fn a_wider_adder_is_larger_and_slower() {
    let library = library();
    let (narrow, fast) = cost(elaborate::<Adder<8>>("adder_8"), &library);
    let (wide, slow) = cost(elaborate::<Adder<32>>("adder_32"), &library);
    assert_eq!((narrow.flip_flops, wide.flip_flops), (8, 32));
    assert!(wide.area > 3.5 * narrow.area && wide.area < 8.0 * narrow.area, "{} {}", wide.area, narrow.area);
    // The carry passes 31 bits instead of 7: slower even with look-ahead.
    assert!(slow.ns > 1.2 * fast.ns, "{slow:?} {fast:?}");
}

#[test]
fn equal_children_are_mapped_once() {
    let design = elaborate::<Lanes>("lanes_4").unwrap();
    let parts: Vec<String> = synth::parts(&design).iter().map(|p| p.top.module.clone()).collect();
    assert_eq!(parts, ["sram_1rw_16x8", "lanes_4_lane", "lanes_4"]);
    let adder = elaborate::<Adder<8>>("adder_8").unwrap();
    assert_eq!(synth::parts(&adder).len(), 1);
}

#[test]
fn a_memory_that_yosys_does_not_infer_is_an_error() {
    let mut design = elaborate::<Lanes>("lanes_4").unwrap();
    let ram = &mut design.modules[0];
    ram.memories.push(ram.memories[0].clone());
    let directory = tempfile::tempdir().unwrap();
    let error = synth::parts(&design)[0].cells(directory.path(), &Tools::default()).unwrap_err();
    assert_eq!(error.to_string(), "yosys failed on sram_1rw_16x8: 2 memories in the module, but 1 were inferred");
}

#[test]
fn a_second_report_is_the_same_and_instant() {
    let (library, directory) = (library(), tempfile::tempdir().unwrap());
    let bank = hdl::catalog::find("bank", &[("entries", 4)]).unwrap();
    let units = Units::elaborate(&[bank], &[]).unwrap();
    let never = AtomicBool::new(false);
    let report = || gen::report::cost(&units, Orders::All, &library, directory.path(), &never, &|_, _, _| ()).unwrap();
    assert_eq!(gen::report::kept(&units, Orders::All, &library, directory.path()).unwrap(), [None]);
    let first = report();
    assert_eq!(gen::report::kept(&units, Orders::All, &library, directory.path()).unwrap(), [Some(first[0].clone())]);
    assert_eq!(first[0].sram.bits, 4 * 24);
    // Other gates of the same logic: no path is twice another.
    let delays = || first[0].paths.iter().map(|path| path.ns);
    assert_eq!(first[0].paths.len(), ORDERS);
    assert!(delays().fold(0.0, f64::max) < 2.0 * delays().fold(f64::INFINITY, f64::min), "{:?}", first[0].paths);
    // Two FIFOs of two pointers of two bits and a count of three, and more.
    assert!(first[0].flip_flops >= 2 * (2 * 2 + 3) && first[0].gate_equivalents > 0.0);
    let start = std::time::Instant::now();
    assert_eq!(report(), first);
    assert!(start.elapsed().as_millis() < 500, "{:?}", start.elapsed());
}

#[test]
fn a_liberty_file_that_is_not_there_is_an_error() {
    let error = Liberty::read(Some(Path::new("no/such.lib"))).unwrap_err();
    assert!(matches!(error, Error::Liberty { .. }) && !error.is_missing_tool(), "{error}");
    assert!(error.to_string().starts_with("Liberty file no/such.lib: "), "{error}");
}
