//! Scalar instructions (Graph-Waving, 5.2.2): which are marked, and that what is marked is true when it is executed.

mod marks;
mod pragmas;
mod random;

use sim::config::Config;
use sim::gpu::{Gpu, Launch, RunError};
use sim::ptx::program::Program;
use sim::ptx::{Module, PtxError};
use sim::stats::LaunchStats;

/// Words of memory that a kernel gets the address of. They are 0, 1, 2, 3, 0, ...
const WORDS: u32 = 64;

/// A kernel `k(a, n)` with registers `%r0` to `%r19`, `%d0` to `%d9`, `%p0` to `%p9` and with `%a` and `%n` loaded. The
/// body starts in line 4.
fn kernel(body: &str) -> Result<Program, PtxError> {
    let text = format!(
        ".visible .entry k(.param .u64 a, .param .u32 n) {{ .reg .b64 %a, %d<10>; .reg .b32 %n, %r<20>; .reg .pred %p<10>;
         ld.param.u64 %a, [a]; // s
         ld.param.u32 %n, [n]; // s\n{body}\n}}"
    );
    Module::parse("t.ptx", &text)?.kernel("k")
}

/// The instruction in a line of the text is marked.
fn marked(program: &Program, line: u32) -> bool {
    let pc = program.code.iter().position(|instr| instr.line == line).unwrap();
    program.scalars.is_scalar(pc as u32)
}

/// One core of a small GPU without units, on which marks are checked.
fn gpu(warp_size: u32) -> Gpu {
    let mut config = Config::preset("hwwl-micro14").unwrap();
    config.hwwl = None;
    config.set("core.count=1").unwrap();
    config.set(&format!("core.warp_size={warp_size}")).unwrap();
    let mut gpu = Gpu::new(&config, Vec::new());
    gpu.set_check_scalars(true);
    gpu
}

/// Two CTAs of 44 threads: the last warp is never full.
fn run(gpu: &mut Gpu, program: &Program) -> Result<LaunchStats, RunError> {
    let a = gpu.memory_mut().alloc(4 * u64::from(WORDS));
    let words: Vec<u8> = (0..WORDS).flat_map(|i| (i % 4).to_le_bytes()).collect();
    gpu.copy_to_device(a, &words).unwrap();
    let mut params = a.to_le_bytes().to_vec();
    params.extend(5u32.to_le_bytes());
    gpu.launch(program, &Launch { grid: [2, 1, 1], block: [44, 1, 1], dynamic_shared: 0, params })
}

/// No mark is wrong on warps of these sizes.
fn assert_true(program: &Program, warp_sizes: &[u32]) {
    for &size in warp_sizes {
        run(&mut gpu(size), program).unwrap_or_else(|error| panic!("warps of {size}: {error}"));
    }
}
