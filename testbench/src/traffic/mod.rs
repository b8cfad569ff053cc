//! Random inputs that a unit may get, and a count of what they made it do.
//!
//! Traffic comes in phases, each with its own probabilities, so that the rare states (full, empty, wrapped, exchanged)
//! are reached as surely as the common ones. It is a function of the seed and of the unit's outputs alone.

mod bank;
mod hwwl_core;
mod rng;
mod sorter;
mod wru_sorting;

pub use bank::BankTraffic;
pub use hwwl_core::CoreTraffic;
pub use rng::Rng;
pub use sorter::SorterTraffic;
pub use wru_sorting::WruTraffic;

/// How often each event happened, in the order of the unit's list of events.
pub type Coverage = Vec<(&'static str, u64)>;

pub trait Traffic {
    type In;
    type Out;

    /// Looks at the outputs of this cycle and chooses its inputs; true asks for a reset instead.
    fn next(&mut self, outputs: &Self::Out, pins: &mut Self::In) -> bool;
    fn coverage(&self) -> Coverage;
}

/// Names the events of a unit: an enum whose values index the counters.
macro_rules! events {
    ($($event:ident = $name:literal),* $(,)?) => {
        #[derive(Clone, Copy)]
        enum Event { $($event),* }
        const EVENTS: &[&str] = &[$($name),*];

        #[derive(Clone, Default)]
        struct Counters([u64; EVENTS.len()]);

        impl Counters {
            #[inline]
            fn count(&mut self, event: Event, happened: bool) {
                self.0[event as usize] += u64::from(happened);
            }

            fn coverage(&self) -> $crate::traffic::Coverage {
                EVENTS.iter().copied().zip(self.0).collect()
            }
        }
    };
}
use events;
