//! SDC beside the Verilog of a unit: the clock of the paper's GPU, and the exceptions that the timing analysis here applies.

use crate::elaborate::{Design, GENERATED};
use crate::exceptions::{self, Placed};
use crate::target::Target;
use spec::exceptions::From;
use std::fmt::Write;

/// The file of the unit whose RTL is `design`, as the module `module`; `None` for a unit of no paper.
pub fn sdc(design: &Design, module: &str) -> Option<String> {
    let unit = &design.top().about.as_ref()?.unit;
    let mhz = Target::of(unit)?.mhz();
    let generated = GENERATED.replace("//", "#");
    let mut text = format!(
        "# Timing constraints of {module} (unit {unit}).\n#\n{generated}\n\n\
         # The cycle in ns: that of the paper's GPU ({mhz} MHz), unless it is set before.\n\
         if {{![info exists period]}} {{ set period {:.4} }}\n\
         create_clock -name clock -period $period [get_ports clock]\n",
        1000.0 / mhz,
    );
    exceptions::of(design).iter().for_each(|placed| text += &commands(placed));
    Some(text)
}

fn commands(placed: &Placed) -> String {
    let claim = placed.exception.because;
    let points = match placed.exception.from {
        From::Pins(_) => format!("[get_ports {{{}}}]", patterns(placed, "[*]")),
        From::Registers(_) => format!("[get_cells {{{}}}]", patterns(placed, "*").replace('.', "/")),
    };
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

fn patterns(placed: &Placed, bits: &str) -> String {
    placed.from.iter().map(|name| format!("{name}{bits}")).collect::<Vec<_>>().join(" ")
}
