//! Bits of pins that no legal stimulus moves and places of the RTL that none reaches, each with its reason. One that is moved or reached
//! although it is waived is an error.

use crate::places::{Place, Places};
use crate::toggles::ranges;
use hdl::catalog::Instance;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

mod table;

use table::{PLACES, WAIVERS};

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
    pins: &mut dyn Iterator<Item = (&'a str, u32)>,
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

/// A place that is not reached for a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaivedPlace {
    pub place: Place,
    pub reason: &'static str,
}

/// Why no legal stimulus reaches places of a module, wherever the module is.
struct PlaceWaiver {
    /// Words of the module's name; empty: any module.
    module: &'static str,
    /// Parts of the texts of the places, each with its ways.
    places: &'static [(&'static str, &'static [&'static str])],
    /// The design around the module keeps the stimulus away.
    of: fn(&Instance) -> bool,
    reason: &'static str,
}

impl PlaceWaiver {
    fn is_of(&self, instance: &Instance, place: &Place) -> bool {
        let module = format!("_{}_", place.file.trim_end_matches(".v"));
        let is_named = |(text, ways): &(&str, &[&str])| place.text.contains(text) && ways.contains(&&place.way[..]);
        (self.module.is_empty() || module.contains(&format!("_{}_", self.module)))
            && self.places.iter().any(is_named)
            && (self.of)(instance)
    }
}

/// To which places of its Verilog a run took the RTL.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// All that there are.
    pub places: usize,
    /// Not tested.
    pub never: Vec<Place>,
    pub waived: Vec<WaivedPlace>,
    /// A waiver that is wrong, in one line.
    #[serde(skip)]
    pub wrong: Option<String>,
}

/// Splits the places that were never reached into those that should have been and those that cannot. `None`: the RTL has no place.
pub fn judge_places(instance: &Instance, places: Option<&Places>) -> Reached {
    let all = places.map(Places::reached).unwrap_or_default();
    let mut reached = Reached { places: all.len(), never: vec![], waived: vec![], wrong: None };
    for (place, is_reached) in all {
        match (PLACES.iter().find(|waiver| waiver.is_of(instance, place)), is_reached) {
            (Some(waiver), true) => {
                let line = format!("{place} was reached, and is waived because {}", waiver.reason);
                reached.wrong.get_or_insert(format!("{}: {line}", instance.module));
            }
            (Some(waiver), false) => {
                reached.waived.push(WaivedPlace { place: place.clone(), reason: waiver.reason });
            }
            (None, false) => reached.never.push(place.clone()),
            (None, true) => {}
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINS: [(&str, u32); 2] = [("held", 7), ("send_0", 1)];

    fn of_icrn(still: &[u32]) -> Verdict {
        let instance = hdl::catalog::find("icrn", &[("cores", 4)]).unwrap();
        judge(&instance, &mut PINS.into_iter(), &BTreeMap::from([("held".to_string(), still.to_vec())]))
    }

    #[test]
    fn a_bit_that_cannot_move_is_waived() {
        let verdict = of_icrn(&[4, 5, 6]);
        assert!(verdict.still.is_empty() && verdict.wrong.is_none(), "{verdict:?}");
        assert_eq!((&verdict.waived[0].pin[..], &verdict.waived[0].bits[..]), ("held", "6:4"));
    }

    /// Verdict on the network of two cores: the ways of its choice that cannot be, and of one that can.
    fn of_network(seen: [u8; 4]) -> Reached {
        let instance = hdl::catalog::find("icrn", &[("cores", 2)]).unwrap();
        let ways = |text: &str| ["if", "else"].map(|way| Place::of("icrn_c2.v", 86, way, text));
        let all = [ways("(|destination_later[1*2 +: 2]) ? :"), ways("crossing ? :")].concat();
        judge_places(&instance, Some(&Places::new(all, seen.to_vec())))
    }

    #[test]
    fn a_place_that_cannot_be_reached_is_waived_and_another_is_named() {
        let reached = of_network([0, 1, 0, 1]);
        assert_eq!((reached.places, reached.wrong), (4, None));
        assert_eq!(reached.never, [Place::of("icrn_c2.v", 86, "if", "crossing ? :")]);
        let waived: Vec<_> = reached.waived.iter().map(|waived| waived.place.to_string()).collect();
        assert_eq!(waived, ["icrn_c2.v:86: `(|destination_later[1*2 +: 2]) ? :`, true"]);
    }

    #[test]
    fn a_waived_place_that_was_reached_is_an_error() {
        let wrong = of_network([1, 1, 1, 1]).wrong.unwrap();
        assert!(wrong.starts_with("icrn_c2: icrn_c2.v:86: `(|destination_later[1*2 +: 2]) ? :`, true was reached, and is waived because of two cores, "), "{wrong}");
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
            "icrn_c4: held[4] moved, and is waived because the ICRN has two entries and one register for each core"
        );
    }
}
