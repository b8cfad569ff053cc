//! The modifiers of one instruction, taken off one by one; what is left over is unknown. What those mean that several
//! instructions have.

use super::super::ast::{Type, TypeKind};
use super::super::isa::Space;
use super::super::op::{Rounding, Width};

pub(super) struct Modifiers<'a> {
    left: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub fn new(modifiers: &'a [String]) -> Self {
        Modifiers { left: modifiers.iter().map(String::as_str).collect() }
    }

    /// Takes `word` if it is there.
    pub fn accept(&mut self, word: &str) -> bool {
        self.take(|w| (w == word).then_some(())).is_some()
    }

    /// Takes all that are listed.
    pub fn ignore(&mut self, words: &[&str]) {
        self.left.retain(|word| !words.contains(word));
    }

    /// Drops all modifiers that begin with `prefix`.
    pub fn ignore_prefix(&mut self, prefix: &str) {
        self.left.retain(|word| !word.starts_with(prefix));
    }

    /// Takes the first that `recognise` knows.
    pub fn take<T>(&mut self, recognise: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, value) = self.left.iter().enumerate().find_map(|(i, word)| Some((i, recognise(word)?)))?;
        self.left.remove(at);
        Some(value)
    }

    pub fn take_type(&mut self) -> Option<Type> {
        self.take(Type::parse)
    }

    /// The first that nobody took.
    pub fn first_left(&self) -> Option<&'a str> {
        self.left.first().copied()
    }
}

/// `.rn` and the like.
pub(super) fn rounding(word: &str) -> Option<Rounding> {
    Some(match word {
        "rn" => Rounding::Nearest,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        "rp" => Rounding::Up,
        _ => return None,
    })
}

/// `.global` and the like.
pub(super) fn space(word: &str) -> Option<Space> {
    Some(match word {
        "param" | "param::entry" | "param::func" => Space::Param,
        "const" => Space::Const,
        "global" => Space::Global,
        "local" => Space::Local,
        "shared" | "shared::cta" => Space::Shared,
        _ => return None,
    })
}

/// Width of an integer.
pub(super) fn width(ty: Type) -> Width {
    Width { bits: ty.bits, signed: ty.kind == TypeKind::Signed }
}
