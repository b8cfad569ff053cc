//! The interface of every unit: its parameters with their bounds, its sizes, its pins and their rules, and the clock that it is for.
//! RTL, models, stimulus, generator and pages read it here. What a unit does stands twice, in `hdl` and in `sim`, and never here.

#![forbid(unsafe_code)]

pub mod exceptions;
pub mod gw;
pub mod hwwl;
pub mod iru;
pub mod number;
pub mod page;
pub mod parameter;
pub mod parameters;
pub mod pin;
pub mod pins;
pub mod place;
pub mod port;
pub mod prim;
pub mod rules;
pub mod system;
pub mod unit;

pub use parameter::{require, Parameter, ParameterError, Relation, Values};
pub use system::{system_of, System, SYSTEMS};
pub use unit::{InstanceError, Unit};
