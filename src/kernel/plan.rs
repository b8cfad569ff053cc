//! Launches, their order and their buffers: from the options of one launch, or from a TOML file of several.

use super::argument::{self, Argument};
use super::buffer::{check_all, contents, Buffer};
use super::iru::{self, Configuration};
use super::ptx::Ptx;
use super::{dimensions, entry};
use crate::digest::hex;
use crate::toml_error;
use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sim::exec::Memory;
use sim::ptx::isa::Space;
use sim::ptx::program::Program;
use sim::ptx::Module;
use std::collections::BTreeMap;
use std::path::Path;

pub struct Plan {
    pub buffers: Vec<Buffer>,
    pub steps: Vec<Step>,
    /// Contents of variables of the module before the first launch, by their names.
    variables: Vec<(String, Vec<u8>)>,
    /// The names of the buffers; only in a file of several launches.
    names: Option<Vec<String>>,
    words: Words,
}

/// Names in messages for the places where a user names the kernel and its arguments.
#[derive(Clone, Copy)]
pub struct Words {
    pub entry: &'static str,
    pub args: &'static str,
}

/// A single launch, as the user writes it.
pub struct Single<'a> {
    pub words: Words,
    /// Where files are that are read.
    pub folder: &'a Path,
    pub kernel: Option<String>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    pub args: &'a [String],
    pub configure_iru: Option<&'a str>,
}

/// A launch and its repetitions.
pub struct Step {
    /// Where it is written, for messages.
    place: String,
    kernel: Option<String>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Dynamic shared memory of a CTA, bytes.
    pub shared: u32,
    pub arguments: Vec<Argument>,
    pub iru: Option<Configuration>,
    /// Buffers that the host fills with zeros before each launch.
    pub clear: Vec<usize>,
    pub repeat: Repeat,
}

impl Step {
    /// An error says where the step is written.
    pub fn located<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| if self.place.is_empty() { error } else { error.context(self.place.clone()) })
    }
}

/// When a launch is done once more.
pub enum Repeat {
    /// This many launches in all.
    Times(u64),
    /// As long as the first word of this buffer is not zero afterwards.
    While(usize),
    /// Until the first word of this buffer is not zero afterwards.
    Until(usize),
    /// As long as the hardware worklist holds work afterwards.
    WhileWorklist,
}

/// Labels of the buffers of a file of launches, and their texts; none if the file cannot be read.
pub fn buffers(path: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let file: toml::Table = toml::from_str(&text).unwrap_or_default();
    let tables = ["buffers", "variables"].into_iter().filter_map(|name| file.get(name)?.as_table());
    let table = tables.flatten();
    let texts = table.filter_map(|(name, text)| Some((name, text.as_str()?)));
    texts.map(|(name, text)| (label(path, name, text), text.to_owned())).collect()
}

fn label(path: &Path, name: &str, text: &str) -> String {
    format!("{}: buffer {name} = \"{text}\"", path.display())
}

impl Plan {
    /// # Errors
    /// Mistakes in the arguments.
    pub fn of_one_launch(single: Single) -> Result<Self> {
        let Single { words, folder, kernel, grid, block, shared, args, configure_iru } = single;
        let mut buffers = Vec::new();
        let mut arguments = Vec::new();
        for text in args {
            let label = format!("{} {text}", words.args);
            let mut new = |text: &str| -> Result<Option<usize>> {
                let buffer = Buffer::parse(&label, text, folder)?;
                Ok(buffer.map(|buffer| {
                    buffers.push(buffer);
                    buffers.len() - 1
                }))
            };
            arguments.push(Argument::parse(label.clone(), text, folder, &mut new)?);
        }
        check_all(&buffers)?;
        let iru = configure_iru.map(str::parse::<Configuration>).transpose()?;
        let step = Step {
            place: String::new(),
            kernel,
            grid,
            block,
            shared,
            arguments,
            iru,
            clear: vec![],
            repeat: Repeat::Times(1),
        };
        Ok(Plan { buffers, steps: vec![step], variables: vec![], names: None, words })
    }

    /// The launches of a TOML file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
        let file: File = toml::from_str(&text).map_err(|error| toml_error::in_file(path.display(), &text, &error))?;
        let mut names = Vec::new();
        let mut buffers = Vec::new();
        for (name, text) in file.buffers {
            let place = format!("{}: buffer {name}", path.display());
            ensure!(
                !name.contains([':', ',']) && name != WORKLIST,
                "{place}: choose a name without `:` and `,` other than {WORKLIST}"
            );
            let label = label(path, &name, &text);
            let buffer = Buffer::parse(&label, &text, Path::new(""))
                .and_then(|buffer| buffer.context("write in:FILE, inout:FILE, from:FILE, out:FILE:BYTES or buf:BYTES"));
            buffers.push(buffer.with_context(|| label.clone())?);
            names.push(name);
        }
        check_all(&buffers).with_context(|| path.display().to_string())?;
        ensure!(!file.launch.is_empty(), "{}: there is no [[launch]] in it", path.display());
        let named = Named { names: &names, buffers: &buffers };
        let steps = (1..).zip(file.launch).map(|(n, entry)| {
            let place = format!("{}: launch {n}", path.display());
            entry.step(place.clone(), &named).context(place)
        });
        let steps = steps.collect::<Result<_>>()?;
        let variable = |(name, text): (String, String)| {
            let place = format!("{}: variable {name} = \"{text}\"", path.display());
            let file = text.strip_prefix("from:").context("write from:FILE").with_context(|| place.clone())?;
            Ok((name, contents(Path::new(file)).context(place)?))
        };
        let variables = file.variables.into_iter().map(variable).collect::<Result<_>>()?;
        let words = Words { entry: "kernel = \"NAME\"", args: "args" };
        Ok(Plan { buffers, steps, variables, names: Some(names), words })
    }

    /// Files that buffers are written to.
    pub fn written(&self) -> impl Iterator<Item = &Path> {
        self.buffers.iter().filter_map(|buffer| buffer.out.as_deref())
    }

    /// The digest of all that kernels are given: buffers, arguments, variables.
    ///
    /// # Errors
    /// A number that does not fit its type.
    pub fn sha256(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        self.buffers.iter().for_each(|buffer| add(&buffer.data));
        self.variables.iter().for_each(|(_, bytes)| add(bytes));
        let places: Vec<u64> = (0..self.buffers.len() as u64).collect();
        for argument in self.steps.iter().flat_map(|step| &step.arguments) {
            add(&argument.bytes(0, &places)?);
        }
        Ok(hex(hash.finalize()))
    }

    /// The kernel of each step, and the memory with the variables of the module.
    ///
    /// # Errors
    /// PTX that cannot be read, or does not fit the plan.
    pub fn load(&self, ptx: &Ptx, file: &Path) -> Result<(Vec<Program>, Memory)> {
        let (mut module, mut memory) = (ptx.module()?, Memory::new());
        memory.place_statics(module.statics());
        self.set_variables(&mut module, &mut memory)?;
        Ok((self.programs(&module, file)?, memory))
    }

    /// Gives the variables of the module their contents: constant ones here, the others in the memory that it has been placed in.
    ///
    /// # Errors
    /// A variable that is not there, or has another size.
    fn set_variables(&self, module: &mut Module, memory: &mut Memory) -> Result<()> {
        for (name, bytes) in &self.variables {
            let found = module.symbol(name).zip(module.variable_bytes(name));
            let (symbol, size) = found.with_context(|| format!("there is no variable `{name}`"))?;
            ensure!(size == bytes.len() as u64, "variable `{name}` has {size} bytes; there are {}", bytes.len());
            match symbol.space {
                Space::Const => module.set_constant(name, bytes)?,
                _ => memory.write(symbol.address, bytes)?,
            }
        }
        Ok(())
    }

    /// The kernel of each step; its arguments fit its parameters.
    pub fn programs(&self, module: &Module, file: &Path) -> Result<Vec<Program>> {
        self.steps.iter().map(|step| step.located(self.program(step, module, file))).collect()
    }

    fn program(&self, step: &Step, module: &Module, file: &Path) -> Result<Program> {
        let Words { entry: option, args } = self.words;
        let program = module.kernel(&entry(module, file, step.kernel.as_deref(), option)?)?;
        argument::check(&program, &step.arguments, args)?;
        iru::check(&program, step.iru.as_ref())?;
        if let Some(configuration) = &step.iru {
            // The arrays are there; their addresses are not yet known.
            configuration.resolve(|name| self.array(step, name).map(|_| 0))?;
        }
        Ok(program)
    }

    /// The buffer that `--configure-iru` means: the name of one, or, of a single launch, the number of its argument.
    pub fn array(&self, step: &Step, name: &str) -> Result<usize> {
        match &self.names {
            Some(names) => position(names, name).with_context(|| no_buffer(name, names)),
            None => {
                let place = name.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let argument = place.and_then(|place| step.arguments.get(place));
                let buffer = argument.and_then(Argument::buffer);
                buffer.with_context(|| format!("there is no --arg {name} with a buffer"))
            }
        }
    }
}

/// The name that `while` takes besides a buffer's.
const WORKLIST: &str = "worklist";

fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|other| other == name)
}

fn no_buffer(name: &str, names: &[String]) -> String {
    match names {
        [] => format!("there is no buffer `{name}`: [buffers] is empty"),
        _ => format!("there is no buffer `{name}`; there are {}", spelling::listed(name, names)),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// `in:FILE`, `inout:FILE`, `from:FILE`, `out:FILE:BYTES` or `buf:BYTES`, by name.
    #[serde(default)]
    buffers: BTreeMap<String, String>,
    /// `from:FILE`, by name.
    #[serde(default)]
    variables: BTreeMap<String, String>,
    #[serde(default)]
    launch: Vec<LaunchEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LaunchEntry {
    kernel: Option<String>,
    grid: Size,
    block: Size,
    #[serde(default)]
    shared: u32,
    /// Names of buffers, and what `--arg` takes but no files.
    #[serde(default)]
    args: Vec<String>,
    configure_iru: Option<String>,
    #[serde(default)]
    clear: Vec<String>,
    #[serde(default = "once")]
    repeat: RepeatEntry,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "write a number from 1 on, or one to three of them, for example [16, 16]")]
pub enum Size {
    One(u32),
    Several(Vec<u32>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "write how often, \"while BUFFER\", \"until BUFFER\" or \"while worklist\"")]
enum RepeatEntry {
    Times(u64),
    Condition(String),
}

fn once() -> RepeatEntry {
    RepeatEntry::Times(1)
}

/// Buffers by name.
struct Named<'a> {
    names: &'a [String],
    buffers: &'a [Buffer],
}

impl Named<'_> {
    fn find(&self, name: &str) -> Result<usize> {
        position(self.names, name).with_context(|| no_buffer(name, self.names))
    }

    fn to_clear(&self, name: &str) -> Result<usize> {
        let buffer = self.find(name)?;
        ensure!(!self.buffers[buffer].read_only, "`{name}` is an in: buffer, which is read only; use inout: or buf:");
        Ok(buffer)
    }
}

impl LaunchEntry {
    fn step(self, place: String, named: &Named) -> Result<Step> {
        let arguments = (1..).zip(&self.args).map(|(n, text)| argument(n, text, named)).collect::<Result<_>>()?;
        Ok(Step {
            kernel: self.kernel,
            grid: self.grid.dimensions("grid")?,
            block: self.block.dimensions("block")?,
            shared: self.shared,
            arguments,
            iru: self.configure_iru.as_deref().map(str::parse::<Configuration>).transpose()?,
            clear: self.clear.iter().map(|name| named.to_clear(name).context("clear")).collect::<Result<_>>()?,
            repeat: self.repeat.resolve(named).context("repeat")?,
            place,
        })
    }
}

/// A text without a colon is the name of a buffer.
fn argument(number: usize, text: &str, named: &Named) -> Result<Argument> {
    let mut find = |text: &str| match text.split_once(':') {
        None => named.find(text).map(Some),
        Some(("in" | "inout" | "from" | "out" | "buf", _)) => {
            bail!("give the buffer a name in [buffers] and write the name here")
        }
        Some(_) => Ok(None),
    };
    Argument::parse(format!("argument {number}, \"{text}\""), text, Path::new(""), &mut find)
}

impl Size {
    /// `key` names it in messages.
    ///
    /// # Errors
    /// Not one to three numbers from 1 on.
    pub fn dimensions(&self, key: &str) -> Result<[u32; 3]> {
        let parts = match self {
            Size::One(x) => std::slice::from_ref(x),
            Size::Several(parts) => parts,
        };
        dimensions(key, &parts.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
    }
}

impl RepeatEntry {
    fn resolve(self, named: &Named) -> Result<Repeat> {
        let text = match self {
            RepeatEntry::Times(0) => bail!("0: write a number from 1 on"),
            RepeatEntry::Times(times) => return Ok(Repeat::Times(times)),
            RepeatEntry::Condition(text) => text,
        };
        let buffer = |name: &str| {
            let buffer = named.find(name)?;
            ensure!(named.buffers[buffer].bytes() >= 4, "the buffer `{name}` has no word of 4 bytes");
            Ok(buffer)
        };
        match text.split_once(' ') {
            Some(("while", WORKLIST)) => Ok(Repeat::WhileWorklist),
            Some(("while", name)) => buffer(name).map(Repeat::While),
            Some(("until", name)) => buffer(name).map(Repeat::Until),
            _ => bail!("\"{text}\": write how often, \"while BUFFER\", \"until BUFFER\" or \"while {WORKLIST}\""),
        }
    }
}
