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
    /// A name, or its beginning and `*` where a unit has several.
    pin: &'static str,
    /// None of them where an instance can move all.
    bits: fn(&Instance) -> Range<u64>,
    reason: &'static str,
}

impl Waiver {
    fn is_of(&self, unit: &str, pin: &str) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let beginning = self.pin.trim_end_matches('*');
        let is_pin = pin == self.pin || (beginning != self.pin && pin.strip_prefix(beginning).is_some_and(is_number));
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

#[cfg(test)]
mod tests {
    use super::*;

    const PINS: [(&str, u32); 2] = [("held", 7), ("send_0", 1)];

    fn of_icrn(still: &[u32]) -> Verdict {
        let instance = hdl::catalog::find("icrn", &[("cores", 4)]).unwrap();
        judge(&instance, PINS.into_iter(), &BTreeMap::from([("held".to_string(), still.to_vec())]))
    }

    #[test]
    fn a_bit_that_cannot_move_is_waived() {
        let verdict = of_icrn(&[4, 5, 6]);
        assert!(verdict.still.is_empty() && verdict.wrong.is_none(), "{verdict:?}");
        assert_eq!((&verdict.waived[0].pin[..], &verdict.waived[0].bits[..]), ("held", "6:4"));
    }

    #[test]
    fn a_bit_that_should_have_moved_is_named() {
        let verdict = of_icrn(&[0, 3, 4, 5, 6]);
        assert_eq!(verdict.still, BTreeMap::from([("held".to_string(), "3, 0".to_string())]));
    }

    #[test]
    fn a_waived_bit_that_moved_is_an_error() {
        let wrong = of_icrn(&[5, 6]).wrong.unwrap();
        assert_eq!(
            wrong,
            "icrn_c4: held[4] moved, and is waived because the hub has two entries and one register for each core"
        );
    }
}
