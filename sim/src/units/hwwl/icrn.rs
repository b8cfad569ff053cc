//! `icrn`: the network between the cores (III-C). Behaviourally: a queue of arrivals and an output register per core, and one
//! arbiter that moves one ID per cycle.

use super::pins::{IcrnIn, IcrnOut, MAX_CORES};
use super::Parameters;
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// An ID that waits in the ICRN, with the partition that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    part: bool,
    id: u32,
}

/// IDs that arrived from a core: two at most, oldest first.
#[derive(Clone, Copy, Debug, Default)]
struct Arrivals {
    entries: [Entry; 2],
    number: usize,
}

impl Arrivals {
    fn entries(&self) -> &[Entry] {
        &self.entries[..self.number]
    }

    fn add(&mut self, entry: Entry) {
        self.entries[self.number] = entry;
        self.number += 1;
    }

    fn take(&mut self) -> Entry {
        self.number -= 1;
        let oldest = self.entries[0];
        self.entries[0] = self.entries[1];
        oldest
    }
}

#[derive(Clone, Debug, Default)]
pub struct Icrn {
    cores: usize,
    arrivals: [Arrivals; MAX_CORES],
    /// Next of the round robins to give and to get.
    next_source: usize,
    next_destination: usize,
    /// The ICRN held no ID of the pull side in the previous cycle.
    was_quiet: bool,
    out: IcrnOut,
}

impl Icrn {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::ICRN)?;
        Ok(Self::between(parameters.cores))
    }

    pub(super) fn between(cores: usize) -> Self {
        let mut icrn = Icrn { cores, ..Default::default() };
        icrn.show_room();
        icrn
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &IcrnOut {
        &self.out
    }

    fn is_quiet(&self, pull_part: bool) -> bool {
        let waits = |c: usize| self.arrivals[c].entries().iter().any(|entry| entry.part == pull_part);
        let leaves = |c: usize| self.out.in_valid[c] && self.out.in_part[c] == pull_part;
        self.out.held == 0 || !(0..self.cores).any(|c| waits(c) || leaves(c))
    }

    /// Where the oldest ID of `source` can go in this cycle.
    fn destination(&self, source: usize, pins: &IcrnIn) -> Option<usize> {
        let part = self.arrivals[source].entries().first()?.part as u32;
        let modest = |c: &usize| pins.greedy[*c] >> part & 1 == 0;
        let others = || (0..self.cores).map(|k| (self.next_destination + k) % self.cores).filter(|&c| c != source);
        let any_modest = others().any(|c| modest(&c));
        others().find(|c| !self.out.in_valid[*c] && (!any_modest || modest(c)))
    }

    /// Source and destination of the ID that crosses the ICRN in this cycle.
    fn crossing(&self, pins: &IcrnIn) -> Option<(usize, usize)> {
        let sources = (0..self.cores).map(|k| (self.next_source + k) % self.cores);
        sources.into_iter().find_map(|source| Some((source, self.destination(source, pins)?)))
    }

    fn move_one(&mut self, pins: &IcrnIn) {
        let crossing = self.crossing(pins);
        for c in 0..self.cores {
            if self.out.in_valid[c] && pins.in_ready[c] {
                self.out.in_valid[c] = false;
                self.out.held -= 1;
            }
        }
        if let Some((source, destination)) = crossing {
            let entry = self.arrivals[source].take();
            self.out.in_valid[destination] = true;
            self.out.in_part[destination] = entry.part;
            self.out.in_id[destination] = entry.id;
            self.next_source = (source + 1) % self.cores;
            self.next_destination = (destination + 1) % self.cores;
        }
    }

    fn accept(&mut self, pins: &IcrnIn) {
        for c in 0..self.cores {
            if pins.out_valid[c] && self.out.out_ready[c] {
                self.arrivals[c].add(Entry { part: pins.out_part[c], id: pins.out_id[c] });
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
        interface::<Self::In, Self::Out, _>(self.cores)
    }

    fn outputs(&self) -> IcrnOut {
        self.out
    }

    fn clock(&mut self, pins: &IcrnIn) -> Result<(), Fault> {
        let quiet = self.is_quiet(pins.pull_part);
        self.out.all_done = self.was_quiet && pins.quiet[..self.cores].iter().all(|&quiet| quiet);
        self.was_quiet = quiet;
        let arrives = pins.out_valid[..self.cores].contains(&true);
        if self.out.held > 0 || arrives {
            self.move_one(pins);
            self.accept(pins);
            self.show_room();
        }
        self.show_send(pins);
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::between(self.cores);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn icrn(cores: usize) -> Icrn {
        Icrn::new(&Parameters { cores, ..Default::default() }).unwrap()
    }

    /// IDs that leave cores, all of partition 0.
    fn from(ids: &[(usize, u32)]) -> IcrnIn {
        let mut pins = IcrnIn::default();
        for &(core, id) in ids {
            (pins.out_valid[core], pins.out_id[core]) = (true, id);
        }
        pins
    }

    fn after(icrn: &mut Icrn, pins: &IcrnIn) -> IcrnOut {
        icrn.clock(pins).unwrap();
        icrn.outputs()
    }

    /// Where IDs stand at the output.
    fn leaving(out: &IcrnOut) -> Vec<(usize, u32)> {
        (0..MAX_CORES).filter(|&c| out.in_valid[c]).map(|c| (c, out.in_id[c])).collect()
    }

    #[test]
    fn an_id_takes_two_hops() {
        let mut icrn = icrn(4);
        let out = after(&mut icrn, &from(&[(2, 77)]));
        assert_eq!((leaving(&out), out.held), (vec![], 1));
        let out = after(&mut icrn, &IcrnIn::default());
        assert_eq!((leaving(&out), out.held), (vec![(0, 77)], 1));
        let out = after(&mut icrn, &IcrnIn::default());
        assert_eq!(leaving(&out), [(0, 77)], "until it is taken");
        let mut taken = IcrnIn::default();
        taken.in_ready[0] = true;
        let out = after(&mut icrn, &taken);
        assert_eq!((leaving(&out), out.held), (vec![], 0));
    }

    #[test]
    fn cores_give_and_get_in_turn_one_id_a_cycle() {
        let mut icrn = icrn(3);
        icrn.clock(&from(&[(0, 10), (1, 11), (2, 12)])).unwrap();
        let out = after(&mut icrn, &from(&[(0, 20)]));
        assert_eq!(leaving(&out), [(1, 10)]);
        let out = after(&mut icrn, &IcrnIn::default());
        assert_eq!(leaving(&out), [(1, 10), (2, 11)]);
        let out = after(&mut icrn, &IcrnIn::default());
        assert_eq!(leaving(&out), [(0, 12), (1, 10), (2, 11)]);
        let mut taken = IcrnIn::default();
        taken.in_ready[1] = true;
        assert_eq!(leaving(&after(&mut icrn, &taken)), [(0, 12), (2, 11)]);
        assert_eq!(leaving(&after(&mut icrn, &IcrnIn::default())), [(0, 12), (1, 20), (2, 11)]);
    }

    #[test]
    fn greedy_cores_get_nothing_unless_all_others_are() {
        let mut icrn = icrn(4);
        let mut greedy = IcrnIn::default();
        greedy.greedy[..4].copy_from_slice(&[1, 1, 0, 3]);
        icrn.clock(&IcrnIn { greedy: greedy.greedy, ..from(&[(0, 1)]) }).unwrap();
        icrn.clock(&IcrnIn { greedy: greedy.greedy, ..from(&[(0, 2)]) }).unwrap();
        assert_eq!(leaving(&icrn.outputs()), [(2, 1)]);
        icrn.clock(&greedy).unwrap();
        assert_eq!(leaving(&icrn.outputs()), [(2, 1)], "the only modest core is busy: the ID waits");
        greedy.greedy[2] = 1;
        icrn.clock(&greedy).unwrap();
        assert_eq!(leaving(&icrn.outputs()), [(2, 1), (3, 2)]);
    }

    #[test]
    fn a_fifo_has_two_places() {
        let mut icrn = icrn(2);
        // Core 1 takes nothing: one at its output, two in the FIFO of core 0.
        for id in 0..3 {
            assert!(icrn.outputs().out_ready[0]);
            icrn.clock(&from(&[(0, id)])).unwrap();
        }
        let out = icrn.outputs();
        assert_eq!((out.out_ready[0], out.out_ready[1], out.held), (false, true, 3));
    }

    #[test]
    fn send_tells_that_another_core_is_modest() {
        let mut icrn = icrn(3);
        let mut pins = IcrnIn::default();
        pins.greedy[..3].copy_from_slice(&[0b11, 0b01, 0b11]);
        assert_eq!(after(&mut icrn, &pins).send[..3], [0b10, 0b00, 0b10]);
        pins.greedy[..3].copy_from_slice(&[0, 0b01, 0b11]);
        assert_eq!(after(&mut icrn, &pins).send[..3], [0b10, 0b11, 0b11]);
        let mut alone = self::icrn(1);
        assert_eq!(after(&mut alone, &IcrnIn::default()).send[0], 0);
    }

    #[test]
    fn all_done_joins_the_cores_and_the_icrn_of_one_cycle() {
        let mut icrn = icrn(2);
        let mut quiet = IcrnIn::default();
        quiet.quiet[..2].fill(true);
        // The state of cycle 0 is in `quiet` in cycle 1 and in `all_done` in cycle 2.
        assert!(!after(&mut icrn, &IcrnIn::default()).all_done);
        assert!(after(&mut icrn, &quiet).all_done);
        // An ID of partition 1 passes: it counts only while that is the pull side.
        let mut pins = IcrnIn { quiet: quiet.quiet, ..from(&[(0, 5)]) };
        pins.out_part[0] = true;
        assert!(after(&mut icrn, &pins).all_done);
        assert!(after(&mut icrn, &quiet).all_done);
        assert!(after(&mut icrn, &quiet).all_done);
        let pull_part = IcrnIn { pull_part: true, ..quiet };
        assert!(after(&mut icrn, &pull_part).all_done);
        assert!(!after(&mut icrn, &pull_part).all_done);
        let mut taken = pull_part;
        taken.in_ready[1] = true;
        assert!(!after(&mut icrn, &taken).all_done);
        assert!(!after(&mut icrn, &pull_part).all_done);
        assert!(after(&mut icrn, &pull_part).all_done);
        let mut one = pull_part;
        one.quiet[1] = false;
        assert!(!after(&mut icrn, &one).all_done);
    }

    proptest! {
        /// Every ID comes out once, at a core that it did not come from, in order for each pair of cores; none stays.
        #[test]
        fn ids_are_conserved(
            cores in 2..9usize,
            cycles in prop::collection::vec((any::<u16>(), any::<u16>(), any::<u32>()), 1..300),
        ) {
            let mut icrn = icrn(cores);
            let (mut inside, mut next) = (Vec::new(), 0u32);
            let end = std::iter::repeat_n((0, u16::MAX, 0), 100);
            for (valid, ready, greedy) in cycles.into_iter().chain(end) {
                let out = icrn.outputs();
                prop_assert_eq!(out.held as usize, inside.len());
                let mut pins = IcrnIn::default();
                for c in 0..cores {
                    pins.in_ready[c] = ready >> c & 1 == 1;
                    pins.greedy[c] = (greedy >> (2 * c) & 3) as u8;
                    if out.in_valid[c] && pins.in_ready[c] {
                        let place = inside.iter().position(|&(_, id, part)| id == out.in_id[c] && part == out.in_part[c]);
                        let (source, ..) = inside.remove(place.expect("it went in"));
                        prop_assert!(source != c);
                    }
                    pins.out_valid[c] = valid >> c & 1 == 1;
                    (pins.out_id[c], pins.out_part[c]) = (next, next % 3 == 0);
                    if pins.out_valid[c] && out.out_ready[c] {
                        inside.push((c, next, next % 3 == 0));
                        next += 1;
                    }
                }
                icrn.clock(&pins).unwrap();
            }
            prop_assert!(inside.is_empty());
        }
    }
}
