//! Values that a kernel gets for a parameter: a number, the address of a buffer, a structure.

use super::buffer::contents;
use anyhow::{anyhow, bail, ensure, Context, Result};
use sim::number::{float_bits, whole_u64};
use sim::ptx::program::{Param, ParamKind, Program};
use std::path::Path;

pub struct Argument {
    /// Its name in messages, as in `--arg u32:5`.
    label: String,
    value: Value,
}

enum Value {
    Integer(Integer),
    /// Little-endian bytes.
    Float(Vec<u8>),
    /// Index of the buffer whose address it is.
    Buffer(usize),
    /// A structure as its bytes.
    Bytes(Vec<u8>),
    /// A structure by its parts, each at the next multiple of its size, as the C++ compiler lays them out.
    Structure(Vec<Value>),
}

/// A whole number, which may grow from one repetition of a launch to the next.
struct Integer {
    bits: u32,
    is_signed: bool,
    first: i128,
    step: i128,
}

/// Gives the index of the buffer that a text stands for; `None`: it stands for none.
pub type Buffers<'a> = &'a mut dyn FnMut(&str) -> Result<Option<usize>>;

const FORMS: &str =
    "write KIND:VALUE with u8, u16, u32, u64, s8, s16, s32, s64, f16, f32, f64, in, inout, from, out, buf, value or struct";

impl Argument {
    /// `label` names it in messages. Its file, if it has one, is looked for in `folder`.
    pub fn parse(label: String, text: &str, folder: &Path, buffers: Buffers) -> Result<Self> {
        let value = value(text, folder, buffers).with_context(|| label.clone())?;
        Ok(Argument { label, value })
    }

    /// The index of its buffer, if it is one.
    pub fn buffer(&self) -> Option<usize> {
        match self.value {
            Value::Buffer(index) => Some(index),
            _ => None,
        }
    }

    /// Little-endian bytes in the given repetition of a launch, from 0. `addresses` are those of all buffers.
    ///
    /// # Errors
    /// A number that has grown too large.
    pub fn bytes(&self, repetition: u64, addresses: &[u64]) -> Result<Vec<u8>> {
        self.value.bytes(repetition, addresses).with_context(|| self.label.clone())
    }
}

fn value(text: &str, folder: &Path, buffers: Buffers) -> Result<Value> {
    if let Some(buffer) = buffers(text)? {
        return Ok(Value::Buffer(buffer));
    }
    let (kind, rest) = text.split_once(':').context(FORMS)?;
    Ok(match kind {
        "f16" => float(rest, 16)?,
        "f32" => float(rest, 32)?,
        "f64" => float(rest, 64)?,
        "value" => Value::Bytes(contents(&folder.join(rest))?),
        "struct" => Value::Structure(rest.split(',').map(|part| member(part, folder, buffers)).collect::<Result<_>>()?),
        _ => Value::Integer(Integer::parse(kind, rest)?),
    })
}

/// A part of a structure.
fn member(text: &str, folder: &Path, buffers: Buffers) -> Result<Value> {
    match value(text, folder, buffers).with_context(|| format!("`{text}`"))? {
        Value::Bytes(_) | Value::Structure(_) => bail!("`{text}`: parts of a structure are numbers and buffers"),
        part => Ok(part),
    }
}

impl Integer {
    /// `VALUE` or `FIRST+STEP`.
    fn parse(kind: &str, text: &str) -> Result<Self> {
        let is_signed = kind.starts_with('s');
        let bits = kind.strip_prefix(['u', 's']).and_then(|bits| bits.parse().ok());
        let bits = bits.filter(|bits| [8, 16, 32, 64].contains(bits)).context(FORMS)?;
        let grows = text.rsplit_once('+').filter(|(first, _)| !first.is_empty());
        let (first, step) = grows.unwrap_or((text, "0"));
        let integer = Integer { bits, is_signed, first: whole(first)?, step: whole(step)? };
        integer.bytes(0)?;
        Ok(integer)
    }

    fn bytes(&self, repetition: u64) -> Result<Vec<u8>> {
        let value = self.first + self.step * i128::from(repetition);
        let range = match self.is_signed {
            true => -(1 << (self.bits - 1))..1 << (self.bits - 1),
            false => 0..1i128 << self.bits,
        };
        ensure!(range.contains(&value), "the number does not fit the type");
        Ok(value.to_le_bytes()[..self.bits as usize / 8].to_vec())
    }
}

/// Decimal, as `1e6` too, or hexadecimal with `0x`.
fn whole(text: &str) -> Result<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => whole_u64(digits).ok(),
    };
    magnitude.map(|value| sign * i128::from(value)).context("this is not a whole number of up to 64 bits")
}

fn float(text: &str, bits: u32) -> Result<Value> {
    let value = float_bits(text, bits).map_err(|error| anyhow!("the value {error}"))?;
    Ok(Value::Float(value.to_le_bytes()[..bits as usize / 8].to_vec()))
}

impl Value {
    fn size(&self) -> usize {
        match self {
            Value::Integer(integer) => integer.bits as usize / 8,
            Value::Float(bytes) | Value::Bytes(bytes) => bytes.len(),
            Value::Buffer(_) => 8,
            Value::Structure(parts) => {
                let end = parts.iter().fold(0, |at, part| at + padding(at, part.size()) + part.size());
                end + padding(end, parts.iter().map(Value::size).max().unwrap_or(1))
            }
        }
    }

    fn bytes(&self, repetition: u64, addresses: &[u64]) -> Result<Vec<u8>> {
        Ok(match self {
            Value::Integer(integer) => integer.bytes(repetition)?,
            Value::Float(bytes) | Value::Bytes(bytes) => bytes.clone(),
            Value::Buffer(index) => addresses[*index].to_le_bytes().to_vec(),
            Value::Structure(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.resize(all.len() + padding(all.len(), part.size()), 0);
                    all.extend(part.bytes(repetition, addresses)?);
                }
                all.resize(self.size(), 0);
                all
            }
        })
    }

    /// A structure of one member is what the member is.
    fn fits(&self, param: &Param) -> bool {
        let kinds: &[ParamKind] = match self {
            Value::Integer(_) | Value::Buffer(_) => &[ParamKind::Integer, ParamKind::Bits, ParamKind::Structure],
            Value::Float(_) => &[ParamKind::Float, ParamKind::Bits, ParamKind::Structure],
            Value::Bytes(_) => &[ParamKind::Integer, ParamKind::Float, ParamKind::Bits, ParamKind::Structure],
            Value::Structure(_) => &[ParamKind::Structure],
        };
        self.size() == param.bytes as usize && kinds.contains(&param.kind)
    }
}

/// Bytes from `at` to the next multiple of `size`.
fn padding(at: usize, size: usize) -> usize {
    at.next_multiple_of(size) - at
}

/// The values that a parameter takes, in words.
fn wanted(param: &Param) -> String {
    let bits = 8 * param.bytes;
    match param.kind {
        ParamKind::Float => format!("f{bits}"),
        ParamKind::Integer if bits == 64 => "u64, s64 or a buffer (in, inout, out, buf)".into(),
        ParamKind::Integer => format!("u{bits} or s{bits}"),
        ParamKind::Bits if bits == 64 => "u64, s64, f64 or a buffer (in, inout, out, buf)".into(),
        ParamKind::Bits => format!("u{bits}, s{bits} or f{bits}"),
        ParamKind::Structure => format!("a structure of {} bytes (struct:PART,... or value:FILE)", param.bytes),
    }
}

/// There are as many arguments as parameters, and each fits its own. `given` is where the user wrote them.
pub fn check(program: &Program, arguments: &[Argument], given: &str) -> Result<()> {
    let all = || program.params.iter().map(wanted).collect::<Vec<_>>().join("; ");
    let (name, count) = (crate::plain_name::plain_name(&program.name), program.params.len());
    if count != arguments.len() {
        let list = if count == 0 { String::new() } else { format!(": {}", all()) };
        bail!("kernel `{name}` takes {count} parameters{list}; there are {} {given}", arguments.len());
    }
    for (place, (param, argument)) in program.params.iter().zip(arguments).enumerate() {
        if !argument.value.fits(param) {
            let size = match &argument.value {
                Value::Structure(_) => format!(", not one of {}", argument.value.size()),
                _ => String::new(),
            };
            let (label, place) = (&argument.label, place + 1);
            bail!("{label}: parameter {place} of kernel `{name}` takes {}{size}", wanted(param));
        }
    }
    Ok(())
}

/// The parameter block of a launch.
pub fn block(program: &Program, arguments: &[Argument], repetition: u64, addresses: &[u64]) -> Result<Vec<u8>> {
    let mut block = vec![0; program.param_bytes as usize];
    for (param, argument) in program.params.iter().zip(arguments) {
        let bytes = argument.bytes(repetition, addresses)?;
        block[param.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One buffer, called `list`, at address 0x1000.
    fn bytes(text: &str, repetition: u64) -> Result<Vec<u8>> {
        let argument =
            Argument::parse("--arg".into(), text, Path::new(""), &mut |name| Ok((name == "list").then_some(0)))?;
        argument.bytes(repetition, &[0x1000])
    }

    #[test]
    fn parts_of_a_structure_lie_where_the_compiler_looks_for_them() {
        // struct { char a; unsigned b; short c; void *d; char e; }
        let found = bytes("struct:u8:1,u32:2,s16:-1,list,u8:3", 0).unwrap();
        let mut expected = vec![1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0];
        expected.extend([0, 0x10, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(found, expected);
        assert_eq!(bytes("struct:f32:1,u8:7", 0).unwrap(), [0, 0, 128, 63, 7, 0, 0, 0]);
        for wrong in ["struct:", "struct:u8:1,", "struct:other", "struct:value:x", "struct:struct:u8:1"] {
            assert!(bytes(wrong, 0).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_grows_with_the_repetitions_and_stays_in_its_type() {
        assert_eq!([0, 1, 5].map(|n| bytes("u16:0x10+3", n).unwrap()), [[16, 0], [19, 0], [31, 0]]);
        assert_eq!(bytes("s8:-128+-0", 9).unwrap(), [0x80]);
        assert_eq!(bytes("u8:250+5", 1).unwrap(), [255]);
        let message = format!("{:#}", bytes("u8:250+5", 2).unwrap_err());
        assert!(message.contains("does not fit"), "{message}");
        assert_eq!(bytes("u64:18446744073709551615", 0).unwrap(), [255; 8]);
        for wrong in ["u8:256", "s8:128", "u64:18446744073709551616", "u32:", "u32:x", "u24:1", "8:1", "u32:1+x"] {
            assert!(bytes(wrong, 0).is_err(), "{wrong}");
        }
    }
}
