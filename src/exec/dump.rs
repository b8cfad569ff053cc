//! A launch of a program as `unruly kernel` runs it again: its PTX, its memory, its arguments.

use super::context::Context;
use anyhow::{bail, ensure, Context as _, Result};
use output::{make_folder, replace};
use sim::config::Config;
use sim::gpu::Launch;
use sim::ptx::address_map::{ALLOCATION_BYTES, HEAP_BASE};
use std::path::{Path, PathBuf};

/// The dump that the user asked for.
#[derive(Clone)]
pub struct Dump {
    /// Number of the launch, from 1 on.
    pub number: u64,
    pub folder: PathBuf,
}

impl Dump {
    /// `--dump-launch N DIR`
    pub fn parse(words: &[String]) -> Result<Option<Self>> {
        let [number, folder] = match words {
            [] => return Ok(None),
            [number, folder] => [number, folder],
            _ => bail!("--dump-launch: one launch can be written; say it once"),
        };
        let number = sim::number::whole_u64(number).ok().filter(|number| *number > 0);
        let number = number.context("--dump-launch: write the number of a launch, from 1 on, and a folder")?;
        make_folder(Path::new(folder)).with_context(|| format!("--dump-launch {folder}: cannot write"))?;
        Ok(Some(Dump { number, folder: folder.into() }))
    }

    /// Writes the folder, and says how to go on.
    ///
    /// # Errors
    /// A launch that needs more than memory and arguments; a folder that cannot be written.
    pub fn write(&self, context: &Context, config: &Config, handle: u64, launch: &Launch) -> Result<()> {
        let name = || format!("--dump-launch {}", self.folder.display());
        let toml = self.files(context, config, handle, launch).with_context(name)?;
        self.file("launch.toml", toml.as_bytes()).with_context(name)?;
        eprintln!(
            "unruly: launch {} is in {}; in that folder, `unruly kernel kernel.ptx --launches launch.toml --config {}` runs it again",
            self.number,
            self.folder.display(),
            config.name
        );
        Ok(())
    }

    /// All files but the last, whose text it gives.
    fn files(&self, context: &Context, config: &Config, handle: u64, launch: &Launch) -> Result<String> {
        ensure!(context.memory.textures.is_empty(), "textures are bound, which `unruly kernel` does not have");
        let mut toml = String::from("[buffers]\n");
        self.buffers(context, config.reorder_alignment(), &mut toml)?;
        let (program, module, ptx) = context.code(handle).context("there is no such kernel")?;
        ensure!(launch.params.len() == program.param_bytes as usize, "the launch has not the parameters of its kernel");
        self.file("kernel.ptx", ptx.as_bytes())?;
        toml += "\n[variables]\n";
        for (number, name) in (1..).zip(module.variables()) {
            let (address, bytes) =
                context.symbol(context.module_of(handle), name).map_err(|f| anyhow::anyhow!(f.text))?;
            toml += &format!("{name:?} = \"from:variable{number}.bin\"\n");
            self.file(&format!("variable{number}.bin"), context.memory.bytes(address, bytes as usize)?)?;
        }
        toml += &format!(
            "\n[[launch]]\nkernel = {:?}\ngrid = {:?}\nblock = {:?}\n",
            program.name, launch.grid, launch.block
        );
        let mut arguments = Vec::new();
        for (number, param) in (1..).zip(&program.params) {
            let bytes = &launch.params[param.offset as usize..][..param.bytes as usize];
            self.file(&format!("argument{number}.bin"), bytes)?;
            arguments.push(format!("value:argument{number}.bin"));
        }
        toml += &format!("shared = {}\nargs = {arguments:?}\n", launch.dynamic_shared);
        Ok(toml)
    }

    /// The buffers in the order of their addresses, which they get again. What lies between them is a buffer, too.
    fn buffers(&self, context: &Context, alignment: u64, toml: &mut String) -> Result<()> {
        let mut end = HEAP_BASE;
        for (number, (address, bytes)) in (1..).zip(context.memory.allocations()) {
            let next = end.next_multiple_of(alignment);
            if next < address {
                *toml += &format!("b{number:06}a_before = \"buf:{}\"\n", address - next);
                end = address;
            }
            if end.next_multiple_of(alignment) != address {
                bail!("memory at {address:#x} cannot be placed there again");
            }
            *toml += &format!("b{number:06}b_{address:x} = \"from:{address:x}.bin\"\n");
            self.file(&format!("{address:x}.bin"), context.memory.bytes(address, bytes as usize)?)?;
            end = address + bytes.next_multiple_of(ALLOCATION_BYTES);
        }
        Ok(())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        replace(&self.folder.join(name), bytes).with_context(|| format!("{name}: cannot write"))
    }
}
