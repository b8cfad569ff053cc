//! Forms that nvcc takes and clang does not: a text is changed before clang reads it. Lines keep their numbers.

mod launches;
mod own_functions;
mod tokens;

use crate::includes;
use std::path::{Path, PathBuf};

/// The texts that clang has to read instead, for a source, the files read before it and those that they include.
pub fn changed(source: &Path, before: &[&Path], folders: &[&Path]) -> Vec<(PathBuf, String)> {
    let texts = includes::texts(source, before, folders).into_iter();
    texts.filter_map(|(path, text)| Some((path, translated(&text)?))).collect()
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
    use std::fs;

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
