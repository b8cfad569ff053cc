//! The clock of a unit of the user's own in each column of a figure.

use super::figure::{columns, panels, Column};
use super::own::entry::{Kernel, Way};
use super::plan::Plan;
use super::work::{Variant, Workload};
use crate::exit::Interrupted;
use crate::unit_clock::UnitClock;
use crate::user_unit::{self, Attached};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// By series and value of the axis.
#[derive(Default)]
pub struct OwnClocks(BTreeMap<(usize, Option<usize>), UnitClock>);

impl OwnClocks {
    /// Synthesises the unit with the parameters of each column, unless that was done before.
    ///
    /// # Errors
    /// An interruption.
    pub fn measure(plan: &Plan, interrupt: &AtomicBool) -> Result<OwnClocks> {
        let mut clocks = OwnClocks::default();
        for column in panels(plan).into_iter().flat_map(|panel| columns(plan, panel)) {
            let Some((kernel, way)) = unit(plan, &column) else { continue };
            let clock = match measured(plan, &column, &kernel.folder, way, interrupt) {
                Err(error) if error.is::<Interrupted>() => return Err(error),
                Err(error) => Some(UnitClock::unknown(&way.name, &format!("{error:#}"))),
                Ok(clock) => clock,
            };
            clocks.0.extend(clock.map(|clock| ((column.series, column.value), clock)));
        }
        Ok(clocks)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn of(&self, column: &Column) -> Option<&UnitClock> {
        self.0.get(&(column.series, column.value))
    }
}

/// The kernel and the variant of a column with a unit.
fn unit<'a>(plan: &'a Plan, column: &Column) -> Option<(&'a Kernel, &'a Way)> {
    let workload = &plan.workloads[0];
    match (workload, plan.series[column.series].variant.of(workload)) {
        (Workload::Kernel(kernel), Variant::Own(way)) if way.unit.is_some() => Some((kernel, way)),
        _ => None,
    }
}

/// `None`: the unit is not in Verilog.
fn measured(
    plan: &Plan,
    column: &Column,
    folder: &Path,
    way: &Way,
    interrupt: &AtomicBool,
) -> Result<Option<UnitClock>> {
    let setting = plan.setting(Some(&plan.series[column.series]), column.value)?;
    let source = user_unit::read(way.unit.as_deref().unwrap_or_default(), folder)?;
    let mut unit = Attached::new(source.with_parameters(&setting.parameters), way.at, &setting.config)?;
    unit.measures = unit.is_verilog();
    unit.measured_clock(interrupt)
}
