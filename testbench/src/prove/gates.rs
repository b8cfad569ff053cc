//! RTL against the netlist that `unruly area` synthesises of it: with equal registers, all outputs and all registers of the next
//! cycle are equal, whatever the registers and the inputs are.

use super::fragment::{Claim, Kind};
use super::{Outcome, ProofReport, Verdict};
use crate::abc::{self, Equality};
use crate::aig::{Aig, Builder, Copied, FALSE};
use crate::error::{Error, Result};
use crate::exhaust;
use crate::watch::Watch;
use crate::yosys::{self, AIG};
use gen::liberty::{self, Liberty};
use gen::report::{self, PartInGates, Units};
use gen::tool::{Tools, LIMIT};
use hdl::catalog::{self, Instance};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Text between a register's name and the rest of a flip-flop's, which Yosys has named: `count_q[3]$_SDFF_PP1_.Q`.
const KIND_OF_FLIP_FLOP: &str = "$_";

/// Seconds of abc for all outputs and registers of a part together, before it is asked of each alone.
const TOGETHER: u32 = 60;
/// Seconds of abc for one of them.
const ALONE: u32 = 5;

/// Every unit with logic.
///
/// # Errors
/// Errors of [`Gates::of`].
pub fn all_gates() -> Result<Vec<Gates>> {
    let all = catalog::units().into_iter().map(|unit| Gates::of(unit.name, &[]));
    all.filter(|gates| !matches!(gates, Err(Error::NoGates { .. }))).collect()
}

/// A unit beside its netlist.
pub struct Gates {
    instance: Instance,
    units: Units,
    liberty: Liberty,
}

impl Gates {
    /// `unit` of the size that `properties` says, of which `parameters` change some, in the cells of the usual library.
    ///
    /// # Errors
    /// An unknown unit; one that is a memory and has no gates; no library.
    pub fn of(unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        let usual =
            catalog::units().into_iter().find(|known| known.name == unit).map_or(&[][..], |known| known.sizes.gates);
        let usual = usual.iter().filter(|(name, _)| !parameters.iter().any(|(other, _)| other == name));
        let instance = catalog::find(unit, &usual.chain(parameters).copied().collect::<Vec<_>>())?;
        let units = Units::elaborate(std::slice::from_ref(&instance), &[])?;
        if units.is_memory() {
            return Err(Error::NoGates { unit: unit.into() });
        }
        Ok(Gates { instance, units, liberty: Liberty::read(None)? })
    }

    pub fn unit(&self) -> &'static str {
        self.instance.unit
    }

    /// Digest of all that the netlist follows from.
    pub fn digest(&self) -> String {
        self.units.digests(&self.liberty).concat()
    }

    /// Each part of the unit, with so many `seconds` for a question; netlists are kept in `cache`.
    ///
    /// # Errors
    /// A missing tool; an interruption.
    pub fn prove(&self, cache: &Path, seconds: u32) -> Result<ProofReport> {
        self.prove_changed(cache, seconds, |netlist| netlist.into())
    }

    /// A proof with changed netlists.
    ///
    /// # Errors
    /// Errors of [`Self::prove`].
    pub fn prove_changed(&self, cache: &Path, seconds: u32, change: impl Fn(&str) -> String) -> Result<ProofReport> {
        let watch = Watch::of_this_process();
        let module = &self.instance.module;
        let tick = || watch.say(&format!("synthesis of {module}"));
        let tools = Tools { interrupt: watch.interrupt(), limit: LIMIT, tick: &tick };
        let parts = report::in_gates(&self.units, &self.liberty, cache, tools).map_err(|error| match error {
            gen::Error::Interrupted => Error::Interrupted,
            error => error.into(),
        })?;
        let verdict = |part: PartInGates| {
            let part = PartInGates { netlist: change(&part.netlist), ..part };
            self.verdict(&part, seconds)
        };
        Ok(ProofReport {
            unit: self.instance.unit.into(),
            module: module.clone(),
            parameters: self.instance.parameters_by_name(),
            digest: self.digest(),
            verdicts: parts.into_iter().map(verdict).collect::<Result<_>>()?,
        })
    }

    fn verdict(&self, part: &PartInGates, seconds: u32) -> Result<Verdict> {
        let begin = Instant::now();
        let directory = tempfile::tempdir()?;
        let pair = Pair::of(self.rtl(directory.path(), part)?, self.gates(directory.path(), part)?);
        let subject = format!("gates of {}", part.module);
        let (outcome, trace) = match pair.equality(directory.path(), seconds, &subject)? {
            Equality::Same => (Outcome::Proven, vec![]),
            Equality::Open => (Outcome::Bounded, vec![]),
            Equality::Different => (Outcome::Failed, pair.differences(directory.path(), seconds, &subject)?),
        };
        let registers = pair.registers();
        let sentence = match pair.found.len() - registers {
            0 => format!("{} outputs and {registers} registers do the same.", pair.rtl.outputs.len()),
            others => format!(
                "{} outputs and {registers} registers do the same; {others} that are constant or unused are not in the netlist.",
                pair.rtl.outputs.len()
            ),
        };
        let claim = Claim { name: part.module.clone(), kind: Kind::Property, sentence };
        Ok(Verdict { claim, outcome, cycles: None, trace, seconds: begin.elapsed().as_secs_f64() })
    }

    fn rtl(&self, directory: &Path, part: &PartInGates) -> Result<Aig> {
        write(directory, "rtl.v", &(part.ports_of_boxes.clone() + &part.rtl))?;
        let script = format!("read_verilog rtl.v; {}", circuit(part, "flatten"));
        yosys::aig(directory, &script, &format!("RTL of {}", part.module))
    }

    fn gates(&self, directory: &Path, part: &PartInGates) -> Result<Aig> {
        write(directory, liberty::FILE, &self.liberty.text)?;
        write(directory, "gates.v", &(part.ports_of_boxes.clone() + &part.netlist))?;
        // Cells of a library are boxes that Yosys can look into.
        let script = format!("read_liberty {}; read_verilog gates.v; {}", liberty::FILE, circuit(part, "flatten -wb"));
        yosys::aig(directory, &script, &format!("netlist of {}", part.module))
    }
}

/// Commands that make one circuit of a part: pins of memories and of other parts become pins of its own.
fn circuit(part: &PartInGates, flatten: &str) -> String {
    let boxes: String = part.boxes.iter().map(|name| format!(" t:{name}")).collect();
    let expose = if boxes.is_empty() { String::new() } else { format!("expose -evert{boxes}; ") };
    format!("hierarchy -check -top {}; proc; {flatten}; opt_clean; {expose}{AIG}", part.module)
}

fn write(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = directory.join(name);
    fs::write(&path, text).map_err(Error::file(&path))
}

/// Counterpart in the netlist of a register of the RTL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// A register, or its inverse: synthesis inverts what a reset sets.
    Register { place: usize, is_inverted: bool },
    /// Nothing: it is 0, and stays so.
    Zero,
    /// Nothing: nobody needs it.
    Nothing,
}

struct Pair {
    rtl: Aig,
    gates: Aig,
    /// For each register of the RTL.
    found: Vec<Found>,
}

impl Pair {
    /// Registers have one name on both sides. A wrong one would be no proof: its next values would differ.
    fn of(rtl: Aig, gates: Aig) -> Self {
        let mut known: HashMap<&str, Found> = HashMap::new();
        for (place, names) in gates.states.iter().enumerate() {
            for name in names.split(' ') {
                match name.split_once(KIND_OF_FLIP_FLOP) {
                    None => drop(known.insert(name, Found::Register { place, is_inverted: false })),
                    Some((register, _)) => {
                        known.entry(register).or_insert(Found::Register { place, is_inverted: true });
                    }
                }
            }
        }
        let find = |names: &String| names.split(' ').find_map(|name| known.get(name)).copied().unwrap_or(Found::Zero);
        let found = rtl.states.iter().map(find).collect();
        let mut pair = Pair { rtl, gates, found };
        while pair.forget_changing() {}
        pair.find_equal();
        pair
    }

    /// Registers that are kept once, under the name of another: both take the same value in each cycle.
    fn find_equal(&mut self) {
        let (mut into, values) = self.variables(0);
        let next = self.next_of_rtl(&mut into, &values);
        let registers = self.found.iter().zip(&next).filter(|(found, _)| matches!(found, Found::Register { .. }));
        let kept: HashMap<u32, Found> = registers.map(|(found, next)| (*next, *found)).collect();
        for (found, next) in self.found.iter_mut().zip(&next).filter(|(found, _)| **found == Found::Nothing) {
            *found = kept.get(next).copied().unwrap_or(Found::Nothing);
        }
    }

    /// Registers that are not 0 for ever, while the others of these are. Whether there are any.
    fn forget_changing(&mut self) -> bool {
        let (mut into, values) = self.variables(0);
        let next = self.next_of_rtl(&mut into, &values);
        let changes = |(found, next): (&Found, &u32)| *found == Found::Zero && *next != FALSE;
        let changing: Vec<bool> = self.found.iter().zip(&next).map(changes).collect();
        for (found, changes) in self.found.iter_mut().zip(&changing) {
            if *changes {
                *found = Found::Nothing;
            }
        }
        changing.contains(&true)
    }

    fn next_of_rtl(&self, into: &mut Builder, values: &[u32]) -> Vec<u32> {
        let copied = self.copy_of_rtl(into, values);
        self.rtl.next.iter().map(|&next| copied.of(next)).collect()
    }

    /// Number of registers that both have.
    fn registers(&self) -> usize {
        self.found.iter().filter(|found| matches!(found, Found::Register { .. })).count()
    }

    /// A circuit whose inputs are those of the part, the registers of the netlist, and those that only the RTL has.
    fn variables(&self, latches: usize) -> (Builder, Vec<u32>) {
        let count = self.rtl.inputs.len() + self.gates.latches() + self.rtl.latches();
        let into = Builder::new(count, latches);
        let values = (0..count).map(|place| into.input(place)).collect();
        (into, values)
    }

    /// Outputs and next values of the registers of both. What abc finds neither together nor alone is tried with all values.
    fn equality(&self, directory: &Path, seconds: u32, subject: &str) -> Result<Equality> {
        let (mut into, values) = self.variables(0);
        let [one, other] = [true, false].map(|of_rtl| self.side(&mut into, &values, of_rtl));
        let same = |pairs: &[exhaust::Literals], seconds: u32| {
            let (one, other): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
            let [one, other] = into.two([&one, &other]);
            abc::same(directory, [&one, &other], seconds, subject)
        };
        let all: Vec<exhaust::Literals> = one.into_iter().zip(other).collect();
        let together = same(&all, seconds.min(TOGETHER))?;
        if together != Equality::Open {
            return Ok(together);
        }
        let mut open = vec![];
        for pair in all.into_iter().filter(|(one, other)| one != other) {
            match same(&[pair], seconds.min(ALONE))? {
                Equality::Same => {}
                Equality::Different => return Ok(Equality::Different),
                Equality::Open => open.push(pair),
            }
        }
        let (begin, watch) = (Instant::now(), Watch::of_this_process());
        let ends = || {
            watch.say(&format!("building {subject}: all values of its inputs, {} s", begin.elapsed().as_secs()));
            watch.is_interrupted() || begin.elapsed() > abc::longest(seconds)
        };
        let equal = exhaust::are_equal(&into, &open, &ends);
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        match equal {
            Some(true) => Ok(Equality::Same),
            Some(false) => Ok(Equality::Different),
            None => same(&open, seconds),
        }
    }

    fn side(&self, into: &mut Builder, values: &[u32], of_rtl: bool) -> Vec<u32> {
        match of_rtl {
            true => self.side_of_rtl(into, values),
            false => self.side_of_gates(into, values),
        }
    }

    fn copy_of_rtl(&self, into: &mut Builder, values: &[u32]) -> Copied {
        let (inputs, rest) = values.split_at(self.rtl.inputs.len());
        let (in_gates, in_rtl) = rest.split_at(self.gates.latches());
        let state = self.found.iter().zip(in_rtl).map(|(found, own)| match found {
            Found::Register { place, is_inverted } => in_gates[*place] ^ u32::from(*is_inverted),
            Found::Zero => FALSE,
            Found::Nothing => *own,
        });
        self.rtl.copy(into, inputs, &state.collect::<Vec<_>>())
    }

    fn side_of_rtl(&self, into: &mut Builder, values: &[u32]) -> Vec<u32> {
        let copied = self.copy_of_rtl(into, values);
        let is_in_both = |(_, found): &(&u32, &Found)| matches!(found, Found::Register { .. });
        let next = self.rtl.next.iter().zip(&self.found).filter(is_in_both).map(|(next, _)| next);
        self.rtl.outputs.iter().map(|(_, value)| value).chain(next).map(|&value| copied.of(value)).collect()
    }

    fn side_of_gates(&self, into: &mut Builder, values: &[u32]) -> Vec<u32> {
        let (inputs, rest) = values.split_at(self.rtl.inputs.len());
        let by_name: HashMap<_, _> = self.rtl.inputs.iter().zip(inputs).collect();
        let own: Vec<u32> =
            self.gates.inputs.iter().map(|name| by_name.get(name).map_or(FALSE, |&&value| value)).collect();
        let copied = self.gates.copy(into, &own, &rest[..self.gates.latches()]);
        let outputs: HashMap<_, _> = self.gates.outputs.iter().map(|(name, value)| (name, *value)).collect();
        // An output that the netlist has not is 0 there.
        let output = |(name, _): &(String, u32)| outputs.get(name).map_or(FALSE, |&value| copied.of(value));
        let next = self.found.iter().filter_map(|found| match found {
            Found::Register { place, is_inverted } => {
                Some(copied.of(self.gates.next[*place]) ^ u32::from(*is_inverted))
            }
            _ => None,
        });
        self.rtl.outputs.iter().map(output).chain(next).collect()
    }

    /// Names of outputs and registers that differ in some cycle.
    fn differences(&self, directory: &Path, seconds: u32, subject: &str) -> Result<Vec<String>> {
        let (mut into, values) = self.variables(1);
        let [rtl, gates] = [true, false].map(|side| self.side(&mut into, &values, side));
        let Some(values) = abc::difference(directory, into, [&rtl, &gates], seconds, subject)? else {
            return Ok(vec![]);
        };
        let [rtl, gates] = [true, false].map(|side| self.side(&mut Builder::new(0, 0), &values, side));
        let registers =
            self.rtl.states.iter().zip(&self.found).filter(|(_, found)| matches!(found, Found::Register { .. }));
        let names = self.rtl.outputs.iter().map(|(name, _)| name.clone());
        let names = names.chain(registers.map(|(name, _)| format!("next {name}")));
        let different = names.zip(rtl.iter().zip(&gates)).filter(|(_, (one, other))| one != other);
        Ok(different.map(|(name, (one, other))| format!("{name}: RTL {one}, netlist {other}")).collect())
    }
}
