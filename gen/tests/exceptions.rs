//! Timing exceptions: which path is the longest, and the SDC.

use gen::elaborate::{About, Child};
use gen::liberty::Liberty;
use gen::sdc::sdc;
use gen::timing::{critical_path, CriticalPath};
use gen::tool::{Tools, STA};
use gen::{Design, Direction, Port, Verilog};
use verilog::tree::Module;

/// Inverters after `partition`, which never changes, after `state.size`, which has two cycles, and after another register.
struct Chains {
    partition: usize,
    size: usize,
    other: usize,
}

pub fn module(name: &str, unit: Option<&str>, ports: &[(&str, usize, Direction)], children: Vec<Child>) -> Verilog {
    let about = |unit: &str| About {
        unit: unit.into(),
        summary: String::new(),
        timing: String::new(),
        paper: String::new(),
        parameters: Default::default(),
    };
    let port = |(name, width, direction): &(&str, usize, Direction)| Port {
        name: name.to_string(),
        width: *width,
        direction: *direction,
    };
    Verilog {
        module: name.into(),
        about: unit.map(about),
        ports: ports.iter().map(port).collect(),
        memories: vec![],
        children,
        has_registers: true,
        parameters: Default::default(),
        header: String::new(),
        tree: None,
        text: String::new(),
    }
}

/// A unit with a part `state`, as the partition of the IRU has it.
fn design() -> Design {
    use Direction::{Input, Output};
    let state = module("state_part", None, &[("clock", 1, Input), ("size", 1, Output)], vec![]);
    let child = Child { instance: "state".into(), module: "state_part".into() };
    let ports = [("clock", 1, Input), ("partition", 2, Input), ("out", 1, Output)];
    let tree = Module {
        name: "top".into(),
        ports: vec![],
        constants: vec![],
        nets: Default::default(),
        order: vec![],
        items: vec![],
    };
    let top = Verilog { tree: Some(tree), ..module("top", Some("iru_partition"), &ports, vec![child]) };
    Design { modules: vec![state, top] }
}

fn netlist(chains: &Chains) -> String {
    let mut text = String::from(
        "module state_part (clock, size);\n  input clock;\n  output size;\n  wire d;\n  wire t;\n\
         INVX1 i (.A(size), .Y(d));\n  DFFPOSX1 \\size$_DFF_P_ (.CLK(clock), .D(d), .Q(size));\n  \
         DFFPOSX1 \\target$_DFF_P_ (.CLK(clock), .D(d), .Q(t));\nendmodule\n\
         module top (clock, partition, out);\n  input clock;\n  input [1:0] partition;\n  output out;\n  wire size;\n  wire other;\n\
         state_part state (.clock(clock), .size(size));\n  \
         DFFPOSX1 \\other$_DFF_P_ (.CLK(clock), .D(other_end), .Q(other));\n  \
         DFFPOSX1 \\last$_DFF_P_ (.CLK(clock), .D(size_end), .Q(last));\n  \
         NAND2X1 both (.A(partition_end), .B(partition[1]), .Y(out));\n",
    );
    for (name, from, length) in [
        ("partition", "partition[0]", chains.partition),
        ("size", "size", chains.size),
        ("other", "other", chains.other),
    ] {
        for n in 0..length {
            let input = if n == 0 { from.to_string() } else { format!("{name}_{n}") };
            let output = if n + 1 == length { format!("{name}_end") } else { format!("{name}_{}", n + 1) };
            text += &format!("  INVX1 {name}_inverter_{n} (.A({input}), .Y({output}));\n");
        }
    }
    text + "endmodule\n"
}

fn longest(chains: &Chains) -> CriticalPath {
    let (library, directory) = (Liberty::read(None).unwrap(), tempfile::tempdir().unwrap());
    critical_path(&design(), &library, 0.1, &netlist(chains), directory.path(), &Tools::default()).unwrap()
}

#[test]
fn an_exception_takes_its_paths_out_or_gives_them_cycles() {
    // The pin never changes: neither of the other chains is as long. 20 inverters in two cycles are 10 in one.
    let ordinary = longest(&Chains { partition: 200, size: 20, other: 40 });
    assert_eq!((ordinary.from.as_str(), ordinary.to.as_str()), ("other", "other"));
    let of_size = longest(&Chains { partition: 200, size: 120, other: 40 });
    assert_eq!((of_size.from.as_str(), of_size.to.as_str()), ("state/size", "last"));
    let half = longest(&Chains { partition: 2, size: 2, other: 60 });
    assert!((of_size.ns / half.ns - 1.0).abs() < 0.1, "{} {}", of_size.ns, half.ns);
}

#[test]
fn a_register_of_an_exception_has_to_be_there() {
    let (library, directory) = (Liberty::read(None).unwrap(), tempfile::tempdir().unwrap());
    let text = netlist(&Chains { partition: 2, size: 2, other: 2 }).replace("$_DFF_P_", "_of_another_name");
    let error = critical_path(&design(), &library, 0.1, &text, directory.path(), &Tools::default()).unwrap_err();
    assert!(error.to_string().contains("no register state.target state.size"), "{error}");
}

/// Pins of the user's own Verilog are those of the unit, but its registers are not.
#[test]
fn own_verilog_has_the_exceptions_of_pins_alone() {
    let mut own = design();
    own.modules[1].tree = None;
    let text = sdc(&own, "top").unwrap();
    assert!(text.contains("set_false_path -from [get_ports {partition[*]}]") && !text.contains("get_cells"), "{text}");
}

/// Flat Verilog has a pin of one bit without an index.
#[test]
fn a_pin_of_one_bit_has_no_index() {
    let mut narrow = design();
    narrow.modules[1].ports[1].width = 1;
    assert!(sdc(&narrow, "top").unwrap().contains("set_false_path -from [get_ports {partition}]"));
}

/// OpenSTA takes the file, and finds each of its points in a netlist.
#[test]
fn the_sdc_is_read_and_names_what_is_there() {
    let (library, directory) = (Liberty::read(None).unwrap(), tempfile::tempdir().unwrap());
    let text = sdc(&design(), "top").unwrap();
    assert!(text.contains("By `array_settles` of the properties of prefetcher."), "{text}");
    let script = "read_liberty cells.lib\nread_verilog netlist.v\nlink_design top\nread_sdc top.sdc\n\
                  puts \"period [get_property [get_clocks clock] period]\"\nputs \"slack [get_property [lindex [find_timing_paths] 0] slack]\"\n";
    let netlist = netlist(&Chains { partition: 200, size: 20, other: 2 });
    for (name, text) in [("top.sdc", text.as_str()), ("netlist.v", &netlist), ("read.tcl", script)] {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let said = library.run(&Tools::default(), &STA, &["-exit", "read.tcl"], directory.path(), "top").unwrap();
    assert!(
        said.contains("period 0.787") && said.contains("slack ") && !said.to_lowercase().contains("warning"),
        "{said}"
    );
}
