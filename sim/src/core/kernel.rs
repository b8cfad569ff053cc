//! The kernel that runs, as a core needs it: the program, made ready for issue, and the launch.

use super::path::{Issue, Path, Reads};
use crate::config::{Config, Timing};
use crate::ptx::instr::Instr;
use crate::ptx::isa::{Class, Place};
use crate::ptx::program::Program;

pub struct Kernel<'a> {
    pub program: &'a Program,
    pub params: &'a [u8],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub number: u64,
    pub cores: u32,
    pub dynamic_shared: u32,
    pub threads: u32,
    pub warp_size: usize,
    pub warps_per_cta: usize,
    pub shared_bytes: usize,
    pub ctas_per_core: usize,
    pub issue: Vec<Issue>,
    /// Words of a row of register slots, and for each instruction the rows of all slots touched and of those written.
    pub words: usize,
    touched: Vec<u64>,
    written: Vec<u64>,
}

fn timing(config: &Config, class: Class) -> Timing {
    let o = &config.operations;
    match class {
        Class::IntAdd => o.int_add,
        Class::IntMinMax => o.int_min_max,
        Class::IntMul => o.int_mul,
        Class::IntMad => o.int_mad,
        Class::IntDiv => o.int_div,
        Class::F32Add => o.f32_add,
        Class::F32MinMax => o.f32_min_max,
        Class::F32Mul => o.f32_mul,
        Class::F32Fma => o.f32_fma,
        Class::F32Div => o.f32_div,
        Class::F64Add => o.f64_add,
        Class::F64MinMax => o.f64_min_max,
        Class::F64Mul => o.f64_mul,
        Class::F64Fma => o.f64_fma,
        Class::F64Div => o.f64_div,
        Class::Special => o.special,
        Class::Shuffle => o.shuffle,
        Class::Simple
        | Class::Branch
        | Class::Exit
        | Class::Barrier
        | Class::Fence
        | Class::Load
        | Class::Store
        | Class::Atomic
        | Class::System(_) => o.simple,
    }
}

/// `port`: the number of the port that takes the instruction.
fn path(config: &Config, class: Class, port: u8) -> Path {
    match class {
        Class::F64Add | Class::F64MinMax | Class::F64Mul | Class::F64Fma | Class::F64Div
            if config.core.dp_units > 0 =>
        {
            Path::Dp
        }
        Class::IntDiv
        | Class::F32Div
        | Class::F64Add
        | Class::F64MinMax
        | Class::F64Mul
        | Class::F64Fma
        | Class::F64Div
        | Class::Special => Path::Sfu,
        Class::Load | Class::Store | Class::Atomic | Class::Fence | Class::System(Place::LoadStore) => Path::Memory,
        // A front end that issues groups has no path but the four of the pipelines.
        Class::System(Place::Issue) if config.groups_issue_together() => Path::Memory,
        Class::System(Place::Issue) => Path::Port(port),
        Class::IntAdd
        | Class::IntMinMax
        | Class::IntMul
        | Class::IntMad
        | Class::F32Add
        | Class::F32MinMax
        | Class::F32Mul
        | Class::F32Fma
        | Class::Shuffle
        | Class::Simple
        | Class::Branch
        | Class::Exit
        | Class::Barrier
        | Class::System(Place::AllCores) => Path::Sp,
    }
}

/// The launch, as [`crate::gpu::Gpu::launch`] has checked it.
pub struct Shape<'a> {
    pub params: &'a [u8],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub number: u64,
    pub dynamic_shared: u32,
    pub ctas_per_core: usize,
}

impl<'a> Kernel<'a> {
    /// `port`: the number of the port that takes an instruction, or [`super::path::NO_PORT`].
    pub fn new(config: &Config, program: &'a Program, shape: Shape<'a>, port: impl Fn(&Instr) -> u8) -> Self {
        let words = program.slots.div_ceil(64).max(1);
        let mut touched = vec![0; words * program.code.len()];
        let mut written = touched.clone();
        for (i, instr) in program.code.iter().enumerate() {
            let set = |rows: &mut [u64], slot: u16| rows[i * words + slot as usize / 64] |= 1 << (slot % 64);
            for slot in instr.reads.as_slice() {
                set(&mut touched, *slot);
            }
            for slot in instr.writes.as_slice() {
                set(&mut touched, *slot);
                set(&mut written, *slot);
            }
        }
        let banks = config.core.register_banks;
        let issue = program.code.iter().map(|instr| {
            let port = port(instr);
            Issue {
                path: path(config, instr.class, port),
                timing: timing(config, instr.class),
                reads: Reads::new(instr.reads.as_slice(), banks),
                writes: instr.writes.as_slice().iter().fold(0, |set, slot| set | 1 << (*slot as usize % banks)),
                port,
            }
        });
        let threads = shape.block.iter().product();
        Kernel {
            program,
            params: shape.params,
            grid: shape.grid,
            block: shape.block,
            number: shape.number,
            cores: config.core.count as u32,
            dynamic_shared: shape.dynamic_shared,
            threads,
            warp_size: config.core.warp_size,
            warps_per_cta: (threads as usize).div_ceil(config.core.warp_size),
            shared_bytes: (program.shared_bytes + shape.dynamic_shared) as usize,
            ctas_per_core: shape.ctas_per_core,
            issue: issue.collect(),
            words,
            touched,
            written,
        }
    }

    /// The launch as an error names it: the kernel, its file and the line of an instruction.
    pub fn named(&self, pc: u32) -> (String, String, u32) {
        (self.program.name.clone(), self.program.source.clone(), self.line(pc))
    }

    pub fn ctas(&self) -> u64 {
        self.grid.iter().map(|n| *n as u64).product()
    }

    /// Row of the register slots that the instruction reads or writes.
    #[inline(always)]
    pub fn touched(&self, pc: u32) -> &[u64] {
        &self.touched[pc as usize * self.words..][..self.words]
    }

    /// Row of the register slots that the instruction writes.
    #[inline(always)]
    pub fn written(&self, pc: u32) -> &[u64] {
        &self.written[pc as usize * self.words..][..self.words]
    }

    pub fn line(&self, pc: u32) -> u32 {
        self.program.code.get(pc as usize).map_or(0, |i| i.line)
    }
}
