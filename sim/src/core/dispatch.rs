//! Dispatch: an instruction that has issued goes on its way, and its warp goes on to the next one.

use super::back_end::{BackEnd, Notice};
use super::coalescer::{self, BankWords, LocalMap, Parts};
use super::in_flight::{InFlight, Members};
use super::kernel::Kernel;
use super::load_store::Target;
use super::path::{Path, NO_PORT};
use super::scoreboard::Writer;
use super::warp::Warp;
use super::warp_set::WarpId;
use crate::exec::{Access, AccessKind, Demand, Effect, Flow};
use crate::mem::request::{Kind, Request, Tag};
use crate::ptx::isa::{Class, Space, WARP_SIZE};
use crate::ptx::op::Op;

impl BackEnd {
    /// Sends an instruction on its way and moves its warp on.
    pub fn dispatch(&mut self, id: WarpId, pc: u32, effect: Effect, kernel: &Kernel) {
        let path = kernel.issue[pc as usize].path;
        let writer = match path {
            Path::Port(_) => Writer::Port,
            Path::Memory => Writer::Memory,
            Path::Sp | Path::Sfu | Path::Dp => Writer::Arithmetic,
        };
        self.residents.scoreboard.reserve(self.residents.slot(id), kernel.written(pc), writer);
        let op = InFlight::of_warp(id, pc);
        match (path, effect.demand) {
            (Path::Port(port), Demand::Port { lanes, .. }) if lanes != 0 => {
                let results = kernel.program.code[pc as usize].writes.as_slice().len() as u8;
                self.ports[port as usize].issue(op, lanes, results);
            }
            // No lane asks: there is nothing to answer.
            (Path::Port(_), _) => self.residents.complete(op, kernel),
            (Path::Memory, demand) => self.send_to_memory(op, demand, kernel),
            (Path::Sp | Path::Sfu | Path::Dp, _) => self.collector.push(path.index(), op),
        }
        self.advance(id, pc, effect.flow, kernel);
    }

    /// Moves a warp on behind an instruction that it has executed.
    pub fn advance(&mut self, id: WarpId, pc: u32, flow: Flow, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        let cta = warp.cta;
        match flow {
            Flow::Branch { taken, target, others } => {
                warp.stack.branch(taken, target, others, kernel.program.code[pc as usize].reconverge)
            }
            Flow::Exit { lanes } => {
                warp.stack.exit(lanes, pc + 1);
                self.ports.iter_mut().for_each(|port| port.end(id.number(), lanes));
            }
            Flow::OthersEnd { lanes, pc } => warp.stack.let_first(lanes, pc, kernel.program.code.len() as u32),
            Flow::Next | Flow::Barrier(_) | Flow::Control(_) => warp.stack.advance(pc + 1),
        }
        let ended = warp.stack.top().is_none();
        let sets = self.residents.sets_mut(id);
        match flow {
            Flow::Barrier(arrival) => self.arrive(id, pc, arrival, kernel),
            Flow::Exit { .. } if ended => {
                sets.ended |= id.bit();
                sets.buffered &= !id.bit();
                self.ctas[cta].live.remove(id);
                // The slot stays taken until every warp has retired.
                self.open_barriers(cta, kernel);
                self.progress += 1;
            }
            Flow::Control(control) => self.notices.push(Notice::Control { control, pc }),
            Flow::Next | Flow::Branch { .. } | Flow::Exit { .. } | Flow::OthersEnd { .. } => {}
        }
        if kernel.program.code[pc as usize].class == Class::Fence {
            self.residents.sets_mut(id).in_fence |= id.bit();
        }
    }

    /// Makes the access of an instruction ready for the load-store unit, and sends it there by way of the operand collector.
    pub fn send_to_memory(&mut self, op: InFlight, demand: Demand, kernel: &Kernel) {
        let instr = &kernel.program.code[op.pc as usize];
        let (class, port) = (instr.class, kernel.issue[op.pc as usize].port);
        let parts = self.parts(op, kernel);
        let segments = self.load_store.segments;
        let is_fetch = |_: &u64| matches!(instr.op, Op::Texture(_));
        let texture_line = self.load_store.texture_line().filter(is_fetch);
        let Some((entry, instruction)) = self.load_store.prepare() else { return };
        let op = InFlight { entry, ..op };
        instruction.op = op;
        instruction.load = class == Class::Load || class == Class::Atomic;
        instruction.atomic = false;
        instruction.local = false;
        instruction.requests.clear();
        instruction.target = match demand {
            Demand::Port { lanes, operands } if lanes != 0 => {
                instruction.operands = *operands;
                if let Some(request) = self.ports[port as usize].request(op, instr, lanes) {
                    self.residents.issued_load(op);
                    instruction.requests.push(request);
                }
                Target::Port { port, lanes, results: instr.writes.as_slice().len() as u8 }
            }
            Demand::Access { access, .. } if access.lanes != 0 => match (access.space, texture_line) {
                (Space::Shared, _) => {
                    let cycles = coalescer::shared_cycles(access, self.shared_banks);
                    self.stats.shared_accesses += 1;
                    self.stats.shared_conflict_cycles += cycles - 1;
                    if self.config.mem_accesses > 1 && cycles == 1 {
                        instruction.banks = BankWords::of(access, self.shared_banks);
                    }
                    Target::Shared { cycles }
                }
                (Space::Param | Space::Const, _) => {
                    let out = &mut instruction.requests;
                    coalescer::read_only_lines(access, Kind::Constant, self.constant_line, self.index, &parts, out);
                    Target::Constant
                }
                (Space::Global, Some(line)) => {
                    let out = &mut instruction.requests;
                    coalescer::read_only_lines(access, Kind::Texture, line, self.index, &parts, out);
                    self.residents.issued_load(op);
                    self.stats.memory_accesses += 1;
                    self.stats.memory_requests += instruction.requests.len() as u64;
                    Target::Texture
                }
                (Space::Global | Space::Local, _) => {
                    instruction.local = access.space == Space::Local;
                    instruction.atomic = matches!(access.kind, AccessKind::Atomic(_));
                    // An atomic that a port may change is coalesced once the port has.
                    if !instruction.atomic || port == NO_PORT {
                        coalescer::coalesce(access, self.index, &parts, segments, &mut instruction.requests);
                    }
                    if instruction.atomic {
                        start_atomic(&mut self.residents.warps[op.warp], op, replies(&instruction.requests), access);
                        let members = self.residents.members(op);
                        self.residents.sets_mut(op.warp).in_atomic |= members;
                    } else if class == Class::Load && !instruction.local {
                        self.residents.issued_load(op);
                    }
                    self.stats.memory_accesses += 1;
                    self.stats.memory_requests += instruction.requests.len() as u64;
                    Target::Memory
                }
            },
            // No lane takes part.
            Demand::Nothing | Demand::Access { .. } | Demand::Port { .. } => Target::Nothing,
        };
        self.collector.push(Path::Memory.index(), op);
    }

    /// The next instruction that comes to the head of the load-store unit. An atomic that a port may change waits for the port
    /// before it is coalesced.
    pub(super) fn next_to_memory(&mut self, kernel: &Kernel) -> Option<InFlight> {
        let path = Path::Memory.index();
        let op = self.collector.next(path)?;
        let port = kernel.issue[op.pc as usize].port;
        if port != NO_PORT && self.load_store.instruction(op.entry).atomic {
            let access = &mut self.residents.warps[op.warp].atomic.access;
            if !self.ports[port as usize].change(op, access) {
                return None;
            }
            let parts = self.parts(op, kernel);
            let (segments, instruction) = (self.load_store.segments, self.load_store.instruction(op.entry));
            let warp = &mut self.residents.warps[op.warp];
            coalescer::coalesce(&warp.atomic.access, self.index, &parts, segments, &mut instruction.requests);
            self.stats.memory_requests += instruction.requests.len() as u64;
            warp.atomics = replies(&instruction.requests);
        }
        self.collector.pop(path)
    }

    /// An instruction comes to the head of the load-store unit, and the next one with it if both are served at once.
    pub(super) fn next_to_head(&mut self, now: u64, kernel: &Kernel) -> bool {
        let Some(op) = self.next_to_memory(kernel) else { return false };
        self.load_store.issue(now, op);
        if self.config.mem_accesses > 1 {
            let path = Path::Memory.index();
            if let Some(next) = self.collector.next(path).filter(|next| self.load_store.go_together(op, *next)) {
                self.collector.pop(path);
                self.load_store.join_head(next);
            }
        }
        true
    }

    /// Who accesses memory, for the coalescer.
    fn parts(&self, op: InFlight, kernel: &Kernel) -> Parts {
        let both = op.members == Members::Two;
        let local = [0, 1].map(|part| self.local_map(op.part(part).warp, kernel));
        let lanes = if both { kernel.warp_size } else { WARP_SIZE };
        Parts { sender: Tag::Warp { warp: op.warp.number(), both }, lanes, local }
    }

    fn local_map(&self, warp: WarpId, kernel: &Kernel) -> LocalMap {
        // Resident CTAs: the first of each core, then the second of each, and so on.
        let (slot, per_cta) = (self.residents.slot(warp), kernel.warps_per_cta);
        let place = slot / per_cta * kernel.cores as usize + self.index;
        let warps = per_cta * kernel.ctas_per_core * kernel.cores as usize;
        LocalMap {
            threads: (warps * self.config.warp_size) as u64,
            first: ((place * per_cta + slot % per_cta) * self.config.warp_size) as u64,
        }
    }
}

fn start_atomic(warp: &mut Warp, op: InFlight, replies: u32, access: &Access) {
    warp.atomics = replies;
    warp.atomic.op = op;
    warp.atomic.access.clone_from(access);
}

fn replies(requests: &[Request]) -> u32 {
    requests.iter().map(Request::replies).sum::<usize>() as u32
}
