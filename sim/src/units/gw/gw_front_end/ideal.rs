//! A front end that no hardware could be: look-up, check, the forming of waves and issue take one cycle together. It shows what
//! a faster front end could win at most.
//!
//! The units of the front end are the same and do the same, but they make [`STEPS`] steps in each cycle of the core. What the
//! core says acts in the first step. One step, the last, may issue and ask for a fetch, and in it waves grow older: there is
//! one issue a cycle and scheduler, and one fetch a cycle, as without it.

use super::GwFrontEnd;
use crate::unit::Fault;
use crate::units::gw::pins::GwIn;

/// From an issue to the next, two look-ups and the join of a wave included, a warp takes fewer steps. The rest is for warps that
/// wait for each other's look-ups, checks and joins.
const STEPS: usize = 16;

impl GwFrontEnd {
    /// A cycle of the core.
    pub(super) fn all_steps(&mut self, pins: &GwIn) -> Result<(), Fault> {
        self.let_age(false);
        let mut first = *pins;
        first.fetch_room = false;
        first.slices.iter_mut().for_each(|slice| slice.room = 0);
        self.step(&first)?;

        let mut last = GwIn { pairs_on: pins.pairs_on, waves_on: pins.waves_on, ..GwIn::default() };
        for _ in 2..STEPS {
            if self.stands() {
                break;
            }
            self.step(&last)?;
        }
        last.fetch_room = pins.fetch_room;
        for (last, pins) in last.slices.iter_mut().zip(&pins.slices) {
            last.room = pins.room;
        }
        self.let_age(true);
        self.step(&last)
    }

    /// A step in which nothing is said changes nothing.
    fn stands(&self) -> bool {
        self.storage.is_quiet() && self.arbiter.is_quiet() && self.slices.iter().all(|slice| slice.rests)
    }

    fn let_age(&mut self, ages: bool) {
        for slice in &mut self.slices {
            slice.let_age(ages);
        }
    }
}
