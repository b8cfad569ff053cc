//! A machine without Verilator, and one without a compiler. One test, because it changes the environment.

use sim::unit::{Interface, Pin};
use std::os::unix::fs::symlink;
use std::path::Path;
use testbench::verilate::Verilator;

/// A flip-flop with synchronous reset.
const VERILOG: &str = "module flop(input clock, input reset, input d, output reg q);
    always @(posedge clock) q <= d & ~reset;
endmodule
";

#[test]
fn a_missing_tool_is_named_with_its_package() {
    let path = std::env::var_os("PATH").unwrap();
    let verilator =
        std::env::split_paths(&path).map(|d| d.join("verilator_bin")).find(|p| p.is_file()).expect("needs Verilator");
    let directory = tempfile::tempdir().unwrap();
    let [empty, tools, cache] = ["empty", "tools", "cache"].map(|name| directory.path().join(name));
    for directory in [&empty, &tools] {
        std::fs::create_dir(directory).unwrap();
    }
    let pins = Interface { inputs: vec![Pin::new("d", 1)], outputs: vec![Pin::new("q", 1)] };
    symlink(verilator, tools.join("verilator_bin")).unwrap();
    let build = |path: &Path| {
        std::env::set_var("PATH", path);
        let error = Verilator::with_cache(cache.clone()).and_then(|v| v.build("flop", VERILOG, &pins)).unwrap_err();
        assert!(error.is_missing_tool());
        error.to_string()
    };
    std::env::remove_var("VERILATOR_ROOT");
    assert_eq!(build(&empty), "Verilator not found: install it with `apt-get install verilator`");
    assert_eq!(build(&tools), "C++ compiler not found: install it with `apt-get install clang-14`");
    let left: Vec<_> = std::fs::read_dir(&cache).unwrap().collect();
    assert!(left.is_empty(), "nothing half-built stays: {left:?}");
}
