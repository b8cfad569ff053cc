//! The files that `$readmemh` and `$readmemb` read. A copy of each is kept by content, and the Verilog names the copy: the text says what is
//! in the memory, whatever becomes of the file.

use crate::error::{Error, Result};
use crate::model_cache::default_directory;
use crate::source_line::Line;
use gen::digest::sha256;
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

/// Puts copies in the place of files. The name may be a string in the call itself, which has to name a file, or one elsewhere, as of a
/// parameter. `find` finds a name beside a source.
///
/// # Errors
/// A file that is not there or cannot be read; a cache that cannot be written.
pub(crate) fn keep(
    files: &mut [Vec<Line>],
    sources: &[(PathBuf, String)],
    find: impl Fn(&Path, &str) -> Option<PathBuf>,
) -> Result<Vec<Memory>> {
    let mut memories = vec![];
    if !files.iter().flatten().any(|line| line.text.contains(CALL)) {
        return Ok(memories);
    }
    for lines in files {
        let mut before = String::new();
        for line in lines {
            let shown = &sources[line.source].0;
            let whole = std::path::absolute(shown).map_err(Error::file(shown))?;
            let mut text = String::new();
            // The parts are code and strings in turn.
            for (place, part) in line.text.split('"').enumerate() {
                let is_string = place % 2 == 1;
                let file = if is_string { find(&whole, part) } else { None };
                if is_string && file.is_none() && is_call(&before) {
                    let (file, line) = (shown.clone(), line.number);
                    return Err(Error::NoMemoryFile { file, line, name: part.into() });
                }
                let part = match file {
                    Some(file) => {
                        let (copy, sum) = kept(&file)?;
                        memories.push(Memory { name: part.into(), file, sum });
                        copy.display().to_string()
                    }
                    None => part.to_string(),
                };
                text += if place > 0 { "\"" } else { "" };
                text += &part;
                before += if is_string { "\"" } else { part.trim_end() };
            }
            line.text = text;
        }
    }
    Ok(memories)
}

/// The beginning of the calls' names.
pub(crate) const CALL: &str = "$readmem";

/// Whether a string here is the first argument of a call.
fn is_call(before: &str) -> bool {
    let name = before.trim_end().strip_suffix('(').map(str::trim_end);
    name.is_some_and(|name| ["h", "b"].iter().any(|base| name.ends_with(&format!("{CALL}{base}"))))
}

/// The copy of a file, and the SHA-256 of it.
fn kept(file: &Path) -> Result<(PathBuf, String)> {
    let bytes = fs::read(file).map_err(Error::file(file))?;
    let (folder, sum) = (default_directory().with_file_name("memory"), sha256(&bytes));
    let place = folder.join(&sum);
    let keep = || -> io::Result<()> {
        if fs::read(&place).is_ok_and(|kept| kept == bytes) {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        let mut copy = tempfile::NamedTempFile::new_in(&folder)?;
        copy.write_all(&bytes)?;
        copy.persist(&place)?;
        Ok(())
    };
    keep().map_err(|problem| Error::Cache { path: folder.clone(), problem })?;
    Ok((place, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_in_the_call_is_told_from_another() {
        for call in ["initial $readmemh(", "$readmemb (", "x; $readmemh\n  ( "] {
            assert!(is_call(call), "{call}");
        }
        for other in ["$display(", "$readmemh(\"\", ", "parameter P =", "my_readmemh("] {
            assert!(!is_call(other), "{other}");
        }
    }
}
