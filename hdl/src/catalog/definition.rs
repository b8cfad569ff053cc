//! A unit in this crate: its specification, its module name and its RTL.

use super::{Instance, Rtl};
use spec::{InstanceError, Unit, Values};

/// A unit and its RTL.
pub struct Definition {
    pub unit: &'static Unit,
    /// Name of the Verilog module.
    pub module: fn(&Values) -> String,
    /// The sizes that there is RTL for, and the block of each: made by [`rtl!`](crate::rtl).
    pub rtl: Rtl,
}

impl Definition {
    pub(super) fn shipped(&'static self) -> impl Iterator<Item = Instance> {
        self.unit.shipped().map(|values| self.instance(values))
    }

    /// The instance with the parameters given and defaults for the rest.
    pub fn find(&self, parameters: &[(&str, u64)]) -> Result<Instance, InstanceError> {
        let values = self.unit.values(parameters)?;
        if self.rtl.has(&values) {
            return Ok(self.instance(values));
        }
        let wanted: Vec<_> = values.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let available = self.rtl.available();
        Err(InstanceError::Rtl { unit: self.unit.name, wanted: wanted.join(", "), available })
    }

    fn instance(&self, values: Values) -> Instance {
        let Unit { name, description, timing, paper, .. } = *self.unit;
        let module = (self.module)(&values);
        Instance { unit: name, description, timing, paper, module, parameters: values.0, build: self.rtl.build }
    }
}
