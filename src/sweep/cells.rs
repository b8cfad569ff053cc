//! What stands in a part of a figure of measures: for every column a bar in each cell, and means of bars.

use super::figure::{cell, columns, groups, Column};
use super::measure::{Bar, Measure};
use super::plan::Plan;
use super::table::{geometric_mean, Placed};

/// Whose bars they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Yardstick,
    Series { series: usize, value: Option<usize> },
}

/// The bars of a colour.
pub struct Bars {
    pub owner: Owner,
    pub label: String,
    /// In the order of [`places`]; `None`: a run is missing, or had nothing to measure.
    pub bars: Vec<Option<Bar>>,
}

/// A workload on a graph.
pub type Place = (&'static str, usize, String);

/// The cells of a measure.
pub fn places(plan: &Plan, measure: &Measure) -> Vec<Place> {
    groups(plan).into_iter().filter(|(name, ..)| measure.workloads.iter().any(|w| w.name == *name)).collect()
}

/// Those of the yardstick first, if it has some: once for all columns if it is the same for all.
pub fn bars(plan: &Plan, rows: &[Placed], measure: &Measure, panel: &str) -> Vec<Bars> {
    let columns = columns(plan, panel);
    let mut all: Vec<Bars> = Vec::new();
    if measure.kind.shows_yardstick() {
        for column in &columns {
            let bars = of_yardstick(plan, rows, measure, column);
            if all.iter().all(|known| known.bars != bars) {
                let label = if all.is_empty() { "yardstick".into() } else { format!("yardstick of {}", column.label) };
                all.push(Bars { owner: Owner::Yardstick, label, bars });
            }
        }
    }
    all.extend(columns.into_iter().map(|column| Bars {
        owner: Owner::Series { series: column.series, value: column.value },
        bars: of_column(plan, rows, measure, &column),
        label: column.label,
    }));
    all
}

/// Of a series, at its place on the axis.
pub fn of_column(plan: &Plan, rows: &[Placed], measure: &Measure, column: &Column) -> Vec<Option<Bar>> {
    each(plan, rows, measure, column, |p| measure.bar(p.numbers?, p.yardstick?))
}

fn of_yardstick(plan: &Plan, rows: &[Placed], measure: &Measure, column: &Column) -> Vec<Option<Bar>> {
    each(plan, rows, measure, column, |p| measure.bar(p.yardstick?, p.yardstick?))
}

fn each(
    plan: &Plan,
    rows: &[Placed],
    measure: &Measure,
    column: &Column,
    bar: impl Fn(&Placed) -> Option<Bar>,
) -> Vec<Option<Bar>> {
    places(plan, measure).iter().map(|place| cell(rows, place, column).and_then(&bar)).collect()
}

/// The arithmetic mean, of the parts as of the wholes.
pub fn mean(bars: &[Option<Bar>]) -> Option<Bar> {
    let all = bars.iter().copied().collect::<Option<Vec<Bar>>>().filter(|all| !all.is_empty())?;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let until: Option<Vec<f64>> = all.iter().map(|bar| bar.until).collect();
    Some(Bar {
        whole: mean(&all.iter().map(|bar| bar.whole).collect::<Vec<_>>()),
        until: until.map(|values| mean(&values)),
    })
}

/// Of the wholes.
pub fn geometric(bars: &[Option<Bar>]) -> Option<f64> {
    geometric_mean(bars.iter().map(|bar| bar.map(|bar| bar.whole)))
}

/// Bars of the cells of one workload.
pub fn of_workload(places: &[Place], bars: &[Option<Bar>], workload: &str) -> Vec<Option<Bar>> {
    places.iter().zip(bars).filter(|((name, ..), _)| *name == workload).map(|(_, bar)| *bar).collect()
}

/// Mean of the workloads' means: what it is for a paper that gives one number for each algorithm.
pub fn mean_of_workloads(places: &[Place], bars: &[Option<Bar>], measure: &Measure) -> Option<Bar> {
    let of = |name: &str| mean(&of_workload(places, bars, name));
    mean(&measure.workloads.iter().map(|w| of(w.name)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_all_bars_or_none() {
        let bars = [Some(Bar { whole: 8.0, until: Some(3.0) }), Some(Bar { whole: 2.0, until: Some(1.0) })];
        assert_eq!(mean(&bars), Some(Bar { whole: 5.0, until: Some(2.0) }));
        assert!((geometric(&bars).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(mean(&[bars[0], None]), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[Some(Bar::from(3.0)), Some(Bar::from(4.0))]), Some(Bar::from(3.5)));
    }
}
