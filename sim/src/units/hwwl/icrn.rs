//! `icrn`: the hub of the tree between the cores (III-C). Behaviourally: a queue of arrivals and a place for one departure
//! per core, and one porter who carries one ID a cycle.

use super::pins::{icrn_interface, IcrnIn, IcrnOut, MAX_CORES};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

/// An ID that waits in the hub, with the partition that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parcel {
    part: bool,
    id: u32,
}

/// IDs that arrived from a core: two at most, oldest first.
#[derive(Clone, Copy, Debug, Default)]
struct Arrivals {
    parcels: [Parcel; 2],
    number: usize,
}

impl Arrivals {
    fn parcels(&self) -> &[Parcel] {
        &self.parcels[..self.number]
    }

    fn add(&mut self, parcel: Parcel) {
        self.parcels[self.number] = parcel;
        self.number += 1;
    }

    fn take(&mut self) -> Parcel {
        self.number -= 1;
        let oldest = self.parcels[0];
        self.parcels[0] = self.parcels[1];
        oldest
    }
}

#[derive(Clone, Debug)]
pub struct Icrn {
    cores: usize,
    arrivals: [Arrivals; MAX_CORES],
    /// Next in turn to give, and to get.
    next_source: usize,
    next_destination: usize,
    /// The hub held no ID of the pull side in the previous cycle.
    was_quiet: bool,
    out: IcrnOut,
}

impl Icrn {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check_cores("icrn")?;
        let mut icrn = Icrn {
            cores: parameters.cores,
            arrivals: [Arrivals::default(); MAX_CORES],
            next_source: 0,
            next_destination: 0,
            was_quiet: false,
            out: IcrnOut::default(),
        };
        icrn.show_room();
        Ok(icrn)
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &IcrnOut {
        &self.out
    }

    fn is_quiet(&self, pull_part: bool) -> bool {
        let waits = |c: usize| self.arrivals[c].parcels().iter().any(|parcel| parcel.part == pull_part);
        let leaves = |c: usize| self.out.in_valid[c] && self.out.in_part[c] == pull_part;
        self.out.held == 0 || !(0..self.cores).any(|c| waits(c) || leaves(c))
    }

    /// Where the oldest ID of `source` can go in this cycle.
    fn destination(&self, source: usize, pins: &IcrnIn) -> Option<usize> {
        let part = self.arrivals[source].parcels().first()?.part as u32;
        let modest = |c: &usize| pins.greedy[*c] >> part & 1 == 0;
        let others = || (0..self.cores).map(|k| (self.next_destination + k) % self.cores).filter(|&c| c != source);
        let any_modest = others().any(|c| modest(&c));
        others().find(|c| !self.out.in_valid[*c] && (!any_modest || modest(c)))
    }

    /// Source and destination of the ID that crosses the hub in this cycle.
    fn crossing(&self, pins: &IcrnIn) -> Option<(usize, usize)> {
        let sources = (0..self.cores).map(|k| (self.next_source + k) % self.cores);
        sources.into_iter().find_map(|source| Some((source, self.destination(source, pins)?)))
    }

    fn carry(&mut self, pins: &IcrnIn) {
        let crossing = self.crossing(pins);
        for c in 0..self.cores {
            if self.out.in_valid[c] && pins.in_ready[c] {
                self.out.in_valid[c] = false;
                self.out.held -= 1;
            }
        }
        if let Some((source, destination)) = crossing {
            let parcel = self.arrivals[source].take();
            self.out.in_valid[destination] = true;
            self.out.in_part[destination] = parcel.part;
            self.out.in_id[destination] = parcel.id;
            self.next_source = (source + 1) % self.cores;
            self.next_destination = (destination + 1) % self.cores;
        }
    }

    fn accept(&mut self, pins: &IcrnIn) {
        for c in 0..self.cores {
            if pins.out_valid[c] && self.out.out_ready[c] {
                self.arrivals[c].add(Parcel { part: pins.out_part[c], id: pins.out_id[c] });
                self.out.held += 1;
            }
        }
    }

    fn show_room(&mut self) {
        for c in 0..self.cores {
            self.out.out_ready[c] = self.arrivals[c].number < 2;
        }
    }

    /// Bit p of a core's `send`: another core is not greedy in partition p.
    fn show_send(&mut self, pins: &IcrnIn) {
        // Partitions in which exactly no core, and exactly one core, is modest.
        let (mut none, mut one) = (3u8, 0u8);
        for greedy in &pins.greedy[..self.cores] {
            one = one & greedy | none & !greedy;
            none &= greedy;
        }
        for (send, greedy) in self.out.send.iter_mut().zip(&pins.greedy[..self.cores]) {
            let itself_alone = one & !greedy;
            *send = !(none | itself_alone) & 3;
        }
    }
}

impl Unit for Icrn {
    type In = IcrnIn;
    type Out = IcrnOut;

    fn interface(&self) -> Interface {
        icrn_interface(self.cores)
    }

    fn outputs(&self) -> IcrnOut {
        self.out.clone()
    }

    fn clock(&mut self, pins: &IcrnIn) {
        let quiet = self.is_quiet(pins.pull_part);
        self.out.all_done = self.was_quiet && pins.quiet[..self.cores].iter().all(|&quiet| quiet);
        self.was_quiet = quiet;
        let arrives = pins.out_valid[..self.cores].contains(&true);
        if self.out.held > 0 || arrives {
            self.carry(pins);
            self.accept(pins);
            self.show_room();
        }
        self.show_send(pins);
    }

    fn reset(&mut self) {
        *self = Icrn {
            cores: self.cores,
            arrivals: [Arrivals::default(); MAX_CORES],
            next_source: 0,
            next_destination: 0,
            was_quiet: false,
            out: IcrnOut::default(),
        };
        self.show_room();
    }
}
