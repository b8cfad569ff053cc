//! IDs in a unit: each is given out once, and comes out once.

/// Label of an ID: where it belongs, and its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub part: bool,
    /// Lane, or core and lane.
    pub owner: u16,
}

/// Bits of an ID.
const BITS: u32 = 24;
const MASK: u32 = (1 << BITS) - 1;
/// IDs in order of their issue look random: they are multiples of an odd number.
const STRIDE: u32 = 0x9e_3779;
/// Places by which a ledger of near IDs turns the number of issue. 64 IDs in a row share the bits 8 to 13.
const TURN: u32 = 2;
/// `STRIDE * INVERSE` is 1 modulo 2^24.
const INVERSE: u32 = inverse(STRIDE) & MASK;

const PRESENT: u16 = 1 << 15;
const PART: u16 = 1 << 14;

/// Newton's iteration doubles the number of right bits, 3 at first.
const fn inverse(odd: u32) -> u32 {
    let mut x = odd;
    let mut i = 0;
    while i < 4 {
        x = x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x)));
        i += 1;
    }
    x
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// By number of issue.
    labels: Vec<u16>,
    /// IDs that follow each other have numbers near each other.
    near: bool,
    inside: [u32; 2],
}

impl Ledger {
    /// IDs inside that belong to partition 0 and 1.
    pub fn inside(&self) -> [u32; 2] {
        self.inside
    }

    pub fn total(&self) -> u32 {
        self.inside[0] + self.inside[1]
    }

    /// A new ID. There are 2^24; a run that needs more is too long.
    #[inline]
    pub fn issue(&mut self, label: Label) -> u32 {
        let number = self.labels.len() as u32;
        assert!(number <= MASK, "a segment of co-simulation that uses up all IDs");
        self.labels.push(PRESENT | u16::from(label.part) << 14 | label.owner);
        self.inside[label.part as usize] += 1;
        if self.near {
            (number << TURN | number >> (BITS - TURN)) & MASK
        } else {
            number.wrapping_mul(STRIDE) & MASK
        }
    }

    fn number(&self, id: u32) -> usize {
        let number = if self.near { id >> TURN | id << (BITS - TURN) } else { id.wrapping_mul(INVERSE) };
        (number & MASK) as usize
    }

    /// IDs inside are dropped, and those of next time are `near` or not.
    pub fn begin(&mut self, near: bool) {
        *self = Ledger { near, ..Default::default() };
    }

    /// An ID comes out (or is dropped). `None`: it is not inside.
    #[inline]
    pub fn take(&mut self, id: u32) -> Option<Label> {
        let number = self.number(id);
        let label = self.labels.get_mut(number)?;
        if *label & PRESENT == 0 {
            return None;
        }
        *label &= !PRESENT;
        let part = *label & PART != 0;
        self.inside[part as usize] -= 1;
        Some(Label { part, owner: *label & (PART - 1) })
    }

    /// All that is inside is gone, as with a reset.
    pub fn clear(&mut self) {
        if self.total() > 0 {
            self.labels.iter_mut().for_each(|label| *label &= !PRESENT);
        }
        self.inside = [0; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_comes_out_once() {
        let mut ledger = Ledger::default();
        let label = |i: u16| Label { part: i.is_multiple_of(3), owner: i };
        let ids: Vec<u32> = (0..1000).map(|i| ledger.issue(label(i))).collect();
        assert_eq!(ledger.inside(), [666, 334]);
        assert!(ids.iter().all(|id| *id < 1 << BITS));
        for (i, id) in (0..).zip(&ids).skip(10) {
            assert_eq!(ledger.take(*id), Some(label(i)));
            assert_eq!(ledger.take(*id), None);
        }
        assert_eq!(ledger.total(), 10);
        ledger.clear();
        assert_eq!((ledger.take(ids[0]), ledger.total()), (None, 0));
        assert_eq!(ledger.take(12345), None);
    }

    #[test]
    fn near_ids_fill_one_bin_after_the_other() {
        let mut ledger = Ledger::default();
        ledger.begin(true);
        let ids: Vec<u32> = (0..200).map(|_| ledger.issue(Label::default())).collect();
        let bins: Vec<u32> = ids.iter().map(|id| id >> 8 & 63).collect();
        assert_eq!((bins[0], bins[63], bins[64], bins[199]), (0, 0, 1, 3));
        assert!(ids.iter().all(|id| ledger.take(*id).is_some()));
        assert_eq!(ledger.total(), 0);
    }
}
