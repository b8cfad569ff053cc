//! A source in C, C++ or CUDA, and the files that it includes beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The texts of `source` and of all that `#include "..."` takes in from beside it or from `folders`. What is not there, or no text,
/// is for the compiler to say.
pub fn texts(source: &Path, folders: &[&Path]) -> BTreeMap<PathBuf, String> {
    let (mut seen, mut open) = (BTreeMap::new(), vec![source.to_path_buf()]);
    while let Some(path) = open.pop() {
        let Some(text) = fs::read_to_string(&path).ok().filter(|_| !seen.contains_key(&path)) else { continue };
        let beside = path.parent().unwrap_or(Path::new(""));
        for name in included(&text) {
            let places = std::iter::once(&beside).chain(folders).map(|folder| folder.join(name));
            open.extend(places.into_iter().find(|place| place.is_file()));
        }
        seen.insert(path, text);
    }
    seen
}

/// The names in `#include "..."`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        name.trim_start().strip_prefix('"')?.split('"').next()
    })
}
