//! Languages of sources.

use anyhow::{bail, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Cuda,
    C,
    Cpp,
}

impl Language {
    /// As behind `-x`.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "cu" | "cuda" => Ok(Language::Cuda),
            "c" => Ok(Language::C),
            "c++" => Ok(Language::Cpp),
            _ => bail!("`{name}` is no language; write cu, c or c++"),
        }
    }

    /// The language of a file with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "cu" | "CU" => Some(Language::Cuda),
            "c" => Some(Language::C),
            "cpp" | "cc" | "cxx" | "c++" | "C" | "cp" | "CPP" => Some(Language::Cpp),
            _ => None,
        }
    }

    /// As clang calls it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Cuda => "cuda",
            Language::C => "c",
            Language::Cpp => "c++",
        }
    }
}
