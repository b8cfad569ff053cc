//! Verilog of the user's own in the place of a unit's: files, and the modules that they use and do not define.

use crate::error::{Error, Result};
use gen::is_keyword;
use gen::text::{bare, without_comments};
use hdl::catalog::{catalog, Instance};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Values of the top's parameters in place of its own, by name.
pub type Parameters = BTreeMap<String, i32>;

/// The user's files and ours, read.
#[derive(Clone, Debug)]
pub struct Own {
    top: String,
    files: Vec<(PathBuf, String)>,
    parameters: Parameters,
    /// Our modules that none of the files defines, by name.
    library: BTreeMap<String, String>,
}

/// Where the files are copied to and where our modules are, within the directory of a build.
const FILES: &str = "own";
const LIBRARY: &str = "library";

impl Own {
    /// Reads `files`, which replace `instance`. The top is the module `top`; without it, the module that has the name of the
    /// instance's, or the only module of the files.
    ///
    /// # Errors
    /// A file that cannot be read; files without a top.
    pub fn read(files: &[PathBuf], top: Option<&str>, instance: &Instance) -> Result<Self> {
        let (files, defined) = read(files)?;
        let wanted = top.unwrap_or(&instance.module);
        let top = match (defined.iter().any(|name| name == wanted), &defined[..]) {
            (true, _) => wanted.to_string(),
            (false, [only]) if top.is_none() => only.clone(),
            (false, []) => return Err(no_top(&files, wanted, "there is no module at all".into())),
            _ => return Err(no_top(&files, wanted, format!("there is {}", defined.join(", ")))),
        };
        let mut library = by_name(gen::elaborate(instance)?.modules);
        let has = |name: &String| defined.contains(name) || library.contains_key(name);
        if !files.iter().flat_map(|(_, text)| instantiated(text)).all(|name| has(&name)) {
            library.extend(SHIPPED.clone());
        }
        library.retain(|name, _| !defined.contains(name));
        Ok(Own { top, files, parameters: Parameters::new(), library })
    }

    /// Reads `files`, in which the module `top` is a unit that has no place in the catalogue. They have all modules that they use.
    ///
    /// # Errors
    /// A file that cannot be read; files without the top.
    pub fn unit(files: &[PathBuf], top: &str) -> Result<Self> {
        let (files, defined) = read(files)?;
        if defined.iter().any(|name| name == top) {
            return Ok(Own { top: top.into(), files, parameters: Parameters::new(), library: BTreeMap::new() });
        }
        let names: Vec<_> = files.iter().map(|(path, _)| path.display().to_string()).collect();
        let found = if defined.is_empty() { "no module at all".into() } else { defined.join(", ") };
        Err(Error::NoUnitModule { files: names.join(", "), wanted: top.into(), found })
    }

    /// The same files with other values of the top's parameters.
    pub fn with_parameters(&self, parameters: &Parameters) -> Self {
        Own { parameters: parameters.clone(), ..self.clone() }
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Verilator's flags for the parameters.
    pub(crate) fn flags(&self) -> Vec<String> {
        self.parameters.iter().map(|(name, value)| format!("-G{name}={value}")).collect()
    }

    /// The files, one behind the other.
    pub fn verilog(&self) -> String {
        self.files.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
    }

    pub fn top(&self) -> &str {
        &self.top
    }

    /// Everything that is read, for comparison with another text.
    pub(crate) fn text(&self) -> String {
        let files = self.files.iter().map(|(_, text)| text);
        files.chain(self.library.values()).map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// What the files say, but for their form.
    pub(crate) fn bare(&self) -> String {
        bare(&self.verilog())
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
        let copies = self.files.iter().enumerate();
        let copies = copies.map(|(place, (path, text))| write(directory.join(copy(place, path)), text));
        let arguments = ["-y".into(), library].into_iter().map(Ok).chain(copies);
        arguments.collect()
    }

    /// Messages about the copies as messages about the files.
    pub(crate) fn with_their_names(&self, messages: &str) -> String {
        let files = self.files.iter().enumerate();
        files.fold(messages.into(), |text, (place, (path, _))| {
            text.replace(&copy(place, path).display().to_string(), &path.display().to_string())
        })
    }
}

/// The files with their texts, and the names of their modules.
fn read(files: &[PathBuf]) -> Result<(Vec<(PathBuf, String)>, Vec<String>)> {
    let read = |path: &PathBuf| Ok((path.clone(), fs::read_to_string(path).map_err(Error::file(path))?));
    let files = files.iter().map(read).collect::<Result<Vec<_>>>()?;
    let defined = files.iter().flat_map(|(_, text)| modules(text)).collect();
    Ok((files, defined))
}

/// Whether this is the copy of a user's file, and not a module of ours.
pub(crate) fn is_users(path: &str) -> bool {
    Path::new(path).parent().and_then(Path::parent).is_some_and(|parent| parent.ends_with(FILES))
}

/// Each file has a directory of its own: two may have the same name.
fn copy(place: usize, path: &Path) -> PathBuf {
    Path::new(FILES).join(place.to_string()).join(path.file_name().unwrap_or(path.as_os_str()))
}

fn no_top(files: &[(PathBuf, String)], wanted: &str, found: String) -> Error {
    let files: Vec<_> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    Error::NoTop { files: files.join(", "), wanted: wanted.into(), found }
}

/// Names of the modules that a text defines.
fn modules(text: &str) -> Vec<String> {
    let bare = without_comments(text);
    let words: Vec<_> = bare.split(|c| !is_part_of_word(c)).filter(|word| !word.is_empty()).collect();
    words.windows(2).filter(|pair| pair[0] == "module").map(|pair| pair[1].to_string()).collect()
}

/// Names of modules that a text may have instances of: an instance has two names side by side, or a name before `#`. A name may be escaped,
/// and a macro may stand for anything.
fn instantiated(text: &str) -> Vec<String> {
    let bare = without_comments(text);
    let tokens = tokens(&bare);
    let is_name = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_keyword(token);
    let is_macro = |token: &str| token.starts_with('`') && !DIRECTIVES.contains(&token);
    let pairs =
        tokens.windows(2).filter(|pair| is_name(pair[0]) && (is_name(pair[1]) || ["#", "\\"].contains(&pair[1])));
    let macros = tokens.iter().copied().filter(|token| is_macro(token));
    pairs.map(|pair| pair[0]).chain(macros).map(str::to_owned).collect()
}

/// They name no module.
const DIRECTIVES: [&str; 6] = ["`timescale", "`ifdef", "`ifndef", "`else", "`endif", "`default_nettype"];

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || "_$`".contains(c)
}

/// Words, and what stands between them, a character each.
fn tokens(text: &str) -> Vec<&str> {
    let ends = |rest: &str| match rest.find(|c| !is_part_of_word(c)) {
        Some(0) => rest.chars().next().map_or(0, char::len_utf8),
        found => found.unwrap_or(rest.len()),
    };
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let (token, behind) = rest.split_at(ends(rest));
        tokens.push(token);
        rest = behind.trim_start();
    }
    tokens
}

/// The modules of `verilog-out` by name.
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
        assert_eq!(found("sram a [3:0] (x); `MEMORY m (y);"), ["sram", "`MEMORY"]);
        assert_eq!(found("\\queue_32x80 \\queue[0] (x); bank \\bank[0] (y);"), ["queue_32x80", "bank"]);
    }

    #[test]
    fn modules_of_others_are_there_if_the_text_may_use_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("own.v");
        let instance = hdl::catalog::find("iru_hash", &[]).unwrap();
        let library = |body: &str| {
            fs::write(&path, format!("module iru_hash_p4_s256; {body} endmodule")).unwrap();
            Own::read(&[path.clone()], None, &instance).unwrap().library
        };
        assert!(!library("assign a = b;").contains_key("icrn_c4"));
        assert!(library("icrn_c4 network (c);").contains_key("icrn_c4"));
    }

    #[test]
    fn the_top_is_that_of_the_unit_the_only_one_or_the_one_that_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let instance = hdl::catalog::find("iru_hash", &[]).unwrap();
        let top = |text: &str, top: Option<&str>| {
            let path = directory.path().join("own.v");
            fs::write(&path, text).unwrap();
            Own::read(&[path], top, &instance).map(|own| own.top).map_err(|error| error.to_string())
        };
        let both = "module iru_hash_p4_s256; endmodule module other; endmodule";
        assert_eq!(instance.module, "iru_hash_p4_s256");
        assert_eq!(top(both, None).unwrap(), "iru_hash_p4_s256");
        assert_eq!(top(both, Some("other")).unwrap(), "other");
        assert_eq!(top("module other; endmodule", None).unwrap(), "other");
        let error = top("module a; endmodule module b; endmodule", None).unwrap_err();
        assert!(
            error.contains("no module iru_hash_p4_s256") && error.contains("a, b") && error.contains("--top"),
            "{error}"
        );
        assert!(top("module other; endmodule", Some("third")).unwrap_err().contains("no module third"));
        assert!(top("", None).unwrap_err().contains("own.v: no module iru_hash_p4_s256"));
    }
}
