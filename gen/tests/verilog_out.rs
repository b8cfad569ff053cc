//! The committed Verilog: fresh, without a warning, every memory inferred, no latch.

use gen::{elaborate_all, Design, Verilog};
use hdl::catalog::Instance;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn verilog_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verilog-out")
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
    gen::output::check_fresh(&verilog_out()).unwrap_or_else(|e| panic!("{e}"));
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

const VERILATOR: [&str; 6] = ["--lint-only", "-Wall", "--default-language", "1364-2005", "-y", "."];
const ICARUS: [&str; 6] = ["-g2005", "-Wall", "-t", "null", "-y", "."];

#[test]
fn verilator_has_nothing_to_say() {
    let modules = elaborate_all(&hdl::catalog::catalog()).unwrap();
    roots(&modules).par_iter().with_max_len(1).for_each(|root| {
        let output = run("verilator", &[&VERILATOR[..], &[&format!("{root}.v")]].concat());
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    });
}

/// In one process: every root is a top, and `-y` finds what is below it.
#[test]
fn icarus_has_nothing_to_say() {
    let modules = elaborate_all(&hdl::catalog::catalog()).unwrap();
    let files: Vec<String> = roots(&modules).iter().map(|root| format!("{root}.v")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = run("iverilog", &[&ICARUS[..], &files].concat());
    assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
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
}

#[test]
fn yosys_infers_every_memory_and_no_latch() {
    let instances = hdl::catalog::catalog();
    let modules = elaborate_all(&instances).unwrap();
    let mut script = String::new();
    // Systems of parts that are here by themselves, and wired as smaller ones.
    let is_large = |i: &Instance| match i.unit {
        "hwwl" => i.parameters.contains(&("cores", 4)),
        "iru" => i.parameters.contains(&("sets", 256)),
        _ => false,
    };
    for instance in instances.iter().filter(|i| !is_large(i)) {
        let design = Design::of(&modules, &instance.module);
        let files: Vec<String> = design.modules.iter().map(|m| format!("{}.v", m.module)).collect();
        // Flattened, so that each instance of a memory counts.
        script += &format!(
            "read_verilog {}; hierarchy -check -top {}; proc; flatten; opt_clean; memory -nomap; check -assert; \
             select -assert-count {} t:$mem* %%; select -assert-none t:$dlatch* t:$sr; design -reset; ",
            files.join(" "),
            instance.module,
            design.memories().count(),
        );
    }
    let output = run("yosys", &["-q", "-p", &script]);
    assert!(output.status.success(), "{}", messages(&output));
}

#[test]
fn nothing_that_only_simulates() {
    for module in elaborate_all(&hdl::catalog::catalog()).unwrap() {
        for word in ["initial", "$display", "$finish", "always @*", "#1"] {
            assert!(!module.text.contains(word), "{} has {word}", module.module);
        }
        assert!(module.text.lines().all(|l| !l.ends_with(' ') && !l.contains('\t')), "{}", module.module);
    }
}
