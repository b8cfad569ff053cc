//! A plan, spread out: the points of its figure, and the runs that they need; equal runs are made once.

use super::plan::{Plan, Series};
use super::setting::Setting;
use super::work::{Variant, Workload};
use anyhow::Result;
use std::collections::BTreeMap;

/// A run to make.
#[derive(Clone)]
pub struct Run {
    pub workload: Workload,
    /// Input of the plan.
    pub input: usize,
    pub variant: Variant,
    pub setting: Setting,
}

/// A place in the figure, or a candidate for the baseline.
pub struct Point {
    pub workload: Workload,
    pub input: usize,
    /// Series of the plan; `None`: a baseline.
    pub series: Option<usize>,
    pub variant: Variant,
    /// Place on the axis.
    pub value: Option<usize>,
    /// Index into [`Spread::runs`].
    pub run: usize,
    /// For each baseline, its run on the same workload, input and place of the axis.
    pub baselines: Vec<usize>,
}

#[derive(Default)]
pub struct Spread {
    pub runs: Vec<Run>,
    pub points: Vec<Point>,
    known: BTreeMap<String, usize>,
}

impl Spread {
    /// Baselines first, then the series, in the plan's order, for each cell.
    pub fn new(plan: &Plan) -> Result<Spread> {
        let mut spread = Spread::default();
        for (workload, input) in &plan.cells {
            spread.add_group(plan, workload, *input)?;
        }
        Ok(spread)
    }

    fn add_group(&mut self, plan: &Plan, workload: &Workload, input: usize) -> Result<()> {
        let mut points = Vec::new();
        for (i, series) in plan.series.iter().enumerate() {
            for value in plan.values(series) {
                let baselines = self.add_baselines(plan, workload, input, value)?;
                let variant = series.variant.of(workload);
                let run = self.add(plan, workload, input, variant, Some(series), value)?;
                let (workload, variant) = (workload.clone(), variant.clone());
                points.push(Point { workload, input, series: Some(i), variant, value, run, baselines });
            }
        }
        self.points.append(&mut points);
        Ok(())
    }

    /// A baseline that takes no notice of the axis is one point.
    fn add_baselines(
        &mut self,
        plan: &Plan,
        workload: &Workload,
        input: usize,
        value: Option<usize>,
    ) -> Result<Vec<usize>> {
        let mut runs = Vec::new();
        for variant in plan.baselines.iter().map(|choice| choice.of(workload)) {
            let run = self.add(plan, workload, input, variant, None, value)?;
            if !self.points.iter().any(|p| p.run == run && p.series.is_none()) {
                let plain = setting(plan, variant, None, None)?;
                let value = value.filter(|_| self.runs[run].setting != plain);
                let (workload, variant, baselines) = (workload.clone(), variant.clone(), Vec::new());
                self.points.push(Point { workload, input, series: None, variant, value, run, baselines });
            }
            runs.push(run);
        }
        Ok(runs)
    }

    fn add(
        &mut self,
        plan: &Plan,
        workload: &Workload,
        input: usize,
        variant: &Variant,
        series: Option<&Series>,
        value: Option<usize>,
    ) -> Result<usize> {
        let setting = setting(plan, variant, series, value)?;
        let key = serde_json::to_string(&(workload.name(), input, variant.name(), &setting))?;
        let next = self.runs.len();
        let place = *self.known.entry(key).or_insert(next);
        if place == next {
            self.runs.push(Run { workload: workload.clone(), input, variant: variant.clone(), setting });
        }
        Ok(place)
    }
}

/// Without the units that the variant does not use: runs that differ only in those are equal.
fn setting(plan: &Plan, variant: &Variant, series: Option<&Series>, value: Option<usize>) -> Result<Setting> {
    let mut setting = plan.setting(series, value)?;
    if let Variant::Ours(variant) = variant {
        let config = &mut setting.config;
        config.hwwl = config.hwwl.take().filter(|_| variant.needs_hwwl());
        config.iru = config.iru.take().filter(|_| variant.needs_iru());
    }
    setting.parameters.retain(|_, _| variant.has_unit());
    Ok(setting)
}
