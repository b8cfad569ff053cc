//! Plays the ICRN and all other cores to one `hwwl_core`: takes and sends IDs, and says when all cores have done.

use super::ledger::{Label, Ledger};
use super::threads::FOREIGN;
use crate::stimulus::{phases, Rng};
use sim::units::hwwl::pins::{FromIcrn, ToIcrn};

phases! {
    /// Chances for a while. `take`: an ID is taken from the core. `give`: one is sent to it. `pull`, `push`: the other
    /// cores pull or push an ID in a cycle. Bit p of `send`: IDs of partition p may leave the core.
    pub MANNERS: Manner (take, give, pull, push, send: u8)
    (256, 0, 256, 0, 3)
    (128, 60, 60, 60, 3)
    (10, 10, 20, 20, 1)
    (256, 200, 10, 200, 2)
    (0, 0, 256, 0, 3)
    (256, 256, 256, 0, 0)
    (100, 4, 200, 2, 3)
}

/// Cycles that an ID of another core takes at least until the ICRN offers it.
const HOPS: u8 = 3;

/// An ID on its way from another core.
#[derive(Clone, Copy, Debug)]
struct Sent {
    part: bool,
    hops: u8,
}

#[derive(Clone, Debug, Default)]
pub struct OtherCores {
    pub manner: Manner,
    /// IDs in other cores, by partition, and in their threads.
    others: [u32; 2],
    active: u32,
    sent: Option<Sent>,
    /// Partition of the ID that is offered to the core.
    offered: Option<bool>,
    /// Cycles in which IDs that the core gave are in the ICRN, by partition.
    received: [u8; 2],
    /// State of the cycle before: ICRN and other cores had nothing for their pull side; all had done two cycles ago.
    was_quiet: bool,
    all_done: bool,
}

/// Transfers of a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moved {
    /// An ID of this partition left the core, or came in.
    pub out: Option<bool>,
    pub into: Option<bool>,
    pub out_waits: bool,
    pub in_waits: bool,
}

impl OtherCores {
    pub fn new() -> Self {
        OtherCores { manner: MANNERS[0], ..Default::default() }
    }

    pub fn clear(&mut self) {
        *self = OtherCores { manner: self.manner, ..OtherCores::new() };
    }

    pub fn choose_manner(&mut self, rng: &mut Rng) {
        self.manner = rng.any_of(MANNERS);
    }

    /// IDs offered to the core that it has not taken.
    pub fn offered(&self) -> u32 {
        u32::from(self.offered.is_some())
    }

    pub fn is_empty(&self) -> bool {
        self.sent.is_none() && self.offered.is_none() && self.received == [0; 2]
    }

    /// The other cores have no work, as when all are configured.
    pub fn empty_others(&mut self) {
        (self.others, self.active, self.sent) = ([0; 2], 0, None);
    }

    fn is_quiet(&self, part: bool, double: bool) -> bool {
        let sent = self.sent.is_some_and(|sent| sent.part == part);
        self.others[part as usize] == 0
            && (double || self.active == 0)
            && !sent
            && self.offered != Some(part)
            && self.received[part as usize] == 0
    }

    /// One cycle, in which `part` is the pull side.
    #[inline]
    pub fn serve(
        &mut self,
        rng: &mut Rng,
        out: &ToIcrn,
        pins: &mut FromIcrn,
        ledger: &mut Ledger,
        part: bool,
        double: bool,
    ) -> Result<Moved, String> {
        pins.all_done = self.all_done;
        pins.send = self.manner.send;
        self.all_done = out.quiet && self.was_quiet;
        self.was_quiet = self.is_quiet(part, double);
        let mut moved = Moved::default();
        self.offer(out, pins, ledger, &mut moved);
        self.work(rng, part, double);
        self.take(rng, out, pins, ledger, &mut moved)?;
        Ok(moved)
    }

    fn offer(&mut self, out: &ToIcrn, pins: &mut FromIcrn, ledger: &mut Ledger, moved: &mut Moved) {
        pins.in_valid = false;
        if self.offered.is_none() {
            let Some(sent) = self.sent.filter(|sent| sent.hops == 0) else { return };
            self.sent = None;
            self.offered = Some(sent.part);
            (pins.in_part, pins.in_id) = (sent.part, ledger.issue(Label { part: sent.part, owner: FOREIGN }));
        }
        pins.in_valid = true;
        moved.in_waits = !out.in_ready;
        if out.in_ready {
            moved.into = self.offered.take();
        }
    }

    /// Pulls, pushes and IDs on their way in the ICRN and in the other cores.
    fn work(&mut self, rng: &mut Rng, part: bool, double: bool) {
        let (pull, push) = (part as usize, (double && !part) as usize);
        if self.others[pull] > 0 && self.manner.pull.happens(rng) {
            self.others[pull] -= 1;
            self.active += u32::from(!double);
        }
        if self.active > 0 && self.manner.pull.happens(rng) {
            self.active -= 1;
        }
        if self.manner.push.happens(rng) {
            self.others[push] += 1;
        }
        for part in 0..2 {
            if self.received[part] > 0 {
                self.received[part] -= 1;
                self.others[part] += 1;
            }
        }
        match &mut self.sent {
            Some(sent) => sent.hops = sent.hops.saturating_sub(1),
            None => {
                let which = (rng.draw() >> 63) as usize;
                if self.others[which] > 0 && self.manner.give.happens(rng) {
                    self.others[which] -= 1;
                    self.sent = Some(Sent { part: which == 1, hops: HOPS });
                }
            }
        }
    }

    fn take(
        &mut self,
        rng: &mut Rng,
        out: &ToIcrn,
        pins: &mut FromIcrn,
        ledger: &mut Ledger,
        moved: &mut Moved,
    ) -> Result<(), String> {
        // High whenever the input FIFO has room, whether there is an ID or not.
        pins.out_ready = self.manner.take.happens(rng);
        if !out.out_valid {
            return Ok(());
        }
        moved.out_waits = !pins.out_ready;
        if !pins.out_ready {
            return Ok(());
        }
        moved.out = Some(out.out_part);
        self.received[out.out_part as usize] += 1;
        match ledger.take(out.out_id) {
            None => Err(format!("ID {:#x} leaves the core, but it is not inside", out.out_id)),
            Some(label) if label.part != out.out_part => {
                Err(format!("ID {:#x} leaves the core for the wrong partition", out.out_id))
            }
            Some(_) => Ok(()),
        }
    }
}
