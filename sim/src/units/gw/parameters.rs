//! What the front end is built with.

use crate::units::parameter::{require, ParameterError};

/// Most schedulers of a processor.
pub const MOST_SCHEDULERS: usize = 4;
/// Most warps of a scheduler: a mask of them is a word.
pub const MOST_PLACES: usize = 64;
/// Most entries of a scalar-wave status table.
pub const MOST_WAVES: usize = 16;
/// K: instructions of a pair that write registers and are not over.
pub const SLOTS: usize = 8;
/// Bits of the number of a slot.
pub const SLOT_BITS: u32 = SLOTS.ilog2();

/// The default is the paper's processor (Table 1): 1,536 threads in warps of 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// S: 1, 2 or 4.
    pub schedulers: usize,
    /// W, of the processor: for each scheduler a multiple of `wave`, at most 64.
    pub warps: usize,
    /// V, lanes of a SIMD unit and warps of a scalar wave: 4, 8 or 16.
    pub wave: usize,
    /// T, entries of a scheduler's scalar-wave status table: 2 to 16.
    pub swst: usize,
    /// Sets of the instruction storage: a power of two from 4 to 64.
    pub sets: usize,
    /// Entries of a set: 2 to 8.
    pub ways: usize,
    /// Cycles after which a wave that has not issued goes before all others: 4 to 255.
    pub age_cap: u8,
    /// Warps share what was fetched. If not, every warp has an entry of its own: an ablation that only the model has.
    pub reuse: bool,
    /// Look-up, check and issue take one cycle: a limit that only the model has.
    pub ideal: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            schedulers: 4,
            warps: 192,
            wave: 16,
            swst: 8,
            sets: 16,
            ways: 3,
            age_cap: 64,
            reuse: true,
            ideal: false,
        }
    }
}

/// What the front end of the baseline is built with. The default is B32: 1,536 threads in warps of 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct B32Parameters {
    /// S: 1, 2 or 4.
    pub schedulers: usize,
    /// W, of the processor: for each scheduler a multiple of 4, at most 64.
    pub warps: usize,
}

impl Default for B32Parameters {
    fn default() -> Self {
        B32Parameters { schedulers: 2, warps: 48 }
    }
}

impl B32Parameters {
    /// N: warps of a scheduler.
    pub fn places(&self) -> usize {
        self.warps / self.schedulers
    }

    pub fn scheduler_bits(&self) -> u32 {
        bits(self.schedulers)
    }

    pub fn place_bits(&self) -> u32 {
        bits(self.places())
    }

    /// `Err` names the first parameter that is out of range, in the name of `unit`.
    pub fn check(&self, unit: &'static str) -> Result<(), ParameterError> {
        let B32Parameters { schedulers, warps } = *self;
        require([1, 2, 4].contains(&schedulers), unit, "schedulers", schedulers, "1, 2 or 4")?;
        let holds = warps > 0 && warps.is_multiple_of(4 * schedulers) && warps / schedulers <= MOST_PLACES;
        require(holds, unit, "warps", warps, "a multiple of 4 x schedulers, at most 64 for each scheduler")
    }
}

/// Bits of a number below `count`, at least 1.
pub(super) fn bits(count: usize) -> u32 {
    count.next_power_of_two().ilog2().max(1)
}

/// `Err` if a scheduler of the baseline cannot have so many warps.
pub(super) fn check_warps(unit: &'static str, warps: usize) -> Result<(), ParameterError> {
    let holds = warps > 0 && warps.is_multiple_of(4) && warps <= MOST_PLACES;
    require(holds, unit, "warps", warps, "a multiple of 4, at most 64")
}

impl Parameters {
    /// N: warps of a scheduler.
    pub fn places(&self) -> usize {
        self.warps / self.schedulers
    }

    /// A bit for each place.
    pub fn all_places(&self) -> u64 {
        u64::MAX >> (64 - self.places())
    }

    /// Entries of the storage have numbers below this.
    pub fn entries(&self) -> usize {
        self.sets * self.ways
    }

    pub fn scheduler_bits(&self) -> u32 {
        bits(self.schedulers)
    }

    pub fn place_bits(&self) -> u32 {
        bits(self.places())
    }

    pub fn pair_bits(&self) -> u32 {
        bits(self.places() / 2)
    }

    pub fn group_bits(&self) -> u32 {
        bits(self.places() / self.wave)
    }

    pub fn swid_bits(&self) -> u32 {
        bits(self.swst)
    }

    /// E: bits of an entry's number. Without reuse it is a warp's.
    pub fn entry_bits(&self) -> u32 {
        if self.reuse {
            self.sets.ilog2() + bits(self.ways)
        } else {
            bits(self.warps)
        }
    }

    /// The scheduler of warp `w` and its place there.
    pub fn place_of(&self, w: usize) -> (usize, usize) {
        (w / 2 % self.schedulers, w / (2 * self.schedulers) * 2 + w % 2)
    }

    /// The warp at `place` of scheduler `s`.
    pub fn warp_at(&self, s: usize, place: usize) -> usize {
        place / 2 * 2 * self.schedulers + 2 * s + place % 2
    }

    /// `Err` names the first parameter that is out of range, in the name of `unit`.
    pub fn check(&self, unit: &'static str) -> Result<(), ParameterError> {
        let Parameters { schedulers, warps, wave, swst, sets, ways, age_cap, .. } = *self;
        require([1, 2, 4].contains(&schedulers), unit, "schedulers", schedulers, "1, 2 or 4")?;
        require([4, 8, 16].contains(&wave), unit, "wave", wave, "4, 8 or 16 warps")?;
        let holds = warps > 0 && warps.is_multiple_of(schedulers * wave) && warps / schedulers <= MOST_PLACES;
        require(holds, unit, "warps", warps, "a multiple of schedulers x wave, at most 64 for each scheduler")?;
        require((2..=MOST_WAVES).contains(&swst), unit, "swst", swst, "from 2 to 16")?;
        require(sets.is_power_of_two() && (4..=64).contains(&sets), unit, "sets", sets, "a power of two from 4 to 64")?;
        require((2..=8).contains(&ways), unit, "ways", ways, "from 2 to 8")?;
        require(age_cap >= 4, unit, "age_cap", age_cap, "from 4 to 255")
    }

    /// `Err` if the storage does not hold just so many instructions.
    pub fn check_instructions(&self, unit: &'static str, instructions: usize) -> Result<(), ParameterError> {
        let holds = instructions == 2 * self.entries();
        require(holds, unit, "instructions", instructions, "sets x ways x 2")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_named_with_value_and_rule() {
        let good = Parameters::default();
        let warps = "a multiple of schedulers x wave, at most 64 for each scheduler";
        let bad = [
            (Parameters { schedulers: 0, ..good }, "schedulers is 0; it must be 1, 2 or 4".to_string()),
            (Parameters { schedulers: 3, ..good }, "schedulers is 3; it must be 1, 2 or 4".into()),
            (Parameters { wave: 2, ..good }, "wave is 2; it must be 4, 8 or 16 warps".into()),
            (Parameters { wave: 32, ..good }, "wave is 32; it must be 4, 8 or 16 warps".into()),
            (Parameters { warps: 0, ..good }, format!("warps is 0; it must be {warps}")),
            (Parameters { warps: 96, ..good }, format!("warps is 96; it must be {warps}")),
            (Parameters { warps: 320, ..good }, format!("warps is 320; it must be {warps}")),
            (Parameters { swst: 0, ..good }, "swst is 0; it must be from 2 to 16".into()),
            (Parameters { swst: 1, ..good }, "swst is 1; it must be from 2 to 16".into()),
            (Parameters { swst: 17, ..good }, "swst is 17; it must be from 2 to 16".into()),
            (Parameters { sets: 12, ..good }, "sets is 12; it must be a power of two from 4 to 64".into()),
            (Parameters { sets: 2, ..good }, "sets is 2; it must be a power of two from 4 to 64".into()),
            (Parameters { sets: 128, ..good }, "sets is 128; it must be a power of two from 4 to 64".into()),
            (Parameters { ways: 1, ..good }, "ways is 1; it must be from 2 to 8".into()),
            (Parameters { ways: 9, ..good }, "ways is 9; it must be from 2 to 8".into()),
            (Parameters { age_cap: 3, ..good }, "age_cap is 3; it must be from 4 to 255".into()),
        ];
        for (parameters, text) in bad {
            let error = parameters.check("gw_front_end").map_err(|e| e.to_string());
            assert_eq!(error, Err(format!("gw_front_end: {text}")));
        }
        for wave in [4, 8, 16] {
            for (schedulers, warps) in [(1, 64), (2, 128), (4, 256), (4, 64)] {
                assert_eq!(Parameters { schedulers, warps, wave, ..good }.check("gw_front_end"), Ok(()));
            }
        }
    }

    #[test]
    fn parameters_of_the_baseline_out_of_range_are_named() {
        let error =
            |schedulers, warps| B32Parameters { schedulers, warps }.check("b32_front_end").map_err(|e| e.to_string());
        let warps = "it must be a multiple of 4 x schedulers, at most 64 for each scheduler";
        assert_eq!(error(3, 48), Err("b32_front_end: schedulers is 3; it must be 1, 2 or 4".into()));
        for wrong in [0, 44, 136] {
            assert_eq!(error(2, wrong), Err(format!("b32_front_end: warps is {wrong}; {warps}")));
        }
        assert_eq!((error(2, 48), error(4, 256), error(1, 4)), (Ok(()), Ok(()), Ok(())));
    }

    #[test]
    fn storage_holds_what_the_baseline_buffers_held() {
        let parameters = Parameters::default();
        assert_eq!(parameters.check_instructions("gw_front_end", 96), Ok(()));
        let error = parameters.check_instructions("gw_front_end", 100).unwrap_err();
        assert_eq!(error.to_string(), "gw_front_end: instructions is 100; it must be sets x ways x 2");
    }

    #[test]
    fn every_warp_has_a_place_and_a_pair_shares_a_scheduler() {
        let parameters = Parameters::default();
        for w in 0..parameters.warps {
            let (s, place) = parameters.place_of(w);
            assert!(s < 4 && place < 48);
            assert_eq!(parameters.warp_at(s, place), w);
            assert_eq!(parameters.place_of(w ^ 1), (s, place ^ 1));
        }
    }

    #[test]
    fn widths_are_those_of_the_page() {
        let p = Parameters::default();
        let widths = [p.scheduler_bits(), p.place_bits(), p.pair_bits(), p.group_bits(), p.swid_bits(), p.entry_bits()];
        assert_eq!(widths, [2, 6, 5, 2, 3, 6]);
        let p = Parameters { schedulers: 1, warps: 4, wave: 4, swst: 2, sets: 4, ways: 2, ..p };
        let widths = [p.scheduler_bits(), p.place_bits(), p.pair_bits(), p.group_bits(), p.swid_bits(), p.entry_bits()];
        assert_eq!(widths, [1, 2, 1, 1, 1, 3]);
        assert_eq!(Parameters { reuse: false, ..Parameters::default() }.entry_bits(), 8);
    }
}
