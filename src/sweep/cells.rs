//! The content of a part of a figure of measures: for every column a bar in each cell, and means of bars.

use super::figure::{candidate, cell, columns, groups, Column};
use super::measure::{Bar, Measure};
use super::numbers::Numbers;
use super::plan::Plan;
use super::table::{geometric_mean, Placed};
use super::work::Workload;

/// Whose bars they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Baseline,
    Series { series: usize, value: Option<usize> },
}

/// The bars of a colour.
pub struct Bars {
    pub owner: Owner,
    pub label: String,
    /// In the order of [`places`]; `None`: a run is missing, or had nothing to measure.
    pub bars: Vec<Option<Bar>>,
}

/// A workload on an input.
pub type Place<'a> = (&'a str, usize, String);

/// The cells of a measure.
pub fn places<'a>(plan: &'a Plan, measure: &Measure) -> Vec<Place<'a>> {
    groups(plan).into_iter().filter(|(name, ..)| measure.workloads.iter().any(|w| w.name() == *name)).collect()
}

/// Workloads whose cells have means of their own: a class, or a single one.
pub struct Class<'a> {
    pub name: String,
    pub workloads: Vec<&'a str>,
}

/// The classes whose means a measure shows.
pub fn classes<'a>(plan: &'a Plan, measure: &'a Measure) -> Vec<Class<'a>> {
    let names = |workloads: &'a [Workload]| {
        let here = workloads.iter().filter(|w| measure.workloads.iter().any(|known| known.name() == w.name()));
        here.map(Workload::name).collect::<Vec<_>>()
    };
    let classes: Vec<_> = match &plan.classes[..] {
        [] => measure.workloads.iter().map(|w| Class { name: w.name().into(), workloads: vec![w.name()] }).collect(),
        all => all.iter().map(|c| Class { name: c.name.clone(), workloads: names(&c.workloads) }).collect(),
    };
    classes.into_iter().filter(|class| !class.workloads.is_empty()).collect()
}

/// The bars of a panel. The baseline's bars come first; they come once if the baseline is the same for all columns.
pub fn bars(plan: &Plan, rows: &[Placed], measure: &Measure, panel: &str) -> Vec<Bars> {
    let has_gw = |column: &Column| plan.series[column.series].config.gw.is_some();
    let columns = columns(plan, panel).into_iter().filter(|column| !measure.kind.needs_gw() || has_gw(column));
    let columns: Vec<_> = columns.collect();
    let mut all: Vec<Bars> = Vec::new();
    if measure.kind.shows_baseline() {
        for column in &columns {
            let bars = of_baseline(plan, rows, measure, column);
            if all.iter().all(|known| known.bars != bars) {
                let label = if all.is_empty() { "baseline".into() } else { format!("baseline of {}", column.label) };
                all.push(Bars { owner: Owner::Baseline, label, bars });
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

/// The bar's subject, or its yardstick.
pub enum Reference {
    /// A series at a place on the axis.
    Series(Column),
    /// One of the candidates for the baseline, at a place on the axis: the first of these variants that the workload has.
    Candidate(Vec<String>, Option<usize>),
    /// The one with the fewest cycles of those that the workload has.
    Fastest(Vec<Reference>),
}

impl Reference {
    /// `None` if a run failed: of a missing candidate nobody knows how good it is.
    fn numbers<'a>(&self, rows: &[Placed<'a>], place: &Place) -> Option<&'a Numbers> {
        match self {
            Reference::Series(column) => cell(rows, place, column)?.numbers,
            Reference::Candidate(names, value) => first(rows, place, names, *value)?.numbers,
            Reference::Fastest(all) => {
                let here = all.iter().filter(|one| one.is_there(rows, place));
                here.map(|one| one.numbers(rows, place))
                    .collect::<Option<Vec<_>>>()?
                    .into_iter()
                    .min_by_key(|n| n.cycles)
            }
        }
    }

    /// Not every workload has every variant.
    fn is_there(&self, rows: &[Placed], place: &Place) -> bool {
        match self {
            Reference::Series(column) => cell(rows, place, column).is_some(),
            Reference::Candidate(names, value) => first(rows, place, names, *value).is_some(),
            Reference::Fastest(_) => true,
        }
    }
}

fn first<'a, 'b>(
    rows: &'b [Placed<'a>],
    place: &Place,
    names: &[String],
    value: Option<usize>,
) -> Option<&'b Placed<'a>> {
    names.iter().find_map(|name| candidate(rows, place, name, value))
}

/// The bars of `own` beside those of another that is not the baseline.
pub fn compared(
    plan: &Plan,
    rows: &[Placed],
    measure: &Measure,
    own: &Reference,
    other: &Reference,
) -> Vec<Option<Bar>> {
    let bar = |place: &Place| measure.bar(own.numbers(rows, place)?, other.numbers(rows, place)?);
    places(plan, measure).iter().map(bar).collect()
}

/// The bars of a series at its place on the axis, beside the baseline.
pub fn of_column(plan: &Plan, rows: &[Placed], measure: &Measure, column: &Column) -> Vec<Option<Bar>> {
    each(plan, rows, measure, column, |p| measure.bar(p.numbers?, p.baseline?))
}

/// The baseline of these.
pub fn of_baseline(plan: &Plan, rows: &[Placed], measure: &Measure, column: &Column) -> Vec<Option<Bar>> {
    each(plan, rows, measure, column, |p| measure.bar(p.baseline?, p.baseline?))
}

fn each(
    plan: &Plan,
    rows: &[Placed],
    measure: &Measure,
    column: &Column,
    bar: impl Fn(&Placed) -> Option<Bar>,
) -> Vec<Option<Bar>> {
    places(plan, measure).iter().map(|place| bar(cell(rows, place, column)?)).collect()
}

/// The arithmetic mean, of each part.
pub fn mean(bars: &[Option<Bar>]) -> Option<Bar> {
    let all = bars.iter().map(Option::as_ref).collect::<Option<Vec<_>>>()?;
    let mean = |part: usize| all.iter().map(|bar| bar.parts[part]).sum::<f64>() / all.len() as f64;
    Some(Bar { parts: (0..all.first()?.parts.len()).map(mean).collect() })
}

/// The geometric mean of whole bars.
pub fn geometric(bars: &[Option<Bar>]) -> Option<f64> {
    geometric_mean(bars.iter().map(|bar| bar.as_ref().map(Bar::whole)))
}

/// The geometric mean of ratios, the arithmetic of other bars.
pub fn usual_mean(measure: &Measure, bars: &[Option<Bar>]) -> Option<Bar> {
    match measure.kind.is_ratio() {
        true => geometric(bars).map(Bar::from),
        false => mean(bars),
    }
}

/// Bars of the cells of some workloads.
pub fn of_workloads(places: &[Place], bars: &[Option<Bar>], workloads: &[&str]) -> Vec<Option<Bar>> {
    places.iter().zip(bars).filter(|((name, ..), _)| workloads.contains(name)).map(|(_, bar)| bar.clone()).collect()
}

/// Mean of the workloads' means: what it is for a paper that gives one number for each algorithm.
pub fn mean_of_workloads(places: &[Place], bars: &[Option<Bar>], measure: &Measure) -> Option<Bar> {
    let of = |name: &str| mean(&of_workloads(places, bars, &[name]));
    mean(&measure.workloads.iter().map(|w| of(w.name())).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_all_bars_or_none() {
        let bar = |parts: &[f64]| Some(Bar { parts: parts.to_vec() });
        let bars = [bar(&[3.0, 5.0]), bar(&[1.0, 1.0])];
        assert_eq!(mean(&bars), bar(&[2.0, 3.0]));
        assert!((geometric(&bars).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(mean(&[bars[0].clone(), None]), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[bar(&[3.0]), bar(&[4.0])]), Some(Bar::from(3.5)));
    }
}
