//! What `--arg` gives a kernel: numbers, buffers from and to files, structures.

use crate::output::{is_same_file, temporary};
use crate::record::Files;
use anyhow::{anyhow, bail, ensure, Context, Result};
use sim::exec::Memory;
use sim::gpu::Gpu;
use sim::ptx::program::{Param, ParamKind, Program};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tempfile::NamedTempFile;

/// Device memory that one buffer may take, bytes.
const LARGEST: u64 = 1 << 32;

pub struct Argument {
    /// As the user wrote it.
    pub text: String,
    value: Value,
}

enum Value {
    /// Little-endian bytes of a number.
    Number {
        bytes: Vec<u8>,
        kind: ParamKind,
    },
    /// Contents of a buffer, and the file that they go to when the kernel has ended.
    Buffer {
        data: Vec<u8>,
        out: Option<PathBuf>,
    },
    Structure(Vec<u8>),
}

impl FromStr for Argument {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let value = parse(text).with_context(|| format!("--arg {text}"))?;
        Ok(Argument { text: text.to_string(), value })
    }
}

/// Files that an `--arg` names.
pub fn add_files(text: &str, files: &mut Files) {
    match text.split_once(':') {
        Some(("in" | "value", path)) => files.read.push(path.into()),
        Some(("inout", path)) => {
            files.read.push(path.into());
            files.written.push(path.into());
        }
        Some(("out", rest)) => files.written.push(rest.rsplit_once(':').map_or(rest, |(path, _)| path).into()),
        _ => {}
    }
}

const FORMS: &str = "write KIND:VALUE with u8, u16, u32, u64, s8, s16, s32, s64, f32, f64, in, inout, out or value";

fn parse(text: &str) -> Result<Value> {
    let (kind, rest) = text.split_once(':').context(FORMS)?;
    let read = |path: &str| std::fs::read(path).context("cannot read");
    Ok(match kind {
        "u8" => integer::<u8>(rest)?,
        "u16" => integer::<u16>(rest)?,
        "u32" => integer::<u32>(rest)?,
        "u64" => integer::<u64>(rest)?,
        "s8" => integer::<i8>(rest)?,
        "s16" => integer::<i16>(rest)?,
        "s32" => integer::<i32>(rest)?,
        "s64" => integer::<i64>(rest)?,
        "f32" => float(rest.parse::<f32>().map(|x| x.to_le_bytes().to_vec()))?,
        "f64" => float(rest.parse::<f64>().map(|x| x.to_le_bytes().to_vec()))?,
        "in" => Value::Buffer { data: read(rest)?, out: None },
        "inout" => Value::Buffer { data: read(rest)?, out: Some(rest.into()) },
        "out" => {
            let rule = "write out:FILE:BYTES, for example out:result.bin:4096";
            let (path, bytes) = rest.rsplit_once(':').context(rule)?;
            let bytes: u64 = bytes.parse().ok().context(rule)?;
            ensure!((1..=LARGEST).contains(&bytes), "a buffer has 1 to {LARGEST} bytes");
            Value::Buffer { data: vec![0; bytes as usize], out: Some(path.into()) }
        }
        "value" => Value::Structure(read(rest)?),
        _ => bail!(FORMS),
    })
}

/// Integers that a kernel can take.
trait Integer: TryFrom<i128> {
    fn bytes(self) -> Vec<u8>;
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl Integer for $type {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        })*
    };
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64);

/// Decimal, or hexadecimal with `0x`.
fn integer<T: Integer>(text: &str) -> Result<Value> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let value = parsed.ok().context("this is not a whole number")?;
    let value = T::try_from(value).map_err(|_| anyhow!("the number does not fit the type"))?;
    Ok(Value::Number { bytes: value.bytes(), kind: ParamKind::Integer })
}

fn float<E>(bytes: Result<Vec<u8>, E>) -> Result<Value> {
    let bytes = bytes.map_err(|_| anyhow!("this is not a number"))?;
    Ok(Value::Number { bytes, kind: ParamKind::Float })
}

impl Argument {
    pub fn is_buffer(&self) -> bool {
        matches!(self.value, Value::Buffer { .. })
    }

    fn out(&self) -> Option<&Path> {
        match &self.value {
            Value::Buffer { out, .. } => out.as_deref(),
            _ => None,
        }
    }

    fn fits(&self, param: &Param) -> bool {
        let bytes = param.bytes as usize;
        match &self.value {
            Value::Number { bytes: value, kind } => value.len() == bytes && *kind == param.kind,
            Value::Buffer { .. } => bytes == 8 && param.kind == ParamKind::Integer,
            Value::Structure(value) => value.len() == bytes,
        }
    }
}

/// What a parameter takes, in words.
fn wanted(param: &Param) -> String {
    let bits = 8 * param.bytes;
    match param.kind {
        ParamKind::Float => format!("f{bits}"),
        ParamKind::Integer if bits == 64 => "u64, s64 or a buffer (in, inout, out)".into(),
        ParamKind::Integer => format!("u{bits} or s{bits}"),
        ParamKind::Structure => format!("a structure of {} bytes (value:FILE)", param.bytes),
    }
}

/// There are as many arguments as parameters, and each fits its own.
pub fn check(program: &Program, arguments: &[Argument]) -> Result<()> {
    let all = || program.params.iter().map(wanted).collect::<Vec<_>>().join("; ");
    let (name, count) = (super::plain_name(&program.name), program.params.len());
    if count != arguments.len() {
        let list = if count == 0 { String::new() } else { format!(": {}", all()) };
        bail!("kernel `{name}` takes {count} parameters{list}; there are {} --arg", arguments.len());
    }
    for (place, (param, argument)) in program.params.iter().zip(arguments).enumerate() {
        if !argument.fits(param) {
            bail!("--arg {}: parameter {} of kernel `{name}` takes {}", argument.text, place + 1, wanted(param));
        }
    }
    Ok(())
}

/// Puts the buffers into device memory, each where a reorder unit could read it. Gives the parameter block, and the address of each argument's buffer.
pub fn place(program: &Program, arguments: &[Argument], gpu: &mut Gpu) -> Result<(Vec<u8>, Vec<u64>)> {
    let mut block = vec![0; program.param_bytes as usize];
    let mut addresses = Vec::new();
    let alignment = gpu.config().reorder_alignment();
    for (param, argument) in program.params.iter().zip(arguments) {
        let mut address = 0;
        let bytes = match &argument.value {
            Value::Number { bytes, .. } | Value::Structure(bytes) => bytes.clone(),
            Value::Buffer { data, .. } => {
                address = gpu.memory_mut().alloc_aligned(data.len() as u64, alignment);
                gpu.copy_to_device(address, data)?;
                address.to_le_bytes().to_vec()
            }
        };
        block[param.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
        addresses.push(address);
    }
    Ok((block, addresses))
}

fn context(argument: &Argument) -> String {
    format!("--arg {}: cannot write", argument.text)
}

/// The files that results go to: written beside their places, and moved there when all are whole.
pub struct Outputs {
    files: Vec<Option<NamedTempFile>>,
}

impl Outputs {
    /// Fails at once if nothing can be written somewhere.
    pub fn prepare(arguments: &[Argument]) -> Result<Self> {
        let mut files = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let Some(path) = argument.out() else {
                files.push(None);
                continue;
            };
            if arguments[..i].iter().filter_map(Argument::out).any(|other| is_same_file(other, path)) {
                bail!("--arg {}: another --arg writes to the same file", argument.text);
            }
            ensure!(!path.is_dir(), "--arg {}: is a directory; name a file in it", argument.text);
            files.push(Some(temporary(path).with_context(|| context(argument))?));
        }
        Ok(Outputs { files })
    }

    pub fn write(&mut self, arguments: &[Argument], addresses: &[u64], memory: &Memory) -> Result<()> {
        for ((file, argument), address) in self.files.iter_mut().zip(arguments).zip(addresses) {
            if let (Some(file), Value::Buffer { data, .. }) = (file, &argument.value) {
                file.write_all(memory.bytes(*address, data.len())?).with_context(|| context(argument))?;
            }
        }
        for (file, argument) in self.files.iter_mut().zip(arguments) {
            if let (Some(file), Some(path)) = (file.take(), argument.out()) {
                file.persist(path).with_context(|| context(argument))?;
            }
        }
        Ok(())
    }
}
