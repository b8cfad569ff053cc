//! Assertions of the RTL under the unit's stimulus, whatever its outputs are.

use super::{segment, Cosim, Tape};
use crate::bridge::Instance as Rtl;
use crate::error::Result;
use crate::rtl::fill_seed;
use crate::stimulus::Rng;
use sim::unit::words;

/// Cycles that are recorded at a time.
const CHUNK: u64 = 1 << 10;

impl Cosim {
    /// The first rule of the RTL that breaks under the stimulus until the bodies of a run would be made anew, and after how many cycles.
    ///
    /// # Errors
    /// Parameters out of the model's range.
    pub fn broken_rule(&self, most: u64, first_seed: u64) -> Result<Option<(u64, String)>> {
        let seed = Rng::new(first_seed).draw();
        let interface = self.model.interface();
        let (low, mut outputs) = (vec![0; words(&interface.inputs)], vec![0; words(&interface.outputs)]);
        let mut player = self.fixture.player(&self.instance, seed)?;
        let mut rtl = Rtl::new(&self.model, fill_seed(seed));
        rtl.step(true, &low, &mut outputs);
        let (mut tape, mut done) = (Tape::default(), 0);
        while done < segment(&self.instance).min(most) {
            player.record(CHUNK, &mut tape);
            for (reset, inputs, _) in tape.cycles() {
                rtl.step(reset, inputs, &mut outputs);
                done += 1;
                if let Some(rule) = rtl.broken_rule() {
                    return Ok(Some((done, rule.into())));
                }
            }
        }
        Ok(None)
    }
}
