//! The user's files as Verilator's preprocessor leaves them: what they include is in them, no macro is left, and no tool looks for a file any
//! more. What is made of the text follows from the text alone.

use crate::error::{Error, Result};
use crate::installation::{Installation, VERILATOR};
use crate::memory_files::{self, Memory};
use crate::source_line::{directive, Line};
use crate::tool::Work;
use crate::watch::Watch;
use gen::rules::BROKEN;
use gen::text::ASSERT;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The mark after each file in the preprocessor's answer, in a file of its own.
const END: &str = "unruly_end_of_file";

/// As a model is built, but for what comes behind the preprocessor. Warnings end nothing: the files are the user's.
const FLAGS: &[&str] = &[
    "-E",
    "--relative-includes",
    "--default-language",
    "1364-2005",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--no-timing",
];

/// The tool for which the text is: each has macros of its own.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    Verilator,
    Yosys,
}

impl Reader {
    /// The text before the files. To the lock-step a broken rule is a `$stop`, and it says itself what that is.
    fn before(self) -> String {
        match self {
            Reader::Verilator => format!("`define {BROKEN}(RULE) $stop;\n{END}\n"),
            Reader::Yosys => format!("{END}\n"),
        }
    }

    fn macros(self) -> Vec<String> {
        match self {
            Reader::Verilator => vec![format!("-D{ASSERT}")],
            Reader::Yosys => {
                ["-UVERILATOR", "-Uverilator", "-Uverilator3", "-DSYNTHESIS", "-DYOSYS"].map(String::from).into()
            }
        }
    }
}

/// Files, and all that they include.
pub(crate) struct Preprocessed {
    /// Each file that was read, with its name as the user would write it and its text.
    pub sources: Vec<(PathBuf, String)>,
    /// The lines of each of the user's files.
    files: Vec<Vec<Line>>,
    /// The files of `$readmemh` and `$readmemb`.
    pub memories: Vec<Memory>,
}

impl Preprocessed {
    /// Reads `files`. An included file is looked for beside the one that includes it, then beside each of the files.
    ///
    /// # Errors
    /// A file that cannot be read or that is not there; what the preprocessor says; a missing Verilator.
    pub fn read(files: &[PathBuf], reader: Reader) -> Result<Self> {
        let folders = Folders::of(files)?;
        let mut all = Preprocessed { sources: vec![], files: vec![], memories: vec![] };
        for text in folders.preprocess(reader)? {
            let first = folders.files.get(all.files.len()).expect("as many ends as files");
            let lines = all.lines(&text, first, &folders)?;
            all.files.push(lines);
        }
        let find = |source: &Path, name: &str| folders.find(source, name);
        all.memories = memory_files::keep(&mut all.files, &all.sources, find)?;
        Ok(all)
    }

    /// The lines of the file `first`: the preprocessor's `` `line NUMBER "FILE" LEVEL `` tell the places.
    fn lines(&mut self, text: &str, first: &Path, folders: &Folders) -> Result<Vec<Line>> {
        let (mut source, mut number) = (self.source(first, folders)?, 1);
        let mut lines = vec![];
        for line in text.lines() {
            if let Some((place, file)) = directive(line) {
                (source, number) = (self.source(Path::new(file), folders)?, place);
                continue;
            }
            lines.push(Line { source, number, text: line.into() });
            number += 1;
        }
        Ok(lines)
    }

    /// The number of a source, which is read when it is met first.
    fn source(&mut self, file: &Path, folders: &Folders) -> Result<usize> {
        let shown = folders.shown(file);
        if let Some(known) = self.sources.iter().position(|(path, _)| *path == shown) {
            return Ok(known);
        }
        let bytes = fs::read(file).map_err(Error::file(&shown))?;
        self.sources.push((shown, String::from_utf8_lossy(&bytes).into_owned()));
        Ok(self.sources.len() - 1)
    }

    /// Number and text of each of the user's files for Verilator, which hears from which line of which source each line comes: `name` says
    /// what a source is called.
    pub fn for_verilator(&self, name: impl Fn(usize) -> PathBuf) -> Vec<String> {
        let text = |lines: &Vec<Line>| {
            let (mut text, mut at) = (String::new(), None);
            for line in lines {
                if at != Some((line.source, line.number)) {
                    text += &format!("`line {} \"{}\" 0\n", line.number, name(line.source).display());
                }
                text += &line.text;
                text.push('\n');
                at = Some((line.source, line.number + 1));
            }
            text
        };
        self.files.iter().map(text).collect()
    }

    /// One text, in which each line of the user's files has its number: Yosys names cells by it. What is included stands in one line.
    pub fn in_one_line_each(&self) -> String {
        let mut all: Vec<String> = vec![];
        for lines in &self.files {
            let (before, file) = (all.len(), lines.first().map(|line| line.source));
            for line in lines {
                if file == Some(line.source) {
                    all.resize(all.len().max(before + line.number), String::new());
                }
                match all.last_mut().filter(|last| !last.is_empty()) {
                    Some(last) => *last += &format!(" {}", line.text),
                    None => drop(all.last_mut().map(|last| last.push_str(&line.text))),
                }
            }
        }
        all.join("\n") + "\n"
    }
}

/// The user's files with their folders.
struct Folders {
    /// Whole paths.
    files: Vec<PathBuf>,
    /// A folder as a whole path, and as the user wrote it.
    folders: Vec<(PathBuf, PathBuf)>,
}

impl Folders {
    fn of(files: &[PathBuf]) -> Result<Self> {
        let mut all = Folders { files: vec![], folders: vec![] };
        for file in files {
            // A folder opens as well, but has no text.
            File::open(file).and_then(|mut open| open.read(&mut [0])).map_err(Error::file(file))?;
            let folder = file.parent().unwrap_or(Path::new(""));
            let here = if folder == Path::new("") { Path::new(".") } else { folder };
            let whole = here.canonicalize().map_err(Error::file(file))?;
            all.files.push(whole.join(file.file_name().unwrap_or_default()));
            if all.folders.iter().all(|(known, _)| *known != whole) {
                all.folders.push((whole, folder.to_path_buf()));
            }
        }
        Ok(all)
    }

    /// A path as the user would write it.
    fn shown(&self, file: &Path) -> PathBuf {
        let within = |(whole, written): &(PathBuf, PathBuf)| Some(written.join(file.strip_prefix(whole).ok()?));
        self.folders.iter().find_map(within).unwrap_or_else(|| file.to_path_buf())
    }

    /// The file `name` beside `source`, or beside one of the user's files.
    fn find(&self, source: &Path, name: &str) -> Option<PathBuf> {
        let beside = source.parent().map(Path::to_path_buf).into_iter();
        let places = beside.chain(self.folders.iter().map(|(whole, _)| whole.clone())).map(|folder| folder.join(name));
        places.into_iter().find(|place| place.is_file())
    }

    /// Names of links to the folders and then to the files: the preprocessor does not tell a path with a blank or a quote as it is. A
    /// file with a plain name is reached by the link of its folder, beside which it includes others.
    fn aliases(&self) -> Vec<(String, PathBuf)> {
        let folder = |place: usize| format!("unruly_folder_{place}");
        let folders = self.folders.iter().enumerate().map(|(place, (whole, _))| (folder(place), whole.clone()));
        let files = self.files.iter().enumerate().map(|(place, file)| {
            let ending = file.extension().unwrap_or_default().display();
            (format!("unruly_file_{place}.{ending}"), file.clone())
        });
        folders.chain(files).collect()
    }

    /// A file by the link of its folder if its name is plain, and by its own link otherwise.
    fn plain(&self, alias: &str, file: &Path) -> PathBuf {
        let (folder, name) = (file.parent(), file.file_name().unwrap_or_default());
        let is_plain = name.to_string_lossy().chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        let place = self.folders.iter().position(|(whole, _)| Some(whole.as_path()) == folder);
        match place.filter(|_| is_plain) {
            Some(place) => Path::new(&self.aliases()[place].0).join(name),
            None => alias.into(),
        }
    }

    /// A line of the preprocessor's, which tells the place of a file and not that of its link.
    fn of_aliases(&self, line: &str) -> String {
        let Some((_, told)) = directive(line) else { return line.into() };
        let whole = |(alias, whole): (String, PathBuf)| match Path::new(told).strip_prefix(alias).ok()? {
            rest if rest == Path::new("") => Some(whole),
            rest => Some(whole.join(rest)),
        };
        let file = self.aliases().into_iter().find_map(whole);
        file.map_or(line.into(), |file| line.replacen(told, &file.display().to_string(), 1))
    }

    /// The text of each file.
    fn preprocess(&self, reader: Reader) -> Result<Vec<String>> {
        let (directory, installed) = (tempfile::tempdir()?, Installation::find()?);
        let [before, end] = ["before.v", "end.v"].map(|name| directory.path().join(name));
        for (file, text) in [(&before, reader.before()), (&end, format!("{END}\n"))] {
            fs::write(file, text).map_err(Error::file(file))?;
        }
        let mut command = installed.command(directory.path());
        command.args(FLAGS).args(reader.macros());
        let aliases = self.aliases();
        aliases.iter().try_for_each(|(alias, whole)| symlink(whole, directory.path().join(alias)))?;
        let (folders, files) = aliases.split_at(self.folders.len());
        command.args(folders.iter().map(|(alias, _)| format!("-I{alias}")));
        command.arg(&before).args(files.iter().flat_map(|(alias, whole)| [self.plain(alias, whole), end.clone()]));
        let names: Vec<_> = self.files.iter().map(|file| self.shown(file).display().to_string()).collect();
        let (subject, watch) = (names.join(", "), Watch::of_this_process());
        let work = Work { subject: &subject, started: Instant::now(), watch: &watch };
        let ended = work.run(&VERILATOR, &mut command)?;
        if !ended.success {
            return Err(Error::Preprocess { message: self.complaint(&ended.errors).unwrap_or(subject) });
        }
        let is_ours = |file: &str| [&before, &end].iter().any(|ours| Path::new(file) == **ours);
        let is_end = |line: &str| directive(line).is_some_and(|(_, file)| is_ours(file));
        let mut texts = vec![String::new()];
        for line in ended.output.lines().filter(|line| !is_end(line)) {
            match line.trim() == END {
                true => texts.push(String::new()),
                false => *texts.last_mut().expect("never empty") += &format!("{}\n", self.of_aliases(line)),
            }
        }
        // The first text is what stands before the files, and behind the last one is nothing.
        Ok(texts.drain(1..=self.files.len()).collect())
    }

    /// The first error that the preprocessor tells, about files as the user wrote them.
    fn complaint(&self, errors: &str) -> Option<String> {
        let first = errors.lines().find_map(|line| line.strip_prefix("%Error: "))?;
        let written = |text: String, (alias, whole): (String, PathBuf)| match whole.is_dir() {
            true => text.replace(&format!("{alias}/"), &self.shown(&whole).join("").display().to_string()),
            false => text.replace(&alias, &self.shown(&whole).display().to_string()),
        };
        Some(self.aliases().into_iter().fold(first.to_string(), written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn read(folder: &tempfile::TempDir, files: &[&str], reader: Reader) -> Result<Preprocessed> {
        Preprocessed::read(&files.iter().map(|name| folder.path().join(name)).collect::<Vec<_>>(), reader)
    }

    #[test]
    fn a_broken_rule_is_a_stop_in_a_model_and_nothing_in_a_circuit() {
        let bank = hdl::catalog::find("bank", &[("entries", 8)]).unwrap();
        let folder = folder(&[("bank.v", &gen::elaborate(&bank).unwrap().top().file())]);
        let text = |reader| read(&folder, &["bank.v"], reader).unwrap().in_one_line_each();
        let (model, gates) = (text(Reader::Verilator), text(Reader::Yosys));
        assert!(model.matches("$stop").count() >= 9 && !model.contains("$display"), "{model}");
        assert!(!gates.contains("$stop") && !gates.contains("past_reserve"), "{gates}");
    }

    const TOP: &str = "`include \"one.vh\"\n`define TWO \"deep/two.vh\"\n`include `TWO\n// a comment\nmodule top;\n  \
        wire [`ONE:0] a; wire [`FOUR:0] b;\n`ifdef VERILATOR\n  wire model;\n`endif\n`ifdef SYNTHESIS\n  wire gates;\n`endif\n\
        endmodule\n";

    /// Plain, by a macro, from a folder below, and from the folder above that.
    #[test]
    fn all_that_is_included_is_in_the_text() {
        let files = [
            ("rtl/top.v", TOP),
            ("rtl/one.vh", "`define ONE 11\n"),
            ("rtl/deep/two.vh", "`include \"../../three.vh\"\n"),
            ("three.vh", "`include \"four.vh\"\n"),
            ("four.vh", "`define FOUR 44\n"),
        ];
        let folder = folder(&files);
        let text = |reader| read(&folder, &["rtl/top.v"], reader).unwrap().in_one_line_each();
        let (model, gates) = (text(Reader::Verilator), text(Reader::Yosys));
        assert!(model.contains("wire [11:0] a; wire [44:0] b;"), "{model}");
        assert!(model.contains("wire model;") && !model.contains("wire gates;"), "{model}");
        assert!(gates.contains("wire gates;") && !gates.contains("wire model;"), "{gates}");
        // The macro of the first tool is in line 8, that of the second in line 11.
        assert_eq!(model.lines().position(|line| line.contains("wire model")), Some(7));
        assert_eq!(gates.lines().position(|line| line.contains("wire gates")), Some(10));
        let read_all = read(&folder, &["rtl/top.v"], Reader::Verilator).unwrap();
        let sources: Vec<_> = read_all.sources.iter().map(|(path, _)| path.file_name().unwrap()).collect();
        assert_eq!(sources, ["top.v", "one.vh", "two.vh", "three.vh", "four.vh"]);
        let lines = &read_all.for_verilator(|source| format!("{source}").into())[0];
        // Lines 3 and 4 are empty here.
        assert!(lines.contains("`line 3 \"0\" 0\n\n \nmodule top;\n"), "{lines}");
        fs::remove_file(folder.path().join("four.vh")).unwrap();
        let error = read(&folder, &["rtl/top.v"], Reader::Yosys).err().unwrap().to_string();
        assert!(error.contains("three.vh:1:10: Cannot find include file: four.vh"), "{error}");
    }

    #[test]
    fn an_included_file_is_found_beside_any_of_the_files_and_a_macro_holds_for_the_next_file() {
        let files = [("a/one.v", "`define W 7\nmodule one; endmodule"), ("a/w.vh", "`define V 9\n")];
        let folder =
            folder(&[&files[..], &[("b/two.v", "`include \"w.vh\"\nmodule two; wire [`W:`V] x; endmodule")]].concat());
        let read = read(&folder, &["a/one.v", "b/two.v"], Reader::Verilator).unwrap();
        assert_eq!(read.files.len(), 2);
        let texts = read.for_verilator(|source| format!("{source}").into());
        assert!(texts[0].contains("module one;") && !texts[0].contains("module two;"), "{texts:?}");
        assert!(texts[1].contains("module two; wire [7:9] x;"), "{texts:?}");
    }

    #[test]
    fn names_of_files_and_folders_may_have_blanks_and_quotes() {
        for (top, more) in [("a b/t.v", "a b/w.vh"), ("my t.v", "w.vh"), ("it's \"x\"/my \"t\".v", "it's \"x\"/w.vh")] {
            let folder =
                folder(&[(top, "`include \"w.vh\"\nmodule t; wire [`W:0] x; endmodule\n"), (more, "`define W 7\n")]);
            let text = read(&folder, &[top], Reader::Verilator).unwrap();
            assert!(text.in_one_line_each().contains("wire [7:0] x;"), "{top}");
            let sources: Vec<_> = text.sources.iter().map(|(path, _)| path.clone()).collect();
            assert_eq!(sources, [top, more].map(|name| folder.path().join(name)));
            fs::write(folder.path().join(top), "module t;\n`include \"none.vh\"\n").unwrap();
            let error = read(&folder, &[top], Reader::Verilator).err().unwrap().to_string();
            assert!(error.contains(&format!("{}:2:", folder.path().join(top).display())), "{error}");
        }
    }

    #[test]
    fn a_file_of_a_memory_is_found_beside_the_verilog_and_its_contents_are_in_the_text() {
        let verilog = "module m #(parameter FILE = \"b.hex\") ();\n  initial $readmemh(\n    \"a.hex\", x);\n  \
            initial $readmemb(FILE, y);\n  initial $display(\"c.hex\");\nendmodule";
        let folder = folder(&[("m.v", verilog), ("a.hex", "1 2"), ("b.hex", "0 1")]);
        let text = || read(&folder, &["m.v"], Reader::Yosys).map(|read| read.in_one_line_each());
        let first = text().unwrap();
        let strings: Vec<&str> = first.split('"').skip(1).step_by(2).collect();
        assert_eq!(fs::read_to_string(strings[1]).unwrap(), "1 2");
        assert_eq!((fs::read_to_string(strings[0]).unwrap().as_str(), strings[2]), ("0 1", "c.hex"));
        fs::write(folder.path().join("b.hex"), "1 1").unwrap();
        assert_ne!(text().unwrap(), first);
        fs::remove_file(folder.path().join("a.hex")).unwrap();
        let error = text().unwrap_err().to_string();
        assert!(error.contains("m.v:3: there is no file a.hex beside the Verilog"), "{error}");
    }
}
