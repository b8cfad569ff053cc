//! Names as a hardware engineer writes them.

use crate::error::{Error, Result};
use std::collections::BTreeSet;
use verilog::names::{identifier, is_keyword};
use verilog::tree::{Access, Memory};

/// Name of an enumeration value: `State::WaitIdle` is `STATE_WAIT_IDLE`.
pub fn constant(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in identifier(name).chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(c.to_ascii_uppercase());
        before = c;
    }
    out
}

/// Name of a module that is a memory and nothing else.
pub fn memory(memory: &Memory, access: Access) -> String {
    let ports = match access {
        Access::SinglePort => "1rw",
        Access::ReadAndWritePort => "1r1w",
    };
    format!("sram_{ports}_{}x{}", memory.depth, memory.width)
}

/// Refuses names that Verilog reserves, and two things of one name in a module.
pub fn check_unique<'a>(block: &str, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if is_keyword(name) {
            return Err(Error::design(block, format!("{name} is a Verilog keyword: choose another name")));
        }
        if !seen.insert(name) {
            return Err(Error::design(block, format!("two things are called {name} in Verilog: rename one")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumeration_values_are_in_capitals() {
        assert_eq!(constant("State::WaitIdle"), "STATE_WAIT_IDLE");
    }

    #[test]
    fn keywords_and_collisions_are_refused() {
        assert!(check_unique("b", ["a", "table"]).unwrap_err().to_string().contains("keyword"));
        assert!(check_unique("b", ["wp_q", "x", "wp_q"]).unwrap_err().to_string().contains("wp_q"));
        assert!(check_unique("b", ["a", "b"]).is_ok());
    }
}
