//! Stimulus of units of the user's own: what the rules of their pins allow (docs/own-unit.md), whatever the unit does.

mod core;
mod partition;

pub use core::{CoreStimulus, Operations};
pub use partition::PartitionStimulus;

use super::{phases, Phases, Rng};
use sim::attach::user_unit::core::pins::READ_TAG_BITS;

const READS: usize = 1 << READ_TAG_BITS;

/// Reads on their way, by tag.
#[derive(Default)]
struct Reads([bool; READS]);

impl Reads {
    fn any(&self) -> bool {
        self.0.contains(&true)
    }

    /// A read is taken, or its data is.
    fn set(&mut self, tag: u8, is_on_its_way: bool) {
        self.0[usize::from(tag)] = is_on_its_way;
    }

    /// A unit may not read with this tag.
    fn check(&self, tag: u8) -> Result<(), String> {
        match self.0[usize::from(tag)] {
            true => Err(format!("a read with tag {tag}, which another read still has")),
            false => Ok(()),
        }
    }

    /// One of them.
    fn draw(&self, rng: &mut Rng) -> Option<u8> {
        let first = rng.below(READS as u32) as usize;
        (0..READS).map(|n| (first + n) % READS).find(|tag| self.0[*tag]).map(|tag| tag as u8)
    }
}

phases! {
    /// Chances that the unit is asked, memory answers, and the other side takes the unit's outputs.
    PACES: Pace (asks, answers, takes, narrow: bool)
        (256, 256, 256, false)
        (256, 128, 64, true)
        (64, 128, 256, false)
        (256, 16, 256, true)
        (16, 256, 24, false)
        (128, 128, 128, true)
}

impl Pace {
    /// Phases, and a reset between some of them.
    fn phases() -> Phases<Pace> {
        Phases::new(PACES, 50..600, 8)
    }

    /// Bits in which the lanes of an operand differ.
    fn mask(&self) -> u32 {
        if self.narrow {
            7
        } else {
            u32::MAX
        }
    }
}
