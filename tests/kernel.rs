//! `unruly kernel` as a user meets it: kernels from PTX and CUDA C++, buffers in and out, what is said of kernels that go wrong.

use crate::common::command::{self, stderr, unruly};
use crate::common::interrupt::interrupt;
use crate::common::Desk;
use serde_json::Value;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder in which the command runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(name), bytes).unwrap();
        self
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            std::fs::read_dir(self.0.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn words(&self, name: &str) -> Vec<u32> {
        let bytes = std::fs::read(self.path(name)).unwrap();
        bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        self.words(name).into_iter().map(f32::from_bits).collect()
    }

    fn json(&self, name: &str) -> Value {
        command::json(self.path(name))
    }

    fn command(&self, args: &str) -> Command {
        let mut command = unruly(&format!("kernel {args}"));
        command.current_dir(self.0.path());
        command
    }

    fn succeeds(&self, args: &str) -> String {
        command::succeeds(&mut self.command(args))
    }

    /// Ends with `code` and says all of `words`.
    fn fails(&self, args: &str, code: i32, words: &[&str]) -> String {
        command::ends(&mut self.command(args), code, words)
    }

    fn refuses(&self, args: &str, code: i32, words: &[&str]) {
        command::refuses(&mut self.command(args), code, words);
    }
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// y[i] = a * x[i] + y[i] for i < n
const SAXPY: &str = ".version 3.2
.target sm_35
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
.reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;
setp.ge.u32 %p, %r5, %r1;
@%p ret;
mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
ld.global.f32 %f2, [%rd4];
ld.global.f32 %f3, [%rd5];
fma.rn.f32 %f3, %f1, %f2, %f3;
st.global.f32 [%rd5], %f3;
ret;
}
";

fn saxpy() -> Folder {
    let x = bytes((0..100).map(|i| (i as f32).to_bits()));
    let y = bytes((0..100).map(|_| 1f32.to_bits()));
    Folder::new().with("saxpy.ptx", SAXPY).with("x.bin", x).with("y.bin", y)
}

#[test]
fn buffers_go_in_and_results_come_out() {
    let folder = saxpy();
    let said = folder.succeeds(
        "saxpy.ptx --entry saxpy --config hwwl-micro14 --grid 2 --block 64 --arg u32:100 --arg f32:0.5 --arg in:x.bin \
         --arg inout:y.bin --json result.json",
    );
    let expected: Vec<f32> = (0..100).map(|i| 0.5 * i as f32 + 1.0).collect();
    assert_eq!(folder.floats("y.bin"), expected);
    assert!(said.contains("saxpy") && said.contains("cycles"), "{said}");
    let result = folder.json("result.json");
    assert_eq!(result["kernel"], "saxpy");
    assert_eq!(result["block"], serde_json::json!([64, 1, 1]));
    // 100 threads execute all but the guarded `ret`, 28 end with it.
    assert_eq!(result["thread_instructions"], 100 * 17 + 28 * 10);
    assert!(result["cycles"].as_u64().unwrap() > 100);
    assert!(result["statistics"]["dram"].is_object());
    assert_eq!(folder.names(), ["result.json", "saxpy.ptx", "x.bin", "y.bin"]);
}

#[test]
fn a_buffer_of_results_begins_with_zeros() {
    let folder = saxpy();
    folder.succeeds("saxpy.ptx --grid 1 --block 32 --arg u32:7 --arg f32:2 --arg in:x.bin --arg out:z.bin:40");
    assert_eq!(folder.floats("z.bin"), [0., 2., 4., 6., 8., 10., 12., 0., 0., 0.]);
}

/// Each kind of output finds each kind of thing at its place.
#[test]
fn outputs_keep_what_they_find() {
    let folder = Folder::new().with("five.cu", "__global__ void five(int* out) { *out = 5; }").with("real", "AAAA");
    let shell = |script: &str| {
        assert!(Command::new("sh").args(["-c", script]).current_dir(folder.0.path()).status().unwrap().success())
    };
    shell("chmod 640 real; ln -s real link; mkfifo pipe");
    let kind = |name: &str| std::fs::symlink_metadata(folder.path(name)).unwrap().file_type();
    let run =
        |name: &str, options: &str| folder.command(&format!("five.cu --grid 1 --block 1 --arg out:{name}:4 {options}"));
    let outputs = [("link", ""), ("o", "--ptx link"), ("o", "--json link")];
    for (name, options) in outputs {
        // JSON takes the place of a result alone.
        let old = if options.contains("json") { "{\"schema\": 1, \"command\": []}" } else { "AAAA" };
        std::fs::write(folder.path("real"), old).unwrap();
        command::succeeds(&mut run(name, options));
        assert!(kind("link").is_symlink(), "{options}");
        assert_ne!(std::fs::read_to_string(folder.path("real")).unwrap(), old, "{options}");
        let mode = std::fs::metadata(folder.path("real")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{options}");
    }
    for (name, options) in [("pipe", ""), ("o", "--ptx pipe"), ("o", "--json pipe")] {
        let reader = Command::new("cat").arg(folder.path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
        command::succeeds(&mut run(name, options));
        assert!(!reader.wait_with_output().unwrap().stdout.is_empty(), "{options}");
        assert!(kind("pipe").is_fifo(), "{options}");
    }
    folder.refuses("five.cu --grid 1 --block 1 --arg out:a/b/o:4", 2, &["there is no folder a; make it first"]);
    let made = command::ends(&mut run("new/o", ""), 0, &["unruly: made the folder new"]);
    assert_eq!(made.lines().count(), 1);
    assert_eq!(folder.words("new/o"), [5]);
    assert_eq!(folder.names(), ["five.cu", "link", "new", "o", "pipe", "real"], "nothing else is left");
}

#[test]
fn arguments_are_checked_against_the_parameters() {
    let folder = saxpy();
    let with = |args: &str, words: &[&str]| {
        folder.refuses(&format!("saxpy.ptx --grid 1 --block 32 {args}"), 2, words);
    };
    let rest = "--arg in:x.bin --arg inout:y.bin";
    with("--arg u32:1", &["takes 4 parameters", "u32 or s32; f32; u64", "1 --arg"]);
    with(&format!("--arg f32:1 --arg f32:1 {rest}"), &["--arg f32:1", "parameter 1", "`saxpy`", "u32 or s32"]);
    with(&format!("--arg u64:1 --arg f32:1 {rest}"), &["--arg u64:1", "parameter 1", "u32 or s32"]);
    with(&format!("--arg u32:1 --arg u32:1 {rest}"), &["parameter 2", "takes f32"]);
    with(&format!("--arg in:x.bin --arg f32:1 {rest}"), &["--arg in:x.bin", "parameter 1"]);
    with("--arg u32:4294967296", &["--arg u32:4294967296", "does not fit"]);
    with("--arg u8:-1", &["--arg u8:-1", "does not fit"]);
    with("--arg f32:one", &["--arg f32:one", "must be a number"]);
    with("--arg f32:1e400", &["--arg f32:1e400", "too large for 32 bits"]);
    with("--arg 5", &["--arg 5", "KIND:VALUE"]);
    with("--arg i32:5", &["--arg i32:5", "s32"]);
    with("--arg in:missing.bin", &["--arg in:missing.bin", "cannot read"]);
    with("--arg out:z.bin", &["--arg out:z.bin", "out:FILE:BYTES"]);
    with("--arg out:z.bin:0", &["--arg out:z.bin:0", "bytes"]);
    with("--arg u32:1 --arg f32:1 --arg in:x.bin --arg out:no/such/z.bin:8", &["no/such/z.bin", "cannot write"]);
    with("--arg u32:1 --arg f32:1 --arg inout:y.bin --arg inout:y.bin", &["--arg inout:y.bin", "same file"]);
    let launch = |args: &str, words: &[&str]| {
        folder.refuses(&format!("{args} --arg u32:1 --arg f32:1 {rest}"), 2, words);
    };
    launch("saxpy.ptx --grid 0 --block 32", &["--grid 0"]);
    launch("saxpy.ptx --grid 1 --block 1,2,3,4", &["--block 1,2,3,4"]);
    launch("saxpy.ptx --grid 1 --block 4096", &["block", "4096", "at most 1024"]);
    launch("saxpy.ptx --grid 1 --block 32 --shared 1000000", &["shared memory", "1000000"]);
    launch("saxpy.ptx --grid 1 --block 32 --entry nothing", &["`nothing`", "`saxpy`"]);
    launch("saxpy.ptx --grid 1 --block 32 --config nothing", &["nothing", "hwwl-micro14"]);
    launch("missing.ptx --grid 1 --block 32", &["missing.ptx", "cannot read"]);
    launch("missing.cu --grid 1 --block 32", &["missing.cu", "cannot read"]);
    launch("x.bin --grid 1 --block 32", &["x.bin", ".cu", ".ptx"]);
    assert_eq!(folder.names(), ["saxpy.ptx", "x.bin", "y.bin"]);
}

#[test]
fn an_access_outside_is_explained_and_leaves_the_files_alone() {
    let folder = saxpy();
    let before = folder.words("y.bin");
    folder.refuses(
        "saxpy.ptx --grid 4 --block 32 --arg u32:128 --arg f32:1 --arg in:x.bin --arg inout:y.bin",
        1,
        &[
            "saxpy.ptx:12",
            "kernel `saxpy`",
            "CTA (3,0,0), thread (4,0,0)",
            "load in global memory: 4 bytes at 0xc0000190",
            "of 400 bytes",
            "`--arg in:x.bin`",
        ],
    );
    assert_eq!(folder.words("y.bin"), before);
    let misaligned = SAXPY.replace("[%rd4]", "[%rd4+2]");
    let folder = saxpy().with("saxpy.ptx", misaligned);
    let args = "saxpy.ptx --grid 1 --block 32 --arg u32:9 --arg f32:1 --arg in:x.bin --arg out:z.bin:36";
    let words = ["saxpy.ptx:12", "thread (0,0,0)", "0xc0000002 is not a multiple of the 4 bytes accessed"];
    folder.refuses(args, 1, &words);
    assert_eq!(folder.names(), ["saxpy.ptx", "x.bin", "y.bin"]);
}

#[test]
fn a_buffer_of_input_is_read_only() {
    let folder = saxpy();
    let before = folder.words("y.bin");
    let args = "saxpy.ptx --grid 1 --block 32 --arg u32:7 --arg f32:2 --arg in:x.bin --arg in:y.bin";
    let words = [
        "saxpy.ptx:15",
        "thread (0,0,0)",
        "store in global memory: 0xc0000600 is read-only",
        "`--arg in:y.bin`",
        "inout:",
    ];
    folder.refuses(args, 1, &words);
    assert_eq!(folder.words("y.bin"), before);
    // An atomic too, though it changes nothing.
    let atomic = SAXPY.replace("st.global.f32 [%rd5], %f3", "atom.global.add.u32 %r1, [%rd5], 0");
    saxpy().with("saxpy.ptx", atomic).refuses(args, 1, &["atomic in global memory", "`--arg in:y.bin`"]);
}

/// out[0] = s.b, out[1] = s.c, of struct { unsigned *out; unsigned b; unsigned char c; }
const STRUCTURE: &str = ".visible .entry k(.param .align 8 .b8 s[16])
{
.reg .b64 %o; .reg .b32 %w; .reg .b16 %h;
ld.param.u64 %o, [s]; ld.param.u32 %w, [s+8]; ld.param.u8 %h, [s+12]; cvt.u32.u16 %w, %h;
ld.param.u32 %w, [s+8]; st.global.u32 [%o], %w; cvt.u32.u16 %w, %h; st.global.u32 [%o+4], %w;
ret;
}
";

#[test]
fn a_structure_is_built_from_its_parts() {
    let folder = Folder::new().with("k.ptx", STRUCTURE);
    folder.succeeds("k.ptx --grid 1 --block 1 --arg struct:out:o.bin:8,u32:7,u8:9");
    assert_eq!(folder.words("o.bin"), [7, 9]);
    let refuses =
        |arg: &str, words: &[&str]| folder.refuses(&format!("k.ptx --grid 1 --block 1 --arg {arg}"), 2, words);
    let takes = "parameter 1 of kernel `k` takes a structure of 16 bytes (struct:PART,... or value:FILE)";
    refuses("struct:out:o.bin:8,u64:7,u8:9", &[takes, "not one of 24"]);
    refuses("u64:7", &[takes]);
    refuses("struct:out:o.bin:8,7", &["--arg struct:out:o.bin:8,7: `7`: write KIND:VALUE"]);
    refuses("buf:0", &["--arg buf:0: a buffer has 1 to"]);
    // A structure of one member is that member.
    let one = STRUCTURE
        .replace("s[16]", "s[8]")
        .replace("ld.param.u32 %w, [s+8];", "mov.u32 %w, 5;")
        .replace("ld.param.u8 %h, [s+12]", "mov.u16 %h, 6");
    let folder = Folder::new().with("k.ptx", one);
    folder.succeeds("k.ptx --grid 1 --block 1 --arg out:o.bin:8");
    assert_eq!(folder.words("o.bin"), [5, 6]);
    folder.refuses("k.ptx --grid 1 --block 1 --arg u64:0", 1, &["0x0", "lie in no allocation"]);
}

/// `add` adds to a word; `down` takes one from it and counts in another.
const STEPS: &str = ".visible .entry add(.param .u64 to, .param .u32 n)
{
.reg .b64 %p; .reg .b32 %r<3>;
ld.param.u64 %p, [to]; ld.param.u32 %r1, [n]; atom.global.add.u32 %r2, [%p], %r1;
ret;
}
.visible .entry down(.param .u64 from, .param .u64 counts)
{
.reg .b64 %p<3>; .reg .b32 %r<3>;
ld.param.u64 %p1, [from]; ld.param.u64 %p2, [counts];
atom.global.add.u32 %r1, [%p1], -1; atom.global.add.u32 %r1, [%p2], 1;
ret;
}
";

const PLAN: &str = r#"
[buffers]
flag = "buf:4"
left = "buf:4"
sum = "inout:sum.bin"
[[launch]]
kernel = "add"
grid = [2, 1]
block = 1
args = ["left", "u32:3"]
[[launch]]
kernel = "down"
grid = 1
block = 1
args = ["left", "sum"]
repeat = "while left"
[[launch]]
kernel = "add"
grid = 1
block = 1
args = ["sum", "u32:10+100"]
repeat = 4
[[launch]]
kernel = "down"
grid = 1
block = 1
args = ["left", "sum"]
clear = ["left"]
[[launch]]
kernel = "add"
grid = 1
block = 1
args = ["flag", "u32:0+1"]
repeat = "until flag"
"#;

#[test]
fn launches_of_a_file_follow_each_other_and_are_repeated() {
    let folder = Folder::new().with("k.ptx", STEPS).with("plan.toml", PLAN).with("sum.bin", bytes([1000]));
    let said = folder.succeeds("k.ptx --launches plan.toml --json result.json");
    // Six from the first launch, one by one; 10, 110, 210 and 310; once more.
    assert_eq!(folder.words("sum.bin"), [1000 + 6 + 640 + 1]);
    assert!(said.contains("down: 6 launches") && said.contains("add: 4 launches"), "{said}");
    assert!(said.contains("add: 2 launches"), "{said}");
    let result = folder.json("result.json");
    let launches = result["launches"].as_array().unwrap();
    let names: Vec<_> = launches.iter().map(|launch| launch["kernel"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["add", "down", "down", "down", "down", "down", "down", "add", "add", "add", "add", "down", "add", "add"]
    );
    assert_eq!(launches[0]["grid"], serde_json::json!([2, 1, 1]));
    let cycles: u64 = launches.iter().map(|launch| launch["cycles"].as_u64().unwrap()).sum();
    assert_eq!(result["cycles"], cycles);
    assert_eq!(result["statistics"]["launches"], 14);
}

#[test]
fn a_file_of_launches_that_makes_no_sense_is_refused() {
    let folder = Folder::new().with("k.ptx", STEPS).with("sum.bin", bytes([0]));
    for (from, to, words) in [
        ("grid = 1\n", "grid = 0\n", &["plan.toml: launch 2: grid 0: write one to three numbers"][..]),
        ("grid = [2, 1]", "grid = \"x\"", &["plan.toml: line 8: ", "[16, 16]"]),
        ("grid = [2, 1]\n", "", &["plan.toml: line 6: missing field `grid`"]),
        ("block = 1\n", "blocks = 1\n", &["plan.toml: line 9: unknown field `blocks`"]),
        ("while left", "while right", &["launch 2: repeat: there is no buffer `right`; there are flag, left, sum"]),
        ("while", "unless", &["launch 2: repeat: \"unless left\": write how often, \"while BUFFER\""]),
        ("repeat = 4", "repeat = 0", &["launch 3: repeat: 0: write a number from 1 on"]),
        ("left = \"buf:4\"", "left = \"buf:2\"", &["launch 2: repeat: the buffer `left` has no word of 4 bytes"]),
        ("left = \"buf:4\"", "left = \"u32:4\"", &["plan.toml: buffer left = \"u32:4\": write in:FILE"]),
        ("inout:sum.bin", "in:none.bin", &["plan.toml: buffer sum = \"in:none.bin\": cannot read"]),
        ("\"u32:3\"", "\"u33:3\"", &["launch 1: argument 2, \"u33:3\": write KIND:VALUE"]),
        ("\"u32:3\"", "\"in:sum.bin\"", &["launch 1: argument 2", "give the buffer a name in [buffers]"]),
        ("\"u32:3\"", "\"sum\"", &["launch 1: argument 2, \"sum\": parameter 2 of kernel `add` takes u32 or s32"]),
        (", \"u32:3\"", "", &["launch 1: kernel `add` takes 2 parameters", "there are 1 args"]),
        ("kernel = \"add\"", "", &["launch 1: k.ptx: there are several kernels", "kernel = "]),
        ("\"add\"", "\"sub\"", &["launch 1: k.ptx: there is no kernel `sub`; there is `add`, `down`"]),
        ("clear = [\"left\"]", "clear = [\"right\"]", &["launch 4: clear: there is no buffer `right`"]),
        (
            "left = \"buf:4\"",
            "left = \"in:sum.bin\"",
            &["plan.toml: buffer sum = \"inout:sum.bin\": is the same file as sum.bin"],
        ),
        ("left = \"buf:4\"", "left = \"in:left.bin\"", &["launch 4: clear: `left` is an in: buffer", "inout: or buf:"]),
        ("u32:10+100", "u32:10+4294967200", &["launch 3: argument 2", "does not fit the type"]),
    ] {
        assert!(PLAN.contains(from), "{from}");
        let folder = Folder::new().with("k.ptx", STEPS).with("sum.bin", bytes([0])).with("left.bin", bytes([0]));
        let folder = folder.with("plan.toml", PLAN.replacen(from, to, 1));
        folder.refuses("k.ptx --launches plan.toml", 2, words);
        assert_eq!(folder.words("sum.bin"), [0]);
    }
    let args = "k.ptx --launches plan.toml";
    folder.refuses(args, 2, &["plan.toml: cannot read"]);
    folder.with("plan.toml", "[buffers]\n").refuses(args, 2, &["plan.toml: there is no [[launch]]"]);
}

#[test]
fn rtl_of_nothing_is_refused() {
    let folder = saxpy();
    let args = "saxpy.ptx --grid 1 --block 32 --arg u32:7 --arg f32:2 --arg in:x.bin --arg inout:y.bin";
    for units in ["rtl", "lockstep"] {
        let what = format!("--units {units}: saxpy.ptx uses no hardware unit on hwwl-micro14");
        folder.refuses(&format!("{args} --units {units}"), 2, &[&what, "wlpull", "gw-fermi-gw8"]);
    }
}

/// Files and commands of docs/own-kernel.md, in their order and unchanged.
#[test]
fn the_tutorial_works_as_it_stands() {
    let desk = Desk::new();
    let said = desk.type_page(include_str!("../docs/own-kernel.md"));
    assert!(said.contains("components: 1 launch,") && said.contains("first: 1 launch,"), "{said}");
    assert!(said.contains(" pin comparisons, 0 mismatches"), "{said}");
    let folder = Folder(desk.0);
    let result = folder.json("bfs.json");
    let launches = result["launches"].as_array().unwrap();
    let levels = folder.words("dist.bin").into_iter().filter(|&distance| distance != u32::MAX).max().unwrap();
    // One that finds the first level, and one for each level that may lead to another.
    assert_eq!(launches.len(), 1 + levels as usize);
    // The page's check can fail.
    let desk = Desk(folder.0);
    let wrong = desk.shell("python3 graph.py && python3 check.py dist.bin");
    assert!(!wrong.status.success() && stderr(&wrong).contains("nodes are wrong"), "{}", stderr(&wrong));
    // The hardware is faster than the search without it.
    let folder = Folder(desk.0);
    folder.succeeds("topo.cu --launches topo.toml --json topo.json");
    let cycles = |file: &str| folder.json(file)["statistics"]["cycles"].as_u64().unwrap();
    assert!(cycles("bfs.json") < cycles("topo.json"), "{} cycles, {}", cycles("bfs.json"), cycles("topo.json"));
}

/// A folder of the user's own has the headers, and its own come first.
#[test]
fn the_headers_are_found_from_any_folder() {
    let source = "#include \"worklist.h\"\n#include \"mapping.h\"\n#include \"frontier.h\"\n#include \"own.h\"
__global__ void k(unsigned *out) { out[0] = is_work(5) + OWN + warp_width(); }";
    let folder = Folder::new().with("k.cu", source).with("own.h", "#define OWN 100\n");
    folder.succeeds("k.cu --define HARDWARE_WORKLIST --grid 1 --block 1 --arg out:o.bin:4");
    assert_eq!(folder.words("o.bin"), [133]);
}

#[test]
fn one_of_several_kernels() {
    let kernel = |name: &str, value: u32| {
        format!(
            ".visible .entry {name}(.param .u64 out) {{ .reg .b64 %o; ld.param.u64 %o, [out]; st.global.u32 [%o], {value}; ret; }}\n"
        )
    };
    let folder = Folder::new().with("k.ptx", kernel("_Z5firstPj", 1) + &kernel("_ZN2ns6secondEPj", 2));
    folder.succeeds("k.ptx --entry second --grid 1 --block 1 --arg out:a.bin:4");
    folder.succeeds("k.ptx --entry _Z5firstPj --grid 1 --block 1 --arg out:b.bin:4");
    assert_eq!([folder.words("a.bin"), folder.words("b.bin")], [[2], [1]]);
    folder.refuses("k.ptx --grid 1 --block 1 --arg out:a.bin:4", 2, &["k.ptx", "`first`, `second`", "--entry"]);
    // Two instances of a template have one name between them.
    let instances = kernel("k", 1) + &kernel("_Z2tkIiEvPT_", 2) + &kernel("_Z2tkIfEvPT_", 3);
    let folder = folder.with("t.ptx", instances);
    let names = "`k`, `_Z2tkIiEvPT_`, `_Z2tkIfEvPT_`";
    folder.refuses("t.ptx --grid 1 --block 1 --arg out:a.bin:4", 2, &["t.ptx", names, "--entry"]);
    folder.succeeds("t.ptx --entry _Z2tkIfEvPT_ --grid 1 --block 1 --arg out:a.bin:4");
    assert_eq!(folder.words("a.bin"), [3]);
}

#[test]
fn numbers_of_every_width_arrive() {
    let params = ["u8", "u16", "u32", "u64", "f32", "f64"];
    let mut text = ".visible .entry k(.param .u64 out".to_string();
    params.iter().for_each(|ty| text += &format!(", .param .{ty} {ty}"));
    text += ", .param .align 4 .b8 s[12]) {\n.reg .b64 %o; .reg .b32 %w; .reg .f32 %f; .reg .f64 %d; .reg .b64 %l; .reg .b16 %h;\n\
        ld.param.u64 %o, [out]; ld.param.s8 %h, [u8]; st.global.u16 [%o], %h; ld.param.u16 %h, [u16]; st.global.u16 [%o+2], %h;\n\
        ld.param.u32 %w, [u32]; st.global.u32 [%o+4], %w; ld.param.u64 %l, [u64]; st.global.u64 [%o+8], %l;\n\
        ld.param.f32 %f, [f32]; st.global.f32 [%o+16], %f; ld.param.u32 %w, [s+8]; st.global.u32 [%o+20], %w;\n\
        ld.param.f64 %d, [f64]; st.global.f64 [%o+24], %d; ret; }\n";
    let folder = Folder::new().with("k.ptx", text).with("s.bin", bytes([7, 8, 9]));
    let args =
        "--arg s8:-2 --arg u16:65535 --arg s32:-3 --arg u64:0x123456789 --arg f32:-1.5 --arg f64:2.5 --arg value:s.bin";
    let launch = "k.ptx --grid 1 --block 1 --arg out:o.bin:32";
    folder.succeeds(&format!("{launch} {args}"));
    let words = folder.words("o.bin");
    assert_eq!(words[..6], [0xFFFF_FFFE, -3i32 as u32, 0x2345_6789, 1, (-1.5f32).to_bits(), 9]);
    assert_eq!(u64::from(words[7]) << 32 | u64::from(words[6]), 2.5f64.to_bits());
    let short = args.replace("value:s.bin", "u64:1");
    let takes = "a structure of 12 bytes (struct:PART,... or value:FILE)";
    folder.refuses(&format!("{launch} {short}"), 2, &[takes]);
}

/// A compiler may leave open what is in the bits: LLVM does from version 20 on. `f16:` as well; and a file may end as strings of C do.
#[test]
fn parameters_of_bits_take_every_number_of_their_width() {
    let text = ".visible .entry k(.param .u64 out, .param .b32 a, .param .b64 b, .param .f16 c, .param .b16 d) {
.reg .b64 %o, %l; .reg .b32 %w; .reg .b16 %h;
ld.param.u64 %o, [out]; ld.param.b32 %w, [a]; st.global.b32 [%o], %w; ld.param.b16 %h, [c]; st.global.b16 [%o+4], %h;
ld.param.b16 %h, [d]; st.global.b16 [%o+6], %h; ld.param.b64 %l, [b]; st.global.b64 [%o+8], %l; ret; }\0\0";
    let folder = Folder::new().with("k.ptx", text).with("x.bin", bytes([7]));
    let launch = "k.ptx --grid 1 --block 1 --arg out:o.bin:16";
    let words = |args: &str| {
        folder.succeeds(&format!("{launch} {args}"));
        folder.words("o.bin")
    };
    // Bits by IEEE 754: 2.5 is 1.25 x 2, -0.75 is -1.5 / 2, 1.2 x 2^-17 as C's `%a` writes it.
    let [single, double] = [0x4020_0000, 0x4004_0000];
    assert_eq!(words("--arg f32:2.5 --arg f64:2.5 --arg f16:1.5 --arg f16:-0.75"), [single, 0xBA00_3E00, 0, double]);
    assert_eq!(
        words("--arg f32:0x1.333334p-17 --arg u64:5 --arg f16:0x1p-24 --arg s16:-1"),
        [0x3719_999A, 0xFFFF_0001, 5, 0]
    );
    assert_ne!(words("--arg u32:9 --arg in:x.bin --arg f16:0 --arg u16:3")[2..], [0, 0]);
    let rest = "--arg f64:1 --arg f16:1 --arg u16:1";
    for (args, words) in [
        (format!("--arg f64:1 {rest}"), "parameter 2 of kernel `k` takes u32, s32 or f32"),
        (
            "--arg u32:1 --arg f32:1 --arg f16:1 --arg u16:1".into(),
            "takes u64, s64, f64 or a buffer (in, inout, out, buf)",
        ),
        ("--arg u32:1 --arg f64:1 --arg u16:1 --arg u16:1".into(), "parameter 4 of kernel `k` takes f16"),
        (
            format!("--arg u32:1 {rest}").replace("f16:1", "f16:65520"),
            "--arg f16:65520: the value is too large for 16 bits",
        ),
    ] {
        folder.refuses(&format!("{launch} {args}"), 2, &[words]);
    }
}

/// PTX ISA, Performance-Tuning Directives; CUDA C++ guide, Launch Bounds and Compute Capabilities.
#[test]
fn a_block_that_the_kernel_is_not_compiled_for_is_refused() {
    let kernel =
        |directives: &str| format!(".visible .entry k(.param .u64 out)\n{directives}\n{{ .reg .b32 %r; ret; }}");
    let most = "the kernel is compiled for at most 64 threads (.maxntid, __launch_bounds__)";
    let only = "the kernel is compiled for 8,4,1 alone (.reqntid)";
    for (directives, good, bad, rule) in [
        (".maxntid 64, 1, 1", "64", "65", most),
        (".maxntid 16, 4\n.minnctapersm 2\n.maxnreg 32", "2,32", "65", most),
        (".maxnreg 24 .reqntid 8, 4", "8,4", "32", only),
        (".reqntid 8, 4, 1 .minnctapersm 1", "8,4,1", "4,8", only),
        ("", "4,4,64", "1025", "kernel `k`: a block of 1025 x 1 x 1 threads: at most 1024 are possible"),
        ("", "1,1024", "1,1,65", "a block of 1 x 1 x 65 threads: at most 1024 are possible, and 1024 x 1024 x 64"),
    ] {
        let folder = Folder::new().with("k.ptx", kernel(directives));
        folder.succeeds(&format!("k.ptx --grid 1 --block {good} --arg out:o.bin:4"));
        folder.refuses(&format!("k.ptx --grid 1 --block {bad} --arg out:o.bin:4"), 2, &[rule]);
    }
    let folder = Folder::new().with("k.ptx", kernel(""));
    folder.refuses("k.ptx --grid 1,65536 --block 1 --arg out:o.bin:4", 2, &["a grid of 1 x 65536 x 1 blocks"]);
}

const WAITS: &str = ".visible .entry waits(.param .u64 flag)
{
.reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [flag]; mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 32; @%p1 bra SPIN;
bar.sync 0;
ret;
SPIN:
ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0;
@%p2 bra SPIN;
bar.sync 0;
ret;
}
";

#[test]
fn a_kernel_that_does_not_get_on_is_diagnosed() {
    let folder = Folder::new().with("waits.ptx", WAITS).with("flag.bin", bytes([0]));
    let args = "waits.ptx --grid 1 --block 96 --patience 50000 --arg inout:flag.bin";
    let text = folder.fails(args, 1, &["kernel `waits` made no progress for"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    // Somewhere in the two lines of the loop.
    let spins = ["waits.ptx:9: ", "waits.ptx:10: "].iter().any(|place| lines[1].contains(place));
    assert!(spins && lines[1].contains("core 0 warp 0 (CTA 0,0,0)"), "{text}");
    for line in &lines[2..] {
        assert!(line.contains("at waits.ptx:6: waits at barrier 0 for 1 more warps of its CTA"), "{text}");
    }
    // With the flag set everybody goes on.
    let folder = folder.with("flag.bin", bytes([1]));
    folder.succeeds(args);
    // A lock that is never opened: its atomics change nothing.
    let lock = WAITS.replace("ld.volatile.global.u32 %r2, [%rd1]", "atom.global.exch.b32 %r2, [%rd1], 0");
    let folder = folder.with("waits.ptx", lock).with("flag.bin", bytes([0]));
    folder.fails(args, 1, &["made no progress", "core 0 warp 0 (CTA 0,0,0) at waits.ptx:"]);
}

/// A loop with `continue` at WL_WAIT, and the loop of docs/workloads.md in its place. The first lanes find no work.
#[test]
fn a_loop_that_pulls_ahead_of_lanes_with_work_is_named() {
    let source = |body: &str| {
        format!(
            "__global__ void drain(unsigned *out) {{
  __wlcfg(0); __syncthreads();
  if (threadIdx.x >= 12) __wlpush(threadIdx.x + 5);
{body}}}
"
        )
    };
    let goes_back = "  for (;;) {
    unsigned id = __wlpull();
    if (id == WL_WAIT) continue;
    if (id == WL_DONE) break;
    atomicAdd(out, id);
  }
";
    let meets = "  unsigned id;
  do {
    id = __wlpull();
    if (id < WL_WAIT) { atomicAdd(out, id); }
    asm volatile(\"\" : \"+r\"(id));
  } while (id != WL_DONE);
";
    let folder = Folder::new().with("k.cu", source(goes_back));
    let args = "k.cu --grid 1 --block 32 --max-cycles 5000000 --arg out:o.bin:4";
    let hint = "with work wait behind lanes that pull and are told WAIT: let all lanes meet before the next pull";
    let text =
        folder.fails(args, 1, &["made no progress for", "and never will", "(k.cu:5-8)", hint, "docs/workloads.md"]);
    assert_eq!(text.lines().count(), 2, "{text}");
    let folder = folder.with("k.cu", source(meets));
    folder.succeeds(args);
    assert_eq!(folder.words("o.bin"), [(12..32).map(|t| t + 5).sum::<u32>()]);
}

const COUNTS: &str = ".visible .entry counts(.param .u64 out)
{
.reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [out]; mov.u32 %r1, 0;
LOOP:
add.u32 %r1, %r1, 1;
st.global.u32 [%rd1], %r1;
bra.uni LOOP;
}
";

#[test]
fn a_kernel_that_writes_for_ever_ends_at_the_limit_or_by_the_user() {
    let folder = Folder::new().with("counts.ptx", COUNTS);
    let args = "counts.ptx --grid 1 --block 32 --arg out:o.bin:4";
    let warp = "goes round the loop of counts.ptx:6-8 with lanes 0-31";
    let limit =
        "has not ended within the limit of 100000 cycles for all launches; 0 of its 1 CTAs are done; its warps:";
    let text = folder.fails(&format!("{args} --max-cycles 100000"), 1, &["kernel `counts`", limit, warp]);
    assert_eq!(text.lines().count(), 2, "{text}");
    folder.fails(&format!("{args} --max-cycles 0"), 2, &["--max-cycles"]);
    let child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let text = stderr(&interrupt(child));
    for words in ["interrupted; there is no result", "kernel `counts` was interrupted in cycle", warp] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(folder.names(), ["counts.ptx"]);
}

#[test]
fn a_barrier_in_divergent_code_is_flagged() {
    let kernel = ".visible .entry some()
{
.reg .pred %p; .reg .b32 %r;
mov.u32 %r, %tid.x; setp.ge.u32 %p, %r, 40; @%p bra END;
bar.sync 0;
END: vote.any.pred %p, %p; ret;
}
";
    let folder = Folder::new().with("some.ptx", kernel);
    let args = "some.ptx --grid 1 --block 64";
    let place = "some.ptx:5: kernel `some`, CTA (0,0,0), thread (32,0,0)";
    folder.refuses(args, 1, &[place, "comes with lanes 0-7 and without lanes 8-31"]);
    folder.succeeds(&format!("{args} --config gw-fermi-gw8"));
    for ended in [kernel.replace("bra END", "ret"), kernel.replace("vote.any.pred %p, %p; ", "")] {
        Folder::new().with("some.ptx", ended).succeeds(args);
    }
}

#[test]
fn help_has_an_example() {
    let text = Folder::new().succeeds("--help");
    assert!(text.contains("unruly kernel") && text.contains("Example"), "{text}");
    for words in ["--max-cycles <CYCLES>", "--patience <CYCLES>", "[default: 50000000]"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn without_clang_a_cu_file_is_refused() {
    let folder = Folder::new().with("k.cu", "__global__ void k() {}");
    let empty = TempDir::new().unwrap();
    command::refuses(folder.command("k.cu --grid 1 --block 1").env("PATH", empty.path()), 3, &["clang"]);
}

/// The toolkit's header under its own name, under ours, and not at all.
#[test]
fn cuda_source_is_compiled_on_the_fly() {
    let body = "__global__ void twice(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = FACTOR * in[i];
}\n";
    for include in ["", "#include \"unruly_cuda.h\"\n", "#include <cuda_runtime.h>\n"] {
        let folder = Folder::new().with("k.cu", include.to_string() + body).with("in.bin", bytes(0..100));
        let args = "k.cu --entry twice --grid 2 --block 64 --define FACTOR=2 --arg in:in.bin --arg out:out.bin:400 --arg s32:100";
        folder.succeeds(args);
        assert_eq!(folder.words("out.bin"), (0..100).map(|i| 2 * i).collect::<Vec<_>>());
        assert_eq!(folder.names(), ["in.bin", "k.cu", "out.bin"]);
        folder.fails(&args.replace("FACTOR=2", "FACTOR=nothing"), 2, &["k.cu", "nothing", "does not compile"]);
        let line = 4 + include.lines().count();
        let text =
            folder.fails(&args.replace("s32:100", "s32:120"), 1, &["kernel `_Z5twicePKiPii`", "thread (36,0,0)"]);
        assert!(text.contains(&format!("(k.cu:{line})")), "{text}");
        folder.succeeds(&(args.to_string() + " --ptx kept.ptx"));
        assert!(std::fs::read_to_string(folder.path("kept.ptx")).unwrap().contains(".entry _Z5twice"));
    }
}

/// As a file of a program: `main`, launches, assertions, half precision. What the kernel prints comes before what is said of it, launch
/// by launch, and the other results are as without.
#[test]
fn a_file_of_a_whole_program_is_a_kernels_file() {
    let source = "#include <assert.h>\n#include <cuda_fp16.h>\n#include <stdio.h>
__global__ void k(__half *out, int n) {
  assert(n < 3);
  out[threadIdx.x] = __float2half(threadIdx.x + 0.5f);
  if (threadIdx.x < n) printf(\"lane %d of launch %d\\n\", threadIdx.x, n);
}
int main() {
  __half *out;
  cudaMalloc(&out, 8);
  k<<<1, 4>>>(out, 1);
}\n";
    let folder = Folder::new().with("k.cu", source);
    let said = folder.succeeds("k.cu --grid 1 --block 4 --arg out:o.bin:8 --arg s32:2 --json k.json");
    assert!(said.starts_with("lane 0 of launch 2\nlane 1 of launch 2\nk.cu; configuration"), "{said}");
    assert_eq!(folder.words("o.bin"), [0x3e00_3800, 0x4300_4100], "0.5 1.5 2.5 3.5");
    assert_eq!(folder.json("k.json")["kernel"], "_Z1kP6__halfi");
    folder.fails("k.cu --grid 1 --block 4 --arg out:o.bin:8 --arg s32:3", 1, &["(k.cu:5)", "n < 3"]);
    let launches = "[buffers]\no = \"buf:8\"\n[[launch]]\ngrid = 1\nblock = 4\nargs = [\"o\", \"s32:1\"]\n[[launch]]\ngrid = 1\nblock = 4\nargs = [\"o\", \"s32:2\"]\n";
    let folder = folder.with("two.toml", launches);
    let said = folder.succeeds("k.cu --launches two.toml");
    assert!(said.starts_with("lane 0 of launch 1\nlane 0 of launch 2\nlane 1 of launch 2\nk.cu;"), "{said}");
}

#[test]
fn the_line_is_that_of_the_kernel_not_of_the_header() {
    let source = "__global__ void k(unsigned *p) {\n  p[0] = 1;\n  atomicAdd(p + 100,\n            2u);\n}\n";
    let folder = Folder::new().with("k.cu", source);
    folder.refuses("k.cu --grid 1 --block 1 --arg out:o.bin:4", 1, &["(k.cu:3)", "atomic in global memory"]);
}

/// One CTA of 64 threads; `out` gets a word a thread.
fn cuda(source: &str, words: usize) -> Vec<u32> {
    let folder = Folder::new().with("k.cu", source);
    folder.succeeds(&format!("k.cu --grid 1 --block 64 --shared 256 --arg out:o.bin:{}", 4 * words));
    folder.words("o.bin")
}

#[test]
fn warps_vote_shuffle_and_synchronise() {
    let found = cuda(
        "__global__ void k(unsigned *out) {
  unsigned t = threadIdx.x, lane = t % warpSize;
  __shared__ unsigned s[64];
  extern __shared__ unsigned dynamic[];
  s[t] = t; dynamic[t] = 3 * t;
  __syncthreads();
  unsigned *o = out + t * 12;
  o[0] = __ballot(lane < 5);
  o[1] = __any(lane == 3) * 2 + __all(lane < 32);
  o[2] = __shfl(t, 7);
  o[3] = __shfl_up(t, 1);
  o[4] = __shfl_down(t, 2, 16);
  o[5] = __shfl_xor_sync(0xffffffff, t, 4);
  o[6] = __syncthreads_count(t < 50);
  o[7] = __syncthreads_and(t < 50) * 2 + (__syncthreads_or(t == 50) != 0);
  o[8] = s[63 - t] + dynamic[t ^ 1];
  o[9] = (unsigned)(__shfl((unsigned long long)t << 40, 3) >> 40);
  o[10] = (unsigned)__shfl_down((double)t, 1);
  o[11] = __popc(__activemask());
}",
        64 * 12,
    );
    for t in 0..64u32 {
        let (lane, warp) = (t % 32, t / 32 * 32);
        let expected = [
            31,
            3,
            warp + 7,
            if lane == 0 { t } else { t - 1 },
            if lane % 16 < 14 { t + 2 } else { t },
            t ^ 4,
            50,
            1,
            63 - t + 3 * (t ^ 1),
            warp + 3,
            if lane == 31 { t } else { t + 1 },
            32,
        ];
        assert_eq!(found[t as usize * 12..][..12], expected, "thread {t}");
    }
}

#[test]
fn atomics_of_every_kind() {
    let found = cuda(
        "__device__ unsigned total = 5;
__global__ void k(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned long long *wide = (unsigned long long *)(out + 16);
  atomicAdd(out, t); atomicSub((int *)out + 1, (int)t); atomicMin((int *)out + 2, -(int)t); atomicMax(out + 3, t);
  atomicOr(out + 4, 1u << (t % 32)); atomicXor(out + 5, t); atomicInc(out + 6, 9); atomicDec(out + 7, 9);
  atomicAdd((float *)out + 8, 0.5f); atomicExch(out + 9, 77u); atomicCAS(out + 10, 0u, t + 1);
  atomicAdd(wide, 1ull << 33); atomicMax(wide + 1, (unsigned long long)t << 40); atomicOr(wide + 2, 1ull << t);
  atomicAdd((double *)(wide + 3), 0.25); atomicAdd(&total, 1u);
  __syncthreads();
  if (t == 0) { out[11] = total; out[12] = atomicAnd(out + 4, 0xffu); }
}",
        24,
    );
    assert_eq!(found[..4], [2016, -2016i32 as u32, -63i32 as u32, 63]);
    // Counters that wrap: 64 steps of 0..=9 up, and down from 0.
    assert_eq!(found[4..9], [0xFF, 0, 4, 6, 32f32.to_bits()]);
    assert_eq!(found[9], 77);
    assert!((1..=64).contains(&found[10]));
    assert_eq!(found[11..13], [69, u32::MAX]);
    let wide: Vec<u64> = found[16..24].chunks(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32).collect();
    assert_eq!(wide, [64 << 33, 63 << 40, u64::MAX, 16f64.to_bits()]);
}

#[test]
fn integers_functions_pointers_and_local_memory() {
    let found = cuda(
        "typedef unsigned (*Function)(unsigned);
__device__ __noinline__ unsigned square(unsigned x) { return x * x; }
__device__ __noinline__ unsigned negate(unsigned x) { return -x; }
__device__ Function table[2] = {square, negate};
__constant__ unsigned factors[4] = {1, 10, 100, 1000};
struct Node { unsigned value; const unsigned *of; };
__device__ unsigned values[3] = {5, 6, 7};
__device__ Node node = {3, values + 1};
__device__ unsigned pick(unsigned which, unsigned t) {
  switch (which) {
    case 0: return t + 1; case 1: return t * 3; case 2: return t ^ 21; case 3: return t << 2;
    case 4: return t / 3; case 5: return t % 7; case 6: return ~t; default: return 0;
  }
}
__global__ void k(unsigned *out) {
  unsigned t = threadIdx.x, *o = out + t * 12, local[8];
  o[0] = table[t & 1](t);
  o[1] = factors[t & 3] + node.value + *node.of;
  o[2] = pick(t % 8, t);
  for (unsigned i = 0; i < 8; i++) local[i] = i * t;
  o[3] = local[out[0] == 12345 ? 0 : t & 7];
  o[4] = __popc(t) + 100 * __clz((int)t) + 10000 * __ffs((int)t);
  o[5] = __brev(t) + __umulhi(t << 28, t << 20);
  o[6] = (unsigned)(((unsigned long long)t * 0x123456789abull) >> 20);
  o[7] = (unsigned)(((long long)t - 40) / 7);
  o[8] = __byte_perm(0x33221100u, 0x77665544u, 0x7531) + __funnelshift_l(t, 0x80000000u, 4);
  o[9] = (unsigned)((short)(t * 1000) >> 2);
  uint4 v = make_uint4(t, 2, 3, 4);
  *(uint2 *)(o + 10) = make_uint2(v.x + v.w, v.y);
}",
        64 * 12,
    );
    for t in 0..64u32 {
        let pick = [t + 1, t * 3, t ^ 21, t << 2, t / 3, t % 7, !t, 0][t as usize % 8];
        let ffs = if t == 0 { 0 } else { t.trailing_zeros() + 1 };
        let expected = [
            if t % 2 == 0 { t * t } else { t.wrapping_neg() },
            [1, 10, 100, 1000][t as usize % 4] + 3 + 6,
            pick,
            (t & 7) * t,
            t.count_ones() + 100 * t.leading_zeros() + 10000 * ffs,
            t.reverse_bits().wrapping_add(((u64::from(t << 28) * u64::from(t << 20)) >> 32) as u32),
            ((u64::from(t) * 0x123_4567_89ab) >> 20) as u32,
            ((i64::from(t) - 40) / 7) as u32,
            0x7755_3311u32.wrapping_add(t >> 28),
            i32::from((t.wrapping_mul(1000) as i16) >> 2) as u32,
            t + 4,
            2,
        ];
        assert_eq!(found[t as usize * 12..][..12], expected, "thread {t}");
    }
}

/// Functions of one number; `f64` where the name says double.
#[test]
fn mathematics_is_close_to_the_host() {
    let single: [(&str, fn(f64) -> f64); 14] = [
        ("sqrtf", f64::sqrt),
        ("rsqrtf", |x| 1.0 / x.sqrt()),
        ("expf", f64::exp),
        ("exp2f", f64::exp2),
        ("logf", f64::ln),
        ("log10f", f64::log10),
        ("sinf", f64::sin),
        ("cosf", f64::cos),
        ("tanhf", f64::tanh),
        ("sinhf", f64::sinh),
        ("cbrtf", f64::cbrt),
        ("floorf", f64::floor),
        ("roundf", f64::round),
        ("ceilf", f64::ceil),
    ];
    let double: [(&str, fn(f64) -> f64); 5] =
        [("exp", f64::exp), ("log", f64::ln), ("sqrt", f64::sqrt), ("rint", f64::round_ties_even), ("log2", f64::log2)];
    let mut source = "__global__ void k(float *out) {\n  unsigned t = threadIdx.x;\n  float x = 0.37f * t + 0.01f;\n  double d = x;\n\
                      double *wide = (double *)(out + 1024) + t;\n  out += t;\n"
        .to_string();
    for (i, (name, _)) in single.iter().enumerate() {
        source += &format!("  out[{}] = {name}(x);\n", 64 * i);
    }
    source += "  out[896] = powf(x, 3.3f);\n  out[960] = fmodf(x, 0.7f);\n";
    for (i, (name, _)) in double.iter().enumerate() {
        source += &format!("  wide[{}] = {name}(d);\n", 64 * i);
    }
    source += "  wide[320] = pow(d, -2.7);\n}\n";
    let found = cuda(&source, 1024 + 2 * 384);
    let close = |name: &str, x: f64, found: f64, expected: f64, tolerance: f64| {
        let error = (found - expected).abs();
        assert!(error <= tolerance * expected.abs().max(0.05), "{name}({x}) = {found:e} instead of {expected:e}");
    };
    let wide = |i: usize| f64::from_bits(u64::from(found[1024 + 2 * i]) | u64::from(found[1025 + 2 * i]) << 32);
    for t in 0..64 {
        let x = f64::from(0.37f32.mul_add(t as f32, 0.01));
        for (i, (name, f)) in single.iter().enumerate() {
            close(name, x, f32::from_bits(found[64 * i + t]).into(), f(x), 5e-7);
        }
        close("powf", x, f32::from_bits(found[896 + t]).into(), x.powf(f64::from(3.3f32)), 5e-7);
        close("fmodf", x, f32::from_bits(found[960 + t]).into(), x % f64::from(0.7f32), 5e-7);
        for (i, (name, f)) in double.iter().enumerate() {
            close(name, x, wide(64 * i + t), f(x), 1e-14);
        }
        close("pow", x, wide(320 + t), x.powf(-2.7), 1e-13);
    }
}

#[test]
fn functions_may_call_themselves() {
    let source = "__device__ __noinline__ unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
__global__ void k(unsigned *out) { out[threadIdx.x] = f(threadIdx.x); }";
    let folder = Folder::new().with("k.cu", source);
    folder.succeeds("k.cu --grid 1 --block 8 --arg out:o.bin:32");
    assert_eq!(folder.words("o.bin"), [0, 1, 1, 2, 3, 5, 8, 13]);
}

#[test]
fn the_worklist_is_there_for_those_who_use_it() {
    let source = "__global__ void fill() { __wlcfg(0); __syncthreads(); __wlpush(threadIdx.x + 5); }
__global__ void drain(unsigned *out) {
  __wlcfg(0); __syncthreads(); __wlpush(threadIdx.x + 5);
  unsigned id;
  do { id = __wlpull(); if (id < WL_WAIT) atomicAdd(out, id); asm volatile(\"\" : \"+r\"(id)); } while (id != WL_DONE);
}";
    let folder = Folder::new().with("k.cu", source);
    let drain = "k.cu --entry drain --grid 1 --block 64 --arg out:o.bin:4";
    let said = folder.succeeds(drain);
    assert!(!said.contains("still holds"), "{said}");
    let said = folder.succeeds("k.cu --entry fill --grid 1 --block 64");
    assert!(said.contains("the worklist still holds 64 IDs"), "{said}");
    assert_eq!(folder.words("o.bin"), [(0..64).map(|t| t + 5).sum::<u32>()]);
    folder.refuses(&format!("{drain} --config calibration-gtx480"), 2, &["worklist"]);
}

/// label[edge] = min(label[edge], weight), of edges and weights that come from the reorder unit.
const RELAX: &str = r#"
extern "C" __global__ void relax(const unsigned *edges, const unsigned *weights, unsigned n, unsigned *label) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, edge, weight;
  if (i < n && load_iru(edge, weight))
    atomicMin(&label[edge], weight);
}
"#;

const RELAX_ARGS: &str = "relax.cu --config iru-gtx980 --grid 4 --block 256 --arg in:edges.bin --arg in:weights.bin \
                          --arg u32:1000 --arg inout:label.bin";

const RELAX_PLAN: &str = r#"
[buffers]
edges = "in:edges.bin"
weights = "in:weights.bin"
label = "inout:label.bin"
[[launch]]
grid = 4
block = 256
args = ["edges", "weights", "u32:1000", "label"]
configure_iru = "target=label,indices=edges,secondary=weights,count=1000,filter=FILTER"
repeat = 2
"#;

fn relax() -> (Folder, Vec<u32>) {
    let (edges, weights) = ((0..1000).map(|i| i * 37 % 300), (0..1000).map(|i| i * 7919 % 1000));
    let mut least = vec![u32::MAX; 300];
    for (edge, weight) in edges.clone().zip(weights.clone()) {
        least[edge as usize] = least[edge as usize].min(weight);
    }
    let folder = Folder::new().with("relax.cu", RELAX).with("edges.bin", bytes(edges));
    let folder = folder.with("weights.bin", bytes(weights)).with("label.bin", bytes(vec![u32::MAX; 300]));
    (folder, least)
}

#[test]
fn the_host_configures_the_reorder_unit() {
    for filter in ["none", "minimum"] {
        let (folder, least) = relax();
        let configure = format!("--configure-iru target=4,indices=1,secondary=2,count=1000,filter={filter}");
        folder.succeeds(&format!("{RELAX_ARGS} {configure} --json result.json"));
        assert_eq!(folder.words("label.bin"), least);
        let result = folder.json("result.json");
        let reorder = &result["statistics"]["reorder"];
        let [elements, delivered, merged] =
            ["elements", "delivered", "merged"].map(|field| reorder[field].as_u64().unwrap());
        assert_eq!((elements, delivered + merged), (1000, 1000));
        assert_eq!(merged > 0, filter == "minimum");
        // In a file of launches arrays have names.
        let plan = RELAX_PLAN.replace("FILTER", filter);
        let folder = relax().0.with("plan.toml", plan.replace("indices=edges", "indices=edge"));
        let args = "relax.cu --config iru-gtx980 --launches plan.toml";
        let no_buffer = "indices=edge: there is no buffer `edge`; there are edges, label, weights";
        folder.refuses(args, 2, &["launch 1", no_buffer]);
        let folder = folder.with("plan.toml", plan);
        folder.succeeds(args);
        assert_eq!(folder.words("label.bin"), least);
    }
}

#[test]
fn a_configuration_of_the_reorder_unit_that_makes_no_sense_is_refused() {
    let (folder, _) = relax();
    folder.refuses(RELAX_ARGS, 2, &["`relax` has a load_iru", "--configure-iru", "write target=ARRAY"]);
    let cases = [
        ("target=4,indices=1", "`count` is missing"),
        ("target=4,indices=1,count=x", "count `x` is not a whole number"),
        ("target=4,indices=1,count=9,count=9", "`count` is there twice"),
        ("goal=4", "`goal` is none of target, indices, count, secondary, bytes, filter"),
        ("target=4,indices=3,count=9", "indices=3: there is no --arg 3 with a buffer"),
        ("target=4,indices=1,count=9,filter=max", "filter `max` is none of none, minimum, addition"),
        ("target=4,indices=1,count=9,filter=addition", "needs a secondary array"),
        ("target=4,indices=1,count=1001", "has not 1001 elements"),
        ("target=4,indices=1,count=9,bytes=3", "must be a power of two"),
    ];
    for (configuration, message) in cases {
        folder.refuses(&format!("{RELAX_ARGS} --configure-iru {configuration}"), 2, &[message]);
    }
    // A finding, not bad input: the kernel asks for more than there is.
    let few = format!("{RELAX_ARGS} --configure-iru target=4,indices=1,secondary=2,count=500");
    folder.refuses(&few, 1, &["configure_iru names 500 elements"]);
    assert!(folder.words("label.bin").iter().all(|&word| word == u32::MAX), "nothing was written");
    let saxpy = saxpy();
    let args =
        "saxpy.ptx --config iru-gtx980 --grid 1 --block 32 --arg u32:7 --arg f32:2 --arg in:x.bin --arg out:z.bin:40";
    saxpy.refuses(&format!("{args} --configure-iru target=4,indices=3,count=7"), 2, &["has no load_iru"]);
}
