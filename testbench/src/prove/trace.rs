//! A way to a cycle, for people: the pins that are not zero, a line for each cycle.

use super::question::first_of_name;
use crate::aig::{Aig, Builder, FALSE, TRUE};
use crate::shim::RESET;
use std::collections::BTreeMap;

/// The pins of the unit by cycle, from the reset on: `2: push push_data=3 | full`, inputs first.
pub(super) fn trace(aig: &Aig, rows: &[Vec<bool>]) -> Vec<String> {
    let inputs = aig.inputs.len();
    let literal = |bit: bool| if bit { TRUE } else { FALSE };
    let mut state: Vec<u32> = first_of_name(aig).iter().map(|first| literal(rows[0][inputs + first])).collect();
    let mut lines = vec![];
    for (cycle, row) in rows.iter().enumerate() {
        let is_forced = |name: &str| name == RESET && cycle == 0;
        let values: Vec<u32> = aig.inputs.iter().zip(row).map(|(name, &bit)| literal(bit || is_forced(name))).collect();
        let now = aig.copy(&mut Builder::new(0, 0), &values, &state);
        let outputs = aig.outputs.iter().filter(|(name, _)| !name.starts_with("unruly_"));
        let seen = outputs.map(|(name, value)| (name.as_str(), now.of(*value)));
        let driven = aig.inputs.iter().map(String::as_str).zip(values.iter().copied());
        // Outputs mean nothing before the reset.
        let seen = if cycle == 0 { String::new() } else { pins(seen) };
        lines.push(format!("{cycle}: {} | {seen}", pins(driven)));
        state = aig.next.iter().map(|&next| now.of(next)).collect();
    }
    lines
}

/// `push push_data=3`
fn pins<'a>(bits: impl Iterator<Item = (&'a str, u32)>) -> String {
    let mut pins: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut order = vec![];
    for (name, _) in bits.filter(|(_, value)| *value == TRUE) {
        let (pin, bit) = name.trim_end_matches(']').split_once('[').unwrap_or((name, ""));
        if !pins.contains_key(pin) {
            order.push(pin);
        }
        pins.entry(pin).or_default().extend(bit.parse::<usize>().ok());
    }
    order.iter().map(|pin| word(pin, &pins[pin])).collect::<Vec<_>>().join(" ")
}

/// A pin and its high bits; a pin of one bit has no numbers.
fn word(pin: &str, high: &[usize]) -> String {
    let Some(&top) = high.iter().max() else { return pin.into() };
    let digit = |place: usize| (0..4).filter(|bit| high.contains(&(4 * place + bit))).map(|bit| 1 << bit).sum::<u32>();
    let digits: String = (0..=top / 4).rev().filter_map(|place| char::from_digit(digit(place), 16)).collect();
    format!("{pin}=0x{digits}")
}
