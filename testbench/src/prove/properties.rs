//! Which units have properties, and the parameters that they are proven with.

/// What is proven of a unit. docs/proofs.md says how the Verilog is written.
pub(super) struct Properties {
    pub unit: &'static str,
    /// The parameters that the proofs are made with; the others have their defaults.
    pub parameters: &'static [(&'static str, u64)],
    /// Behind the last line of the unit's module.
    pub verilog: &'static str,
}

pub(super) static PROPERTIES: &[Properties] = &[Properties {
    unit: "queue",
    parameters: &[("entries", 4), ("width", 4)],
    verilog: include_str!("../../properties/prim/queue.v"),
}];

/// Those of `unit`, if it has any.
pub(super) fn of(unit: &str) -> Option<&'static Properties> {
    PROPERTIES.iter().find(|properties| properties.unit == unit)
}
