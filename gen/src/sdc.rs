//! SDC next to the Verilog of a unit: the clock of the paper's GPU, the budgets of pins, and the exceptions that the timing analysis here applies.

use crate::budget;
use crate::elaborate::{Design, GENERATED};
use crate::exceptions::{self, Placed};
use crate::target::Target;
use spec::exceptions::From;
use std::fmt::Write;
use verilog::tree::Port;

/// The file of the unit whose RTL is `design`, as the module `module`; `None` for a unit of no paper.
pub fn sdc(design: &Design, module: &str) -> Option<String> {
    let unit = &design.top().about.as_ref()?.unit;
    let mhz = Target::of(unit)?.mhz();
    let generated = GENERATED.replace("//", "#");
    let mut text = format!(
        "# Timing constraints of {module}.\n#\n{generated}\n\n\
         # The cycle in ns: that of the paper's GPU ({mhz} MHz), unless it is set before.\n\
         if {{![info exists period]}} {{ set period {:.4} }}\n\
         create_clock -name clock -period $period [get_ports clock]\n",
        1000.0 / mhz,
    );
    budget::of(design).iter().for_each(|pins| text += &pins.sdc());
    exceptions::of(design).iter().for_each(|placed| text += &commands(placed, &design.top().ports));
    Some(text)
}

fn commands(placed: &Placed, ports: &[Port]) -> String {
    let claim = placed.exception.because;
    let is_one_bit = |name: &String| ports.iter().any(|port| port.name == *name && port.width == 1);
    let pattern = |name: &String| match placed.exception.from {
        From::Pins(_) if is_one_bit(name) => name.clone(),
        From::Pins(_) => format!("{name}[*]"),
        From::Registers(_) => name.replace('.', "/") + "*",
    };
    let kind = match placed.exception.from {
        From::Pins(_) => "get_ports",
        From::Registers(_) => "get_cells",
    };
    let points = format!("[{kind} {{{}}}]", placed.from.iter().map(pattern).collect::<Vec<_>>().join(" "));
    let mut text = format!("\n# By `{}` of the properties of {}.\n", claim.name, claim.unit);
    let _ = match placed.cycles() {
        None => writeln!(text, "set_false_path -from {points}"),
        Some(cycles) => writeln!(
            text,
            "set_multicycle_path {cycles} -setup -from {points}\nset_multicycle_path {} -hold -from {points}",
            cycles - 1
        ),
    };
    text
}
