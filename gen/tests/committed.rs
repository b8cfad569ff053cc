//! The committed Verilog: fresh, without a warning, every memory inferred, no latch.

use crate::common::MODULES;
use gen::elaborate::CPP_WORDS;
use gen::{elaborate_all, elaborate_beside, Design, Verilog};
use hdl::catalog::find;
use rayon::prelude::*;
use spec::pin::{Interface, Pin};
use spec::port::ports;
use spec::Values;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use verilog::tree::Direction;

fn verilog_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verilog-out")
}

fn run(program: &str, args: &[&str]) -> Output {
    let output = Command::new(program).args(args).current_dir(verilog_out()).output();
    output.unwrap_or_else(|e| panic!("{program}: {e}; install it with apt-get"))
}

fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn is_what_the_units_say() {
    gen::output::check_fresh(&verilog_out(), &gen::output::files(&MODULES)).unwrap_or_else(|e| panic!("{e}"));
}

/// Ports besides clock and reset, which those have that need them.
#[test]
fn ports_are_the_pins_of_the_specification() {
    for instance in hdl::catalog::catalog() {
        let unit = hdl::catalog::units().into_iter().find(|unit| unit.name == instance.unit).unwrap();
        let Interface { inputs, outputs } = (unit.pins)(&Values(instance.parameters.clone()));
        let of = |is_input, pins: &[Pin]| {
            ports(pins).into_iter().map(move |port| (is_input, port.name.clone(), port.width()))
        };
        let expected: BTreeSet<_> = of(true, &inputs).chain(of(false, &outputs)).collect();
        let module = MODULES.iter().find(|module| module.module == instance.module).unwrap();
        let found = module.ports.iter().filter(|port| !["clock", "reset"].contains(&port.name.as_str()));
        let found: BTreeSet<_> =
            found.map(|port| (port.direction == Direction::Input, port.name.clone(), port.width)).collect();
        let differ: Vec<_> = found.symmetric_difference(&expected).collect();
        assert!(differ.is_empty(), "{}: {differ:?}", instance.module);
    }
}

/// What the command that measures one unit elaborates.
#[test]
fn a_unit_alone_has_the_modules_that_it_has_among_all() {
    let all = ["wru_sorting", "wru_threshold", "queue"].map(|unit| find(unit, &[]).unwrap());
    let together = elaborate_all(&all).unwrap();
    for wanted in &all {
        let alone = elaborate_beside(std::slice::from_ref(wanted), &all).unwrap();
        assert_eq!(alone, Design::of(&together, &wanted.module).modules, "{}", wanted.module);
    }
    let shared = together.iter().filter(|module| module.module.starts_with("wru_l16_"));
    assert!(shared.count() > 0, "no module has a name that depends on the other units");
}

/// Modules that stand in no other. Every file is one of theirs or below one of theirs.
fn roots(modules: &[Verilog]) -> Vec<&str> {
    let children: BTreeSet<&str> = modules.iter().flat_map(|m| &m.children).map(|c| c.module.as_str()).collect();
    let roots: Vec<&str> = modules.iter().map(|m| m.module.as_str()).filter(|m| !children.contains(m)).collect();
    let below = |root: &&str| Design::of(modules, root).modules.into_iter().map(|m| m.module).collect::<Vec<_>>();
    let reached: BTreeSet<String> = roots.iter().flat_map(below).collect();
    assert_eq!(reached.len(), modules.len());
    roots
}

/// The optimisations that are left out take more than a third of the time. A test below shows that a width and a loop are still found.
const VERILATOR: [&str; 8] = ["--lint-only", "-Wall", "--default-language", "1364-2005", "-O0", "-fgate", "-y", "."];
const ICARUS: [&str; 6] = ["-g2005", "-Wall", "-t", "null", "-y", "."];

#[test]
fn verilator_has_nothing_to_say() {
    // A word of C++ draws a warning where a module is linted alone.
    let has_word = |module: &&Verilog| module.ports.iter().any(|port| CPP_WORDS.contains(&port.name.as_str()));
    let alone: Vec<&str> = MODULES.iter().filter(has_word).map(|module| module.module.as_str()).collect();
    assert!(!alone.is_empty());
    [roots(&MODULES), alone].concat().par_iter().with_max_len(1).for_each(|root| {
        let output = run("verilator", &[&VERILATOR[..], &[&format!("{root}.v")]].concat());
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    });
}

/// In one process: every root is a top, and `-y` finds what is below it.
#[test]
fn icarus_has_nothing_to_say() {
    let files: Vec<String> = roots(&MODULES).iter().map(|root| format!("{root}.v")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = run("iverilog", &[&ICARUS[..], &files].concat());
    assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
}

/// The pins of a bank of 32 entries that breaks a rule: what is high in each cycle after reset, and the rule.
const BROKEN: [(&[&str], &str); 8] = [
    (&["unreserve"], "a reserved fill or unreserve, but nothing is reserved"),
    (&["push", "unreserve"], "a reserved fill or unreserve, but nothing is reserved"),
    (&["push", "fill_push | fill_reserved"], "a reserved fill or unreserve, but nothing is reserved"),
    (&["reserve", "unreserve", "unreserve", "unreserve"], "a reserved fill or unreserve, but nothing is reserved"),
    (&["reserve"; 17], "reserve without free entries"),
    (
        &[
            "configure | double_buffer",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
            "reserve",
        ],
        "reserve without free entries",
    ),
    (&["wru_push | wru_part"], "wru_part high in single-buffer mode"),
    (&["pull | push"], "pull and push together"),
];

/// Legal use of a bank: 16 times two entries are all, and all are given back; what is promised in a cycle may be given back in it.
const KEPT: [&[&str]; 3] = [
    &["reserve"; 16],
    &["push", "reserve", "unreserve", "unreserve", "pull"],
    &["reserve | unreserve", "fill_push | fill_reserved"],
];

#[test]
fn a_broken_rule_ends_a_simulation_with_an_error_that_says_where() {
    let directory = tempfile::tempdir().unwrap();
    let pins = "configure double_buffer swap pull push wru_pop wru_push wru_part fill_push fill_reserved fill_part reserve unreserve";
    let pins: Vec<&str> = pins.split(' ').collect();
    let runs = BROKEN.map(|(inputs, rule)| (inputs, Some(rule)));
    for (inputs, rule) in runs.into_iter().chain(KEPT.map(|inputs| (inputs, None))) {
        let cycle = |high: &&str| {
            let set: String = high.split(" | ").map(|pin| format!("{pin} = 1; ")).collect();
            format!("        pins = 0; {set}#2;\n")
        };
        let cycles: String = inputs.iter().map(cycle).collect();
        let bits: String = pins.iter().enumerate().map(|(bit, pin)| format!("`define {pin} pins[{bit}]\n")).collect();
        let set = pins.iter().fold(cycles, |text, pin| text.replace(&format!(" {pin} = "), &format!(" `{pin} = ")));
        let connected: String = pins.iter().map(|pin| format!(".{pin}(`{pin}), ")).collect();
        let text = format!(
            "{bits}module tb;\n    reg clock = 0, reset = 1; reg [{}:0] pins = 0;\n    always #1 clock = !clock;\n    \
             hwwl_bank_e32 lane_3 ({connected}.clock(clock), .reset(reset), .push_id(24'd7), .wru_id(24'd8), .fill_id(24'd9));\n    \
             initial begin\n        #2 reset = 0;\n{set}        pins = 0; #2 $finish;\n    end\nendmodule\n",
            pins.len() - 1
        );
        let file = |name: &str| directory.path().join(name).display().to_string();
        std::fs::write(file("tb.v"), text).unwrap();
        let built = run("iverilog", &["-g2005", "-DUNRULY_ASSERT", "-y", ".", "-o", &file("tb"), &file("tb.v")]);
        assert!(built.status.success(), "{}", messages(&built));
        let ended = run("vvp", &["-n", &file("tb")]);
        let (code, said) = (ended.status.code(), messages(&ended));
        match rule {
            Some(rule) => {
                let place = "tb.lane_3: broken rule at time ";
                assert!(code == Some(1) && said.contains(place) && said.contains(rule), "{inputs:?}: {code:?}\n{said}");
            }
            None => assert!(code == Some(0) && !said.contains("broken"), "{inputs:?}: {code:?}\n{said}"),
        }
    }
}

#[test]
fn verilator_and_icarus_do_complain_about_a_fault() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("fault.v");
    let complaint = |program: &str, options: &[&str], value: &str| {
        let text =
            format!("module fault (input wire [3:0] a, output wire [4:0] y);\n    assign y = {value};\nendmodule\n");
        std::fs::write(&file, text).unwrap();
        messages(&run(program, &[options, &[file.to_str().unwrap()]].concat()))
    };
    assert!(complaint("verilator", &VERILATOR, "a").contains("WIDTH"));
    assert!(complaint("iverilog", &ICARUS, "~~a").contains("syntax error"));
    assert_eq!(complaint("iverilog", &ICARUS, "~a"), "");
    // A loop through two modules, which Yosys does not look for.
    let text = "module fault (input wire a, output wire y);\n    half one (.a(a), .b(y), .y(y));\nendmodule\n\n\
                module half (input wire a, input wire b, output wire y);\n    assign y = ~(a & b);\nendmodule\n";
    std::fs::write(&file, text).unwrap();
    let output = run("verilator", &[&VERILATOR[..], &["-Wno-DECLFILENAME", file.to_str().unwrap()]].concat());
    assert!(messages(&output).contains("UNOPTFLAT"), "{}", messages(&output));
}

/// What Yosys finds in these modules, each by itself: the memories. Loops through several modules are Verilator's to find.
fn memories_by_yosys(modules: &BTreeSet<&str>) -> BTreeSet<String> {
    let directory = tempfile::tempdir().unwrap();
    let list = directory.path().join("memories");
    let files: Vec<String> = modules.iter().map(|module| format!("{module}.v")).collect();
    let script = format!(
        "read_verilog {}; hierarchy -check; proc; opt_clean; memory_collect; check -assert; select -assert-none t:$dlatch* t:$sr; \
         tee -q -o {} select -list t:$mem*",
        files.join(" "),
        list.display()
    );
    let output = run("yosys", &["-q", "-p", &script]);
    assert!(output.status.success(), "{}", messages(&output));
    std::fs::read_to_string(list).unwrap().lines().map(String::from).collect()
}

/// In two processes: the first has the first tops, with about half of the text below them.
#[test]
fn yosys_infers_every_memory_and_no_latch() {
    let families: Vec<Design> = roots(&MODULES).into_iter().map(|root| Design::of(&MODULES, root)).collect();
    let text = |design: &Design| design.modules.iter().map(|module| module.text.len()).sum::<usize>();
    let all: usize = families.iter().map(text).sum();
    let mut halves = [BTreeSet::new(), BTreeSet::new()];
    let mut done = 0;
    for family in &families {
        halves[usize::from(2 * done > all)].extend(family.modules.iter().map(|module| &module.module[..]));
        done += text(family);
    }
    let inferred: BTreeSet<String> = halves.par_iter().with_max_len(1).flat_map(memories_by_yosys).collect();
    let memories =
        MODULES.iter().flat_map(|m| m.memories.iter().map(move |memory| format!("{}/{}", m.module, memory.name)));
    let expected: BTreeSet<String> = memories.collect();
    assert_eq!(inferred, expected);
    assert!(!expected.is_empty());
}

/// A bank, a queue and the instruction storage, by the commands of verilog-out/README.md.
#[test]
fn memories_become_synchronous_block_ram_or_lut_ram() {
    let readme = std::fs::read_to_string(verilog_out().join("README.md")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let json = directory.path().join("result.json");
    let result = |top: &str, recipe: &str, end: &str| -> serde_json::Value {
        assert!(readme.contains(recipe), "{recipe}");
        let files = Design::of(&MODULES, top).modules.into_iter().map(|m| format!("{}.v", m.module));
        let recipe = recipe.replace("<module>", top).replace("*.v", &files.collect::<Vec<_>>().join(" "));
        let output = run("yosys", &["-q", "-p", &format!("{recipe}{end}").replace("FILE", json.to_str().unwrap())]);
        assert!(output.status.success(), "{}", messages(&output));
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap()
    };
    const GENERIC: &str = "read_verilog *.v; hierarchy -check -top <module>; proc; opt; memory -nomap; stat";
    let ports = |top: &str| {
        let netlist = result(top, GENERIC, "; flatten; write_json FILE");
        let cells = netlist["modules"][top]["cells"].as_object().unwrap().values();
        let memories = cells.filter(|cell| cell["type"] == "$mem_v2").map(|cell| cell["parameters"].clone());
        let number = |bits: &serde_json::Value| u64::from_str_radix(bits.as_str().unwrap(), 2).unwrap();
        let shape =
            |m: serde_json::Value| ["SIZE", "WIDTH", "RD_PORTS", "WR_PORTS", "RD_CLK_ENABLE"].map(|p| number(&m[p]));
        memories.map(shape).collect::<Vec<_>>()
    };
    // Words, bits, one read port and one write port, read at the clock.
    assert_eq!(ports("hwwl_bank_e1024"), [[1024, 24, 1, 1, 1]]);
    assert_eq!(ports("queue_1024x16"), [[1024, 16, 1, 1, 1]]);
    assert_eq!(ports("gw_front_end_s4_w192_v16_t8_16x3_storage"), [[48, 150, 1, 1, 1]; 4]);

    let cells = |top: &str, synth: &str, cell: &str| {
        // The later steps map logic; memories are mapped by then.
        let end = if synth == "synth_ecp5" { " -run begin:map_gates" } else { " -run begin:fine" };
        let recipe = format!("read_verilog *.v; {synth} -top <module>");
        let stat = result(top, &recipe, &format!("{end}; tee -q -o FILE stat -json"));
        stat["design"]["num_cells_by_type"][cell].as_u64()
    };
    // A DP16KD has 1,024 words of up to 18 bits; a RAMB18E1 has 18 Kbit, a RAMB36E1 twice that.
    assert_eq!(cells("hwwl_bank_e1024", "synth_ecp5", "DP16KD"), Some(2));
    assert_eq!(cells("queue_1024x16", "synth_ecp5", "DP16KD"), Some(1));
    assert_eq!(cells("hwwl_bank_e1024", "synth_xilinx", "RAMB36E1"), Some(1));
    assert_eq!(cells("queue_1024x16", "synth_xilinx", "RAMB18E1"), Some(1));
    // A TRELLIS_DPR16X4 has 16 words of 4 bits: 3 x 38 for each scheduler's copy.
    assert_eq!(cells("gw_front_end_s4_w192_v16_t8_16x3_storage", "synth_ecp5", "TRELLIS_DPR16X4"), Some(4 * 3 * 38));
}

/// Clocks of test benches need a time unit: in every file, or Verilator complains about the others.
#[test]
fn every_file_has_a_time_unit() {
    assert!(!MODULES.is_empty());
    for Verilog { module, .. } in MODULES.iter() {
        let text = std::fs::read_to_string(verilog_out().join(format!("{module}.v"))).unwrap();
        assert!(text.starts_with("`timescale 1ns/1ps\n"), "{module}");
    }
}

#[test]
fn nothing_that_only_simulates() {
    for module in MODULES.iter() {
        for word in ["initial", "$display", "$finish", "always @*", "#1"] {
            assert!(!module.text.contains(word), "{} has {word}", module.module);
        }
        assert!(module.text.lines().all(|l| !l.ends_with(' ') && !l.contains('\t')), "{}", module.module);
    }
}
