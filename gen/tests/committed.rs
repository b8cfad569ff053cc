//! The committed Verilog, and all sizes of it: fresh, without a warning, every memory inferred, no latch.

use crate::common::{EVERY_SIZE, MODULES};
use gen::elaborate::CPP_WORDS;
use gen::output::Form;
use gen::parameters::{self, Parameterised, Size};
use gen::{elaborate_all, elaborate_beside, Design, Verilog};
use hdl::catalog::find;
use rayon::prelude::*;
use spec::pin::{Interface, Pin};
use spec::port::ports;
use spec::Values;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use verilog::tree::{Direction, Port};

pub fn verilog_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verilog-out")
}

/// A module for each size.
static FLAT: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = empty("flat");
    gen::output::write(&directory, &gen::output::files(&MODULES, Form::Flat)).unwrap();
    directory
});

/// Modules with parameters, with the parts of every size, and a module `sizes` that has an instance of each root.
static ALL: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = empty("all");
    for module in &EVERY_SIZE.modules {
        std::fs::write(directory.join(format!("{}.v", module.module)), &module.file).unwrap();
    }
    std::fs::write(directory.join("sizes.v"), instances(&size_roots(&EVERY_SIZE))).unwrap();
    directory
});

/// A folder of the build: nothing drops a static.
fn empty(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// Verilog with an instance of each size, all of its pins led out: a tool takes no logic for unused.
fn instances(sizes: &[&Size]) -> String {
    let (mut pins, mut bodies) = (vec![], String::new());
    for size in sizes {
        let flat = MODULES.iter().find(|module| module.module == size.flat).unwrap();
        let values: Vec<String> = size.parameters.iter().map(|(name, value)| format!(".{name}({value})")).collect();
        let values = if values.is_empty() { String::new() } else { format!(" #({})", values.join(", ")) };
        let net = |port: &Port| format!("{}_{}", size.flat, port.name);
        let connected: Vec<String> = flat.ports.iter().map(|port| format!(".{}({})", port.name, net(port))).collect();
        bodies +=
            &format!("    {}{values} of_{} ({});\n", size.module.as_ref().unwrap(), size.flat, connected.join(", "));
        pins.extend(flat.ports.iter().map(|port| {
            let direction = if port.direction == Direction::Input { "input" } else { "output" };
            format!("    {direction} wire [{}:0] {}", port.width - 1, net(port))
        }));
    }
    format!("`timescale 1ns/1ps\nmodule sizes (\n{}\n);\n{bodies}endmodule\n", pins.join(",\n"))
}

/// The sizes of modules that are in no other, as far as they are there.
fn size_roots(set: &Parameterised) -> Vec<&Size> {
    let roots = roots(&MODULES);
    let found: Vec<&Size> =
        set.sizes.iter().filter(|s| s.module.is_some() && roots.contains(&s.flat.as_str())).collect();
    assert!(!found.is_empty());
    found
}

pub fn run_in(directory: &Path, program: &str, args: &[&str]) -> Output {
    let output = Command::new(program).args(args).current_dir(directory).output();
    output.unwrap_or_else(|e| panic!("{program}: {e}; install it with apt-get"))
}

fn run(program: &str, args: &[&str]) -> Output {
    run_in(&FLAT, program, args)
}

pub fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn is_what_the_units_say() {
    let files = gen::output::files(&MODULES, Form::Parameters);
    gen::output::check_fresh(&verilog_out(), &files).unwrap_or_else(|e| panic!("{e}"));
}

/// The text with parameters, at the values of each size, is the flat text of that size.
#[test]
fn numbers_are_formulas_that_give_those_of_every_size() {
    assert!(parameters::check(&MODULES).unwrap() > 1000);
    assert!(EVERY_SIZE.sizes.iter().all(|size| size.module.is_some()));
    assert_eq!(EVERY_SIZE.sizes.len(), MODULES.iter().filter(|module| module.about.is_some()).count());
    let here = Parameterised::shipped(&MODULES);
    let lines: usize = here.modules.iter().map(|module| module.file.lines().count()).sum();
    assert!(here.modules.len() < 118 && lines < 18_200, "{} modules of {lines} lines", here.modules.len());
    let of = |flat: &str| here.sizes.iter().find(|size| size.flat == flat).unwrap();
    assert_eq!(
        (of("hwwl_bank_e8").module.as_deref(), of("hwwl_bank_e8").parameters["ENTRIES"]),
        (Some("hwwl_bank"), 8)
    );
    let defaults = hdl::catalog::units().into_iter().filter_map(|unit| hdl::catalog::find(unit.name, &[]).ok());
    for default in defaults.map(|instance| of(&instance.module)).filter(|size| size.module.is_some()) {
        let module = here.modules.iter().find(|module| Some(&module.module) == default.module.as_ref()).unwrap();
        assert!(
            module.unit != Some(default.unit.clone()) || module.parameters == default.parameters,
            "{}",
            module.module
        );
    }
    let none = of("sorter_4x8");
    assert_eq!((none.module.as_ref(), none.written_by), (None, Some("unruly verilog --flat --out DIR")));
    assert!(here.sizes.iter().all(|size| size.module.is_none() == size.written_by.is_some()));
    for module in &here.modules {
        let all = EVERY_SIZE.modules.iter().find(|other| other.module == module.module).unwrap();
        assert_eq!(all.parameters, module.parameters, "{}", module.module);
    }
}

/// The header of a shared part says of a parameter what is true of all units above it.
#[test]
fn headers_say_what_holds_for_the_module() {
    let file = |name: &str| &EVERY_SIZE.modules.iter().find(|module| module.module == name).unwrap().file;
    let says = |name: &str, line: &str| assert!(file(name).contains(&format!("\n// {line}\n")), "{}", file(name));
    // The banks of all cores are one row of lanes for the global unit.
    says("wru_mover", "Parameter LANES: lanes.");
    says("wru_side_select", "Parameter ENTRIES: work IDs that a bank holds.");
    says("element_queue", "Parameter ENTRIES: entries, the head not counted.");
    says("gw_b32_front_end_arbiter", "Parameter WARPS: 32-wide warps of all schedulers of the baseline.");
    assert!(EVERY_SIZE.modules.iter().all(|module| !module.file.contains("//\n//\n")));
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

/// Modules as the command that measures one unit elaborates them.
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

/// Modules that are in no other. Every file is one of theirs or below one of theirs.
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

/// A run a size: a top that connects all of them takes as long, and in one that connects none all logic is unused, where no loop is found.
#[test]
fn verilator_has_nothing_to_say() {
    let lint = |directory: &Path, options: &[String], module: &str| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let file = format!("{module}.v");
        let output =
            run_in(directory, "verilator", &[&VERILATOR[..], &options, &["--top-module", module, &file]].concat());
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    };
    size_roots(&EVERY_SIZE).par_iter().with_max_len(1).for_each(|size| {
        let values: Vec<String> = size.parameters.iter().map(|(name, value)| format!("-G{name}={value}")).collect();
        lint(&ALL, &values, size.module.as_ref().unwrap());
    });
    // A word of C++ draws a warning where a module is linted alone.
    let has_word = |module: &&Verilog| module.ports.iter().any(|port| CPP_WORDS.contains(&port.name.as_str()));
    let alone: Vec<&str> = MODULES.iter().filter(has_word).map(|module| module.module.as_str()).collect();
    assert!(!alone.is_empty());
    alone.iter().for_each(|module| lint(&FLAT, &[], module));
}

/// In one process: every root is a top, and `-y` finds what is below it. The committed files stay as they are.
#[test]
fn icarus_has_nothing_to_say() {
    let lint = |directory: &Path, files: &[String]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let output = run_in(directory, "iverilog", &[&ICARUS[..], &files].concat());
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    };
    lint(&FLAT, &roots(&MODULES).iter().map(|root| format!("{root}.v")).collect::<Vec<_>>());
    lint(&ALL, &["sizes.v".to_string()]);
    let shipped = Parameterised::shipped(&MODULES);
    let sizes = FLAT.join("sizes_for_icarus");
    std::fs::write(&sizes, instances(&size_roots(&shipped))).unwrap();
    let modules = shipped.modules.iter().map(|module| format!("{}.v", module.module));
    lint(&verilog_out(), &modules.chain([sizes.display().to_string()]).collect::<Vec<_>>());
}

/// Sizes that draw no other error, each of a module that is right in other sizes.
const NOT_IN_USE: [(&str, &[(&str, u64)]); 4] = [
    ("wru_sorting", &[("LANES", 4)]),
    ("classifier", &[("PARTITIONS", 2)]),
    ("hwwl_c4_l16_e32", &[("BINS", 64), ("SCHEME", 0)]),
    ("gw_b32_front_end_arbiter", &[("WARPS", 64)]),
];

/// The commands of verilog-out/README.md, for this size of this module as it says there.
fn commands(module: &str, size: &[(&str, u64)]) -> Vec<String> {
    let readme = std::fs::read_to_string(verilog_out().join("README.md")).unwrap();
    let options = [
        ("    verilator ", "-GENTRIES=128", ""),
        ("    iverilog ", "-P<module>.ENTRIES=128", ""),
        ("    yosys ", "chparam -set ENTRIES 128 <module>;", "read_verilog -defer *.v;"),
    ];
    let command = |line: &str| {
        let (_, option, behind) = options.iter().find(|(tool, ..)| line.starts_with(tool))?;
        assert!(readme.contains(&format!("`{option}`")) && readme.contains(behind), "{option}");
        let option = |(name, value): &(&str, u64)| {
            " ".to_string() + &option.replace("ENTRIES", name).replace("128", &value.to_string())
        };
        let all: String = size.iter().map(option).collect();
        let line = match *behind {
            "" => format!("{line}{all}"),
            behind => line.replace(behind, &format!("{behind}{all}")),
        };
        Some(line.replace("<module>", module))
    };
    readme.lines().filter_map(command).collect()
}

#[test]
fn a_size_is_chosen_as_the_readme_says_and_another_ends_elaboration() {
    let run = |command: &String| run_in(&verilog_out(), "sh", &["-c", command]);
    let of = |size| commands("hwwl_bank", &[("ENTRIES", size)]);
    assert_eq!(of(128).len(), 6);
    let refused: Vec<String> = NOT_IN_USE.iter().flat_map(|(module, size)| commands(module, size)).collect();
    of(64).iter().chain(&refused).collect::<Vec<_>>().par_iter().for_each(|command| {
        let output = run(command);
        let said = messages(&output);
        assert!(!output.status.success() && said.contains("unruly_verilog_writes_other_sizes"), "{command}: {said}");
    });
    of(128).par_iter().filter(|command| !command.contains("synth_")).for_each(|command| {
        let output = run(command);
        let said = messages(&output);
        assert!(output.status.success() && !said.to_lowercase().contains("warning"), "{command}: {said}");
    });
}

/// Rules draw on a macro that Icarus Verilog 11 loses between files that it finds itself.
#[test]
fn icarus_reads_the_rules_of_all_files() {
    let command = commands("hwwl_c4_l16_e32", &[]).into_iter().find(|line| line.contains("-DUNRULY_ASSERT")).unwrap();
    let output = run_in(&verilog_out(), "sh", &["-c", &command]);
    assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
}

/// Names of a module's parameters, and the sizes that its header has.
fn sizes_in_use(file: &str) -> (Vec<&str>, BTreeSet<Vec<u64>>) {
    let (_, rest) = file.split_once("// Sizes in use: ").unwrap();
    let (line, _) = rest.split_once(".\n").unwrap();
    let (names, values) = line.split_once(" = ").unwrap();
    let values: Vec<u64> = values.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let names: Vec<&str> = names.trim_matches(['(', ')']).split(", ").collect();
    let sizes = values.chunks(names.len()).map(<[u64]>::to_vec).collect();
    (names, sizes)
}

/// All combinations of these values.
fn product(values: &[BTreeSet<u64>]) -> Vec<Vec<u64>> {
    let Some((first, rest)) = values.split_first() else { return vec![vec![]] };
    let rest = product(rest);
    first.iter().flat_map(|value| rest.iter().map(move |rest| [&[*value], &rest[..]].concat())).collect()
}

/// The guard of each module alone, in all combinations of values: a simulation tells the instances that it refuses.
#[test]
fn a_guard_lets_the_sizes_in_use_by_and_no_other() {
    let shipped = Parameterised::shipped(&MODULES);
    for set in [&shipped, &EVERY_SIZE] {
        let (mut text, mut wrong, mut right) = (String::new(), BTreeSet::new(), 0);
        let mut tops = String::new();
        for module in set.modules.iter().filter(|module| !module.parameters.is_empty() && !module.is_memory) {
            let name = &module.module;
            let (names, sizes) = sizes_in_use(&module.file);
            let default: Vec<u64> = names.iter().map(|name| module.parameters[*name] as u64).collect();
            assert!(sizes.contains(&default), "{name}");
            let (_, guard) = module.file.split_once("    // Other sizes are not proven.\n").unwrap();
            let (guard, _) = guard.split_once("\n    end\n").unwrap();
            let parameters = names.iter().map(|name| format!("parameter {name} = 0")).collect::<Vec<_>>().join(", ");
            text += &format!("module {name} #({parameters}) ();\n{guard}\n    end\nendmodule\n");
            let values = |p: usize| {
                let values: BTreeSet<u64> = sizes.iter().map(|size| size[p]).collect();
                let last = *values.last().unwrap();
                values.into_iter().chain([2 * last, last + 1]).collect()
            };
            let all = product(&(0..names.len()).map(values).collect::<Vec<_>>());
            for (n, size) in all.iter().enumerate() {
                let values: Vec<String> = size.iter().map(u64::to_string).collect();
                tops += &format!("    {name} #({}) {name}_{n} ();\n", values.join(", "));
                if sizes.contains(size) {
                    right += 1;
                } else {
                    wrong.insert(format!("sizes.{name}_{n}.other_size.none"));
                }
            }
        }
        assert!(right > 80 && wrong.len() > 200, "{right} {}", wrong.len());
        text += &format!("module sizes ();\n{tops}endmodule\n");
        text += "module unruly_verilog_writes_other_sizes ();\n    initial $display(\"%m\");\nendmodule\n";
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("sizes.v"), text).unwrap();
        let built = run_in(directory.path(), "iverilog", &["-g2005", "-o", "sizes", "sizes.v"]);
        assert!(built.status.success(), "{}", messages(&built));
        let said = messages(&run_in(directory.path(), "vvp", &["sizes"]));
        let refused: BTreeSet<String> = said.lines().map(String::from).collect();
        let differ: Vec<_> = refused.symmetric_difference(&wrong).collect();
        assert!(differ.is_empty(), "{differ:?}");
    }
}

/// Yosys elaborates the committed modules at every size that they hold for.
#[test]
fn yosys_reads_every_size() {
    let sizes = FLAT.join("sizes_for_yosys");
    let shipped = Parameterised::shipped(&MODULES);
    std::fs::write(&sizes, instances(&size_roots(&shipped))).unwrap();
    let script = format!("read_verilog -defer *.v {}; hierarchy -check -top sizes", sizes.display());
    let output = run_in(&verilog_out(), "yosys", &["-q", "-p", &script]);
    assert!(output.status.success(), "{}", messages(&output));
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

/// Memories that Yosys finds in each of these modules. Loops through several modules are Verilator's to find.
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
    const GENERIC: &str = "read_verilog -defer *.v; hierarchy -check -top <module>; proc; opt; memory -nomap; stat";
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
        let recipe = format!("read_verilog -defer *.v; {synth} -top <module>");
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
    for file in MODULES.iter().map(Verilog::file).chain(EVERY_SIZE.modules.iter().map(|module| module.file.clone())) {
        assert!(file.starts_with("`timescale 1ns/1ps\n"), "{file}");
    }
    let typed =
        |file: &str| file.contains("\n`default_nettype none\n\nmodule ") && file.ends_with("\n`default_nettype wire\n");
    assert!(EVERY_SIZE.modules.iter().all(|module| typed(&module.file)));
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
