//! Names as a hardware engineer writes them.

use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// RustHDL joins the parts of a name by `$`; an engineer by `_`.
pub fn identifier(name: &str) -> String {
    name.replace("::", "_").replace('$', "_")
}

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

/// `$` out of the identifiers of Verilog text; system functions (`$signed`), comments and strings stay.
pub fn identifiers_of_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |i| i + 2)
        } else if c.is_ascii_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            out.push_str(&identifier(&rest[..end]));
            rest = &rest[end..];
            continue;
        } else if is_word(c) || c == '\'' {
            // A number, the base and digits of one, or a system function: as it is.
            1 + rest[1..].find(|c: char| !is_word(c)).unwrap_or(rest.len() - 1)
        } else {
            c.len_utf8()
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Name of a module that is a memory and nothing else, with one port or with a read and a write port.
pub fn memory(depth: usize, width: usize, read_port: bool) -> String {
    let ports = if read_port { "1r1w" } else { "1rw" };
    format!("sram_{ports}_{depth}x{width}")
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

/// Whether Verilog-2005 reserves the word.
pub fn is_keyword(word: &str) -> bool {
    IS_KEYWORD.contains(word)
}

static IS_KEYWORD: LazyLock<BTreeSet<&str>> = LazyLock::new(|| KEYWORDS.split_whitespace().collect());

/// IEEE 1364-2005, annex B.
const KEYWORDS: &str = "
    always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam
    design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify
    endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include
    initial inout input instance integer join large liblist library localparam macromodule medium module nand
    negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1
    pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release repeat rnmos rpmos rtran
    rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table
    task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0
    weak1 while wire wor xnor xor
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_elements_lose_the_dollar() {
        assert_eq!(identifier("push_id$0"), "push_id_0");
        assert_eq!(identifiers_of_text("y$1 <= $signed(x$0) + 4'hf; // x$0"), "y_1 <= $signed(x_0) + 4'hf; // x$0");
    }

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
