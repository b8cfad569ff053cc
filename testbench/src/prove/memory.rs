//! Memories of the proofs: they promise less than the real ones, so that what is proven with them holds with these.
//!
//! A word that is read in the cycle in which it is written is any word.
//!
//! A memory may keep one word alone: that of the last write with `pick` high, and of all later writes to its address. A read of another
//! address gives any word. `pick` and `any` are inputs of the circuit.

/// Line of a fragment that says that the unit's memories keep one word.
const ONE_WORD: &str = "// memories: one word";

/// The inputs of a memory with one word.
const INPUTS: [&str; 2] = ["any", "pick"];

/// The `properties` are about memories that keep one word.
pub(super) fn is_one_word(properties: &str) -> bool {
    properties.lines().any(|line| line.trim() == ONE_WORD)
}

/// The word that is kept, and its address.
const KEPT: &str = "
    always @(posedge clock) begin
        if (write & pick) address_q <= write_addr;
        if (write & (pick | (write_addr == address_q))) word_q <= wdata;
    end
";

/// `verilog` with memories as `properties` want them.
pub(super) fn of_proofs(verilog: &str, properties: &str) -> String {
    if is_one_word(properties) {
        one_word(verilog)
    } else {
        any_on_collision(verilog)
    }
}

/// A read of the word that is written.
const COLLISION: &str = "write & (write_addr == read_addr)";

/// `verilog` with any word where one is read in the cycle in which it is written.
fn any_on_collision(verilog: &str) -> String {
    changed(verilog, |module, Widths { data, .. }| {
        let end = module.find(");").expect("a module has ports") + 2;
        let read = "rdata <= words[read_addr]";
        assert!(module.contains(read), "{module}");
        let body = module[end..].replace(read, &format!("rdata <= {COLLISION} ? any : words[read_addr]"));
        format!("{}\n    wire {data} any;{body}", &module[..end])
    })
}

/// `verilog` with one word in each `sram_1r1w`.
fn one_word(verilog: &str) -> String {
    changed(verilog, |module, Widths { address, data }| {
        let end = module.find(");").expect("a module has ports") + 2;
        format!(
            "{}
    reg {address} address_q;
    reg {data} word_q;
    wire {data} any;
    wire pick;{KEPT}    wire collides = {COLLISION};
    always @(posedge clock) if (read) rdata <= (read_addr == address_q) & ~collides ? word_q : any;
endmodule",
            &module[..end]
        )
    })
}

/// `verilog` with the registers of [`one_word`] in each `sram_1r1w`, beside all its words: nobody reads them.
pub(super) fn beside_all_words(verilog: &str) -> String {
    changed(verilog, |module, Widths { address, data }| {
        let end = module.rfind("endmodule").expect("a module has an end");
        format!(
            "{}    (* keep *) reg {address} address_q;
    (* keep *) reg {data} word_q;
    (* keep *) wire {data} any;
    wire pick;{KEPT}endmodule",
            &module[..end]
        )
    })
}

/// Ranges of an address and of a word: `[3:0]`.
struct Widths {
    address: String,
    data: String,
}

/// `verilog` with another text of each `sram_1r1w`.
fn changed(verilog: &str, change: impl Fn(&str, Widths) -> String) -> String {
    let change = |module: &str| {
        if !module.contains("module sram_1r1w_") {
            return module.into();
        }
        let width = |port: &str| {
            let line = module.lines().find(|line| line.trim_end_matches(',').ends_with(&format!(" {port}")));
            let range = line.and_then(|line| Some(line[line.find('[')?..=line.find(']')?].to_string()));
            range.unwrap_or_default()
        };
        change(module, Widths { address: width("write_addr"), data: width("wdata") })
    };
    verilog.split_inclusive("endmodule").map(change).collect()
}

/// `flat` with the inputs of its memories as inputs of the module, and their names.
pub(super) fn inputs(flat: &str) -> (String, Vec<String>) {
    let mut names = vec![];
    let mut text = String::new();
    for line in flat.lines() {
        match name(line) {
            Some(name) => {
                names.push(format!("{name} "));
                text += &line.replacen("wire", "input", 1);
            }
            None => text += line,
        }
        text.push('\n');
    }
    (text, names)
}

/// Name in `  wire [3:0] \queue.sram.any ;`
fn name(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix("wire ")?.strip_suffix(" ;")?.split(' ').next_back()?;
    let is_input = INPUTS.iter().any(|input| name.ends_with(&format!(".{input}")));
    (is_input && name.starts_with('\\')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SRAM: &str =
        "module other (input wire a);\nendmodule\nmodule sram_1r1w_4x8 (\n    input  wire       clock,\n    \
        input  wire [1:0] write_addr,\n    input  wire [7:0] wdata,\n    output reg  [7:0] rdata\n);\n    \
        reg [7:0] words [0:3];\nendmodule\n";

    #[test]
    fn a_word_that_is_read_as_it_is_written_is_any() {
        let text = SRAM.replace(
            "reg [7:0] words [0:3];",
            "reg [7:0] words [0:3];\n    always if (read) rdata <= words[read_addr];",
        );
        let text = any_on_collision(&text);
        assert!(text.contains("wire [7:0] any;"), "{text}");
        assert!(text.contains("rdata <= write & (write_addr == read_addr) ? any : words[read_addr];"), "{text}");
    }

    #[test]
    fn a_memory_keeps_one_word() {
        let text = one_word(SRAM);
        assert!(text.starts_with("module other (input wire a);\nendmodule\n"), "{text}");
        assert!(text.contains("reg [7:0] word_q;") && text.contains("reg [1:0] address_q;"), "{text}");
        assert!(!text.contains("words"), "{text}");
    }

    #[test]
    fn a_memory_has_the_kept_word_beside_all_words() {
        let text = beside_all_words(SRAM);
        assert!(text.contains("reg [7:0] words [0:3];") && text.contains("reg [7:0] word_q;"), "{text}");
        assert!(text.contains("wire pick;") && text.ends_with("endmodule\n"), "{text}");
    }

    #[test]
    fn its_inputs_are_those_of_the_module() {
        let (text, names) = inputs("  wire [7:0] \\a.sram.any ;\n  wire \\a.sram.pick ;\n  wire many;\n");
        assert_eq!(names, ["\\a.sram.any ", "\\a.sram.pick "]);
        assert_eq!(text, "  input [7:0] \\a.sram.any ;\n  input \\a.sram.pick ;\n  wire many;\n");
    }
}
