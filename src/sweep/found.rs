//! The answer of our numbers to a claim.

use super::cells::{compared, geometric, mean, of_baseline, of_column, places, Place, Reference};
use super::claim::Claim;
use super::figure::{columns, panels, Column};
use super::measure::{Bar, Kind, Measure};
use super::plan::{Plan, Yardstick, BASELINE};
use super::table::Placed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Our numbers beside a claim: those of its cells.
pub struct Found {
    kind: Kind,
    /// The numbers are for some parts of a whole.
    of_parts: bool,
    cells: Vec<f64>,
    /// The arithmetic mean.
    mean: Bar,
    geometric: Option<f64>,
}

/// The numbers that a claim is about; `None`: it is about none of ours, or a run is missing.
pub fn found(plan: &Plan, rows: &[Placed], claim: &Claim) -> Option<Found> {
    let measure = plan.measure(claim)?;
    let all = bars(plan, rows, measure, claim)?;
    let wanted = |names: &Option<Vec<String>>, name: &str| names.as_ref().is_none_or(|n| n.iter().any(|n| n == name));
    let about =
        |(workload, input, _): &Place| wanted(&claim.workloads, workload) && wanted(&claim.graphs, &plan.input(*input));
    let cells = places(plan, measure).into_iter().zip(all).filter(|(place, _)| about(place));
    let bars: Vec<_> = cells.map(|(_, bar)| bar.map(|bar| counted(measure.kind, bar, claim))).collect();
    let of_parts = claim.parts.is_some();
    Some(Found {
        kind: measure.kind,
        of_parts,
        mean: mean(&bars)?,
        geometric: geometric(&bars).filter(|_| !of_parts),
        cells: bars.iter().flatten().map(Bar::whole).collect(),
    })
}

/// The numbers of the plan's addition in the place of the claim's series; `None` also if a plan has no addition.
pub fn with_addition(plan: &Plan, rows: &[Placed], claim: &Claim) -> Option<Found> {
    let series = plan.addition.clone()?;
    claim.series.as_ref().filter(|named| *named != BASELINE)?;
    found(plan, rows, &Claim { series: Some(series), ..claim.clone() })
}

fn bars(plan: &Plan, rows: &[Placed], measure: &Measure, claim: &Claim) -> Option<Vec<Option<Bar>>> {
    match (claim.series.as_deref()?, &claim.over) {
        (BASELINE, _) => Some(of_baseline(plan, rows, measure, columns(plan, panels(plan)[0]).first()?)),
        (series, None) => Some(of_column(plan, rows, measure, &column(plan, claim, series)?)),
        (own, Some(other)) => {
            let [own, other] = [own, other].map(|name| reference(plan, claim, name));
            Some(compared(plan, rows, measure, &own?, &other?))
        }
    }
}

/// The yardstick, series or candidate for the baseline that a claim calls by this name.
fn reference(plan: &Plan, claim: &Claim, name: &str) -> Option<Reference> {
    let value = plan.place(claim.value().as_deref());
    match plan.yardsticks.iter().find(|known| known.name == name) {
        Some(known) => yardstick(plan, known, value),
        None => of_name(plan, name, value),
    }
}

/// At a place on the axis.
pub fn yardstick(plan: &Plan, yardstick: &Yardstick, value: Option<usize>) -> Option<Reference> {
    yardstick.of.iter().map(|name| of_name(plan, name, value)).collect::<Option<_>>().map(Reference::Fastest)
}

fn of_name(plan: &Plan, name: &str, value: Option<usize>) -> Option<Reference> {
    match plan.series.iter().position(|series| series.name == name) {
        Some(series) => place(plan, series, value).map(Reference::Series),
        None => Some(Reference::Candidate(plan.candidates(name)?, value)),
    }
}

/// The sum of the shares that the claim is about.
fn counted(kind: Kind, bar: Bar, claim: &Claim) -> Bar {
    let Some(wanted) = &claim.parts else { return bar };
    let parts = kind.parts().iter().zip(bar.parts).filter(|(name, _)| wanted.iter().any(|part| part == *name));
    Bar::from(parts.map(|(_, share)| share).sum::<f64>())
}

/// Least and greatest, and both means; the number itself of a single cell.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = self.kind;
        let average = if self.of_parts { kind.shown(self.mean.whole()) } else { kind.shown_bar(&self.mean) };
        if self.cells.len() == 1 {
            return f.write_str(&average);
        }
        let (low, high) = self.cells.iter().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        write!(f, "{} to {}, arithmetic mean {average}", kind.shown(low), kind.shown(high))?;
        self.geometric.map_or(Ok(()), |mean| write!(f, ", geometric {}", kind.shown(mean)))
    }
}

/// Where a series stands in the figure: at the claim's place of the axis, or away from it.
pub fn column(plan: &Plan, claim: &Claim, series: &str) -> Option<Column> {
    let series = plan.series.iter().position(|s| s.name == series)?;
    place(plan, series, plan.place(claim.value().as_deref()))
}

fn place(plan: &Plan, series: usize, wanted: Option<usize>) -> Option<Column> {
    let value = plan.values(&plan.series[series]).find(|value| value.is_none() || *value == wanted)?;
    Some(Column { series, value, label: String::new() })
}

/// The result of a comparison of a claim with our numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A mean is in the paper's range, or within a tenth of its number, and what its words say holds.
    Reproduced,
    /// It differs, and a run shows why.
    Settled,
    /// It differs, and only words say why.
    Words,
    /// The paper contradicts it in another place.
    Contradicted,
    NotAttempted,
}

impl Standing {
    pub const ALL: [Standing; 5] =
        [Standing::Reproduced, Standing::Settled, Standing::Words, Standing::Contradicted, Standing::NotAttempted];

    pub fn name(self) -> &'static str {
        match self {
            Standing::Reproduced => "reproduced",
            Standing::Settled => "differs, a run shows why",
            Standing::Words => "differs, words only",
            Standing::Contradicted => "contradicted by the paper",
            Standing::NotAttempted => "not attempted",
        }
    }
}

/// The verdict of our numbers on a claim.
pub fn standing(claim: &Claim, found: Option<&Found>) -> Standing {
    match found {
        None => Standing::NotAttempted,
        Some(_) if claim.contradicted => Standing::Contradicted,
        Some(found) if agrees(claim, found) => Standing::Reproduced,
        Some(_) if claim.shown_by.is_some() => Standing::Settled,
        Some(_) => Standing::Words,
    }
}

fn agrees(claim: &Claim, found: &Found) -> bool {
    let means: Vec<_> = [Some(found.mean.whole()), found.geometric].into_iter().flatten().collect();
    let near = |value: f64| means.iter().any(|mean| (mean - value).abs() <= 0.1 * value.abs());
    let inside = |[low, high]: [f64; 2]| means.iter().any(|mean| (low..=high).contains(mean));
    let says_something = claim.value.is_some() || claim.range.is_some() || claim.holds.is_some();
    says_something
        && claim.value.is_none_or(near)
        && claim.range.is_none_or(inside)
        && claim.holds.as_ref().is_none_or(|condition| condition.holds(&found.cells, &means))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(lines: &str) -> Claim {
        toml::from_str(&format!("section = \"1\"\ntext = \"faster\"\n{lines}")).unwrap()
    }

    fn numbers(cells: &[f64]) -> Found {
        let bars: Vec<_> = cells.iter().map(|value| Some(Bar::from(*value))).collect();
        let (mean, geometric) = (mean(&bars).unwrap(), geometric(&bars));
        Found { kind: Kind::Speedup, of_parts: false, cells: cells.to_vec(), mean, geometric }
    }

    #[test]
    fn a_claim_is_reproduced_within_a_tenth_or_in_its_range() {
        let at = |lines: &str, cells: &[f64]| standing(&claim(lines), Some(&numbers(cells)));
        assert_eq!(at("value = 1.4", &[1.27]), Standing::Reproduced);
        assert_eq!(at("value = 1.4", &[1.25]), Standing::Words);
        assert_eq!(at("value = 1.0", &[0.5, 2.0]), Standing::Reproduced, "by the geometric mean");
        assert_eq!(at("range = [1.2, 2.4]", &[1.2]), Standing::Reproduced);
        assert_eq!(at("range = [1.2, 2.4]\nshown_by = \"a run\"", &[1.1]), Standing::Settled);
        assert_eq!(at("range = [1.2, 2.4]\ncontradicted = true", &[1.3]), Standing::Contradicted);
        assert_eq!(at("range = [1.2, 2.4]\nholds = \"each > 1.5\"", &[1.3]), Standing::Words, "both must be right");
    }

    #[test]
    fn a_claim_that_says_nothing_of_our_numbers_is_not_reproduced() {
        assert_eq!(standing(&claim(""), Some(&numbers(&[1.0]))), Standing::Words);
        assert_eq!(standing(&claim("value = 1.0"), None), Standing::NotAttempted);
    }
}
