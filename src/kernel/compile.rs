//! CUDA C++ to PTX, as `unruly nvcc -ptx` makes it, with the headers for single kernels besides.

use crate::nvcc;
use anyhow::{Context, Result};
use sim::kernels::HEADERS;
use std::path::Path;

/// The header that all others need, and what stands for it here: what it declares is in the headers of whole programs.
const BASE: (&str, &str) = (
    "unruly_cuda.h",
    "#pragma once\n#include \"unruly.h\"\n#define DEVICE static __device__ __forceinline__ __attribute__((nodebug))\n",
);

/// Compiles a file of `folder`, with the lines of the source noted, so that messages can name them.
pub fn to_ptx(source: &Path, folder: &Path, defines: &[String]) -> Result<String> {
    let include = tempfile::tempdir().context("a folder for the headers")?;
    let others = HEADERS.iter().filter(|(name, _)| *name != BASE.0);
    for (name, text) in others.chain([&BASE]) {
        std::fs::write(include.path().join(name), text).context(name.to_string())?;
    }
    let mut words = vec![format!("-I{}", include.path().display()), "-include".into(), BASE.0.into()];
    words.extend(defines.iter().map(|define| format!("-D{define}")));
    let ptx = nvcc::ptx(&folder.join(source), &words)?;
    // Source files in the folder go by their names alone, as the user gave them.
    let ptx = ptx.replace("\"./", "\"");
    Ok(match folder.strip_prefix(".").unwrap_or(folder) {
        here if here.as_os_str().is_empty() => ptx,
        folder => ptx.replace(&format!("\"{}/", folder.display()), "\""),
    })
}
