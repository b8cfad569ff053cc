//! Does on the model what the host of the reference did, event by event.

use super::kernels::{self, Buffers, Draw, Launch, Scalar};
use super::results::{Event, Run};
use super::Counts;
use crate::exit::{CheckFailed, Interrupted};
use anyhow::{bail, ensure, Context, Result};
use sim::config::Config;
use sim::gpu::{self, Gpu, RunError};
use sim::number::float_bits;
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::stats::Stats;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// The model's counts, and true if its results could be checked.
pub fn replay(folder: &Path, run: &Run, interrupt: Arc<AtomicBool>) -> Result<(Counts, bool)> {
    let mut host = Host::new(folder, run)?;
    host.gpu.set_interrupt(interrupt);
    for event in &run.host_events {
        match event {
            Event::Alloc { alloc, address, bytes } => host.alloc(alloc, *address, *bytes)?,
            Event::Copy { copy_to_device, bytes } => host.copy(copy_to_device, *bytes)?,
            Event::Launch { launch, grid, block, args } => host.launch(launch, *grid, *block, args)?,
        }
    }
    let verified = host.check()?;
    Ok((counts(host.gpu.stats()), verified))
}

fn counts(s: &Stats) -> Counts {
    Counts {
        cycles: s.cycles,
        warp_instructions: s.core.warp_instructions,
        thread_instructions: s.core.thread_instructions,
        l1d_accesses: s.l1d.accesses,
        l1d_misses: s.l1d.misses,
        l2_accesses: s.l2.cache.accesses,
        l2_misses: s.l2.cache.misses,
        dram_reads: s.dram.reads,
        dram_writes: s.dram.writes,
    }
}

/// In all buffers of a run.
const MOST_BYTES: u64 = 1 << 30;

struct Host<'a> {
    folder: &'a Path,
    run: &'a Run,
    gpu: Gpu,
    module: Module,
    draw: Draw,
    /// Address and bytes.
    places: BTreeMap<&'a str, (u64, u64)>,
    /// Contents that were copied last.
    inputs: Buffers,
    last: Launch,
}

impl<'a> Host<'a> {
    fn new(folder: &'a Path, run: &'a Run) -> Result<Self> {
        let path = folder.join(&run.ptx);
        let text = std::fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
        let module = Module::parse(&run.ptx, &text)?;
        let gpu = Gpu::new(&configuration(folder, run)?, Vec::new());
        let (places, inputs, last) = Default::default();
        Ok(Host { folder, run, gpu, module, draw: Draw::new(1), places, inputs, last })
    }

    fn alloc(&mut self, name: &'a str, address: u64, bytes: u64) -> Result<()> {
        let all = self.places.values().fold(bytes, |all, (_, bytes)| all.saturating_add(*bytes));
        ensure!(all <= MOST_BYTES, "buffers up to `{name}` have {all} bytes: at most {MOST_BYTES} are possible");
        let ours = self.gpu.memory_mut().alloc(bytes);
        ensure!(ours == address, "buffer `{name}` is at {ours:#x}, results.json has it at {address:#x}");
        self.places.insert(name, (address, bytes));
        Ok(())
    }

    fn place(&self, name: &str) -> Result<(u64, u64)> {
        self.places
            .get(name)
            .copied()
            .with_context(|| format!("results.json uses buffer `{name}` before it allocates it"))
    }

    fn copy(&mut self, name: &str, bytes: u64) -> Result<()> {
        let (address, there) = self.place(name)?;
        ensure!(bytes <= there, "buffer `{name}` has {there} bytes, results.json copies {bytes}");
        let words = match kernels::input(self.run.kernel(), name, bytes as usize / 4, &mut self.draw) {
            Some(words) => words,
            None => self.file(name, bytes)?,
        };
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.gpu.copy_to_device(address, &data).with_context(|| format!("copy to `{name}`"))?;
        self.inputs.insert(name.into(), words);
        Ok(())
    }

    /// Contents of a buffer of a kernel that is not in the set.
    fn file(&self, name: &str, bytes: u64) -> Result<Vec<u32>> {
        let path = self.folder.join("inputs").join(&self.run.run).join(format!("{name}.bin"));
        let data = std::fs::read(&path)
            .with_context(|| format!("{}: cannot read what is copied to `{name}`", path.display()))?;
        ensure!(
            data.len() as u64 == bytes,
            "{}: has {} bytes, results.json copies {bytes}",
            path.display(),
            data.len()
        );
        Ok(data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
    }

    fn launch(&mut self, kernel: &str, grid: [u32; 3], block: [u32; 3], args: &str) -> Result<()> {
        let mut program = self.module.kernel(kernel)?;
        if let Some(resources) = self.run.resources.get(kernel) {
            program.registers = resources.registers_per_thread;
        }
        let (params, scalars) = self.arguments(&program, args)?;
        let launch = gpu::Launch { grid, block, dynamic_shared: 0, params };
        self.gpu.launch(&program, &launch).map_err(|error| match error {
            RunError::Interrupted { .. } => anyhow::Error::from(Interrupted::default()),
            other => other.into(),
        })?;
        self.last = Launch { grid, block, scalars };
        Ok(())
    }

    /// The parameter block, and the arguments that are no buffers.
    fn arguments(&self, program: &Program, args: &str) -> Result<(Vec<u8>, Vec<Scalar>)> {
        let texts: Vec<&str> = args.split(',').collect();
        ensure!(
            texts.len() == program.params.len(),
            "kernel {} takes {} arguments, not `{args}`",
            program.name,
            program.params.len()
        );
        let mut params = vec![0; program.param_bytes as usize];
        let mut scalars = Vec::new();
        for (text, param) in texts.iter().zip(&program.params) {
            let value = if let Ok((address, _)) = self.place(text) {
                address
            } else {
                let scalar = parse(text)?;
                scalars.push(scalar);
                match scalar {
                    Scalar::Integer(value) => value as u64,
                    Scalar::Float(value) => value.to_bits() as u64,
                }
            };
            let (offset, bytes) = (param.offset as usize, param.bytes as usize);
            let value = value.to_le_bytes();
            let value = value.get(..bytes).with_context(|| {
                format!("kernel {} takes a structure of {bytes} bytes, `{text}` is none", program.name)
            })?;
            params[offset..offset + bytes].copy_from_slice(value);
        }
        Ok((params, scalars))
    }

    /// Compares what stands in memory with plain arithmetic. False: the kernel is not known.
    fn check(&self) -> Result<bool> {
        let expected = kernels::expected(self.run.kernel(), &self.last, &self.inputs);
        for (name, right) in &expected {
            let (address, bytes) = self.place(name)?;
            let words = self.gpu.memory().read_u32s(address, bytes as usize / 4)?;
            if let Some(difference) = right.difference(&words) {
                let text = format!("{} ({}): wrong result: {name}{difference}", self.run.run, self.run.compiler);
                return Err(CheckFailed(text).into());
            }
        }
        Ok(!expected.is_empty())
    }
}

/// A number with a point is a float, and so is a hexadecimal one with a power of two.
fn parse(text: &str) -> Result<Scalar> {
    let scalar = match text.contains(['.', 'p']) {
        true => float_bits(text, 32).ok().map(|bits| Scalar::Float(f32::from_bits(bits as u32))),
        false => text.parse().ok().map(Scalar::Integer),
    };
    match scalar {
        Some(scalar) => Ok(scalar),
        None => bail!("argument `{text}` is neither a buffer nor a number"),
    }
}

/// `NAME.toml` in the folder, or the preset `calibration-NAME`.
fn configuration(folder: &Path, run: &Run) -> Result<Config> {
    let path = folder.join(format!("{}.toml", run.config));
    let mut config = match path.exists() {
        true => {
            let text = std::fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()))?;
            Config::from_toml(&path.display().to_string(), &text)?
        }
        false => Config::preset(&format!("calibration-{}", run.config))?,
    };
    config.l2.host_copy_fills = run.l2_filled_by_host_copy;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_whole_numbers_or_floats_as_c_writes_them() {
        // By IEEE 754: 2.5 is 1.25 x 2; the other one is what C's `%a` makes of 1.2f x 2^-17.
        for (text, bits) in [("2.5", 0x4020_0000), ("0x1.333334p-17", 0x3719_999A), ("0x1p-1", 0x3F00_0000)] {
            assert!(matches!(parse(text), Ok(Scalar::Float(value)) if value.to_bits() == bits), "{text}");
        }
        assert!(matches!(parse("17"), Ok(Scalar::Integer(17))));
        for wrong in ["", "one", "1.2.3", "0x1.8", "1e400."] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
