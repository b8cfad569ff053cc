//! What nvcc's users write and clang does not take: a text is changed before clang reads it. Lines keep their numbers.

mod launches;
mod own_functions;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Of a source, of the files read before it and of those that they include from beside them or from `folders`, those that clang has to
/// read otherwise, and how.
pub fn changed(source: &Path, before: &[&Path], folders: &[&Path]) -> Vec<(PathBuf, String)> {
    let here = Path::new("");
    let before = before.iter().filter_map(|name| found(name, std::iter::once(&here).chain(folders)));
    let (mut seen, mut open) = (BTreeMap::new(), before.chain([source.to_path_buf()]).collect::<Vec<_>>());
    while let Some(path) = open.pop() {
        // What is not there, or no text, is for clang to say.
        let Some(text) = fs::read_to_string(&path).ok().filter(|_| !seen.contains_key(&path)) else { continue };
        let beside = path.parent().unwrap_or(Path::new(""));
        for (quote, name) in included(&text) {
            let own = (quote == '"').then_some(&beside);
            open.extend(found(Path::new(name), own.into_iter().chain(folders)));
        }
        seen.insert(path, translated(&text));
    }
    seen.into_iter().filter_map(|(path, text)| Some((path, text?))).collect()
}

fn found<'a>(name: &Path, folders: impl Iterator<Item = &'a &'a Path>) -> Option<PathBuf> {
    folders.map(|folder| folder.join(name)).find(|place| place.is_file())
}

/// The names in `#include "..."` and `#include <...>` with what opens them. A macro may hold them as well.
fn included(text: &str) -> impl Iterator<Item = (char, &str)> {
    text.lines().filter_map(|line| {
        let directive = line.trim_start().strip_prefix('#')?.trim_start();
        let of_macro = || directive.strip_prefix("define")?.trim_start().split_once([' ', '\t']).map(|(_, body)| body);
        let name = directive.strip_prefix("include").or_else(of_macro)?.trim_start();
        let quote = name.chars().next().filter(|quote| ['"', '<'].contains(quote))?;
        Some((quote, name[1..].split(['"', '>']).next()?))
    })
}

/// None: clang takes it as it is.
fn translated(text: &str) -> Option<String> {
    let tokens = tokens::of(text);
    let mut edits = launches::edits(&tokens);
    edits.extend(own_functions::edits(text, &tokens));
    edits.sort_by_key(|edit| edit.begin);
    (!edits.is_empty()).then(|| applied(text, &edits))
}

/// Text in the place of a range of bytes.
#[derive(Debug)]
struct Edit {
    begin: usize,
    end: usize,
    text: String,
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let (mut result, mut done) = (String::new(), 0);
    for edit in edits {
        result += &text[done..edit.begin];
        result += &edit.text;
        done = edit.end;
    }
    result + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_source_includes_are_changed_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("inc")).unwrap();
        let source =
            "#include \"a.cu\"\n # include \"b.h\"\n#include \"far.h\"\n#include \"no.h\"\n#include <angle.h>\n\
                      #define C \"c.h\"\n#include C\n#include <b_not.h>\n";
        fs::write(path("a.cu"), source).unwrap();
        let launch = "inline void f() { k << <1, 2 >> >(); }\n";
        for name in ["b.h", "b_not.h", "c.h", "first.h", "inc/far.h", "inc/angle.h", "inc/pre.h"] {
            fs::write(path(name), launch).unwrap();
        }
        let found = changed(&path("a.cu"), &[&path("first.h"), Path::new("pre.h")], &[&path("inc")]);
        let right = ["b.h", "c.h", "first.h", "inc/angle.h", "inc/far.h", "inc/pre.h"]
            .map(|name| (path(name), "inline void f() { k <<< 1, 2 >>> (); }\n".to_string()));
        assert_eq!(found, right);
    }
}
