//! Progress of a kernel, or the proof that it can make none. Sampled now and then, never in between.
//!
//! A warp's next step depends on its registers and stack, on memory, on systems and on who is at a barrier. As long as
//! no warp changes anything that another one can notice, a warp that comes back to a state in which it was before has
//! to come back to it again and again. When all warps of the GPU have done that since the last such change, or wait at
//! a barrier or for a system, none of them will ever change anything: the kernel never ends. `%clock` is the exception,
//! so a kernel that reads it is never judged.
//!
//! A state is compared through its 64-bit hash. Systems come to rest within [`System::settling_cycles`].

use crate::attach::system::System;
use crate::core::warp_set::WarpId;
use crate::core::{Core, Kernel};
use crate::ptx::op::Op;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Samples for which the places of warps are kept together.
const EPOCH: u64 = 64;

/// The first and the last instruction that a warp was seen at.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    pub first: u32,
    pub last: u32,
    /// Instructions that its slot had issued before.
    issued: u64,
}

/// Record of the warp in a slot.
#[derive(Clone, Copy, Debug)]
struct Seen {
    pc: u32,
    state: u64,
    issued: u64,
    /// It has been in this state again.
    again: bool,
    /// The places where warps were in this epoch; `before`: in the epoch before.
    recent: Places,
    before: Places,
}

impl Seen {
    fn new() -> Self {
        let nowhere = Places { first: u32::MAX, last: 0, issued: 0 };
        Seen { pc: 0, state: 0, issued: 0, again: false, recent: nowhere, before: nowhere }
    }

    /// Begins an epoch of places.
    fn next_epoch(&mut self, issued: u64) {
        self.before = self.recent;
        self.recent = Places { first: u32::MAX, last: 0, issued };
    }

    fn note(&mut self, pc: u32) {
        (self.recent.first, self.recent.last) = (self.recent.first.min(pc), self.recent.last.max(pc));
    }
}

/// For how many cycles nothing has been new, neither in memory nor in the registers of a warp, and whether nothing ever will.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standstill {
    pub cycles: u64,
    pub certain: bool,
}

pub struct Watch {
    /// Record of each warp slot of each core.
    seen: Vec<Vec<Seen>>,
    samples: u64,
    /// State that warps can notice of each other, at the last sample, and the cycle at which it had just changed.
    outside: u64,
    changed_at: u64,
    /// Samples since then, once all systems have settled.
    quiet_samples: u64,
    /// The last sample at which a warp was in a state that may have been new.
    new_at: u64,
    settle: u64,
    reads_clock: bool,
}

impl Watch {
    /// The watch of a launch that begins in cycle `now`.
    pub fn new(now: u64, cores: usize, systems: &[Box<dyn System>], kernel: &Kernel) -> Self {
        let is_clock = |op: &Op| matches!(op, Op::ReadSpecial { register, .. } if register.is_clock());
        let slots = kernel.ctas_per_core * kernel.warps_per_cta;
        Watch {
            seen: vec![vec![Seen::new(); slots]; cores],
            samples: 0,
            outside: 0,
            changed_at: now,
            quiet_samples: 0,
            new_at: now,
            settle: systems.iter().map(|system| system.settling_cycles()).max().unwrap_or(0),
            reads_clock: kernel.program.code.iter().any(|instr| is_clock(&instr.op)),
        }
    }

    /// Cycles since a warp last changed something that others can notice.
    pub fn unchanged(&self, now: u64) -> u64 {
        now - self.changed_at
    }

    pub fn sample(&mut self, now: u64, cores: &[Core], systems: &[Box<dyn System>]) -> Standstill {
        self.note_places(cores);
        let outside = outside(cores, systems);
        if outside != self.outside || !systems.iter().all(|system| system.is_at_rest()) {
            (self.outside, self.changed_at, self.new_at, self.quiet_samples) = (outside, now, now, 0);
            return Standstill::default();
        }
        if self.reads_clock || self.unchanged(now) < self.settle {
            self.new_at = now;
            return Standstill::default();
        }
        self.quiet_samples += 1;
        let (old, certain) = if self.quiet_samples == 1 { (false, false) } else { self.compare(cores) };
        if !old {
            self.new_at = now;
            // Twice as long each time: a warp may have a long way to the loop in which it stays.
            if self.quiet_samples.is_power_of_two() {
                self.remember(cores);
            }
        }
        Standstill { cycles: now - if certain { self.changed_at } else { self.new_at }, certain }
    }

    fn note_places(&mut self, cores: &[Core]) {
        let next_epoch = self.samples.is_multiple_of(EPOCH);
        self.samples += 1;
        for (seen, core) in self.seen.iter_mut().zip(cores) {
            for (slot, id) in core.back.residents.all() {
                let warp = &core.back.residents.warps[id];
                if next_epoch {
                    seen[slot].next_epoch(warp.issued);
                }
                if let Some((pc, _)) = warp.stack.top() {
                    seen[slot].note(pc);
                }
            }
        }
    }

    /// Where a warp that has issued something lately was seen.
    pub fn places(&self, core: &Core, slot: usize, id: WarpId) -> Option<Places> {
        let Seen { recent, before, .. } = self.seen[core.index][slot];
        let moved = core.back.residents.warps[id].issued != before.issued;
        moved.then(|| Places { first: recent.first.min(before.first), last: recent.last.max(before.last), ..before })
    }

    fn remember(&mut self, cores: &[Core]) {
        for (seen, core) in self.seen.iter_mut().zip(cores) {
            for (slot, id) in core.back.residents.all() {
                let warp = &core.back.residents.warps[id];
                let pc = warp.stack.top().map_or(0, |(pc, _)| pc);
                let (state, issued) = (state(core, id), warp.issued);
                seen[slot] = Seen { pc, state, issued, again: false, ..seen[slot] };
            }
        }
    }

    /// Two answers: all warps were in their state again or have not moved; those that were not wait for others.
    fn compare(&mut self, cores: &[Core]) -> (bool, bool) {
        let (mut old, mut certain) = (true, true);
        for (seen, core) in self.seen.iter_mut().zip(cores) {
            for (slot, id) in core.back.residents.all() {
                let (seen, warp) = (&mut seen[slot], &core.back.residents.warps[id]);
                let moved = warp.issued != seen.issued;
                if moved && !seen.again && warp.stack.top().is_some_and(|(pc, _)| pc == seen.pc) {
                    seen.again = state(core, id) == seen.state;
                }
                old &= seen.again || !moved;
                certain &= seen.again || (!moved && waits_for_others(core, id));
            }
        }
        (old, certain)
    }
}

/// All that decides what a warp does next.
fn state(core: &Core, id: WarpId) -> u64 {
    let warp = &core.back.residents.warps[id];
    let sets = core.back.residents.sets(id);
    let mut hash = DefaultHasher::new();
    warp.stack.hash(&mut hash);
    warp.registers.hash(&mut hash);
    // Results are written only when they come back.
    (sets.in_atomic & id.bit() != 0, sets.at_barrier & id.bit() != 0, core.back.asking(id)).hash(&mut hash);
    hash.finish()
}

/// A warp waits until another one comes to its barrier or changes what a system has for it.
fn waits_for_others(core: &Core, id: WarpId) -> bool {
    core.back.residents.sets(id).at_barrier & id.bit() != 0 || core.back.asking(id) != 0
}

/// Hash of what warps can notice of each other: what they have changed, and the state of systems.
fn outside(cores: &[Core], systems: &[Box<dyn System>]) -> u64 {
    let mut hash = DefaultHasher::new();
    for core in cores {
        core.back.progress.hash(&mut hash);
        core.back.trace_ports(&mut hash);
    }
    systems.iter().for_each(|system| system.trace(&mut hash));
    hash.finish()
}
