//! A parsed PTX file.

use super::error::PtxError;
use super::program::Program;

#[derive(Clone, Debug)]
pub struct Module {}

impl Module {
    /// Parses the text of a PTX file; `source_name` is for messages.
    pub fn parse(source_name: &str, text: &str) -> Result<Module, PtxError> {
        let _ = (source_name, text);
        unimplemented!()
    }

    /// Names of the kernels, in the order of the file.
    pub fn entries(&self) -> Vec<&str> {
        unimplemented!()
    }

    /// Decodes a kernel.
    pub fn kernel(&self, entry: &str) -> Result<Program, PtxError> {
        let _ = entry;
        unimplemented!()
    }

    /// Initial contents of the module's `.global` variables, for [`crate::exec::Memory::place_statics`].
    pub fn statics(&self) -> &[u8] {
        unimplemented!()
    }
}
