//! The PTX of a kernel's file, compiled if need be.

use super::compile;
use crate::digest;
use anyhow::{bail, Context, Result};
use sim::ptx::Module;
use std::path::Path;

pub struct Ptx {
    /// Its name in messages.
    pub name: String,
    pub text: String,
}

impl Ptx {
    /// `file` is looked for in `folder`; messages call it as the user does.
    ///
    /// # Errors
    /// A file that is not there, or not CUDA C++ or PTX by its name; what clang says of it.
    pub fn read(file: &Path, folder: &Path, defines: &[String]) -> Result<Self> {
        let path = folder.join(file);
        let read = || std::fs::read_to_string(&path).with_context(|| format!("{}: cannot read", path.display()));
        let text = match file.extension().and_then(|extension| extension.to_str()) {
            Some("ptx") if defines.is_empty() => read()?,
            Some("ptx") => bail!("--define: {} is PTX, which is not compiled", file.display()),
            Some("cu") => {
                // Reads the file first, so that a missing file gives our message and not clang's.
                read()?;
                compile::to_ptx(file, folder, defines)?
            }
            _ => bail!("{}: the name must end with .cu (CUDA C++) or .ptx", file.display()),
        };
        Ok(Ptx { name: file.with_extension("ptx").display().to_string(), text })
    }

    pub fn sha256(&self) -> String {
        digest::sha256(self.text.as_bytes())
    }

    pub fn module(&self) -> Result<Module> {
        Ok(Module::parse(&self.name, &self.text)?)
    }
}
