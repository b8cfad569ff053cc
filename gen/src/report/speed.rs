//! A row's longest path next to what it may take.

use super::{Method, Row};
use crate::order::ORDERS;
use crate::target::Target;
use crate::timing::CriticalPath;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// The path that is the median over the orders. `None` for a unit without logic.
    pub critical_path: Option<CriticalPath>,
    /// 1 / critical path.
    pub fmax_mhz: Option<f64>,
    pub path_fo4: Option<f64>,
    /// The shortest and the longest over the orders.
    pub shortest_fo4: Option<f64>,
    pub longest_fo4: Option<f64>,
    /// `None` for a unit of no paper.
    pub target_fo4: Option<f64>,
    /// All orders meet the target. `None` while not all orders are measured and none misses it.
    pub meets_target: Option<bool>,
    /// The target that tables had first, without room for the wires of a large unit.
    pub old_target_fo4: Option<f64>,
    /// All orders meet it, likewise.
    #[serde(skip)]
    pub meets_old_target: Option<bool>,
}

impl Speed {
    pub fn of(row: &Row, method: &Method) -> Speed {
        let sorted = sorted(&row.paths);
        let fo4 = |path: &&CriticalPath| path.ns / method.fo4_ns;
        let median = median(&row.paths);
        let target = Target::of(&row.unit);
        let target_fo4 = target.as_ref().map(|target| target.fo4(row.gate_equivalents));
        let longest_fo4 = sorted.last().map(fo4);
        let old_target_fo4 = target.map(|target| target.old_fo4());
        let meets = |limit: Option<f64>| {
            let (path, limit) = longest_fo4.zip(limit)?;
            (path > limit || row.paths.len() == ORDERS).then_some(path <= limit)
        };
        Speed {
            critical_path: median.cloned(),
            fmax_mhz: median.map(|path| 1e3 / path.ns),
            path_fo4: median.as_ref().map(fo4),
            shortest_fo4: sorted.first().map(fo4),
            longest_fo4,
            target_fo4,
            meets_target: meets(target_fo4),
            old_target_fo4,
            meets_old_target: meets(old_target_fo4),
        }
    }
}

/// The path of the median delay; `None` without paths.
pub(crate) fn median(paths: &[CriticalPath]) -> Option<&CriticalPath> {
    sorted(paths).get(paths.len() / 2).copied()
}

fn sorted(paths: &[CriticalPath]) -> Vec<&CriticalPath> {
    let mut sorted: Vec<&CriticalPath> = paths.iter().collect();
    sorted.sort_by(|a, b| a.ns.total_cmp(&b.ns));
    sorted
}
