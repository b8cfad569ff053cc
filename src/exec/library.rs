//! The runtime library that programs are linked with: its sources come with the command, and `unruly nvcc` compiles them.

use anyhow::Result;
use std::path::PathBuf;

/// A list of files of `runtime/cudart/` with their contents.
macro_rules! sources {
    ($($name:literal,)*) => {
        /// Name and contents of each file.
        pub const SOURCES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../runtime/cudart/", $name)))),*];
    };
}

sources! {
    "arrays.c",
    "arrays.h",
    "connection.c",
    "copy.c",
    "device.c",
    "driver.c",
    "driver.h",
    "driver_modules.c",
    "driver_unsupported.c",
    "errors.c",
    "events.c",
    "extensions.c",
    "functions.c",
    "handles.c",
    "internal.h",
    "launch.c",
    "memory.c",
    "modules.c",
    "regions.c",
    "streams.c",
    "symbols.c",
    "unsupported.c",
    "wire.h",
}

/// How clang compiles them, but for the folders of headers, the files, and what it writes.
pub const FLAGS: &[&str] = &[
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O2",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fvisibility=hidden",
    "-Wl,-soname,libcudart.so",
];

/// The folder with `libcudart.so`.
pub fn folder() -> Result<PathBuf> {
    Ok(std::env::var_os("UNRULY_LIB").map(PathBuf::from).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_library_comes_with_the_command() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/cudart");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut there: Vec<_> = entries.collect();
        there.sort();
        let listed: Vec<_> = SOURCES.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(listed, there);
    }
}
