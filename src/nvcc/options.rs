//! The command line of nvcc, understood.

use super::meaning::{find, Meaning, Product};
use super::source::Language;
use anyhow::{bail, ensure, Context, Result};
use std::path::{Path, PathBuf};

/// Architectures that the compiler knows: older ones are taken for the first, newer ones for the last.
const ARCHITECTURES: [u32; 11] = [35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75];
/// Response files may name others.
const MOST_NESTED_FILES: usize = 16;

/// An input, in the order of the command line, which is the linker's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Source(PathBuf, Language),
    /// An object, an archive, or an option of the linker.
    Link(String),
}

#[derive(Debug, Default)]
pub struct Options {
    pub product: Product,
    pub output: Option<PathBuf>,
    /// Where outputs go that have no name of their own.
    pub output_folder: PathBuf,
    pub inputs: Vec<Input>,
    /// For both sides: includes, macros, the language.
    pub read: Vec<String>,
    /// For the host's side, its linker included.
    pub host: Vec<String>,
    /// Options on the file for `make` that is written with an object.
    pub dependencies: Vec<String>,
    pub device: Vec<String>,
    /// With what the host's code is optimised, `-O0` by default.
    pub optimise: Option<String>,
    /// As in `sm_35`.
    pub architecture: u32,
    pub relocatable: bool,
    pub dry_run: bool,
    pub verbose: bool,
    /// Where intermediate files are kept.
    pub keep: Option<PathBuf>,
    language: Option<Language>,
    forwards_unknown: bool,
    architectures: Vec<u32>,
}

impl Options {
    /// Takes a command line. What stands before a mistake is taken.
    ///
    /// # Errors
    /// The mistake in it.
    pub fn read(&mut self, arguments: &[String]) -> Result<()> {
        let forwards = |word: &String| matches!(find(word), Some((Meaning::ForwardUnknown, ..)));
        self.forwards_unknown = arguments.iter().any(forwards);
        self.take(arguments, 0)?;
        self.architecture = architecture(&self.architectures);
        self.relocatable |= matches!(self.product, Product::RelocatableObject | Product::DeviceLink);
        ensure!(!self.inputs.is_empty(), "nvcc: no input file; name a .cu, .c, .cpp, .o or .a");
        let sources = self.sources().count();
        let is_single =
            !matches!(self.product, Product::Program | Product::SharedLibrary | Product::Archive | Product::DeviceLink);
        if let Some(output) = self.output.as_ref().filter(|_| is_single && sources > 1) {
            bail!(
                "nvcc: -o {} names one file, but there are {sources} sources; leave -o out or compile one by one",
                output.display()
            );
        }
        Ok(())
    }

    pub fn sources(&self) -> impl Iterator<Item = (&Path, Language)> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Source(path, language) => Some((path.as_path(), *language)),
            Input::Link(_) => None,
        })
    }

    fn take(&mut self, arguments: &[String], depth: usize) -> Result<()> {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if let Some(file) = word.strip_prefix('@') {
                self.take_file(file, depth)?;
            } else if !word.starts_with('-') || word == "-" {
                self.input(word)?;
            } else {
                self.option(word, &mut words, depth)?;
            }
        }
        Ok(())
    }

    fn option<'a>(&mut self, word: &str, words: &mut impl Iterator<Item = &'a String>, depth: usize) -> Result<()> {
        let found = find(word);
        if found.is_none() && self.forwards_unknown {
            self.host.push(word.into());
            return Ok(());
        }
        let found = found
            .with_context(|| format!("nvcc: unknown option {word}; docs/programs.md lists those that are known"))?;
        let (meaning, takes_value, glued) = found;
        // `-O` stands alone, too.
        let value = match (takes_value, glued) {
            (false, _) => String::new(),
            (true, Some(value)) => value.to_string(),
            (true, None) if word == "-O" => "2".to_string(),
            (true, None) => words.next().with_context(|| format!("nvcc: {word} needs a value"))?.clone(),
        };
        self.apply(word, meaning, &value, depth).with_context(|| format!("nvcc: {word}"))
    }

    fn apply(&mut self, word: &str, meaning: Meaning, value: &str, depth: usize) -> Result<()> {
        let list = || value.split(',').filter(|part| !part.is_empty()).map(String::from);
        match meaning {
            Meaning::Output => self.output = Some(value.into()),
            Meaning::OutputFolder => self.output_folder = value.into(),
            Meaning::Make(product) => self.product = product,
            Meaning::Relocatable => self.relocatable = yes(value)?,
            Meaning::Read("-I") => self.read.extend(list().map(|folder| format!("-I{folder}"))),
            Meaning::Read(flag) => self.read.push(format!("{flag}{value}")),
            Meaning::Host => self.host.push(word.into()),
            // Blanks part them as commas do.
            Meaning::HostList => list().flat_map(|part| split(&part)).for_each(|word| self.host_word(word)),
            Meaning::Link(flag) => self.inputs.extend(list().map(|name| Input::Link(format!("{flag}{name}")))),
            Meaning::LinkList => self.inputs.extend(list().flat_map(|text| ["-Xlinker".into(), text]).map(Input::Link)),
            Meaning::Architecture => self.architectures.extend(numbers(value)?),
            Meaning::Optimise => self.optimise = Some(format!("-O{value}")),
            Meaning::Debug => self.host.push("-g".into()),
            Meaning::Language => self.language = Some(Language::named(value)?),
            Meaning::FastMath => self.fast_math(),
            Meaning::FlushDenormals => self.device.extend(yes(value)?.then(|| FLUSH.into())),
            Meaning::PreciseDivision if yes(value)? => {}
            Meaning::PreciseDivision => self.device.extend(DIVISION.map(String::from)),
            Meaning::PreciseRoot if yes(value)? => {}
            Meaning::PreciseRoot => self.device.extend(ROOT.map(String::from)),
            Meaning::FusedMultiply => self.device.extend((!yes(value)?).then(|| "-ffp-contract=off".into())),
            Meaning::DryRun => self.dry_run = true,
            Meaning::Verbose => self.verbose = true,
            Meaning::Keep => self.keep = self.keep.take().or(Some(".".into())),
            Meaning::KeepFolder => self.keep = Some(value.into()),
            Meaning::OptionsFile => list().try_for_each(|file| self.take_file(&file, depth))?,
            Meaning::DependencyFile(flag @ ("-MF" | "-MT")) => self.dependencies.extend([flag.into(), value.into()]),
            Meaning::DependencyFile(flag) => self.dependencies.push(flag.into()),
            Meaning::NoWarnings => self.read.push("-w".into()),
            Meaning::Warnings => self.host.push(word.into()),
            // It has been looked for before.
            Meaning::ForwardUnknown | Meaning::Ignored => {}
            Meaning::Refused(why) => bail!("not supported: {why}"),
        }
        Ok(())
    }

    /// Folders and macros are for both sides, wherever they stand. A value may be the next word.
    fn host_word(&mut self, word: String) {
        match self.read.last_mut() {
            Some(flag) if READ.contains(&flag.as_str()) => flag.push_str(&word),
            _ if READ.iter().any(|flag| word.starts_with(flag)) => self.read.push(word),
            _ => self.host.push(word),
        }
    }

    fn fast_math(&mut self) {
        self.device.extend([FLUSH, "-fcuda-approx-transcendentals"].map(String::from));
        self.device.extend(DIVISION.into_iter().chain(ROOT).map(String::from));
        self.read.push("-D__USE_FAST_MATH__=1".into());
    }

    fn take_file(&mut self, file: &str, depth: usize) -> Result<()> {
        ensure!(depth < MOST_NESTED_FILES, "nvcc: {file}: options files name each other in a circle");
        let text = std::fs::read_to_string(file).with_context(|| format!("nvcc: options file {file}: cannot read"))?;
        self.take(&split(&text), depth + 1)
    }

    fn input(&mut self, word: &str) -> Result<()> {
        let language = match Path::new(word).extension().and_then(|extension| extension.to_str()) {
            Some("o" | "obj" | "a" | "so" | "lib") => None,
            _ if word.contains(".so.") => None,
            extension => {
                Some(self.language.or_else(|| Language::of_extension(extension?)).with_context(|| unknown(word))?)
            }
        };
        self.inputs.push(match language {
            Some(language) => Input::Source(word.into(), language),
            None => Input::Link(word.into()),
        });
        Ok(())
    }
}

/// Options for the host's compiler that the device's compiler needs, too.
const READ: [&str; 3] = ["-D", "-I", "-U"];
const FLUSH: &str = "-fgpu-flush-denormals-to-zero";
const DIVISION: [&str; 2] = ["-mllvm", "-nvptx-prec-divf32=1"];
const ROOT: [&str; 2] = ["-mllvm", "-nvptx-prec-sqrtf32=0"];

fn unknown(word: &str) -> String {
    format!("nvcc: {word}: the name must end with .cu, .c, .cpp, .cc, .cxx, .o, .a or .so; -x says what another one is")
}

fn yes(value: &str) -> Result<bool> {
    match value {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => bail!("`{value}` is neither true nor false"),
    }
}

/// The numbers behind `sm_` and `compute_`: `arch=compute_35,code=\"sm_35,compute_35\"`.
fn numbers(value: &str) -> Result<Vec<u32>> {
    let names =
        value.split(['=', ',', '"', '\\', '[', ']', '\'', ' ']).filter(|part| !matches!(*part, "" | "arch" | "code"));
    names.filter(|name| !matches!(*name, "native" | "all" | "all-major")).map(number).collect()
}

fn number(name: &str) -> Result<u32> {
    let digits = ["sm_", "compute_", "lto_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let digits = digits.map(|digits| digits.trim_end_matches(['a', 'f']));
    let number = digits.and_then(|digits| digits.parse().ok());
    number.with_context(|| format!("`{name}` is no architecture; write one like sm_35 or compute_60"))
}

/// One for all that were named: the newest one that is known.
fn architecture(named: &[u32]) -> u32 {
    let wanted = named.iter().copied().max().unwrap_or(ARCHITECTURES[0]);
    ARCHITECTURES.into_iter().rev().find(|known| *known <= wanted).unwrap_or(ARCHITECTURES[0])
}

/// The words of an options file: blanks part them, quotes hold them together.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Options {
        let mut options = Options::default();
        options.read(&split(line)).unwrap();
        options
    }

    fn wrong(line: &str) -> String {
        format!("{:#}", Options::default().read(&split(line)).unwrap_err())
    }

    #[test]
    fn what_makefiles_pass_is_understood() {
        let options = parsed(
            "-O3 -arch sm_13 -I inc -Iother -DN=3 -D M a.cu b.c c.o -o prog -lm -L /lib -Xptxas -v --use_fast_math",
        );
        assert_eq!(options.architecture, 35);
        assert_eq!(options.optimise.as_deref(), Some("-O3"));
        assert_eq!(options.read, ["-Iinc", "-Iother", "-DN=3", "-DM", "-D__USE_FAST_MATH__=1"]);
        let source = |name: &str, language| Input::Source(name.into(), language);
        let link = |text: &str| Input::Link(text.into());
        let inputs =
            [source("a.cu", Language::Cuda), source("b.c", Language::C), link("c.o"), link("-lm"), link("-L/lib")];
        assert_eq!(options.inputs, inputs);
        assert_eq!(options.output, Some("prog".into()));
        let options = parsed("-funroll-loops a.cu --forward-unknown-to-host-compiler -odir out -c");
        assert_eq!((options.host.join(" "), options.output_folder), ("-funroll-loops".into(), "out".into()));
        let options = parsed("-Xcompiler -DA,-O2,-UB -Xcompiler '-D C=1' -Xcompiler -I -Xcompiler d a.cu");
        assert_eq!((options.read.join(" "), options.host.join(" ")), ("-DA -UB -DC=1 -Id".into(), "-O2".into()));
    }

    #[test]
    fn one_architecture_stands_for_all() {
        let of = |line: &str| parsed(&format!("{line} a.cu")).architecture;
        assert_eq!(of(""), 35);
        assert_eq!(of("-arch=sm_20"), 35);
        assert_eq!(of(r#"-gencode=arch=compute_20,code=\"sm_20,compute_20\" -gencode arch=compute_60,code=sm_60"#), 60);
        assert_eq!(of("-gencode arch=compute_90a,code=[sm_90a,compute_90a]"), 75);
        assert_eq!(of("--gpu-architecture=compute_61 --gpu-code=sm_61"), 61);
        assert_eq!(of("-arch native"), 35);
    }

    #[test]
    fn what_is_wrong_is_one_line_with_the_way_out() {
        assert!(wrong("-nonsense a.cu").contains("unknown option -nonsense"));
        assert!(wrong("-o").contains("-o needs a value"));
        assert!(wrong("-deviceemu a.cu").contains("withdrawn"));
        assert!(wrong("-arch=volta a.cu").contains("sm_35"));
        assert!(wrong("-ftz=maybe a.cu").contains("neither true nor false"));
        assert!(wrong("notes.txt").contains("must end with"));
        assert!(wrong("-c a.cu b.cu -o x.o").contains("2 sources"));
        assert!(wrong("-O3").contains("no input file"));
    }

    #[test]
    fn options_files_are_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "-DNAME='a b'\n  -O2 \"x y.cu\"\n").unwrap();
        let options = parsed(&format!("--options-file {}", file.path().display()));
        assert_eq!(options.read, ["-DNAME=a b"]);
        assert_eq!(options.inputs, [Input::Source("x y.cu".into(), Language::Cuda)]);
        std::fs::write(file.path(), format!("@{}", file.path().display())).unwrap();
        assert!(wrong(&format!("@{}", file.path().display())).contains("circle"));
    }
}
