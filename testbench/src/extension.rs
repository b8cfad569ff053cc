//! A system of another crate, beside those of the papers.

use crate::cosim::AnyFixture;
use crate::error::Result;
use crate::in_gpu::{Handle, Seeded};
use hdl::catalog::Definition;
use sim::attach::system::System;
use sim::config::Config;
use std::path::Path;

/// All that the command has to know of a system to offer it.
pub struct Extension {
    /// As `--attach` takes it.
    pub name: &'static str,
    /// One line, for `unruly list extensions`.
    pub description: &'static str,
    pub units: &'static [Definition],
    /// One for each unit.
    pub fixtures: &'static [&'static dyn AnyFixture],
    /// Makes the system for a GPU. A difference between two bodies leaves its files in the folder.
    pub attach: fn(&Config, Seeded, &Path) -> Result<(Box<dyn System>, Handle)>,
}
