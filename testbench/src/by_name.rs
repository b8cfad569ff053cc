//! Co-simulation of units by their names: the units of the catalogue with the fixtures that the systems bring.

use crate::bridge::Model;
use crate::cosim::{AnyFixture, Cosim, CosimReport, Digests};
use crate::error::{Error, Result};
use crate::lockstep::Difference;
use crate::systems::SYSTEMS;
use crate::trace::Trace;
use crate::user_verilog::UserVerilog;
use crate::verilate::Verilator;
use gen::digest::sha256;
use gen::text::bare;
use hdl::catalog::Instance;
use std::path::{Path, PathBuf};

fn fixtures() -> impl Iterator<Item = &'static dyn AnyFixture> {
    SYSTEMS.into_iter().flat_map(|system| system.fixtures).copied()
}

/// Units that can be co-simulated, in the order of their systems.
pub fn units() -> Vec<&'static str> {
    let mut units: Vec<_> = fixtures().map(AnyFixture::unit).collect();
    units.dedup();
    units
}

/// Co-simulates `unit` for `cycles` cycles. `parameters` not given have their defaults. A difference leaves its files in
/// `directory`. `progress` is told the cycles so far.
///
/// # Errors
/// An unknown unit or parameter; a missing tool; Verilog that Verilator does not take. A difference is no error: it is in
/// the report.
pub fn cosim(
    unit: &str,
    parameters: &[(&str, u64)],
    cycles: u64,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<CosimReport> {
    Cosim::new(unit, parameters)?.run(cycles, seed, directory, progress)
}

/// Runs the inputs of a trace file again, on model and RTL as they are today.
///
/// # Errors
/// Errors of [`cosim`]; a file that is no trace, or of a unit with other pins.
pub fn replay(trace: &Path, directory: &Path) -> Result<Option<Difference>> {
    let subject = Trace::subject(trace)?;
    Cosim::new(&subject.unit, &subject.parameters())?.replay(trace, directory)
}

/// Constructors that look the unit up.
impl Cosim {
    /// # Errors
    /// Errors of [`cosim`].
    pub fn new(unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        Self::built_by(&Verilator::find()?, unit, parameters)
    }

    /// As [`Self::new`], with the model of the RTL that `verilator` builds.
    ///
    /// # Errors
    /// Errors of [`cosim`].
    pub fn built_by(verilator: &Verilator, unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        Self::of(verilator, instance, fixture)
    }

    /// As [`Self::new`], with the Verilog changed before it is built, in haste: for who breaks it on purpose.
    ///
    /// # Errors
    /// Errors of [`cosim`].
    pub fn with_changed_verilog(
        unit: &str,
        parameters: &[(&str, u64)],
        change: impl FnOnce(String) -> String,
    ) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let verilog = change(gen::elaborate(&instance)?.verilog());
        Self::of_verilog(instance, fixture, &verilog, &Verilator::find()?.in_haste())
    }

    /// As [`Self::new`], with Verilog `files` of the user's own in the place of ours; see [`UserVerilog::read`].
    ///
    /// # Errors
    /// Errors of [`cosim`] and of [`UserVerilog::read`]; ports that are not the unit's pins.
    pub fn with_user_verilog(
        verilator: &Verilator,
        unit: &str,
        parameters: &[(&str, u64)],
        files: &[PathBuf],
        top: Option<&str>,
    ) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let own = UserVerilog::read(files, top, &instance)?;
        let model = Model::load(verilator, own.top(), &own, &fixture.interface(&instance)?)?;
        Ok(Self::built(instance, fixture, model, sha256(own.bare()), files.into()))
    }
}

/// The instance and the fixture for it.
pub(crate) fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<(Instance, &'static dyn AnyFixture)> {
    if !units().contains(&unit) {
        return Err(Error::Unit { unit: unit.into(), available: spelling::listed(unit, units()) });
    }
    let instance = hdl::catalog::find(unit, parameters)?;
    let fixture = fixtures().find(|fixture| fixture.is_of(&instance)).expect("a unit has a fixture for each instance");
    Ok((instance, fixture))
}

/// The digests that a co-simulation of `unit` with this `seed` has today; needs neither Verilator nor a compiler.
///
/// # Errors
/// An unknown unit or parameter.
pub fn digests(unit: &str, parameters: &[(&str, u64)], seed: u64) -> Result<Digests> {
    let (instance, fixture) = find(unit, parameters)?;
    Ok(Digests { rtl: sha256(bare(&gen::elaborate(&instance)?.verilog())), stimulus: fixture.digest(&instance, seed)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::{Cycle, Tape};
    use crate::stimulus::{AnyInputs, Rng};

    /// Shrinking and the model checker make inputs that nobody has checked. A model answers them, in any state, by its outputs or by the
    /// rule that they break, and never by a panic.
    #[test]
    fn any_inputs_are_answered() {
        let mut rng = Rng::new(1);
        for instance in hdl::catalog::catalog().into_iter().filter(|instance| units().contains(&instance.unit)) {
            let fixture = fixtures().find(|fixture| fixture.is_of(&instance)).unwrap();
            let mut any = AnyInputs::new(&fixture.interface(&instance).unwrap().inputs, rng.draw());
            let mut tape = Tape::default();
            fixture.player(&instance, rng.draw()).unwrap().record(200, &mut tape);
            let legal: Vec<Cycle> = tape.cycles().map(|(reset, inputs, _)| (reset, inputs.to_vec())).collect();
            assert_eq!(fixture.broken_rule(&instance, &legal).unwrap(), None);
            for _ in 0..10 {
                let mut cycles = legal.clone();
                for (_, inputs) in &mut cycles[rng.below(200) as usize..] {
                    let pins = inputs.iter_mut().zip(any.draw()).filter(|_| rng.one_in(8));
                    pins.for_each(|(legal, any)| *legal = *any);
                }
                fixture.broken_rule(&instance, &cycles).unwrap();
            }
        }
    }

    #[test]
    fn an_unknown_unit_is_named_with_those_that_there_are() {
        let error = find("sram", &[]).err().unwrap().to_string();
        let known = format!("no co-simulation for unit sram: there are {}", units().join(", "));
        assert_eq!(error, known + " (did you mean `sram_1rw`?)");
    }

    #[test]
    fn each_side_has_its_own_digest() {
        let bank = |entries, seed| digests("bank", &[("entries", entries)], seed).unwrap();
        let (one, other, seeded) = (bank(8, 1), bank(32, 1), bank(8, 2));
        assert_eq!(one, bank(8, 1));
        assert_ne!(one.rtl, other.rtl);
        assert_ne!(one.stimulus, other.stimulus);
        assert_eq!(one.rtl, seeded.rtl);
        assert_ne!(one.stimulus, seeded.stimulus);
    }
}
