//! Verilog text -> Verilator -> C++ -> shared object, with a cache.
//!
//! Verilator is found through the crate `verilator`; the build step is our own, because that crate's names the files of
//! Verilator 3. Everything that Verilator generates goes into one translation unit with the shim (see [`crate::shim`]);
//! Verilator's runtime is compiled once. Waveform support (FST) is compiled in: switched off, it costs nothing.
//!
//! The cache has one directory per content: text, pins, tools and flags. It is filled elsewhere and put in place with one
//! rename, so that it never holds half a model and two processes do not disturb each other.

use crate::error::{Error, Result};
use crate::shim;
use sim::unit::Interface;
use std::collections::hash_map::DefaultHasher;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};

/// Warnings are errors, but for one: the text holds all modules of a design, and only one can have the file's name.
const VERILATOR_FLAGS: &[&str] = &[
    "--cc",
    "-Wall",
    "-Wno-DECLFILENAME",
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
];

const CXX: &str = "c++";

const CXX_FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-O1",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-DVL_TIME_CONTEXT",
    "-DVM_TRACE=1",
    "-DVM_TRACE_FST=1",
    "-DVM_TRACE_VCD=0",
    "-DVM_SC=0",
    "-DVM_COVERAGE=0",
];

const LINK_FLAGS: &[&str] = &["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"];

/// Files of Verilator's runtime that a model with FST needs.
const RUNTIME: &[&str] = &["verilated", "verilated_threads", "verilated_fst_c"];

const LIBRARY: &str = "model.so";
/// What a cache entry was made from, word for word: a hit has to have the same.
const KEY: &str = "key";

/// A lock for each place in a cache: tests that want the same model wait for it instead of building it twice, and different
/// models are built side by side.
static BUILDING: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());

/// Verilator, a C++ compiler, and the cache of what they made.
#[derive(Clone, Debug)]
pub struct Verilator {
    root: PathBuf,
    version: String,
    cache: PathBuf,
}

impl Verilator {
    /// Looks for Verilator on the path. Models are kept in the project's `.cache/verilator`, or in the user's cache if the
    /// command runs outside a checkout.
    ///
    /// # Errors
    /// Verilator is missing or older than version 5.
    pub fn find() -> Result<Self> {
        Self::with_cache(default_cache())
    }

    /// [`Self::find`] with the models kept in `cache`.
    pub fn with_cache(cache: PathBuf) -> Result<Self> {
        let missing = Error::MissingTool { tool: "Verilator", package: "verilator" };
        let (Some(root), Some((major, minor))) = (verilator::find_verilator_root(), verilator::verilator_version())
        else {
            return Err(missing);
        };
        let version = format!("{major}.{minor:03}");
        if major < 5 {
            return Err(Error::OldVerilator { found: version });
        }
        Ok(Verilator { root, version, cache })
    }

    /// The shared object for the module `top` of `verilog`, whose ports must be exactly those of `interface`, `clock` and
    /// `reset`.
    ///
    /// # Errors
    /// Verilator's or the compiler's messages; ports that differ; a missing compiler or library; a cache that cannot be
    /// written.
    pub fn build(&self, top: &str, verilog: &str, interface: &Interface) -> Result<PathBuf> {
        let key = self.key(top, verilog, interface);
        let place = self.cache.join(format!("{top}-{:016x}", hash(&key)));
        let turn = turn(&place);
        let _once = lock(&turn);
        if !fs::read_to_string(place.join(KEY)).is_ok_and(|found| found == key) {
            fs::create_dir_all(&self.cache).map_err(Error::file(&self.cache))?;
            let runtime = self.runtime()?;
            let work = self.temporary()?;
            self.make_model(work.path(), top, verilog, interface, &runtime)?;
            self.publish(work, &place, &key)?;
        }
        Ok(place.join(LIBRARY))
    }

    fn key(&self, top: &str, verilog: &str, interface: &Interface) -> String {
        let flags = [VERILATOR_FLAGS, CXX_FLAGS, LINK_FLAGS].concat().join(" ");
        format!("{}\n{flags}\n{top}\n{}\n{verilog}", self.version, shim::source(interface, true))
    }

    fn temporary(&self) -> Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix("building-").tempdir_in(&self.cache).map_err(Error::file(&self.cache))
    }

    /// Moves a finished directory into place; if another process was faster, its is as good.
    fn publish(&self, work: tempfile::TempDir, place: &Path, key: &str) -> Result<()> {
        fs::write(work.path().join(KEY), key).map_err(Error::file(work.path()))?;
        match fs::rename(work.path(), place) {
            Ok(()) => {
                let _moved = work.keep();
                Ok(())
            }
            Err(_) if fs::read_to_string(place.join(KEY)).is_ok_and(|found| found == key) => Ok(()),
            Err(source) => Err(Error::File { path: place.into(), source }),
        }
    }

    fn make_model(&self, work: &Path, top: &str, verilog: &str, pins: &Interface, runtime: &[PathBuf]) -> Result<()> {
        let write = |name: &str, text: &str| {
            let path = work.join(name);
            fs::write(&path, text).map_err(Error::file(&path)).map(|()| path)
        };
        let source = write(&format!("{top}.v"), verilog)?;
        let mut command = Command::new("verilator_bin");
        command.args(VERILATOR_FLAGS).args(["--top-module", top, "--Mdir"]).arg(work).arg(&source);
        run(&mut command, &MissingFrom::Verilator).map_err(|e| e.into_error(top, work, Stage::Verilog))?;
        let header = work.join(format!("{}.h", shim::CLASS));
        let header = fs::read_to_string(&header).map_err(Error::file(&header))?;
        shim::check_ports(top, &header, pins)?;

        let mut unit: String = generated(work)?.iter().map(|name| format!("#include \"{name}\"\n")).collect();
        unit += &shim::source(pins, shim::has_reset(&header));
        let unit = write("all.cc", &unit)?;
        let object = work.join("all.o");
        self.compile(&unit, &object, work).map_err(|e| e.into_error(top, work, Stage::Compile))?;
        let mut link = Command::new(CXX);
        link.args(LINK_FLAGS).arg("-o").arg(work.join(LIBRARY)).arg(&object).args(runtime).args(["-lpthread", "-lz"]);
        run(&mut link, &MissingFrom::Compiler).map_err(|e| e.into_error(top, work, Stage::Compile))
    }

    fn compile(&self, source: &Path, object: &Path, include: &Path) -> std::result::Result<(), Failure> {
        let verilator = self.root.join("include");
        let mut command = Command::new(CXX);
        command
            .args(CXX_FLAGS)
            .arg("-I")
            .arg(&verilator)
            .arg("-I")
            .arg(verilator.join("vltstd"))
            .arg("-I")
            .arg(include);
        run(command.arg("-c").arg(source).arg("-o").arg(object), &MissingFrom::Compiler)
    }

    /// Objects of Verilator's runtime, compiled at the first use.
    fn runtime(&self) -> Result<Vec<PathBuf>> {
        let key = format!("{}\n{}\n{}", self.version, self.root.display(), CXX_FLAGS.join(" "));
        let place = self.cache.join(format!("runtime-{:016x}", hash(&key)));
        let turn = turn(&place);
        let _once = lock(&turn);
        if !fs::read_to_string(place.join(KEY)).is_ok_and(|found| found == key) {
            let work = self.temporary()?;
            std::thread::scope(|scope| {
                let compile = |name: &&str| {
                    let source = self.root.join(format!("include/{name}.cpp"));
                    let object = work.path().join(format!("{name}.o"));
                    self.compile(&source, &object, work.path())
                        .map_err(|e| e.into_error("Verilator's runtime", work.path(), Stage::Compile))
                };
                let running: Vec<_> = RUNTIME.iter().map(|name| scope.spawn(move || compile(name))).collect();
                running.into_iter().try_for_each(|thread| thread.join().expect("compiling does not panic"))
            })?;
            self.publish(work, &place, &key)?;
        }
        Ok(RUNTIME.iter().map(|name| place.join(format!("{name}.o"))).collect())
    }
}

/// The lock of `place`.
fn turn(place: &Path) -> Arc<Mutex<()>> {
    lock(&BUILDING).entry(place.into()).or_default().clone()
}

/// A build that panics leaves nothing half-made behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The C++ files that Verilator wrote, in a fixed order.
fn generated(work: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(work).map_err(Error::file(work))? {
        let path = entry.map_err(Error::file(work))?.path();
        if path.extension() == Some(OsStr::new("cpp")) {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// `.cache/verilator` of the checkout around the working directory, else the user's cache.
fn default_cache() -> PathBuf {
    let is_checkout =
        |directory: &&Path| directory.join("verilog-out").is_dir() && directory.join("Cargo.toml").is_file();
    if let Some(root) = std::env::current_dir().ok().as_deref().and_then(|here| here.ancestors().find(is_checkout)) {
        return root.join(".cache/verilator");
    }
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let user = user.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
    user.unwrap_or_else(std::env::temp_dir).join("unruly/verilator")
}

/// Which tool it is that cannot be started.
enum MissingFrom {
    Verilator,
    Compiler,
}

enum Stage {
    Verilog,
    Compile,
}

enum Failure {
    Typed(Error),
    Messages(String),
}

impl Failure {
    fn into_error(self, top: &str, work: &Path, stage: Stage) -> Error {
        match self {
            Failure::Typed(error) => error,
            Failure::Messages(text) => {
                let messages = text.trim_end().replace(&format!("{}/", work.display()), "");
                let top = top.to_string();
                match stage {
                    Stage::Verilog => Error::Verilog { top, messages },
                    Stage::Compile => Error::Compile { top, messages },
                }
            }
        }
    }
}

fn run(command: &mut Command, tool: &MissingFrom) -> std::result::Result<(), Failure> {
    let missing = |tool, package| Err(Failure::Typed(Error::MissingTool { tool, package }));
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
            if text.contains("zlib.h: No such file") || text.contains("cannot find -lz") {
                return missing("zlib", "zlib1g-dev");
            }
            Err(Failure::Messages(text.into_owned()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => match tool {
            MissingFrom::Verilator => missing("Verilator", "verilator"),
            MissingFrom::Compiler => missing("C++ compiler", "g++"),
        },
        Err(source) => Err(Failure::Typed(Error::File { path: command.get_program().into(), source })),
    }
}
