//! `unruly nvcc` as makefiles use it: several languages, separate compilation, a CUDA home, what is said of wrong input.

use crate::common::command::{self, refuses, succeeds, unruly};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A kernel in CUDA, allocation in C, a check in C++.
const MIXED: &[(&str, &str)] = &[
    (
        "kernel.cu",
        "__constant__ float scale[1];
         __global__ void fill(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = scale[0] * expf(-0.01f * i); }
         extern \"C\" void run(float *p, int n) {
           const char *name = \"scale\";
           float two = 2;
           cudaMemcpyToSymbol(name, &two, sizeof two);
           fill<<<(n + 127) / 128, 128>>>(p, n);
         }\n",
    ),
    (
        "memory.c",
        "#include <cuda.h>\n#include <cuda_runtime_api.h>
         float *get(int n) { void *p = 0; return cudaMalloc(&p, n * sizeof(float)) == cudaSuccess ? p : 0; }\n",
    ),
    (
        "main.cpp",
        "#include <cmath>\n#include <cstdio>\n#include <cuda_runtime.h>\n#include <memory>\n#include <vector>
         extern \"C\" { float *get(int n); void run(float *p, int n); }
         int main() {
           int n = 1000;
           auto host = std::make_shared<std::vector<float>>(n);
           float *p = get(n);
           run(p, n);
           if (cudaMemcpy(host->data(), p, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
           for (int i = 0; i < n; i++) if (std::fabs((*host)[i] - 2 * std::exp(-0.01 * i)) > 1e-5) return 2;
           puts(\"PASS\");
         }\n",
    ),
];

/// Device functions, variables and kernels of two files.
const SEPARATE: &[(&str, &str)] = &[
    (
        "parts.cu",
        "__device__ int counter = 5;
         __device__ int twice(int x) { return 2 * x + counter; }
         __global__ void fill(int *p) { p[threadIdx.x] = twice(threadIdx.x); }
         static __global__ void raise(int *p) { p[threadIdx.x] += 1000; }
         void run_raise(int *p) { raise<<<1, 32>>>(p); }\n",
    ),
    (
        "main.cu",
        "#include <stdio.h>
         extern __device__ int counter;
         __device__ int twice(int x);
         __global__ void fill(int *p);
         void run_raise(int *p);
         static __global__ void again(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]) + (int)sqrt((double)counter); }
         int main() {
           int *p, host[32], nine = 9;
           cudaMalloc(&p, sizeof host);
           fill<<<1, 32>>>(p);
           run_raise(p);
           cudaMemcpyToSymbol(counter, &nine, sizeof nine);
           again<<<1, 32>>>(p);
           cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
           for (int i = 0; i < 32; i++) if (host[i] != 2 * (2 * i + 5 + 1000) + 9 + 3) return 1;
           puts(\"PASS\");
         }\n",
    ),
];

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn nvcc(line: &str, folder: &Path) -> Command {
    let mut command = unruly(&format!("nvcc {line}"));
    command.current_dir(folder);
    command
}

fn passes(program: &str, folder: &Path) {
    assert_eq!(succeeds(unruly(&format!("exec ./{program}")).current_dir(folder)), "PASS\n");
}

#[test]
fn sources_of_three_languages_make_a_program() {
    let folder = folder(MIXED);
    let options = "-O3 -arch sm_13 --compiler-options -fno-strict-aliasing,-Wall -Xptxas -v -std=c++14 -lm";
    succeeds(&mut nvcc(&format!("{options} kernel.cu memory.c main.cpp -o prog"), folder.path()));
    passes("prog", folder.path());
}

/// Nothing but the place of the toolkit is changed.
#[test]
fn a_makefile_finds_its_toolkit_in_the_cuda_home() {
    let folder = folder(MIXED);
    let makefile = "CUDA_PATH ?= /usr/local/cuda\nNVCC := $(CUDA_PATH)/bin/nvcc -ccbin g++\n\
        GENCODE := -gencode arch=compute_20,code=sm_20 -gencode arch=compute_50,code=\\\"sm_50,compute_50\\\"\n\
        prog: main.o memory.o kernel.o\n\tg++ -o $@ $+ -L$(CUDA_PATH)/lib64 -lcudart\n\
        kernel.o: kernel.cu\n\t$(NVCC) -m64 $(GENCODE) --ptxas-options=-v -Xcompiler \"-Wall -O2\" -o $@ -c $<\n\
        main.o: main.cpp\n\tg++ -I$(CUDA_PATH)/include -c -o $@ $<\n\
        memory.o: memory.c\n\tgcc -I$(CUDA_PATH)/include -c -o $@ $<\n";
    std::fs::write(folder.path().join("Makefile"), makefile).unwrap();
    let home = succeeds(&mut unruly("nvcc --cuda-home"));
    succeeds(Command::new("make").arg(format!("CUDA_PATH={}", home.trim())).current_dir(folder.path()));
    passes("prog", folder.path());
}

/// In one command, from objects, with an archive, and linked by the host's compiler.
#[test]
fn device_code_of_several_files_is_linked() {
    let folder = folder(SEPARATE);
    let path = folder.path();
    succeeds(&mut nvcc("-rdc=true main.cu parts.cu -o one", path));
    passes("one", path);
    succeeds(&mut nvcc("-dc main.cu parts.cu", path));
    succeeds(&mut nvcc("main.o parts.o -o two", path));
    passes("two", path);
    succeeds(&mut nvcc("-lib parts.o -o parts.a", path));
    succeeds(&mut nvcc("-rdc=true main.cu parts.a -o three", path));
    passes("three", path);
    succeeds(&mut nvcc("-dlink main.o parts.o -o linked.o", path));
    let home = succeeds(&mut unruly("nvcc --cuda-home"));
    let mut linker = Command::new("g++");
    linker
        .args(["main.o", "parts.o", "linked.o", "-lcudart", "-o", "four", "-L"])
        .arg(Path::new(home.trim()).join("lib64"));
    succeeds(linker.current_dir(path));
    passes("four", path);
}

#[test]
fn clang_itself_takes_the_cuda_home() {
    let folder = folder(MIXED);
    let home = succeeds(&mut unruly("nvcc --cuda-home"));
    let home = Path::new(home.trim());
    let mut clang = Command::new("clang-14");
    clang.args([
        "--driver-mode=g++",
        "--cuda-gpu-arch=sm_35",
        "-nocudainc",
        "-include",
        "cuda_runtime.h",
        "-Wno-unknown-cuda-version",
    ]);
    clang.arg(format!("--cuda-path={}", home.display())).arg("-isystem").arg(home.join("include"));
    clang.args(["-x", "cuda", "-O2", "-c", "kernel.cu", "-o", "kernel.o"]).current_dir(folder.path());
    succeeds(&mut clang);
    succeeds(&mut nvcc("kernel.o memory.c main.cpp -o prog", folder.path()));
    passes("prog", folder.path());
}

#[test]
fn other_products_have_the_names_that_nvcc_gives_them() {
    let folder = folder(MIXED);
    let path = folder.path();
    for (option, name) in
        [("-ptx", "kernel.ptx"), ("-cubin", "kernel.cubin"), ("-fatbin", "kernel.fatbin"), ("-c", "kernel.o")]
    {
        succeeds(&mut nvcc(&format!("{option} kernel.cu"), path));
        assert!(path.join(name).is_file(), "{name}");
    }
    assert!(succeeds(&mut nvcc("-M kernel.cu", path)).contains("cuda_runtime.h"));
    assert!(succeeds(&mut nvcc("-E main.cpp", path)).contains("make_shared"));
    assert!(succeeds(&mut nvcc("--version", path)).contains("release 11.0"));
    succeeds(&mut nvcc("-dryrun kernel.cu -o not_made", path));
    assert!(!path.join("not_made").exists());
}

/// The flags before and after are for compiling, and a value is no option.
#[test]
fn flags_of_the_environment_and_values_are_taken_for_what_they_are() {
    let folder = folder(&[("a.cu", "int main() { return 0; }")]);
    let mut home = nvcc("--cuda-home", folder.path());
    assert!(Path::new(succeeds(home.env("NVCC_PREPEND_FLAGS", "-O2")).trim_end()).join("bin/nvcc").is_file());
    let quiet = nvcc("a.cu -Xptxas -v -o quiet", folder.path()).output().unwrap();
    assert_eq!((quiet.status.code(), command::stderr(&quiet).as_str()), (Some(0), ""));
    command::ends(&mut nvcc("-v --nonsense a.cu", folder.path()), 2, &["#$ TOP=", "unknown option"]);
}

#[test]
fn wrong_input_is_one_line() {
    let folder = folder(MIXED);
    let says = |line: &str, words: &[&str]| refuses(&mut nvcc(line, folder.path()), 2, words);
    says("--nonsense kernel.cu", &["unknown option --nonsense", "docs/programs.md"]);
    says("-deviceemu kernel.cu", &["withdrawn"]);
    says("missing.cu", &["missing.cu: no such file"]);
    says("-ptx main.cpp", &["main.cpp", "-x cu"]);
    says("-c kernel.cu main.cpp -o x.o", &["-o x.o", "2 sources"]);
    says("-arch=volta kernel.cu", &["`volta`", "sm_35"]);
    says("-O2", &["no input file"]);
    says("kernel.cu -lm -lcublas -o prog", &["-lcublas", "NVIDIA's"]);
}

/// A toolkit of NVIDIA's in addition to ours, and what `make` is told to look at: files that stay.
#[test]
fn our_headers_go_first_and_dependencies_are_files() {
    let folder = folder(&[
        ("a.cu", "#include <cuda_runtime.h>\n#include <npp.h>\n#include \"b.h\"\n"),
        ("b.h", "__global__ void k(int *p);\ninline void f(int *p) { k << <1, N>> >(p); }\n"),
        ("pre.h", "__global__ void early(int *p);\ninline void g(int *p) { early << <1, 1>> >(p); }\n"),
    ]);
    std::fs::create_dir(folder.path().join("toolkit")).unwrap();
    for name in ["cuda_runtime.h", "cuda_runtime_api.h", "vector_types.h"] {
        std::fs::write(folder.path().join("toolkit").join(name), "#error NVIDIA's\n").unwrap();
    }
    std::fs::write(folder.path().join("toolkit/npp.h"), "\n").unwrap();
    for option in ["-I", "-isystem ", "-Xcompiler -I"] {
        succeeds(&mut nvcc(&format!("{option}toolkit -include pre.h -DN=96 -MD -MF list -c a.cu"), folder.path()));
    }
    let list = std::fs::read_to_string(folder.path().join("list")).unwrap();
    let files: Vec<_> = list.split_whitespace().skip(1).filter(|word| *word != "\\").collect();
    assert!(files.contains(&"b.h") && files.iter().all(|file| folder.path().join(file).is_file()), "{list}");
}

/// The compiler knows an instruction that the model does not: said at once, and nothing more, as the kernel may never run.
#[test]
fn a_kernel_that_cannot_be_launched_is_a_warning() {
    let text = "__global__ void good(int *p) { *p = 1; }\n__global__ void bad(int *p) {\n  asm volatile(\"frobnicate.b32 %0;\" : : \"r\"(*p));\n}\n";
    let folder = folder(&[("a.cu", text)]);
    let words = ["nvcc: warning: kernel `bad` cannot be launched", "unknown instruction `frobnicate`", "(a.cu:3)"];
    let said = command::ends(&mut nvcc("-c a.cu", folder.path()), 0, &words);
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// With clang's OpenMP library in parallel, without it in one thread.
#[test]
fn a_program_with_openmp_runs() {
    let text = "#include <omp.h>\n#include <stdio.h>
        int main() {
          int sum = 0;
        #pragma omp parallel for reduction(+ : sum)
          for (int i = 0; i < 10; i++) sum += i;
          if (sum == 45 && omp_get_max_threads() > 0) puts(\"PASS\");
        }\n";
    let folder = folder(&[("loop.cu", text)]);
    succeeds(&mut nvcc("-Xcompiler -fopenmp loop.cu -o prog -lgomp", folder.path()));
    passes("prog", folder.path());
}
