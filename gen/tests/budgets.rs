//! Budgets of pins: what a place adds to the paths of a unit's pins, and the SDC.

use crate::exceptions::module;
use gen::liberty::Liberty;
use gen::sdc::sdc;
use gen::timing::{critical_path, CriticalPath};
use gen::tool::{Tools, STA};
use gen::{Design, Direction};

/// 15 % of a cycle of 700 MHz at 40 nm, which is 71.4 FO4.
const BUDGET: f64 = 10.714;
const FO4: f64 = 0.1;

fn design(unit: &str) -> Design {
    use Direction::{Input, Output};
    let ports = [("clock", 1, Input), ("pull", 2, Input), ("in_valid", 1, Input), ("id", 1, Output)];
    Design { modules: vec![module("top", Some(unit), &ports, vec![])] }
}

/// Inverters from a pin or a register to another one, `length` of them.
fn netlist(from: &str, length: usize, to: &str) -> String {
    let mut text = String::from(
        "module top (clock, pull, in_valid, id);\n  input clock;\n  input [1:0] pull;\n  input in_valid;\n  output id;\n  \
         DFFPOSX1 \\first$_DFF_P_ (.CLK(clock), .D(first_d), .Q(first));\n  \
         DFFPOSX1 \\last$_DFF_P_ (.CLK(clock), .D(last_d), .Q(last));\n",
    );
    for n in 0..length {
        let input = if n == 0 { from.to_string() } else { format!("n_{n}") };
        let output = if n + 1 == length { to.to_string() } else { format!("n_{}", n + 1) };
        text += &format!("  INVX1 i_{n} (.A({input}), .Y({output}));\n");
    }
    text + "endmodule\n"
}

fn path(unit: &str, from: &str, to: &str) -> CriticalPath {
    let (library, directory) = (Liberty::read(None).unwrap(), tempfile::tempdir().unwrap());
    critical_path(&design(unit), &library, FO4, &netlist(from, 20, to), directory.path(), &Tools::default()).unwrap()
}

/// The paths of pins of `hwwl_core`, which is in a load-store unit, and of `bank`, which is inside it.
#[test]
fn a_place_takes_its_part_of_a_cycle_at_pins() {
    for (from, to, budget) in [
        ("pull[1]", "last_d", BUDGET),
        ("first", "id", BUDGET),
        ("pull[0]", "id", 2.0 * BUDGET),
        ("first", "last_d", 0.0),
        // A register of the network is at the other end.
        ("in_valid", "last_d", 0.0),
    ] {
        let [place, inside] = ["hwwl_core", "bank"].map(|unit| path(unit, from, to));
        assert_eq!((&place.from, &place.to), (&inside.from, &inside.to));
        let more = place.ns - inside.ns;
        assert!((more - budget * FO4).abs() < 0.002, "{from} to {to}: {more}");
    }
}

/// OpenSTA takes the budgets of the SDC: its clock has a period of 1.4286 ns, of which 15 % are 0.214.
#[test]
fn the_sdc_has_the_budgets() {
    let design = design("hwwl_core");
    let text = sdc(&design, "top").unwrap();
    for line in [
        "set_input_delay [expr 0.15 * $period] -clock clock [get_ports {pull}]",
        "set_output_delay [expr 0.15 * $period] -clock clock [get_ports {id}]",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let (library, directory) = (Liberty::read(None).unwrap(), tempfile::tempdir().unwrap());
    let script = "read_liberty cells.lib\nread_verilog netlist.v\nlink_design top\nread_sdc top.sdc\n\
                  report_checks -from [get_ports {pull[1]}]\n";
    for (name, text) in
        [("top.sdc", &text), ("netlist.v", &netlist("pull[1]", 20, "last_d")), ("read.tcl", &script.into())]
    {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let said = library.run(&Tools::default(), &STA, &["-exit", "read.tcl"], directory.path(), "top").unwrap();
    assert!(
        said.contains("0.21    0.21 v input external delay") || said.contains("0.21    0.21 ^ input external delay"),
        "{said}"
    );
    assert!(!sdc(&self::design("bank"), "top").unwrap().contains("input_delay"));
}
