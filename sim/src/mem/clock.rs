//! Clock domains: whose cycle comes when. Exact ratios of whole megahertz, nothing accumulates.
//!
//! Cycle n of a domain of f MHz is at n / f microseconds. Cycles that fall together are executed in the order DRAM, L2, network,
//! core.

/// A domain's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    mhz: u64,
}

impl Clock {
    pub fn new(mhz: u32) -> Self {
        Clock { mhz: mhz as u64 }
    }

    /// Own cycles up to and including the time of `cycle` of another domain.
    pub fn elapsed(self, other: Clock, cycle: u64) -> u64 {
        if self.mhz == other.mhz || cycle == u64::MAX {
            return cycle;
        }
        cycle * self.mhz / other.mhz
    }

    /// First own cycle that is not before `cycle` of another domain.
    pub fn first_at(self, other: Clock, cycle: u64) -> u64 {
        if self.mhz == other.mhz || cycle == u64::MAX {
            return cycle;
        }
        (cycle * self.mhz).div_ceil(other.mhz)
    }

    /// Own `cycle` is not after `other_cycle` of another domain.
    pub fn not_after(self, cycle: u64, other: Clock, other_cycle: u64) -> bool {
        cycle as u128 * other.mhz as u128 <= other_cycle as u128 * self.mhz as u128
    }
}

/// All domains of a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    pub core: Clock,
    pub network: Clock,
    pub l2: Clock,
    pub dram: Clock,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cycles_of_two_domains_interleave_by_time() {
        let (core, dram) = (Clock::new(700), Clock::new(924));
        assert_eq!([1, 2, 3, 4, 25].map(|cycle| dram.elapsed(core, cycle)), [1, 2, 3, 5, 33]);
        assert_eq!([1, 2, 3, 4, 5, 33].map(|cycle| core.first_at(dram, cycle)), [1, 2, 3, 4, 4, 25]);
        assert!(core.not_after(25, dram, 33) && dram.not_after(33, core, 25));
        assert!(!core.not_after(25, dram, 32) && dram.not_after(32, core, 25));
    }

    proptest! {
        /// `first_at` is the first cycle by whose time `elapsed` reaches the other domain's cycle.
        #[test]
        fn the_two_directions_agree(a in 1u32..5000, b in 1u32..5000, cycle in 1u64..1 << 40) {
            let (a, b) = (Clock::new(a), Clock::new(b));
            let first = a.first_at(b, cycle);
            prop_assert!(b.elapsed(a, first) >= cycle && b.elapsed(a, first - 1) < cycle);
            prop_assert!(a.elapsed(b, cycle) <= first && first <= a.elapsed(b, cycle) + 1);
        }
    }
}
