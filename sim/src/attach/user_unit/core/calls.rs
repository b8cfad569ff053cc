//! Calls of a core's unit: those that wait for it, and those that it has taken and not answered in full.

use super::pins::{CoreIn, CoreOut, TAG_BITS};
use crate::core::in_flight::InFlight;
use crate::core::port::Head;
use crate::core::warp_set::WarpId;
use crate::exec::fault::LaneMask;
use crate::ptx::isa::WARP_SIZE;
use crate::units::bits::bits;
use std::collections::VecDeque;

/// Calls that wait for the unit.
const QUEUE: usize = 4;
/// Calls under way.
const TAGS: usize = 1 << TAG_BITS;

/// An instruction of a warp.
#[derive(Clone, Debug)]
pub struct Call {
    pub op: InFlight,
    /// Those that take part.
    pub lanes: u32,
    /// It waits for answers.
    pub answers: bool,
    /// Values of the lanes that have been answered.
    pub values: [u64; WARP_SIZE],
    operation: u8,
    answered: u32,
}

struct Waiting {
    tag: u8,
    call: Call,
    a: [u32; WARP_SIZE],
    b: [u32; WARP_SIZE],
}

pub struct Calls {
    /// Operation of each instruction of the kernel.
    pub operations: Vec<u8>,
    waiting: VecDeque<Waiting>,
    /// By tag: taken, not answered in full.
    open: Vec<Option<Call>>,
    /// Tags of waiting and open calls, one bit each.
    used: u64,
    /// For the core's next cycle.
    pub over: Vec<Call>,
}

impl Calls {
    pub fn new() -> Self {
        Calls {
            operations: Vec::new(),
            waiting: VecDeque::with_capacity(QUEUE),
            open: vec![None; TAGS],
            used: 0,
            over: Vec::with_capacity(4),
        }
    }

    /// An instruction at the head of the load-store unit. False: not in this cycle.
    pub fn push(&mut self, head: &Head) -> bool {
        let tag = self.used.trailing_ones() as usize;
        if self.waiting.len() == QUEUE || tag >= TAGS {
            return false;
        }
        self.used |= 1 << tag;
        let operation = self.operations.get(head.op.pc as usize).copied().unwrap_or_default();
        let (lanes, answers) = (head.lanes, head.results > 0);
        let call = Call { op: head.op, lanes, answers, values: [0; WARP_SIZE], operation, answered: 0 };
        let [a, b] = *head.operands;
        self.waiting.push_back(Waiting { tag: tag as u8, call, a, b });
        true
    }

    pub fn are_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub fn are_open(&self) -> bool {
        self.used.count_ones() as usize > self.waiting.len()
    }

    pub fn is_empty(&self) -> bool {
        self.used == 0 && self.over.is_empty()
    }

    /// Puts the first call on the pins.
    pub fn drive(&self, pins: &mut CoreIn) {
        pins.request_valid = self.are_waiting();
        let Some(Waiting { tag, call, a, b }) = self.waiting.front() else { return };
        (pins.request_operation, pins.request_tag) = (call.operation, *tag);
        (pins.request_warp, pins.request_lanes) = (call.op.warp.number() as u8, call.lanes);
        (pins.request_a, pins.request_b) = (*a, *b);
    }

    /// The unit takes the first call. Gives its lanes.
    pub fn taken(&mut self) -> u64 {
        let Some(Waiting { tag, call, .. }) = self.waiting.pop_front() else { return 0 };
        let lanes = u64::from(call.lanes.count_ones());
        if call.answers {
            self.open[usize::from(tag)] = Some(call);
        } else {
            self.used &= !(1 << tag);
            self.over.push(call);
        }
        lanes
    }

    /// The answer on the pins, which the core takes.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn answer(&mut self, pins: &CoreOut) -> Result<(), String> {
        let (tag, lanes) = (usize::from(pins.answer_tag), pins.answer_lanes);
        let Some(call) = &mut self.open[tag] else {
            return Err(format!("pin answer_tag: an answer to tag {tag}, but no open call has it"));
        };
        if lanes == 0 {
            return Err(format!("pin answer_lanes: an answer to tag {tag} without a lane"));
        }
        if lanes & !call.lanes != 0 {
            let (given, asked) = (LaneMask(lanes & !call.lanes), LaneMask(call.lanes));
            return Err(format!("pin answer_lanes: an answer to tag {tag} for {given}, but the call is of {asked}"));
        }
        if lanes & call.answered != 0 {
            let twice = LaneMask(lanes & call.answered);
            return Err(format!("pin answer_lanes: a second answer to tag {tag} for {twice}"));
        }
        call.answered |= lanes;
        for lane in bits(lanes) {
            call.values[lane] = pins.answer_data[lane].into();
        }
        if call.answered == call.lanes {
            self.used &= !(1 << tag);
            self.over.extend(self.open[tag].take());
        }
        Ok(())
    }

    /// Lanes of a warp that wait for an answer.
    pub fn asking(&self, warp: u16) -> u32 {
        let warp = WarpId::from_number(warp);
        let waiting = self.waiting.iter().map(|waiting| &waiting.call);
        let all = waiting.chain(self.open.iter().flatten()).filter(|call| call.answers && call.op.warp == warp);
        all.fold(0, |lanes, call| lanes | call.lanes & !call.answered)
    }

    /// The first call that waits for the unit, in words.
    pub fn first_waiting(&self) -> Option<String> {
        self.waiting.front().map(|waiting| described(waiting.tag, &waiting.call))
    }

    /// An open call, in words.
    pub fn first_open(&self) -> Option<String> {
        let open = (0..).zip(&self.open);
        open.filter_map(|(tag, call)| Some(described(tag, call.as_ref()?))).next()
    }
}

fn described(tag: u8, call: &Call) -> String {
    format!("operation {} of warp {}, tag {tag}", call.operation, call.op.warp.number())
}
