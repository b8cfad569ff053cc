//! A redistribution unit in the place of the banks: what the tests of all three do with it.

/// Pins of one cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Out {
    pub pop: u64,
    pub push: u64,
    pub part: bool,
    pub moving: bool,
}

pub const IDLE: Out = Out { pop: 0, push: 0, part: false, moving: false };

/// A `Bench` for a unit of so many lanes whose first pop comes so many cycles after the tick.
macro_rules! bench {
    ($wru:ty, $lanes:literal, $pop:literal) => {
        struct Bench {
            wru: Box<$wru>,
            /// Cycles since the reset.
            now: u64,
            pull: [u64; $lanes],
            push: [u64; $lanes],
        }

        impl Bench {
            fn out(&self) -> crate::hwwl::wru::Out {
                let w = &self.wru;
                let (pop, push) = (w.pop.word(), w.push.word());
                crate::hwwl::wru::Out { pop, push, part: w.part.val(), moving: w.moving.val() }
            }

            /// Ends the current cycle with these answers on the pins. Bank i offers ID 1000 + i.
            fn cycle(&mut self, valid: u64, accepted: u64) {
                let w = &mut *self.wru;
                w.wru_valid.next = valid.into();
                w.wru_accepted.next = accepted.into();
                for i in 0..$lanes {
                    w.pull_occupancy[i].next = self.pull[i].into();
                    w.push_occupancy[i].next = self.push[i].into();
                    w.id[i].next = (1000 + i as u64).into();
                }
                crate::common::clock!(w);
                self.now += 1;
            }

            /// The event with its tick in the given cycle: who gave, and each taker with its donor.
            fn event(&mut self, tick: u64) -> (u64, Vec<(u64, u64)>) {
                while self.now < tick + $pop {
                    let crate::hwwl::wru::Out { pop, push, moving, .. } = self.out();
                    assert_eq!((pop, push, moving), (0, 0, false), "cycle {}", self.now);
                    self.cycle(0, 0);
                }
                let givers = self.out().pop;
                self.cycle(0, 0);
                self.cycle(givers, 0);
                let takers = self.out().push;
                let donor = |taker: usize| (taker as u64, self.wru.push_id[taker].word() - 1000);
                let pairs = (0..$lanes).filter(|i| takers >> i & 1 == 1).map(donor).collect();
                self.cycle(0, 0);
                self.cycle(0, takers);
                assert!(!self.wru.moving.val());
                (givers, pairs)
            }
        }
    };
}
pub(crate) use bench;
