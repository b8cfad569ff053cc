//! What a core has to know of the kernel that runs: the program, made ready for issue, and the launch.

use super::operand_collector::Reads;
use super::waving::Records;
use crate::config::{Config, Timing};
use crate::ptx::program::{Class, Program};

/// Where an instruction goes after issue. The first [`PIPELINES`] go by way of the operand collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Single precision and integers.
    Sp,
    /// Special functions.
    Sfu,
    /// Double precision, if it has pipelines of its own.
    Dp,
    /// Load-store unit; also `wlpush`, which takes its operands the same way, and `load_iru`.
    Memory,
    /// `wlpull`: straight to the worklist.
    Worklist,
}

pub const PIPELINES: usize = 4;
pub const PATHS: usize = PIPELINES + 1;

/// How an instruction moves.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    pub path: Path,
    pub timing: Timing,
    /// Banks of its operands.
    pub reads: Reads,
    /// Banks of its results, for warp slot 0, one bit each.
    pub writes: u32,
}

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
    /// For Graph-Waving's front end; otherwise empty.
    records: Records,
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
        | Class::WorklistPull
        | Class::WorklistPush
        | Class::WorklistControl
        | Class::ReorderLoad => o.simple,
    }
}

fn path(config: &Config, class: Class) -> Path {
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
        Class::Load | Class::Store | Class::Atomic | Class::Fence | Class::WorklistPush | Class::ReorderLoad => {
            Path::Memory
        }
        Class::WorklistPull => Path::Worklist,
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
        | Class::WorklistControl => Path::Sp,
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
    /// # Errors
    /// An instruction that the configuration's front end cannot take: its place in the code, and the rule.
    pub fn new(config: &Config, program: &'a Program, shape: Shape<'a>) -> Result<Self, (u32, String)> {
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
        let issue = program.code.iter().map(|instr| Issue {
            path: path(config, instr.class),
            timing: timing(config, instr.class),
            reads: Reads::new(instr.reads.as_slice(), banks),
            writes: instr.writes.as_slice().iter().fold(0, |set, slot| set | 1 << (*slot as usize % banks)),
        });
        let threads = shape.block.iter().product();
        let mut kernel = Kernel {
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
            records: Records::default(),
        };
        if config.gw.is_some() {
            kernel.records = Records::new(&kernel)?;
        }
        Ok(kernel)
    }

    /// A scalar wave may take the instruction (Graph-Waving, 6.3): behind it the warp goes on with the next one.
    pub fn may_go_into_a_wave(&self, pc: u32) -> bool {
        let goes_on = !matches!(self.program.code[pc as usize].class, Class::Branch | Class::Exit | Class::Barrier);
        goes_on && self.program.scalars.is_scalar(pc)
    }

    /// What Graph-Waving's front end knows of the instruction, if there is one.
    pub fn record(&self, pc: u32) -> Option<u128> {
        self.records.record(pc)
    }

    /// The list of registers that the instruction writes, for the same.
    pub fn writes(&self, pc: u32) -> u32 {
        self.records.writes(pc)
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
