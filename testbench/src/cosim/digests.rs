//! Digests of the RTL and stimulus of a co-simulation, so that a result says when it is stale.

use crate::stimulus::{Stimulus, LEGAL};
use gen::digest::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sim::unit::{words, Pins, Unit};

/// SHA-256 of the two sides of a co-simulation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Digests {
    /// Digest of the RTL's text, without comments, white space and `` `timescale ``.
    pub rtl: String,
    /// Digest of all pins in the first cycles of the model and its stimulus without RTL. A change of either that shows
    /// later than that does not change it.
    pub stimulus: String,
}

/// Cycles that [`Digests::stimulus`] is made from.
const CYCLES: u64 = 1 << 13;

/// [`Digests::stimulus`] of a model and its stimulus, both fresh.
pub(super) fn of_first_cycles<U: Unit>(mut model: U, mut stimulus: impl Stimulus<In = U::In, Out = U::Out>) -> String {
    let interface = model.interface();
    let mut pins = U::In::for_pins(&interface.inputs);
    let mut outputs = model.outputs();
    let (mut inputs, mut results) = (vec![0; words(&interface.inputs)], vec![0; words(&interface.outputs)]);
    let mut hash = Sha256::new();
    for _ in 0..CYCLES {
        let reset = stimulus.next(&outputs, &mut pins);
        pins.store(&mut inputs);
        add(&mut hash, &[u64::from(reset)]);
        add(&mut hash, &inputs);
        if reset {
            model.reset();
        } else {
            model.clock(&pins).expect(LEGAL);
        }
        model.sample(&mut outputs);
        outputs.store(&mut results);
        add(&mut hash, &results);
    }
    hex(hash.finalize())
}

fn add(hash: &mut Sha256, words: &[u64]) {
    words.iter().for_each(|word| hash.update(word.to_le_bytes()));
}
