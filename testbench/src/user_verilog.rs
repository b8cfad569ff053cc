//! Verilog of the user's own in the place of a unit's: files, and the modules that they use and do not define.

use crate::error::{Error, Result};
use crate::memory_files::{self, Memory};
use crate::preprocess::{Preprocessed, Reader};
use crate::words::{is_part_of_word, words};
use gen::is_keyword;
use gen::text::{bare, without_comments};
use hdl::catalog::{catalog, Instance};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Values of the top's parameters in place of its own, by name.
pub type Parameters = BTreeMap<String, i32>;

/// The user's files and ours, read.
#[derive(Clone, Debug)]
pub struct UserVerilog {
    top: String,
    files: Vec<PathBuf>,
    /// The files and all that they include, with their texts.
    sources: Vec<(PathBuf, String)>,
    /// The text of each file that Verilator reads.
    texts: Vec<String>,
    memories: Vec<Memory>,
    parameters: Parameters,
    /// Our modules that none of the files defines, by name.
    library: BTreeMap<String, String>,
}

/// Where the sources, what Verilator reads, and our modules are, within the directory of a build.
const FILES: &str = "own";
const READ: &str = "read";
const LIBRARY: &str = "library";

impl UserVerilog {
    /// Reads `files`, which replace `instance`. The top is the module `top`; without it, the module that has the name of the
    /// instance's, or the only module of the files that no other has as a part.
    ///
    /// # Errors
    /// A file that cannot be read or is not there; what Verilator's preprocessor says; files without a top.
    pub fn read(files: &[PathBuf], top: Option<&str>, instance: &Instance) -> Result<Self> {
        let mut library = by_name(gen::elaborate(instance)?.modules);
        let (mut own, defined) = UserVerilog::with_all(files, |own, defined| {
            let missing = own.missing(defined);
            if !missing.iter().all(|name| library.contains_key(name)) {
                library.extend(SHIPPED.clone());
            }
            missing.into_iter().filter(|name| !library.contains_key(name)).collect()
        })?;
        let wanted = top.unwrap_or(&instance.module);
        let used: BTreeSet<_> = own.texts.iter().flat_map(|text| instantiated(text)).collect();
        let roots: Vec<_> = defined.iter().filter(|name| !used.contains(*name)).collect();
        own.top = match (defined.iter().any(|name| name == wanted), &roots[..]) {
            (true, _) => wanted.to_string(),
            (false, [only]) if top.is_none() => only.to_string(),
            (false, []) => return Err(own.no_top(wanted, "there is no module at all".into())),
            _ => return Err(own.no_top(wanted, format!("there is {}", defined.join(", ")))),
        };
        own.check_size(instance)?;
        library.retain(|name, _| !defined.contains(name));
        Ok(UserVerilog { library, ..own })
    }

    /// The top is of the instance's size: a parameter that is called as one of the unit's has its value.
    fn check_size(&self, instance: &Instance) -> Result<()> {
        let defaults: Vec<_> = self.texts.iter().flat_map(|text| defaults(text, &self.top)).collect();
        let differs = |(name, value): (String, u64)| {
            let (verilog, found) = defaults.iter().find(|(verilog, _)| verilog.eq_ignore_ascii_case(&name))?;
            let (files, parameter) = (self.names(), verilog.clone());
            (*found != value).then_some(Error::OtherSize { files, parameter, found: *found, name, value })
        };
        instance.parameters_by_name().into_iter().find_map(differs).map_or(Ok(()), Err)
    }

    /// Reads `files`, in which the module `top` is a unit that has no place in the catalogue.
    ///
    /// # Errors
    /// Errors of [`UserVerilog::read`].
    pub fn unit(files: &[PathBuf], top: &str) -> Result<Self> {
        let (own, defined) = UserVerilog::with_all(files, UserVerilog::missing)?;
        if defined.iter().any(|name| name == top) {
            return Ok(UserVerilog { top: top.into(), ..own });
        }
        let found = if defined.is_empty() { "no module at all".into() } else { defined.join(", ") };
        Err(Error::NoUnitModule { files: own.names(), wanted: top.into(), found })
    }

    /// The files with those beside them of modules that are `missing`, and the names of all modules in them.
    fn with_all(
        files: &[PathBuf],
        mut missing: impl FnMut(&UserVerilog, &[String]) -> Vec<String>,
    ) -> Result<(Self, Vec<String>)> {
        let mut files = files.to_vec();
        loop {
            let read = Preprocessed::read(&files, Reader::Verilator)?;
            let texts = read.for_verilator(|source| copy(FILES, source, &read.sources[source].0));
            let (sources, memories) = (read.sources, read.memories);
            let (top, parameters, library) = (String::new(), Parameters::new(), BTreeMap::new());
            let own = UserVerilog { top, files: files.clone(), sources, texts, memories, parameters, library };
            let defined = own.texts.iter().flat_map(|text| modules(text)).collect::<Vec<_>>();
            let beside = |name: String| files.iter().find_map(|file| module_beside(file, &name));
            let found: BTreeSet<_> = missing(&own, &defined).into_iter().filter_map(beside).collect();
            let found: Vec<_> = found.into_iter().filter(|file| !files.contains(file)).collect();
            if found.is_empty() {
                return Ok((own, defined));
            }
            files.extend(found);
        }
    }

    /// Names of modules that the files use and do not define.
    fn missing(&self, defined: &[String]) -> Vec<String> {
        let used: BTreeSet<_> = self.texts.iter().flat_map(|text| instantiated(text)).collect();
        used.into_iter().filter(|name| !defined.contains(name)).collect()
    }

    /// Files with other values of the top's parameters.
    pub fn with_parameters(&self, parameters: &Parameters) -> Self {
        UserVerilog { parameters: parameters.clone(), ..self.clone() }
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Verilator's flags for the parameters.
    pub(crate) fn flags(&self) -> Vec<String> {
        self.parameters.iter().map(|(name, value)| format!("-G{name}={value}")).collect()
    }

    /// The text for synthesis, which has macros of its own, one file behind the other.
    ///
    /// # Errors
    /// Errors of [`UserVerilog::read`], of files that are others by now.
    pub fn for_synthesis(&self) -> Result<String> {
        Ok(Preprocessed::read(&self.files, Reader::Yosys)?.in_one_line_each())
    }

    /// Text for synthesis with our modules.
    pub(crate) fn whole_for_synthesis(&self) -> Result<String> {
        let library = self.library.values().map(String::as_str);
        Ok([self.for_synthesis()?.as_str()].into_iter().chain(library).collect::<Vec<_>>().join("\n"))
    }

    pub fn top(&self) -> &str {
        &self.top
    }

    /// True if a memory is read from a file.
    pub(crate) fn reads_memories(&self) -> bool {
        self.texts.iter().any(|text| text.contains(memory_files::CALL))
    }

    /// The user's files, and all that they include and read into memories.
    pub fn files(&self) -> impl Iterator<Item = &Path> + Clone {
        let sources = self.sources.iter().map(|(path, _)| path.as_path());
        sources.chain(self.memories.iter().map(|memory| memory.file.as_path()))
    }

    /// All that the user's files say, includes and memories among it.
    pub fn text(&self) -> String {
        let sources = self.sources.iter().map(|(_, text)| text.clone());
        let memories = self.memories.iter().map(|memory| format!("// {} {}", memory.name, memory.sum));
        sources.chain(memories).collect::<Vec<_>>().join("\n")
    }

    /// Everything that a model follows from.
    pub(crate) fn origin(&self) -> String {
        let all = self.texts.iter().chain(self.library.values()).map(String::as_str);
        [self.text().as_str()].into_iter().chain(all).collect::<Vec<_>>().join("\n")
    }

    /// Text of the files, but for its form.
    pub(crate) fn bare(&self) -> String {
        let memories = self.memories.iter().map(|memory| memory.sum.as_str());
        memories.fold(bare(&self.text()), |text, sum| text + sum)
    }

    /// Writes everything into `directory`; returns Verilator's arguments.
    pub(crate) fn write(&self, directory: &Path) -> Result<Vec<PathBuf>> {
        let write = |path: PathBuf, text: &str| {
            let parent = path.parent().expect("a file in a directory");
            fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).map_err(Error::file(&path)).map(|()| path)
        };
        let library = directory.join(LIBRARY);
        for (name, text) in &self.library {
            write(library.join(format!("{name}.v")), text)?;
        }
        for (place, (path, text)) in self.sources.iter().enumerate() {
            write(directory.join(copy(FILES, place, path)), text)?;
        }
        let read = self.files.iter().zip(&self.texts).enumerate();
        let read = read.map(|(place, (path, text))| write(directory.join(copy(READ, place, path)), text));
        let arguments = ["-y".into(), library].into_iter().map(Ok).chain(read);
        arguments.collect()
    }

    /// Messages about the copies as messages about the files.
    pub(crate) fn with_their_names(&self, messages: &str) -> String {
        let sources = self.sources.iter().enumerate();
        sources.fold(messages.into(), |text, (place, (path, _))| {
            text.replace(&copy(FILES, place, path).display().to_string(), &path.display().to_string())
        })
    }

    fn names(&self) -> String {
        self.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    }

    fn no_top(&self, wanted: &str, found: String) -> Error {
        Error::NoTop { files: self.names(), wanted: wanted.into(), found }
    }
}

/// The path is that of the copy of a user's file, and not of a module of ours.
pub(crate) fn is_users(path: &str) -> bool {
    Path::new(path).parent().and_then(Path::parent).is_some_and(|parent| parent.ends_with(FILES))
}

/// Each file has a directory of its own: two may have the same name. Tools break at blanks and quotes in a name.
fn copy(folder: &str, place: usize, path: &Path) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    Path::new(folder).join(place.to_string()).join(name.replace(|c| !is_plain(c), "_"))
}

/// The file beside `file` that has the name of a module.
fn module_beside(file: &Path, module: &str) -> Option<PathBuf> {
    let names = ["v", "sv"].map(|ending| file.with_file_name(format!("{module}.{ending}")));
    names.into_iter().find(|place| place.is_file())
}

/// Names of the modules that a text defines.
fn modules(text: &str) -> Vec<String> {
    let bare = without_comments(text);
    let words: Vec<_> = bare.split(|c| !is_part_of_word(c)).filter(|word| !word.is_empty()).collect();
    words.windows(2).filter(|pair| pair[0] == "module").map(|pair| pair[1].to_string()).collect()
}

/// Names of modules that a text without macros may have instances of: an instance has two names side by side, or a name before `#`. A
/// name may be escaped.
fn instantiated(text: &str) -> Vec<String> {
    let bare = without_comments(text);
    let tokens: Vec<String> = bare.lines().flat_map(words).map(|(_, token)| token).collect();
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_keyword(token);
    let follows = |token: &str| is_name(token) || ["#", "\\"].contains(&token);
    let before = std::iter::once("").chain(tokens.iter().map(String::as_str));
    let has_instance =
        |(before, pair): &(&str, &[String])| *before != "module" && is_name(&pair[0]) && follows(&pair[1]);
    before.zip(tokens.windows(2)).filter(has_instance).map(|(_, pair)| pair[0].clone()).collect()
}

/// Parameters of a module whose values in the text are plain numbers.
fn defaults(text: &str, module: &str) -> Vec<(String, u64)> {
    let bare = without_comments(text);
    let tokens: Vec<String> = bare.lines().flat_map(words).map(|(_, token)| token).collect();
    let of_module = tokens.split(|token| token == "endmodule").find_map(|tokens| {
        let start = tokens.windows(2).position(|pair| pair[0] == "module" && pair[1] == module)?;
        Some(&tokens[start..])
    });
    let default = |five: &[String]| match five {
        [parameter, name, equals, value, end]
            if parameter == "parameter" && equals == "=" && [",", ")", ";"].contains(&end.as_str()) =>
        {
            Some((name.clone(), value.parse().ok()?))
        }
        _ => None,
    };
    of_module.into_iter().flat_map(|tokens| tokens.windows(5).filter_map(default)).collect()
}

/// The catalogue's modules of one size each by name.
static SHIPPED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| by_name(gen::elaborate_all(&catalog()).expect("all that ships has Verilog")));

fn by_name(modules: Vec<gen::Verilog>) -> BTreeMap<String, String> {
    modules.into_iter().map(|module| (module.module, module.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_but_not_in_comments() {
        let text =
            "// module a\n/* module b; */ module c(input d); endmodule\nmodule\n  e #(parameter P = 1) (); endmodule";
        assert_eq!(modules(text), ["c", "e"]);
        assert_eq!(modules("module \\f ; endmodule"), ["f"]);
    }

    #[test]
    fn instances_are_found() {
        let found = |text: &str| instantiated(text);
        assert_eq!(found("module a (input wire [3:0] b); always @* begin : c if (b) d = f(b); end endmodule"), [""; 0]);
        assert_eq!(found("`timescale 1ns/1ps\n`ifdef X\nassign a = #1 b ^ 4'hf; // x y\n`endif"), [""; 0]);
        assert_eq!(found("queue_32x80 queue (.clock (clock));\nsorter #(.W(3)) s (x);"), ["queue_32x80", "sorter"]);
        assert_eq!(found("module a #(parameter W = 2) (); b #(W) c (); endmodule"), ["b"]);
        assert_eq!(found("sram a [3:0] (x); `line 1 \"own/0/a.v\" 1"), ["sram"]);
        assert_eq!(found("\\queue_32x80 \\queue[0] (x); bank \\bank[0] (y);"), ["queue_32x80", "bank"]);
    }

    #[test]
    fn modules_of_others_are_there_if_the_text_may_use_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("own.v");
        let instance = hdl::catalog::find("iru_hash", &[]).unwrap();
        let library = |body: &str| {
            fs::write(&path, format!("module iru_hash_p4_s256; {body} endmodule")).unwrap();
            UserVerilog::read(&[path.clone()], None, &instance).unwrap().library
        };
        assert!(!library("assign a = b;").contains_key("icrn_c4"));
        assert!(library("icrn_c4 network (c);").contains_key("icrn_c4"));
    }

    #[test]
    fn a_parameter_of_the_units_has_its_value() {
        let directory = tempfile::tempdir().unwrap();
        let instance = hdl::catalog::find("bank", &[("entries", 128)]).unwrap();
        let read = |text: &str| {
            let path = directory.path().join("own.v");
            fs::write(&path, text).unwrap();
            UserVerilog::read(&[path], None, &instance).map(drop).map_err(|error| error.to_string())
        };
        let own = |parameters: &str| {
            read(&format!("module part #(parameter ENTRIES = 2) (); endmodule module own #({parameters}) (); part p (); endmodule"))
        };
        for fits in ["parameter ENTRIES = 128", "parameter ENTRIES = 1 << 7", "parameter DEPTH = 32", ""] {
            own(fits).unwrap_or_else(|error| panic!("{fits}: {error}"));
        }
        let error = own("parameter LANES = 16, parameter ENTRIES = 32").unwrap_err();
        assert!(error.contains("own.v: parameter ENTRIES is 32, but entries is 128"), "{error}");
    }

    #[test]
    fn modules_beside_the_files_are_read_too_and_no_others() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        write("a.v", "`include \"b.vh\"\nmodule a; `B b (); unknown c (); endmodule");
        write("b.vh", "`define B part\n");
        write("part.v", "module part; deeper d (); endmodule");
        write("deeper.v", "module deeper; endmodule");
        write("other.v", "module other; endmodule");
        let read = || UserVerilog::unit(&[directory.path().join("a.v")], "a").unwrap();
        let own = read();
        let names: Vec<_> = own.files.iter().map(|file| file.file_name().unwrap()).collect();
        assert_eq!(names, ["a.v", "part.v", "deeper.v"]);
        for (file, text) in [("b.vh", "`define B part \n"), ("deeper.v", "module deeper; wire x; endmodule")] {
            let before = read();
            write(file, text);
            let (origin, text) = (read().origin(), read().text());
            assert!(origin != before.origin() && text != before.text(), "{file}");
        }
    }

    #[test]
    fn the_top_is_that_of_the_unit_the_only_one_or_the_one_that_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let instance = hdl::catalog::find("iru_hash", &[]).unwrap();
        let top = |text: &str, top: Option<&str>| {
            let path = directory.path().join("own.v");
            fs::write(&path, text).unwrap();
            UserVerilog::read(&[path], top, &instance).map(|own| own.top).map_err(|error| error.to_string())
        };
        let both = "module iru_hash_p4_s256; endmodule module other; endmodule";
        assert_eq!(instance.module, "iru_hash_p4_s256");
        assert_eq!(top(both, None).unwrap(), "iru_hash_p4_s256");
        assert_eq!(top(both, Some("other")).unwrap(), "other");
        assert_eq!(top("module other; endmodule", None).unwrap(), "other");
        assert_eq!(top("module part; endmodule module whole; part p (); endmodule", None).unwrap(), "whole");
        let error = top("module a; endmodule module b; endmodule", None).unwrap_err();
        assert!(
            error.contains("no module iru_hash_p4_s256") && error.contains("a, b") && error.contains("--top"),
            "{error}"
        );
        assert!(top("module other; endmodule", Some("third")).unwrap_err().contains("no module third"));
        assert!(top("", None).unwrap_err().contains("own.v: no module iru_hash_p4_s256"));
    }
}
