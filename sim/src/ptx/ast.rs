//! A PTX file as written: names are not resolved, modifiers not understood.

use super::program::Bounds;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Bits,
    Unsigned,
    Signed,
    Float,
    /// Two numbers in half precision.
    HalfPair,
    Predicate,
}

/// A fundamental type: `.u32`, `.pred`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: TypeKind,
    pub bits: u8,
}

impl Type {
    pub const BITS_32: Type = Type { kind: TypeKind::Bits, bits: 32 };
    pub const BITS_64: Type = Type { kind: TypeKind::Bits, bits: 64 };

    /// The type that a suffix such as `u32` names.
    pub fn parse(name: &str) -> Option<Type> {
        if name == "pred" {
            return Some(Type { kind: TypeKind::Predicate, bits: 1 });
        }
        if name == "f16x2" {
            return Some(Type { kind: TypeKind::HalfPair, bits: 32 });
        }
        let (letter, bits) = name.split_at_checked(1)?;
        let kind = match letter {
            "b" => TypeKind::Bits,
            "u" => TypeKind::Unsigned,
            "s" => TypeKind::Signed,
            "f" => TypeKind::Float,
            _ => return None,
        };
        let bits = match bits {
            "8" if kind != TypeKind::Float => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Type { kind, bits })
    }

    pub fn bytes(self) -> u64 {
        u64::from(self.bits).div_ceil(8)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, special register (with component), variable (with byte offset) or label.
    Name { name: String, component: Option<String>, offset: i64 },
    /// A whole number.
    Int(u64),
    /// Bits of a number in single precision.
    F32(u32),
    /// Bits of a number in double precision.
    F64(u64),
    /// `name[i]`: the address of an element of a variable, or what lies there; in bytes.
    Element { name: String, offset: i64 },
    /// `[base+offset]`; without a base an absolute address.
    Memory { base: Option<String>, offset: i64 },
    /// `[handle, {a, b}]`
    Texture { handle: Box<Operand>, coordinates: Box<Operand> },
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`
    Group(Vec<Operand>),
    /// `a|b`
    Pair(Box<Operand>, Box<Operand>),
    /// `!a`
    Not(Box<Operand>),
}

/// Where the compiler says that an instruction comes from: number of a `.file`, and line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: u32,
    pub line: u32,
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub line: u32,
    pub source: Option<SourceLine>,
    /// As written, on one line, for messages.
    pub text: String,
    /// Name of the predicate and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub opcode: String,
    /// Without dots.
    pub modifiers: Vec<String>,
    pub operands: Vec<Operand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSpace {
    Const,
    Global,
    Local,
    Param,
    Shared,
}

/// One element of an initialiser.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// Bits of the element's type, or a wider value to be cut.
    Int(u64),
    /// Bits of a number in single precision.
    F32(u32),
    /// Bits of a number in double precision.
    F64(u64),
    /// Address of a variable, in its space or generic, or of a function.
    Address { name: String, offset: i64, generic: bool },
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub line: u32,
    pub space: VariableSpace,
    pub external: bool,
    pub name: String,
    pub ty: Type,
    pub align: u64,
    /// Bytes of all elements; 0 for an array of open size.
    pub bytes: u64,
    pub initial: Vec<Initial>,
}

/// A label's meaning if it is no place in the code.
#[derive(Clone, Debug)]
pub enum Targets {
    /// Labels of `brx.idx`.
    Branch(Vec<String>),
    /// Functions of an indirect call.
    Call(Vec<String>),
    /// Prototype of the functions that an indirect call may reach.
    Prototype { returns: Vec<Variable>, params: Vec<Variable> },
}

#[derive(Clone, Debug)]
pub enum Statement {
    /// `name:`
    Label { name: String, line: u32 },
    /// A label that names no place but what a branch or call can reach.
    Targets { name: String, line: u32, targets: Targets },
    /// An instruction with its guard and operands.
    Instruction(Instruction),
    /// `%r<5>` declares `%r0` to `%r4`: `count` 5. A plain name has none.
    Register { name: String, count: Option<u64>, ty: Type, line: u32 },
    /// A declaration in any state space but `.reg`.
    Variable(Variable),
    /// `{ ... }`
    Block(Vec<Statement>),
    /// `.pragma "text";`
    Pragma { text: String, line: u32 },
}

#[derive(Clone, Debug)]
pub struct Function {
    pub line: u32,
    pub name: String,
    /// A kernel, not a device function.
    pub entry: bool,
    pub bounds: Bounds,
    pub returns: Vec<Variable>,
    pub params: Vec<Variable>,
    /// `None` for a mere declaration.
    pub body: Option<Vec<Statement>>,
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    /// Source files by their numbers.
    pub sources: BTreeMap<u32, String>,
}
