//! Rules between the parts of a plan: labels, variants, the figure's form, measures and claims.

use super::{Figure, Plan, BASELINE};
use crate::sweep::claim::Claim;
use crate::sweep::entries::distinct;
use crate::sweep::measure::Kind;
use crate::sweep::setting::Setting;
use crate::sweep::work::Workload;
use anyhow::{bail, ensure, Context, Result};
use sim::attach::Uses;

impl Plan {
    pub(super) fn check_parts(&self) -> Result<()> {
        self.check_labels()?;
        self.check_variants()?;
        self.check_figure()?;
        self.check_measures()?;
        self.check_yardsticks()?;
        self.check_addition()?;
        self.check_claims()
    }

    fn check_addition(&self) -> Result<()> {
        let Some(name) = &self.addition else { return Ok(()) };
        let is_there = self.series.iter().any(|series| series.name == *name);
        ensure!(is_there, "addition: no series `{name}`");
        Ok(())
    }

    fn check_labels(&self) -> Result<()> {
        let is_none = |graph: &&String| !self.inputs.iter().any(|input| input.asked.to_string() == **graph);
        let readings = self.readings.keys().find(is_none).map(|graph| ("reading", graph));
        match readings.or_else(|| self.labels.keys().find(is_none).map(|graph| ("labels", graph))) {
            Some((field, graph)) => bail!("{field}: no graph `{graph}` in graphs or inputs"),
            None => Ok(()),
        }
    }

    /// Every workload has every variant, on every configuration that it is to run on.
    fn check_variants(&self) -> Result<()> {
        for workload in &self.workloads {
            for (i, choice) in self.baselines.iter().enumerate() {
                let setting = Setting::from(self.config.clone());
                workload.check_variant(choice.of(workload), &setting).with_context(|| format!("baselines[{i}]"))?;
            }
        }
        for (i, series) in self.series.iter().enumerate() {
            for value in self.values(series) {
                let setting = self.setting(Some(series), value).with_context(|| format!("series[{i}].set"))?;
                for workload in &self.workloads {
                    let place = || format!("series[{i}].variant");
                    workload.check_variant(series.variant.of(workload), &setting).with_context(place)?;
                }
            }
        }
        Ok(())
    }

    fn check_figure(&self) -> Result<()> {
        match self.figure {
            Figure::Bars => {}
            Figure::Lines => ensure!(self.axis.is_some(), "figure: lines need an [axis] to go along"),
            Figure::Activity => {
                let without =
                    self.series.iter().position(|s| !s.variant.all().iter().all(|v| Uses::from(v).has("hwwl")));
                if let Some(i) = without {
                    bail!("series[{i}].variant: activity is that of threads with a hardware worklist; take hwwl");
                }
            }
        }
        Ok(())
    }

    fn check_measures(&self) -> Result<()> {
        for (at, kind) in self.measures.iter().map(|m| m.kind).enumerate() {
            let name = kind.name();
            let without = self.series.iter().position(|s| !s.variant.all().iter().all(|v| Uses::from(v).has("iru")));
            if let (Kind::Filtered | Kind::Repeated, Some(i)) = (kind, without) {
                let variant = self.series[i].variant.name();
                bail!("measures[{at}]: {name} is what reorder units merge; series[{i}].variant {variant} uses none");
            }
            ensure!(
                !kind.needs_gw() || self.series.iter().any(|s| s.config.gw.is_some()),
                "measures[{at}]: {name} is of Graph-Waving's front end; no series has a config with [gw]"
            );
            ensure!(
                self.figure != Figure::Lines || kind.parts().is_empty(),
                "measures[{at}]: {name} has shares, which lines cannot show; take bars"
            );
        }
        ensure!(
            self.figure != Figure::Activity || self.is_plain(),
            "measures: an activity figure shows threads over time and speedups alone"
        );
        Ok(())
    }

    fn check_yardsticks(&self) -> Result<()> {
        if self.yardsticks.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = self.yardsticks.iter().map(|yardstick| yardstick.name.clone()).collect();
        distinct("yardstick", &names, |name| {
            ensure!(
                !self.is_series(name) && self.candidates(name).is_none() && name != BASELINE,
                "`{name}` is the name of something else"
            );
            Ok(())
        })?;
        for (i, yardstick) in self.yardsticks.iter().enumerate() {
            distinct(&format!("yardstick[{i}].of"), &yardstick.of, |name| {
                ensure!(
                    self.is_series(name) || self.candidates(name).is_some(),
                    "`{name}` is neither a series nor among the baselines"
                );
                Ok(())
            })?;
        }
        Ok(())
    }

    fn check_claim_measure(&self, i: usize, claim: &Claim) -> Result<()> {
        let measure = self.measure(claim).expect("a measure of each claim is counted");
        let known: Vec<_> = measure.workloads.iter().map(Workload::name).collect();
        let inputs: Vec<_> = self.inputs.iter().map(|input| input.asked.to_string()).collect();
        let parts = measure.kind.parts();
        if parts.is_empty() != claim.parts.is_none() {
            let name = measure.kind.name();
            match parts {
                [] => bail!("claim[{i}].parts: {name} has no shares"),
                known => bail!("claim[{i}].parts: is missing; of {name} there are {}", known.join(", ")),
            }
        }
        for (field, wanted, known) in [
            ("parts", &claim.parts, parts.to_vec()),
            ("workloads", &claim.workloads, known),
            ("graphs", &claim.graphs, inputs.iter().map(String::as_str).collect()),
        ] {
            let Some(wanted) = wanted else { continue };
            let names = distinct(&format!("claim[{i}].{field}"), wanted, |name| Ok(name.to_owned()))?;
            if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
                bail!(
                    "claim[{i}].{field}: no `{name}` for {}; there are {}",
                    measure.kind.name(),
                    spelling::listed(name, known)
                );
            }
        }
        Ok(())
    }

    fn check_claims(&self) -> Result<()> {
        for (i, claim) in self.claims.iter().enumerate() {
            if let Some([low, high]) = claim.range {
                ensure!(low <= high, "claim[{i}].range: {low} to {high}: the first must not exceed the second");
            }
            let Some(name) = &claim.series else {
                ensure!(claim.is_plain(), "claim[{i}].series: is missing; say whose numbers stand beside it");
                continue;
            };
            self.check_claim_measure(i, claim)?;
            if name == BASELINE {
                let shown = self.measure(claim).is_some_and(|m| m.kind.shows_baseline());
                ensure!(
                    shown && claim.at.is_none(),
                    "claim[{i}].series: this measure has no number of the baseline's own"
                );
                continue;
            }
            for (field, name) in [("series", Some(name)), ("over", claim.over.as_ref())] {
                match name {
                    Some(name) if self.is_software(name) => self.check_claim_place(i, claim)?,
                    Some(name) => self.check_claim_series(i, claim, field, name)?,
                    None => {}
                }
            }
            ensure!(
                claim.over.is_some() || !self.is_software(name),
                "claim[{i}].over: is missing; `{name}` is software, which is not measured by the baseline"
            );
        }
        Ok(())
    }

    /// Software runs at every value of the axis, or at none.
    fn check_claim_place(&self, i: usize, claim: &Claim) -> Result<()> {
        let Some(at) = claim.value() else { return Ok(()) };
        ensure!(self.place(Some(&at)).is_some(), "claim[{i}].at: the axis has no value {at}");
        Ok(())
    }

    /// No series: a candidate for the baseline, or a yardstick.
    fn is_software(&self, name: &str) -> bool {
        let is_yardstick = self.yardsticks.iter().any(|known| known.name == name);
        is_yardstick || (self.candidates(name).is_some() && !self.is_series(name))
    }

    fn check_claim_series(&self, i: usize, claim: &Claim, field: &str, name: &str) -> Result<()> {
        let Some(series) = self.series.iter().find(|s| s.name == *name) else {
            let known = spelling::listed(name, self.series.iter().map(|s| s.name.as_str()));
            bail!("claim[{i}].{field}: no series `{name}`; there are {known}");
        };
        let at = claim.value();
        let off_axis = field == "over" && !series.on_axis;
        let place = off_axis || self.values(series).any(|value| value.map(|v| self.value(v)) == at.as_deref());
        ensure!(place, "claim[{i}].at: `{name}` has no run at {}", at.as_deref().unwrap_or("no value of the axis"));
        Ok(())
    }
}
