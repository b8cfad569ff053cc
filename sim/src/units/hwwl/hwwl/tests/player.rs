//! The surroundings of a worklist: threads that pull, work and push on every lane of every core, and a memory that answers loads
//! late and in any order. It keeps to the rules for the inputs of `hwwl`, and in every cycle it checks what a program relies
//! on: each pushed ID is pulled once, `count` is right, and DONE is told only when no ID can come any more.

use crate::units::bits::bits;
use crate::units::hwwl::pins::{status, HwwlCoreIn, HwwlCoreOut, HwwlIn, HwwlOut, LINE_IDS, MAX_LANES};
use crate::units::hwwl::{Parameters, Refill};

/// Parameters of a play. Numbers are chosen at random, by `seed`.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    pub seed: u64,
    pub double: bool,
    /// Lines of the overflow buffer of each core.
    pub lines: u16,
    /// IDs pushed in all.
    pub work: u32,
    /// IDs of them that are pushed before the first pull.
    pub seeds: u32,
    /// Threads on each lane.
    pub warps: usize,
    /// IDs that a thread pushes at most for each that it pulls.
    pub children: u32,
    /// Cycles that a load takes at most.
    pub delay: u64,
    /// Lanes that push the seeds: all, or the lowest of core 0 alone.
    pub one_lane_seeds: bool,
}

impl Default for Play {
    fn default() -> Self {
        Play {
            seed: 1,
            double: true,
            lines: 64,
            work: 2_000,
            seeds: 100,
            warps: 2,
            children: 3,
            delay: 60,
            one_lane_seeds: false,
        }
    }
}

/// Counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub pushed: u64,
    pub pulled: u64,
    pub waits: u64,
    pub dones: u64,
    pub stores: u64,
    pub loads: u64,
    /// Obeyed exchanges of the sides.
    pub exchanges: u64,
    /// IDs that were pulled from another core than that where they were pushed.
    pub crossed: u64,
}

/// Numbers at random (xorshift).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// From 0 to `end - 1`.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thread {
    /// Wants an ID.
    Hungry,
    /// Holds an ID, and has so many to push.
    Works(u32),
    Done,
}

/// Where an ID is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the worklist; in double-buffer mode it can be pulled from that kernel on.
    Inside {
        from_kernel: u64,
        core: usize,
    },
    Pulled,
}

#[derive(Clone, Debug)]
struct Load {
    due: u64,
    tag: u8,
    ids: [u32; LINE_IDS],
}

/// One core's threads and its part of memory.
#[derive(Clone, Debug)]
struct Core {
    warps: Vec<[Thread; MAX_LANES]>,
    /// Warp and lanes whose pull is answered in this cycle.
    asked: Option<(usize, u32)>,
    /// Warps that wait for a refill on demand.
    waits_for_refill: bool,
    /// First line of the core's part, and its contents.
    base: u32,
    lines: Vec<[u32; LINE_IDS]>,
    loads: Vec<Load>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Configure,
    Init,
    Seed,
    Run,
    /// No request until the exchange may come.
    Pause(u32),
    /// The exchange was asked for in the previous cycle, when the pull sides were these.
    Exchanged(bool),
    Finished,
}

/// Cycles without request before an exchange; behind seeds more, by the way to all cores.
const PAUSE: u32 = 5;

#[derive(Clone, Debug)]
pub struct Player {
    parameters: Parameters,
    play: Play,
    random: Random,
    cycle: u64,
    step: Step,
    kernel: u64,
    places: Vec<Place>,
    /// IDs in the worklist, and of them those that can be pulled now.
    inside: u64,
    pullable: u64,
    /// Threads that hold an ID.
    working: u64,
    /// Exchanges in a row that were ignored although all threads were done.
    ignored: u32,
    cores: Vec<Core>,
    tally: Tally,
}

impl Player {
    pub fn new(parameters: &Parameters, play: &Play) -> Self {
        let core = |c: usize| Core {
            warps: vec![[Thread::Hungry; MAX_LANES]; play.warps],
            asked: None,
            waits_for_refill: false,
            base: 0x1000 * (c as u32 + 1),
            lines: vec![[0; LINE_IDS]; play.lines as usize],
            loads: Vec::with_capacity(4),
        };
        Player {
            parameters: *parameters,
            play: *play,
            random: Random::new(play.seed),
            cycle: 0,
            step: Step::Configure,
            kernel: 0,
            places: Vec::with_capacity(play.work as usize),
            inside: 0,
            pullable: 0,
            working: 0,
            ignored: 0,
            cores: (0..parameters.cores).map(core).collect(),
            tally: Tally::default(),
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// All work is done, and the worklist is empty.
    pub fn is_finished(&self) -> bool {
        self.step == Step::Finished
    }

    /// One cycle: takes the outputs and decides on the inputs.
    ///
    /// # Errors
    /// Error of the worklist, with the cycle.
    pub fn drive(&mut self, out: &HwwlOut, pins: &mut HwwlIn) -> Result<(), String> {
        pins.clear();
        let result = self.observe(out).and_then(|()| self.serve_memory(out, pins));
        result.map_err(|text| format!("cycle {}: {text}", self.cycle))?;
        self.decide(out, pins);
        self.cycle += 1;
        Ok(())
    }

    fn observe(&mut self, out: &HwwlOut) -> Result<(), String> {
        if let Some(c) = out.cores.iter().position(|core| core.overflow) {
            return Err(format!("overflow in core {c}"));
        }
        if let Step::Exchanged(before) = self.step {
            self.look_at_exchange(out, before)?;
        }
        // An ID counts in the cycle in which it is handed out.
        let inside = self.inside;
        // DONE is judged by what was known when all pulls of the cycle had been answered.
        for c in 0..self.cores.len() {
            self.look_at_ids(c, &out.cores[c])?;
        }
        for c in 0..self.cores.len() {
            self.look_at_rest(c, &out.cores[c])?;
            self.cores[c].asked = None;
        }
        let count: u64 = out.cores.iter().map(|core| core.count as u64).sum::<u64>() + out.held as u64;
        if count != inside {
            return Err(format!("count says {count}, but {inside} IDs are inside"));
        }
        Ok(())
    }

    fn look_at_exchange(&mut self, out: &HwwlOut, before: bool) -> Result<(), String> {
        self.step = Step::Run;
        let after = out.cores[0].pull_part;
        if out.cores.iter().any(|core| core.pull_part != after) {
            return Err("cores disagree on the pull side".into());
        }
        if after != before {
            if !self.play.double || self.pullable > 0 {
                return Err(format!("the sides were exchanged while {} IDs could be pulled", self.pullable));
            }
            self.kernel += 1;
            self.tally.exchanges += 1;
            self.pullable = self.inside;
            self.next_kernel();
            self.ignored = 0;
        } else if self.play.double && self.all_done() {
            // A pair that found its giver empty may hold the exchange back until it gives up.
            self.ignored += 1;
            let most = 2 * self.parameters.interval + 20 + 4 * self.parameters.link as u32;
            if self.ignored * PAUSE > most {
                return Err("kernel_end after the last thread was ignored again and again".into());
            }
        }
        Ok(())
    }

    /// Threads that were done start anew; others are still at it if the exchange came when only their work was left.
    fn next_kernel(&mut self) {
        if self.inside == 0 && self.working == 0 {
            self.step = Step::Finished;
            return;
        }
        for thread in self.cores.iter_mut().flat_map(|core| core.warps.as_flattened_mut()) {
            if *thread == Thread::Done {
                *thread = Thread::Hungry;
            }
        }
    }

    fn all_done(&self) -> bool {
        let lanes = self.parameters.lanes;
        let mut threads = self.cores.iter().flat_map(|core| &core.warps).flat_map(|warp| &warp[..lanes]);
        threads.all(|thread| *thread == Thread::Done)
    }

    fn look_at_ids(&mut self, c: usize, out: &HwwlCoreOut) -> Result<(), String> {
        let (_, asked) = self.cores[c].asked.unwrap_or((0, 0));
        for lane in 0..self.parameters.lanes {
            let answered = out.status(lane) != status::NONE;
            if answered != (asked >> lane & 1 == 1) {
                return Err(format!("core {c} lane {lane}: status {} does not go with the pull", out.status(lane)));
            }
            if out.status(lane) == status::ID {
                self.receive(c, lane, out.id[lane])?;
            }
        }
        Ok(())
    }

    fn receive(&mut self, c: usize, lane: usize, id: u32) -> Result<(), String> {
        let Some(place) = self.places.get_mut(id as usize) else {
            return Err(format!("core {c} lane {lane}: ID {id} was never pushed"));
        };
        match std::mem::replace(place, Place::Pulled) {
            Place::Pulled => return Err(format!("core {c} lane {lane}: ID {id} was pulled before")),
            Place::Inside { from_kernel, .. } if from_kernel > self.kernel => {
                return Err(format!("core {c} lane {lane}: ID {id} was pulled in the kernel that pushed it"));
            }
            Place::Inside { core, .. } => self.tally.crossed += (core != c) as u64,
        }
        self.inside -= 1;
        self.pullable -= 1;
        self.working += 1;
        self.tally.pulled += 1;
        let children = self.random.below(self.play.children as u64 + 1) as u32;
        if let Some((warp, _)) = self.cores[c].asked {
            self.cores[c].warps[warp][lane] = Thread::Works(children);
        }
        Ok(())
    }

    fn look_at_rest(&mut self, c: usize, out: &HwwlCoreOut) -> Result<(), String> {
        let Some((warp, asked)) = self.cores[c].asked else { return Ok(()) };
        for lane in bits(asked) {
            match out.status(lane) {
                status::WAIT => {
                    self.tally.waits += 1;
                    self.cores[c].waits_for_refill = self.parameters.refill == Refill::Demand;
                }
                status::DONE => {
                    if self.pullable > 0 || (!self.play.double && self.working > 0) {
                        let (ids, threads) = (self.pullable, self.working);
                        return Err(format!(
                            "core {c} lane {lane}: DONE with {ids} IDs to pull, {threads} with threads"
                        ));
                    }
                    self.tally.dones += 1;
                    self.cores[c].warps[warp][lane] = Thread::Done;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn serve_memory(&mut self, out: &HwwlOut, pins: &mut HwwlIn) -> Result<(), String> {
        let Player { cores, random, tally, play, cycle, .. } = self;
        for (c, core) in cores.iter_mut().enumerate() {
            let (memory, answer) = (&out.cores[c].memory, &mut pins.cores[c].memory);
            if memory.line_ready && !core.loads.is_empty() {
                let load = random.below(core.loads.len() as u64) as usize;
                if core.loads[load].due <= *cycle {
                    let load = core.loads.swap_remove(load);
                    (answer.line_valid, answer.line_tag, answer.line_id) = (true, load.tag, load.ids);
                }
            }
            if !memory.mem_valid || random.one_in(3) {
                continue;
            }
            answer.mem_ready = true;
            let place = memory.mem_line.wrapping_sub(core.base) as usize;
            let Some(line) = core.lines.get_mut(place) else {
                return Err(format!("core {c}: line {:#x} is not in the overflow buffer", memory.mem_line));
            };
            if memory.mem_write {
                let length = memory.mem_count as usize;
                if length == 0 || length > LINE_IDS || memory.mem_id[length..] != [0; LINE_IDS][length..] {
                    return Err(format!("core {c}: a store of {length} IDs, or more than that on the pins"));
                }
                line[..length].copy_from_slice(&memory.mem_id[..length]);
                tally.stores += 1;
            } else {
                if core.loads.iter().any(|load| load.tag == memory.mem_tag) || core.loads.len() == 4 {
                    return Err(format!("core {c}: tag {} is on its way already", memory.mem_tag));
                }
                let due = *cycle + 1 + random.below(play.delay);
                core.loads.push(Load { due, tag: memory.mem_tag, ids: *line });
                tally.loads += 1;
            }
        }
        Ok(())
    }

    fn decide(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        match self.step {
            Step::Configure => {
                (pins.configure, pins.double_buffer) = (true, self.play.double);
                self.step = Step::Init;
            }
            Step::Init => {
                pins.init = true;
                for (pins, core) in pins.cores.iter_mut().zip(&self.cores) {
                    (pins.init_base, pins.init_lines) = (core.base, self.play.lines);
                }
                self.step = Step::Seed;
            }
            Step::Seed => self.seed(out, pins),
            Step::Run => self.run(out, pins),
            Step::Pause(left) if left > 0 => self.step = Step::Pause(left - 1),
            Step::Pause(_) => {
                if out.cores.iter().all(|core| core.push_ready) {
                    self.end_kernel(out, pins);
                }
            }
            Step::Exchanged(_) | Step::Finished => {}
        }
    }

    fn end_kernel(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        if self.kernel == 0 && self.places.len() < self.play.seeds as usize {
            self.step = Step::Seed;
        } else {
            pins.kernel_end = true;
            self.step = Step::Exchanged(out.cores[0].pull_part);
        }
    }

    /// Host code pushes; then the first kernel starts.
    fn seed(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        for c in 0..self.cores.len() {
            let lanes = if self.play.one_lane_seeds { 1 } else { self.any_lanes() };
            if out.cores[c].push_ready && (c == 0 || !self.play.one_lane_seeds) {
                self.push(c, lanes, self.play.seeds, &mut pins.cores[c]);
            }
        }
        if self.places.len() >= self.play.seeds as usize {
            self.step = Step::Pause(PAUSE + 2 * self.parameters.link as u32);
        }
    }

    fn any_lanes(&mut self) -> u32 {
        (self.random.next() & self.random.next()) as u32 & (u32::MAX >> (32 - self.parameters.lanes))
    }

    /// Pushes an ID on each of the lanes, as long as there are fewer than `limit`.
    fn push(&mut self, c: usize, lanes: u32, limit: u32, pins: &mut HwwlCoreIn) {
        for lane in bits(lanes) {
            if self.places.len() >= limit as usize {
                return;
            }
            let from_kernel = self.kernel + self.play.double as u64;
            pins.push |= 1 << lane;
            pins.push_id[lane] = self.places.len() as u32;
            self.places.push(Place::Inside { from_kernel, core: c });
            self.inside += 1;
            self.pullable += !self.play.double as u64;
            self.tally.pushed += 1;
        }
    }

    fn run(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        if self.all_done() {
            self.step = if self.play.double { Step::Pause(PAUSE) } else { Step::Finished };
            return;
        }
        if self.random.one_in(500) {
            self.step = Step::Pause(PAUSE);
            return;
        }
        for c in 0..self.cores.len() {
            if !out.cores[c].pending {
                self.cores[c].waits_for_refill = false;
            }
            if !self.random.one_in(4) {
                self.run_core(c, &out.cores[c], &mut pins.cores[c]);
            }
        }
    }

    /// One warp pushes, or pulls with the lanes that have nothing to push.
    fn run_core(&mut self, c: usize, out: &HwwlCoreOut, pins: &mut HwwlCoreIn) {
        let warp = self.random.below(self.play.warps as u64) as usize;
        let lanes = self.parameters.lanes;
        let threads = self.cores[c].warps[warp];
        let which = |f: fn(&Thread) -> bool| {
            (0..lanes).filter(|&lane| f(&threads[lane])).fold(0u32, |mask, lane| mask | 1 << lane)
        };
        let pushers = which(|t| matches!(t, Thread::Works(1..)));
        if pushers != 0 {
            if out.push_ready {
                self.push(c, pushers, self.play.work, pins);
                for lane in bits(pushers) {
                    if let Thread::Works(left) = &mut self.cores[c].warps[warp][lane] {
                        *left -= 1;
                    }
                }
            }
            return;
        }
        if self.cores[c].waits_for_refill {
            return;
        }
        pins.leave = which(|t| *t == Thread::Works(0));
        pins.pull = pins.leave | which(|t| *t == Thread::Hungry);
        self.working -= pins.leave.count_ones() as u64;
        for lane in bits(pins.leave) {
            // The first warp stays to the end: every bank is looked after.
            let ends = warp > 0 && self.random.one_in(64);
            self.cores[c].warps[warp][lane] = if ends { Thread::Done } else { Thread::Hungry };
            if ends {
                pins.pull &= !(1 << lane);
            }
        }
        if pins.pull != 0 {
            self.cores[c].asked = Some((warp, pins.pull));
        }
    }
}
