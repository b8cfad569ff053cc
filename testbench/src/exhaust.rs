//! Functions of few inputs are equal if they are for all values of these.
//!
//! A checker that searches for a difference is slow where much is added and then folded with exclusive or, as in a hash: few inner
//! nodes of one circuit have an equal node in the other. An input that switches others off, as an enable does, is split on first.

use crate::aig::Builder;

/// Inputs that are tried with all their values: 2^32 of a thousand gates take a minute.
const MOST: usize = 32;

/// Words of values from one look at the end to the next.
const BETWEEN_ASKS: u64 = 1 << 14;

/// Values of an input that are tried at a time.
type Word = [u64; 4];

/// Inputs whose values are the bits of one [`Word`].
const IN_A_WORD: [Word; 8] = [
    [0xaaaa_aaaa_aaaa_aaaa; 4],
    [0xcccc_cccc_cccc_cccc; 4],
    [0xf0f0_f0f0_f0f0_f0f0; 4],
    [0xff00_ff00_ff00_ff00; 4],
    [0xffff_0000_ffff_0000; 4],
    [0xffff_ffff_0000_0000; 4],
    [0, !0, 0, !0],
    [0, 0, !0, !0],
];

/// Two literals that may be equal.
pub(crate) type Literals = (u32, u32);

/// Equality of the literals of each pair, whatever the inputs of the circuit are, which has no latches; none if that takes
/// too many values, or `ends` says that it is enough, which is asked several times a second.
pub(crate) fn are_equal(circuit: &Builder, pairs: &[Literals], ends: &dyn Fn() -> bool) -> Option<bool> {
    let pairs: Vec<Literals> = pairs.iter().filter(|(one, other)| one != other).copied().collect();
    let inputs = support(circuit, &pairs);
    if inputs.len() <= MOST {
        return are_equal_for_all_values(circuit, &pairs, &inputs, ends);
    }
    let split = |input: usize| [false, true].map(|value| cofactor(circuit, &pairs, input, value));
    let most =
        |halves: &[(Builder, Vec<Literals>); 2]| halves.iter().map(|(half, pairs)| support(half, pairs).len()).max();
    let halves = inputs.iter().map(|&input| split(input)).min_by_key(most)?;
    if most(&halves)? + 1 >= inputs.len() {
        return None;
    }
    let mut all = Some(true);
    for (half, pairs) in halves {
        match are_equal(&half, &pairs, ends) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// Inputs that these depend on.
fn support(circuit: &Builder, pairs: &[Literals]) -> Vec<usize> {
    circuit.gates_behind(&literals(pairs)).inputs
}

fn literals(pairs: &[Literals]) -> Vec<u32> {
    pairs.iter().flat_map(|&(one, other)| [one, other]).collect()
}

/// The pairs, but for those that become one literal, with a value for an input.
fn cofactor(circuit: &Builder, pairs: &[Literals], input: usize, value: bool) -> (Builder, Vec<Literals>) {
    let cone = circuit.gates_behind(&literals(pairs));
    let mut into = Builder::new(cone.inputs.len(), 0);
    let mut values = vec![0; cone.variables];
    for (place, &variable) in cone.inputs.iter().enumerate() {
        values[variable] = if variable == input { u32::from(value) } else { into.input(place) };
    }
    let of = |values: &[u32], literal: u32| values[literal as usize / 2] ^ literal & 1;
    for (variable, a, b) in cone.gates {
        values[variable] = into.and(of(&values, a), of(&values, b));
    }
    let pairs = pairs.iter().map(|&(one, other)| (of(&values, one), of(&values, other)));
    let pairs = pairs.filter(|(one, other)| one != other).collect();
    (into, pairs)
}

fn are_equal_for_all_values(
    circuit: &Builder,
    pairs: &[Literals],
    inputs: &[usize],
    ends: &dyn Fn() -> bool,
) -> Option<bool> {
    // Places without gaps stay in the nearest cache.
    let cone = circuit.gates_behind(&literals(pairs));
    let mut place_of = vec![0; cone.variables];
    for (place, variable) in (1..).zip(inputs.iter().copied().chain(cone.gates.iter().map(|gate| gate.0))) {
        place_of[variable] = place;
    }
    let pin =
        |literal: u32| Pin { place: place_of[literal as usize / 2], inverts: (u64::from(literal) & 1).wrapping_neg() };
    let gates: Vec<(Pin, Pin)> = cone.gates.iter().map(|&(_, a, b)| (pin(a), pin(b))).collect();
    let outputs: Vec<(Pin, Pin)> = pairs.iter().map(|&(one, other)| (pin(one), pin(other))).collect();
    let mut values: Vec<Word> = vec![[0; 4]; 1 + inputs.len() + gates.len()];
    let in_a_word = inputs.len().min(IN_A_WORD.len());
    values[1..=in_a_word].copy_from_slice(&IN_A_WORD[..in_a_word]);
    for count in 0..1_u64 << (inputs.len() - in_a_word) {
        if count % BETWEEN_ASKS == BETWEEN_ASKS - 1 && ends() {
            return None;
        }
        for (bit, value) in values[1 + in_a_word..=inputs.len()].iter_mut().enumerate() {
            *value = [(count >> bit & 1).wrapping_neg(); 4];
        }
        let mut place = inputs.len();
        for (a, b) in &gates {
            let (a, b) = (a.of(&values), b.of(&values));
            place += 1;
            values[place] = [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]];
        }
        if outputs.iter().any(|(one, other)| one.of(&values) != other.of(&values)) {
            return Some(false);
        }
    }
    Some(true)
}

/// Input of a gate.
struct Pin {
    place: usize,
    /// All ones if the value is inverted.
    inverts: u64,
}

impl Pin {
    #[inline]
    fn of(&self, values: &[Word]) -> Word {
        let value = &values[self.place];
        [value[0] ^ self.inverts, value[1] ^ self.inverts, value[2] ^ self.inverts, value[3] ^ self.inverts]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The carry of two numbers and a carry from below, step by step, and as a choice between those of both carries from below.
    fn sums(bits: usize, is_wrong: bool) -> (Builder, u32, u32) {
        let mut all = Builder::new(2 * bits + 1, 0);
        let below = all.input(2 * bits);
        let [mut carry, mut low, mut high] = [below, 0, 1];
        for bit in 0..bits {
            let (a, b) = (all.input(bit), all.input(bits + bit));
            let (any, both) = (all.or(a, b), all.and(a, b));
            [carry, low, high] = [carry, low, high].map(|carry| {
                let passed = all.and(any, carry);
                all.or(both, passed)
            });
        }
        let chooses = if is_wrong { all.input(0) } else { below };
        let other = all.select(chooses, high, low);
        assert_ne!(carry, other);
        (all, carry, other)
    }

    #[test]
    fn equal_and_unequal_carries_are_told_apart() {
        for bits in [1, 2, 5, 8] {
            let (all, one, other) = sums(bits, false);
            assert_eq!(are_equal(&all, &[(one, other)], &|| false), Some(true), "{bits}");
            let (all, one, other) = sums(bits, true);
            assert_eq!(are_equal(&all, &[(one, other)], &|| false), Some(false), "{bits}");
        }
    }

    #[test]
    fn a_single_value_that_differs_is_found_wherever_it_is() {
        for value in [0, 1, 63, 64, 200, 255_usize] {
            let mut all = Builder::new(8, 0);
            let is = |all: &Builder, bit: usize| all.input(bit) ^ u32::from(value >> bit & 1 == 0);
            let hit = (0..8).fold(1, |hit, bit| {
                let literal = is(&all, bit);
                all.and(hit, literal)
            });
            assert_eq!(are_equal(&all, &[(hit, 0)], &|| false), Some(false), "{value}");
        }
    }

    #[test]
    fn all_pairs_count() {
        let (all, one, other) = sums(5, false);
        assert_eq!(are_equal(&all, &[(one, other), (other, one)], &|| false), Some(true));
        assert_eq!(are_equal(&all, &[(one, other), (one, other ^ 1)], &|| false), Some(false));
        assert_eq!(are_equal(&all, &[], &|| false), Some(true));
    }

    /// One of many words is chosen, of which each choice leaves one.
    #[test]
    fn an_input_that_switches_others_off_is_split_on() {
        let mut all = Builder::new(2 * MOST + 1, 0);
        let chooses = all.input(2 * MOST);
        let many = |all: &mut Builder, from: usize| {
            (from..from + MOST - 4).fold(1, |every, place| {
                let literal = all.input(place);
                all.and(every, literal)
            })
        };
        let [left, right] = [0, MOST].map(|from| many(&mut all, from));
        let one = all.select(chooses, left, right);
        let (above, below) = (all.and(left, chooses), all.and(right, chooses ^ 1));
        let other = all.or(above, below);
        assert_eq!(are_equal(&all, &[(one, other)], &|| false), Some(true));
        for value in [chooses, chooses ^ 1] {
            // One input less counts with this choice alone.
            let [first, last] = [0, MOST].map(|from| all.input(from));
            let matters = if value == chooses { first } else { last };
            let but_one = all.and(other, value ^ 1);
            let wrong = all.and(value, matters);
            let wrong = all.or(but_one, wrong);
            assert_eq!(are_equal(&all, &[(one, wrong)], &|| false), Some(false), "{value}");
        }
    }

    #[test]
    fn it_ends_when_it_is_told() {
        let (all, one, other) = sums(13, false);
        assert_eq!(are_equal(&all, &[(one, other)], &|| true), None);
    }

    #[test]
    fn many_inputs_are_left_to_a_checker() {
        let mut all = Builder::new(MOST + 1, 0);
        let every = (0..=MOST).fold(1, |every, input| {
            let literal = all.input(input);
            all.and(every, literal)
        });
        assert_eq!(are_equal(&all, &[(every, 0)], &|| false), None);
    }
}
