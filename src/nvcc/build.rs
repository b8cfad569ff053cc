//! The steps from a source to objects, PTX and texts.

use super::clang::{self, Run};
use super::dialect;
use super::fat_binary;
use super::launchable;
use super::macros;
use super::options::{Input, Options};
use super::source::Language;
use crate::digest;
use anyhow::{bail, Context, Result};
use output::replace;
use std::path::{Path, PathBuf};

/// The version of CUDA that the headers have, and its PTX.
const SDK: [&str; 4] = ["-Xclang", "-target-sdk-version=11.0", "-nocudainc", "-nocudalib"];
const PTX_VERSION: [&str; 4] = ["-Xclang", "-target-feature", "-Xclang", "+ptx64"];
/// Options that allow what GCC, which nvcc works with, takes without a word.
const LENIENT: [&str; 7] = [
    "-Wno-c++11-narrowing",
    "-Wno-reserved-user-defined-literal",
    "-Wno-unused-command-line-argument",
    "-Wno-writable-strings",
    "-Wno-deprecated-declarations",
    "-Wno-register",
    "-Wno-unknown-pragmas",
];

/// clang 14 takes for granted that no lane hands a function a variable without a value. `if (lane == 0) v = atomicAdd(c, 32); v =
/// __shfl_sync(mask, v, 0);` then says that each lane is lane 0.
const UNSET_ARGUMENTS: [&str; 2] = ["-Xclang", "-disable-noundef-analysis"];

const OPENMP: &str = "-fopenmp";

/// The parts that all steps of a command share.
pub struct Build<'a> {
    pub options: &'a Options,
    pub home: &'a Path,
    /// For intermediate files.
    pub work: &'a Path,
    pub run: Run,
}

impl Build<'_> {
    pub fn each(&self, extension: &str, make: impl Fn(&Path, Language, &Path) -> Result<()>) -> Result<()> {
        self.options
            .sources()
            .try_for_each(|(source, language)| make(source, language, &self.output(source, extension)))
    }

    /// Only a .cu has device code.
    pub fn each_kernel_file(&self, extension: &str, make: impl Fn(&Path, &Path) -> Result<()>) -> Result<()> {
        self.each(extension, |source, language, output| match language {
            Language::Cuda => make(source, output),
            _ => bail!("nvcc: {}: there is no device code in it; name a .cu, or say -x cu", source.display()),
        })
    }

    /// The path of `-o`, or the source's name in the working directory or that of `-odir`.
    pub fn output(&self, source: &Path, extension: &str) -> PathBuf {
        let folder = &self.options.output_folder;
        let own = || folder.join(source.file_name().unwrap_or_default()).with_extension(extension);
        self.options.output.clone().unwrap_or_else(own)
    }

    /// The sources' objects and the other inputs, in order.
    pub fn objects(&self) -> Result<Vec<String>> {
        let made = self.options.inputs.iter().enumerate().map(|(number, input)| match input {
            Input::Link(word) => Ok(word.clone()),
            Input::Source(source, language) => {
                let object = self.work.join(format!("{number}-{}", stem(source))).with_extension("o");
                self.object(source, *language, &object)?;
                Ok(object.display().to_string())
            }
        });
        made.collect()
    }

    pub fn object(&self, source: &Path, language: Language, output: &Path) -> Result<()> {
        if language != Language::Cuda {
            return self.run.clang(source, &self.host_arguments(source, language, &["-c"], output)?);
        }
        let code = self.intermediate(source, "fatbin");
        match self.options.relocatable {
            true => self.relocatable(source, &code)?,
            false => self.fat_binary(source, &code)?,
        }
        let code = code.display().to_string();
        let flags = ["-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", code.as_str()];
        self.run.clang(source, &self.host_arguments(source, language, &flags, output)?)
    }

    /// The text for people and for `make`, on standard output or in the file of `-o`.
    pub fn text(&self, source: &Path, language: Language, flag: &str) -> Result<()> {
        let output = self.options.output.clone().unwrap_or_else(|| "-".into());
        self.run.clang(source, &self.host_arguments(source, language, &[flag], &output)?)
    }

    pub fn device(&self, source: &Path, output: &Path) -> Result<()> {
        self.run.clang(source, &self.device_arguments(source, &["-S"], output)?)
    }

    /// The same, with a warning of what cannot be launched.
    pub fn checked_device(&self, source: &Path, output: &Path) -> Result<()> {
        self.device(source, output)?;
        // Standard output and a dry run leave nothing to look at.
        std::fs::read_to_string(output).iter().for_each(|ptx| launchable::check(source, ptx));
        Ok(())
    }

    pub fn fat_binary(&self, source: &Path, output: &Path) -> Result<()> {
        let ptx = self.intermediate(source, "ptx");
        self.checked_device(source, &ptx)?;
        self.pack(&ptx, output, fat_binary::of)
    }

    fn relocatable(&self, source: &Path, output: &Path) -> Result<()> {
        let bitcode = self.intermediate(source, "bc");
        self.run.clang(source, &self.device_arguments(source, &["-c", "-emit-llvm"], &bitcode)?)?;
        self.pack(&bitcode, output, fat_binary::relocatable)
    }

    fn pack(&self, from: &Path, to: &Path, pack: impl Fn(&[u8]) -> Vec<u8>) -> Result<()> {
        if self.run.is_dry {
            return Ok(());
        }
        let bytes = std::fs::read(from).with_context(|| format!("nvcc: {}: cannot read", from.display()))?;
        self.write(to, &pack(&bytes))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        match self.run.is_dry {
            true => Ok(()),
            false => replace(path, bytes).with_context(|| format!("nvcc: {}: cannot write", path.display())),
        }
    }

    fn intermediate(&self, source: &Path, extension: &str) -> PathBuf {
        // Sources in two folders may have one name.
        let folder = digest::sha256(source.display().to_string().as_bytes());
        match self.options.keep {
            Some(_) => self.work.join(format!("{}.{extension}", stem(source))),
            None => self.work.join(format!("{}-{}.{extension}", stem(source), &folder[..8])),
        }
    }

    fn host_arguments(&self, source: &Path, language: Language, flags: &[&str], output: &Path) -> Result<Vec<String>> {
        let mut arguments = Vec::new();
        if language == Language::Cuda {
            arguments.push("--cuda-host-only".into());
            arguments.extend(self.cuda_arguments());
        }
        arguments.extend(strings(&["-fPIE"]));
        arguments.extend([self.options.optimise.clone().unwrap_or_else(|| "-O0".into())]);
        arguments.extend(self.reading(source, language)?);
        arguments.extend(self.host());
        if flags.contains(&"-c") {
            arguments.extend(self.options.dependencies.iter().cloned());
        }
        arguments.extend(strings(flags));
        arguments.extend(file_arguments(source, language, output));
        Ok(arguments)
    }

    fn device_arguments(&self, source: &Path, flags: &[&str], output: &Path) -> Result<Vec<String>> {
        let mut arguments = strings(&["--cuda-device-only"]);
        arguments.extend(self.cuda_arguments());
        arguments.extend(strings(&PTX_VERSION));
        arguments.extend(strings(&UNSET_ARGUMENTS));
        if !self.options.relocatable {
            let libdevice = libdevice(self.home);
            arguments.extend(strings(&["-Xclang", "-mlink-builtin-bitcode", "-Xclang", &libdevice]));
        }
        // Lines are noted, so that messages can name them.
        arguments.extend(strings(&[
            "-O2",
            "-gline-tables-only",
            "-fdebug-compilation-dir=.",
            "-fno-crash-diagnostics",
        ]));
        // The host's side has the same warnings, if there is one.
        arguments.extend((!self.options.product.is_device_code()).then(|| "-w".into()));
        arguments.extend(self.reading(source, Language::Cuda)?);
        arguments.extend(self.options.device.iter().cloned());
        arguments.extend(strings(flags));
        arguments.extend(file_arguments(source, Language::Cuda, output));
        Ok(arguments)
    }

    fn cuda_arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("--cuda-gpu-arch=sm_{}", self.options.architecture)];
        arguments.extend(strings(&SDK));
        if self.options.relocatable {
            arguments.push("-fgpu-rdc".into());
        }
        arguments
    }

    /// Options for the host's compiler alone.
    pub fn host(&self) -> Vec<String> {
        let with_gcc =
            |word: &String| if word == OPENMP && !has_openmp() { "-fopenmp=libgomp".into() } else { word.clone() };
        self.options.host.iter().map(with_gcc).collect()
    }

    /// Headers, macros, language.
    fn reading(&self, source: &Path, language: Language) -> Result<Vec<String>> {
        let mut arguments = strings(&LENIENT);
        let fits = |word: &&String| match (word.strip_prefix("-std="), language) {
            (None, _) => true,
            (Some(standard), Language::C) => !standard.contains("++"),
            (Some(standard), _) => standard.contains("++"),
        };
        // A toolkit's headers are read only where there are none of ours.
        let (behind, words): (Vec<_>, Vec<_>) =
            self.options.read.iter().filter(fits).cloned().partition(|word| is_toolkit(word));
        for (name, text) in macros::headers(words.iter()).into_iter().filter(|(_, text)| !text.is_empty()) {
            arguments.extend(self.instead_of(&self.home.join("include").join(name), source, name, &text)?);
        }
        if language == Language::Cuda {
            let folders: Vec<_> = words.iter().filter_map(|word| included(word)).map(Path::new).collect();
            let before: Vec<_> = words.iter().filter_map(|word| word.strip_prefix("-include")).map(Path::new).collect();
            for (path, text) in dialect::changed(source, &before, &folders) {
                arguments.extend(self.instead_of(&path, &path, "changed", &text)?);
            }
            // Before all that is the program's own.
            arguments.extend(strings(&["-include", "cuda_runtime.h"]));
        }
        arguments.extend(words);
        arguments.extend(["-isystem".into(), self.home.join("include").display().to_string()]);
        arguments.extend(behind.iter().filter_map(|word| included(word)).map(|folder| format!("-isystem{folder}")));
        // GCC has OpenMP's header whether it is asked for or not; a clang with a header of its own finds that one first.
        arguments.extend(["-idirafter".into(), self.home.join("include/unruly/openmp").display().to_string()]);
        Ok(arguments)
    }

    /// Lets clang read `text` where it would read the file `place`, which messages and lists of dependencies go on to name.
    fn instead_of(&self, place: &Path, source: &Path, name: &str, text: &str) -> Result<Vec<String>> {
        let file = self.intermediate(source, &name.replace('/', "."));
        self.write(&file, text.as_bytes())?;
        Ok(strings(&["-Xclang", "-remap-file", "-Xclang", &format!("{};{}", place.display(), file.display())]))
    }
}

/// The mathematical functions of the device.
pub fn libdevice(home: &Path) -> String {
    home.join("nvvm/libdevice/libdevice.10.bc").display().to_string()
}

/// The folder that a word of the command line lets clang look into.
fn included(word: &str) -> Option<&str> {
    word.strip_prefix("-I").or_else(|| word.strip_prefix("-isystem"))
}

fn is_toolkit(word: &str) -> bool {
    included(word).is_some_and(|folder| Path::new(folder).join("cuda_runtime_api.h").is_file())
}

fn file_arguments(source: &Path, language: Language, output: &Path) -> Vec<String> {
    ["-x", language.name(), &source.display().to_string(), "-o", &output.display().to_string()]
        .map(String::from)
        .to_vec()
}

/// Where clang's own OpenMP library is not installed, GCC's has the functions, and the program runs with one thread.
fn has_openmp() -> bool {
    clang::says(&["-print-file-name=libomp.so"]).is_some_and(|path| Path::new(&path).is_absolute())
}

fn stem(source: &Path) -> String {
    source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}
