//! One instruction: its name decides who decodes it.

use super::super::ast::{Instruction, Type, TypeKind};
use super::super::error::PtxError;
use super::super::isa::{Class, Guard};
use super::super::op::{FloatType, IntType, Op};
use super::modifiers::Modifiers;
use super::{Decoder, Result};

pub(super) struct Decoded {
    pub op: Op,
    pub guard: Option<Guard>,
    /// Instead of [`Op::class`].
    pub class: Option<Class>,
}

/// An instruction being decoded.
pub(super) struct Context<'d, 'm> {
    pub decoder: &'d mut Decoder<'m>,
    pub instruction: &'m Instruction,
    pub modifiers: Modifiers<'m>,
    pub class: Option<Class>,
}

impl<'d, 'm> Context<'d, 'm> {
    pub fn new(decoder: &'d mut Decoder<'m>, instruction: &'m Instruction) -> Self {
        let modifiers = Modifiers::new(&instruction.modifiers);
        Context { decoder, instruction, modifiers, class: None }
    }

    pub fn decode(mut self) -> Result<Decoded> {
        let guard = self.guard()?;
        let op = self.op()?;
        if let Some(modifier) = self.modifiers.first_left() {
            return Err(self.error(format!("unknown or unsupported modifier `.{modifier}`")));
        }
        Ok(Decoded { op, guard, class: self.class })
    }

    /// An error that names the instruction, and the line of the source if it is known.
    pub fn error(&self, message: impl std::fmt::Display) -> PtxError {
        let Instruction { line, text, source, .. } = self.instruction;
        let place = source.and_then(|source| self.decoder.symbols.source_place(source)).unwrap_or_default();
        self.decoder.error(*line, format!("{message} in `{text}`{place}"))
    }

    fn op(&mut self) -> Result<Op> {
        match self.instruction.opcode.as_str() {
            "add" | "sub" => self.add_sub(),
            "mul" => self.mul(),
            "mad" | "fma" => self.mad(),
            "addc" | "subc" => self.add_sub(),
            "madc" => self.mad(),
            "mul24" => self.mul24(),
            "mad24" => self.mad24(),
            "testp" => self.testp(),
            "isspacep" => self.is_space(),
            "div" => self.div(),
            "rem" => self.rem(),
            "min" | "max" => self.min_max(),
            "sad" => self.sad(),
            "and" | "or" | "xor" => self.logic(),
            "shl" | "shr" => self.shift(),
            "neg" | "abs" => self.neg_abs(),
            "not" | "cnot" | "popc" | "clz" | "brev" | "bfind" => self.bit_unary(),
            "bfe" => self.bfe(),
            "bfi" => self.bfi(),
            "prmt" => self.prmt(),
            "shf" => self.funnel(),
            "lop3" => self.lop3(),
            "dp4a" | "dp2a" => self.dot(),
            "match" => self.match_lanes(),
            "redux" => self.reduce(),
            "nanosleep" => self.sleep(),
            "copysign" => self.copy_sign(),
            "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "ex2" | "lg2" | "tanh" => self.float_special(),
            "setp" => self.setp(),
            "set" => self.set(),
            "selp" => self.selp(),
            "slct" => self.slct(),
            "mov" => self.mov(),
            "cvt" => self.cvt(),
            "cvta" => self.cvta(),
            "ld" | "ldu" => self.ld(),
            "st" => self.st(),
            "atom" | "red" => self.atom(),
            "tex" => self.tex(),
            "tld4" => self.gather(),
            "txq" | "suq" => self.texture_query(),
            "suld" | "sust" => self.surface(),
            "bra" => self.bra(),
            "brx" => self.branch_indexed(),
            "call" => self.call(),
            "ret" => Ok(self.decoder.return_op()),
            "exit" => Ok(Op::Exit),
            "trap" | "brkpt" => Ok(Op::Trap),
            "prefetch" | "prefetchu" | "pmevent" => self.hint(),
            "bar" | "barrier" => self.barrier(),
            "membar" | "fence" => self.fence(),
            "vote" => self.vote(),
            "activemask" => self.active_mask(),
            "shfl" => self.shfl(),
            _ => self.system(),
        }
    }

    pub fn ty(&mut self) -> Result<Type> {
        self.modifiers.take_type().ok_or_else(|| self.error("the type is missing"))
    }

    /// The type of an operation on integers of 16 bits and more.
    pub fn int(&self, ty: Type) -> Result<IntType> {
        match (ty.kind, ty.bits) {
            (TypeKind::Signed, 16) => Ok(IntType::S16),
            (TypeKind::Signed, 32) => Ok(IntType::S32),
            (TypeKind::Signed, 64) => Ok(IntType::S64),
            (TypeKind::Bits | TypeKind::Unsigned, 16) => Ok(IntType::U16),
            (TypeKind::Bits | TypeKind::Unsigned, 32) => Ok(IntType::U32),
            (TypeKind::Bits | TypeKind::Unsigned, 64) => Ok(IntType::U64),
            _ => Err(self.error("the type does not fit the operation")),
        }
    }

    pub fn float(&self, ty: Type) -> Result<FloatType> {
        match (ty.kind, ty.bits) {
            (TypeKind::Float, 32) => Ok(FloatType::F32),
            (TypeKind::Float, 64) => Ok(FloatType::F64),
            (TypeKind::Float, 16) => Ok(FloatType::F16),
            (TypeKind::HalfPair, _) => Ok(FloatType::F16x2),
            _ => Err(self.error("the type does not fit the operation")),
        }
    }
}
