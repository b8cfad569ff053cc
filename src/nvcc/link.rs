//! Programs, libraries and archives from objects.

use super::build::Build;
use super::device_link;
use super::meaning::Product;
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};

/// Libraries of NVIDIA's toolkit that nothing stands for here, by the beginnings of their names.
const ABSENT: [&str; 16] = [
    "cublas",
    "cudnn",
    "cufft",
    "cufile",
    "cupti",
    "cusolver",
    "cusparse",
    "cutensor",
    "nccl",
    "npp",
    "nvToolsExt",
    "nvblas",
    "nvgraph",
    "nvidia-ml",
    "nvjpeg",
    "nvrtc",
];

/// A program or a shared library.
///
/// # Errors
/// A library that cannot be had; what the linker says.
pub fn program(build: &Build, objects: &[String]) -> Result<()> {
    if let Some(word) = objects.iter().find(|word| is_absent(word)) {
        bail!("nvcc: {word}: this library of NVIDIA's is not there; leave it out, or replace its calls by kernels");
    }
    let output = build.options.output.clone().unwrap_or_else(|| "a.out".into());
    let folder = build.home.join("lib64");
    let mut arguments = vec![format!("-L{}", folder.display())];
    arguments.extend((build.options.product == Product::SharedLibrary).then(|| "-shared".to_string()));
    arguments.push("-Wno-unused-command-line-argument".into());
    arguments.extend(build.host());
    arguments.extend(objects.iter().cloned());
    let linked = build.work.join("device_link.o");
    if device_link::object_of_program(build, objects, &linked)? {
        arguments.push(linked.display().to_string());
    }
    arguments.extend(["-lcudart".into(), format!("-Wl,-rpath,{}", folder.display())]);
    arguments.extend(["-ldl", "-lrt", "-lpthread", "-o"].map(String::from));
    arguments.push(output.display().to_string());
    build.run.linker(&output, &arguments)
}

fn is_absent(word: &str) -> bool {
    word.strip_prefix("-l").is_some_and(|name| ABSENT.iter().any(|absent| name.starts_with(absent)))
}

/// An archive of objects.
///
/// # Errors
/// The error of `ar`.
pub fn archive(build: &Build, objects: &[String]) -> Result<()> {
    let output = build.options.output.clone().unwrap_or_else(|| PathBuf::from("a.a"));
    if output.is_file() && !build.run.is_dry {
        output
            .canonicalize()
            .and_then(std::fs::remove_file)
            .with_context(|| format!("nvcc: -o {}: cannot replace", output.display()))?;
    }
    let members = objects.iter().filter(|object| !object.starts_with('-') && Path::new(object).extension().is_some());
    let arguments: Vec<_> = ["rcs".into(), output.display().to_string()].into_iter().chain(members.cloned()).collect();
    build.run.tool("ar", &output, &arguments)
}
