//! Runs a kernel to its end without any notion of time: CTA by CTA, warp by warp, each with a plain SIMT stack.

use sim::exec::{
    atomic, execute, write_back, Access, AccessKind, Demand, Fault, Flow, Memory, Registers, Scratch, Spaces, WarpInfo,
};
use sim::ptx::isa::{Space, WARP_SIZE};
use sim::ptx::program::Program;
use sim::ptx::Module;

/// The module of a text, and its first kernel.
pub fn parse(text: &str) -> (Module, Program) {
    let module = Module::parse("t.ptx", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = module.kernel(module.entries()[0]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (module, program)
}

/// Counters of a launch, in the terms of the reference simulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub warp_instructions: u64,
    /// Lanes that executed an instruction, guard included.
    pub thread_instructions: u64,
}

/// A stack entry: `lanes` run from `pc` until they reach `until`.
#[derive(Clone, Copy, Debug)]
struct Path {
    pc: u32,
    until: u32,
    lanes: u32,
}

struct Warp {
    info: WarpInfo,
    regs: Registers,
    local: Vec<u8>,
    stack: Vec<Path>,
    at_barrier: bool,
}

impl Warp {
    fn new(program: &Program, info: WarpInfo) -> Self {
        let end = program.code.len() as u32;
        let stack = vec![Path { pc: 0, until: end, lanes: info.threads }];
        let local = vec![0; program.local_bytes as usize * WARP_SIZE];
        let mut regs = Registers::default();
        regs.start(program.slots);
        Warp { info, regs, local, stack, at_barrier: false }
    }

    fn pop_reached(&mut self) {
        while self.stack.last().is_some_and(|path| path.lanes == 0 || path.pc == path.until) {
            self.stack.pop();
        }
    }

    fn branch(&mut self, taken: u32, target: u32, next: u32, reconverge: u32) {
        let path = self.stack.last_mut().unwrap();
        let lanes = path.lanes;
        if taken == 0 || taken == lanes {
            path.pc = if taken == 0 { next } else { target };
            return;
        }
        path.pc = reconverge;
        if path.pc == path.until {
            self.stack.pop();
        }
        self.stack.push(Path { pc: next, until: reconverge, lanes: lanes & !taken });
        self.stack.push(Path { pc: target, until: reconverge, lanes: taken });
    }

    fn exit(&mut self, lanes: u32) {
        self.stack.last_mut().unwrap().pc += 1;
        for path in &mut self.stack {
            path.lanes &= !lanes;
        }
    }
}

/// One launch: a kernel, its grid and its parameter block.
pub struct Launch<'a> {
    pub program: &'a Program,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub params: Vec<u8>,
    pub dynamic_shared_bytes: u32,
}

impl Launch<'_> {
    /// Runs `k(u64 out)` of a module in a memory of its own, and gives the words of `out` and what was counted.
    pub fn fill(mut self, module: &Module, words: usize) -> Result<(Vec<u32>, Counts), Fault> {
        let mut memory = Memory::new();
        memory.place_statics(module.statics());
        let out = memory.alloc(4 * words as u64);
        self.params = out.to_le_bytes().to_vec();
        let counts = self.run(&mut memory)?;
        Ok((memory.read_u32s(out, words).unwrap(), counts))
    }

    pub fn run(&self, memory: &mut Memory) -> Result<Counts, Fault> {
        let mut counts = Counts::default();
        for z in 0..self.grid[2] {
            for y in 0..self.grid[1] {
                for x in 0..self.grid[0] {
                    self.run_cta([x, y, z], memory, &mut counts)?;
                }
            }
        }
        Ok(counts)
    }

    fn run_cta(&self, ctaid: [u32; 3], memory: &mut Memory, counts: &mut Counts) -> Result<(), Fault> {
        let threads: u32 = self.block.iter().product();
        let warp = |first_thread| WarpInfo {
            ctaid,
            ntid: self.block,
            nctaid: self.grid,
            first_thread,
            threads: WarpInfo::threads(self.block, first_thread, 32),
            warp_slot: first_thread / 32,
            dynamic_shared_bytes: self.dynamic_shared_bytes,
            ..WarpInfo::default()
        };
        let mut warps: Vec<_> = (0..threads).step_by(32).map(|t| Warp::new(self.program, warp(t))).collect();
        let mut shared = vec![0; (self.program.shared_bytes + self.dynamic_shared_bytes) as usize];
        while warps.iter().any(|warp| !warp.stack.is_empty()) {
            for warp in &mut warps {
                self.run_to_barrier(warp, &mut shared, memory, counts)?;
            }
            warps.iter_mut().for_each(|warp| warp.at_barrier = false);
        }
        Ok(())
    }

    fn run_to_barrier(
        &self,
        warp: &mut Warp,
        shared: &mut [u8],
        memory: &mut Memory,
        counts: &mut Counts,
    ) -> Result<(), Fault> {
        let mut scratch = Scratch::default();
        while let (Some(path), false) = (warp.stack.last_mut(), warp.at_barrier) {
            let pc = path.pc;
            let constants = &self.program.constants;
            let mut spaces = Spaces { global: memory, shared, local: &mut warp.local, params: &self.params, constants };
            let effect = execute(self.program, pc, path.lanes, &warp.info, &mut warp.regs, &mut spaces, &mut scratch)?;
            counts.warp_instructions += 1;
            counts.thread_instructions += u64::from(effect.lanes.count_ones());
            if let Demand::Access { access, .. } = effect.demand {
                self.finish_atomic(access, &mut warp.regs, memory);
            }
            match effect.flow {
                Flow::Branch { taken, target, others } => {
                    warp.branch(taken, target, others, self.program.code[pc as usize].reconverge);
                }
                Flow::Exit { lanes } => warp.exit(lanes),
                Flow::Barrier { .. } => {
                    path.pc += 1;
                    warp.at_barrier = true;
                }
                _ => path.pc += 1,
            }
            warp.pop_reached();
        }
        Ok(())
    }

    fn finish_atomic(&self, access: &Access, regs: &mut Registers, memory: &mut Memory) {
        let AccessKind::Atomic(op) = access.kind else { return };
        if access.space != Space::Global {
            return;
        }
        let mut old = [0; WARP_SIZE];
        for lane in (0..WARP_SIZE).filter(|lane| access.lanes >> lane & 1 == 1) {
            let [a, b] = access.operands.map(|row| row[lane]);
            old[lane] = atomic::apply(op, access.bytes, memory, access.address[lane], a, b).unwrap().0;
        }
        if let Some(dst) = access.dst {
            write_back(self.program, dst, access.lanes, &old, regs);
        }
    }
}
