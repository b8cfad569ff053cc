//! Device memory that kernels work on: filled from files, written to files when all launches have ended well.

use crate::record::{self, Files};
use anyhow::{bail, ensure, Context, Result};
use output::{is_same_file, Output};
use sim::exec::Memory;
use sim::gpu::Gpu;
use sim::number::whole_u64;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Device memory that all buffers may take, bytes.
const LARGEST: u64 = 1 << 32;

/// The buffer that an `in:`, `inout:`, `from:`, `out:` or `buf:` asks for.
pub struct Buffer {
    /// Its name in messages, as in `--arg in:x.bin`.
    pub label: String,
    pub data: Vec<u8>,
    /// The file that the contents go to in the end.
    pub out: Option<PathBuf>,
    /// Nobody may write it.
    pub read_only: bool,
}

impl Buffer {
    /// `None`: the text is no buffer's. A file that is read is looked for in `folder`. Errors do not repeat `label`, which is for
    /// later ones.
    pub fn parse(label: &str, text: &str, folder: &Path) -> Result<Option<Self>> {
        let Some((kind, rest)) = text.split_once(':') else { return Ok(None) };
        let read = || contents(&folder.join(rest));
        let buffer = |data, out: Option<&str>| Buffer {
            label: label.into(),
            data,
            out: out.map(PathBuf::from),
            read_only: kind == "in",
        };
        Ok(Some(match kind {
            "in" => buffer(read()?, None),
            "inout" => buffer(read()?, Some(rest)),
            "from" => buffer(read()?, None),
            "out" => {
                let rule = "write out:FILE:BYTES, for example out:result.bin:4096";
                let (path, bytes) = rest.rsplit_once(':').context(rule)?;
                buffer(zeros(whole_u64(bytes).ok().context(rule)?)?, Some(path))
            }
            "buf" => buffer(zeros(whole_u64(rest).ok().context("write buf:BYTES, for example buf:4096")?)?, None),
            _ => return Ok(None),
        }))
    }

    pub fn bytes(&self) -> usize {
        self.data.len()
    }

    /// New device memory with the contents, where a reorder unit could read it. Gives its address.
    pub fn place(&self, gpu: &mut Gpu) -> Result<u64> {
        let alignment = gpu.config().reorder_alignment();
        let address = gpu.memory_mut().alloc_aligned(self.data.len() as u64, alignment);
        gpu.copy_to_device(address, &self.data)?;
        if self.read_only {
            gpu.memory_mut().protect(address);
        }
        Ok(address)
    }
}

/// Files that an argument or a buffer's text names. `label` is what messages call it.
pub fn add_files(label: &str, text: &str, files: &mut Files) {
    let written = |path: &str| record::Written { label: label.into(), path: path.into() };
    match text.split_once(':') {
        Some(("in" | "from" | "value", path)) => files.read.push(path.into()),
        Some(("inout", path)) => {
            files.changed.push(path.into());
            files.written.push(written(path));
        }
        Some(("out", rest)) => files.written.push(written(rest.rsplit_once(':').map_or(rest, |(path, _)| path))),
        Some(("struct", parts)) => parts.split(',').for_each(|part| add_files(label, part, files)),
        _ => {}
    }
}

/// All buffers of the command fit together.
pub fn check_all(buffers: &[Buffer]) -> Result<()> {
    let bytes = buffers.iter().map(|buffer| buffer.bytes() as u64).sum::<u64>();
    ensure!(bytes <= LARGEST, "all buffers together have {bytes} bytes: at most {LARGEST} are possible");
    Ok(())
}

/// The contents of a file, which may be a device or a pipe without an end.
pub fn contents(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).context("cannot read")?;
    ensure!(bytes.len() as u64 <= LARGEST, "a buffer has 1 to {LARGEST} bytes");
    Ok(bytes)
}

fn zeros(bytes: u64) -> Result<Vec<u8>> {
    ensure!((1..=LARGEST).contains(&bytes), "a buffer has 1 to {LARGEST} bytes");
    Ok(vec![0; bytes as usize])
}

/// A file that results go to: it takes its place when all are whole.
struct Written<'a> {
    buffer: &'a Buffer,
    address_of: usize,
    path: PathBuf,
    file: Output,
}

pub struct Outputs<'a>(Vec<Written<'a>>);

impl<'a> Outputs<'a> {
    /// For files in `folder`. Fails at once if nothing can be written somewhere.
    pub fn prepare(buffers: &'a [Buffer], folder: &Path) -> Result<Self> {
        let mut outputs: Vec<Written> = Vec::new();
        for (address_of, buffer) in buffers.iter().enumerate() {
            let (label, Some(path)) = (&buffer.label, buffer.out.as_ref().map(|path| folder.join(path))) else {
                continue;
            };
            if outputs.iter().any(|other| is_same_file(&other.path, &path)) {
                bail!("{label}: another buffer is written to the same file");
            }
            let file = Output::begin(&path).with_context(|| format!("{label}: cannot write"))?;
            outputs.push(Written { buffer, address_of, path, file });
        }
        Ok(Outputs(outputs))
    }

    /// `addresses` are those of all buffers.
    pub fn write(mut self, addresses: &[u64], memory: &Memory) -> Result<()> {
        let context = |buffer: &Buffer| format!("{}: cannot write", buffer.label);
        for Written { buffer, address_of, file, .. } in &mut self.0 {
            let bytes = memory.bytes(addresses[*address_of], buffer.bytes())?;
            file.write_all(bytes).with_context(|| context(buffer))?;
        }
        for Written { buffer, file, .. } in self.0 {
            file.finish().with_context(|| context(buffer))?;
        }
        Ok(())
    }
}
