//! Behavioural models of the hardware units, written from the papers, never from the RTL.

pub(crate) mod fields;
pub mod gw;
pub mod hwwl;
pub mod iru;
pub mod parameter;
