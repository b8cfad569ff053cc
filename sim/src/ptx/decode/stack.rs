//! Calls of functions that can call themselves: through a call stack in the thread's local memory.
//!
//! Such a function is decoded once. A register points at its *frame*: the address where it goes on when it has returned, its
//! parameters, results and variables, and what it saves while it waits for a call. A call becomes the instructions that a compiler
//! would write for it: the registers that are needed afterwards are stored, the parameters copied into the new frame, the address
//! stored, the pointer moved and a branch taken; behind it, the pointer is moved back, the results are copied and the registers
//! loaded. `ret` loads the address and branches there. Lanes that return to different places are a divergent branch.
//!
//! The lanes of a warp may be at different depths. They meet again where the control flow says, each with a frame of its own.

use super::super::ast::{self, Function, Type};
use super::super::instr::{BranchTable, Instr, Selects};
use super::super::isa::{Guard, Slot, Space};
use super::super::liveness::live_in;
use super::super::op::*;
use super::scope::{Binding, LabelId};
use super::{Decoder, Result};

/// A frame begins at a multiple of this, and with the return address.
const FRAME_ALIGNMENT: u64 = 16;

/// A function that has frames.
pub(super) struct Framed<'m> {
    function: &'m Function,
    entry: LabelId,
    /// Places of its results and parameters in the frame, and their names.
    names: Vec<(&'m str, u64)>,
    /// Bytes of the frame without what is saved.
    bytes: u64,
    /// Chooses where a `ret` goes.
    table: u16,
}

/// A call of such a function. Its `Nop` stands in the code until all is decoded.
pub(super) struct CallSite {
    at: u32,
    /// Index of the function that is called, and of that which calls if it has frames.
    callee: usize,
    caller: Option<usize>,
    /// Copies before and after: the caller's variable, the place in the frame of the function, bytes.
    params: Vec<(Binding, u64, u64)>,
    returns: Vec<(Binding, u64, u64)>,
}

/// A `ret`, at this place, of a function that has frames. An `Exit` stands there until all is decoded.
pub(super) struct Return {
    pub at: u32,
    pub framed: usize,
}

impl<'m> Decoder<'m> {
    /// Index of a function that needs frames; it is decoded later.
    pub fn framed(&mut self, function: &'m Function, line: u32) -> Result<usize> {
        if let Some(known) = self.framed.iter().position(|framed| framed.function.name == function.name) {
            return Ok(known);
        }
        let (mut names, mut bytes) = (Vec::new(), FRAME_ALIGNMENT);
        for variable in function.returns.iter().chain(&function.params) {
            let offset = bytes.next_multiple_of(variable.align);
            names.push((variable.name.as_str(), offset));
            bytes = offset + variable.bytes;
        }
        let entry = self.new_label();
        let table = self.table(line, BranchTable { selects: Selects::ReturnAddress, targets: Vec::new() })?;
        self.framed.push(Framed { function, entry, names, bytes, table });
        let index = self.framed.len() - 1;
        self.pending.push(super::Pending::Framed(index));
        Ok(index)
    }

    /// Appends the code of a function that has frames.
    pub fn framed_function(&mut self, index: usize) -> Result<()> {
        let Framed { function, entry, ref names, .. } = self.framed[index];
        let names = names.clone();
        (self.function, self.return_label, self.frame) = (&function.name, None, Some(index));
        self.place_label(entry);
        self.scopes.open();
        for (name, offset) in names {
            self.bind(function.line, name, Binding::Frame(offset))?;
        }
        self.body(function)?;
        self.scopes.close();
        Ok(())
    }

    /// Place of a variable in the frame of the function being decoded.
    pub fn place_in_frame(&mut self, frame: usize, variable: &ast::Variable) -> Binding {
        let bytes = &mut self.framed[frame].bytes;
        let offset = bytes.next_multiple_of(variable.align);
        *bytes = offset + variable.bytes;
        Binding::Frame(offset)
    }

    /// Notes that the next instruction calls a function with these variables.
    pub fn call_framed(&mut self, callee: usize, returns: &[Binding], params: &[Binding]) {
        let Framed { function, ref names, .. } = self.framed[callee];
        let formal = function.returns.iter().chain(&function.params).zip(names);
        let mut copies = formal.zip(returns.iter().chain(params)).map(|((v, (_, at)), from)| (*from, *at, v.bytes));
        let returns: Vec<_> = copies.by_ref().take(function.returns.len()).collect();
        let params = copies.collect();
        self.calls.push(CallSite { at: self.code.len() as u32, callee, caller: self.frame, params, returns });
    }

    /// The register that points at the frame.
    pub fn frame_pointer(&mut self) -> Slot {
        let Decoder { frame_pointer, scopes, .. } = self;
        *frame_pointer.get_or_insert_with(|| {
            let register = scopes.new_register(Type::BITS_64);
            scopes.slot(register)
        })
    }

    /// Replaces what stands for calls and returns by their code. All labels are resolved.
    pub fn write_calls(&mut self, line: u32) -> Result<()> {
        if self.framed.is_empty() {
            return Ok(());
        }
        let pointer = self.frame_pointer();
        let register = self.scopes.new_register(Type::BITS_64);
        let scratch = self.scopes.slot(register);
        let widths = self.scopes.slot_registers();
        let calls = std::mem::take(&mut self.calls);
        let live = live_in(&self.code, &self.tables, widths.len());
        let saved = |call: &CallSite| {
            let is_live = |slot: &usize| live[call.at as usize + 1][slot / 64] >> (slot % 64) & 1 == 1;
            let slots = (0..widths.len()).filter(is_live).map(|slot| slot as Slot).filter(|slot| *slot != pointer);
            Saved::new(slots.filter(|_| call.caller.is_some()), &widths)
        };
        let saved: Vec<_> = calls.iter().map(saved).collect();
        let mut frames: Vec<_> = self.framed.iter().map(|f| f.bytes.next_multiple_of(FRAME_ALIGNMENT)).collect();
        let without_saved = frames.clone();
        for (call, saved) in calls.iter().zip(&saved) {
            if let Some(caller) = call.caller {
                frames[caller] = frames[caller].max(without_saved[caller] + saved.bytes());
            }
        }
        let mut writer = Writer { decoder: self, pointer, scratch, code: Vec::new(), at: (line, None) };
        writer.begin()?;
        let mut new_pc = Vec::new();
        let old = std::mem::take(&mut writer.decoder.code);
        let mut returns = vec![Vec::new(); frames.len()];
        for (pc, instr) in old.into_iter().enumerate() {
            new_pc.push(writer.code.len() as u32);
            writer.at = (instr.line, instr.source);
            if let Ok(n) = calls.binary_search_by_key(&pc, |call| call.at as usize) {
                let (call, saved) = (&calls[n], &saved[n]);
                let frame = call.caller.map_or(0, |caller| frames[caller]);
                let save_at = call.caller.map_or(0, |caller| without_saved[caller]);
                let back = writer.call(call, instr.guard, frame, saved, save_at)?;
                returns[call.callee].push(back);
            } else if let Ok(n) = writer.decoder.returns.binary_search_by_key(&pc, |of| of.at as usize) {
                let framed = writer.decoder.returns[n].framed;
                writer.ret(framed, instr.guard);
            } else {
                writer.code.push(instr);
            }
        }
        new_pc.push(writer.code.len() as u32);
        self.code = writer.code;
        self.move_places(&new_pc, &returns);
        Ok(())
    }

    /// Everything that names a place in the code names the new one. `written` branches have it already.
    fn move_places(&mut self, new_pc: &[u32], returns: &[Vec<u32>]) {
        for instr in &mut self.code {
            match &mut instr.op {
                Op::Branch { target } if *target & WRITTEN != 0 => *target &= !WRITTEN,
                Op::Branch { target } => *target = new_pc[*target as usize],
                _ => {}
            }
        }
        for (_, target) in self.tables.iter_mut().flat_map(|table| &mut table.targets) {
            *target = new_pc[*target as usize];
        }
        for (framed, places) in self.framed.iter().zip(returns) {
            self.tables[usize::from(framed.table)].targets = places.iter().map(|pc| (u64::from(*pc), *pc)).collect();
        }
        self.pragmas.iter_mut().for_each(|pragma| pragma.pc = new_pc[pragma.pc as usize]);
        for region in &mut self.scalar_regions {
            *region = new_pc[region.start as usize]..new_pc[region.end as usize];
        }
    }
}

/// Marks the target of a branch that names a place in the new code.
const WRITTEN: u32 = 1 << 31;

/// Registers that a call saves: of 64 bits, of 32, and predicates.
struct Saved([Vec<Slot>; 3]);

impl Saved {
    fn new(slots: impl Iterator<Item = Slot>, widths: &[u32]) -> Self {
        let mut saved = Saved(Default::default());
        for slot in slots {
            let kind = match widths[usize::from(slot)] {
                2 => 0,
                1 => 1,
                _ => 2,
            };
            saved.0[kind].push(slot);
        }
        saved
    }

    fn bytes(&self) -> u64 {
        let [wide, words, predicates] = &self.0;
        (8 * wide.len() + 4 * (words.len() + predicates.len())).next_multiple_of(16) as u64
    }

    /// The registers of each memory access, bytes of one of them, and its place.
    fn accesses(&self) -> Vec<(Vec<Slot>, u8, u64)> {
        let [wide, words, _] = &self.0;
        let (mut at, mut accesses) = (0, Vec::new());
        for (slots, bytes) in [(wide, 8u8), (words, 4)] {
            let mut left = slots.as_slice();
            while !left.is_empty() {
                // As many as one access takes, at a multiple of its size.
                let fits = |n: usize| left.len() >= n && (at % (n as u64 * u64::from(bytes)) == 0);
                let count = [4, 2].into_iter().find(|n| n * usize::from(bytes) <= 16 && fits(*n)).unwrap_or(1);
                accesses.push((left[..count].to_vec(), bytes, at));
                at += count as u64 * u64::from(bytes);
                left = &left[count..];
            }
        }
        accesses
    }

    /// Predicates and their places.
    fn predicates(&self) -> impl Iterator<Item = (Slot, u64)> + '_ {
        let [wide, words, predicates] = &self.0;
        let first = (8 * wide.len() + 4 * words.len()) as u64;
        predicates.iter().enumerate().map(move |(n, slot)| (*slot, first + 4 * n as u64))
    }
}

/// Writes the code of calls and returns.
struct Writer<'d, 'm> {
    decoder: &'d mut Decoder<'m>,
    pointer: Slot,
    /// A register for what is used at once.
    scratch: Slot,
    code: Vec<Instr>,
    at: (u32, Option<super::SourceLine>),
}

impl Writer<'_, '_> {
    fn push(&mut self, op: Op) {
        self.push_guarded(op, None);
    }

    fn push_guarded(&mut self, op: Op, guard: Option<Guard>) {
        let mut reads = op.reads();
        if let Some(guard) = guard {
            reads.push(guard.slot);
        }
        let (line, source) = self.at;
        let (writes, class) = (op.writes(), op.class());
        self.code.push(Instr { op, guard, reads, writes, class, reconverge: 0, line, source });
    }

    fn immediate(&mut self, value: u64) -> Result<Operand> {
        Ok(Operand::Imm(self.decoder.immediate(self.at.0, value)?))
    }

    /// The first frame begins behind the thread's other local memory.
    fn begin(&mut self) -> Result<()> {
        let bottom = self.decoder.local_bytes.next_multiple_of(FRAME_ALIGNMENT);
        let a = self.immediate(bottom)?;
        self.push(Op::Move { dst: self.pointer, a });
        Ok(())
    }

    /// Writes a call; gives the place where it goes on.
    fn call(&mut self, call: &CallSite, guard: Option<Guard>, frame: u64, saved: &Saved, save_at: u64) -> Result<u32> {
        let around = guard.map(|guard| {
            self.push_guarded(Op::Branch { target: WRITTEN }, Some(Guard { negated: !guard.negated, ..guard }));
            self.code.len() - 1
        });
        self.save(saved, save_at)?;
        for (from, to, bytes) in &call.params {
            self.copy(self.place(from), self.in_frame(frame + to), *bytes);
        }
        let address = self.code.len();
        self.store(self.in_frame(frame), 8, &[Operand::Reg(self.scratch)]);
        self.move_pointer(IntOp::Add, frame)?;
        let target = self.decoder.framed[call.callee].entry;
        let entry = self.decoder.labels[target.0 as usize].unwrap_or_default();
        self.push(Op::Branch { target: entry });
        let back = self.code.len() as u32;
        self.code[address].op = match self.code[address].op {
            Op::Store(store) => Op::Store(Store { src: [self.immediate(u64::from(back))?; 4], ..store }),
            op => op,
        };
        self.code[address].reads = self.code[address].op.reads();
        self.move_pointer(IntOp::Sub, frame)?;
        for (to, from, bytes) in &call.returns {
            self.copy(self.in_frame(frame + from), self.place(to), *bytes);
        }
        self.restore(saved, save_at)?;
        if let Some(around) = around {
            self.code[around].op = Op::Branch { target: self.code.len() as u32 | WRITTEN };
        }
        Ok(back)
    }

    fn ret(&mut self, framed: usize, guard: Option<Guard>) {
        let load = self.load_op(self.in_frame(0), 8, &[self.scratch]);
        self.push_guarded(load, guard);
        let table = self.decoder.framed[framed].table;
        self.push_guarded(Op::BranchTable { selector: Operand::Reg(self.scratch), table }, guard);
    }

    fn move_pointer(&mut self, op: IntOp, bytes: u64) -> Result<()> {
        if bytes > 0 {
            let (dst, b) = (self.pointer, self.immediate(bytes)?);
            self.push(Op::Int { op, ty: IntType::U64, dst, a: Operand::Reg(dst), b });
        }
        Ok(())
    }

    /// An address in the frame of the caller, or behind it in the frame of the function that is called.
    fn in_frame(&self, offset: u64) -> Address {
        let base = Some(Operand::Reg(self.pointer));
        Address { space: MemorySpace::Known(Space::Local), base, offset: offset as i64 }
    }

    /// The address of a variable of the caller.
    fn place(&self, variable: &Binding) -> Address {
        match variable {
            Binding::Frame(offset) => self.in_frame(*offset),
            Binding::Symbol(symbol) => {
                let (space, offset) = (MemorySpace::Known(symbol.space), symbol.address as i64);
                Address { space, base: None, offset }
            }
            _ => self.in_frame(0),
        }
    }

    fn store(&mut self, address: Address, element_bytes: u8, values: &[Operand]) {
        let mut src = [values[0]; 4];
        src[..values.len()].copy_from_slice(values);
        self.push(Op::Store(Store { address, element_bytes, count: values.len() as u8, src }));
    }

    fn load_op(&self, address: Address, element_bytes: u8, slots: &[Slot]) -> Op {
        let mut dst = [None; 4];
        dst.iter_mut().zip(slots).for_each(|(to, slot)| *to = Some((*slot, 8 * element_bytes)));
        let element = Width { bits: 8 * element_bytes, signed: false };
        Op::Load(Load { address, element, count: slots.len() as u8, dst })
    }

    fn load(&mut self, address: Address, element_bytes: u8, slots: &[Slot]) {
        let op = self.load_op(address, element_bytes, slots);
        self.push(op);
    }

    /// Copies a variable, in the largest steps that both places are aligned to.
    fn copy(&mut self, from: Address, to: Address, bytes: u64) {
        let (mut done, scratch) = (0, self.scratch);
        while done < bytes {
            let at = |address: Address| Address { offset: address.offset + done as i64, ..address };
            let (from, to, left) = (at(from), at(to), bytes - done);
            let fits = |step: &u64| left >= *step && ((from.offset | to.offset) as u64).is_multiple_of(*step);
            let step = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
            self.load(from, step as u8, &[scratch]);
            self.store(to, step as u8, &[Operand::Reg(scratch)]);
            done += step;
        }
    }

    fn save(&mut self, saved: &Saved, save_at: u64) -> Result<()> {
        for (slots, bytes, at) in saved.accesses() {
            let values: Vec<_> = slots.into_iter().map(Operand::Reg).collect();
            self.store(self.in_frame(save_at + at), bytes, &values);
        }
        for (slot, at) in saved.predicates() {
            let (a, b) = (self.immediate(1)?, self.immediate(0)?);
            let choice = Predicate::Reg(Guard { slot, negated: false });
            self.push(Op::Selp { dst: self.scratch, a, b, choice });
            self.store(self.in_frame(save_at + at), 4, &[Operand::Reg(self.scratch)]);
        }
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, save_at: u64) -> Result<()> {
        for (slots, bytes, at) in saved.accesses() {
            self.load(self.in_frame(save_at + at), bytes, &slots);
        }
        for (dst, at) in saved.predicates() {
            self.load(self.in_frame(save_at + at), 4, &[self.scratch]);
            let (ty, comparison) = (Numeric::Int(IntType::U32), Comparison::Ne);
            let (a, b) = (Operand::Reg(self.scratch), self.immediate(0)?);
            let compare = Compare { ty, comparison, ftz: false, combine: None, a, b };
            self.push(Op::Setp { compare, dst, complement: None });
        }
        Ok(())
    }
}
