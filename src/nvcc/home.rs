//! The folder that serves as CUDA_HOME: made once, and kept in the cache by what it is made from.

use super::build::strings;
use super::clang::Run;
use super::sources::SOURCES;
use crate::digest;
use crate::shell::quoted;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Libraries that makefiles name. All that they would have is in ours, or in a header of ours.
const OTHER_NAMES: [&str; 11] = [
    "libcuda.so",
    "libculibos.a",
    "libcurand.so",
    "libcurand_static.a",
    "libcudart_static.a",
    "libcudadevrt.a",
    "libcutil.a",
    "libcutil_x86_64.a",
    "libshrutil.a",
    "libshrutil_x86_64.a",
    "libcudart.a",
];
/// Headers of CUDA's whose contents are in another one of ours: that one, and their names.
const STANDS_FOR: [(&str, &[&str]); 4] = [
    (
        "cuda_runtime.h",
        &[
            "common_functions.h",
            "crt/common_functions.h",
            "crt/device_functions.h",
            "crt/math_functions.h",
            "cuda_device_runtime_api.h",
            "cuda_occupancy.h",
            "cuda_surface_types.h",
            "cuda_texture_types.h",
            "device_atomic_functions.h",
            "device_double_functions.h",
            "device_functions.h",
            "device_functions.hpp",
            "device_launch_parameters.h",
            "math_functions.h",
            "math_functions.hpp",
            "sm_11_atomic_functions.h",
            "sm_12_atomic_functions.h",
            "sm_13_double_functions.h",
            "sm_20_atomic_functions.h",
            "sm_20_intrinsics.h",
            "sm_30_intrinsics.h",
            "sm_32_atomic_functions.h",
            "sm_32_intrinsics.h",
            "sm_35_atomic_functions.h",
            "sm_35_intrinsics.h",
            "sm_60_atomic_functions.h",
            "sm_61_intrinsics.h",
            "surface_functions.h",
            "surface_indirect_functions.h",
            "texture_fetch_functions.h",
            "texture_indirect_functions.h",
            "vector_functions.hpp",
        ],
    ),
    (
        "cuda_runtime_api.h",
        &[
            "builtin_types.h",
            "crt/host_config.h",
            "cudaProfiler.h",
            "cuda_profiler_api.h",
            "device_types.h",
            "host_config.h",
            "library_types.h",
            "surface_types.h",
        ],
    ),
    ("host_defines.h", &["crt/host_defines.h"]),
    ("curand_kernel.h", &["curand_globals.h", "curand_normal.h", "curand_philox4x32_x.h", "curand_uniform.h"]),
];
/// For programs that ask for a version.
const VERSIONS: [&str; 3] = ["libcudart.so.10.1", "libcudart.so.11.0", "libcuda.so.1"];

/// The folder, made if need be.
///
/// # Errors
/// No clang; a cache that cannot be written.
pub fn folder() -> Result<PathBuf> {
    let command = std::env::current_exe().context("the path of this command")?;
    let cache = testbench::model_cache::default_directory().with_file_name("cuda");
    let place = cache.join(format!("home-{}", &key(&command)[..16]));
    if !place.join("version.txt").is_file() {
        let written =
            || format!("{}: cannot keep the CUDA home here; name another folder in UNRULY_CACHE", cache.display());
        fs::create_dir_all(&cache).with_context(written)?;
        let work = tempfile::Builder::new().prefix("building-").tempdir_in(&cache).with_context(written)?;
        make(work.path(), &command)?;
        publish(work, &place).with_context(written)?;
    }
    Ok(place)
}

/// The key of all that the folder is made from.
fn key(command: &Path) -> String {
    let texts = SOURCES.iter().flat_map(|(name, text)| [*name, *text]);
    let all: Vec<_> =
        texts.chain([include_str!("home.rs")]).map(String::from).chain([command.display().to_string()]).collect();
    digest::sha256(all.join("\0").as_bytes())
}

/// If another process was faster, its folder is as good.
fn publish(work: tempfile::TempDir, place: &Path) -> std::io::Result<()> {
    match fs::rename(work.path(), place) {
        Ok(()) => {
            let _moved = work.keep();
            Ok(())
        }
        Err(_) if place.join("version.txt").is_file() => Ok(()),
        Err(error) => Err(error),
    }
}

fn make(folder: &Path, command: &Path) -> Result<()> {
    let sources = tempfile::tempdir().context("a folder for sources")?;
    for (name, text) in SOURCES {
        let root = if name.starts_with("include/") { folder } else { sources.path() };
        write(&root.join(name), text)?;
    }
    for (target, names) in STANDS_FOR {
        for name in names {
            let up = "../".repeat(name.matches('/').count());
            write(&folder.join("include").join(name), &format!("#include \"{up}{target}\"\n"))?;
        }
    }
    for name in ["bin", "lib64", "nvvm/libdevice"] {
        fs::create_dir_all(folder.join(name)).with_context(|| name.to_string())?;
    }
    compile_library(folder, sources.path())?;
    compile_libdevice(folder, sources.path())?;
    for name in OTHER_NAMES {
        write(&folder.join("lib64").join(name), "INPUT(-lcudart)\n")?;
    }
    for name in VERSIONS {
        link("libcudart.so", &folder.join("lib64").join(name))?;
    }
    link("lib64", &folder.join("lib"))?;
    write_tools(&folder.join("bin"), command)?;
    write(&folder.join("version.txt"), "CUDA Version 11.0.194\n")
}

fn compile_library(folder: &Path, sources: &Path) -> Result<()> {
    let mut arguments = strings(&["-std=gnu11", "-O2", "-fPIC", "-shared", "-pthread", "-fvisibility=hidden"]);
    arguments.extend(["-I".into(), text(&folder.join("include")), "-Wl,-soname,libcudart.so".into()]);
    arguments
        .extend(SOURCES.iter().filter(|(name, _)| name.ends_with(".c")).map(|(name, _)| text(&sources.join(name))));
    arguments.extend(["-o".into(), text(&folder.join("lib64/libcudart.so"))]);
    Run::default().clang(Path::new("libcudart.so"), &arguments)
}

/// For the oldest architecture: newer ones take it, too.
fn compile_libdevice(folder: &Path, sources: &Path) -> Result<()> {
    let mut arguments = strings(&["--target=nvptx64-nvidia-cuda", "-std=c++14", "-O2", "-emit-llvm", "-c"]);
    arguments.extend(strings(&[
        "-ffp-contract=off",
        "-fno-math-errno",
        "-fno-exceptions",
        "-nostdinc",
        "-nostdlib",
        "-Xclang",
        "-target-cpu",
        "-Xclang",
        "sm_35",
    ]));
    arguments.extend([text(&sources.join("device/libdevice.cpp")), "-o".into()]);
    arguments.push(text(&folder.join("nvvm/libdevice/libdevice.10.bc")));
    Run::default().clang(Path::new("libdevice.10.bc"), &arguments)
}

/// `nvcc`, and what clang itself calls when it is told to use this folder.
fn write_tools(folder: &Path, command: &Path) -> Result<()> {
    let quoted = quoted(&command.display().to_string());
    let tool = |name: &str, text: &str| -> Result<()> {
        let path = folder.join(name);
        write(&path, text)?;
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&path, mode).with_context(|| path.display().to_string())
    };
    tool("nvcc", &format!("#!/bin/sh\nexec {quoted} nvcc \"$@\"\n"))?;
    tool("ptxas", PTXAS)?;
    tool("fatbinary", FATBINARY)
}

/// Copies the PTX: the GPU model runs it as it is.
const PTXAS: &str = r#"#!/bin/sh
# A stand-in for the assembler of PTX: copies its input, the last word, to its output.
while [ $# -gt 0 ]; do
  case "$1" in
    --output-file) output=$2; shift ;;
    *) input=$1 ;;
  esac
  shift
done
exec cp "$input" "$output"
"#;

/// runtime/README.md describes what it writes.
const FATBINARY: &str = r#"#!/bin/sh
# A stand-in for the packer of device code: one image, that of the first file.
number() { # bytes, value
  left=$2
  for _ in $(seq "$1"); do
    printf "\\$(printf %03o $((left % 256)))"
    left=$((left / 256))
  done
}
while [ $# -gt 0 ]; do
  case "$1" in
    --create) output=$2; shift ;;
    --create=*) output=${1#--create=} ;;
    --image=*) [ -n "$image" ] || image=${1##*file=} ;;
  esac
  shift
done
{
  printf UNRULYF1
  number 4 1
  number 8 "$(wc -c <"$image")"
  cat "$image"
  number 1 0
} >"$output"
"#;

fn write(path: &Path, text: &str) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("{}: cannot write", path.display()))
}

fn link(to: &str, path: &Path) -> Result<()> {
    std::os::unix::fs::symlink(to, path).with_context(|| format!("{}: cannot link", path.display()))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn below(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => below(&entry, root, found),
                false => drop(found.insert(entry.strip_prefix(root).unwrap().display().to_string())),
            }
        }
    }

    #[test]
    fn all_files_of_the_runtime_come_with_the_command() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/runtime"));
        let mut there = BTreeSet::new();
        below(root, root, &mut there);
        there.remove("README.md");
        let embedded: BTreeSet<_> = SOURCES.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(embedded, there);
    }
}
