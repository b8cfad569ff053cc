//! The SRAM that promises nothing on a collision, and the wrapper of a compiled macro that takes its place.

use crate::committed::{messages, run_in, verilog_out};
use std::path::Path;

const MACROS: &str = "macros";

/// Both modules in one program, with the same traffic; the second one is renamed.
fn bench(module: &str, ports: &str, connections: &str, body: &str) -> String {
    format!(
        "module tb;\n    reg clock = 0; always #1 clock = !clock;\n    integer n, x = 0, seed = 1;\n{ports}\
         \n    wire [23:0] one, other;\n    {module} #(.WORDS(8){}) a ({connections}, .rdata(one));\n    \
         wrapped #(.WORDS(8){}) b ({connections}, .rdata(other));\n    initial begin\n        \
         for (n = 0; n < 4000; n = n + 1) begin\n{body}\n            #2 x = x + (^one === 1'bx);\n            \
         if (one !== other) begin $display(\"differ in %0d: %h %h\", n, one, other); $finish; end\n        end\n        \
         $display(\"alike, %0d unknown\", x);\n        $finish;\n    end\nendmodule\n",
        width(module),
        width(module)
    )
}

fn width(module: &str) -> &'static str {
    if module == "sram_1r1w" {
        ", .WIDTH(24)"
    } else {
        ""
    }
}

/// What a simulation of the SRAM beside its wrapper says.
fn simulated(module: &str, ports: &str, connections: &str, body: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let wrapper = read(&verilog_out().join(MACROS).join(format!("{module}.v")));
    std::fs::write(file("wrapped.v"), wrapper.replace(&format!("module {module} "), "module wrapped ")).unwrap();
    std::fs::write(file("tb.v"), bench(module, ports, connections, body)).unwrap();
    let options = ["-g2005", "-Wall", "-y", ".", "-y", MACROS, "-o", &file("tb"), &file("tb.v"), &file("wrapped.v")];
    let built = run_in(&verilog_out(), "iverilog", &options);
    assert!(built.status.success(), "{}", messages(&built));
    let ended = run_in(&verilog_out(), "vvp", &["-n", &file("tb")]);
    String::from_utf8(ended.stdout).unwrap()
}

#[test]
fn a_word_that_is_read_as_it_is_written_is_unknown_in_the_sram_and_in_its_wrapper() {
    let ports = "    reg write = 0, read = 0; reg [2:0] to = 0, from = 0; reg [23:0] word = 0;";
    let connections = ".clock(clock), .write(write), .write_addr(to), .wdata(word), .read(read), .read_addr(from)";
    let traffic = |from: &str| {
        format!("            write = n < 8 | $random(seed); read = n > 8 & $random(seed); to = n < 8 ? n : $random(seed); {from} word = $random(seed);")
    };
    let said = simulated("sram_1r1w", ports, connections, &traffic("from = $random(seed);"));
    let unknown: u32 = said.trim().strip_prefix("alike, ").unwrap().strip_suffix(" unknown").unwrap().parse().unwrap();
    assert!(unknown > 200, "{said}");
    // Without a collision nothing is unknown behind the first read.
    let said = simulated("sram_1r1w", ports, connections, &traffic("from = to + 1;"));
    let unknown: u32 = said.trim().strip_prefix("alike, ").unwrap().strip_suffix(" unknown").unwrap().parse().unwrap();
    assert!(unknown < 20, "{said}");
}

#[test]
fn the_wrapper_of_one_port_is_the_sram() {
    let ports = "    reg en = 0, we = 0; reg [2:0] addr = 0; reg [23:0] word = 0;";
    let connections = ".clock(clock), .en(en), .we(we), .addr(addr), .wdata(word)";
    let body = "            en = n < 8 | $random(seed); we = n < 8 | $random(seed); addr = n < 8 ? n : $random(seed); word = $random(seed);";
    let said = simulated("sram_1rw", ports, connections, body);
    assert!(said.starts_with("alike, "), "{said}");
}

#[test]
fn a_unit_takes_the_wrapper_for_its_sram() {
    for (top, sram) in [("queue", "sram_1r1w"), ("hwwl_bank", "sram_1rw")] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("listing").display().to_string();
        let top_file = format!("{top}.v");
        let icarus = ["-g2005", "-Wall", "-y", MACROS, "-y", ".", "-M", &file, "-t", "null", &top_file];
        let output = run_in(&verilog_out(), "iverilog", &icarus);
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
        let read = std::fs::read_to_string(&file).unwrap();
        assert!(read.contains(&format!("{MACROS}/{sram}.v")), "{read}");
        let verilator = ["--lint-only", "-Wall", "--default-language", "1364-2005", "-y", MACROS, "-y", ".", &top_file];
        let output = run_in(&verilog_out(), "verilator", &verilator);
        assert!(output.status.success() && messages(&output).is_empty(), "{}", messages(&output));
    }
}
