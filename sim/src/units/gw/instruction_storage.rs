//! `instruction_storage`.

use super::pins::{instruction_storage_interface, InstructionStorageIn, InstructionStorageOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct InstructionStorage {
    parameters: Parameters,
    outputs: InstructionStorageOut,
}

impl InstructionStorage {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("instruction_storage")?;
        Ok(InstructionStorage { parameters: *parameters, outputs: InstructionStorageOut::default() })
    }
}

impl Unit for InstructionStorage {
    type In = InstructionStorageIn;
    type Out = InstructionStorageOut;

    fn interface(&self) -> Interface {
        instruction_storage_interface(&self.parameters)
    }

    fn outputs(&self) -> InstructionStorageOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &InstructionStorageIn) {}

    fn reset(&mut self) {
        self.outputs = InstructionStorageOut::default();
    }
}
