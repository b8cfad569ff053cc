//! `unruly exec` as its user sees it: exit codes, faults, Ctrl-C, statistics, launches without time, several processes.

use crate::common::command::{self, ends, refuses, stderr, succeeds, unruly};
use crate::common::interrupt::interrupt;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Adds, prints what the model's time was, and fails in the way that its argument says.
const PROGRAM: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add(int *data, int n, int place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += i;
  if (place != 0)
    data[place] = 1;
}

__global__ void endless(volatile int *data) {
  while (data[0] == 0)
    data[1] = data[1] + 1;
}

int main(int count, char **argument) {
  const char *way = count > 1 ? argument[1] : "";
  const int n = 5000;
  int *data, *back = (int *)malloc(n * sizeof(int));
  if (cudaMalloc(&data, n * sizeof(int)) != cudaSuccess)
    return 9;
  cudaMemset(data, 0, n * sizeof(int));
  printf("before\n");
  fflush(stdout);
  for (int launch = 0; launch < 3; launch++)
    add<<<(n + 255) / 256, 256>>>(data, n, launch == 2 && strcmp(way, "fault") == 0 ? 1 << 20 : 0);
  if (strcmp(way, "endless") == 0)
    endless<<<1, 32>>>(data);
  if (cudaMemcpy(back, data, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 3;
  for (int i = 0; i < n; i++)
    if (back[i] != 3 * i)
      return 1;
  printf("right\n");
  return strcmp(way, "seven") == 0 ? 7 : 0;
}
"#;

/// The program, compiled once.
fn program() -> &'static Path {
    static PLACE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PLACE.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("prog.cu"), PROGRAM).unwrap();
        succeeds(unruly("nvcc -O2 prog.cu -o prog").current_dir(folder.path()));
        let path = folder.path().join("prog");
        (folder, path)
    });
    path
}

fn exec(options: &str, way: &str) -> Command {
    let mut command = unruly(&format!("exec {options}"));
    command.arg(program()).args(way.split_whitespace());
    command
}

/// The lines of a `--stats` file.
fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_exit_code_is_the_programs() {
    assert_eq!(succeeds(&mut exec("", "")), "before\nright\n");
    assert_eq!(ends(&mut exec("", "seven"), 7, &[]), "");
    assert_eq!(ends(&mut unruly("exec false"), 1, &[]), "");
    let mut killed = unruly("exec sh -c");
    ends(killed.arg("kill -SEGV $$"), 139, &["sh: ended by signal 11"]);
    refuses(&mut unruly("exec ./no_such_program"), 2, &["./no_such_program: cannot start"]);
    let mut bare = Command::new(program());
    let libraries = succeeds(&mut unruly("nvcc --cuda-home"));
    bare.env("LD_LIBRARY_PATH", Path::new(libraries.trim()).join("lib64"));
    refuses(&mut bare, 9, &["start it with `unruly exec"]);
}

#[test]
fn a_fault_names_the_launch_and_the_program_goes_on() {
    let words = ["launch 3", "prog.cu:11", "kernel `_Z3addPiii`", "thread (", "lie in no allocation"];
    ends(&mut exec("", "fault"), 3, &words);
}

#[test]
fn each_launch_has_a_line_of_statistics() {
    let folder = TempDir::new().unwrap();
    let [stats, json] = ["stats.jsonl", "total.json"].map(|name| folder.path().join(name));
    let options = format!("--stats {} --json {}", stats.display(), json.display());
    succeeds(&mut exec(&options, ""));
    let (launches, total) = (lines(&stats), command::json(&json));
    let sum = |key: &str| launches.iter().map(|line| line[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((launches.len(), &total["launch_count"]), (3, &Value::from(3)));
    for (number, line) in launches.iter().enumerate() {
        assert_eq!((&line["launch"], &line["grid"]), (&Value::from(number + 1), &serde_json::json!([20, 1, 1])));
        // Each of 20 x 8 warps executes every instruction, as all threads are in the grid's last block but a few.
        assert!(line["warp_instructions"].as_u64().unwrap() >= 160);
    }
    for key in ["cycles", "warp_instructions", "thread_instructions"] {
        assert_eq!(total[key], Value::from(sum(key)), "{key}");
    }
    let said = folder.path().join("said");
    let mut shared = exec("--stats /dev/stdout", "");
    succeeds(shared.stdout(std::fs::File::create(&said).unwrap()));
    let said = std::fs::read_to_string(said).unwrap();
    assert!(said.starts_with("before\n") && said.ends_with("right\n"), "what the program says stays: {said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("{\"launch\":")).count(), 3);
}

/// The values are the same, and only the launches in detail have cycles.
/// Whatever is wrong with the command line, the file of an earlier run stays as it was.
#[test]
fn a_bad_command_line_leaves_the_statistics_alone() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("stats"), "earlier").unwrap();
    std::fs::write(path("none"), "no program").unwrap();
    let refused = |line: &str, words: &[&str]| {
        refuses(unruly(&format!("exec --stats stats {line}")).current_dir(folder.path()), 2, words);
        assert_eq!(std::fs::read_to_string(path("stats")).unwrap(), "earlier", "{line}");
    };
    refused("--from 3 --to 2 true", &["no launch between them"]);
    refused("--dump-launch 1 a --dump-launch 2 b true", &["say it once"]);
    std::fs::write(path("mm.cu"), "int main() {}").unwrap();
    std::fs::write(path("k.ptx"), ".version 6.0").unwrap();
    std::fs::write(path("my_script"), "#!/bin/sh\n").unwrap();
    refused("./none", &["./none: cannot start: it is neither a program nor a script"]);
    refused("mm.cu", &["mm.cu: cannot start: it is a source", "unruly nvcc mm.cu -o ./mm && unruly exec ./mm"]);
    std::fs::copy(path("mm.cu"), path("q.CU")).unwrap();
    refused("q.CU", &["q.CU: cannot start: it is a source", "unruly nvcc q.CU -o ./q"]);
    refused("./mm.cu", &["it is a source", "unruly nvcc ./mm.cu -o ./mm"]);
    refused("./k.ptx", &["it is PTX", "`unruly kernel ./k.ptx`"]);
    refused("./my_script", &["it is not executable; chmod +x ./my_script"]);
    refused("my_script", &["write ./my_script"]);
    refused(".", &["it is a folder"]);
    refused("./stats", &["--stats stats: is the same file as ./stats"]);
    assert!(!path("a").exists() && !path("b").exists());
}

#[test]
fn launches_without_time_compute_the_same() {
    let folder = TempDir::new().unwrap();
    let stats = folder.path().join("stats.jsonl");
    let timed = |options: &str| -> Vec<bool> {
        let said = succeeds(&mut exec(&format!("{options} --stats {}", stats.display()), ""));
        assert_eq!(said, "before\nright\n");
        lines(&stats).iter().map(|line| line["cycles"].is_u64()).collect()
    };
    assert_eq!(timed(""), [true, true, true]);
    let detailed = lines(&stats);
    assert_eq!(timed("--functional"), [false, false, false]);
    for (one, other) in detailed.iter().zip(lines(&stats)) {
        for key in ["warp_instructions", "thread_instructions", "kernel", "registers"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    assert_eq!(timed("--from 2"), [false, true, true]);
    assert_eq!(timed("--from 2 --to 2"), [false, true, false]);
}

/// Reads what nobody has written, and has no barrier where one belongs.
const CARELESS: &str = r#"
#include <cstdio>
#include <cstdlib>

__global__ void reverse(const int *in, int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = part[63 - threadIdx.x];
}

int main(int count, char **argument) {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  if (count > 2)
    cudaMemset(in, 0, 256);
  for (int launch = 0; launch < 2; launch++)
    reverse<<<1, 64>>>(in, out);
  printf("done\n");
  return count > 1 ? atoi(argument[1]) : 0;
}
"#;

#[test]
fn checks_find_what_is_no_fault() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("careless.cu"), CARELESS).unwrap();
    succeeds(unruly("nvcc -O2 careless.cu -o careless").current_dir(folder.path()));
    let exec = |options: &str, arguments: &str| {
        let mut command = unruly(&format!("exec {options} ./careless {arguments}"));
        command.current_dir(folder.path());
        command
    };
    let read = "load in global memory: nobody has written the 4 bytes at";
    let race = "in shared memory: no barrier lies between it, of 4 bytes at";
    for mode in ["", "--functional"] {
        let options = format!("{mode} --check uninitialised,races --json found.json");
        let words =
            ["launch 1: ./careless, module 1:", "careless.cu:7): kernel `_Z7reversePKiPi`", read, race, "checks:"];
        let said = ends(&mut exec(&options, ""), 1, &words);
        assert!(!said.contains("launch 2"), "each place is named once: {said}");
        let result = command::json(folder.path().join("found.json"));
        let found = result["findings"].as_array().unwrap();
        let reads = found.iter().find(|one| one["text"].as_str().unwrap().starts_with(read)).unwrap();
        let expected = serde_json::json!(["uninitialised", 1, "_Z7reversePKiPi", 128]);
        assert_eq!(serde_json::json!([reads["kind"], reads["launch"], reads["kernel"], reads["count"]]), expected);
        assert!(found.iter().any(|one| one["text"].as_str().unwrap().contains(race)), "{found:?}");
    }
    // The program's own failure goes first, and each check is on or off by itself.
    let said = ends(&mut exec("--check races", "7"), 7, &[race, "checks:"]);
    assert!(!said.contains(read), "{said}");
    let said =
        ends(&mut exec("--functional --check uninitialised", "0 set"), 1, &["load in shared memory: nobody has"]);
    assert!(!said.contains(read) && !said.contains(race), "{said}");
    assert_eq!(ends(&mut exec("", ""), 0, &[]), "");
    refuses(&mut unruly("exec --check races true"), 0, &["checks: nothing found"]);
}

/// Programs that check themselves: memory on both sides, atomics, barriers of a grid, what kernels print and allocate.
#[test]
fn programs_pass_without_time() {
    let folder = TempDir::new().unwrap();
    for name in ["memory_kinds", "symbols", "managed", "kernel_output", "cooperative", "textures", "errors"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.cu"));
        let program = folder.path().join(name);
        succeeds(unruly("nvcc").arg(source).arg("-o").arg(&program));
        assert!(succeeds(unruly("exec --functional").arg(program)).ends_with("PASS\n"), "{name}");
    }
}

/// The launch of the middle, with the memory that the one before left.
#[test]
fn a_launch_runs_again_from_its_folder() {
    let folder = TempDir::new().unwrap();
    let [stats, again] = ["stats.jsonl", "again.json"].map(|name| folder.path().join(name).display().to_string());
    let dumped = folder.path().join("launch");
    let options = format!("--stats {stats} --dump-launch 2 {}", dumped.display());
    ends(&mut exec(&options, ""), 0, &["launch 2 is in", "unruly kernel kernel.ptx --launches launch.toml"]);
    let mut kernel = unruly(&format!("kernel kernel.ptx --launches launch.toml --json {again}"));
    succeeds(kernel.current_dir(&dumped));
    let (first, second) = (&lines(Path::new(&stats))[1], &command::json(&again)["launches"][0]);
    for key in ["kernel", "grid", "block", "warp_instructions"] {
        assert_eq!(first[key], second[key], "{key}");
    }
}

/// Two files with variables and kernels of the same names.
#[test]
fn files_have_variables_of_their_own() {
    const ONE: &str = r#"
#include <cstdio>
__constant__ int scale = 3;
static __device__ int counter = 10;

__global__ void work(int *out) {
  counter++;
  *out = scale * counter;
}

int other(int *out);

int main() {
  int *out, found[4], five = 5, count;
  cudaMalloc(&out, sizeof found);
  work<<<1, 1>>>(out);
  cudaMemcpyToSymbol(scale, &five, sizeof five);
  work<<<1, 1>>>(out + 1);
  int count_of_other = other(out + 2);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  printf("%d %d %d %d, %d %d\n", found[0], found[1], found[2], found[3], count, count_of_other);
}
"#;
    const TWO: &str = r#"
static __constant__ int scales[20] = {2};
static __device__ int counter = 100;

static __global__ void work(int *out) {
  counter++;
  *out = scales[0] * counter;
}

int other(int *out) {
  int nine = 9, count;
  work<<<1, 1>>>(out);
  cudaMemcpyToSymbol(scales, &nine, sizeof nine);
  work<<<1, 1>>>(out + 1);
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  return count;
}
"#;
    let folder = TempDir::new().unwrap();
    for (name, text) in [("one.cu", ONE), ("two.cu", TWO)] {
        std::fs::write(folder.path().join(name), text).unwrap();
        succeeds(unruly(&format!("nvcc -c {name}")).current_dir(folder.path()));
    }
    succeeds(unruly("nvcc one.o two.o -o both").current_dir(folder.path()));
    let said = succeeds(unruly("exec ./both").current_dir(folder.path()));
    assert_eq!(said, "33 60 202 918, 12 102\n", "3 * 11, 5 * 12, 2 * 101, 9 * 102, and how often each has counted");
}

/// Its Makefile calls `nvcc`, which is that of the CUDA home.
#[test]
fn the_example_builds_with_its_makefile_and_its_worklist_equals_the_rtl() {
    let folder = TempDir::new().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bfs");
    for name in ["Makefile", "bfs.cu", "graph.h"] {
        std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let home = succeeds(&mut unruly("nvcc --cuda-home"));
    let path = format!("{}/bin:{}", home.trim(), std::env::var("PATH").unwrap());
    succeeds(Command::new("make").current_dir(folder.path()).env("PATH", path));
    for line in ["exec ./bfs 2000", "exec ./bfs -t 2000", "exec --config unruly-gw8 ./bfs 500"] {
        assert!(succeeds(unruly(line).current_dir(folder.path())).ends_with("PASS\n"), "{line}");
    }
    let lockstep = "exec --units lockstep --json result.json ./bfs 500";
    ends(unruly(lockstep).current_dir(folder.path()), 0, &["lock-step of RTL and behavioural model", " 0 mismatches"]);
    let result = command::json(folder.path().join("result.json"));
    assert!(result["lockstep"]["comparisons"].as_u64().unwrap() > 100_000);
}

#[test]
fn ctrl_c_ends_the_program_and_the_command() {
    for options in ["", "--functional"] {
        let mut command = exec(options, "endless");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        said.read_line(&mut String::new()).unwrap();
        let output = interrupt(child);
        assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
    }
}

/// A script and what it starts.
#[test]
fn each_process_has_memory_of_its_own() {
    let mut script = unruly("exec sh -c");
    script.arg(format!("{0} & {0}; {0} && wait", program().display()));
    assert_eq!(succeeds(&mut script).matches("right").count(), 3);
}
