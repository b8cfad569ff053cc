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

    /// A read is on the pins, and is taken or not.
    fn ask(&mut self, tag: u8, is_taken: bool) -> Result<(), String> {
        let is_on_its_way = &mut self.0[usize::from(tag)];
        if *is_on_its_way {
            return Err(format!("a read with tag {tag}, which another read still has"));
        }
        *is_on_its_way = is_taken;
        Ok(())
    }

    /// The unit takes the data.
    fn end(&mut self, tag: u8) {
        self.0[usize::from(tag)] = false;
    }

    /// One of them.
    fn draw(&self, rng: &mut Rng) -> Option<u8> {
        let first = rng.below(READS as u32) as usize;
        (0..READS).map(|n| (first + n) % READS).find(|tag| self.0[*tag]).map(|tag| tag as u8)
    }
}

/// Data of reads, which memory has on the pins and the unit takes.
macro_rules! replies {
    ($stimulus:ty, $out:ty) => {
        impl $stimulus {
            /// Data of a read, in any order.
            fn reply(&mut self) {
                let Some(tag) = self.reading.draw(&mut self.rng) else { return };
                let pins = &mut self.pins;
                pins.reply_valid = true;
                pins.reply_tag = tag;
                pins.reply_data.iter_mut().for_each(|word| *word = self.rng.draw());
            }

            fn take_reply(&mut self, out: &$out) {
                let pins = &mut self.pins;
                self.findings.count(Event::ReplyWaits, pins.reply_valid && !out.reply_ready);
                if pins.reply_valid && out.reply_ready {
                    self.reading.end(pins.reply_tag);
                    pins.reply_valid = false;
                    self.findings.count(Event::Replied, true);
                }
            }
        }
    };
}
use replies;

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
