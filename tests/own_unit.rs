//! A unit of the user's own at each core or memory partition, as a user meets it: calls, memory, counters, waveform, and units that break a
//! rule of their pins.

use crate::common::command::{ends, json, refuses, succeeds, unruly};
use crate::common::Desk;
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
        for name in ["rogue.v", "rogue.cu", "spoiler.v", "spoiler.cu"] {
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
    std::os::unix::fs::symlink("real.fst", folder.0.path().join("unit.fst")).unwrap();
    assert_eq!(cycles("--waveform unit.fst --waveform-of 3"), plain);
    assert!(std::fs::metadata(folder.0.path().join("real.fst")).unwrap().len() > 100, "the link is followed");
}

/// Kernel, operation, and words of the message. The number after the name is that of rogue.v.
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
        ends(&mut folder.with_unit(entry, &args), 1, &["user unit, cycle ", "rogue of core ", rule]);
    }
}

/// Each chunk of 256 bytes begins with a rule to break, and 5 and 6 are its words 1 and 7.
fn spoil(folder: &Folder, rule: u32, args: &str) -> Command {
    let word = |i: usize| [rule, 5, 0, 0, 0, 0, 0, 6].get(i % 64).copied().unwrap_or(i as u32);
    let words: Vec<u8> = (0..1024).flat_map(|i| word(i).to_le_bytes()).collect();
    std::fs::write(folder.0.path().join("in.bin"), words).unwrap();
    let buffers = "--grid 8 --block 128 --arg in:in.bin --arg out:out.bin:4096";
    let unit = "--unit spoiler=spoiler.v --at partition --no-area";
    let mut command = unruly(&format!("kernel spoiler.cu {buffers} {unit} {args}"));
    command.current_dir(folder.0.path());
    command
}

#[test]
fn a_unit_at_each_partition_sees_the_slices_prefetches_and_reads() {
    let folder = Folder::new();
    let plain = |json: &str| {
        let mut command = spoil(&folder, 0, &format!("--json {json}"));
        succeeds(&mut command)
    };
    let said = plain("with.json");
    assert!(said.contains("unit spoiler at 6 partitions"), "{said}");
    let unit = json(folder.0.path().join("with.json"))["unit"].clone();
    // Each sector of the array is read once; the last of three prefetches is of the unit's own partition.
    assert_eq!(unit["counters"]["stat_reads"], 128);
    assert_eq!((&unit["reads"], &unit["prefetches"], &unit["prefetches_dropped"]), (&6.into(), &6.into(), &12.into()));
    assert_eq!(unit["counters"]["stat_sum"], 6 * 11);
    assert_eq!((&unit["watches_lost"], &unit["partitions"]), (&0.into(), &6.into()));
    let in_bytes = std::fs::read(folder.0.path().join("in.bin")).unwrap();
    assert_eq!(std::fs::read(folder.0.path().join("out.bin")).unwrap(), in_bytes);
    plain("again.json");
    assert_eq!(json(folder.0.path().join("again.json"))["unit"], unit);
    succeeds(&mut spoil(&folder, 0, "--waveform unit.fst --waveform-of 5"));
    assert!(std::fs::metadata(folder.0.path().join("unit.fst")).unwrap().len() > 100);
}

/// Rules that `spoiler.v` breaks, and words of the messages.
const SPOILT: [(u32, &str); 12] = [
    (1, "is no multiple of 32"),
    (2, "pin memory_address: "),
    (3, "only prefetches may be elsewhere"),
    (4, "pin memory_tag: a read with tag 3, which another read still has"),
    (5, "pin memory_address: it changes before memory_ready has taken the request"),
    (6, "pin busy: low, although a read is under way"),
    (7, "pin reply_ready: low for 100000 cycles, with data on the pins"),
    (8, "pin watch_ready: low for 100000 cycles, with an access on the pins"),
    (9, "pin busy: high for 100000 cycles with nothing on the pins, and no warp is left"),
    (10, "output reply_ready follows an input within a cycle"),
    (11, "pin memory_valid: it changes before memory_ready has taken the request"),
    (12, "pin busy: the unit goes on for 1000000 cycles, and no warp is left"),
];

#[test]
fn every_rule_broken_at_a_partition_is_found_and_named() {
    let folder = Folder::new();
    for (number, rule) in SPOILT {
        ends(&mut spoil(&folder, number, ""), 1, &["user unit, cycle ", "spoiler of partition ", rule]);
    }
}

#[test]
fn a_unit_is_refused_where_there_is_no_place_for_it() {
    let folder = Folder::new();
    for (config, words) in [
        ("iru-gtx980", "has its reorder unit there"),
        ("hwwl-micro14 --set memory.perfect=true", "has perfect memory, without partitions"),
        ("gw-fermi-b32 --set core.count=257", "more cores than watch_core can name"),
        ("hwwl-micro14 --waveform x.fst --waveform-of 6", "the partitions 0 to 5"),
    ] {
        refuses(&mut spoil(&folder, 0, &format!("--config {config}")), 2, &[words]);
    }
    let mut calls = folder.with_unit("calls", "--grid 1 --block 32 --at partition");
    refuses(&mut calls, 2, &["a unit at a memory partition has", "watch_address 64"]);
}

/// The prefetcher of the examples, under a workload of ours.
#[test]
fn a_workload_runs_with_a_prefetcher() {
    let folder = Folder::new();
    let stream = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/stream/stream.v");
    std::fs::copy(stream, folder.0.path().join("stream.v")).unwrap();
    let run = |args: &str| {
        let mut command = unruly(&format!("run backprop --size 1024 --json said.json {args}"));
        command.current_dir(folder.0.path());
        command
    };
    refuses(&mut run("--unit stream=stream.v"), 2, &["the kernels of backprop call no unit", "--at partition"]);
    let said = succeeds(&mut run("--unit stream=stream.v --at partition --no-area --against thread"));
    assert!(said.contains("unit stream at 6 partitions") && said.contains("with stream over"), "{said}");
    let all = json(folder.0.path().join("said.json"));
    assert_eq!(all["unit_clocks"][0]["path_fo4"], serde_json::Value::Null, "a clock that nobody measured");
    assert!(all.get("speedup_in_time").is_none() && !said.contains("speedup in time"));
    assert!(all["unit"]["prefetches"].as_u64().unwrap() > 100, "{}", all["unit"]);
    assert!(all["against"][0].get("unit").is_none());
    let prefetches = |run: &serde_json::Value| run["statistics"]["l2"]["prefetches"].as_u64().unwrap();
    assert_eq!(all["unit"]["prefetches"], prefetches(&all));
    assert_eq!(prefetches(&all["against"][0]), 0);
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
        ("rogue=rogue.v --waveform x.fst --waveform-of 99", &["--waveform-of 99", "the cores 0 to"]),
    ] {
        refuses(&mut folder.kernel("calls", &format!("{launch} --unit {unit}")), 2, words);
    }
    refuses(&mut unruly("cosim --unit rogue=rogue.v"), 2, &["--unit rogue=rogue.v", "--model FILE.cpp"]);
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
    let runs = said.matches("unit hamming at 4 cores: 128 calls of 4096 lanes, 128 answers").count();
    assert_eq!((runs, said.matches("stat_calls: 128").count()), (3, 3), "{said}");
    let compared = said.lines().find(|line| line.contains("lock-step of RTL")).unwrap();
    assert!(compared.ends_with("pin comparisons, 0 mismatches") && !compared.contains(" 0 pin"), "{compared}");
}

/// The examples under stimulus that no kernel makes.
#[test]
fn units_equal_their_models_under_all_that_the_rules_allow() {
    let folder = Folder::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let cosim = |name: &str, args: &str| {
        let file = |ending: &str| examples.join(name).join(format!("{name}.{ending}")).display().to_string();
        let unit = format!("--unit {name}={} --model {}", file("v"), file("cpp"));
        let mut command = unruly(&format!("cosim {unit} --cycles 100000 --evidence seen {args}"));
        command.current_dir(folder.0.path());
        command
    };
    for (name, args) in [("combine", "--call 0"), ("probe", "--call 1 --do 0"), ("stream", "--at partition")] {
        let said = succeeds(&mut cosim(name, args));
        assert!(said.starts_with(&format!("{name}: 100000 cycles, ")) && said.contains(", 0 mismatches;"), "{said}");
        // Coverage points that the unit cannot have, as reads of one that reads nothing.
        let never: Vec<_> = said.lines().filter(|line| line.ends_with("            0")).map(str::trim).collect();
        let expected = match name {
            "combine" => 7,
            _ => 4,
        };
        assert_eq!(never.len(), expected, "{said}");
    }
    refuses(&mut cosim("combine", ""), 2, &["nobody calls it", "--call OP"]);
    refuses(&mut cosim("combine", "--call 256"), 2, &["256"]);
    folder.write("own.v", "module own(); endmodule");
    let mut overwrites = unruly("cosim --unit own=own.v --model own.cpp --call 0 --json own.v");
    refuses(overwrites.current_dir(folder.0.path()), 2, &["--json own.v", "is the same file as own.v"]);
}

/// A file that Verilog, model or kernel includes or reads is as safe from a command's outputs as the files that the line names.
#[test]
fn nothing_that_is_included_is_overwritten() {
    let folder = Folder::new();
    let files = [
        (
            "unit.v",
            "`include \"unit.vh\"\nmodule unit(); reg [7:0] m [0:1]; initial $readmemh(\"m.hex\", m); endmodule",
        ),
        ("unit.vh", "`define W 1\n"),
        ("m.hex", "1 2"),
        ("unit.cpp", "#include \"unit.h\"\nstruct unit { };"),
        ("unit.h", "#include \"deep.h\"\n"),
        ("deep.h", "// nothing\n"),
        ("k.cu", "#include \"k.h\"\n__global__ void k(int *a) { *a = 1; }"),
        ("k.h", "#define ONE 1\n"),
    ];
    files.iter().for_each(|(name, text)| folder.write(name, text));
    let kernel = "kernel k.cu --grid 1 --block 32 --unit unit=unit.v";
    let lines = [
        (format!("{kernel} --arg buf:4 --waveform unit.vh"), "--waveform unit.vh", "unit.vh"),
        (format!("{kernel} --arg buf:4 --waveform m.hex"), "--waveform m.hex", "m.hex"),
        (format!("{kernel} --arg buf:4 --waveform o.fst --ptx ./o.fst"), "--waveform o.fst", "./o.fst"),
        (format!("{kernel} --arg out:o.fst:4 --waveform o.fst"), "--arg out:o.fst:4", "o.fst"),
        (format!("{kernel} --arg out:unit.vh:4"), "--arg out:unit.vh:4", "unit.vh"),
        (format!("{kernel} --arg out:k.h:4"), "--arg out:k.h:4", "k.h"),
        (format!("{kernel} --arg buf:4 --ptx k.h"), "--ptx k.h", "k.h"),
        (format!("{kernel} --arg buf:4 --model unit.cpp --ptx deep.h"), "--ptx deep.h", "deep.h"),
        (format!("{kernel} --arg buf:4 --model unit.cpp --ptx unit.cpp"), "--ptx unit.cpp", "unit.cpp"),
        (
            format!("{kernel} --arg buf:4 --json unit.vh"),
            "--json unit.vh",
            "unit.vh: is there, and is no result of unruly",
        ),
        (
            "run bfs --graph gen:grid:4x4 --at partition --unit unit=unit.v --waveform unit.v".into(),
            "--waveform unit.v",
            "unit.v",
        ),
        ("exec --unit unit=unit.v --waveform ./m.hex true".into(), "--waveform ./m.hex", "m.hex"),
        ("exec --unit unit=unit.v --stats unit.vh true".into(), "--stats unit.vh", "unit.vh"),
    ];
    for (line, label, other) in lines {
        refuses(unruly(&line).current_dir(folder.0.path()), 2, &[label, other]);
        for (name, text) in files {
            assert_eq!(std::fs::read_to_string(folder.0.path().join(name)).unwrap(), text, "{line}");
        }
        assert!(!folder.0.path().join("o.fst").exists(), "{line}");
    }
}

/// A model that is wrong, and files that are no model.
#[test]
fn what_differs_from_the_model_is_named_with_cycle_and_pin() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-unit.md")).unwrap();
    let block = |head: &str| page.split("```").find_map(|block| block.strip_prefix(head)).unwrap();
    let (verilog, kernel, model) = (block("verilog hamming.v"), block("cpp distances.cu"), block("cpp hamming.cpp"));
    let folder = Folder::new();
    folder.write("hamming.v", verilog);
    folder.write("distances.cu", kernel);
    let run = |unit: &str| {
        let launch = "--grid 8 --block 128 --arg in:in.bin --arg u32:255 --arg out:out.bin:4096 --no-area";
        let mut command = unruly(&format!("kernel distances.cu {launch} --unit {unit}"));
        command.current_dir(folder.0.path());
        command
    };
    let changed = |from: &str, to: &str| {
        assert!(model.contains(from));
        folder.write("model.cpp", &model.replace(from, to));
        run("hamming=hamming.v --model model.cpp --evidence seen")
    };
    let late = changed("out.request_ready = !out.answer_valid", "out.request_ready = true");
    ends(
        &mut { late },
        1,
        &["user unit, cycle ", "hamming of core ", "pin request_ready is 0x1 in the model and 0x0 in the RTL"],
    );
    let seen: Vec<_> = std::fs::read_dir(folder.0.path().join("seen")).unwrap().collect();
    assert_eq!(seen.len(), 2, "{seen:?}");
    let wrong = changed("request_b[lane])", "request_b[lane]) + (in.request_warp == 3)");
    ends(&mut { wrong }, 1, &["pin answer_data is "]);
    let counted = changed("stat_calls++", "stat_calls += 2");
    ends(&mut { counted }, 1, &["pin stat_calls is 0x2 in the model and 0x1 in the RTL"]);
    let thrown = changed("stat_calls++", "throw std::runtime_error(\"no call today\")");
    ends(&mut { thrown }, 2, &["hamming: the C++ compiler does not take the model", "runtime_error"]);
    let thrown = changed("stat_calls++", "throw \"text\"");
    ends(&mut { thrown }, 1, &["throws something that is no std::exception"]);
    folder.write(
        "throws.cpp",
        &format!(
            "#include <stdexcept>\n{}",
            model.replace("stat_calls++", "throw std::runtime_error(\"no call today\")")
        ),
    );
    for unit in ["hamming=throws.cpp", "hamming=hamming.v --model throws.cpp"] {
        ends(&mut run(unit), 1, &["hamming of core ", "no call today"]);
    }
    let cosim = |unit: &str| {
        let mut command = unruly(&format!("cosim --unit {unit} --call 0 --cycles 1e5 --evidence seen"));
        command.current_dir(folder.0.path());
        command
    };
    changed("stat_calls++", "++stat_calls");
    succeeds(&mut cosim("hamming=hamming.v --model model.cpp"));
    changed("out.answer_tag = in.request_tag", "out.answer_tag = in.request_tag & 31");
    ends(&mut cosim("hamming=hamming.v --model model.cpp"), 1, &["pin answer_tag is ", "in the RTL"]);
    // Both break the same rule.
    changed("out.busy = out.answer_valid", "out.busy = false");
    folder.write("idle.v", &verilog.replace("busy = full", "busy = 0"));
    ends(&mut cosim("hamming=idle.v --model model.cpp"), 1, &["busy is low, although a call is open"]);
    refuses(&mut run("other=throws.cpp"), 2, &["throws.cpp: no class other"]);
    refuses(&mut run("hamming=throws.cpp --waveform x.fst"), 2, &["only Verilog has a waveform"]);
}

/// A unit may look at the lanes that call: what is in two branches stays two calls.
#[test]
fn calls_in_two_branches_stay_two() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-unit.md")).unwrap();
    let folder = Folder::new();
    folder.write("hamming.v", page.split("```").find_map(|block| block.strip_prefix("verilog hamming.v")).unwrap());
    let branches = "if (i & 1) out[i] = unit_call<0>(in[i], 0) * 3; else out[i] = unit_call<0>(in[i], 0) + 1;";
    let drops = "unit_call<0>(in[i], 0); unit_call<0>(in[i], 0);";
    let body = format!("unsigned i = threadIdx.x; {branches} {drops}");
    let kernel = format!("__global__ void k(const unsigned *in, unsigned *out) {{ {body} }}");
    folder.write("branches.cu", &format!("extern \"C\" {kernel}"));
    folder.write("program.cu", &format!("#include <unruly.h>\n{kernel} int main() {{ unsigned *p; cudaMalloc(&p, 512); k<<<1, 64>>>(p, p + 64); return cudaDeviceSynchronize(); }}"));
    let run = |line: &str| {
        let mut command = unruly(line);
        command.current_dir(folder.0.path());
        succeeds(&mut command)
    };
    let unit = "--unit hamming=hamming.v --no-area --json said.json";
    let calls = || json(folder.0.path().join("said.json"))["unit"]["calls"].clone();
    run(&format!("kernel branches.cu --grid 1 --block 64 --arg in:in.bin --arg out:out.bin:256 {unit}"));
    assert_eq!(calls(), 2 * 4);
    let expected: Vec<u32> = (0..64).map(|i: u32| (7 * i).count_ones()).collect();
    let expected: Vec<u32> = (0..).zip(expected).map(|(i, n)| if i % 2 == 1 { 3 * n } else { n + 1 }).collect();
    assert_eq!(folder.out(), expected);
    run("nvcc program.cu -o program");
    run(&format!("exec {unit} ./program"));
    assert_eq!(calls(), 2 * 4);
}

/// The unit of the page with a number of an included file and one of a memory's file, run from the folder above.
#[test]
fn what_a_unit_includes_and_reads_is_found_beside_it_and_a_change_of_it_is_seen() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/own-unit.md")).unwrap();
    let block = |name: &str| page.split("```").find_map(|block| block.strip_prefix(name)).unwrap();
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.path().join("rtl/deep")).unwrap();
    let more =
        "`include `MORE\n    reg [31:0] rom [0:1]; initial $readmemh(\"deep/rom.hex\", rom);\n    // The call at hand.";
    let unit = block("verilog hamming.v").replacen("    // The call at hand.", more, 1);
    let unit = unit.replacen("<= ones(", "<= STEP + rom[1] + ones(", 1);
    folder.write("rtl/hamming.v", &format!("`define MORE \"deep/more.vh\"\n{unit}"));
    folder.write("rtl/deep/more.vh", "`include \"../step.vh\"\n");
    folder.write("distances.cu", block("cpp distances.cu"));
    let run = || {
        let launch = "--grid 8 --block 128 --arg in:in.bin --arg u32:255 --arg out:out.bin:4096 --no-area";
        let mut command = unruly(&format!("kernel distances.cu --unit hamming=rtl/hamming.v {launch}"));
        command.current_dir(folder.0.path());
        command
    };
    for (step, word) in [(100, 0x1000), (200, 0x3000)] {
        folder.write("rtl/step.vh", &format!("localparam STEP = {step};\n"));
        folder.write("rtl/deep/rom.hex", &format!("0\n{word:x}\n"));
        succeeds(&mut run());
        let expected: Vec<u32> = (0..1024).map(|i: u32| (7 * i ^ 255).count_ones() + step + word).collect();
        assert_eq!(folder.out(), expected);
    }
    // Where the user is, nothing is looked for.
    std::fs::create_dir(folder.0.path().join("deep")).unwrap();
    for (file, words) in [
        ("rom.hex", ["rtl/hamming.v:", "there is no file deep/rom.hex beside the Verilog"]),
        ("more.vh", ["rtl/hamming.v:", "Cannot find include file: deep/more.vh"]),
    ] {
        let [from, to] = ["rtl/deep", "deep"].map(|place| folder.0.path().join(place).join(file));
        std::fs::rename(from, to).unwrap();
        refuses(&mut run(), 2, &words);
    }
}

#[test]
fn a_unit_that_is_never_called_is_said() {
    let folder = Folder::new();
    folder.write("plain.cu", "extern \"C\" __global__ void plain(const unsigned *in, unsigned *out) { *out = *in; }");
    let text = "kernel plain.cu --grid 1 --block 32 --arg in:in.bin --arg out:out.bin:4 --unit rogue=rogue.v --no-area";
    let mut command = unruly(text);
    command.current_dir(folder.0.path());
    ends(&mut command, 1, &["unit rogue at 4 cores: no kernel called it in ", "cycles"]);
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
    for (name, count) in [("combine", 1), ("probe", 2), ("stream", 2)] {
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
        let output = desk.shell("make lockstep");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains("pin comparisons, 0 mismatches") && !said.contains(" 0 pin comparisons"), "{said}");
    }
}
