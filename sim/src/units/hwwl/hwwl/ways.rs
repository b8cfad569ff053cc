//! The ways between the cores and the ICRN, of some cycles (`docs/hwwl/hwwl_core.md`).

use super::super::pins::{IcrnIn, IcrnOut, MAX_CORES};
use crate::units::past::Past;
use crate::units::prim::link::Way;

/// An ID on its way, and the partition that it belongs to.
#[derive(Clone, Copy, Debug)]
struct Sent {
    part: bool,
    id: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// Cycles from a core to the ICRN, or back.
    cycles: usize,
    /// Links to the ICRN and from it, by core.
    links: Vec<[Way<Sent>; 2]>,
    /// IDs that a core has sent and none has taken, by partition.
    between: [u32; 2],
    /// None of them was of the pull side in the previous cycle.
    were_clear: bool,
    /// All cores were quiet when that held.
    calm: Past<bool>,
    pull_part: Past<bool>,
    greedy: Past<[u8; MAX_CORES]>,
    send: Past<[u8; MAX_CORES]>,
    all_done: Past<bool>,
    /// There was a `configure` in the previous cycle.
    configured: bool,
    /// Cycles in which what comes to the cores is about the sides before.
    outdated: usize,
}

impl Ways {
    /// Of so many cycles, one or more.
    pub fn new(cores: usize, cycles: usize) -> Self {
        Ways {
            cycles,
            links: vec![[Way::new(cycles), Way::new(cycles)]; cores],
            between: [0; 2],
            were_clear: false,
            calm: Past::new(cycles),
            pull_part: Past::new(cycles),
            greedy: Past::new(cycles),
            send: Past::new(cycles),
            all_done: Past::new(cycles),
            configured: false,
            outdated: 0,
        }
    }

    /// IDs between the cores, those in the ICRN included.
    pub fn held(&self) -> u32 {
        self.between[0] + self.between[1]
    }

    /// Nothing is on its way, credits included.
    pub fn are_empty(&self) -> bool {
        self.held() == 0 && self.links.iter().flatten().all(Way::is_empty)
    }

    /// Connects cores and ICRN in this cycle, and the edge that ends it. `cores` has the outputs of the cores, and `icrn` those of the
    /// ICRN; they become what the ICRN sees, and what the cores see.
    pub fn pass(&mut self, cores: &mut IcrnIn, icrn: &mut IcrnOut, configure: bool) {
        let (sent, offered) = (*cores, *icrn);
        cores.pull_part = self.pull_part.ago(self.cycles, sent.pull_part);
        cores.greedy = self.greedy.ago(self.cycles, sent.greedy);
        cores.quiet.fill(self.calm.ago(self.cycles, false));
        icrn.send = self.send.ago(self.cycles, offered.send);
        icrn.all_done = self.outdated == 0 && self.all_done.ago(self.cycles, offered.all_done);
        for (c, [to, from]) in self.links.iter().enumerate() {
            show(to, &mut cores.out_valid[c], &mut cores.out_part[c], &mut cores.out_id[c]);
            show(from, &mut icrn.in_valid[c], &mut icrn.in_part[c], &mut icrn.in_id[c]);
            cores.in_ready[c] = from.is_ready();
            icrn.out_ready[c] = to.is_ready();
        }
        self.look(&sent, &offered, configure);
        self.count(&sent, icrn);
        for (c, [to, from]) in self.links.iter_mut().enumerate() {
            to.clock(taken(sent.out_valid[c], sent.out_part[c], sent.out_id[c]), offered.out_ready[c]);
            from.clock(taken(offered.in_valid[c], offered.in_part[c], offered.in_id[c]), sent.in_ready[c]);
        }
    }

    /// Takes over what is no ID.
    fn look(&mut self, sent: &IcrnIn, offered: &IcrnOut, configure: bool) {
        let exchanged = sent.pull_part != self.pull_part.ago(1, false);
        self.outdated = match exchanged || self.configured {
            true => 2 * self.cycles + 1,
            false => self.outdated.saturating_sub(1),
        };
        self.configured = configure;
        self.calm.push(self.were_clear && sent.quiet[..self.links.len()].iter().all(|quiet| *quiet));
        self.were_clear = self.between[sent.pull_part as usize] == 0;
        self.pull_part.push(sent.pull_part);
        self.greedy.push(sent.greedy);
        self.send.push(offered.send);
        self.all_done.push(offered.all_done);
    }

    /// IDs that cores send and take in this cycle, in which they see `icrn`.
    fn count(&mut self, sent: &IcrnIn, icrn: &IcrnOut) {
        for c in 0..self.links.len() {
            self.between[sent.out_part[c] as usize] += (sent.out_valid[c] && icrn.out_ready[c]) as u32;
            self.between[icrn.in_part[c] as usize] -= (icrn.in_valid[c] && sent.in_ready[c]) as u32;
        }
    }
}

/// The pins at the other end of a link.
fn show(way: &Way<Sent>, valid: &mut bool, part: &mut bool, id: &mut u32) {
    *valid = way.out().is_some();
    if let Some(sent) = way.out() {
        (*part, *id) = (sent.part, sent.id);
    }
}

fn taken(valid: bool, part: bool, id: u32) -> Option<Sent> {
    valid.then_some(Sent { part, id })
}
