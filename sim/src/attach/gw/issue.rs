//! Issue by Graph-Waving's front end: what `gw_front_end` has on its pins is executed, warp by warp, and goes on as one
//! instruction of a pair, of half a pair, or of a scalar wave (6.1, 6.3).
//!
//! The lanes of a pair lie side by side, so its access to memory is coalesced like that of one warp. A wave has a lane for each
//! member: the first running lane of a warp stands for all of them.

use super::GwPins;
use crate::attach::front_ends::{turns, UnitFront};
use crate::core::back_end::{BackEnd, Notice, World};
use crate::core::coalescer::lanes;
use crate::core::in_flight::{InFlight, Members};
use crate::core::issue_outcome::IssueOutcome;
use crate::core::path::Path;
use crate::core::scoreboard::Writer;
use crate::core::warp_set::WarpId;
use crate::core::Kernel;
use crate::exec::{Access, Demand, Effect, Flow};
use crate::ptx::isa::{Space, WARP_SIZE};
use crate::units::bits::bits;
use crate::units::gw::pins::next::ENDS;
use crate::units::gw::pins::{Next, SliceOut};

/// Demands of the members of a group, put together.
#[derive(Debug)]
pub struct Merged {
    access: Access,
    /// A member's access is to be made.
    any: bool,
    /// Lanes of a pair, or of half a pair, for which a port takes the instruction, and their operands.
    of_port: u32,
    operands: [[u32; WARP_SIZE]; 2],
    executed: u32,
    lanes: u32,
}

impl Merged {
    pub fn new() -> Self {
        Merged {
            access: Access::default(),
            any: false,
            of_port: 0,
            operands: [[0; WARP_SIZE]; 2],
            executed: 0,
            lanes: 0,
        }
    }

    fn start(&mut self) {
        (self.any, self.of_port, self.executed, self.lanes) = (false, 0, 0, 0);
        self.access.lanes = 0;
    }

    /// Takes a member's lanes for a port, and their operands; its first lane is this one.
    fn add_to_port(&mut self, lanes: u32, operands: &[[u32; WARP_SIZE]; 2], first: usize) {
        self.of_port |= lanes << first;
        for (to, from) in self.operands.iter_mut().zip(operands) {
            to[first..].copy_from_slice(&from[..WARP_SIZE - first]);
        }
    }

    /// The demand of the group. Changes that its members have made themselves are counted already.
    fn demand(&self) -> Demand<'_> {
        match (self.any, self.of_port) {
            (true, _) => Demand::Access { access: &self.access, changed: false },
            (false, 0) => Demand::Nothing,
            (false, lanes) => Demand::Port { lanes, operands: &self.operands },
        }
    }

    /// Takes the demand of a member, whose shared memory begins at `shared`.
    fn take(&mut self, demand: Demand, shared: u64, to: Lanes) {
        match (demand, to) {
            (Demand::Access { access, .. }, _) if access.lanes != 0 => self.add(access, shared, to),
            (Demand::Port { lanes, operands }, Lanes::From(first)) => self.add_to_port(lanes, operands, first),
            (Demand::Nothing | Demand::Access { .. } | Demand::Port { .. }, _) => {}
        }
    }

    /// Takes a member's access. Shared memory of its CTA begins at `shared`. Where members differ in space, global memory goes
    /// before.
    fn add(&mut self, access: &Access, shared: u64, to: Lanes) {
        self.any = true;
        if self.access.lanes != 0 && self.access.space != access.space {
            if access.space != Space::Global {
                return;
            }
            self.access.lanes = 0;
        }
        (self.access.space, self.access.kind) = (access.space, access.kind);
        (self.access.bytes, self.access.dst) = (access.bytes, access.dst);
        let base = if access.space == Space::Shared { shared } else { 0 };
        let mask = match to {
            Lanes::From(_) => access.lanes,
            Lanes::One(_) => access.lanes & access.lanes.wrapping_neg(),
        };
        for from in lanes(mask) {
            let to = match to {
                Lanes::From(first) => first + from,
                Lanes::One(lane) => lane,
            };
            self.access.lanes |= 1 << to;
            self.access.address[to] = access.address[from] + base;
            for (to_operand, operand) in self.access.operands.iter_mut().zip(&access.operands) {
                to_operand[to] = operand[from];
            }
        }
    }
}

/// Where a member's lanes are in its group's.
#[derive(Clone, Copy, Debug)]
enum Lanes {
    /// All of them, from this one on.
    From(usize),
    /// The first one stands for all, here.
    One(usize),
}

impl UnitFront<GwPins> {
    /// One cycle of all schedulers. True if anything issued.
    pub(super) fn issue(&mut self, back: &mut BackEnd, kernel: &Kernel, world: &mut World) -> bool {
        let mut moved = false;
        for s in 0..self.outputs.slices.len().min(back.residents.schedulers.len()) {
            let pins = self.outputs.slices[s];
            let issued = if pins.wave.valid {
                self.issue_wave(back, s, &pins, kernel, world)
            } else if pins.halves.even || pins.halves.odd {
                self.issue_halves(back, s, &pins, kernel, world)
            } else {
                back.set_outcome(s, turns::stall_reason(back, s, pins.ready, kernel));
                continue;
            };
            if let Err(text) = issued {
                back.notices.push(Notice::FrontEnd { text: format!("scheduler {s}: {text}") });
            }
            back.set_outcome(s, IssueOutcome::Issued);
            moved = true;
        }
        moved
    }

    fn issue_halves(
        &mut self,
        back: &mut BackEnd,
        s: usize,
        pins: &SliceOut,
        kernel: &Kernel,
        world: &mut World,
    ) -> Result<(), String> {
        let (pc, first) = (u32::from(pins.issue_pc), 2 * pins.halves.pair as usize);
        let halves = [pins.halves.even, pins.halves.odd];
        let pair = halves == [true, true];
        let issuing = || (0..2).filter(|half| halves[*half]).map(|half| (half, WarpId::at(s, first + half)));
        let mut flows = [Flow::Next; 2];
        let is_asked = |id: WarpId| !self.records.is_plain(pc, back.residents.warps[id].stack.is_full());
        let asked = issuing().filter(|(_, id)| is_asked(*id)).fold(0, |places, (_, id)| places | id.bit());
        self.pins.merged.start();
        for (half, id) in issuing() {
            let base = if pair { half * kernel.warp_size } else { 0 };
            flows[half] = self.issue_member(back, id, pc, Lanes::From(base), kernel, world)?;
        }
        let members = if pair { Members::Two } else { Members::One };
        let warp = WarpId::at(s, first + usize::from(!halves[0]));
        back.stats.pairs_issued += u64::from(pair);
        back.stats.halves_issued += u64::from(!pair);
        let tag = pins.even_slot | pins.odd_slot << 4;
        self.send(back, InFlight { warp, members, entry: 0, tag, pc }, kernel);
        issuing().for_each(|(half, id)| back.advance(id, pc, flows[half], kernel));
        if asked != 0 {
            self.turns.ask(back, s, asked);
        }
        Ok(())
    }

    fn issue_wave(
        &mut self,
        back: &mut BackEnd,
        s: usize,
        pins: &SliceOut,
        kernel: &Kernel,
        world: &mut World,
    ) -> Result<(), String> {
        let (pc, number) = (u32::from(pins.wave_pc), pins.wave.item);
        let first = pins.wave_group as usize * self.pins.wave_lanes;
        back.residents.member_sets[s][number as usize] = u64::from(pins.wave_mask) << first;
        self.pins.merged.start();
        for lane in lanes(u32::from(pins.wave_mask)) {
            let id = WarpId::at(s, first + lane);
            let flow = self.issue_member(back, id, pc, Lanes::One(lane), kernel, world)?;
            back.advance(id, pc, flow, kernel);
            let stack = &back.residents.warps[id].stack;
            if stack.top().map(|(next, _)| next) != Some(pc + 1) || !stack.is_full() {
                return Err(format!("the warp at place {} of a wave does not go on behind {pc}", id.place()));
            }
        }
        back.stats.waves_by_members[pins.wave_mask.count_ones() as usize] += 1;
        let warp = WarpId::at(s, first + pins.wave_mask.trailing_zeros() as usize);
        let count = pins.wave_mask.count_ones();
        (self.pins.merged.executed, self.pins.merged.lanes) = (count, count);
        self.send(back, InFlight { warp, members: Members::Set(number), entry: 0, tag: 0, pc }, kernel);
        Ok(())
    }

    /// Executes an instruction of a warp, if it is the warp's next and can go, and puts what it asks for to that of its group.
    fn issue_member(
        &mut self,
        back: &mut BackEnd,
        id: WarpId,
        pc: u32,
        to: Lanes,
        kernel: &Kernel,
        world: &mut World,
    ) -> Result<Flow, String> {
        let lanes = turns::lanes(back, id, pc, kernel)?;
        let path = kernel.issue[pc as usize].path;
        let effect = match back.execute_warp(id, pc, lanes, back.residents.now, kernel, world) {
            Ok(effect) => effect,
            Err(fault) => {
                back.notices.push(Notice::Fault(fault));
                // The launch ends.
                Effect { lanes: 0, flow: Flow::Next, demand: Demand::Nothing }
            }
        };
        self.count_member(back, id, pc, lanes, &effect, kernel);
        let shared = (back.residents.warps[id].cta * kernel.shared_bytes) as u64;
        self.pins.merged.take(effect.demand, shared, to);
        let writer = if path == Path::Memory { Writer::Memory } else { Writer::Arithmetic };
        back.residents.scoreboard.reserve(back.residents.slot(id), kernel.written(pc), writer);
        Ok(effect.flow)
    }

    fn count_member(&mut self, back: &mut BackEnd, id: WarpId, pc: u32, lanes: u32, effect: &Effect, kernel: &Kernel) {
        back.count_warp_instruction(pc, effect, kernel);
        self.pins.merged.executed += effect.lanes.count_ones();
        self.pins.merged.lanes += lanes.count_ones();
        let warp = &mut back.residents.warps[id];
        warp.in_flight += 1;
        warp.issued += 1;
    }

    /// Answers halves of a pair.
    pub(super) fn answer_halves(&mut self, s: usize, places: u64, back: &BackEnd) {
        for place in bits(places) {
            let next = self.next_of(back, WarpId::at(s, place));
            let slice = &mut self.inputs.slices[s];
            slice.answered.pair = place as u8 / 2;
            *[&mut slice.answered.even, &mut slice.answered.odd][place % 2] = true;
            slice.next[place % 2] = next;
        }
    }

    /// Next step of a half.
    fn next_of(&mut self, back: &BackEnd, id: WarpId) -> Next {
        let (next, pc) = self.turns.answer(back, id);
        Next { next, pc, full: next != ENDS && back.residents.warps[id].stack.is_full() }
    }

    /// Sends an instruction that has been executed on its way.
    fn send(&mut self, back: &mut BackEnd, op: InFlight, kernel: &Kernel) {
        back.count_issued(self.pins.merged.executed, self.pins.merged.lanes);
        match kernel.issue[op.pc as usize].path {
            Path::Memory => back.send_to_memory(op, self.pins.merged.demand(), kernel),
            path => back.collector.push(path.index(), op),
        }
    }
}
