//! Rules of pins as assertions under a macro.

use crate::functions::range;
use crate::tree::Rules;
use std::fmt::Write;

/// The macro under which the Verilog checks the rules of its pins.
pub const ASSERT: &str = "UNRULY_ASSERT";

/// The macro of a broken rule.
pub const BROKEN: &str = "UNRULY_BROKEN";

/// The macro for a broken rule: a formal tool has an assertion, synthesis nothing, and a simulator says rule, instance and time, and ends
/// with an error. Icarus Verilog would wait for commands at `$stop`.
const ON_BREACH: &str = r#"`ifndef UNRULY_BROKEN
`ifdef FORMAL
`define UNRULY_BROKEN(RULE) assert (0);
`elsif SYNTHESIS
`define UNRULY_BROKEN(RULE) ;
`elsif __ICARUS__
`define UNRULY_BROKEN(RULE) begin $display("%m: broken rule at time %0t: %0s", $time, RULE); $finish_and_return(1); end
`else
`define UNRULY_BROKEN(RULE) begin $display("%m: broken rule at time %0t: %0s", $time, RULE); $stop; end
`endif
`endif
"#;

/// Reaction of the text to a broken rule, and to a word that is read in the cycle in which it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// It stops, and gives the old word: the lock-step says itself what a broken rule is.
    Stop,
    /// It calls the macro, which it defines for any tool, and gives X.
    Tell,
}

impl Rules {
    pub fn text(&self, breach: Breach) -> String {
        let on_breach = if breach == Breach::Tell { ON_BREACH } else { "" };
        let mut text = format!("`ifdef {ASSERT}\n{on_breach}    // Rules of the pins.\n") + &self.past_registers();
        if !self.past.is_empty() {
            text += "\n";
        }
        text += "    always @(posedge clock) begin\n        if (!reset) begin\n";
        for (never, name) in &self.never {
            let stop = match breach {
                Breach::Stop => " $stop;".into(),
                Breach::Tell => format!("\n                `{BROKEN}(\"{name}\")"),
            };
            let _ = writeln!(text, "            // {name}\n            if ({never}){stop}");
        }
        text += "        end\n";
        text += &self.past_values();
        text + "    end\n`endif\n"
    }

    /// Declarations of the registers that hold ports of the cycle before.
    pub fn past_registers(&self) -> String {
        let mut text = String::new();
        for (name, width) in &self.past {
            let _ = writeln!(text, "    reg {}past_{name};", range(*width));
        }
        text
    }

    /// Assignments of what these take at an edge.
    pub fn past_values(&self) -> String {
        let mut text = String::new();
        for (name, width) in &self.past {
            let value = if *width == 1 { "!reset & ".to_string() } else { format!("{{{width}{{!reset}}}} & ") };
            let _ = writeln!(text, "        past_{name} <= {value}{name};");
        }
        text
    }
}
