//! CUDA C++ to PTX, with the clang of this machine and the headers that come with the command.

use crate::exit::MissingTool;
use anyhow::{bail, Context, Result};
use sim::kernels::HEADERS;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

/// The names that a clang that fits may have.
pub const CLANGS: [&str; 2] = ["clang-14", "clang"];
/// What a toolkit has under other names: all of it is in the one header.
const TOOLKIT_HEADERS: [&str; 4] = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h"];

/// Compiles a file of `folder`, with the lines of the source noted, so that messages can name them.
pub fn to_ptx(source: &Path, folder: &Path, defines: &[String]) -> Result<String> {
    let folder = Path::new(".").join(folder).canonicalize().with_context(|| folder.display().to_string())?;
    let include = tempfile::tempdir().context("a folder for the headers")?;
    let write = |name: &str, text: &str| std::fs::write(include.path().join(name), text).context(name.to_string());
    for (name, text) in HEADERS {
        write(name, text)?;
    }
    for name in TOOLKIT_HEADERS {
        write(name, "#include \"unruly_cuda.h\"\n")?;
    }
    let output = clang(|command| {
        command.args(["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_35", "-nocudainc", "-nocudalib"]);
        command.args(["-O2", "-S", "-gline-tables-only", "-o", "-"]);
        command.arg("-I").arg(include.path()).arg("-include").arg(include.path().join("unruly_cuda.h"));
        command.args(defines.iter().map(|define| format!("-D{define}")));
        command.arg(source).current_dir(&folder);
    })?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        if messages.contains("No available targets") {
            return Err(MissingTool("this clang cannot write PTX: install one with the NVPTX target".into()).into());
        }
        eprint!("{messages}");
        bail!("{}: clang does not compile it (see above)", source.display());
    }
    eprint!("{messages}");
    // Source files in the folder go by their names alone, as the user gave them.
    let ptx = String::from_utf8_lossy(&output.stdout);
    Ok(ptx.replace(&format!("\"{}/", folder.display()), "\""))
}

/// Runs the first clang that is there.
fn clang(arguments: impl Fn(&mut Command)) -> Result<Output> {
    for name in CLANGS {
        let mut command = Command::new(name);
        arguments(&mut command);
        match command.output() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            outcome => return outcome.with_context(|| format!("{name} does not start")),
        }
    }
    let hint = "on Debian: apt-get install clang-14; or give the kernel as .ptx";
    Err(MissingTool(format!("clang, which compiles .cu files, is not installed ({hint})")).into())
}
