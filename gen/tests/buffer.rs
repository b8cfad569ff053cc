//! Buffer trees: same function, lighter nets, nothing where nothing is heavy.

use crate::common;
use gen::buffer::{self, FAN_OUT};
use gen::liberty::Liberty;
use gen::synth::{self, Mapped};
use gen::tool::Tools;
use gen::{timing, Design};
use rust_hdl::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::process::Command;

/// A register that chooses for each of `W` bits, and an SRAM word that goes to as many.
#[derive(LogicBlock, Default)]
struct Chooser<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub choice: Signal<In, Bits<1>>,
    pub a: Signal<In, Bits<W>>,
    pub b: Signal<In, Bits<W>>,
    pub addr: Signal<In, Bits<4>>,
    pub word: Signal<In, Bits<8>>,
    pub out: Signal<Out, Bits<W>>,
    pub mixed: Signal<Out, Bits<W>>,
    chosen: common::Reg<1>,
    result: common::Reg<W>,
    ram: common::Ram,
}

impl<const W: usize> Logic for Chooser<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.clock.next = self.clock.val();
        self.chosen.reset.next = self.reset.val();
        self.result.clock.next = self.clock.val();
        self.result.reset.next = self.reset.val();
        self.ram.clock.next = self.clock.val();
        self.ram.en.next = true;
        self.ram.we.next = self.reset.val();
        self.ram.addr.next = self.addr.val();
        self.ram.wdata.next = self.word.val();
        self.chosen.d.next = self.choice.val();
        self.result.d.next = self.b.val();
        if self.chosen.q.val().get_bit(0) {
            self.result.d.next = self.a.val();
        }
        self.out.next = self.result.q.val();
        self.mixed.next = 0.into();
        if self.ram.rdata.val().get_bit(3) {
            self.mixed.next = self.b.val();
        }
    }
}

fn library() -> Liberty {
    Liberty::read(None).unwrap_or_else(|e| panic!("{e}"))
}

fn chooser<const W: usize>() -> Design {
    common::elaborate::<Chooser<W>>("chooser").unwrap()
}

fn mapped(design: &Design, library: &Liberty) -> BTreeMap<String, Mapped> {
    let directory = || tempfile::tempdir().unwrap();
    let map = |part: &synth::Part| {
        let cells = part.cells(directory().path(), &Tools::default()).unwrap();
        part.map(&cells, 0, synth::Effort::Area, library, directory().path(), &Tools::default()).unwrap()
    };
    synth::parts(design).iter().map(|part| (part.top.module.clone(), map(part))).collect()
}

/// Mapped parts before and after.
fn both(design: &Design, library: &Liberty) -> [BTreeMap<String, Mapped>; 2] {
    let before = mapped(design, library);
    let by_name = before.iter().map(|(name, part)| (name.as_str(), part)).collect();
    let after = buffer::buffered(design, library, &by_name).unwrap();
    let after = after.into_iter().map(|(name, part)| (name.to_string(), part)).collect();
    [before, after]
}

fn netlist(parts: &BTreeMap<String, Mapped>) -> String {
    parts.values().map(|p| p.netlist.as_str()).collect()
}

/// The loads of all nets but the clock, as Yosys and the Liberty file see the flat netlist.
fn loads(parts: &BTreeMap<String, Mapped>, memories: &str, top: &str, library: &Liberty) -> Vec<f64> {
    let script = format!(
        "read_verilog -lib m.v\nread_verilog n.v\nhierarchy -top {top}\nflatten\nopt_clean\nwrite_json n.json\n"
    );
    let json = yosys(&[("m.v", memories), ("n.v", &netlist(parts))], &script, Some("n.json")).unwrap();
    let module: serde_json::Value = serde_json::from_str(&json).unwrap();
    let module = &module["modules"][top];
    let mut loads: BTreeMap<u64, f64> = BTreeMap::new();
    for cell in module["cells"].as_object().unwrap().values() {
        let Some(pins) = library.cells.get(cell["type"].as_str().unwrap()).map(|c| &c.pins) else { continue };
        for (pin, bits) in cell["connections"].as_object().unwrap() {
            if let Some(net) = bits[0].as_u64() {
                *loads.entry(net).or_default() += pins[pin].capacitance;
            }
        }
    }
    loads.remove(&module["ports"]["clock"]["bits"][0].as_u64().unwrap());
    loads.into_values().collect()
}

/// Runs Yosys on files; what it wrote to `result`, or its complaint.
fn yosys(files: &[(&str, &str)], script: &str, result: Option<&str>) -> Result<String, String> {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files.iter().chain([&("s.ys", script)]) {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let run = Command::new("yosys").args(["-q", "s.ys"]).current_dir(directory.path()).output().unwrap();
    match run.status.success() {
        true => {
            Ok(result.map(|file| std::fs::read_to_string(directory.path().join(file)).unwrap()).unwrap_or_default())
        }
        false => Err(String::from_utf8_lossy(&run.stderr).into_owned() + &String::from_utf8_lossy(&run.stdout)),
    }
}

/// Proves by SAT that two netlists do the same; flip-flops and SRAMs are taken out, their pins become pins of the module.
fn proof(one: &str, other: &str, memories: &str, top: &str, library: &Liberty) -> Result<String, String> {
    let load = |file: &str, name: &str| {
        format!(
            "read_liberty -ignore_miss_func {}\nblackbox DFF*\nread_verilog -lib m.v\nread_verilog {file}\n\
             hierarchy -top {top}\nflatten\nopt_clean\nexpose -evert t:DFF* t:sram*\nrename {top} {name}\ndesign -stash {name}\n",
            library.path.display()
        )
    };
    let script = load("one.v", "gold")
        + &load("other.v", "gate")
        + "design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n\
           miter -equiv -flatten gold gate miter\nhierarchy -top miter\nsat -verify -prove trigger 0 miter\n";
    yosys(&[("m.v", memories), ("one.v", one), ("other.v", other)], &script, None)
}

/// The memories of a design as black boxes.
fn memories(design: &Design) -> String {
    design.modules.iter().filter(|m| m.is_memory()).map(|m| m.text.as_str()).collect()
}

#[test]
fn heavy_nets_get_trees_that_keep_every_load_below_the_limit() {
    let (design, library) = (chooser::<120>(), library());
    let [before, after] = both(&design, &library);
    let limit = FAN_OUT * library.nand2_load;
    let over = |parts| loads(parts, &memories(&design), "chooser", &library).into_iter().filter(|l| *l > limit).count();
    // The choosing register, the SRAM's bit 3, and the unit's reset.
    assert_eq!(over(&before), 3);
    assert_eq!(over(&after), 0);
    let [few, many] = [&before, &after].map(|parts| parts["chooser"].cells.get("BUFX2").copied().unwrap_or(0));
    // Three times 120 readers with at least a NAND2's load and less than two, 16 loads a buffer, and the buffers' own readers.
    assert!((many - few) >= 3 * 120 / 16 && (many - few) < 3 * 2 * 120 / 8, "{few} {many}");
    let [slow, fast] = [&before, &after].map(|parts| {
        let directory = tempfile::tempdir().unwrap();
        timing::critical_path(&design, &library, 0.1, &netlist(parts), directory.path(), &Tools::default()).unwrap().ns
    });
    // Both begin at the SRAM, whose access takes 2 ns.
    assert!(fast - 2.0 < 0.7 * (slow - 2.0), "{fast} {slow}");
}

#[test]
fn the_function_stays() {
    let (design, library) = (chooser::<40>(), library());
    let [before, after] = both(&design, &library);
    let [before, after] = [netlist(&before), netlist(&after)];
    assert_ne!(before, after);
    let proof = |other: &str| proof(&before, other, &memories(&design), "chooser", &library);
    proof(&after).unwrap();
    // The proof can fail: a buffer on a wrong net.
    let (source, net) = (".A(ram_rdata[3]),\n    .Y(_buffered_", ".A(ram_rdata[2]),\n    .Y(_buffered_");
    assert!(after.contains(source), "{after}");
    assert!(proof(&after.replacen(source, net, 1)).unwrap_err().contains("proof did fail"));
}

#[test]
fn small_fan_outs_stay_as_they_are_and_runs_are_equal() {
    let library = library();
    let [before, after] = both(&chooser::<4>(), &library);
    assert_eq!(before, after);
    let large = chooser::<60>();
    assert_eq!(both(&large, &library), both(&large, &library));
}

/// Results in docs/data/area.json follow from the trees: other trees need another version.
#[test]
fn the_trees_are_those_of_the_version() {
    let (design, library) = (chooser::<300>(), library());
    let nand = |i: usize| format!("  NAND2X1 gate_{i} (\n    .A(chosen),\n    .B(a[{i}]),\n    .Y(mixed[{i}])\n  );\n");
    let inverter = |i: usize| format!("  INVX1 next_{i} (\n    .A(mixed[{i}]),\n    .Y(out[{i}])\n  );\n");
    let netlist = "module chooser(clock, choice, a, out, mixed);\n  input clock;\n  wire clock;\n  input choice;\n  wire choice;\n  \
        input [299:0] a;\n  wire [299:0] a;\n  output [299:0] out;\n  wire [299:0] out;\n  wire [299:0] mixed;\n  wire chosen;\n  \
        DFFPOSX1 register (\n    .CLK(clock),\n    .D(choice),\n    .Q(chosen)\n  );\n";
    let gates: String = (0..300).map(nand).chain((0..300).step_by(3).map(inverter)).collect();
    let none = Mapped { cells: BTreeMap::new(), netlist: String::new() };
    let chooser = Mapped { netlist: format!("{netlist}{gates}endmodule\n"), ..none.clone() };
    let mapped = design.modules.iter().map(|m| (m.module.as_str(), if m.is_memory() { &none } else { &chooser }));
    let trees = &buffer::buffered(&design, &library, &mapped.collect()).unwrap()["chooser"];
    // Three hundred gates read one register; the buffer that drives other buffers is the stronger one.
    assert!(trees.cells["BUFX2"] >= 2 && trees.cells["BUFX4"] >= 1, "{:?}", trees.cells);
    let digest: String = Sha256::digest(&trees.netlist).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((buffer::VERSION, digest.as_str()), (5, "2933661107f9267c"), "{}", trees.netlist);
}

#[test]
fn a_library_without_buffer_leaves_nets_alone() {
    let (design, mut library) = (chooser::<60>(), library());
    let before = mapped(&design, &library);
    library.cells.retain(|_, cell| cell.as_buffer().is_none());
    let by_name = before.iter().map(|(name, part)| (name.as_str(), part)).collect();
    let after = buffer::buffered(&design, &library, &by_name).unwrap();
    assert!(after.iter().all(|(name, part)| before[*name] == *part));
}

/// NanGate's BUF_X1 drives no more than its NAND2, so that a tree of them is slow, and is smaller than what drives twice as much.
#[test]
fn a_buffer_that_is_as_weak_as_a_nand2_is_in_no_tree() {
    let (design, mut library) = (chooser::<60>(), library());
    let strength = library.nand2_strength;
    assert!(strength > Some(FAN_OUT * library.nand2_load), "it may drive the limit");
    library.cells.get_mut("BUFX2").unwrap().pins.get_mut("Y").unwrap().max_capacitance = strength;
    let [before, after] = both(&design, &library);
    let [few, many] =
        [&before, &after].map(|parts| ["BUFX2", "BUFX4"].map(|cell| parts["chooser"].cells.get(cell).copied()));
    assert_eq!(many[0], few[0]);
    assert!(many[1] > few[1], "{many:?}");
}

/// Two equal units with registers, so that they are parts: what the parent's register drives lies within them.
#[derive(LogicBlock, Default)]
struct Pair {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub choice: Signal<In, Bits<1>>,
    pub a: Signal<In, Bits<60>>,
    pub b: Signal<In, Bits<60>>,
    pub out: [Signal<Out, Bits<60>>; 2],
    registered: common::Reg<1>,
    half: [Half; 2],
}

/// Chooses by an input.
#[derive(LogicBlock, Default)]
struct Half {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub choice: Signal<In, Bits<1>>,
    pub a: Signal<In, Bits<60>>,
    pub b: Signal<In, Bits<60>>,
    pub out: Signal<Out, Bits<60>>,
    result: common::Reg<60>,
}

impl Logic for Half {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.clock.next = self.clock.val();
        self.result.reset.next = self.reset.val();
        self.result.d.next = self.b.val();
        if self.choice.val().get_bit(0) {
            self.result.d.next = self.a.val();
        }
        self.out.next = self.result.q.val();
    }
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        self.registered.clock.next = self.clock.val();
        self.registered.reset.next = self.reset.val();
        self.registered.d.next = self.choice.val();
        for i in 0..2 {
            self.half[i].clock.next = self.clock.val();
            self.half[i].reset.next = self.reset.val();
            self.half[i].choice.next = self.registered.q.val();
            self.half[i].a.next = self.a.val();
            self.half[i].b.next = self.b.val();
            self.out[i].next = self.half[i].out.val();
        }
    }
}

#[test]
fn inputs_of_the_unit_and_of_its_parts_are_buffered() {
    let library = library();
    let pair = common::elaborate::<Pair>("pair").unwrap();
    assert_eq!(synth::parts(&pair).len(), 2);
    let [before, after] = both(&pair, &library);
    let limit = FAN_OUT * library.nand2_load;
    let over = |parts| loads(parts, "", "pair", &library).into_iter().filter(|l| *l > limit).count();
    // The choosing register within, and the reset of the unit.
    assert_eq!((over(&before), over(&after)), (2, 0));
    proof(&netlist(&before), &netlist(&after), "", "pair", &library).unwrap();
    let [before, after] = both(&common::elaborate::<Half>("half").unwrap(), &library);
    assert_ne!(before, after);
}

/// One buffer can just drive a half with sixteen gates: the register, whose way is the shortest, has no room there.
#[test]
fn a_light_reader_beside_heavy_ones_does_not_end_a_tree() {
    let library = library();
    let pair = common::elaborate::<Pair>("pair").unwrap();
    let half = pair.modules.iter().map(|m| m.module.as_str()).find(|m| *m != "pair").unwrap();
    let gate = |i: usize| format!("  NAND2X1 gate_{i} (\n    .A(choice),\n    .B(a[{i}]),\n    .Y(out[{i}])\n  );\n");
    let half_netlist = format!(
        "module {half}(choice, a, out);\n  input choice;\n  wire choice;\n  input [59:0] a;\n  wire [59:0] a;\n  \
         output [59:0] out;\n  wire [59:0] out;\n{}endmodule\n",
        (0..16).map(gate).collect::<String>()
    );
    let inner = |i: usize| format!("  {half} half_{i} (\n    .choice(chosen),\n    .a(a)\n  );\n");
    let pair_netlist = format!(
        "module pair(clock, choice, a, out);\n  input clock;\n  wire clock;\n  input choice;\n  wire choice;\n  \
         input [59:0] a;\n  wire [59:0] a;\n  output out;\n  wire out;\n  wire chosen;\n  \
         DFFPOSX1 register (\n    .CLK(clock),\n    .D(choice),\n    .Q(chosen)\n  );\n  \
         DFFPOSX1 light (\n    .CLK(clock),\n    .D(chosen),\n    .Q(out)\n  );\n{}endmodule\n",
        (0..6).map(inner).collect::<String>()
    );
    let [half_mapped, pair_mapped] =
        [half_netlist, pair_netlist].map(|netlist| Mapped { cells: BTreeMap::new(), netlist });
    let mapped = [(half, &half_mapped), ("pair", &pair_mapped)].into_iter().collect();
    let after = buffer::buffered(&pair, &library, &mapped).unwrap();
    let after = after.into_iter().map(|(name, part)| (name.to_string(), part)).collect();
    let limit = FAN_OUT * library.nand2_load;
    let heaviest = loads(&after, "", "pair", &library).into_iter().fold(0.0, f64::max);
    assert!(heaviest <= limit * 1.000001, "{heaviest} {limit}\n{}", netlist(&after));
}
