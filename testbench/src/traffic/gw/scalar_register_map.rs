//! Legal random inputs of `scalar_register_map`: warps start, and are checked with records, perhaps again with the same one.
//! An instruction is scalar only if all that it reads was written so, and a second check says what the first did.

use super::places::{all, any, some};
use super::records::Instruction;
use crate::traffic::{bits, events, phases, Chance, Phases, Rng, Traffic};
use sim::units::gw::pins::{ScalarRegisterMapIn, ScalarRegisterMapOut};
use sim::units::gw::Parameters;

events! { ScalarRegisterMapTraffic:
    Scalar = "a scalar instruction",
    NoOperands = "a scalar instruction that reads nothing",
    FromScalars = "a scalar instruction that reads what scalars wrote",
    VectorOperand = "refused: an operand in vector form",
    NotFull = "refused: not all lanes are active",
    NotMarked = "refused: only its record says that it is no scalar",
    WavesOff = "refused: waves are off",
    Mixed = "of the warps checked together some are scalar",
    ToScalar = "a register goes from vector to scalar form",
    ToVector = "a register goes from scalar to vector form",
    InTurn = "checks in successive cycles",
    SameWarp = "a warp is checked with another record two cycles later",
    Again = "a warp is checked again with the same record",
    All = "all warps are checked together",
    Start = "a warp starts whose registers had scalar form",
    StartAsOthers = "a warp starts as the record of others comes",
    Reset = "reset with registers in scalar form",
}

phases! {
    /// `checked`: of the warps that may be.
    PHASES: Phase (checks, checked, scalar, full, starts, registers: u32)
    (200, 60, 220, 240, 1, 8)
    (256, 20, 250, 256, 0, 4)
    (128, 256, 250, 250, 4, 4)
    (256, 100, 128, 128, 20, 64)
    (60, 10, 256, 256, 1, 2)
}

#[derive(Default)]
pub struct ScalarRegisterMapTraffic {
    rng: Rng,
    places: usize,
    phase: Phases<Phase>,
    waves_on: bool,
    /// Registers in scalar form, for each place.
    forms: Vec<u64>,
    scalar: u64,
    full: u64,
    /// Checked in the previous cycle, and whether the record is that of their last check.
    checked: u64,
    with: Option<Instruction>,
    before: u64,
    /// May be checked again, with this record.
    again: u64,
    last: Instruction,
    findings: Findings,
}

impl ScalarRegisterMapTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        ScalarRegisterMapTraffic {
            rng: Rng::new(seed),
            places: parameters.places(),
            phase: Phases::new(PHASES, 20..320, 8),
            waves_on: true,
            forms: vec![0; 64],
            ..Default::default()
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.forms.iter().any(|forms| *forms != 0));
        self.forms.fill(0);
        (self.scalar, self.checked, self.before, self.again) = (0, 0, 0, 0);
        self.with = None;
        self.waves_on = !self.rng.one_in(8);
    }

    /// What the record says of a warp that was checked.
    fn record(&mut self, place: usize, record: &Instruction, is_again: bool) -> Result<(), String> {
        let (forms, full) = (self.forms[place], self.full >> place & 1 == 1);
        let operands = record.reads & !forms == 0;
        let scalar = record.scalar && full && self.waves_on && operands;
        if is_again && scalar != (self.scalar >> place & 1 == 1) {
            return Err(format!("a second check of place {place} says scalar: {scalar}"));
        }
        let after = if scalar { forms | record.writes } else { forms & !record.writes };
        self.forms[place] = after;
        self.scalar = self.scalar & !(1 << place) | u64::from(scalar) << place;
        let c = &mut self.findings;
        c.count(Event::Scalar, scalar);
        c.count(Event::NoOperands, scalar && record.reads == 0);
        c.count(Event::FromScalars, scalar && record.reads != 0);
        c.count(Event::VectorOperand, record.scalar && full && self.waves_on && !operands);
        c.count(Event::NotFull, record.scalar && !full && self.waves_on && operands);
        c.count(Event::NotMarked, !record.scalar && full && self.waves_on && operands);
        c.count(Event::WavesOff, record.scalar && full && !self.waves_on && operands);
        c.count(Event::ToScalar, after & !forms != 0);
        c.count(Event::ToVector, forms & !after != 0);
        c.count(Event::Again, is_again);
        Ok(())
    }

    /// The record of those that were checked in the previous cycle.
    fn records(&mut self, pins: &mut ScalarRegisterMapIn) -> Result<(), String> {
        if self.checked == 0 {
            // Nobody reads it.
            pins.record = Instruction::any(&mut self.rng, 64, true).record;
            return Ok(());
        }
        let scalar = self.phase.scalar.happens(&mut self.rng);
        let is_again = self.with.is_some();
        let record = self.with.unwrap_or_else(|| Instruction::any(&mut self.rng, self.phase.registers, scalar));
        pins.record = record.record;
        let checked = self.checked;
        bits(checked).try_for_each(|place| self.record(place, &record, is_again))?;
        let is_mixed = self.scalar & checked != 0 && !self.scalar & checked != 0;
        self.findings.count(Event::Mixed, is_mixed);
        self.findings.count(Event::All, checked == all(self.places));
        self.last = record;
        self.again = checked;
        Ok(())
    }

    /// Chooses who is checked in this cycle.
    fn check(&mut self) -> u64 {
        let rng = &mut self.rng;
        let may = all(self.places) & !self.checked;
        if !self.phase.checks.happens(rng) || may == 0 {
            return 0;
        }
        self.with = (self.again & may != 0 && rng.one_in(4)).then_some(self.last);
        let of = if self.with.is_some() { self.again & may } else { may };
        some(rng, self.phase.checked, of) | any(rng, of).map_or(0, |place| 1 << place)
    }

    fn cycle(&mut self, pins: &mut ScalarRegisterMapIn) -> Result<(), String> {
        let rng = &mut self.rng;
        // Lanes come and go as a warp issues: not between two checks with one record.
        let steady = self.checked | self.again;
        self.full = self.full & steady | some(rng, self.phase.full, all(self.places)) & !steady;
        pins.full = self.full;
        pins.waves_on = self.waves_on;
        let old = self.checked;
        self.records(pins)?;
        let checked = self.check();
        pins.check_warps = checked;
        let c = &mut self.findings;
        c.count(Event::InTurn, old != 0 && checked != 0);
        c.count(Event::SameWarp, checked & self.before != 0 && self.with.is_none());
        self.before = old;
        self.checked = checked;
        pins.start = 0;
        if self.phase.starts.happens(&mut self.rng) {
            pins.start = some(&mut self.rng, Chance(40), all(self.places) & !old & !checked);
        }
        for place in bits(pins.start) {
            self.findings.count(Event::Start, self.forms[place] != 0);
            self.forms[place] = 0;
        }
        self.findings.count(Event::StartAsOthers, pins.start != 0 && old != 0);
        self.scalar &= !pins.start;
        self.again &= !pins.start;
        Ok(())
    }
}

impl Traffic for ScalarRegisterMapTraffic {
    type In = ScalarRegisterMapIn;
    type Out = ScalarRegisterMapOut;

    fn next(&mut self, outputs: &ScalarRegisterMapOut, pins: &mut ScalarRegisterMapIn) -> bool {
        if outputs.scalar != self.scalar {
            let text = format!("scalar is {:#x}, due is {:#x}", outputs.scalar, self.scalar);
            self.findings.complain(text);
        }
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        let result = self.cycle(pins);
        self.findings.check(result);
        false
    }
}
