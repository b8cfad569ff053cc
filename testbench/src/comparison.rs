//! Outputs of two bodies, pin by pin, where their values mean something.

use sim::unit::{words, Condition, Pin};
use std::ops::Range;

/// The output pins of a unit as a comparison sees them.
pub(crate) struct Comparison {
    outputs: Vec<Compared>,
    /// Number of outputs that mean something in every cycle.
    unconditional: u64,
    /// Where the words of these are.
    always: Vec<Range<usize>>,
}

/// A bit field of the output words.
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    equals: u64,
}

struct Compared {
    pin: String,
    words: Range<usize>,
    valid_if: Vec<Field>,
}

impl Compared {
    #[inline]
    fn means_something(&self, outputs: &[u64]) -> bool {
        let holds = |f: &Field| outputs[f.word] >> f.shift & f.mask == f.equals;
        self.valid_if.is_empty() || self.valid_if.iter().any(holds)
    }
}

impl Comparison {
    pub fn new(pins: &[Pin]) -> Self {
        let first_word = |name: &str| -> usize {
            let place =
                pins.iter().position(|pin| pin.name == name).expect("conditions name pins of the same direction");
            words(&pins[..place])
        };
        let field = |c: &Condition| Field {
            word: first_word(&c.pin) + c.lsb as usize / 64,
            shift: c.lsb % 64,
            mask: u64::MAX >> (64 - c.width),
            equals: c.equals,
        };
        let one = |pin: &Pin| {
            let first = first_word(&pin.name);
            let valid_if = pin.valid_if.iter().map(field).collect();
            Compared { pin: pin.name.clone(), words: first..first + pin.words(), valid_if }
        };
        let unconditional = pins.iter().filter(|pin| pin.valid_if.is_empty()).count() as u64;
        let outputs: Vec<_> = pins.iter().map(one).collect();
        Comparison { always: always(&outputs), outputs, unconditional }
    }

    /// Number of pins that mean something in a cycle with these outputs. `see` is told where their words are.
    #[inline]
    pub fn meaningful(&self, outputs: &[u64], mut see: impl FnMut(Range<usize>)) -> u64 {
        self.always.iter().for_each(|words| see(words.clone()));
        let mut pins = self.unconditional;
        for output in self.outputs.iter().filter(|output| !output.valid_if.is_empty()) {
            if output.means_something(outputs) {
                see(output.words.clone());
                pins += 1;
            }
        }
        pins
    }

    /// The place of the first pin that means something in `expected` and is not the same in `found`.
    #[inline]
    pub fn first_difference(&self, expected: &[u64], found: &[u64]) -> Option<usize> {
        let differences = expected.iter().zip(found).fold(0, |all, (a, b)| all | (a ^ b));
        if differences == 0 {
            return None;
        }
        let differs = |output: &Compared| {
            output.means_something(expected) && expected[output.words.clone()] != found[output.words.clone()]
        };
        self.outputs.iter().position(differs)
    }

    /// Name and words of the pin at `place`.
    pub fn pin(&self, place: usize) -> (&str, Range<usize>) {
        let Compared { pin, words, .. } = &self.outputs[place];
        (pin, words.clone())
    }
}

/// The words of outputs that mean something in every cycle; those of neighbours are one range.
fn always(outputs: &[Compared]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = vec![];
    for output in outputs.iter().filter(|output| output.valid_if.is_empty()) {
        match ranges.last_mut() {
            Some(last) if last.end == output.words.start => last.end = output.words.end,
            _ => ranges.push(output.words.clone()),
        }
    }
    ranges
}
