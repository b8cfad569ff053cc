//! Names of Verilog.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// RustHDL joins the parts of a name by `$`; an engineer by `_`.
pub fn identifier(name: &str) -> String {
    name.replace("::", "_").replace('$', "_")
}

/// The words that Verilog-2005 reserves.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.split_whitespace()
}

/// True for one of [`keywords`].
pub fn is_keyword(word: &str) -> bool {
    IS_KEYWORD.contains(word)
}

/// That name, or that name and a number, which is taken from now on.
pub fn reserve(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_string();
    let mut n = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{n}");
        n += 1;
    }
    name
}

static IS_KEYWORD: LazyLock<BTreeSet<&str>> = LazyLock::new(|| keywords().collect());

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
    }
}
