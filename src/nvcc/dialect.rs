//! What nvcc's users write and clang does not take: a text is changed before clang reads it. Lines keep their numbers.

mod launches;
mod own_functions;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Of a source and the files beside it that it includes, those that clang has to read otherwise, and how.
pub fn changed(source: &Path, folders: &[&Path]) -> Vec<(PathBuf, String)> {
    let (mut seen, mut open) = (BTreeMap::new(), vec![source.to_path_buf()]);
    while let Some(path) = open.pop() {
        // What is not there, or no text, is for clang to say.
        let Some(text) = fs::read_to_string(&path).ok().filter(|_| !seen.contains_key(&path)) else { continue };
        let beside = path.parent().unwrap_or(Path::new(""));
        for name in included(&text) {
            let places = std::iter::once(&beside).chain(folders).map(|folder| folder.join(name));
            open.extend(places.into_iter().find(|place| place.is_file()));
        }
        seen.insert(path, translated(&text));
    }
    seen.into_iter().filter_map(|(path, text)| Some((path, text?))).collect()
}

/// The names in `#include "..."`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        name.trim_start().strip_prefix('"')?.split('"').next()
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
        fs::write(path("a.cu"), "#include \"a.cu\"\n # include \"b.h\"\n#include \"far.h\"\n#include \"no.h\"\n")
            .unwrap();
        fs::write(path("b.h"), "inline void f() { k << <1, 2 >> >(); }\n").unwrap();
        fs::write(path("inc/far.h"), "inline void g() { k<<< 1, 2 >> >(); }\n").unwrap();
        let found = changed(&path("a.cu"), &[&path("inc")]);
        let right = [
            ("b.h", "inline void f() { k <<< 1, 2 >>> (); }\n"),
            ("inc/far.h", "inline void g() { k<<< 1, 2 >>> (); }\n"),
        ];
        assert_eq!(found, right.map(|(name, text)| (path(name), text.to_string())));
    }
}
