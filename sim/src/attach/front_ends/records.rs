//! Records of a kernel's instructions for a front end that is a unit.

use crate::core::path::Path;
use crate::core::Kernel;
use crate::launch::RunError;
use crate::ptx::isa::Class;
use crate::units::gw::gw_record;
use crate::units::gw::record::{self, Path as Way};

/// The unit's way for a path; `None`: it does not know it.
fn way(path: Path) -> Option<Way> {
    match path {
        Path::Sp => Some(Way::Sp),
        Path::Sfu => Some(Way::Sfu),
        Path::Dp => Some(Way::Dp),
        Path::Memory => Some(Way::Memory),
        Path::Port(_) => None,
    }
}

/// A record for each instruction.
#[derive(Clone, Debug, Default)]
pub struct Records {
    records: Vec<u128>,
    writes: Vec<u32>,
}

impl Records {
    /// For the front end of Graph-Waving.
    ///
    /// # Errors
    /// An instruction that no record can hold.
    pub fn of_graph_waving(kernel: &Kernel) -> Result<Self, RunError> {
        let meets = meets(kernel);
        let mut made = Records::new(kernel, |pc| may_go_into_a_wave(kernel, pc))?;
        for (pc, record) in made.records.iter_mut().enumerate() {
            *record = gw_record::pack(*record, !turns(kernel, pc), meets[pc + 1]);
        }
        Ok(made)
    }

    /// For the front end of the baseline. It is told of an instruction whether a warp may do anything behind it but go on with
    /// the next one at once: the instruction turns, or lanes that part at a branch meet behind it.
    ///
    /// # Errors
    /// An instruction that no record can hold.
    pub fn of_baseline(kernel: &Kernel) -> Result<Self, RunError> {
        let meets = meets(kernel);
        Records::new(kernel, |pc| turns(kernel, pc as usize) || meets[pc as usize + 1])
    }

    /// `flag`: bit 72 of an instruction's record.
    fn new(kernel: &Kernel, flag: impl Fn(u32) -> bool) -> Result<Self, RunError> {
        let mut made = Records::default();
        for pc in 0..kernel.program.code.len() as u32 {
            made.add(kernel, pc, flag(pc)).map_err(|rule| {
                let (kernel, source_file, line) = kernel.named(pc);
                RunError::Instruction { rule, kernel, source_file, line }
            })?;
        }
        Ok(made)
    }

    fn add(&mut self, kernel: &Kernel, pc: u32, flag: bool) -> Result<(), String> {
        if pc > u32::from(u16::MAX) {
            return Err("is behind the last one that this front end counts to, 65535".into());
        }
        let instr = &kernel.program.code[pc as usize];
        let (most_writes, most_reads) = (record::WRITES, record::READS);
        let (writes, reads) = (instr.writes.as_slice(), instr.reads.as_slice());
        if writes.len() > most_writes || reads.len() > most_reads {
            let rule = format!(
                "names more registers than a record of the front end: {most_writes} written, {most_reads} read"
            );
            return Err(rule);
        }
        let Some(way) = way(kernel.issue[pc as usize].path) else {
            return Err("is of the worklist, which this front end has no path to".into());
        };
        let mut numbers = [0; record::WRITES + record::READS];
        let (written, read) = numbers.split_at_mut(most_writes);
        // Numbers are those of the kernel's registers modulo 64.
        written.iter_mut().zip(writes).for_each(|(number, slot)| *number = (slot % 64) as u8);
        read.iter_mut().zip(reads).for_each(|(number, slot)| *number = (slot % 64) as u8);
        let (written, read) = (&written[..writes.len()], &read[..reads.len()]);
        self.records.push(record::pack(written, read, way, flag));
        self.writes.push(record::list(written) as u32);
        Ok(())
    }

    pub fn record(&self, pc: u32) -> Option<u128> {
        self.records.get(pc as usize).copied()
    }

    /// The baseline: behind the instruction a warp may do anything but go on with the next one.
    pub fn has_flow(&self, pc: u32) -> bool {
        record::flag(self.records[pc as usize])
    }

    /// Graph-Waving: behind the instruction a warp goes on with the next one.
    pub fn is_plain(&self, pc: u32, full: bool) -> bool {
        gw_record::is_plain(self.records[pc as usize], full)
    }

    /// The list of the written registers.
    pub fn writes(&self, pc: u32) -> u32 {
        self.writes[pc as usize]
    }
}

/// Behind the instruction a warp need not go on with the next one at once: it branches, halts or ends.
fn turns(kernel: &Kernel, pc: usize) -> bool {
    use Class::{Atomic, Barrier, Branch, Exit, Fence, System};
    matches!(kernel.program.code[pc].class, Branch | Exit | Barrier | Fence | Atomic | System(_))
}

/// For each instruction and the end, whether lanes that parted at a branch may meet there.
fn meets(kernel: &Kernel) -> Vec<bool> {
    let code = &kernel.program.code;
    let mut meets = vec![false; code.len() + 1];
    code.iter().filter(|instr| instr.class == Class::Branch).for_each(|instr| meets[instr.reconverge as usize] = true);
    meets
}

/// A scalar wave may take the instruction (6.3): behind it the warp goes on with the next one.
fn may_go_into_a_wave(kernel: &Kernel, pc: u32) -> bool {
    let goes_on = !matches!(kernel.program.code[pc as usize].class, Class::Branch | Class::Exit | Class::Barrier);
    goes_on && kernel.program.scalars.is_scalar(pc)
}
