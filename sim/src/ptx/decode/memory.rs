//! Loads, stores and atomics.

use super::super::ast::{self, Type, TypeKind};
use super::super::isa::{AtomicOp, Space};
use super::super::op::{Address, Atomic, Load, MemorySpace, Op, Operand, Store};
use super::instruction::Context;
use super::modifiers::{space, width};
use super::operands::Fit;
use super::Result;

const U32: Type = Type { kind: TypeKind::Unsigned, bits: 32 };
/// Hints for caches, and memory order: function and time here do not depend on them.
const HINTS: [&str; 23] = [
    "volatile",
    "weak",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "cta",
    "cluster",
    "gpu",
    "gl",
    "sys",
    "nc",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "evict_first",
    "evict_last",
    "no_allocate",
    "mmio",
];

impl Context<'_, '_> {
    /// Takes the space and all that does not matter.
    fn memory_space(&mut self) -> MemorySpace {
        self.modifiers.ignore(&HINTS);
        self.modifiers.ignore_prefix("L1::");
        self.modifiers.ignore_prefix("L2::");
        self.modifiers.take(space).map_or(MemorySpace::Generic, MemorySpace::Known)
    }

    fn address(&mut self, index: usize, space: MemorySpace) -> Result<Address> {
        let (name, offset) = match self.operand(index) {
            ast::Operand::Memory { base: Some(name), offset } | ast::Operand::Element { name, offset } => {
                (name, offset)
            }
            ast::Operand::Memory { base: None, offset } => return Ok(Address { space, base: None, offset: *offset }),
            _ => return Err(self.error("an address in brackets is expected")),
        };
        if let Some(at) = self.frame_offset(name) {
            if !matches!(space, MemorySpace::Generic | MemorySpace::Known(Space::Local | Space::Param)) {
                return Err(self.error(format!("variable `{name}` lies in another state space")));
            }
            let base = Some(Operand::Reg(self.decoder.frame_pointer()));
            let offset = (at as i64).wrapping_add(*offset);
            return Ok(Address { space: MemorySpace::Known(Space::Local), base, offset });
        }
        let Some(symbol) = self.symbol(name) else {
            // nvcc addresses shared memory with 32 bits.
            let (slot, _) = self.register(name, U32, Fit::Wider)?;
            // The parameters of device functions lie in the thread's memory; so do those of calls.
            let space = match space {
                MemorySpace::Known(Space::Param) if self.decoder.in_function() => MemorySpace::Known(Space::Local),
                space => space,
            };
            return Ok(Address { space, base: Some(Operand::Reg(slot)), offset: *offset });
        };
        let fits = match space {
            MemorySpace::Generic => true,
            MemorySpace::Known(Space::Param) => matches!(symbol.space, Space::Param | Space::Local),
            MemorySpace::Known(space) => symbol.space == space,
        };
        if !fits {
            return Err(self.error(format!("variable `{name}` lies in another state space")));
        }
        let offset = (symbol.address as i64).wrapping_add(*offset);
        Ok(Address { space: MemorySpace::Known(symbol.space), base: None, offset })
    }

    /// The elements of a vector operand, or the operand itself.
    fn elements<'o>(&mut self, operand: &'o ast::Operand) -> Result<&'o [ast::Operand]> {
        let vector = [("v2", 2), ("v4", 4)].into_iter().find(|(word, _)| self.modifiers.accept(word));
        match (vector, operand) {
            (Some((_, count)), ast::Operand::Vector(elements)) if elements.len() == count => Ok(elements),
            (Some((_, count)), _) => Err(self.error(format!("{count} registers in braces are expected"))),
            (None, ast::Operand::Vector(elements)) if elements.len() == 1 => Ok(elements),
            (None, operand) => Ok(std::slice::from_ref(operand)),
        }
    }

    fn memory_type(&mut self) -> Result<Type> {
        let ty = self.ty()?;
        match ty.kind {
            TypeKind::Predicate => Err(self.error("a predicate has no form in memory")),
            _ => Ok(ty),
        }
    }

    pub fn ld(&mut self) -> Result<Op> {
        self.expect_operands(2..=2)?;
        let space = self.memory_space();
        let ty = self.memory_type()?;
        let elements = self.elements(self.operand(0))?;
        let mut dst = [None; 4];
        for (slot, element) in dst.iter_mut().zip(elements) {
            *slot = self.optional_dst(element, ty, Fit::Wider)?;
        }
        let address = self.address(1, space)?;
        Ok(Op::Load(Load { address, element: width(ty), count: elements.len() as u8, dst }))
    }

    pub fn st(&mut self) -> Result<Op> {
        self.expect_operands(2..=2)?;
        let space = self.memory_space();
        let ty = self.memory_type()?;
        let elements = self.elements(self.operand(1))?;
        let mut src = [self.source(&elements[0], ty, Fit::Wider)?; 4];
        for (operand, element) in src.iter_mut().zip(elements).skip(1) {
            *operand = self.source(element, ty, Fit::Wider)?;
        }
        let address = self.address(0, space)?;
        if matches!(address.space, MemorySpace::Known(Space::Param | Space::Const)) {
            return Err(self.error("the parameters of a kernel and constants cannot be written"));
        }
        Ok(Op::Store(Store { address, element_bytes: ty.bytes() as u8, count: elements.len() as u8, src }))
    }

    fn atomic_op(&mut self, ty: Type) -> Result<AtomicOp> {
        use AtomicOp::*;
        let name = self.modifiers.take(|word| {
            let names = ["add", "and", "or", "xor", "exch", "cas", "inc", "dec", "min", "max"];
            names.into_iter().find(|n| *n == word)
        });
        let Some(name) = name else { return Err(self.error("the operation is missing or unknown")) };
        let op = match (name, ty.kind, ty.bits) {
            ("add", TypeKind::Float, 16) => AddF16,
            ("add", TypeKind::HalfPair, 32) => AddF16x2,
            ("add", TypeKind::Float, 32) => AddF32,
            ("add", TypeKind::Float, 64) => AddF64,
            ("add", TypeKind::Unsigned | TypeKind::Signed, 32 | 64) => Add,
            ("and", TypeKind::Bits, 32 | 64) => And,
            ("or", TypeKind::Bits, 32 | 64) => Or,
            ("xor", TypeKind::Bits, 32 | 64) => Xor,
            ("exch", TypeKind::Bits, 32 | 64) => Exch,
            ("cas", TypeKind::Bits, 16 | 32 | 64) => Cas,
            ("inc", TypeKind::Unsigned, 32) => Inc,
            ("dec", TypeKind::Unsigned, 32) => Dec,
            ("min", TypeKind::Unsigned, 32 | 64) => MinU,
            ("max", TypeKind::Unsigned, 32 | 64) => MaxU,
            ("min", TypeKind::Signed, 32 | 64) => MinS,
            ("max", TypeKind::Signed, 32 | 64) => MaxS,
            _ => return Err(self.error("this operation does not exist for this type")),
        };
        Ok(op)
    }

    pub fn atom(&mut self) -> Result<Op> {
        let reduction = self.instruction.opcode == "red";
        let space = self.memory_space();
        self.modifiers.accept("noftz");
        let ty = self.ty()?;
        let op = self.atomic_op(ty)?;
        let first = usize::from(!reduction);
        let sources = if op == AtomicOp::Cas { 2 } else { 1 };
        self.expect_operands(first + 1 + sources..=first + 1 + sources)?;
        let dst =
            if reduction { None } else { self.optional_dst(self.operand(0), ty, Fit::Exact)?.map(|(slot, _)| slot) };
        let address = self.address(first, space)?;
        if !matches!(address.space, MemorySpace::Generic | MemorySpace::Known(Space::Global | Space::Shared)) {
            return Err(self.error("atomics work in global and shared memory only"));
        }
        let a = self.src(first + 1, ty)?;
        let b = if sources == 2 { Some(self.src(first + 2, ty)?) } else { None };
        Ok(Op::Atomic(Atomic { op, address, bytes: ty.bytes() as u8, dst, a, b }))
    }
}
