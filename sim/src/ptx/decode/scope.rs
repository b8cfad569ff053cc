//! Names of a function body: nested blocks, each hiding the names of those around it.

use std::collections::HashMap;

use super::super::ast::{Type, TypeKind};
use super::super::isa::Slot;
use super::super::symbols::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LabelId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegisterId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Register(RegisterId),
    Symbol(Symbol),
    /// A variable of a function that has frames: its offset in the frame.
    Frame(u64),
    Label(LabelId),
    /// Index into the decoder's list of targets.
    Targets(usize),
}

struct Register {
    ty: Type,
    /// Given when the register is first used, so that declared but unused ones cost nothing.
    slot: Option<Slot>,
}

#[derive(Default)]
pub(super) struct Scopes {
    open: Vec<HashMap<String, Binding>>,
    registers: Vec<Register>,
    /// For each slot: 32-bit registers that it takes, 0 for a predicate.
    slots: Vec<u32>,
}

impl Scopes {
    pub fn open(&mut self) {
        self.open.push(HashMap::new());
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Declares a name in the innermost block; false if it is there already.
    pub fn bind(&mut self, name: &str, binding: Binding) -> bool {
        let block = self.open.last_mut().expect("a block is open");
        block.insert(name.to_string(), binding).is_none()
    }

    pub fn find(&self, name: &str) -> Option<Binding> {
        self.open.iter().rev().find_map(|block| block.get(name)).copied()
    }

    pub fn new_register(&mut self, ty: Type) -> RegisterId {
        self.registers.push(Register { ty, slot: None });
        RegisterId(self.registers.len() as u32 - 1)
    }

    /// All that were declared so far.
    pub fn registers(&self) -> u64 {
        self.registers.len() as u64
    }

    pub fn register_type(&self, id: RegisterId) -> Type {
        self.registers[id.0 as usize].ty
    }

    /// Slot of a register; beyond 65,535 they are no longer told apart, which the decoder reports at the end.
    pub fn slot(&mut self, id: RegisterId) -> Slot {
        let register = &mut self.registers[id.0 as usize];
        *register.slot.get_or_insert_with(|| {
            self.slots.push(match register.ty {
                Type { kind: TypeKind::Predicate, .. } => 0,
                Type { bits: 64, .. } => 2,
                _ => 1,
            });
            (self.slots.len() - 1).min(usize::from(Slot::MAX)) as Slot
        })
    }

    /// See [`super::most_live`].
    pub fn slot_registers(&self) -> Vec<u32> {
        self.slots.clone()
    }
}
