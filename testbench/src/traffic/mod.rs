//! Random inputs that a unit may get, and a count of what they made it do.
//!
//! Traffic comes in phases, each with its own probabilities, so that the rare states (full, empty, wrapped, exchanged)
//! are reached as surely as the common ones. It is a function of the seed and of the unit's outputs alone. Traffic of units
//! that keep IDs knows them all, and complains about one that comes out twice, in the wrong place or not at all.

mod bank;
mod chance;
pub mod gw;
mod hub;
mod hvu;
mod hwwl;
mod hwwl_core;
mod icrn;
pub mod iru;
mod ledger;
mod memory;
mod outer_wru;
mod rng;
mod sorter;
mod threads;
mod wru;

pub use bank::BankTraffic;
pub use hvu::HvuTraffic;
pub use hwwl::HwwlTraffic;
pub use hwwl_core::{CoreTraffic, ExternalCoreTraffic};
pub use icrn::IcrnTraffic;
pub use rng::Rng;
pub use sorter::SorterTraffic;
pub use wru::WruTraffic;

/// How often each event happened, in the order of the unit's list of events. Events that cannot happen with the unit's
/// parameters are left out.
pub type Coverage = Vec<(&'static str, u64)>;

pub trait Traffic {
    type In;
    type Out;

    /// Looks at the outputs of this cycle and chooses its inputs; true asks for a reset instead.
    fn next(&mut self, outputs: &Self::Out, pins: &mut Self::In) -> bool;
    fn coverage(&self) -> Coverage;

    /// What the unit did that it never may, in one line: the first such thing.
    fn violation(&self) -> Option<&str> {
        None
    }
}

/// Names the events of a unit: an enum whose values index the counters.
macro_rules! events {
    ($($event:ident = $name:literal),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq)]
        enum Event { $($event),* }
        const EVENTS: &[(Event, &str)] = &[$((Event::$event, $name)),*];

        #[derive(Clone)]
        struct Counters([u64; EVENTS.len()]);

        impl Default for Counters {
            fn default() -> Self {
                Counters([0; EVENTS.len()])
            }
        }

        impl Counters {
            #[inline]
            fn count(&mut self, event: Event, happened: bool) {
                self.0[event as usize] += u64::from(happened);
            }

            /// Of all events but those that cannot happen.
            fn coverage(&self, impossible: &[Event]) -> $crate::traffic::Coverage {
                let counted = EVENTS.iter().zip(self.0);
                counted.filter(|((event, _), _)| !impossible.contains(event)).map(|((_, name), n)| (*name, n)).collect()
            }
        }
    };
}
use events;

/// Lanes, banks or cores whose bit is set, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
