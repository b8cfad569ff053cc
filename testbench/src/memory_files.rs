//! The files that `$readmemh` and `$readmemb` read. A copy of each is kept by content, and the Verilog names the copy: the text says what is
//! in the memory, whatever becomes of the file.

use crate::error::{Error, Result};
use crate::model_cache::default_directory;
use crate::source_line::Line;
use crate::words::words;
use gen::digest::sha256;
use gen::text::without_comments;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file as the Verilog names it, where it is, and the SHA-256 of what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub name: String,
    pub file: PathBuf,
    pub sum: String,
}

/// Puts copies in the place of files. A name is a string in the call, which has to name a file, or the value of a parameter without a width
/// that the call names. No other string changes. `find` finds a name beside a source.
///
/// # Errors
/// A file that is not there, has no word or cannot be read; a name that cannot be replaced; a cache that cannot be written.
pub(crate) fn keep(
    files: &mut [Vec<Line>],
    sources: &[(PathBuf, String)],
    find: impl Fn(&Path, &str) -> Option<PathBuf>,
) -> Result<Vec<Memory>> {
    let mut memories = vec![];
    if !files.iter().flatten().any(|line| line.text.contains(CALL)) {
        return Ok(memories);
    }
    let tokens = Tokens::of(files, sources);
    let named = tokens.named()?;
    // Places behind a replaced one in its line would move: the last is first.
    for (place, is_call) in named.strings.iter().rev() {
        let token = &tokens.0[*place];
        let (name, shown) = (token.text.trim_matches('"'), &token.shown);
        let whole = std::path::absolute(shown).map_err(Error::file(shown))?;
        match find(&whole, name) {
            Some(file) => {
                tokens.check_comparisons(name, &named.names)?;
                let bytes = fs::read(&file).map_err(Error::file(&file))?;
                if without_comments(&String::from_utf8_lossy(&bytes)).trim().is_empty() {
                    let (file, line) = (shown.clone(), token.number);
                    return Err(Error::EmptyMemoryFile { file, line, name: name.into() });
                }
                let (copy, sum) = kept(&bytes)?;
                memories.push(Memory { name: name.into(), file, sum });
                let text = &mut files[token.file][token.line].text;
                text.replace_range(token.start..token.start + token.text.len(), &format!("\"{}\"", copy.display()));
            }
            None if *is_call => {
                return Err(Error::NoMemoryFile { file: shown.clone(), line: token.number, name: name.into() })
            }
            None => {}
        }
    }
    memories.reverse();
    Ok(memories)
}

/// The beginning of the calls' names.
pub(crate) const CALL: &str = "$readmem";

/// The remedy where a path cannot replace a name.
const PLAIN: &str = "write the file's name in the call, or as the value of a parameter without a width";

/// A token of preprocessed Verilog, with its place.
struct Token {
    file: usize,
    line: usize,
    start: usize,
    shown: PathBuf,
    number: usize,
    module: String,
    text: String,
}

/// Words, strings with their quotes, and single characters.
struct Tokens(Vec<Token>);

/// Strings that name files, and whether each stands in the call; parameters that do, each of a module.
struct Named {
    strings: BTreeMap<usize, bool>,
    names: BTreeSet<(String, String)>,
}

impl Tokens {
    fn of(files: &[Vec<Line>], sources: &[(PathBuf, String)]) -> Self {
        let mut all: Vec<Token> = vec![];
        for (file, lines) in files.iter().enumerate() {
            for (line, Line { source, number, text }) in lines.iter().enumerate() {
                for (start, text) in words(text) {
                    let module = match all.last() {
                        Some(last) if ["module", "macromodule"].contains(&last.text.as_str()) => text.clone(),
                        last => last.map_or(String::new(), |last| last.module.clone()),
                    };
                    all.push(Token {
                        file,
                        line,
                        start,
                        shown: sources[*source].0.clone(),
                        number: *number,
                        module,
                        text,
                    });
                }
            }
        }
        Tokens(all)
    }

    fn text(&self, place: usize) -> &str {
        self.0.get(place).map_or("", |token| &token.text)
    }

    /// True if these texts begin at `place`.
    fn has(&self, place: usize, texts: &[&str]) -> bool {
        texts.iter().enumerate().all(|(i, text)| self.text(place + i) == *text)
    }

    fn named(&self) -> Result<Named> {
        let mut named = Named { strings: BTreeMap::new(), names: BTreeSet::new() };
        let is_call =
            |place: &usize| ["$readmemh", "$readmemb"].contains(&self.text(*place)) && self.text(place + 1) == "(";
        let calls = (0..self.0.len()).filter(is_call);
        let mut open: Vec<_> = calls.map(|place| (place + 2, true)).collect();
        while let Some((start, is_call)) = open.pop() {
            if ["{", "("].contains(&self.text(start)) {
                return Err(self.bad_name(start, "an expression", PLAIN));
            }
            for value in self.values(start) {
                let Token { module, text, .. } = &self.0[value];
                if text.starts_with('"') {
                    named.strings.insert(value, is_call);
                } else if named.names.insert((module.clone(), text.clone())) {
                    self.check_name(value)?;
                    open.extend(self.given(module, text).map(|start| (start, false)));
                }
            }
        }
        Ok(named)
    }

    /// Strings and names that the expression at `start` may be: it is one of them, or chooses one.
    fn values(&self, start: usize) -> Vec<usize> {
        let (mut depth, mut values) = (0, vec![]);
        for place in start..self.0.len() {
            let text = self.text(place);
            match text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth > 0 => depth -= 1,
                ")" | "," | ";" if depth == 0 => break,
                _ => {
                    let is_value = text.starts_with(|c: char| c == '"' || c == '_' || c.is_alphabetic());
                    let begins = place == start || ["?", ":"].contains(&self.text(place - 1));
                    if depth == 0 && is_value && begins && [")", ",", ";", ":"].contains(&self.text(place + 1)) {
                        values.push(place);
                    }
                }
            }
        }
        values
    }

    /// Where the values of a module's parameter begin: its own, and those of instances.
    fn given<'a>(&'a self, module: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let is_given = move |place: &usize| {
            let (is_member, is_own) = (*place > 0 && self.text(place - 1) == ".", self.0[*place].module == module);
            let is_set = self.text(place + 1) == "=" && self.text(place + 2) != "=";
            self.text(*place) == name
                && (is_set && (is_member || is_own)
                    || is_member && self.text(place + 1) == "(" && self.instantiated(place - 1) == Some(module))
        };
        (0..self.0.len()).filter(is_given).map(|place| place + 2)
    }

    /// The module whose list of parameters this place is in.
    fn instantiated(&self, place: usize) -> Option<&str> {
        let mut depth = 0;
        for place in (2..place).rev() {
            match self.text(place) {
                ")" => depth += 1,
                "(" if depth > 0 => depth -= 1,
                "(" => return (self.text(place - 1) == "#").then(|| self.text(place - 2)),
                _ => {}
            }
        }
        None
    }

    /// A name has to be that of a parameter without a width: another cuts the path of a copy.
    fn check_name(&self, place: usize) -> Result<()> {
        let Token { module, text: name, .. } = &self.0[place];
        let (mut is_free, mut is_declared) = (false, false);
        for at in (1..self.0.len()).filter(|at| self.0[*at].module == *module) {
            match self.text(at) {
                "parameter" | "localparam" => is_free = !self.has(at + 1, &["["]),
                "signed" => is_free &= self.text(at + 1) != "[",
                "reg" | "logic" | "bit" | "byte" | "int" | "input" | "output" | "integer" | ";" => is_free = false,
                text if text == name && self.text(at + 1) == "=" && self.text(at - 1) != "." => is_declared |= is_free,
                _ => {}
            }
        }
        if !is_declared {
            return Err(self.bad_name(place, name, PLAIN));
        }
        let is_instance = |at: &usize| self.has(*at, &[module.as_str(), "#", "("]) && self.text(at - 1) != "module";
        for at in (1..self.0.len()).filter(is_instance) {
            let mut strings = (at + 3..self.0.len()).take_while(|place| self.text(*place) != ";");
            let is_by_place = self.text(at + 3) != ".";
            if let Some(string) = strings.find(|place| is_by_place && self.text(*place).starts_with('"')) {
                return Err(self.bad_name(string, name, "give the instance's parameters by name"));
            }
        }
        Ok(())
    }

    /// A name that is replaced is not compared with its old text, and no part of it is looked at.
    fn check_comparisons(&self, file: &str, names: &BTreeSet<(String, String)>) -> Result<()> {
        let file = format!("\"{file}\"");
        let is_sign = |place: &usize| ["=", "!"].contains(&self.text(*place));
        for (place, token) in self.0.iter().enumerate().filter(|(place, _)| *place > 1) {
            if !names.contains(&(token.module.clone(), token.text.clone())) {
                continue;
            }
            let behind = (place + 1..self.0.len()).take_while(is_sign).count();
            let before = (0..place).rev().take_while(is_sign).count();
            let compared = behind > 1 && self.text(place + 1 + behind) == file
                || before > 1 && before < place && self.text(place - 1 - before) == file;
            if compared || self.text(place + 1) == "[" || self.has(place - 2, &["case", "("]) {
                let problem = "use another parameter where its text is compared or a part of it is taken";
                return Err(self.bad_name(place, &token.text, problem));
            }
        }
        Ok(())
    }

    fn bad_name(&self, place: usize, name: &str, problem: &'static str) -> Error {
        let Token { shown, number, .. } = &self.0[place];
        Error::MemoryName { file: shown.clone(), line: *number, name: name.into(), problem }
    }
}

/// The copy of a file with these bytes, and their SHA-256.
fn kept(bytes: &[u8]) -> Result<(PathBuf, String)> {
    let (folder, sum) = (default_directory().with_file_name("memory"), sha256(bytes));
    let place = folder.join(&sum);
    let keep = || -> io::Result<()> {
        if fs::read(&place).is_ok_and(|kept| kept == bytes) {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        let mut copy = tempfile::NamedTempFile::new_in(&folder)?;
        copy.write_all(bytes)?;
        copy.persist(&place)?;
        Ok(())
    };
    keep().map_err(|problem| Error::Cache { path: folder.clone(), problem })?;
    Ok((place, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep_in(verilog: &str) -> std::result::Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.hex"), "1 2").unwrap();
        fs::write(folder.path().join("empty.hex"), "// 1\n").unwrap();
        let find = |_: &Path, name: &str| Some(folder.path().join(name)).filter(|file| file.is_file());
        let lines = verilog.lines().zip(1..).map(|(text, number)| Line { source: 0, number, text: text.into() });
        let mut files = [lines.collect()];
        keep(&mut files, &[("m.v".into(), verilog.into())], find).map_err(|error| error.to_string())?;
        let copy = default_directory().with_file_name("memory").join(sha256(b"1 2")).display().to_string();
        let text: Vec<_> = files[0].iter().map(|line| line.text.replace(&copy, "COPY")).collect();
        Ok(text.join("\n"))
    }

    #[test]
    fn only_names_in_calls_and_their_parameters_are_replaced() {
        for (verilog, kept) in [
            ("module m; localparam [31:0] MODE = \"a.hex\"; initial $readmemh(\"a.hex\", x);", [false, true].as_slice()),
            ("$display(\"a \\\" b\"); $readmemb(\"a.hex\", x); $display(\"a.hex\");", &[true, false]),
            ("module m #(parameter A = 1, F = \"a.hex\")(); if (F != \"\") $readmemh\n (F, x);", &[true]),
            ("module m; parameter F = \"\"; $readmemh(F, x); endmodule\nmodule t; m #(.A(1), .F(\"a.hex\")) m (); \
              o #(.F(\"a.hex\")) o (); endmodule", &[true, false]),
            ("module m; parameter F = \"\"; $readmemh(S ? F : \"a.hex\", x); endmodule module t; defparam m.F = \"a.hex\";", &[true, true]),
        ] {
            let text = keep_in(verilog).unwrap();
            let found = words(&text).into_iter().filter(|(_, word)| word.contains("COPY") || word == "\"a.hex\"");
            let found: Vec<_> = found.map(|(_, word)| word == "\"COPY\"").collect();
            assert_eq!(found, kept, "{text}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_replaced_is_said() {
        let width = "m.v:2: F names a memory's file: write the file's name in the call";
        for (verilog, said) in [
            ("module m; parameter [63:0] F = \"a.hex\";\n$readmemh(F, x);", width),
            ("module m; localparam signed [63:0] A = 1, F = \"a.hex\";\n$readmemh(F, x);", width),
            ("module m; reg [63:0] F; initial begin F = \"a.hex\";\n$readmemh(F, x);", width),
            (
                "module m; parameter F = \"\"; $readmemh(F, x); endmodule\nmodule t; m #(\"a.hex\") m ();",
                "m.v:2: F names",
            ),
            ("module m; parameter F = \"a.hex\"; $readmemh(F, x);\nassign a = F == \"a.hex\";", "m.v:2: F names"),
            ("module m; parameter F = \"a.hex\"; $readmemh(F, x);\nassign a = \"a.hex\" === F;", "m.v:2: F names"),
            ("$readmemh(\"empty.hex\", x);", "m.v:1: there is no word in empty.hex, which a memory here is read from"),
            ("$readmemh({\"a\", \".hex\"}, x);", "m.v:1: an expression names a memory's file: write"),
            ("$readmemh(\"none.hex\", x);", "m.v:1: there is no file none.hex"),
        ] {
            let error = keep_in(verilog).unwrap_err();
            assert!(error.contains(said), "{verilog}: {error}");
        }
    }
}
