//! Phases: for a while the same probabilities hold, then others.

use super::Rng;
use std::ops::{Deref, DerefMut, Range};

/// `TABLE: Row`, its columns, and a row of values for each phase. A column without a type is a chance in 256ths.
macro_rules! phases {
    ($(#[$doc:meta])* $visibility:vis $table:ident: $row:ident $columns:tt $($values:tt)*) => {
        phases!(@row $(#[$doc])* $visibility $row $columns);
        $visibility const $table: &[$row] = &[$(phases!(@value $row $columns $values)),*];
    };
    (@row $(#[$doc:meta])* $visibility:vis $row:ident ($($column:ident $(: $type:ty)?),* $(,)?)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        $visibility struct $row {
            $($visibility $column: phases!(@type $($type)?)),*
        }
    };
    (@value $row:ident ($($column:ident $(: $type:ty)?),* $(,)?) ($($value:expr),*)) => {
        $row { $($column: phases!(@chance $value $(, $type)?)),* }
    };
    (@type) => { $crate::stimulus::Chance };
    (@type $type:ty) => { $type };
    (@chance $value:expr) => { $crate::stimulus::Chance($value) };
    (@chance $value:expr, $type:ty) => { $value };
}
pub(super) use phases;

/// The phase at hand, and what may follow.
#[derive(Clone, Debug, Default)]
pub struct Phases<P: 'static> {
    table: &'static [P],
    current: P,
    remaining: u32,
    /// Cycles of a phase.
    length: Range<u32>,
    /// Phases of which one begins with a reset.
    reset_every: u32,
}

impl<P: Copy> Phases<P> {
    /// Before the first phase, `table[0]` holds.
    pub fn new(table: &'static [P], length: Range<u32>, reset_every: u32) -> Self {
        Phases { table, current: table[0], remaining: 0, length, reset_every }
    }

    /// The next cycle; true: the unit is reset in it, and a new phase begins after it.
    #[inline]
    pub fn next(&mut self, rng: &mut Rng) -> bool {
        self.begins(rng) && self.resets(rng)
    }

    /// The next cycle; true: a new phase begins in it. Whoever draws something else for the phase does it now, and then asks
    /// [`Self::resets`].
    #[inline]
    pub fn begins(&mut self, rng: &mut Rng) -> bool {
        if self.remaining > 0 {
            self.remaining -= 1;
            return false;
        }
        self.current = rng.any_of(self.table);
        self.remaining = self.length.start + rng.below(self.length.end - self.length.start) - 1;
        true
    }

    /// The unit is reset in the cycle in which a phase begins.
    pub fn resets(&mut self, rng: &mut Rng) -> bool {
        self.resets_if(false, rng)
    }

    /// The same; it is reset in any case if `forced`.
    pub fn resets_if(&mut self, forced: bool, rng: &mut Rng) -> bool {
        let resets = forced || rng.one_in(self.reset_every);
        self.remaining += u32::from(resets);
        resets
    }

    /// The phase ends after `cycles` cycles at most.
    pub fn ends_in(&mut self, cycles: u32) {
        self.remaining = self.remaining.min(cycles);
    }
}

impl<P> Deref for Phases<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.current
    }
}

impl<P> DerefMut for Phases<P> {
    fn deref_mut(&mut self) -> &mut P {
        &mut self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_last_as_long_as_they_may_and_resets_come_between_them() {
        let (mut phases, mut rng) = (Phases::new(&[1, 2, 3], 4..9, 3), Rng::new(1));
        let (mut lengths, mut resets, mut seen) = (vec![0], 0, [0; 3]);
        for _ in 0..10_000 {
            let is_new = phases.begins(&mut rng);
            let resets_now = is_new && phases.resets(&mut rng);
            if is_new {
                lengths.push(0);
                seen[*phases as usize - 1] += 1;
            }
            resets += u32::from(resets_now);
            *lengths.last_mut().unwrap() += u32::from(!resets_now);
        }
        let whole = &lengths[1..lengths.len() - 1];
        assert_eq!((whole.iter().min(), whole.iter().max()), (Some(&4), Some(&8)));
        let phases = whole.len() as u32;
        assert!((phases / 4..phases / 2).contains(&resets), "{resets} of {phases}");
        assert!(seen.iter().all(|&times| times > phases / 4), "{seen:?}");
    }
}
