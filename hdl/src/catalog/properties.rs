//! Properties of units that a model checker proves: Verilog beside the RTL of each unit. docs/proofs.md says how it is written.

/// What is proven of a unit.
pub struct Properties {
    pub unit: &'static str,
    /// The parameters that the proofs are made with; the others have their defaults.
    pub parameters: &'static [(&'static str, u64)],
    /// Behind the last line of the unit's module.
    pub verilog: &'static str,
}

pub static PROPERTIES: &[Properties] = &[Properties {
    unit: "queue",
    parameters: &[("entries", 4), ("width", 4)],
    verilog: include_str!("../prim/queue.properties.v"),
}];

/// Those of `unit`, if it has any.
pub fn of(unit: &str) -> Option<&'static Properties> {
    PROPERTIES.iter().find(|properties| properties.unit == unit)
}
