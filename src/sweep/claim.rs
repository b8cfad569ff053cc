//! A statement of a paper.

use super::condition::Condition;
use super::entries::shown;
use super::measure::Kind;
use serde::Deserialize;

/// A statement of the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its number among all claims of the papers (the page `claims.md`).
    pub row: Option<u32>,
    pub section: String,
    pub text: String,
    /// Series whose numbers stand beside it, or `baseline`.
    pub series: Option<String>,
    /// A series, or one of the candidates for the baseline, that these numbers are measured by in place of the baseline.
    pub over: Option<String>,
    /// Value of the axis, for such a series.
    pub at: Option<toml::Value>,
    /// The measure that is compared; speedup if this is left out.
    pub measure: Option<String>,
    /// Only for a measure of shares: the parts that are added up.
    pub parts: Option<Vec<String>>,
    /// The workloads of the plan that count. If left out: all workloads of the measure.
    pub workloads: Option<Vec<String>>,
    pub graphs: Option<Vec<String>>,
    /// The paper's number, in the unit of the measure.
    pub value: Option<f64>,
    /// The paper's least and greatest number.
    pub range: Option<[f64; 2]>,
    /// The condition on our numbers if the paper's words are to be right.
    pub holds: Option<Condition>,
    /// Why ours differs.
    pub why: Option<String>,
    /// The run that shows why.
    pub shown_by: Option<String>,
    /// The paper says something else in another place.
    #[serde(default)]
    pub contradicted: bool,
}

impl Claim {
    /// The value of the axis, as in `--set`.
    pub fn value(&self) -> Option<String> {
        self.at.as_ref().map(shown)
    }

    /// It is about the speedup on all workloads and graphs, and no more.
    pub fn is_plain(&self) -> bool {
        let parts = [&self.parts, &self.workloads, &self.graphs].into_iter().all(Option::is_none);
        parts && self.measure.is_none() && self.over.is_none() && self.value.is_none() && self.why.is_none()
    }

    /// The name of what is compared.
    pub fn measure_name(&self) -> &str {
        self.measure.as_deref().unwrap_or(Kind::Speedup.name())
    }
}
