//! Legal random inputs of a unit of the user's own at a memory partition: accesses of slices along streams and elsewhere, and replies.

use super::{replies, Pace, Reads};
use crate::stimulus::{events, Phases, Rng, Stimulus};
use sim::attach::user_unit::partition::pins::{PartitionIn, PartitionOut};

events! { PartitionStimulus:
    Watched = "an access is taken",
    WatchWaits = "an access waits",
    Prefetched = "a prefetch is taken",
    Read = "a read is taken",
    RequestWaits = "a request to memory waits",
    Replied = "data is taken",
    ReplyWaits = "data waits",
    Reset = "reset while the unit is busy",
}

const SECTOR: u64 = 32;
/// Streams that go on side by side.
const STREAMS: usize = 8;
/// Bytes from an access of a stream to the next: a sector, a chunk, and chunks of all partitions in turn.
const STEPS: [u64; 4] = [SECTOR, 256, 4 * 256, 6 * 256];

pub struct PartitionStimulus {
    rng: Rng,
    pace: Phases<Pace>,
    /// The last address of each stream, and its step.
    streams: [(u64, u64); STREAMS],
    reading: Reads,
    pins: PartitionIn,
    findings: Findings,
}

impl PartitionStimulus {
    pub fn new(seed: u64) -> Self {
        PartitionStimulus {
            rng: Rng::new(seed),
            pace: Pace::phases(),
            streams: [(0, SECTOR); STREAMS],
            reading: Reads::default(),
            pins: PartitionIn::default(),
            findings: Findings::default(),
        }
    }

    /// Transfers of this cycle.
    fn hand_over(&mut self, out: &PartitionOut) {
        self.take_request(out);
        self.take_reply(out);
        let pins = &mut self.pins;
        self.findings.count(Event::WatchWaits, pins.watch_valid && !out.watch_ready);
        if pins.watch_valid && out.watch_ready {
            pins.watch_valid = false;
            self.findings.count(Event::Watched, true);
        }
    }

    fn take_request(&mut self, out: &PartitionOut) {
        self.findings.count(Event::RequestWaits, out.memory_valid && !self.pins.memory_ready);
        if !out.memory_valid {
            return;
        }
        if !out.memory_address.is_multiple_of(SECTOR) {
            self.findings.complain(format!("a request to {:#x}, which is no multiple of {SECTOR}", out.memory_address));
        }
        if !out.memory_prefetch {
            self.findings.check(self.reading.ask(out.memory_tag, self.pins.memory_ready));
        }
        if self.pins.memory_ready {
            self.findings.count(if out.memory_prefetch { Event::Prefetched } else { Event::Read }, true);
        }
    }

    fn check_busy(&mut self, out: &PartitionOut) {
        if !out.busy && (self.reading.any() || out.memory_valid) {
            self.findings.complain("busy is low, although memory is asked".into());
        }
    }

    /// The next access of a stream, which may begin elsewhere.
    fn watch(&mut self) {
        let rng = &mut self.rng;
        let (last, step) = &mut self.streams[rng.below(STREAMS as u32) as usize];
        if rng.one_in(32) {
            (*last, *step) = (rng.draw() & 0xffff_ffff_ffe0, rng.any_of(&STEPS));
        }
        *last = last.wrapping_add(*step) & 0xffff_ffff_ffe0;
        let pins = &mut self.pins;
        pins.watch_valid = true;
        pins.watch_address = *last;
        pins.watch_kind = if rng.one_in(4) { rng.below(4) as u8 } else { 0 };
        pins.watch_core = rng.below(256) as u8;
        pins.watch_hit = rng.one_in(2);
    }
}

replies! { PartitionStimulus, PartitionOut }

impl Stimulus for PartitionStimulus {
    type In = PartitionIn;
    type Out = PartitionOut;

    fn next(&mut self, out: &PartitionOut, pins: &mut PartitionIn) -> bool {
        if self.pace.next(&mut self.rng) {
            self.findings.count(Event::Reset, out.busy);
            self.reading = Reads::default();
            self.pins = PartitionIn::default();
            return true;
        }
        self.check_busy(out);
        let Pace { asks, answers, takes, .. } = *self.pace;
        if !self.pins.watch_valid && asks.happens(&mut self.rng) {
            self.watch();
        }
        if !self.pins.reply_valid && answers.happens(&mut self.rng) {
            self.reply();
        }
        self.pins.memory_ready = takes.happens(&mut self.rng) && out.memory_valid;
        pins.clone_from(&self.pins);
        self.hand_over(out);
        false
    }
}
