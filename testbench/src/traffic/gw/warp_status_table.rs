//! Legal random inputs of `warp_status_table`: warps that start, issue, jump, halt and end; a storage of few lines that answers,
//! for others too; an arbiter and a scoreboard. Every reference that is taken is given back, a warp is checked only with its
//! own line at hand, and every warp that wants a look-up, a fetch or a check is served in the end.

use super::places::{all, any, group, round_robin, some, those};
use crate::traffic::{bits, events, phases, Chance, Phases, Rng, Traffic};
use sim::units::gw::pins::{AnswerPins, Halves, Next, WarpStatusTableIn, WarpStatusTableOut, Wave};
use sim::units::gw::Parameters;

events! { WarpStatusTableTraffic:
    Start = "a warp starts",
    StartAll = "all warps start",
    Wake = "a halted warp goes on",
    Hit = "a look-up hits",
    Miss = "a look-up misses",
    Pending = "a look-up finds its line pending",
    Overtaken = "a look-up is answered with another line",
    HitForSeveral = "warps beside the one whose look-up hits have its line",
    Shared = "a shared fetch: a fill serves several warps",
    FillForAll = "a fill serves all warps",
    Foreign = "the fill of a line that no warp waited for serves one",
    Nobody = "an answer is of use to nobody",
    Asked = "the line that is asked for becomes pending",
    AskHits = "the line that is asked for is there",
    AskFails = "a fetch is asked for again: no entry was free",
    OtherWants = "another warp wants a fetch while one is asked for",
    Even = "an even half issues",
    Odd = "an odd half issues",
    Pair = "a pair issues",
    Wave = "a wave issues",
    Whole = "a wave of a whole group issues",
    Stays = "a warp goes on in its line",
    Back = "a warp goes back within its line",
    Leaves = "a warp goes on in another line",
    WaveStays = "a wave goes on in its line",
    WaveLeaves = "a wave goes on in the next line",
    Parts = "the halves of a pair part",
    Halts = "a warp halts",
    Ends = "a warp ends",
    DropTwo = "both halves give up their reference",
    TakeAndDrop = "references are taken and given up at once",
    NotFull = "a warp loses lanes",
    CheckSeveral = "several warps are checked together",
    CheckWaits = "warps of another pc wait for their check",
    Retry = "a warp is checked again: its register was just written",
    Waits = "a warp waits for a register",
    Same = "both halves of a pair are held at one pc",
    LookTurnWraps = "the look turn wraps",
    FetchTurnWraps = "the fetch turn wraps",
    Emptied = "all warps have ended",
    Reset = "reset with references",
}

phases! {
    /// `fills`: a pending line is filled. `foreign`: others fill and ask. `evicts`: a line without references goes. `jumps`: a
    /// warp goes anywhere instead of to the next pc.
    PHASES: Phase (starts, wakes, fills, asks, foreign, evicts, issues, jumps, halts, ends, waits)
    (20, 20, 60, 128, 20, 20, 200, 60, 10, 10, 60)
    (256, 256, 256, 256, 0, 0, 256, 20, 0, 0, 10)
    (4, 20, 20, 60, 128, 128, 256, 128, 20, 20, 128)
    (256, 4, 4, 256, 4, 60, 256, 200, 40, 2, 20)
    (10, 256, 128, 20, 40, 4, 100, 10, 60, 4, 20)
    (0, 256, 256, 256, 4, 4, 256, 20, 4, 100, 10)
    (256, 60, 10, 30, 0, 256, 256, 0, 0, 1, 40)
}

/// Lines at most.
const MOST_LINES: usize = 32;

/// What the storage holds of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Held {
    #[default]
    No,
    Pending,
    Yes,
}

/// What comes of a check.
#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    warps: u64,
    ready: u64,
    waits: u64,
}

/// References, as the table is to tell of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct References {
    taken: (u32, u16),
    dropped: (u32, u16),
}

#[derive(Default)]
pub struct WarpStatusTableTraffic {
    rng: Rng,
    places: usize,
    wave: usize,
    entries: usize,
    phase: Phases<Phase>,
    /// The first half of the lines is 0, 1, ..., the other half follows each other from here.
    far: u16,
    lines: usize,
    /// Added to the number of a line: its entry.
    shift: usize,
    storage: [Held; MOST_LINES],
    /// Warps by state.
    look: u64,
    fetch: u64,
    fill: u64,
    held: u64,
    halted: u64,
    pcs: Vec<u16>,
    /// Their lines by number, and the entry that they hold.
    numbers: Vec<u8>,
    held_entries: Vec<u16>,
    full: u64,
    look_turn: usize,
    fetch_turn: usize,
    /// Cycles for which each place has waited for its check.
    patience: Vec<u32>,
    ready: u64,
    waits: u64,
    /// As they were in the previous cycle.
    was_ready: u64,
    was_waiting: u64,
    was_held: u64,
    /// Checked in the previous cycle, and the one before; what comes of it.
    checks: [Checks; 2],
    /// Checked, but neither ready nor waiting.
    open: u64,
    /// Place and number of line.
    ask: Option<(usize, usize)>,
    answer: AnswerPins,
    /// The line of the answer was filled in the cycle before.
    is_fill: bool,
    /// The number of the line that was answered in the previous cycle.
    was_answered: Option<usize>,
    references: References,
    findings: Findings,
}

impl WarpStatusTableTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut traffic = WarpStatusTableTraffic {
            rng: Rng::new(seed),
            places: parameters.places(),
            wave: parameters.wave,
            entries: parameters.entries(),
            phase: Phases::new(PHASES, 20..620, 8),
            pcs: vec![0; 64],
            numbers: vec![0; 64],
            held_entries: vec![0; 64],
            patience: vec![0; 64],
            ..Default::default()
        };
        traffic.choose_lines();
        traffic
    }

    fn choose_lines(&mut self) {
        let rng = &mut self.rng;
        let most = self.entries.min(MOST_LINES) as u32;
        self.lines = [2, 4, 8, 2 + rng.below(most - 1)][rng.below(4) as usize].min(most) as usize;
        self.far = (64 + rng.below((1 << 15) - 128)) as u16;
        self.shift = rng.below(self.entries as u32) as usize;
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.held != 0);
        (self.look, self.fetch, self.fill, self.held, self.halted) = (0, 0, 0, 0, 0);
        (self.look_turn, self.fetch_turn, self.ready, self.waits, self.was_ready) = (0, 0, 0, 0, 0);
        (self.was_waiting, self.was_held) = (0, 0);
        self.storage = [Held::No; MOST_LINES];
        (self.checks, self.open, self.ask) = (Default::default(), 0, None);
        (self.answer, self.is_fill, self.was_answered) = (AnswerPins::default(), false, None);
        self.references = References::default();
        self.choose_lines();
    }

    fn near(&self) -> usize {
        self.lines / 2
    }

    /// The line with a number.
    fn line(&self, number: usize) -> u16 {
        match number.checked_sub(self.near()) {
            None => number as u16,
            Some(far) => self.far + far as u16,
        }
    }

    /// The number of a line, if it has one.
    fn number(&self, line: u16) -> Option<usize> {
        let line = usize::from(line);
        if line < self.near() {
            return Some(line);
        }
        let number = (line + self.near()).checked_sub(usize::from(self.far))?;
        (self.near()..self.lines).contains(&number).then_some(number)
    }

    /// What comes behind this pc is in one of the lines.
    fn follows(&self, pc: u16) -> bool {
        let next = pc + 1;
        self.number(next / 2).is_some()
    }

    fn entry(&self, number: usize) -> u16 {
        ((number + self.shift) % self.entries) as u16
    }

    fn living(&self) -> u64 {
        self.look | self.fetch | self.fill | self.held | self.halted
    }

    fn go_to(&mut self, place: usize, pc: u16) {
        self.pcs[place] = pc;
        self.numbers[place] = self.number(pc / 2).unwrap_or(0) as u8;
    }

    /// Those whose line has this number.
    fn at(&self, places: u64, number: usize) -> u64 {
        those(places, |place| usize::from(self.numbers[place]) == number)
    }

    fn at_pc(&self, places: u64, pc: u16) -> u64 {
        those(places, |place| self.pcs[place] == pc)
    }

    /// Pairs with both halves held at one pc.
    fn same(&self) -> u32 {
        let both = |pair: &usize| self.held >> (2 * pair) & 3 == 3 && self.pcs[2 * pair] == self.pcs[2 * pair + 1];
        (0..self.places / 2).filter(both).fold(0, |mask, pair| mask | 1 << pair)
    }

    fn observe(&mut self, outputs: &WarpStatusTableOut) -> Result<(), String> {
        let due = round_robin(self.look, self.look_turn);
        if outputs.look.get() != due.map(|place| self.pcs[place] / 2) {
            return Err(format!("{:x?} is looked up, due is that of place {due:?}", outputs.look));
        }
        if let Some(place) = due {
            self.findings.count(Event::LookTurnWraps, place < self.look_turn);
            self.look_turn = place + 1;
        }
        let due = round_robin(self.fetch, self.fetch_turn);
        let want = outputs.want.get().map(|want| (usize::from(want.place), want.line));
        if want != due.map(|place| (place, self.pcs[place] / 2)) {
            return Err(format!("{want:x?} is wanted, due is place {due:?}"));
        }
        self.findings.count(Event::FetchTurnWraps, due.is_some_and(|place| place < self.fetch_turn));
        let other = |place| self.ask.is_some_and(|(asked, _)| asked != place);
        self.findings.count(Event::OtherWants, due.is_some_and(other));
        let told = References {
            taken: (outputs.take.count.into(), outputs.take.entry),
            dropped: (outputs.dropped.count.into(), outputs.dropped.entry),
        };
        let References { taken, dropped } = self.references;
        let agree = |told: (u32, u16), due: (u32, u16)| told.0 == due.0 && (due.0 == 0 || told.1 == due.1);
        if !agree(told.taken, taken) || !agree(told.dropped, dropped) {
            return Err(format!("{told:x?}, due is {:x?}", self.references));
        }
        if outputs.same != self.same() {
            return Err(format!("same is {:#x}, due is {:#x}", outputs.same, self.same()));
        }
        self.findings.count(Event::Same, outputs.same != 0);
        let living = self.living();
        if (outputs.full ^ self.full) & living != 0 {
            return Err(format!("full is {:#x}, due is {:#x} of {living:#x}", outputs.full, self.full));
        }
        match bits(living).find(|place| outputs.pc[*place] != self.pcs[*place]) {
            Some(place) => Err(format!("pc {place} is {:#x}, due is {:#x}", outputs.pc[place], self.pcs[place])),
            None => self.check(outputs),
        }
    }

    /// What the table has checked in this cycle.
    fn check(&mut self, outputs: &WarpStatusTableOut) -> Result<(), String> {
        let checked = outputs.check_warps;
        let [last, before] = self.checks;
        let candidates = self.held & !self.ready & !self.waits & !last.warps;
        // Those that the table has seen to be candidates in the previous cycle.
        let sure = candidates & !before.warps & !self.was_waiting;
        if checked & !candidates != 0 || outputs.check_valid != (checked != 0) {
            return Err(format!("{checked:#x} are checked, but only {candidates:#x} may be"));
        }
        let Some(first) = round_robin(checked, 0) else {
            return match sure {
                0 => Ok(()),
                _ => Err(format!("nobody is checked, but {sure:#x} may be")),
            };
        };
        let (pc, entry) = (self.pcs[first], self.held_entries[first]);
        if (outputs.check_entry, u16::from(outputs.check_slot)) != (entry, pc % 2) {
            return Err(format!("place {first} is checked with {:#x}, it holds {entry:#x}", outputs.check_entry));
        }
        let here = self.at_pc(candidates, pc);
        if checked & !here != 0 || here & sure & !checked != 0 {
            return Err(format!("{checked:#x} are checked, at pc {pc:#x} are {here:#x}"));
        }
        for place in bits(candidates) {
            self.patience[place] = if checked >> place & 1 == 1 { 0 } else { self.patience[place] + 1 };
            if self.patience[place] > self.places as u32 + 2 {
                return Err(format!("place {place} is never checked"));
            }
        }
        let c = &mut self.findings;
        c.count(Event::CheckSeveral, checked & (checked - 1) != 0);
        c.count(Event::CheckWaits, sure & !checked != 0);
        c.count(Event::Retry, checked & self.open != 0);
        Ok(())
    }

    /// The scoreboard: who is ready, who waits.
    fn scoreboard(&mut self, checked: u64, pins: &mut WarpStatusTableIn) {
        let rng = &mut self.rng;
        (pins.ready, pins.waits) = (self.ready, self.waits);
        (self.was_ready, self.was_waiting) = (self.ready, self.waits);
        // What is checked now is known in the next cycle, and seen in the one after.
        let mut result = Checks { warps: checked, ..Checks::default() };
        if checked != 0 {
            result.waits = some(rng, self.phase.waits, checked);
            let retry = if rng.one_in(4) { some(rng, Chance(128), checked) } else { 0 };
            result.ready = checked & !result.waits & !retry;
        }
        let woken = some(rng, Chance(40), self.waits);
        self.findings.count(Event::Waits, result.waits != 0);
        let seen = self.checks[0];
        self.open = self.open & !checked | seen.warps & !(seen.ready | seen.waits);
        self.ready |= seen.ready;
        self.waits = self.waits & !woken | seen.waits;
        self.checks = [result, seen];
    }

    /// The storage's answer in the next cycle.
    fn answer(&mut self, outputs: &WarpStatusTableOut) {
        let asked = self.ask.filter(|_| self.phase.asks.happens(&mut self.rng));
        let look = outputs.look.get().and_then(|line| self.number(line));
        let any_line = self.rng.below(self.lines as u32) as usize;
        let foreign = self.phase.foreign.happens(&mut self.rng);
        let fills = those(all(self.lines), |i| self.storage[i] == Held::Pending);
        let fill = any(&mut self.rng, fills).filter(|_| self.phase.fills.happens(&mut self.rng));
        self.evict();
        let (number, answer) = if let Some(number) = fill {
            self.storage[number] = Held::Yes;
            (number, AnswerPins::HIT)
        } else if let Some((_, number)) = asked {
            self.ask = None;
            (number, self.ask_for(number, true))
        } else if foreign {
            (any_line, self.ask_for(any_line, false))
        } else {
            (look.unwrap_or(0), AnswerPins::NONE)
        };
        // Nobody is answered at once: the look-up is.
        let own = answer == AnswerPins::NONE;
        let answer = match look {
            Some(number) if own => {
                [AnswerPins::MISS, AnswerPins::PENDING, AnswerPins::HIT][self.storage[number] as usize]
            }
            _ => answer,
        };
        let number = look.filter(|_| own).unwrap_or(number);
        let c = &mut self.findings;
        c.count(Event::Hit, own && answer == AnswerPins::HIT);
        c.count(Event::Miss, own && answer == AnswerPins::MISS);
        c.count(Event::Pending, own && answer == AnswerPins::PENDING);
        c.count(Event::Overtaken, !own && look.is_some_and(|look| look != number));
        self.is_fill = fill.is_some();
        let entry = if answer == AnswerPins::HIT { self.entry(number) } else { 0 };
        self.answer = AnswerPins { answer, line: self.line(number), entry };
    }

    /// A line that is asked for: there, pending from now on, or without an entry.
    fn ask_for(&mut self, number: usize, own: bool) -> u8 {
        let c = &mut self.findings;
        match self.storage[number] {
            Held::Yes => {
                c.count(Event::AskHits, own);
                return AnswerPins::HIT;
            }
            Held::No if self.rng.one_in(6) => {
                c.count(Event::AskFails, own);
                return AnswerPins::NONE;
            }
            Held::No => self.storage[number] = Held::Pending,
            Held::Pending => {}
        }
        c.count(Event::Asked, own);
        AnswerPins::PENDING
    }

    /// A line goes to which nobody holds a reference, or is about to.
    fn evict(&mut self) {
        let number = self.rng.below(self.lines as u32) as usize;
        let is_answered = self.answer.answer == AnswerPins::HIT && self.answer.line == self.line(number);
        let is_named = is_answered || self.was_answered == Some(number);
        let is_idle = self.storage[number] == Held::Yes && !is_named && self.phase.evicts.happens(&mut self.rng);
        if is_idle && self.at(self.was_held | self.held, number) == 0 {
            self.storage[number] = Held::No;
        }
    }

    /// The arbiter takes up what is wanted.
    fn arbiter(&mut self, outputs: &WarpStatusTableOut, pins: &mut WarpStatusTableIn) {
        pins.asked.show(&self.ask.map(|(place, _)| place as u8));
        if let Some((place, _)) = self.ask {
            self.fetch_turn = place + 1;
        }
        let takes = self.ask.is_none() && self.phase.asks.happens(&mut self.rng);
        if let Some(want) = outputs.want.get().filter(|_| takes) {
            self.ask = self.number(want.line).map(|number| (usize::from(want.place), number));
        }
    }

    /// What follows for a half that issues.
    fn next(&mut self, pc: u16) -> Next {
        let rng = &mut self.rng;
        let next = if self.phase.ends.happens(rng) { 2 } else { u8::from(self.phase.halts.happens(rng)) };
        let jumps = self.phase.jumps.happens(rng);
        let (anywhere, slot) = (rng.below(self.lines as u32) as usize, rng.below(2) as u16);
        let (back, full) = (rng.one_in(2), !rng.one_in(4));
        let pc = match back {
            _ if !jumps && self.follows(pc) => pc + 1,
            true => pc & !1,
            false => 2 * self.line(anywhere) + slot,
        };
        Next { next, pc, full }
    }

    /// Who issues in this cycle.
    fn issue(&mut self, can: u64, outputs: &WarpStatusTableOut, pins: &mut WarpStatusTableIn) {
        (pins.halves.even, pins.halves.odd, pins.wave.issue) = (false, false, false);
        pins.next = [0; 2].map(|_| self.next(0));
        let issues = self.phase.issues.happens(&mut self.rng);
        let Some(place) = any(&mut self.rng, can).filter(|_| issues) else { return };
        let pc = self.pcs[place];
        if self.rng.one_in(3) && self.follows(pc) {
            let of = place / self.wave;
            let mask = group(self.at_pc(can, pc), of, self.wave);
            let part = self.rng.draw() | 1 << (place % self.wave);
            let mask = if self.rng.one_in(4) { mask & part } else { mask };
            pins.wave = Wave { issue: true, group: of as u8, mask: mask as u16 };
            self.findings.count(Event::Whole, mask == all(self.wave));
        } else {
            let both = outputs.same >> (place / 2) & 1 == 1 && can >> (place ^ 1) & 1 == 1 && !self.rng.one_in(4);
            let halves = if both { 3 } else { 1 << (place % 2) };
            pins.halves = Halves { even: halves & 1 == 1, odd: halves & 2 == 2, pair: (place / 2) as u8 };
            self.findings.count([Event::Even, Event::Even, Event::Odd, Event::Pair][halves], true);
            pins.next = [0; 2].map(|_| self.next(pc));
        }
    }

    /// The warp goes on; whether it gives up its reference.
    fn go_on(&mut self, place: usize, next: Next) -> bool {
        let pc = self.pcs[place];
        let stays = next.next == 0 && next.pc / 2 == pc / 2;
        self.held &= !(u64::from(!stays) << place);
        match next.next {
            0 if !stays => self.look |= 1 << place,
            1 => self.halted |= 1 << place,
            _ => {}
        }
        self.go_to(place, next.pc);
        self.patience[place] = 0;
        let was_full = self.full >> place & 1 == 1;
        self.full = self.full & !(1 << place) | u64::from(next.full) << place;
        let c = &mut self.findings;
        c.count(Event::Stays, stays);
        c.count(Event::Back, stays && next.pc <= pc);
        c.count(Event::Leaves, next.next == 0 && !stays);
        c.count(Event::Halts, next.next == 1);
        c.count(Event::Ends, next.next == 2);
        c.count(Event::NotFull, next.next != 2 && was_full && !next.full);
        !stays
    }

    /// All that issues goes on.
    fn leave(&mut self, pins: &WarpStatusTableIn) {
        let wave = pins.wave.places(self.wave);
        let halves = pins.halves.places();
        self.references.dropped = (0, 0);
        for place in bits(wave | halves) {
            let is_full = self.full >> place & 1 == 1;
            let follows = Next { next: 0, pc: self.pcs[place] + 1, full: is_full };
            let next = if pins.wave.issue { follows } else { pins.next[place % 2] };
            let entry = self.held_entries[place];
            if self.go_on(place, next) {
                self.references.dropped = (self.references.dropped.0 + 1, entry);
            }
        }
        self.ready &= !(wave | halves);
        let (even, odd) = (pins.next[0], pins.next[1]);
        let dropped = self.references.dropped.0;
        let c = &mut self.findings;
        c.count(Event::Wave, wave != 0);
        c.count(Event::WaveStays, wave != 0 && dropped == 0);
        c.count(Event::WaveLeaves, wave != 0 && dropped > 0);
        c.count(Event::Parts, halves.count_ones() == 2 && (even.next, even.pc) != (odd.next, odd.pc));
        c.count(Event::DropTwo, halves.count_ones() == 2 && dropped == 2);
    }

    /// Those whose line is answered.
    fn take(&mut self, answer: AnswerPins) {
        self.references.taken = (0, 0);
        let Some(number) = self.number(answer.line) else { return };
        let looks = self.at(self.look, number);
        let all_waiting = looks | self.at(self.fetch | self.fill, number);
        let c = &mut self.findings;
        c.count(Event::Nobody, answer.answer != AnswerPins::NONE && all_waiting == 0);
        match answer.answer {
            AnswerPins::HIT => {
                let count = all_waiting.count_ones();
                c.count(Event::Shared, self.is_fill && count > 1);
                c.count(Event::FillForAll, self.is_fill && count as usize == self.places);
                c.count(Event::Foreign, self.is_fill && all_waiting & !self.fill != 0);
                c.count(Event::HitForSeveral, !self.is_fill && count > 1);
                (self.look, self.fetch) = (self.look & !all_waiting, self.fetch & !all_waiting);
                self.fill &= !all_waiting;
                self.held |= all_waiting;
                bits(all_waiting).for_each(|place| {
                    self.held_entries[place] = answer.entry;
                    self.patience[place] = 0;
                });
                self.references.taken = (count, answer.entry);
            }
            AnswerPins::MISS => (self.look, self.fetch) = (self.look & !looks, self.fetch | looks),
            AnswerPins::PENDING => {
                (self.look, self.fetch) = (self.look & !all_waiting, self.fetch & !all_waiting);
                self.fill |= all_waiting;
            }
            _ => {}
        }
    }

    /// Who starts and who goes on.
    fn begin(&mut self, pins: &mut WarpStatusTableIn) {
        let free = all(self.places) & !self.living();
        let rng = &mut self.rng;
        pins.start = if rng.one_in(3) { free } else { free & rng.draw() };
        pins.start = if self.phase.starts.happens(rng) { pins.start } else { 0 };
        pins.wake = some(rng, self.phase.wakes, self.halted);
        let c = &mut self.findings;
        c.count(Event::Start, pins.start != 0);
        c.count(Event::StartAll, pins.start == all(self.places));
        c.count(Event::Wake, pins.wake != 0);
    }

    /// The edge that ends this cycle.
    fn clock(&mut self, pins: &WarpStatusTableIn) {
        let living = self.living();
        self.was_held = self.held;
        self.was_answered = self.number(pins.answer.line).filter(|_| pins.answer.answer == AnswerPins::HIT);
        self.take(pins.answer);
        self.leave(pins);
        self.halted &= !pins.wake;
        self.look |= pins.start | pins.wake;
        self.full |= pins.start;
        bits(pins.start).for_each(|place| self.go_to(place, 0));
        let References { taken, dropped } = self.references;
        self.findings.count(Event::TakeAndDrop, taken.0 > 0 && dropped.0 > 0);
        self.findings.count(Event::Emptied, living != 0 && self.living() == 0);
    }
}

impl Traffic for WarpStatusTableTraffic {
    type In = WarpStatusTableIn;
    type Out = WarpStatusTableOut;

    fn next(&mut self, outputs: &WarpStatusTableOut, pins: &mut WarpStatusTableIn) -> bool {
        let result = self.observe(outputs);
        self.findings.check(result);
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        pins.answer = self.answer;
        self.answer(outputs);
        let can = self.ready & self.was_ready;
        self.scoreboard(outputs.check_warps, pins);
        self.issue(can, outputs, pins);
        self.arbiter(outputs, pins);
        self.begin(pins);
        self.clock(pins);
        false
    }
}
