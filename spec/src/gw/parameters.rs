//! Parameters of the front end.

use crate::parameter::{require, Parameter, ParameterError};
use crate::parameters;

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

pub const WARPS: Parameter = Parameter::new("warps", "narrow warps of a scheduler", 48)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

/// Warps of one scheduler of the baseline.
pub const WIDE_WARPS: Parameter = Parameter::new("warps", "32-wide warps of a scheduler of the baseline", 24)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

pub const WAVE: Parameter =
    Parameter::new("wave", "lanes of a scalar wave", 16).must_be("4, 8 or 16", |v| [4, 8, 16].contains(&v));

pub const SWST: Parameter = Parameter::new("swst", "entries of the scalar-wave status table", 8)
    .must_be("from 2 to 16", |v| (2..=16).contains(&v));

pub const AGE_CAP: Parameter = Parameter::new("age_cap", "cycles after which a scalar wave is urgent", 64)
    .must_be("from 4 to 255", |v| (4..=255).contains(&v));

/// Instructions of a warp that are checked and have not issued, at most.
pub const WINDOW: Parameter = Parameter::new("window", "instructions of a warp that are checked ahead", 2)
    .must_be("1 or 2", |v| (1..=2).contains(&v))
    .extra();

/// The paper has none of the two ways past the window and the status table.
pub const LAND: Parameter =
    Parameter::new("land", "1: an instruction can issue straight from its compare, if nothing else can", 0)
        .must_be("0 or 1", |v| v <= 1)
        .extra();

pub const EXPRESS: Parameter =
    Parameter::new("express", "1: a ready scalar issues as a wave at once, if nothing else can", 0)
        .must_be("0 or 1", |v| v <= 1)
        .extra();

pub const PREFETCH: Parameter =
    Parameter::new("prefetch", "1: the line behind one that was fetched is fetched ahead", 0)
        .must_be("0 or 1", |v| v <= 1)
        .extra();

/// A parameter of both front ends.
pub const LOWEST: Parameter =
    Parameter::new("lowest", "1: the warps at the lowest place issue first, not the next in turn", 0)
        .must_be("0 or 1", |v| v <= 1)
        .extra();

pub const SCHEDULERS: Parameter =
    Parameter::new("schedulers", "schedulers, a SIMD unit each", 4).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

pub const SETS: Parameter = Parameter::new("sets", "sets of the instruction storage", 16)
    .must_be("a power of two from 4 to 64", |v| v.is_power_of_two() && (4..=64).contains(&v));

pub const WAYS: Parameter = Parameter::new("ways", "entries of a set, of two instructions each", 3)
    .must_be("from 2 to 8", |v| (2..=8).contains(&v));

/// Warps of all schedulers.
pub const ALL_WARPS: Parameter = Parameter::new("warps", "narrow warps of all schedulers", 192)
    .must_be(WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

/// Warps of all schedulers of the baseline.
pub const ALL_WIDE_WARPS: Parameter = Parameter::new("warps", "32-wide warps of all schedulers of the baseline", 48)
    .must_be(WIDE_WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

pub const WIDE_SCHEDULERS: Parameter =
    Parameter::new("schedulers", "schedulers of the baseline", 2).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

pub const WARPS_OF_ALL: &str = "a multiple of schedulers x wave, at most 64 for each scheduler";

pub const WIDE_WARPS_OF_ALL: &str = "a multiple of 4 x schedulers, at most 64 for each scheduler";

parameters! {
    /// The default is the paper's processor (Table 1): 1,536 threads in warps of 8.
    Parameters {
        schedulers: usize = SCHEDULERS,
        /// W, of the processor.
        warps: usize = ALL_WARPS,
        /// V, lanes of a SIMD unit and warps of a scalar wave.
        wave: usize = WAVE,
        /// T, entries of a scheduler's scalar-wave status table.
        swst: usize = SWST,
        /// Sets of the instruction storage.
        sets: usize = SETS,
        /// Entries of a set.
        ways: usize = WAYS,
        /// Cycles after which a wave that has not issued goes before all others.
        age_cap: u8 = AGE_CAP,
        /// Instructions of a warp that are checked ahead.
        window: usize = WINDOW,
        /// An instruction can issue straight from its compare.
        land: bool = LAND,
        /// A ready scalar issues at once where nothing else can.
        express: bool = EXPRESS,
        /// The line behind one that was fetched is fetched ahead.
        prefetch: bool = PREFETCH,
        /// The warps at the lowest place issue first, not the next in turn.
        lowest: bool = LOWEST,
    } model {
        /// Warps share what was fetched. If not, every warp has an entry of its own: an ablation that only the model has.
        reuse: bool = true,
        /// Look-up, check and issue take one cycle: a limit that only the model has.
        ideal: bool = false,
    }
}

parameters! {
    /// Parameters of the baseline's front end. The default is B32: 1,536 threads in warps of 32.
    B32Parameters {
        schedulers: usize = WIDE_SCHEDULERS,
        /// W, of the processor.
        warps: usize = ALL_WIDE_WARPS,
        /// The warp at the lowest place issues first, not the next in turn.
        lowest: bool = LOWEST,
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
}

/// Bits of a number below `count`, at least 1.
pub fn bits(count: usize) -> u32 {
    count.next_power_of_two().ilog2().max(1)
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

    /// `Err` if the storage does not hold just so many instructions.
    pub fn check_instructions(&self, unit: &'static str, instructions: usize) -> Result<(), ParameterError> {
        let holds = instructions == 2 * self.entries();
        require(holds, unit, "instructions", instructions, "sets x ways x 2")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gw::{B32_FRONT_END, GW_FRONT_END};

    #[test]
    fn parameters_out_of_range_are_named_with_value_and_rule() {
        let good = Parameters::default();
        let warps = "a multiple of schedulers x wave, at most 64 for each scheduler";
        let bad = [
            (Parameters { schedulers: 0, ..good }, "schedulers = 0, but it must be 1, 2 or 4".to_string()),
            (Parameters { schedulers: 3, ..good }, "schedulers = 3, but it must be 1, 2 or 4".into()),
            (Parameters { wave: 2, ..good }, "wave = 2, but it must be 4, 8 or 16".into()),
            (Parameters { wave: 32, ..good }, "wave = 32, but it must be 4, 8 or 16".into()),
            (Parameters { warps: 0, ..good }, format!("warps = 0, but it must be {warps}")),
            (Parameters { warps: 96, ..good }, format!("warps = 96, but it must be {warps}")),
            (Parameters { warps: 320, ..good }, format!("warps = 320, but it must be {warps}")),
            (Parameters { swst: 0, ..good }, "swst = 0, but it must be from 2 to 16".into()),
            (Parameters { swst: 1, ..good }, "swst = 1, but it must be from 2 to 16".into()),
            (Parameters { swst: 17, ..good }, "swst = 17, but it must be from 2 to 16".into()),
            (Parameters { sets: 12, ..good }, "sets = 12, but it must be a power of two from 4 to 64".into()),
            (Parameters { sets: 2, ..good }, "sets = 2, but it must be a power of two from 4 to 64".into()),
            (Parameters { sets: 128, ..good }, "sets = 128, but it must be a power of two from 4 to 64".into()),
            (Parameters { ways: 1, ..good }, "ways = 1, but it must be from 2 to 8".into()),
            (Parameters { ways: 9, ..good }, "ways = 9, but it must be from 2 to 8".into()),
            (Parameters { age_cap: 3, ..good }, "age_cap = 3, but it must be from 4 to 255".into()),
        ];
        for (parameters, text) in bad {
            let error = parameters.check(&GW_FRONT_END).map_err(|e| e.to_string());
            assert_eq!(error, Err(format!("gw_front_end: {text}")));
        }
        for wave in [4, 8, 16] {
            for (schedulers, warps) in [(1, 64), (2, 128), (4, 256), (4, 64)] {
                assert_eq!(Parameters { schedulers, warps, wave, ..good }.check(&GW_FRONT_END), Ok(()));
            }
        }
    }

    #[test]
    fn parameters_of_the_baseline_out_of_range_are_named() {
        let error = |schedulers, warps| {
            B32Parameters { schedulers, warps, lowest: false }.check(&B32_FRONT_END).map_err(|e| e.to_string())
        };
        let warps = "it must be a multiple of 4 x schedulers, at most 64 for each scheduler";
        assert_eq!(error(3, 48), Err("b32_front_end: schedulers = 3, but it must be 1, 2 or 4".into()));
        for wrong in [0, 44, 136] {
            assert_eq!(error(2, wrong), Err(format!("b32_front_end: warps = {wrong}, but {warps}")));
        }
        assert_eq!((error(2, 48), error(4, 256), error(1, 4)), (Ok(()), Ok(()), Ok(())));
    }

    #[test]
    fn storage_holds_what_the_baseline_buffers_held() {
        let parameters = Parameters::default();
        assert_eq!(parameters.check_instructions("gw_front_end", 96), Ok(()));
        let error = parameters.check_instructions("gw_front_end", 100).unwrap_err();
        assert_eq!(error.to_string(), "gw_front_end: instructions = 100, but it must be sets x ways x 2");
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
