//! A unit of the user's own at each core, as a user meets it: calls, memory, counters, waveform, and units that break a rule of their pins.

#[path = "common/command.rs"]
mod command;
mod common;

use command::{ends, json, refuses, succeeds, unruly};
use common::Desk;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/own_unit").join(name)
}

/// A folder with `in.bin`, the words 0 to 1023 times 7, in which the kernels of `rogue.cu` run with the unit of `rogue.v`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        for name in ["rogue.v", "rogue.cu"] {
            std::fs::copy(source(name), folder.path().join(name)).unwrap();
        }
        let words: Vec<u8> = (0..1024).flat_map(|i| u32::to_le_bytes(7 * i)).collect();
        std::fs::write(folder.path().join("in.bin"), words).unwrap();
        Folder(folder)
    }

    fn kernel(&self, entry: &str, args: &str) -> Command {
        let buffers = "--arg in:in.bin --arg out:out.bin:4096";
        let mut command = unruly(&format!("kernel rogue.cu --entry {entry} {buffers} {args}"));
        command.current_dir(self.0.path());
        command
    }

    fn with_unit(&self, entry: &str, args: &str) -> Command {
        self.kernel(entry, &format!("--unit rogue=rogue.v --no-area {args}"))
    }

    fn out(&self) -> Vec<u32> {
        let bytes = std::fs::read(self.0.path().join("out.bin")).unwrap();
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }
}

#[test]
fn lanes_get_their_answers_and_counters_count() {
    let folder = Folder::new();
    for config in ["hwwl-micro14", "gw-fermi-b32"] {
        let args = format!("--grid 8 --block 128 --config {config} --json said.json");
        let said = succeeds(&mut folder.with_unit("sums", &args));
        let expected: Vec<u32> = (0..1024).map(|i| if 7 * i % 3 != 0 { 7 * i + 1000 * i } else { 0 }).collect();
        assert_eq!(folder.out(), expected);
        assert!(said.contains("stat_notes: 32"), "{said}");
        let unit = json(folder.0.path().join("said.json"))["unit"].clone();
        let asked = (0..1024).filter(|i| 7 * i % 3 != 0).count();
        assert_eq!((&unit["calls"], &unit["lanes"]), (&64.into(), &(asked + 1024).into()));
        // Each call is answered in two halves.
        assert_eq!((&unit["answers"], &unit["counters"]["stat_notes"]), (&64.into(), &32.into()));
    }
}

#[test]
fn the_unit_reads_and_writes_memory() {
    let folder = Folder::new();
    let said = succeeds(&mut folder.with_unit("reads", "--grid 32 --block 32"));
    assert_eq!(folder.out(), (0..1024).map(|i| 7 * (i / 32)).collect::<Vec<u32>>());
    assert!(said.contains("memory: 32 reads, 0 writes") && said.contains("stat_words: 32"), "{said}");
    let said = succeeds(&mut folder.with_unit("writes", "--grid 4 --block 32"));
    assert_eq!(folder.out(), (0..1024).map(|i| if i < 40 { 7 * i } else { 0 }).collect::<Vec<u32>>());
    assert!(said.contains("memory: 0 reads, 40 writes"), "{said}");
}

#[test]
fn a_run_is_the_same_with_another_seed_and_with_a_waveform() {
    let folder = Folder::new();
    let cycles = |args: &str| {
        succeeds(&mut folder.with_unit("reads", &format!("--grid 32 --block 32 --json said.json {args}")));
        json(folder.0.path().join("said.json"))["cycles"].as_u64().unwrap()
    };
    let plain = cycles("");
    assert_eq!(cycles("--seed 99"), plain);
    assert_eq!(cycles("--waveform unit.fst --waveform-core 3"), plain);
    assert!(std::fs::metadata(folder.0.path().join("unit.fst")).unwrap().len() > 100);
}

/// Kernel, operation, and what is said of it. The number behind the name is that of rogue.v.
const BROKEN: [(&str, u32, &str); 16] = [
    ("calls", 10, "pin answer_tag: an answer to tag 1, but no open call has it"),
    ("calls", 11, "pin answer_lanes: an answer to tag 0 without a lane"),
    ("calls", 12, "pin answer_lanes: an answer to tag 0 for lanes 20-31, but the call is of lanes 0-19"),
    ("calls", 13, "pin answer_lanes: a second answer to tag 0 for lanes 0-15"),
    ("calls", 14, "pin busy: low, although a call is open"),
    ("calls", 15, "pin answer_valid: low for 100000 cycles, with a call open (operation 15 of warp"),
    ("does -DMORE", 16, "pin request_ready: low for 100000 cycles, with a call on the pins (operation 16 of warp 1"),
    ("does", 17, "pin busy: high for 100000 cycles with nothing on the pins, and no warp is left"),
    ("calls", 18, "pin memory_size: 6, but it must be 2 to 5"),
    ("calls", 19, "pin memory_address:"),
    ("calls", 20, "pin memory_address: 4 bytes at 0x10"),
    ("calls", 21, "pin memory_tag: a read with tag 5, which another read still has"),
    ("calls", 22, "pin reply_ready: low for 100000 cycles, with data on the pins"),
    ("does", 23, "pin memory_data: it changes before memory_ready has taken the request"),
    ("does -DMORE", 24, "output memory_data follows an input within a cycle"),
    ("inputs", 3, "is read-only"),
];

#[test]
fn every_broken_rule_is_found_and_named() {
    let folder = Folder::new();
    for (kernel, operation, rule) in BROKEN {
        let (entry, more) = kernel.split_once(" -D").map_or((kernel, ""), |(entry, _)| (entry, "--define MORE"));
        // One that stays busy is found when no warp of its core is left.
        let grid = if operation == 17 { 1 } else { 30 };
        let args = format!("--grid {grid} --block 32 --define OP={operation} {more}");
        ends(&mut folder.with_unit(entry, &args), 1, &["own unit, cycle ", "rogue of core ", rule]);
    }
}

#[test]
fn what_is_wrong_with_the_options_or_the_verilog_is_said_in_one_line() {
    let folder = Folder::new();
    let launch = "--grid 1 --block 32";
    refuses(&mut folder.kernel("calls", launch), 2, &["rogue.ptx:", "calls a unit", "--unit MODULE=FILE.v"]);
    for (unit, words) in [
        ("rogue", &["MODULE=FILE.v"][..]),
        ("other=rogue.v", &["rogue.v: no module other; there is rogue"]),
        ("rogue=missing.v", &["missing.v"]),
        ("rogue=rogue.v --parameter DEPTH", &["--parameter DEPTH", "NAME=VALUE"]),
        ("rogue=rogue.v --parameter DEPTH=x", &["--parameter DEPTH=x", "no whole number"]),
        ("rogue=rogue.v --config gw-fermi-gw8", &["pairs warps", "another"]),
        ("rogue=rogue.v --waveform x.fst --waveform-core 99", &["--waveform-core 99", "the cores 0 to"]),
    ] {
        refuses(&mut folder.kernel("calls", &format!("{launch} --unit {unit}")), 2, words);
    }
    let operation = folder.with_unit("calls", &format!("{launch} --define OP=256"));
    refuses(&mut { operation }, 2, &["rogue.ptx:", "0 to 255"]);

    let good = std::fs::read_to_string(source("rogue.v")).unwrap();
    folder.write("narrow.v", &good.replace("output [5:0] answer_tag", "output [4:0] answer_tag"));
    folder.write("wide.v", &good.replace("[63:0] stat_words", "[64:0] stat_words"));
    folder.write("open.v", &good.replace("input clock, input reset,", "input clock,").replace("if (reset)", "if (0)"));
    let ports =
        ["no output answer_tag of 6 bits", "unexpected output answer_tag of 5 bits", "request_lanes 32", "busy 1"];
    for (file, words) in [
        ("narrow.v", &ports[..]),
        ("wide.v", &["output stat_words has 65 bits", "at most 64"]),
        ("open.v", &["no input port reset"]),
    ] {
        refuses(&mut folder.kernel("calls", &format!("{launch} --unit rogue={file}")), 2, words);
    }
}

#[test]
fn a_whole_program_calls_the_unit() {
    let folder = Folder::new();
    let run = |line: &str| {
        let mut command = unruly(line);
        command.current_dir(folder.0.path());
        command
    };
    std::fs::copy(source("sums.cu"), folder.0.path().join("sums.cu")).unwrap();
    succeeds(&mut run("nvcc sums.cu -o sums"));
    let unit = "--unit rogue=rogue.v --no-area";
    let said = succeeds(&mut run(&format!("exec {unit} --json said.json ./sums")));
    assert_eq!(said, "right\n");
    let unit = &json(folder.0.path().join("said.json"))["unit"];
    assert_eq!((&unit["calls"], &unit["counters"]["stat_notes"]), (&32.into(), &16.into()));
    ends(&mut run("exec ./sums"), 1, &["calls a unit", "--unit MODULE=FILE.v"]);
}

/// The page as a reader types it.
#[test]
fn the_unit_of_the_page_runs() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-unit.md")).unwrap();
    let said = Desk::new().type_page(&page);
    assert!(said.contains("unit hamming at 4 cores: 128 calls of 4096 lanes, 128 answers"), "{said}");
}

/// The unit of the page for warps of 16 lanes: the widths of its ports follow from the configuration.
#[test]
fn widths_follow_from_the_lanes_of_a_warp() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-unit.md")).unwrap();
    let narrow = page.split("```").find_map(|block| block.strip_prefix("verilog hamming.v")).unwrap();
    let narrow =
        narrow.replace("[1023:0]", "[511:0]").replace("lane < 32", "lane < 16").replace("[31:0] lanes", "[15:0] lanes");
    let narrow = narrow.replace("[31:0] request_lanes", "[15:0] request_lanes");
    let narrow = narrow.replace("[31:0] answer_lanes", "[15:0] answer_lanes");
    let kernel = page.split("```").find_map(|block| block.strip_prefix("cpp distances.cu")).unwrap();
    let folder = Folder::new();
    folder.write("hamming.v", &narrow);
    folder.write("distances.cu", kernel);
    let run = |more: &str| {
        let launch = "--grid 8 --block 128 --arg in:in.bin --arg u32:255 --arg out:out.bin:4096 --no-area";
        let mut command = unruly(&format!("kernel distances.cu --unit hamming=hamming.v {launch} {more}"));
        command.current_dir(folder.0.path());
        command
    };
    succeeds(&mut run("--set core.warp_size=16"));
    assert_eq!(folder.out(), (0..1024).map(|i: u32| (7 * i ^ 255).count_ones()).collect::<Vec<_>>());
    let words = ["no input request_a of 1024 bits", "unexpected input request_a of 512 bits"];
    refuses(&mut run(""), 2, &words);
}

/// Each example by its one command; the README has the numbers.
#[test]
fn the_examples_say_what_they_gained() {
    for (name, count) in [("combine", 1), ("probe", 2)] {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        let desk = Desk::new();
        for file in std::fs::read_dir(&example).unwrap().map(|file| file.unwrap().path()) {
            std::fs::copy(&file, desk.0.path().join(file.file_name().unwrap())).unwrap();
        }
        let output = desk.shell("make FLAGS=--no-area");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        let readme = std::fs::read_to_string(example.join("README.md")).unwrap();
        let results: Vec<_> = said.lines().filter(|line| line.ends_with("times as fast")).collect();
        assert_eq!(results.len(), count);
        results.iter().for_each(|result| assert!(readme.contains(result), "{name}: its README should say: {result}"));
    }
}
