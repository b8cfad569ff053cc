//! A source in C, C++ or CUDA, and the files that it includes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of `source`, of the files read before it, and of those that they include from beside them or from `folders`. What is not
/// there, or no text, is for the compiler to say.
pub fn texts(source: &Path, before: &[&Path], folders: &[&Path]) -> BTreeMap<PathBuf, String> {
    let here = Path::new("");
    let before = before.iter().filter_map(|name| found(name, std::iter::once(&here).chain(folders)));
    let (mut seen, mut open) = (BTreeMap::new(), before.chain([source.to_path_buf()]).collect::<Vec<_>>());
    while let Some(path) = open.pop() {
        let Some(text) = fs::read_to_string(&path).ok().filter(|_| !seen.contains_key(&path)) else { continue };
        let beside = path.parent().unwrap_or(Path::new(""));
        for (quote, name) in included(&text) {
            let own = (quote == '"').then_some(&beside);
            open.extend(found(Path::new(name), own.into_iter().chain(folders)));
        }
        seen.insert(path, text);
    }
    seen
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
