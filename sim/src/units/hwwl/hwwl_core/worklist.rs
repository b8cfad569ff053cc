//! The parts of `hwwl_core`: banks, redistribution, virtualization, the place of an ID that arrives from another core, and
//! the rules by which a pull is answered (III-A, III-C).
//!
//! Only banks that are asked something are clocked: an untouched bank keeps its contents, and nobody reads its answers.

use crate::unit::{rule, Fault, Unit};
use crate::units::bits::bits;
use crate::units::hwwl::pins::{
    status, BankIn, BankRequests, CoreIn, HvuIn, MemoryOut, ToIcrn, WruIn, WruOut, MAX_LANES,
};
use crate::units::hwwl::{Bank, Hvu, Parameters, Scheme, WruSerial, WruSorting, WruThreshold};
use crate::units::parameter::ParameterError;

/// Cycles that the core needs to see all consequences of an event.
const SETTLING: u8 = 4;

/// The unit that moves IDs between the banks.
#[derive(Clone, Debug, Default)]
enum Wru {
    #[default]
    None,
    Threshold(Box<WruThreshold>),
    Sorting(Box<WruSorting>),
    Serial(Box<WruSerial>),
    /// A unit outside, which also serves the banks of the other cores.
    Outer,
}

impl Wru {
    /// Outputs of the core's own unit in this cycle.
    #[inline]
    fn pins(&self) -> Option<&WruOut> {
        match self {
            Wru::Threshold(wru) => Some(wru.pins()),
            Wru::Sorting(wru) => Some(wru.pins()),
            Wru::Serial(wru) => Some(wru.pins()),
            Wru::None | Wru::Outer => None,
        }
    }
}

/// An ID from another core on its way to a bank.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    part: bool,
    id: u32,
    /// In the previous cycle it was offered to bank `pointer`; true: it went to the overflow buffer.
    offered: Option<bool>,
}

/// The decisions of the core in one cycle, from its state and inputs.
struct Round {
    configure: bool,
    exchange: bool,
    /// IDs that go to the overflow buffer: pushed by lanes, moved by the redistribution unit, arrived from another core.
    lane_spill: u32,
    wru_spill: u32,
    arrival_spill: u32,
    /// The bank to which the arrived ID is offered, and whether its fill port is free for it.
    offer: Option<(usize, Arrival)>,
    port_is_free: bool,
    quiet: bool,
}

#[derive(Clone, Debug, Default)]
pub(in crate::units::hwwl) struct CoreWorklist {
    parameters: Parameters,
    /// Entries of a bank.
    entries: u32,
    double_mode: bool,
    pull_part: bool,
    banks: Vec<Bank>,
    /// Bit i: bank i holds or reserves something on its pull side; is full.
    busy_banks: u32,
    full_banks: u32,
    wru: Wru,
    /// Requests of the redistribution unit to the banks in this cycle.
    requests: BankRequests,
    /// Inputs of the redistribution unit; answers are cleared after a cycle.
    wru_in: WruIn,
    /// The banks are not as they were in the previous cycle.
    changed: bool,
    spilled_for_wru: u32,
    hvu: Hvu,
    hvu_in: HvuIn,
    arrival: Option<Arrival>,
    pointer: usize,
    /// IDs that threads hold.
    active: u32,
    settling: u8,
    status: u64,
    id: [u32; MAX_LANES],
    count: u32,
    /// State that the next edge changes: `count` was 0 in the previous cycle; IDs that were pulled; IDs that were spilled.
    was_empty: bool,
    handed_out: u32,
    spilled: u32,
    was_quiet: bool,
    /// Without inputs only counters move, until redistribution starts something.
    at_rest: bool,
}

impl CoreWorklist {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::HWWL_CORE)?;
        Ok(Self::of_any_size(parameters, parameters.entries as u32))
    }

    /// With banks of `entries` entries, however many.
    pub fn of_any_size(parameters: &Parameters, entries: u32) -> Self {
        let lanes = parameters.lanes;
        let wru = match parameters.scheme {
            Scheme::None => Wru::None,
            Scheme::Threshold => Wru::Threshold(Box::new(WruThreshold::of_any_size(parameters))),
            Scheme::LocalSorting => Wru::Sorting(Box::new(WruSorting::of_any_size(parameters))),
            Scheme::GlobalSorting => Wru::Outer,
            Scheme::Serial => Wru::Serial(Box::new(WruSerial::of_any_size(parameters))),
        };
        CoreWorklist {
            parameters: *parameters,
            entries,
            banks: (0..lanes).map(|_| Bank::of_any_size(entries, lanes)).collect(),
            wru,
            changed: true,
            was_empty: true,
            hvu: Hvu::empty(parameters),
            ..Default::default()
        }
    }

    /// IDs that go with no answer stay as they are.
    pub fn reset(&mut self) {
        *self = CoreWorklist { id: self.id, ..Self::of_any_size(&self.parameters, self.entries) };
    }

    pub fn status(&self) -> u64 {
        self.status
    }

    pub fn ids(&self) -> &[u32; MAX_LANES] {
        &self.id
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn pull_part(&self) -> bool {
        self.pull_part
    }

    pub fn double_mode(&self) -> bool {
        self.double_mode
    }

    pub fn push_ready(&self) -> bool {
        self.hvu.pins().push_ready
    }

    pub fn overflow(&self) -> bool {
        self.hvu.pins().overflow
    }

    pub fn pending(&self) -> bool {
        self.hvu.pins().pending
    }

    pub fn memory(&self) -> &MemoryOut {
        &self.hvu.pins().memory
    }

    pub fn to_icrn(&self) -> ToIcrn {
        let mut pins = ToIcrn { quiet: self.was_quiet, in_ready: self.arrival.is_none(), ..Default::default() };
        let Some(wru) = self.wru.pins() else { return pins };
        pins.greedy = wru.greedy;
        (pins.out_valid, pins.out_part, pins.out_id) = (wru.out_valid, wru.out_part, wru.out_id);
        pins
    }

    /// The banks as an outer redistribution unit sees them; `changed` if occupancies are not those of the cycle before.
    pub fn answers(&self) -> (&WruIn, bool) {
        (&self.wru_in, self.changed)
    }

    /// Requests of an outer redistribution unit in the cycle that is clocked next.
    pub fn requests(&mut self) -> &mut BankRequests {
        &mut self.requests
    }

    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.parameters.lanes)
    }

    fn push_part(&self) -> bool {
        self.double_mode && !self.pull_part
    }

    /// No ID of the pull side is anywhere in the core.
    fn is_quiet(&self) -> bool {
        let moves = self.requests.wru_moving && self.requests.wru_part == self.pull_part;
        let arrives = self.arrival.is_some_and(|arrival| arrival.part == self.pull_part);
        self.busy_banks == 0
            && !moves
            && !arrives
            && !self.hvu.pins().pull_busy
            && (self.double_mode || self.active == 0)
    }

    /// Takes over what the core's own redistribution unit shows in this cycle; false if it shows an ID of the pull side that
    /// leaves the core.
    fn see_wru(&mut self) -> bool {
        let Some(wru) = self.wru.pins() else { return true };
        let requests = &mut self.requests;
        (requests.wru_pop, requests.wru_push) = (wru.pop as u32, wru.push as u32);
        (requests.wru_part, requests.wru_moving) = (wru.part, wru.moving);
        for lane in bits(requests.wru_push) {
            requests.wru_push_id[lane] = wru.push_id[lane];
        }
        !(wru.out_valid && wru.out_part == self.pull_part)
    }

    /// Every bank has the free entries that a refill asks for.
    fn has_room(&self) -> bool {
        let side = self.entries >> self.double_mode as u32;
        let free_entries = self.parameters.refill_words() as u32 + 2;
        self.banks.iter().all(|bank| side - bank.pins().pull_occupancy >= free_entries)
    }

    fn decide(&mut self, pins: &CoreIn) -> Round {
        let nothing_leaves = self.see_wru();
        let push_ready = self.push_ready();
        let may_spill = pins.push == 0 && !pins.kernel_end && !pins.init && push_ready;
        let on_push_side = may_spill && self.requests.wru_part == self.push_part();
        let wru_spill = if on_push_side { self.requests.wru_push & self.full_banks } else { 0 };
        let offer = self.arrival.filter(|arrival| arrival.offered.is_none()).map(|arrival| (self.pointer, arrival));
        let arrival_spill = match offer {
            Some((bank, arrival)) if may_spill && arrival.part == self.push_part() => {
                1 << bank & self.full_banks & !wru_spill
            }
            _ => 0,
        };
        Round {
            configure: pins.configure && self.count == 0 && self.was_empty && self.busy_banks == 0,
            exchange: pins.kernel_end && self.double_mode && pins.icrn.all_done && self.settling == 0 && push_ready,
            lane_spill: pins.push & self.full_banks,
            wru_spill,
            arrival_spill,
            offer,
            port_is_free: offer.is_some_and(|(bank, _)| self.hvu.pins().fill_push >> bank & 1 == 0),
            quiet: self.is_quiet() && nothing_leaves,
        }
    }

    #[cfg(test)]
    pub fn wake(&mut self) {
        self.at_rest = false;
    }

    pub fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    /// The edge of a cycle at rest without inputs; those of the ICRN are what they were.
    #[inline]
    pub fn rest(&mut self) {
        self.was_empty = self.count == 0;
        self.settling = self.settling.saturating_sub(1);
        self.hvu.rest();
        let rests = match &mut self.wru {
            Wru::None | Wru::Outer => true,
            Wru::Threshold(wru) => wru.rest(),
            Wru::Sorting(wru) => wru.rest(),
            Wru::Serial(wru) => wru.rest(),
        };
        if !rests {
            self.step_wru();
            self.at_rest = self.wru_is_at_rest();
        }
    }

    /// The redistribution unit moves no ID.
    fn wru_is_at_rest(&self) -> bool {
        let Some(wru) = self.wru.pins() else { return !self.requests.wru_moving };
        !wru.moving && !wru.out_valid
    }

    /// The rising edge.
    #[inline]
    pub fn clock(&mut self, pins: &CoreIn) -> Result<(), Fault> {
        if self.at_rest && !pins.asks() && !self.requests.wru_moving {
            self.wru_in.send = pins.icrn.send;
            self.wru_in.out_ready = pins.icrn.out_ready;
            self.rest();
            return Ok(());
        }
        self.clock_all(pins)?;
        let steady = !self.changed && self.status == 0 && self.arrival.is_none() && self.spilled_for_wru == 0;
        // The output `quiet` must have caught up.
        self.at_rest = steady
            && !pins.asks()
            && self.hvu.is_at_rest()
            && self.wru_is_at_rest()
            && self.was_quiet == (self.busy_banks == 0 && (self.double_mode || self.active == 0));
        Ok(())
    }

    fn clock_all(&mut self, pins: &CoreIn) -> Result<(), Fault> {
        self.check_rules(pins)?;
        let round = self.decide(pins);
        self.prepare_hvu(pins, &round);
        self.count_moves(pins);
        self.clock_wru(pins);
        self.status = 0;
        self.changed = false;
        let fill_accepted = self.clock_banks(pins, &round)?;
        self.hvu.step(&self.hvu_in)?;
        self.hvu_in.fill_accepted = fill_accepted;
        self.count_pushes(pins, &round);
        self.settle_arrival(pins, &round, fill_accepted);
        self.spilled_for_wru = round.wru_spill;
        self.wru_in.wru_accepted |= round.wru_spill as u64;
        self.settle(pins, &round);
        self.was_quiet = round.quiet;
        Ok(())
    }

    fn prepare_hvu(&mut self, pins: &CoreIn, round: &Round) {
        let waits = self.status >> 1 & !self.status & 0x5555_5555_5555_5555;
        let room = self.hvu.looks_at_room() && self.has_room();
        let hvu = &mut self.hvu_in;
        hvu.configure = round.configure;
        hvu.double_buffer = pins.double_buffer;
        hvu.init = pins.init && !self.hvu.pins().holds;
        (hvu.init_base, hvu.init_lines) = (pins.init_base, pins.init_lines);
        hvu.swap = round.exchange;
        hvu.pull_part = self.pull_part;
        hvu.demand = waits != 0;
        hvu.room = room;
        hvu.memory.mem_ready = pins.memory.mem_ready;
        hvu.memory.line_valid = pins.memory.line_valid;
        if pins.memory.line_valid {
            hvu.memory = pins.memory;
        }
        hvu.spill = round.lane_spill | round.wru_spill | round.arrival_spill;
        for lane in bits(round.lane_spill) {
            hvu.spill_id[lane] = pins.push_id[lane];
        }
        for lane in bits(round.wru_spill) {
            hvu.spill_id[lane] = self.requests.wru_push_id[lane];
        }
        if let (Some((bank, arrival)), true) = (round.offer, round.arrival_spill != 0) {
            hvu.spill_id[bank] = arrival.id;
        }
    }

    /// IDs that leave or enter the core at its borders in this cycle.
    fn count_moves(&mut self, pins: &CoreIn) {
        self.was_empty = self.count == 0;
        self.count -= std::mem::take(&mut self.handed_out);
        if pins.icrn.out_ready && self.to_icrn().out_valid {
            self.count -= 1;
        }
        if matches!(self.wru, Wru::Outer) {
            self.count += self.wru_in.wru_accepted.count_ones();
            self.count -= self.wru_in.wru_valid.count_ones();
        }
    }

    fn clock_wru(&mut self, pins: &CoreIn) {
        self.wru_in.send = pins.icrn.send;
        self.wru_in.out_ready = pins.icrn.out_ready;
        self.step_wru();
        self.wru_in.wru_valid = 0;
        self.wru_in.wru_accepted = 0;
    }

    fn step_wru(&mut self) {
        match &mut self.wru {
            Wru::Threshold(wru) => wru.step(&self.wru_in, self.changed),
            Wru::Sorting(wru) => wru.step(&self.wru_in, self.changed),
            Wru::Serial(wru) => wru.step(&self.wru_in, self.changed),
            Wru::None | Wru::Outer => {}
        }
    }

    /// Clocks the banks that are asked something (a pull of a bank without IDs is not); gives those that accepted a fill.
    fn clock_banks(&mut self, pins: &CoreIn, round: &Round) -> Result<u32, Fault> {
        let hvu = self.hvu.pins();
        let (fill_push, unreserve, reserve) = (hvu.fill_push, hvu.unreserve, hvu.reserve);
        let offered = round.offer.map_or(0, |(bank, _)| 1 << bank);
        let push = pins.push & !self.full_banks;
        let pull = pins.pull & self.busy_banks;
        let asked = pull | push | self.requests.wru_pop | self.requests.wru_push | fill_push | unreserve | offered;
        let all = round.configure || round.exchange || reserve;
        let touched = if all { self.all_lanes() } else { asked };
        if touched == 0 {
            self.answer_pulls(pins, 0);
            return Ok(0);
        }
        self.changed = true;
        let bit = |mask: u32, lane: usize| mask >> lane & 1 == 1;
        let (mut found, mut accepted) = (0, 0);
        for lane in bits(touched) {
            let reserved = bit(fill_push, lane);
            let arrival = round.offer.filter(|(bank, _)| *bank == lane && !reserved).map(|(_, arrival)| arrival);
            let request = BankIn {
                configure: round.configure,
                double_buffer: pins.double_buffer,
                swap: round.exchange,
                pull: bit(pull, lane),
                push: bit(push, lane),
                push_id: pins.push_id[lane],
                wru_pop: bit(self.requests.wru_pop, lane),
                wru_push: bit(self.requests.wru_push, lane),
                wru_part: self.requests.wru_part,
                wru_id: self.requests.wru_push_id[lane],
                fill_push: reserved || arrival.is_some(),
                fill_reserved: reserved,
                fill_part: arrival.is_some_and(|arrival| arrival.part),
                fill_id: arrival.map_or(self.hvu.pins().fill_id[lane], |arrival| arrival.id),
                reserve,
                unreserve: bit(unreserve, lane),
            };
            let (pulled, filled) = self.clock_bank(lane, &request)?;
            found |= (pulled as u32) << lane;
            accepted |= (filled as u32) << lane;
        }
        self.answer_pulls(pins, found);
        self.change_mode(pins, round);
        Ok(accepted)
    }

    /// Clocks one bank; its answer to the lane goes to the pins, its answer to the redistribution unit to `wru_in` of the
    /// next cycle. Gives whether a pull found an ID, and whether a fill was accepted.
    fn clock_bank(&mut self, lane: usize, pins: &BankIn) -> Result<(bool, bool), Fault> {
        let bank = &mut self.banks[lane];
        bank.clock(pins)?;
        let answer = bank.pins();
        let mask = 1u32 << lane;
        let set = |banks: &mut u32, high: bool| *banks = if high { *banks | mask } else { *banks & !mask };
        set(&mut self.busy_banks, !answer.empty);
        set(&mut self.full_banks, answer.full);
        self.wru_in.pull_occupancy[lane] = answer.pull_occupancy;
        self.wru_in.push_occupancy[lane] = answer.push_occupancy;
        if answer.pull_valid {
            self.id[lane] = answer.id;
        }
        if answer.wru_valid {
            self.wru_in.wru_valid |= mask as u64;
            self.wru_in.id[lane] = answer.id;
            self.id[lane] = answer.id;
        }
        if answer.wru_accepted {
            self.wru_in.wru_accepted |= mask as u64;
        }
        Ok((answer.pull_valid, answer.fill_accepted))
    }

    fn answer_pulls(&mut self, pins: &CoreIn, found: u32) {
        if pins.pull == 0 {
            return;
        }
        let done = pins.icrn.all_done && self.settling == 0 && found == 0;
        let none = if done { status::DONE } else { status::WAIT };
        for lane in bits(pins.pull) {
            let code = if found >> lane & 1 == 1 { status::ID } else { none };
            self.status |= code << (2 * lane);
        }
        self.handed_out = found.count_ones();
        self.active += found.count_ones();
        if found != 0 {
            self.settling = SETTLING + 1;
        }
    }

    fn change_mode(&mut self, pins: &CoreIn, round: &Round) {
        if round.configure {
            (self.double_mode, self.pull_part) = (pins.double_buffer, false);
        }
        if round.exchange {
            self.pull_part = !self.pull_part;
        }
        self.wru_in.double_buffer = self.double_mode;
        self.wru_in.pull_part = self.pull_part;
    }

    /// IDs pushed in this cycle; with an overflow all that spilled in the previous one is lost.
    fn count_pushes(&mut self, pins: &CoreIn, round: &Round) {
        self.count += pins.push.count_ones();
        if self.overflow() {
            self.count -= self.spilled;
        }
        self.spilled = (round.lane_spill | round.wru_spill | round.arrival_spill).count_ones();
    }

    fn settle_arrival(&mut self, pins: &CoreIn, round: &Round, fill_accepted: u32) {
        if let Some((bank, _)) = round.offer {
            let filled = round.port_is_free && fill_accepted >> bank & 1 == 1;
            let accepted = filled || round.arrival_spill != 0;
            if let Some(arrival) = &mut self.arrival {
                arrival.offered = Some(accepted);
            }
        } else if let Some(accepted) = self.arrival.and_then(|arrival| arrival.offered) {
            self.pointer = (self.pointer + 1) % self.parameters.lanes;
            self.arrival = self.arrival.filter(|_| !accepted);
            if let Some(arrival) = &mut self.arrival {
                arrival.offered = None;
            }
        } else if pins.icrn.in_valid {
            self.arrival = Some(Arrival { part: pins.icrn.in_part, id: pins.icrn.in_id, offered: None });
            self.count += 1;
        }
    }

    fn settle(&mut self, pins: &CoreIn, round: &Round) {
        self.active -= pins.leave.count_ones();
        if pins.push != 0 || round.exchange || round.configure {
            self.settling = SETTLING + 1;
        }
        self.settling = self.settling.saturating_sub(1);
    }

    fn check_rules(&self, pins: &CoreIn) -> Result<(), Fault> {
        let lanes_ask = pins.pull | pins.push | pins.leave != 0;
        rule(pins.pull == 0 || pins.push == 0, "hwwl_core: pull and push together")?;
        rule(!(pins.kernel_end && lanes_ask), "hwwl_core: kernel_end together with pull, push or leave")?;
        let others = lanes_ask || pins.kernel_end || pins.icrn.in_valid;
        rule(!(pins.configure && (others || pins.init)), "hwwl_core: configure does not come alone")?;
        rule(!(pins.init && (lanes_ask || pins.kernel_end)), "hwwl_core: init does not come alone")?;
        rule(pins.push == 0 || self.push_ready(), "hwwl_core: push while push_ready is low")?;
        let lanes = pins.pull | pins.push | pins.leave;
        rule(lanes & !self.all_lanes() == 0, "hwwl_core: a lane that does not exist")?;
        rule(pins.leave.count_ones() <= self.active, "hwwl_core: leave without an ID")
    }
}
