//! Verilog text -> Verilator -> C++ -> shared object, with a cache.
//!
//! The C++ from Verilator goes into one translation unit with the shim (see [`crate::shim`]), or into several that are compiled at the same time; Verilator's runtime and headers are compiled once. What writes a waveform (FST) is a third of the
//! text: it is compiled when somebody wants one (see [`Verilator::with_waveforms`]), from the same verilation, so that the same seed gives the same run.
//!
//! Models are kept by content: text, pins, tools and flags (see [`crate::model_cache`]).

use crate::choices;
use crate::error::{Error, Result};
use crate::installation::{Installation, VERILATOR};
use crate::model_cache::{default_directory, Cache, Entry, SUMS};
use crate::places;
use crate::shim;
use crate::tool::Work;
use crate::user_verilog::UserVerilog;
use crate::watch::Watch;
use gen::tool::Program;
use sim::unit::Interface;
use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

pub(crate) const COMPILER: Program = Program { name: "C++ compiler", package: "clang-14" };

const VERILATOR_FLAGS: &[&str] = &[
    "--cc",
    "--default-language",
    "1364-2005",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "unique",
    "--trace-fst",
    "--prefix",
    shim::CLASS,
    "-DUNRULY_ASSERT",
];

/// For a model that says to which places of its Verilog it came.
const COUNTS: &[&str] = &["--coverage-line"];

/// Warnings are errors, but for one: the text holds all modules of a design, and only one can have the file's name.
const STRICT_FLAGS: &[&str] = &["-Wall", "-Wno-DECLFILENAME"];

/// Text of the user's own need not be free of warnings, and what delays it has mean nothing to a clocked circuit.
const LENIENT_FLAGS: &[&str] = &["-Wno-fatal", "-Wno-lint", "-Wno-style", "--no-timing"];

/// The compiler of all C++ here. Its model of a front end is a third faster than gcc's.
pub(crate) fn cxx() -> Command {
    let mut command = Command::new("clang-14");
    command.arg("--driver-mode=g++");
    command
}

const CXX_FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    // Verilator writes deep expressions.
    "-fbracket-depth=8192",
    "-DVL_TIME_CONTEXT",
    "-DVL_USER_STOP",
    "-DVL_USER_FATAL",
    "-DVL_USER_WARN",
    "-DVM_TRACE=1",
    "-DVM_TRACE_FST=1",
    "-DVM_TRACE_VCD=0",
    "-DVM_SC=0",
    "-DVM_COVERAGE=0",
];

/// Flags for the code that clocks a model, as a rule, and for Verilator's runtime.
/// InstCombine would be the dearest pass, and the code is hardly faster with it: it is left out.
const CLOCKED: &[&str] = &["-O1", "-mllvm", "-instcombine-max-iterations=0"];
/// Flags for the code that runs only when a model is made or for a waveform. In large models this is more than half of the text.
const PLAIN: &[&str] = &["-O0"];

/// Generated text from which on two translation units take less processor time than one, in bytes: each reads the headers.
const LARGE: u64 = 400_000;
/// Text that clocks a model, for one translation unit, in bytes. What is more is compiled side by side.
const PART: u64 = 4_000_000;

const LINK_FLAGS: &[&str] = &["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"];

/// Files of Verilator's runtime that a model with FST needs.
const RUNTIME: &[&str] = &["verilated", "verilated_threads", "verilated_fst_c"];

/// Headers that every model includes. To read them takes longer than to compile a small model.
const HEADERS: &[&str] = &["-include", "verilated.h", "-include", "verilated_fst_c.h", "-include", "cstring"];
/// Headers as the compiler keeps them, without the times of the files.
const PRECOMPILED: &str = "headers.pch";
const PRECOMPILE: &[&str] = &["-Xclang", "-fno-pch-timestamp", "-x", "c++-header", "/dev/null", "-o"];

const LIBRARY: &str = "model.so";

/// The Verilog of a model.
#[derive(Clone, Copy)]
pub enum Verilog<'a> {
    /// As it was emitted here: a warning is an error.
    Emitted(&'a str),
    /// The user's.
    UserVerilog(&'a UserVerilog),
    /// A netlist that Yosys wrote.
    Netlist(&'a str),
}

impl Verilog<'_> {
    /// `value` if nothing happens at a falling edge. Nobody knows that of a user's text.
    fn without_falling_edges<T>(self, value: T) -> Option<T> {
        match self {
            Verilog::Emitted(text) | Verilog::Netlist(text) if !text.contains("negedge") => Some(value),
            _ => None,
        }
    }
}

impl<'a> From<&'a str> for Verilog<'a> {
    fn from(text: &'a str) -> Self {
        Verilog::Emitted(text)
    }
}

impl<'a> From<&'a UserVerilog> for Verilog<'a> {
    fn from(own: &'a UserVerilog) -> Self {
        Verilog::UserVerilog(own)
    }
}

/// Verilator, a C++ compiler, and the cache of what they made.
#[derive(Clone)]
pub struct Verilator {
    installed: Installation,
    /// Flags for the code that clocks a model.
    clocked: &'static [&'static str],
    /// Models say to which places of their Verilog they came.
    counts: bool,
    cache: Cache,
    watch: Watch,
}

impl Verilator {
    /// Looks for Verilator on the path. Models are kept in [`default_directory`]; the command of this process watches
    /// their building.
    ///
    /// # Errors
    /// Verilator is missing or older than version 5.
    pub fn find() -> Result<Self> {
        Self::with_cache(default_directory())
    }

    /// [`Self::find`] with the models kept in `cache`.
    ///
    /// # Errors
    /// Errors of [`Self::find`].
    pub fn with_cache(cache: PathBuf) -> Result<Self> {
        Ok(Verilator {
            installed: Installation::find()?,
            clocked: CLOCKED,
            counts: false,
            cache: Cache::new(cache),
            watch: Watch::of_this_process(),
        })
    }

    /// Verilator for models that are built sooner and run slower: those that run for some thousand cycles.
    pub fn in_haste(self) -> Self {
        Verilator { clocked: PLAIN, ..self }
    }

    /// Verilator for models that say to which places of their Verilog they came (see [`crate::places`]).
    pub fn counting_places(self) -> Self {
        Verilator { counts: true, ..self }
    }

    pub(crate) fn counts_places(&self) -> bool {
        self.counts
    }

    /// Verilator's flags besides those of the Verilog.
    fn flags(&self) -> Vec<&'static str> {
        [VERILATOR_FLAGS, if self.counts { COUNTS } else { &[] }].concat()
    }

    /// The same, watched by `watch`.
    pub fn watched_by(self, watch: Watch) -> Self {
        Verilator { watch, ..self }
    }

    /// The shared object for the module `top` of `verilog`, whose ports must be exactly those of `interface`, `clock` and
    /// `reset`.
    ///
    /// # Errors
    /// Verilator's or the compiler's messages; ports that differ; a missing compiler or library; a cache that cannot be
    /// written; an interruption.
    pub fn build<'a>(&self, top: &str, verilog: impl Into<Verilog<'a>>, interface: &Interface) -> Result<PathBuf> {
        if self.counts {
            self.installed.check_counts()?;
        }
        let with_ifs;
        let verilog = match verilog.into() {
            Verilog::Emitted(text) if self.counts => {
                with_ifs = choices::with_ifs(text);
                Verilog::Emitted(&with_ifs)
            }
            verilog => verilog,
        };
        let origin = self.origin(top, verilog, interface);
        let entry = Entry { name: top, origin: &origin, files: &[LIBRARY.into()] };
        let place = self.cache.get(&entry, |directory| {
            let runtime = self.runtime()?;
            let subject = format!("the verilated model {top}");
            let work = Work { subject: &subject, started: Instant::now(), watch: &self.watch };
            Build { verilator: self, top, directory, work }.model(verilog, interface, &runtime)
        })?;
        Ok(place.join(LIBRARY))
    }

    /// All ports of a module, `clock` and `reset` among them.
    ///
    /// # Errors
    /// Errors of [`Self::build`], but for ports that differ.
    pub fn ports(&self, own: &UserVerilog) -> Result<Interface> {
        let directory = tempfile::tempdir()?;
        let subject = format!("the ports of {}", own.top());
        let work = Work { subject: &subject, started: Instant::now(), watch: &self.watch };
        let build = Build { verilator: self, top: own.top(), directory: directory.path(), work };
        build.verilate(own.into())?;
        Ok(shim::ports(&build.header(shim::CLASS)?))
    }

    fn origin(&self, top: &str, verilog: Verilog, interface: &Interface) -> String {
        let flags = [&self.flags(), CXX_FLAGS, self.clocked, PLAIN, LINK_FLAGS].concat().join(" ");
        let before = if self.counts { places::BEFORE } else { "" };
        let text = match verilog {
            Verilog::Emitted(text) => format!("{}\n{text}", STRICT_FLAGS.join(" ")),
            Verilog::UserVerilog(own) => {
                format!("{} {}\n{}", LENIENT_FLAGS.join(" "), own.flags().join(" "), own.origin())
            }
            Verilog::Netlist(text) => format!("{}\n{text}", LENIENT_FLAGS.join(" ")),
        };
        let header = match verilog {
            Verilog::Netlist(_) => format!("VL_IN8(&reset,0,0);\nVL_IN16(&{},15,0);", shim::MUTANT),
            _ => "VL_IN8(&reset,0,0);".into(),
        };
        format!(
            "{}\n{flags}\n{top}\n{before}{}\n{text}",
            self.installed.version,
            shim::source(interface, &header, verilog.without_falling_edges("last_clock"), self.counts)
        )
    }

    /// Version, root and flags with which all files of Verilator's own are compiled at this level of optimisation.
    fn tools(&self, level: &[&str]) -> String {
        format!(
            "{}\n{}\n{}",
            self.installed.version,
            self.installed.root.display(),
            [CXX_FLAGS, level].concat().join(" ")
        )
    }

    /// Objects of Verilator's runtime, compiled at the first use.
    fn runtime(&self) -> Result<Vec<PathBuf>> {
        let origin = self.tools(CLOCKED);
        let files: Vec<_> = RUNTIME.iter().map(|name| format!("{name}.o")).collect();
        let entry = Entry { name: "runtime", origin: &origin, files: &files };
        let place = self.cache.get(&entry, |directory| {
            let subject = "Verilator's runtime";
            let work = Work { subject, started: Instant::now(), watch: &self.watch };
            let source = |name: &&str| self.installed.root.join(format!("include/{name}.cpp"));
            let unit = |name| Unit { source: source(name), level: CLOCKED, headers: None };
            let units: Vec<_> = RUNTIME.iter().map(unit).collect();
            Build { verilator: self, top: subject, directory, work }.objects(&units).map(|_| ())
        })?;
        Ok(files.iter().map(|file| place.join(file)).collect())
    }

    /// [`HEADERS`] for this level of optimisation, precompiled at the first use.
    fn headers(&self, level: &[&str]) -> Result<PathBuf> {
        let origin = format!("{}\n{HEADERS:?}", self.tools(level));
        let files = [PRECOMPILED.into()];
        let entry = Entry { name: "headers", origin: &origin, files: &files };
        let place = self.cache.get_once(&entry, |directory| {
            let subject = "Verilator's headers";
            let work = Work { subject, started: Instant::now(), watch: &self.watch };
            Build { verilator: self, top: subject, directory, work }.precompile(level)
        })?;
        Ok(place.join(PRECOMPILED))
    }

    /// The library of the model of `top` that the cache has in `model`, with what writes waveforms.
    ///
    /// # Errors
    /// The compiler's messages; a cache that cannot be written; an interruption.
    pub(crate) fn with_waveforms(&self, top: &str, model: &Path) -> Result<PathBuf> {
        let sums = model.join(SUMS);
        let origin = fs::read_to_string(&sums).map_err(Error::file(&sums))?;
        let entry = Entry { name: &format!("{top}_waveforms"), origin: &origin, files: &[LIBRARY.into()] };
        let place = self.cache.get(&entry, |directory| {
            let runtime = self.runtime()?;
            let subject = format!("waveforms of {top}");
            let work = Work { subject: &subject, started: Instant::now(), watch: &self.watch };
            Build { verilator: self, top, directory, work }.waveforms(model, &runtime)
        })?;
        Ok(place.join(LIBRARY))
    }
}

/// One model, or the runtime, on its way.
struct Build<'a> {
    verilator: &'a Verilator,
    top: &'a str,
    /// Everything that comes into being is here.
    directory: &'a Path,
    work: Work<'a>,
}

impl Build<'_> {
    fn model(&self, verilog: Verilog, pins: &Interface, runtime: &[PathBuf]) -> Result<()> {
        self.verilate(verilog)?;
        let header = self.header(shim::CLASS)?;
        shim::check_ports(self.top, &header, pins)?;
        let root = self.header(shim::ROOT)?;
        let last_clock = shim::last_clock(&root).and_then(|last| verilog.without_falling_edges(last));
        let counts = shim::counts(&self.header(shim::SYMBOLS)?);
        let objects = self.objects(&self.units(&shim::source(pins, &header, last_clock, counts))?)?;
        self.link(&objects, runtime)
    }

    /// The library of a model in `model`, and with it what writes waveforms.
    fn waveforms(&self, model: &Path, runtime: &[PathBuf]) -> Result<()> {
        let mut objects = files(model, "o")?;
        let generated = generated(model)?;
        let text = include(&generated.iter().filter(|file| file.is_of_waveforms()).collect::<Vec<_>>());
        let unit = self.unit("waveforms.cc", &text, PLAIN)?;
        let mut command = self.compile(unit.level);
        command.arg("-I").arg(model);
        objects.push(self.object(&unit, command)?);
        self.link(&objects, runtime)
    }

    fn link(&self, objects: &[PathBuf], runtime: &[PathBuf]) -> Result<()> {
        let mut link = cxx();
        link.args(LINK_FLAGS).arg("-o").arg(self.directory.join(LIBRARY)).args(objects).args(runtime);
        // Code that clang makes of the runtime asks the library whether an atomic is free of locks.
        link.args(["-lpthread", "-lz", "-latomic"]);
        link.args(self.verilator.installed.has_new_writer().then_some("-llz4"));
        self.compiler(&mut link)
    }

    /// The header of a class that Verilator wrote.
    fn header(&self, class: &str) -> Result<String> {
        let path = self.directory.join(format!("{class}.h"));
        fs::read_to_string(&path).map_err(Error::file(&path))
    }

    fn verilate(&self, verilog: Verilog) -> Result<()> {
        let mut command = self.verilator.installed.command(self.directory);
        command.args(self.verilator.flags()).args(["--top-module", self.top, "--Mdir"]).arg(self.directory);
        match verilog {
            Verilog::Emitted(text) => {
                let source = self.write(&format!("{}.v", self.top), text)?;
                command.args(STRICT_FLAGS).arg(source);
            }
            Verilog::UserVerilog(own) => {
                command.args(LENIENT_FLAGS).args(own.flags()).args(own.write(self.directory)?);
            }
            Verilog::Netlist(text) => {
                command.args(LENIENT_FLAGS).arg(self.write(&format!("{}.v", self.top), text)?);
            }
        }
        let ended = self.work.run(&VERILATOR, &mut command)?;
        if ended.success {
            return Ok(());
        }
        let messages = ended.messages();
        self.check_room(&messages)?;
        let messages = self.readable(&messages);
        let messages = if let Verilog::UserVerilog(own) = verilog { own.with_their_names(&messages) } else { messages };
        Err(Error::Verilog { top: self.top.into(), messages })
    }

    /// The translation units of what Verilator has generated.
    fn units(&self, shim: &str) -> Result<Vec<Unit>> {
        let generated = generated(self.directory)?;
        let model: Vec<_> = generated.iter().filter(|file| !file.is_of_waveforms()).collect();
        let clocked = self.verilator.clocked;
        if model.iter().map(|file| file.bytes).sum::<u64>() < LARGE {
            return Ok(vec![self.unit("all.cc", &(include(&model) + shim), clocked)?]);
        }
        let (slow, fast): (Vec<_>, Vec<_>) = model.into_iter().partition(|file| file.is_slow());
        let mut fast: Vec<_> = parts(fast).iter().map(|part| include(part)).collect();
        fast[0] += shim;
        let fast = fast.iter().enumerate().map(|(n, text)| self.unit(&format!("fast{n}.cc"), text, clocked));
        fast.chain([self.unit("slow.cc", &include(&slow), PLAIN)]).collect()
    }

    fn unit(&self, name: &str, text: &str, level: &'static [&'static str]) -> Result<Unit> {
        let headers = Some(self.verilator.headers(level)?);
        let before = if self.verilator.counts { places::BEFORE } else { "" };
        Ok(Unit { source: self.write(name, &(before.to_string() + text))?, level, headers })
    }

    /// Compiles `units`, all at the same time.
    fn objects(&self, units: &[Unit]) -> Result<Vec<PathBuf>> {
        std::thread::scope(|scope| {
            let object = |unit| scope.spawn(move || self.object(unit, self.compile(unit.level)));
            let running: Vec<_> = units.iter().map(object).collect();
            running.into_iter().map(|thread| thread.join().expect("compiling does not panic")).collect()
        })
    }

    fn object(&self, unit: &Unit, mut command: Command) -> Result<PathBuf> {
        let object = self.directory.join(unit.source.with_extension("o").file_name().expect("a source has a name"));
        if let Some(headers) = &unit.headers {
            command.arg("-include-pch").arg(headers);
        }
        self.compiler(command.arg("-c").arg(&unit.source).arg("-o").arg(&object))?;
        Ok(object)
    }

    fn precompile(&self, level: &[&str]) -> Result<()> {
        let mut command = self.compile(level);
        self.compiler(command.args(HEADERS).args(PRECOMPILE).arg(self.directory.join(PRECOMPILED)))
    }

    /// The compiler, with all that does not depend on what is compiled.
    fn compile(&self, level: &[&str]) -> Command {
        let include = self.verilator.installed.root.join("include");
        let mut command = cxx();
        command.args(CXX_FLAGS).args(level);
        command.arg("-I").arg(&include).arg("-I").arg(include.join("vltstd")).arg("-I").arg(self.directory);
        command
    }

    /// The compiler's temporary files are in our directory: one that is killed leaves nothing elsewhere.
    fn compiler(&self, command: &mut Command) -> Result<()> {
        let ended = self.work.run(&COMPILER, command.env("TMPDIR", self.directory))?;
        let text = &ended.messages();
        if ended.success {
            Ok(())
        } else if text.contains("'zlib.h' file not found") || text.contains("cannot find -lz") {
            Err(Error::MissingTool { tool: "zlib", package: "zlib1g-dev" })
        } else if text.contains("'lz4.h' file not found") || text.contains("cannot find -llz4") {
            Err(Error::MissingTool { tool: "lz4", package: "liblz4-dev" })
        } else {
            self.check_room(text)?;
            Err(Error::Compile { top: self.top.into(), messages: self.readable(text) })
        }
    }

    /// A tool that has failed may have found the disk full: it says so, or there is no room now.
    fn check_room(&self, output: &str) -> Result<()> {
        const FULL: &str = "No space left on device";
        let problem = match fs::write(self.directory.join("room"), [0; 1 << 16]) {
            Ok(()) if output.contains(FULL) => io::Error::new(io::ErrorKind::StorageFull, FULL),
            Ok(()) => return Ok(()),
            Err(problem) => problem,
        };
        Err(self.verilator.cache.error()(problem))
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.directory.join(name);
        fs::write(&path, text).map_err(Error::file(&path)).map(|()| path)
    }

    /// Without the directory, which goes when the build has failed.
    fn readable(&self, messages: &str) -> String {
        messages.trim_end().replace(&format!("{}/", self.directory.display()), "")
    }
}

/// A translation unit on its way to an object.
struct Unit {
    source: PathBuf,
    /// Flags of optimisation.
    level: &'static [&'static str],
    /// Read before the source.
    headers: Option<PathBuf>,
}

/// A C++ file that Verilator wrote.
struct Generated {
    name: String,
    bytes: u64,
}

impl Generated {
    /// Code that runs when a model is made: Verilator says so in the name.
    fn is_slow(&self) -> bool {
        self.name.contains("__Slow")
    }

    fn is_of_waveforms(&self) -> bool {
        self.name.contains("__Trace__")
    }
}

/// In a fixed order.
fn generated(directory: &Path) -> Result<Vec<Generated>> {
    let file = |path: PathBuf| {
        let bytes = fs::metadata(&path).map_err(Error::file(&path))?.len();
        Ok(Generated { name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes })
    };
    files(directory, "cpp")?.into_iter().map(file).collect()
}

/// The files with this extension, in a fixed order.
fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let list = || fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let mut files = list().map_err(Error::file(directory))?;
    files.retain(|path| path.extension() == Some(OsStr::new(extension)));
    files.sort();
    Ok(files)
}

/// The files in parts of about the same size: one for each [`PART`] that is begun.
fn parts(mut files: Vec<&Generated>) -> Vec<Vec<&Generated>> {
    let bytes = |files: &[&Generated]| files.iter().map(|file| file.bytes).sum::<u64>();
    let mut parts = vec![vec![]; bytes(&files).div_ceil(PART).max(1) as usize];
    files.sort_by_key(|file| Reverse(file.bytes));
    for file in files {
        parts.iter_mut().min_by_key(|part| bytes(part)).expect("one part or more").push(file);
    }
    parts
}

/// A translation unit of these files.
fn include(files: &[&Generated]) -> String {
    files.iter().map(|file| format!("#include \"{}\"\n", file.name)).collect()
}
