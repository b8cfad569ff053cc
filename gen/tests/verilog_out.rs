//! The committed Verilog: fresh, without a warning, every memory inferred, no latch.

use gen::{elaborate_all, Design};
use hdl::catalog::Instance;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn verilog_out() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../verilog-out")
}

fn run(program: &str, args: &[String]) -> Output {
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

#[test]
fn verilator_has_nothing_to_say() {
    for module in elaborate_all(&hdl::catalog::catalog()).unwrap() {
        let options = "--lint-only -Wall --default-language 1364-2005 -y .";
        let mut args: Vec<String> = options.split(' ').map(String::from).collect();
        args.push(format!("{}.v", module.module));
        let output = run("verilator", &args);
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    }
}

#[test]
fn verilator_does_complain_about_a_fault() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("fault.v");
    std::fs::write(&file, "module fault (input wire [3:0] a, output wire [4:0] y);\n    assign y = a;\nendmodule\n")
        .unwrap();
    let args = ["--lint-only", "-Wall", "--default-language", "1364-2005"].map(String::from);
    let output = run("verilator", &[&args[..], &[file.display().to_string()]].concat());
    assert!(messages(&output).contains("WIDTH"), "{}", messages(&output));
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
    let output = run("yosys", &["-q".into(), "-p".into(), script]);
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
