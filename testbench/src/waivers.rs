//! Bits of pins that no legal traffic moves, each with its reason. A bit that moves although it is waived is an error.

use crate::toggles::ranges;
use hdl::catalog::Instance;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

mod table;

use table::WAIVERS;

/// Bits that stand still for a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waived {
    pub pin: String,
    /// As `9:6, 3`.
    pub bits: String,
    pub reason: &'static str,
}

/// Why bits of a pin cannot move, in some units.
struct Waiver {
    units: &'static [&'static str],
    /// A name, or its beginning and `*` for pins that are numbered.
    pin: &'static str,
    /// None of them where an instance can move all.
    bits: fn(&Instance) -> Range<u64>,
    reason: &'static str,
}

impl Waiver {
    fn is_of(&self, unit: &str, pin: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let is_pin = match self.pin.strip_suffix('*') {
            Some(beginning) => pin.strip_prefix(beginning).is_some_and(is_number),
            None => pin == self.pin,
        };
        is_pin && self.units.contains(&unit)
    }
}

/// Splits the bits that never moved into those that should have and those that cannot.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Not tested, by pin.
    pub still: BTreeMap<String, String>,
    pub waived: Vec<Waived>,
    /// A waiver that is wrong, in one line.
    pub wrong: Option<String>,
}

/// `pins` are all pins of the instance with their widths, `still` those bits that never moved.
pub fn judge<'a>(
    instance: &Instance,
    pins: impl Iterator<Item = (&'a str, u32)>,
    still: &BTreeMap<String, Vec<u32>>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for (pin, width) in pins {
        let mut left = still.get(pin).cloned().unwrap_or_default();
        for waiver in WAIVERS.iter().filter(|waiver| waiver.is_of(instance.unit, pin)) {
            let bits: Vec<u32> = (0..width).filter(|&bit| (waiver.bits)(instance).contains(&u64::from(bit))).collect();
            let moved: Vec<u32> = bits.iter().copied().filter(|bit| !left.contains(bit)).collect();
            if !moved.is_empty() {
                let line = format!("{pin}[{}] moved, and is waived because {}", ranges(&moved), waiver.reason);
                verdict.wrong.get_or_insert(format!("{}: {line}", instance.module));
            }
            if !bits.is_empty() {
                left.retain(|bit| !bits.contains(bit));
                verdict.waived.push(Waived { pin: pin.into(), bits: ranges(&bits), reason: waiver.reason });
            }
        }
        if !left.is_empty() {
            verdict.still.insert(pin.into(), ranges(&left));
        }
    }
    verdict
}
