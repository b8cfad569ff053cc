//! Orders of a part's cells. Each order is the same logic, but abc makes other gates of it: the spread of the longest path over the
//! orders is what a change of names or comments can do to it.

use crate::digest::sha256;

/// Orders in which a unit is mapped, the one as written among them.
pub const ORDERS: usize = 5;

/// The orders that are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    All,
    /// Quick: how far the path moves is not measured.
    AsWritten,
}

/// Goes up with every change that makes other orders.
pub const VERSION: u32 = 1;

/// The rule, in a line: it stands under every table.
pub fn rule() -> String {
    format!(
        "Each path is the median over {ORDERS} orders of the unit's cells, with the shortest and the longest of them; what it is mapped for \
         is chosen in the order as written. A target is met if the longest meets it."
    )
}

/// RTLIL, as `write_rtlil` of Yosys writes it, with the cells of each module in another order; 0 is that as written.
pub fn reordered(rtlil: &str, order: usize) -> String {
    if order == 0 {
        return rtlil.into();
    }
    let mut text = String::with_capacity(rtlil.len());
    let (mut cells, mut cell, mut inside): (Vec<String>, String, bool) = (vec![], String::new(), false);
    for line in rtlil.split_inclusive('\n') {
        let name = line.trim_end();
        inside |= name.starts_with("  cell ");
        if inside || name.starts_with("  attribute ") {
            cell += line;
        } else {
            // Attributes of a wire were no cell's.
            text += &std::mem::take(&mut cell);
            if name == "end" {
                flush(&mut cells, order, &mut text);
            }
            text += line;
        }
        if inside && name == "  end" {
            cells.push(std::mem::take(&mut cell));
            inside = false;
        }
    }
    text
}

/// Moves a module's cells to the end of `text`, by a digest of order and place.
fn flush(cells: &mut Vec<String>, order: usize, text: &mut String) {
    let mut cells: Vec<(usize, String)> = std::mem::take(cells).into_iter().enumerate().collect();
    cells.sort_by_cached_key(|(place, _)| sha256(format!("{order} {place}")));
    cells.iter().for_each(|(_, cell)| *text += cell);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Yosys 0.23 writes it.
    const MODULE: &str = "autoidx 3\nattribute \\top 1\nmodule \\m\n  attribute \\src \"a\"\n  wire width 2 \\a\n  \
                          attribute \\src \"b\"\n  cell $_NOT_ $1\n    connect \\A \\a [0]\n    connect \\Y \\a [1]\n  end\n  \
                          cell $_AND_ $2\n    connect \\Y \\b\n  end\n  cell $_OR_ $3\n    connect \\Y \\c\n  end\n  \
                          connect \\d \\a\nend\n";

    #[test]
    fn an_order_has_each_cell_once_with_its_attributes_and_leaves_all_else() {
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(String::from).collect();
            lines.sort();
            lines
        };
        let orders: Vec<String> = (1..ORDERS).map(|order| reordered(MODULE, order)).collect();
        for text in &orders {
            assert_eq!(sorted(text), sorted(MODULE));
            assert!(
                text.starts_with(
                    "autoidx 3\nattribute \\top 1\nmodule \\m\n  attribute \\src \"a\"\n  wire width 2 \\a\n"
                ),
                "{text}"
            );
            assert!(text.contains("  attribute \\src \"b\"\n  cell $_NOT_ $1\n    connect \\A \\a [0]\n    connect \\Y \\a [1]\n  end\n"), "{text}");
            assert!(text.ends_with("end\nend\n"), "{text}");
        }
        assert!(orders.iter().any(|text| *text != orders[0]), "three cells have six orders");
        assert_eq!(reordered(MODULE, 1), orders[0]);
    }
}
