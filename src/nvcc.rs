//! `unruly nvcc`: whole CUDA programs, compiled with the clang of this machine.
//!
//! The command takes what makefiles pass to nvcc. Each .cu is read twice: for the device, which gives PTX, and for the host, whose
//! object has the PTX in it. The program is linked with our `libcudart.so`, which talks to `unruly exec`.

mod build;
mod clang;
mod device_link;
mod dialect;
mod fat_binary;
mod home;
mod launchable;
mod link;
mod macros;
mod meaning;
mod options;
mod product;
mod source;
mod sources;

use anyhow::{bail, Context, Result};
use build::Build;
use clang::Run;
use options::Options;
use std::path::{Path, PathBuf};

/// Compile a whole CUDA program, with the options of nvcc and without a CUDA toolkit
///
/// `unruly exec` runs the program. docs/programs.md lists the options. --cuda-home prints a folder that serves as CUDA_HOME: its bin
/// has nvcc, its include the headers, its lib64 the library.
///
/// Example: unruly nvcc -O3 -arch=sm_35 prog.cu -o prog && unruly exec ./prog
///
/// Example: make CUDA_PATH=$(unruly nvcc --cuda-home)
#[derive(clap::Args)]
pub struct Args {
    /// What nvcc takes
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARG")]
    arguments: Vec<String>,
}

/// The folder with `bin`, `include` and `lib64`, made if need be.
///
/// # Errors
/// No clang; a cache that cannot be written.
pub fn cuda_home() -> Result<PathBuf> {
    home::folder()
}

pub fn main(args: Args) -> Result<()> {
    match args.arguments.first().map(String::as_str) {
        Some("--cuda-home") => {
            println!("{}", cuda_home()?.display());
            Ok(())
        }
        Some("--version" | "-V") => {
            print_version();
            Ok(())
        }
        _ => {
            let words =
                |name| std::env::var(name).unwrap_or_default().split_whitespace().map(String::from).collect::<Vec<_>>();
            let arguments = [words("NVCC_PREPEND_FLAGS"), args.arguments, words("NVCC_APPEND_FLAGS")].concat();
            let mut options = Options::default();
            let read = options.read(&arguments);
            // CMake reads them of a command that is wrong behind them.
            if options.verbose || options.dry_run {
                print_settings(&cuda_home()?);
            }
            read?;
            if let Some(missing) = options.sources().find(|(path, _)| !path.is_file()) {
                bail!("nvcc: {}: no such file", missing.0.display());
            }
            let home = cuda_home()?;
            let work = tempfile::tempdir().context("a folder for intermediate files")?;
            product::run(&options, &home, work.path())
        }
    }
}

/// The PTX of a file's kernels. `words` are options as of a command line.
///
/// # Errors
/// No clang; what clang says of the file; a cache that cannot be written.
pub fn ptx(source: &Path, words: &[String]) -> Result<String> {
    let work = tempfile::tempdir().context("a folder for intermediate files")?;
    let output = work.path().join("kernel.ptx");
    let own = ["-ptx", "-o", &output.display().to_string(), &source.display().to_string()].map(String::from);
    let mut options = Options::default();
    options.read(&[words, &own].concat())?;
    let home = cuda_home()?;
    let build = Build { options: &options, home: &home, work: work.path(), run: Run::default() };
    build.device(source, &output)?;
    std::fs::read_to_string(&output).with_context(|| format!("{}: no PTX came of it", source.display()))
}

/// CMake reads these lines.
fn print_settings(home: &Path) {
    let top = home.display();
    eprintln!(
        "#$ TOP={top}\n#$ NVVMIR_LIBRARY_DIR={top}/nvvm/libdevice\n#$ PATH={}",
        std::env::var("PATH").unwrap_or_default()
    );
    eprintln!("#$ INCLUDES=\"-I{top}/include\"\n#$ LIBRARIES=-L{top}/lib64\n#$ TARGET=-arch compute_35");
}

/// Scripts look for the word `release`, CMake looks for the first line.
fn print_version() {
    println!("nvcc: unruly {} Cuda compiler driver", env!("CARGO_PKG_VERSION"));
    println!("Cuda compilation tools, release 11.0, V11.0.194");
}
