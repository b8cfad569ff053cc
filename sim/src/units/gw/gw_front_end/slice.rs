//! One scheduler's part: its places, their windows, the way of a check, and what issues.

use super::any_storage::AnyStorage;
use super::storage::{Answer, Look, Wishes};
use super::waves::{with_pc, Key, Wave, Waves};
use super::{FREE_SLOTS, MOST_CHECKED};
use crate::unit::{rule, Fault};
use crate::units::bits::bits;
use crate::units::gw::gw_record::Record;
use crate::units::gw::mask::{even_places, pairs, round_robin, EVEN};
use crate::units::gw::parameters::{MOST_PLACES, SLOTS};
use crate::units::gw::pins::next::{ENDS, GOES_ON, HALTS};
use crate::units::gw::pins::{self, members, Done, Halves, SliceIn, SliceOut, Want};
use crate::units::gw::Parameters;

/// An instruction in a window.
#[derive(Clone, Copy, Debug, Default)]
struct Checked {
    pc: u16,
    entry: u16,
    path: u8,
    scalar: bool,
    /// The warp goes on at pc + 1.
    goes_on: bool,
    /// Under which it is pending, if it writes registers.
    slot: Option<u8>,
    /// The slots of the pair that have to be written before.
    waits_for: u8,
}

/// The instructions of a warp that are checked and have not issued, the first one first.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    checked: [Checked; MOST_CHECKED],
    count: usize,
}

/// Places of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    /// Their line is to be looked up.
    look: u64,
    /// Places in *look* whose line has to be fetched.
    missed: u64,
    /// Places in *look* that follow their line without a branch.
    follow: u64,
    /// They wait for a fill.
    fill: u64,
    /// They hold their line.
    held: u64,
    /// Their line is checked to its end.
    turn: u64,
    halted: u64,
    /// They wait for the answer to an instruction that has issued.
    asks: u64,
    full: u64,
    /// They have started, and no check has been made.
    fresh: u64,
}

/// A pair on its way through the check.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    pair: u32,
    /// Places.
    places: u64,
    entry: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Check {
    places: u64,
    pc: u16,
    entry: u16,
    record: Record,
}

/// The issue of the next cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Next {
    halves: Halves,
    wave: Option<u8>,
    /// A wave that is formed to issue at once, of these places.
    express: Option<(Key, u64)>,
}

/// A look-up of these places.
#[derive(Clone, Copy, Debug, Default)]
struct LookUp {
    places: u64,
    line: u16,
    /// At the answer of the core.
    at_answer: bool,
    /// At the answer: the pair had free slots.
    roomy: bool,
}

/// A scheduler's inputs of a cycle beside its own pins.
pub struct Given<'a> {
    /// The place of this scheduler that is asked for.
    pub asked: Option<u8>,
    /// The entry that is filled.
    pub fill: Option<u16>,
    pub pairs_on: bool,
    pub waves_on: bool,
    pub storage: &'a AnyStorage,
    pub answer: Answer,
}

#[derive(Clone, Debug)]
pub struct Slice {
    parameters: Parameters,
    places: Places,
    pc: [u16; MOST_PLACES],
    entry: [u16; MOST_PLACES],
    windows: [Window; MOST_PLACES],
    /// Slots in use, of each place.
    busy: [u8; MOST_PLACES],
    /// The registers of a pair's slots.
    slots: [[u64; SLOTS]; MOST_PLACES / 2],
    forms: [u64; MOST_PLACES],
    waves: Waves,
    // Places that can issue, by path: the first of a window, and the second.
    first: [u64; 4],
    second: [u64; 4],
    /// The first is ready and may join a wave.
    scalars: u64,
    front_pc: [u16; MOST_PLACES],
    // Round robins.
    check_pointer: u32,
    look_pointer: u32,
    want_pointer: u32,
    issue_pointer: u32,
    /// The half of each pair whose turn it is.
    odd_turn: u64,
    // Stages.
    chosen: Option<Chosen>,
    read: Option<Check>,
    compared: Option<Check>,
    look_chosen: Option<u32>,
    look: Option<LookUp>,
    answered: Option<LookUp>,
    want_chosen: Option<u32>,
    want: Option<Want>,
    halves: Halves,
    wave: Option<u8>,
    pub rests: bool,
}

/// The core answers some half.
pub fn is_answered(pins: &SliceIn) -> bool {
    pins.answered.even || pins.answered.odd
}

fn line_of(pc: u16) -> u16 {
    pc / 2
}

impl Slice {
    pub fn new(parameters: &Parameters) -> Self {
        Slice {
            parameters: *parameters,
            places: Places::default(),
            pc: [0; MOST_PLACES],
            entry: [0; MOST_PLACES],
            windows: [Window::default(); MOST_PLACES],
            busy: [0; MOST_PLACES],
            slots: [[0; SLOTS]; MOST_PLACES / 2],
            forms: [0; MOST_PLACES],
            waves: Waves::new(parameters),
            first: [0; 4],
            second: [0; 4],
            scalars: 0,
            front_pc: [0; MOST_PLACES],
            check_pointer: 0,
            look_pointer: 0,
            want_pointer: 0,
            issue_pointer: 0,
            odd_turn: 0,
            chosen: None,
            read: None,
            compared: None,
            look_chosen: None,
            look: None,
            answered: None,
            want_chosen: None,
            want: None,
            halves: Halves::default(),
            wave: None,
            rests: true,
        }
    }

    pub fn want(&self) -> Option<Want> {
        self.want
    }

    fn issuing_wave(&self) -> Wave {
        self.wave.map(|swid| *self.waves.wave(swid)).unwrap_or_default()
    }

    pub fn outputs(&self) -> SliceOut {
        let wave = self.issuing_wave();
        let pair = 2 * self.halves.pair as usize;
        let ready = self.first.iter().fold(self.scalars, |all, places| all | places);
        let slot = |place: usize| self.windows[place].checked[0].slot.unwrap_or(0);
        SliceOut {
            halves: self.halves,
            issue_pc: self.front_pc[pair + !self.halves.even as usize],
            even_slot: slot(pair),
            odd_slot: slot(pair + 1),
            wave: self.wave.into(),
            wave_group: wave.group,
            wave_mask: wave.mask,
            wave_pc: wave.pc,
            ready,
            scalar: self.scalars,
            table_full: self.waves.table_full,
        }
    }

    /// Something issues, or does so if these paths have room.
    pub fn can_issue(&self, room: u8) -> bool {
        with_room(&self.first, room) != 0 || self.waves.offer(None).is_some_and(|offer| room >> offer.path & 1 == 1)
    }

    /// Waves grow older with each step if `ages`.
    pub fn let_age(&mut self, ages: bool) {
        self.waves.ages = ages;
        self.rests = self.at_rest();
    }

    /// A cycle with all inputs low changes nothing, if no path has room.
    fn at_rest(&self) -> bool {
        let stages = self.chosen.is_some() || self.read.is_some() || self.compared.is_some();
        let searches = self.look_chosen.is_some() || self.look.is_some() || self.answered.is_some();
        let issues = self.halves.even || self.halves.odd || self.wave.is_some();
        !stages
            && !searches
            && !issues
            && self.looks() == 0
            && self.want_chosen.is_none()
            && self.want.is_none()
            && self.waves.is_quiet()
            && self.scalars & !self.waves.joined == 0
            && self.candidates() == 0
    }

    /// Places that can be checked.
    fn candidates(&self) -> u64 {
        let on_way = self.chosen.map_or(0, |c| c.places) | self.read.map_or(0, |c| c.places);
        let landing = self.compared.map_or(0, |c| c.places);
        let issuing = self.halves.places();
        let mut candidates = 0;
        for place in bits(self.places.held & !on_way) {
            let count = self.windows[place].count + (landing >> place & 1) as usize - (issuing >> place & 1) as usize;
            let stops = landing >> place & 1 == 1 && !self.proceeds(place, &self.compared.unwrap_or_default().record);
            candidates |= ((count < self.parameters.window && !stops && self.has_slots(place)) as u64) << place;
        }
        candidates
    }

    /// A place has started and not ended.
    fn is_occupied(&self, place: usize) -> bool {
        let Places { look, fill, held, turn, halted, asks, .. } = self.places;
        (look | fill | held | turn | halted | asks) >> place & 1 == 1 || self.windows[place].count > 0
    }

    fn has_slots(&self, place: usize) -> bool {
        let busy = self.busy[place & !1] | self.busy[place | 1];
        SLOTS as u32 - busy.count_ones() >= FREE_SLOTS
    }

    /// Behind an instruction with this record the warp goes on at pc + 1.
    fn proceeds(&self, place: usize, record: &Record) -> bool {
        record.plain && (!record.meets || self.places.full >> place & 1 == 1)
    }

    fn issuing_members(&self) -> u64 {
        let wave = self.issuing_wave();
        members(wave.group, wave.mask, self.parameters.wave)
    }

    fn with_entry(&self, places: u64, entry: u16) -> u64 {
        bits(places).fold(0, |all, place| all | ((self.entry[place] == entry) as u64) << place)
    }

    fn after(&self, place: u32, of: usize) -> u32 {
        (place + 1) % of as u32
    }

    /// The look-up of this cycle: that of a half that is answered and goes on, or the next in turn.
    fn look_up(&self, pins: &SliceIn) -> Option<LookUp> {
        let answered = pins.answered.places();
        if answered == 0 {
            return self.look;
        }
        let mut redirected = None;
        for place in bits(answered) {
            let pins::Next { next, pc, .. } = pins.next[place & 1];
            if next != GOES_ON {
                continue;
            }
            let roomy = self.has_slots(place);
            let look = redirected.get_or_insert(LookUp { places: 0, line: line_of(pc), at_answer: true, roomy });
            if look.line == line_of(pc) && (self.parameters.reuse || look.places == 0) {
                look.places |= 1 << place;
            }
        }
        redirected
    }

    /// The pair whose line the storage reads in this cycle: after a look-up at the answer that one, or none, else the chosen pair.
    fn reading(&self, answer: Answer) -> Option<Chosen> {
        let Some(LookUp { places, roomy, .. }) = self.answered.filter(|look| look.at_answer) else {
            return self.chosen;
        };
        let first = places.trailing_zeros();
        match answer {
            Answer::Hit(entry) if roomy => Some(Chosen { pair: first / 2, places, entry: Some(entry) }),
            _ => None,
        }
    }

    /// The chosen places that are checked together.
    fn resolve(&self, chosen: &Chosen) -> u64 {
        let (even, odd) = (2 * chosen.pair as usize, 2 * chosen.pair as usize + 1);
        let both = 0b11 << even;
        if chosen.places & both != both || self.pc[even] == self.pc[odd] {
            return chosen.places;
        }
        1 << (even + (self.odd_turn >> chosen.pair & 1) as usize)
    }

    /// The requests to the storage in this cycle.
    pub fn wishes(&self, pins: &SliceIn, storage: &AnyStorage) -> Wishes {
        let mut wishes = Wishes::default();
        if let Some(look) = self.look_up(pins) {
            let place = look.places.trailing_zeros() as usize;
            let follows = !look.at_answer && self.places.follow >> place & 1 == 1;
            let from = follows.then_some(self.entry[place]).filter(|from| Some(*from) != storage.replaced());
            wishes.look =
                Some(Look { place: place as u8, line: look.line, warps: look.places.count_ones() as u8, from });
        }
        if let (Some(link), Some(check)) = (self.link(storage), self.read) {
            wishes.taken = (link, check.places.count_ones() as u8);
        }
        for place in bits(self.halves.places() | self.issuing_members()) {
            let Checked { pc, entry, goes_on, .. } = self.windows[place].checked[0];
            if pc % 2 == 1 || !goes_on {
                wishes.dropped = (entry, wishes.dropped.1 + 1);
            }
        }
        wishes
    }

    /// The edge. It is left out if it changes nothing.
    pub fn clock(&mut self, pins: &SliceIn, given: &Given) -> Result<(), Fault> {
        let done = |done: &Done| done.even || done.odd;
        let told =
            pins.start | pins.wake != 0 || pins.done_wave.valid || pins.done.iter().any(done) || is_answered(pins);
        let filled = given.fill.is_some() && self.places.fill != 0;
        if !self.rests || told || filled || given.asked.is_some() || self.can_issue(pins.room) {
            self.step(pins, given)?;
            self.rests = self.at_rest();
        }
        Ok(())
    }

    fn step(&mut self, pins: &SliceIn, given: &Given) -> Result<(), Fault> {
        let Given { storage, answer, .. } = *given;
        // All decisions of the cycle are made from the state at its beginning.
        let next = self.next_issue(pins.room, given);
        let candidates = self.candidates();
        let look_up = self.look_up(pins);
        let waits = self.look.is_some() && pins.answered.places() != 0;
        let reading = self.reading(answer).map(|chosen| (chosen, self.resolve(&chosen)));
        let link = self.link(storage);
        let formed = self.form().filter(|(key, ..)| next.express.is_none_or(|(going, _)| going.group != key.group));
        let key = self.key();
        let pick = self.pick_scalar();
        let used = self.waves.used();
        let look_pick = self.pick_look();
        let second_look = self.second_look();
        let free_slot = self.free_slot();
        let want_pick = round_robin(self.places.missed, self.want_pointer);

        // Registers that are written.
        for done in &pins.done {
            for place in bits(done.places()) {
                self.release(place, [done.even_slot, done.odd_slot][place & 1])?;
            }
        }
        if let Some(swid) = std::mem::replace(&mut self.waves.clears, pins.done_wave.get()) {
            let Wave { group, mask, .. } = *self.waves.wave(swid);
            for place in bits(members(group, mask, self.parameters.wave)) {
                if let Some(slot) = self.waves.slot(swid, place % self.parameters.wave) {
                    self.release(place, slot)?;
                }
            }
        }

        // Waves.
        self.waves.table_full = false;
        self.waves.grow_older();
        if let Some(swid) = pins.done_wave.get() {
            self.waves.end(swid)?;
        }
        if let Some((key, places, fit)) = std::mem::replace(&mut self.waves.joining, formed) {
            let lanes = (places >> (key.group as usize * self.parameters.wave)) as u16;
            if self.waves.join(&key, lanes, fit, used, self.wave) {
                self.waves.joined |= places;
            }
        }
        self.waves.key = key;
        self.waves.picked = pick.filter(|_| next.express.is_none());
        if let Some(place) = pick {
            self.waves.pointer = self.after(place, self.parameters.places());
        }

        // Instructions that issue.
        let asked = self.places.asks;
        self.issue_halves()?;
        self.issue_wave()?;
        // No hardware answers in the cycle of the issue.
        self.resolve_halves(pins, if self.parameters.ideal { self.places.asks } else { asked })?;
        (self.halves, self.wave) = (next.halves, next.wave);
        if let Some((key, places)) = next.express {
            self.wave = Some(self.waves.express(&key, places, used));
        }

        // The way of a check.
        let landing = std::mem::replace(&mut self.compared, self.read);
        if let Some(check) = self.read.take() {
            self.pass_line(&check, link);
        }
        if let Some(check) = landing {
            self.land(&check, free_slot, given.waves_on)?;
        }
        // Entries that were replaced and filled.
        if let Some(entry) = storage.replaced() {
            self.places.follow &= !self.with_entry(self.places.follow, entry);
        }
        if let Some(entry) = given.fill {
            let filled = self.with_entry(self.places.fill, entry);
            self.places.fill &= !filled;
            self.places.held |= filled;
        }
        // The answer to the look-up.
        if let Some(answered) = self.answered {
            self.answer(answered.places, answer, given.fill);
        }
        if let Some((chosen, places)) = reading {
            self.start_check(&chosen, places, storage);
        }
        self.search(look_up, waits, second_look, look_pick);
        self.choose(candidates);
        self.ask(want_pick, given.asked);

        // Starts.
        let free = bits(pins.start).all(|place| !self.is_occupied(place));
        rule(free, "gw_front_end: start of a place that is not free")?;
        self.places.look |= pins.start | pins.wake;
        self.places.full |= pins.start;
        self.places.fresh |= pins.start;
        rule(pins.wake & !self.places.halted == 0, "gw_front_end: wake of a place that has not halted")?;
        self.places.halted &= !pins.wake;
        bits(pins.start).for_each(|place| self.pc[place] = 0);
        Ok(())
    }

    /// The halves, or the wave, that issue in the next cycle.
    fn next_issue(&mut self, room: u8, given: &Given) -> Next {
        let issuing = self.halves.places();
        let go = with_room(&self.first, room) & !issuing | with_room(&self.second, room) & issuing;
        let offer = self.waves.offer(self.wave).filter(|offer| room >> offer.path & 1 == 1);
        if let Some(offer) = offer.filter(|offer| offer.urgent || go == 0) {
            return Next { wave: Some(offer.swid), ..Next::default() };
        }
        let mut same = 0;
        if given.pairs_on {
            for even in bits(go & go >> 1 & EVEN) {
                let one_issues = issuing >> even & 1 != issuing >> (even + 1) & 1;
                same |= ((!one_issues && self.front_pc[even] == self.front_pc[even + 1]) as u64) << even;
            }
        }
        let some = pairs(go | go >> 1);
        let both = pairs(same);
        let (pair, halves) = if let Some(pair) = round_robin(both as u64, self.issue_pointer) {
            (pair, 0b11)
        } else if let Some(pair) = round_robin(some as u64, self.issue_pointer) {
            let halves = go >> (2 * pair) & 0b11;
            (pair, halves & halves.wrapping_neg())
        } else {
            return self.shortcut(room, given);
        };
        self.issue_pointer = if self.parameters.lowest { 0 } else { self.after(pair, self.parameters.places() / 2) };
        Next { halves: halves_of(pair, halves), ..Next::default() }
    }

    /// Where nothing else can issue: a scalar goes past the formation of waves, or what is compared past the window.
    fn shortcut(&self, room: u8, given: &Given) -> Next {
        let Parameters { express, land, .. } = self.parameters;
        let express = express.then(|| self.scalar_goes(room)).flatten();
        if express.is_some() {
            return Next { express, ..Next::default() };
        }
        let halves = land.then(|| self.landing_goes(room, given)).flatten();
        Next { halves: halves.unwrap_or_default(), ..Next::default() }
    }

    /// The halves in *compare*, if all can issue in the next cycle: nothing waits before them, they are not scalar, and they wait for no
    /// slot that was in use as the cycle began.
    fn landing_goes(&self, room: u8, given: &Given) -> Option<Halves> {
        let check = self.compared?;
        let pair = check.places.trailing_zeros() / 2;
        let issuing = self.halves.places() | self.issuing_members();
        let goes = |place: usize| {
            self.windows[place].count == (issuing >> place & 1) as usize
                && !self.is_scalar(place, &check.record, given.waves_on)
                && self.conflicts(place, &check.record) == 0
        };
        let goes = room >> check.record.registers.path & 1 == 1 && bits(check.places).all(goes);
        let places = if given.pairs_on { check.places } else { check.places & check.places.wrapping_neg() };
        goes.then(|| halves_of(pair, places >> (2 * pair)))
    }

    /// The scalar in turn, with its neighbour if that is at the same pc: a wave that issues in the next cycle.
    fn scalar_goes(&self, room: u8) -> Option<(Key, u64)> {
        let place = self.pick_scalar()? as usize;
        let is_free = self.waves.joining.is_none() && self.waves.has_entry();
        let key = self.key_of(place);
        let pair = self.scalars & !self.waves.joined & 0b11 << (place & !1);
        (is_free && room >> key.path & 1 == 1).then(|| (key, with_pc(pair, &self.front_pc, key.pc)))
    }

    /// The first scalar in turn that is in no wave.
    fn pick_scalar(&self) -> Option<u32> {
        round_robin(self.scalars & !self.waves.joined, self.waves.pointer)
    }

    /// The third step: those of the key, and the wave that they would join.
    fn form(&self) -> Option<(Key, u64, Option<u8>)> {
        let key = self.waves.key?;
        let group = members(key.group, (u32::MAX >> (32 - self.parameters.wave)) as u16, self.parameters.wave);
        let joining = self.waves.joining.map_or(0, |(_, places, _)| places);
        let joins = with_pc(self.scalars & !self.waves.joined & !joining & group, &self.front_pc, key.pc);
        (joins != 0).then(|| (key, joins, self.waves.fitting(&key)))
    }

    /// The second step.
    fn key(&self) -> Option<Key> {
        self.waves.picked.map(|place| self.key_of(place as usize))
    }

    fn key_of(&self, place: usize) -> Key {
        let Checked { pc, path, .. } = self.windows[place].checked[0];
        Key { group: (place / self.parameters.wave) as u8, pc, path }
    }

    /// The registers that a place issued under this slot are written.
    fn release(&mut self, place: usize, slot: u8) -> Result<(), Fault> {
        rule(
            self.busy[place] >> slot & 1 == 1,
            format_args!("gw_front_end: slot {slot} of place {place} is done and not in use"),
        )?;
        self.busy[place] &= !(1 << slot);
        let window = &mut self.windows[place];
        window.checked[..window.count].iter_mut().for_each(|checked| checked.waits_for &= !(1 << slot));
        self.refresh(place);
        Ok(())
    }

    /// Updates which instructions of a place can issue.
    fn refresh(&mut self, place: usize) {
        let bit = 1 << place;
        let Window { checked, count } = self.windows[place];
        let ready = |at: usize| at < count && checked[at].waits_for == 0;
        for path in 0..4 {
            for (at, set) in [(0, &mut self.first), (1, &mut self.second)] {
                let goes = ready(at) && !checked[at].scalar && checked[at].path as usize == path;
                set[path] = set[path] & !bit | (goes as u64) << place;
            }
        }
        self.scalars = self.scalars & !bit | ((ready(0) && checked[0].scalar) as u64) << place;
        self.front_pc[place] = checked[0].pc;
    }

    fn pop(&mut self, place: usize) -> Result<Checked, Fault> {
        let window = &mut self.windows[place];
        let first = window.checked[0];
        rule(window.count > 0, format_args!("gw_front_end: place {place} issues without an instruction"))?;
        window.checked.copy_within(1.., 0);
        window.count -= 1;
        self.refresh(place);
        Ok(first)
    }

    fn issue_halves(&mut self) -> Result<(), Fault> {
        for place in bits(self.halves.places()) {
            let goes_on = self.pop(place)?.goes_on;
            self.places.asks |= u64::from(!goes_on) << place;
        }
        Ok(())
    }

    /// The core says what halves do, of which `asked` wait for it.
    fn resolve_halves(&mut self, pins: &SliceIn, asked: u64) -> Result<(), Fault> {
        let answered = pins.answered.places();
        rule(answered & !asked == 0, "gw_front_end: an answer to a place that does not wait for one")?;
        self.places.asks &= !answered;
        for place in bits(answered) {
            let pins::Next { next, pc, full } = pins.next[place & 1];
            let bit = 1 << place;
            match next {
                GOES_ON => self.places.look |= bit,
                HALTS => self.places.halted |= bit,
                _ => rule(next == ENDS, "gw_front_end: an answer that is none")?,
            }
            self.places.full = self.places.full & !bit | (full as u64) << place;
            self.pc[place] = pc;
        }
        Ok(())
    }

    fn issue_wave(&mut self) -> Result<(), Fault> {
        let Some(swid) = self.wave else { return Ok(()) };
        let places = self.issuing_members();
        let mut slots = [None; 16];
        for place in bits(places) {
            slots[place % self.parameters.wave] = self.pop(place)?.slot;
        }
        self.waves.joined &= !places;
        self.waves.issue(swid, slots)
    }

    /// The pair's line is read; its places are ahead of it from now on.
    fn start_check(&mut self, chosen: &Chosen, places: u64, storage: &AnyStorage) {
        let place = places.trailing_zeros() as usize;
        let (pc, entry) = (self.pc[place], chosen.entry.unwrap_or(self.entry[place]));
        self.read = Some(Check { places, pc, entry, record: storage.record(entry, pc) });
        if places.count_ones() == 1 {
            let turn = (place % 2 == 0) as u64;
            self.odd_turn = self.odd_turn & !(1 << chosen.pair) | turn << chosen.pair;
        }
        bits(places).for_each(|place| self.pc[place] = pc.wrapping_add(1));
    }

    /// The line behind that of the check which is in *read*, if it is its last instruction and there is a link.
    fn link(&self, storage: &AnyStorage) -> Option<u16> {
        let check = self.read.filter(|check| check.pc % 2 == 1)?;
        storage.link(check.entry)
    }

    /// Behind the last instruction of its line the frontier is in the next one.
    fn pass_line(&mut self, check: &Check, link: Option<u16>) {
        if check.pc % 2 == 0 {
            return;
        }
        if let Some(link) = link {
            bits(check.places).for_each(|place| self.entry[place] = link);
        } else {
            self.places.held &= !check.places;
            self.places.turn |= check.places;
        }
    }

    /// The lowest slot that both halves of the pair that is compared have free.
    fn free_slot(&self) -> usize {
        let pair = self.compared.map_or(0, |check| check.places.trailing_zeros() as usize / 2);
        (self.busy[2 * pair] | self.busy[2 * pair + 1]).trailing_ones() as usize
    }

    /// All that it reads is in scalar form.
    fn is_scalar(&self, place: usize, record: &Record, waves_on: bool) -> bool {
        let full = self.places.full >> place & 1 == 1;
        let registers = record.registers;
        waves_on && registers.scalar && full && registers.reads & !self.scalar_registers(place) == 0
    }

    /// The registers in scalar form.
    fn scalar_registers(&self, place: usize) -> u64 {
        match self.places.fresh >> place & 1 {
            1 => 0,
            _ => self.forms[place],
        }
    }

    /// The slots in use with a register of this record.
    fn conflicts(&self, place: usize, record: &Record) -> u8 {
        let touched = record.registers.reads | record.registers.writes;
        let hits = |k: &usize| self.busy[place] >> k & 1 == 1 && self.slots[place / 2][*k] & touched != 0;
        (0..SLOTS).filter(hits).fold(0, |all, k| all | 1 << k)
    }

    fn land(&mut self, check: &Check, free: usize, waves_on: bool) -> Result<(), Fault> {
        let Check { places, pc, entry, record } = *check;
        let registers = record.registers;
        let pair = places.trailing_zeros() as usize / 2;
        let slot = (registers.writes != 0).then_some(free as u8);
        for place in bits(places) {
            let bit = 1 << place;
            let scalar = self.is_scalar(place, &record, waves_on);
            let forms = self.scalar_registers(place);
            self.forms[place] = if scalar { forms | registers.writes } else { forms & !registers.writes };
            let waits_for = self.conflicts(place, &record);
            let goes_on = self.proceeds(place, &record);
            let window = &mut self.windows[place];
            let checked = Checked { pc, entry, path: registers.path, scalar, goes_on, slot, waits_for };
            window.checked[window.count] = checked;
            window.count += 1;
            if !goes_on {
                self.places.held &= !bit;
                self.places.turn &= !bit;
            } else if self.places.turn & bit != 0 {
                self.places.turn &= !bit;
                self.places.look |= bit;
                self.places.follow = self.places.follow & !bit | (record.flows() as u64) << place;
            }
        }
        self.places.fresh &= !places;
        if let Some(slot) = slot {
            rule(free < SLOTS, "gw_front_end: no slot is free")?;
            self.slots[pair][free] = registers.writes;
            bits(places).for_each(|place| self.busy[place] |= 1 << slot);
        }
        bits(places).for_each(|place| self.refresh(place));
        Ok(())
    }

    fn answer(&mut self, places: u64, answer: Answer, fill: Option<u16>) {
        match answer {
            Answer::None => unreachable!("a look-up is answered"),
            Answer::Miss => {
                self.places.missed |= places;
                return;
            }
            Answer::Hit(entry) => {
                self.places.held |= places;
                bits(places).for_each(|place| self.entry[place] = entry);
            }
            Answer::Pending(entry) => {
                let held = fill == Some(entry);
                *if held { &mut self.places.held } else { &mut self.places.fill } |= places;
                bits(places).for_each(|place| self.entry[place] = entry);
            }
        }
        self.places.look &= !places;
        self.places.missed &= !places;
        self.places.follow &= !places;
    }

    /// Places in *look* without a look-up on its way. Without reuse a warp keeps its line until all of it has issued.
    fn looks(&self) -> u64 {
        let looks = self.places.look & !self.look.map_or(0, |l| l.places) & !self.answered.map_or(0, |l| l.places);
        if self.parameters.reuse {
            return looks;
        }
        bits(looks).filter(|place| self.windows[*place].count == 0).fold(0, |all, place| all | 1 << place)
    }

    /// The first step: the pair that is chosen for a look-up.
    fn pick_look(&self) -> Option<u32> {
        let wants = pairs(self.looks() | self.looks() >> 1);
        round_robin(wants as u64, self.look_pointer)
    }

    /// The second step: the look-up of the chosen pair.
    fn second_look(&self) -> Option<LookUp> {
        let even = 2 * self.look_chosen? as usize;
        let wants = self.looks() & 0b11 << even;
        let follows = |place: usize| self.places.follow >> place & 1 == 1;
        let together = self.parameters.reuse
            && line_of(self.pc[even]) == line_of(self.pc[even + 1])
            && follows(even) == follows(even + 1)
            && (!follows(even) || self.entry[even] == self.entry[even + 1]);
        let places = if together { wants } else { wants & wants.wrapping_neg() };
        let line = line_of(self.pc[wants.trailing_zeros() as usize % MOST_PLACES]);
        (wants != 0).then_some(LookUp { places, line, ..LookUp::default() })
    }

    fn search(&mut self, look_up: Option<LookUp>, waits: bool, second: Option<LookUp>, pick: Option<u32>) {
        self.answered = look_up;
        if waits {
            return;
        }
        self.look = second;
        self.look_chosen = pick;
        if let Some(pair) = pick {
            self.look_pointer = self.after(pair, self.parameters.places() / 2);
        }
    }

    fn choose(&mut self, candidates: u64) {
        let wants = pairs(candidates | candidates >> 1);
        self.chosen = round_robin(wants as u64, self.check_pointer).map(|pair| {
            self.check_pointer = self.after(pair, self.parameters.places() / 2);
            Chosen { pair, places: candidates & even_places(1 << pair) * 3, entry: None }
        });
    }

    fn ask(&mut self, pick: Option<u32>, asked: Option<u8>) {
        if let Some(place) = asked {
            self.places.missed &= !(1 << place);
        }
        self.want = self
            .want_chosen
            .filter(|place| self.places.missed >> place & 1 == 1)
            .map(|place| Want { place: place as u8, line: line_of(self.pc[place as usize]) });
        self.want_chosen = pick;
        if let Some(place) = pick {
            self.want_pointer = self.after(place, self.parameters.places());
        }
    }
}

/// Halves of a pair, from the places of them.
fn halves_of(pair: u32, places: u64) -> Halves {
    Halves { even: places & 1 == 1, odd: places & 2 == 2, pair: pair as u8 }
}

/// The places of the paths that have room.
#[inline]
fn with_room(paths: &[u64; 4], room: u8) -> u64 {
    (0..4).filter(|path| room >> path & 1 == 1).fold(0, |all, path| all | paths[path])
}
