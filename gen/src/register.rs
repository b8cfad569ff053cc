//! Recognises a register block by the text that it prints, so that its parent can hold a `reg` instead of an instance.

use crate::walk::Node;
use rust_hdl::prelude::Verilog;

/// A register: ports `clock`, `d`, `q`, with `reset` if it has a reset value and `enable` if it has one.
pub struct Shape {
    /// Hexadecimal, without leading zeros.
    pub reset_value: Option<String>,
}

/// The forms, apart from white space:
/// `always @(posedge clock) begin if (reset) q <= 6'h0; else q <= d; end`, the same with `else if (enable) q <= d;`,
/// without reset `always @(posedge clock) begin q <= d; end` and `... if (enable) q <= d; end`.
pub fn recognise(node: &Node) -> Option<Shape> {
    let Verilog::Custom(text) = &node.code else { return None };
    let code: String = text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = code.split_whitespace().collect();
    let code = words.join(" ");
    let body = code.strip_prefix("always @(posedge clock) begin ")?.strip_suffix(" end")?;
    let (reset_value, load) = match body.strip_prefix("if (reset) q <= ") {
        Some(rest) => {
            let (value, load) = rest.split_once("; else ")?;
            (Some(value.split_once("'h")?.1.trim_start_matches('0')), load)
        }
        None => (None, body),
    };
    if !matches!(load, "q <= d;" | "if (enable) q <= d;") {
        return None;
    }
    Some(Shape { reset_value: reset_value.map(|v| if v.is_empty() { "0" } else { v }.to_string()) })
}
