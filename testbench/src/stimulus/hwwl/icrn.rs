//! Legal random inputs of `icrn`: cores that send, take, are greedy and quiet as they like.

use super::ledger::{Label, Ledger};
use crate::stimulus::{events, phases, Chance, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{IcrnIn, IcrnOut, MAX_CORES};

events! { IcrnStimulus:
    Enters = "an ID enters",
    Leaves = "an ID leaves",
    EntersWaits = "an ID waits at a full input FIFO",
    LeavesWaits = "an ID waits for a core to take it",
    AllSend = "all cores send in one cycle",
    AllTake = "all cores take in one cycle",
    ToOther = "an ID of the push partition leaves",
    AllGreedy = "an ID goes to a greedy core",
    Full = "all input FIFOs are full",
    Empty = "the ICRN becomes empty",
    AllDone = "all_done",
    DoneWithPushed = "all_done while the ICRN holds IDs of the push partition",
    QuietButHeld = "all cores are quiet, but the ICRN holds IDs of the pull partition",
    Falls = "all_done falls",
    Exchange = "the sides are exchanged while the ICRN holds IDs",
    SendBoth = "a core may send in both partitions",
    SendOne = "a core may send in one partition",
    SendNone = "a core may not send",
    Reset = "reset of an ICRN that holds IDs",
}

/// Cores that take part in something.
#[derive(Clone, Copy, Debug, Default)]
enum Who {
    Each(Chance),
    /// All but one.
    Others,
    #[default]
    One,
}

phases! {
    PHASES: Phase (send: Who, take: Who, quiet: Who, greedy: Who)
    (each(256), each(256), each(0), each(0))
    (each(128), each(128), each(128), each(128))
    // Nobody takes, then nobody sends.
    (each(200), each(4), each(250), each(20))
    (each(0), each(100), each(256), each(256))
    // One giver and all others in need, one in need and all others givers.
    (Who::One, Who::Others, Who::Others, Who::One)
    (Who::Others, Who::One, Who::One, Who::Others)
    (each(60), each(200), each(256), each(256))
    (each(4), each(200), each(252), each(4))
    (each(0), each(0), each(256), each(128))
}

const fn each(chance: u16) -> Who {
    Who::Each(Chance(chance))
}

#[derive(Default)]
pub struct IcrnStimulus {
    rng: Rng,
    cores: usize,
    phase: Phases<Phase>,
    /// The one of this phase.
    one: usize,
    ledger: Ledger,
    /// IDs in the ICRN.
    entered: u32,
    /// Cores whose ID the ICRN took in the last cycle: it is not offered again.
    taken: [bool; MAX_CORES],
    was_done: bool,
    /// Greediness of the cores, two cycles back.
    greedy: [u8; MAX_CORES],
    findings: Findings,
}

impl IcrnStimulus {
    pub fn new(cores: usize, seed: u64) -> Self {
        IcrnStimulus { rng: Rng::new(seed), cores, phase: Phases::new(PHASES, 4..64, 64), ..Default::default() }
    }

    fn is_in(&mut self, who: Who, core: usize) -> bool {
        match who {
            Who::Each(chance) => chance.happens(&mut self.rng),
            Who::Others => core != self.one,
            Who::One => core == self.one,
        }
    }

    fn begin_phase(&mut self, pins: &mut IcrnIn) {
        self.one = self.rng.below(self.cores as u32) as usize;
        let exchange = self.rng.one_in(2);
        pins.pull_part ^= exchange;
        self.findings.count(Event::Exchange, exchange && self.entered > 0);
    }

    /// An ID that a core offers stays until the ICRN takes it.
    fn send(&mut self, core: usize, outputs: &IcrnOut, pins: &mut IcrnIn) {
        pins.out_valid[core] &= !self.taken[core];
        if !pins.out_valid[core] && self.is_in(self.phase.send, core) {
            let label = Label { part: self.rng.draw() >> 63 == 1, owner: core as u16 };
            (pins.out_part[core], pins.out_id[core]) = (label.part, self.ledger.issue(label));
            pins.out_valid[core] = true;
        }
        let offered = pins.out_valid[core];
        self.entered += u32::from(offered && outputs.out_ready[core]);
        self.findings.count(Event::Enters, offered && outputs.out_ready[core]);
        self.findings.count(Event::EntersWaits, offered && !outputs.out_ready[core]);
    }

    fn take(&mut self, core: usize, outputs: &IcrnOut, pins: &mut IcrnIn) {
        pins.in_ready[core] = self.is_in(self.phase.take, core);
        if !outputs.in_valid[core] {
            return;
        }
        self.findings.count(Event::LeavesWaits, !pins.in_ready[core]);
        if !pins.in_ready[core] {
            return;
        }
        let (id, part) = (outputs.in_id[core], outputs.in_part[core]);
        self.entered = self.entered.wrapping_sub(1);
        self.findings.count(Event::Leaves, true);
        self.findings.count(Event::ToOther, part != pins.pull_part);
        self.findings.count(Event::AllGreedy, self.greedy[core] >> u8::from(part) & 1 == 1);
        match self.ledger.take(id) {
            None => self.findings.complain(format!("core {core} gets ID {id:#x}, which is not inside")),
            Some(label) if label.part != part => {
                self.findings.complain(format!("ID {id:#x} leaves for the wrong partition"))
            }
            Some(label) if label.owner as usize == core => {
                self.findings.complain(format!("ID {id:#x} comes back to core {core}"))
            }
            Some(_) => {}
        }
    }

    fn observe(&mut self, outputs: &IcrnOut, pins: &IcrnIn) {
        if u32::from(outputs.held) != self.entered {
            let entered = self.entered;
            self.findings.complain(format!("held is {}, but {entered} IDs are inside", outputs.held));
        }
        let all = |pins: &[bool]| pins.iter().all(|pin| *pin);
        let c = &mut self.findings;
        let cores = ..self.cores;
        c.count(Event::Full, outputs.out_ready[cores].iter().all(|ready| !ready));
        c.count(Event::AllDone, outputs.all_done);
        c.count(Event::DoneWithPushed, outputs.all_done && outputs.held > 0);
        c.count(Event::QuietButHeld, !outputs.all_done && outputs.held > 0 && all(&pins.quiet[cores]));
        c.count(Event::Falls, self.was_done && !outputs.all_done);
        self.was_done = outputs.all_done;
        for send in &outputs.send[cores] {
            c.count([Event::SendNone, Event::SendOne, Event::SendOne, Event::SendBoth][*send as usize & 3], true);
        }
    }
}

impl Stimulus for IcrnStimulus {
    type In = IcrnIn;
    type Out = IcrnOut;

    fn next(&mut self, outputs: &IcrnOut, pins: &mut IcrnIn) -> bool {
        self.observe(outputs, pins);
        if self.phase.begins(&mut self.rng) {
            self.begin_phase(pins);
            if self.phase.resets(&mut self.rng) {
                self.findings.count(Event::Reset, self.entered > 0);
                self.ledger.clear();
                *pins = IcrnIn::default();
                (self.entered, self.was_done, self.taken) = (0, false, [false; MAX_CORES]);
                return true;
            }
        }
        let held = self.entered;
        for core in 0..self.cores {
            self.send(core, outputs, pins);
            self.take(core, outputs, pins);
            pins.quiet[core] = self.is_in(self.phase.quiet, core);
            self.greedy[core] = pins.greedy[core];
            pins.greedy[core] =
                u8::from(self.is_in(self.phase.greedy, core)) | u8::from(self.is_in(self.phase.greedy, core)) << 1;
        }
        let cores = 0..self.cores;
        let c = &mut self.findings;
        c.count(Event::AllSend, cores.clone().all(|core| pins.out_valid[core] && outputs.out_ready[core]));
        c.count(Event::AllTake, cores.clone().all(|core| outputs.in_valid[core] && pins.in_ready[core]));
        c.count(Event::Empty, held > 0 && self.entered == 0);
        for core in cores {
            self.taken[core] = pins.out_valid[core] && outputs.out_ready[core];
        }
        false
    }
}
