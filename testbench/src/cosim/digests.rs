//! Digests of the RTL and stimulus of a co-simulation, so that a result says when it is stale.

use super::find;
use crate::error::Result;
use crate::traffic::{Traffic, LEGAL};
use gen::digest::{hex, sha256};
use gen::text::bare;
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
    pub traffic: String,
}

/// Cycles that [`Digests::traffic`] is made from.
const CYCLES: u64 = 1 << 13;

/// The digests that a co-simulation of `unit` with this `seed` has today; needs neither Verilator nor a compiler.
///
/// # Errors
/// An unknown unit or parameter.
pub fn digests(unit: &str, parameters: &[(&str, u64)], seed: u64) -> Result<Digests> {
    let (instance, fixture) = find(unit, parameters)?;
    Ok(Digests { rtl: sha256(bare(&gen::elaborate(&instance)?.verilog())), traffic: fixture.digest(&instance, seed)? })
}

/// [`Digests::traffic`] of a model and its traffic, both fresh.
pub(super) fn of_first_cycles<U: Unit>(mut model: U, mut traffic: impl Traffic<In = U::In, Out = U::Out>) -> String {
    let interface = model.interface();
    let mut pins = U::In::for_pins(&interface.inputs);
    let mut outputs = model.outputs();
    let (mut inputs, mut results) = (vec![0; words(&interface.inputs)], vec![0; words(&interface.outputs)]);
    let mut hash = Sha256::new();
    for _ in 0..CYCLES {
        let reset = traffic.next(&outputs, &mut pins);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_its_own_digest() {
        let bank = |entries, seed| digests("bank", &[("entries", entries)], seed).unwrap();
        let (one, other, seeded) = (bank(8, 1), bank(32, 1), bank(8, 2));
        assert_eq!(one, bank(8, 1));
        assert_ne!(one.rtl, other.rtl);
        assert_ne!(one.traffic, other.traffic);
        assert_eq!(one.rtl, seeded.rtl);
        assert_ne!(one.traffic, seeded.traffic);
    }
}
