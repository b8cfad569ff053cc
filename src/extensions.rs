//! Systems of other crates that the command offers beside those of the papers: a line each here, and one in Cargo.toml.

use anyhow::{anyhow, Result};
use hdl::catalog::{Catalog, Instance};
use testbench::cosim::AnyFixture;
use testbench::systems::PlugIn;

#[rustfmt::skip] // A line each.
const EXTENSIONS: &[&PlugIn] = &[
    &combiner::EXTENSION,
];

/// Every unit: those of the papers, then those of extensions.
pub fn catalog() -> Catalog {
    EXTENSIONS.iter().fold(Catalog::ours(), |catalog, extension| catalog.with(extension.units))
}

/// A unit that an extension brings, with its fixture. `None`: no extension has a unit of this name.
///
/// # Errors
/// Errors of [`Catalog::find`].
pub fn unit(name: &str, parameters: &[(&str, u64)]) -> Result<Option<(Instance, &'static dyn AnyFixture)>> {
    let fixture = fixture(name).map(|fixture| Ok((catalog().find(name, parameters)?, fixture)));
    fixture.transpose()
}

/// An extension has a fixture for the unit.
pub fn has(name: &str) -> bool {
    fixture(name).is_some()
}

/// The extension that brings a unit.
pub fn system(unit: &str) -> Option<&'static str> {
    let brings = |extension: &&&PlugIn| extension.units.iter().any(|definition| definition.unit.name == unit);
    EXTENSIONS.iter().find(brings).map(|extension| extension.name)
}

fn fixture(unit: &str) -> Option<&'static dyn AnyFixture> {
    let mut fixtures = EXTENSIONS.iter().flat_map(|extension| extension.fixtures.iter().copied());
    fixtures.find(|fixture| fixture.unit() == unit)
}

/// `--attach NAME`
///
/// # Errors
/// There is none of this name.
pub fn find(name: &str) -> Result<&'static PlugIn> {
    EXTENSIONS.iter().copied().find(|extension| extension.name == name).ok_or_else(|| {
        let known = spelling::listed(name, EXTENSIONS.iter().map(|extension| extension.name));
        anyhow!("--attach {name}: there is no such system; there are {known}")
    })
}

/// The plug-ins of all these names.
///
/// # Errors
/// Errors of [`find`].
pub fn find_all(names: &[String]) -> Result<Vec<&'static PlugIn>> {
    names.iter().map(|name| find(name)).collect()
}

pub fn all() -> &'static [&'static PlugIn] {
    EXTENSIONS
}
