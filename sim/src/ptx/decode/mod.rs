//! A kernel as written to a [`Program`]: names resolved, every instruction one [`Instr`].
//!
//! Device functions are decoded once more at each call, behind the kernel's own code: `call` is then a branch to that copy
//! and its `ret` a branch back, so that post-dominators and register needs come out as they are. Only functions that can call
//! themselves use a call stack ([`stack`]).

mod arithmetic;
mod call;
mod control;
mod convert;
mod instruction;
mod memory;
mod modifiers;
mod operands;
mod recursion;
mod scope;
mod shared;
mod special;
mod stack;
mod system;
mod texture;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::address_map::WINDOW_BYTES;
use super::ast::{self, Function, Statement, Targets, Type, TypeKind, Variable, VariableSpace};
use super::control_flow::set_reconvergence;
use super::error::PtxError;
use super::instr::{BranchTable, Instr, Pragma, SourceLine};
use super::isa::{Class, Guard, Slot, Space, WARP_SIZE};
use super::liveness::most_live;
use super::op::Op;
use super::program::{Param, ParamKind, Program, STACK_BYTES};
use super::promises;
use super::scalar;
use super::symbols::{Symbol, Symbols};
use call::{PendingCall, Stub};
use instruction::Context;
use scope::{Binding, LabelId, Scopes};
use shared::SharedLayout;
use stack::{CallSite, Framed, Return};

type Result<T> = std::result::Result<T, PtxError>;

/// Instructions of a kernel with all copies of the functions that it calls.
const MOST_INSTRUCTIONS: usize = 1 << 18;
/// Registers that a kernel declares with all copies of the functions that it calls.
const MOST_REGISTERS: u64 = 1 << 18;
/// Instructions times registers: what is found out of a kernel takes a bit or more for each register at each instruction.
const MOST_WORK: usize = 1 << 29;
/// Bytes of `.local` that a thread has on CUDA GPUs of every compute capability.
const MOST_LOCAL: u64 = 512 << 10;

/// Code that is still to be decoded.
enum Pending<'m> {
    /// The copy of a function that a call needs.
    Copy(PendingCall<'m>),
    /// A function that has frames.
    Framed(usize),
    /// A call of such a function that a call through a register may choose.
    Stub(Stub),
}

struct Decoder<'m> {
    symbols: &'m Symbols,
    shared: SharedLayout<'m>,
    scopes: Scopes,
    code: Vec<Instr>,
    immediates: Vec<[u64; WARP_SIZE]>,
    immediate_of: HashMap<u64, u16>,
    labels: Vec<Option<u32>>,
    local_bytes: u64,
    pragmas: Vec<Pragma>,
    /// Instructions between pragmas that promise scalar ones.
    scalar_regions: Vec<Range<u32>>,
    tables: Vec<BranchTable>,
    /// Targets of labels that are no places.
    targets: Vec<&'m Targets>,
    /// The register that `.cc` writes.
    carry: Option<Slot>,
    /// Functions that the code so far calls and that are not decoded yet.
    pending: Vec<Pending<'m>>,
    /// The one being decoded.
    function: &'m str,
    /// Where the `ret` of the device function being decoded goes; `None` in the kernel.
    return_label: Option<LabelId>,
    /// Functions that can call themselves.
    recursive: HashSet<&'m str>,
    /// Functions with frames that the code so far calls.
    framed: Vec<Framed<'m>>,
    /// The one whose frame holds the variables of what is being decoded.
    frame: Option<usize>,
    frame_pointer: Option<Slot>,
    calls: Vec<CallSite>,
    returns: Vec<Return>,
}

/// Decodes `function`, a kernel of the file that has these symbols and this constant bank.
pub(super) fn kernel(symbols: &Symbols, function: &Function, constants: &[u8]) -> Result<Program> {
    let mut decoder = Decoder {
        symbols,
        shared: shared::place(symbols, function),
        scopes: Scopes::default(),
        code: Vec::new(),
        immediates: vec![[WARP_SIZE as u64; WARP_SIZE]],
        immediate_of: HashMap::new(),
        labels: Vec::new(),
        local_bytes: 0,
        pragmas: Vec::new(),
        scalar_regions: Vec::new(),
        tables: Vec::new(),
        targets: Vec::new(),
        carry: None,
        pending: Vec::new(),
        function: &function.name,
        return_label: None,
        recursive: recursion::recursive(symbols),
        framed: Vec::new(),
        frame: None,
        frame_pointer: None,
        calls: Vec::new(),
        returns: Vec::new(),
    };
    decoder.scopes.open();
    let params = decoder.bind_params(function)?;
    decoder.body(function)?;
    decoder.scopes.close();
    while let Some(pending) = decoder.pending.pop() {
        match pending {
            Pending::Copy(call) => decoder.called_function(call)?,
            Pending::Framed(index) => decoder.framed_function(index)?,
            Pending::Stub(stub) => decoder.stub(stub)?,
        }
    }
    decoder.finish(function, params, constants)
}

impl<'m> Decoder<'m> {
    fn error(&self, line: u32, message: impl Into<String>) -> PtxError {
        self.symbols.error(line, message)
    }

    fn bind_params(&mut self, function: &Function) -> Result<Vec<Param>> {
        let mut offset = 0;
        let mut params = Vec::new();
        for param in &function.params {
            offset = u64::next_multiple_of(offset, param.align);
            let symbol = Symbol { space: Space::Param, address: offset };
            self.bind(param.line, &param.name, Binding::Symbol(symbol))?;
            let kind = match param.ty.kind {
                _ if param.bytes != param.ty.bytes() => ParamKind::Structure,
                TypeKind::Float => ParamKind::Float,
                TypeKind::Bits if param.ty.bits >= 16 => ParamKind::Bits,
                _ => ParamKind::Integer,
            };
            params.push(Param { name: param.name.clone(), kind, offset: offset as u32, bytes: param.bytes as u32 });
            offset += param.bytes;
            self.check_bytes(function, "parameters", offset, WINDOW_BYTES)?;
        }
        Ok(params)
    }

    fn bind(&mut self, line: u32, name: &str, binding: Binding) -> Result<()> {
        if self.scopes.bind(name, binding) {
            Ok(())
        } else {
            Err(self.error(line, format!("`{name}` is declared twice in the same block")))
        }
    }

    /// Decodes the body of a function whose parameters are bound.
    fn body(&mut self, function: &'m Function) -> Result<()> {
        let (first_pragma, first_label) = (self.pragmas.len(), self.labels.len());
        self.block(function.body.as_deref().unwrap_or_default())?;
        let regions = promises::regions(&self.pragmas[first_pragma..]);
        self.scalar_regions.extend(regions.map_err(|(line, message)| self.error(line, message))?);
        // `ret` may be left out at the end.
        let falls_off = match self.code.last() {
            Some(last) => {
                let leaves = matches!(last.op, Op::Exit | Op::Trap | Op::Branch { .. } | Op::BranchTable { .. });
                last.guard.is_some() || !leaves
            }
            None => true,
        };
        if falls_off || self.labels[first_label..].contains(&Some(self.code.len() as u32)) {
            let op = self.return_op();
            self.push(op, None, (function.line, None), None)?;
        }
        Ok(())
    }

    /// A device function is being decoded.
    fn in_function(&self) -> bool {
        self.return_label.is_some() || self.frame.is_some()
    }

    /// Operation of a `ret` as the next instruction.
    fn return_op(&mut self) -> Op {
        match (self.return_label, self.frame) {
            (Some(label), _) => Op::Branch { target: label.0 },
            (None, Some(framed)) => {
                self.returns.push(Return { at: self.code.len() as u32, framed });
                Op::Exit
            }
            (None, None) => Op::Exit,
        }
    }

    fn block(&mut self, statements: &'m [Statement]) -> Result<()> {
        self.scopes.open();
        for statement in statements {
            match statement {
                Statement::Label { name, line } => {
                    let label = self.new_label();
                    self.bind(*line, name, Binding::Label(label))?;
                }
                Statement::Targets { name, line, targets } => {
                    self.targets.push(targets);
                    self.bind(*line, name, Binding::Targets(self.targets.len() - 1))?;
                }
                _ => {}
            }
        }
        for statement in statements {
            self.statement(statement)?;
        }
        self.scopes.close();
        Ok(())
    }

    fn statement(&mut self, statement: &'m Statement) -> Result<()> {
        match statement {
            Statement::Label { name, .. } => {
                if let Some(Binding::Label(label)) = self.scopes.find(name) {
                    self.place_label(label);
                }
            }
            Statement::Targets { .. } => {}
            Statement::Instruction(instruction) => {
                let decoded = Context::new(self, instruction).decode()?;
                self.push(decoded.op, decoded.guard, (instruction.line, instruction.source), decoded.class)?;
            }
            Statement::Register { name, count, ty, line } => match count {
                None => {
                    let register = self.scopes.new_register(*ty);
                    self.bind(*line, name, Binding::Register(register))?;
                }
                Some(count) if self.scopes.registers() + *count > MOST_REGISTERS => {
                    return Err(self.error(*line, format!("`{name}<{count}>` are more registers than fit")));
                }
                Some(count) => {
                    for i in 0..*count {
                        let register = self.scopes.new_register(*ty);
                        self.bind(*line, &format!("{name}{i}"), Binding::Register(register))?;
                    }
                }
            },
            Statement::Variable(variable) => self.variable(variable)?,
            Statement::Block(inner) => self.block(inner)?,
            Statement::Pragma { text, line } => {
                let pc = self.code.len() as u32;
                self.pragmas.push(Pragma { pc, text: text.clone(), line: *line });
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) -> Result<()> {
        let place = match (variable.space, self.frame) {
            (VariableSpace::Shared, _) => self.shared.find(Some(self.function), &variable.name).map(Binding::Symbol),
            // The .param variables of calls live in the thread's own memory.
            (VariableSpace::Local | VariableSpace::Param, None) => Some(Binding::Symbol(self.place_local(variable))),
            (VariableSpace::Local | VariableSpace::Param, Some(frame)) => Some(self.place_in_frame(frame, variable)),
            (VariableSpace::Const | VariableSpace::Global, _) => None,
        };
        let Some(place) = place else {
            let message = format!("variable `{}` must be declared outside of functions", variable.name);
            return Err(self.error(variable.line, message));
        };
        if !variable.initial.is_empty() {
            let message =
                format!("variable `{}` cannot have an initial value: only .global and .const can", variable.name);
            return Err(self.error(variable.line, message));
        }
        self.bind(variable.line, &variable.name, place)
    }

    fn place_local(&mut self, variable: &Variable) -> Symbol {
        let address = self.local_bytes.next_multiple_of(variable.align);
        self.local_bytes = address + variable.bytes;
        Symbol { space: Space::Local, address }
    }

    fn new_label(&mut self) -> LabelId {
        self.labels.push(None);
        LabelId(self.labels.len() as u32 - 1)
    }

    fn place_label(&mut self, label: LabelId) {
        self.labels[label.0 as usize] = Some(self.code.len() as u32);
    }

    /// Appends an instruction. The target of a branch is a label until [`Self::finish`].
    fn push(
        &mut self,
        op: Op,
        guard: Option<Guard>,
        (line, source): (u32, Option<ast::SourceLine>),
        class: Option<Class>,
    ) -> Result<()> {
        if self.code.len() == MOST_INSTRUCTIONS {
            return Err(
                self.error(line, format!("more than {MOST_INSTRUCTIONS} instructions with all functions called"))
            );
        }
        let mut reads = op.reads();
        if let Some(guard) = guard {
            reads.push(guard.slot);
        }
        let class = class.unwrap_or(op.class());
        let source = source.and_then(|ast::SourceLine { file, line }| {
            Some(SourceLine { file: self.symbols.source_index(file)?, line })
        });
        self.code.push(Instr { op, guard, reads, writes: op.writes(), class, reconverge: 0, line, source });
        Ok(())
    }

    /// The carry of the thread, a predicate register of its own.
    fn carry(&mut self) -> Slot {
        let Decoder { carry, scopes, .. } = self;
        *carry.get_or_insert_with(|| {
            let register = scopes.new_register(Type { kind: TypeKind::Predicate, bits: 1 });
            scopes.slot(register)
        })
    }

    /// Index of a new table; its targets are labels until [`Self::finish`].
    fn table(&mut self, line: u32, table: BranchTable) -> Result<u16> {
        let Ok(index) = u16::try_from(self.tables.len()) else {
            return Err(self.error(line, "more than 65,536 branch tables"));
        };
        self.tables.push(table);
        Ok(index)
    }

    /// Index of an immediate operand.
    fn immediate(&mut self, line: u32, value: u64) -> Result<u16> {
        if let Some(&index) = self.immediate_of.get(&value) {
            return Ok(index);
        }
        let Ok(index) = u16::try_from(self.immediates.len()) else {
            return Err(self.error(line, "more than 65,536 different immediate operands"));
        };
        self.immediates.push([value; WARP_SIZE]);
        self.immediate_of.insert(value, index);
        Ok(index)
    }

    fn check_bytes(&self, function: &Function, what: &str, bytes: u64, most: u64) -> Result<()> {
        if bytes <= most {
            return Ok(());
        }
        let message = format!("{what} of kernel `{}` take {bytes} bytes: at most {most} are possible", function.name);
        Err(self.error(function.line, message))
    }

    fn finish(mut self, function: &Function, params: Vec<Param>, constants: &[u8]) -> Result<Program> {
        for instr in &mut self.code {
            if let Op::Branch { target } = &mut instr.op {
                *target = self.labels[*target as usize].expect("labels are placed where they are declared");
            }
        }
        for (_, target) in self.tables.iter_mut().flat_map(|table| &mut table.targets) {
            *target = self.labels[*target as usize].expect("labels are placed where they are declared");
        }
        self.write_calls(function.line)?;
        let registers = self.scopes.slot_registers();
        if registers.len() > usize::from(Slot::MAX) {
            return Err(
                self.error(function.line, format!("kernel `{}` uses more than 65,535 registers", function.name))
            );
        }
        if self.code.len() * registers.len() > MOST_WORK {
            let (name, instructions, registers) = (&function.name, self.code.len(), registers.len());
            let message =
                format!("kernel `{name}` is too large: {instructions} instructions with {registers} registers");
            return Err(self.error(function.line, message));
        }
        self.check_bytes(function, "variables in .local", self.local_bytes, MOST_LOCAL)?;
        self.check_bytes(function, "variables in .shared", self.shared.bytes, WINDOW_BYTES)?;
        set_reconvergence(&mut self.code, &self.tables);
        let (slots, regions) = (registers.len(), &self.scalar_regions);
        let stack_bytes = if self.framed.is_empty() { 0 } else { STACK_BYTES };
        let has_local = self.local_bytes > 0 || stack_bytes > 0;
        let scalars = scalar::find(&self.code, &self.tables, &self.immediates, slots, has_local, regions);
        let param_bytes = params.last().map_or(0, |p| p.offset + p.bytes);
        Ok(Program {
            name: function.name.clone(),
            source: self.symbols.source.clone(),
            slots,
            registers: most_live(&self.code, &self.tables, &registers),
            code: self.code,
            immediates: self.immediates,
            constants: constants.to_vec(),
            bounds: function.bounds,
            params,
            param_bytes,
            shared_bytes: self.shared.bytes as u32,
            local_bytes: self.local_bytes.next_multiple_of(16) as u32 + stack_bytes,
            stack_bytes,
            pragmas: self.pragmas,
            scalars,
            tables: self.tables,
            sources: self.symbols.sources.clone(),
        })
    }
}
