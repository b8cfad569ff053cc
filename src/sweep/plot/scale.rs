//! The vertical axis of a panel. Bars of which one would be too low to be seen beside another have a logarithmic axis, on which they
//! go up or down from the baseline.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// A bar of less than this share of the highest is too low to be seen.
const LEAST: f64 = 1.0 / 20.0;

#[derive(Debug)]
pub enum Scale {
    /// From 0, in steps.
    Linear { top: f64, step: f64 },
    /// From `low` to `high`, round numbers both; bars begin at `even`. `room`: share of the axis that stays free at either end.
    Log { low: f64, high: f64, even: f64, room: f64 },
}

impl Scale {
    /// For all of `values`, with the share `room` of the axis free for their labels. `even`: what is as good as the baseline.
    pub fn new(values: &[f64], even: Option<f64>, room: f64) -> Scale {
        let most = values.iter().copied().fold(even.unwrap_or(0.0), f64::max);
        let least = values.iter().copied().filter(|value| *value > 0.0).fold(most, f64::min);
        match even {
            Some(even) if least < most * LEAST => Scale::log(least.min(even), most, even, room),
            _ => Scale::linear(most / (1.0 - room)),
        }
    }

    /// From 0 to a round number above `most`.
    pub fn linear(most: f64) -> Scale {
        let most = if most > 0.0 { most } else { 1.0 };
        let step = rounds(most / 7.0).next().expect("there is always a larger one");
        Scale::Linear { top: (most * 1.02 / step).ceil() * step, step }
    }

    /// The scale for shares of a whole, in %.
    pub fn shares() -> Scale {
        Scale::Linear { top: 100.0, step: 20.0 }
    }

    fn log(least: f64, most: f64, even: f64, room: f64) -> Scale {
        let high = rounds(most).next().expect("there is always a larger one");
        let low = rounds(least / 10.0).take_while(|round| *round <= least).last().unwrap_or(least);
        Scale::Log { low, high, even, room }
    }

    /// The range of the axis, in its own units.
    pub fn range(&self) -> Range<f64> {
        match self {
            Scale::Linear { top, .. } => 0.0..*top,
            Scale::Log { low, high, room, .. } => {
                let (low, high) = (low.log10(), high.log10());
                let free = (high - low) * room / (1.0 - 2.0 * room).max(0.2);
                low - free..high + free
            }
        }
    }

    /// Where a value is on the axis; what has no place on a logarithmic one, 0, is at its end.
    pub fn at(&self, value: f64) -> f64 {
        match self {
            Scale::Linear { .. } => value,
            Scale::Log { .. } if value > 0.0 => value.log10(),
            Scale::Log { .. } => self.range().start,
        }
    }

    /// Where bars begin.
    pub fn start(&self) -> f64 {
        match self {
            Scale::Linear { .. } => 0.0,
            Scale::Log { even, .. } => even.log10(),
        }
    }

    /// On the axis.
    pub fn ticks(&self) -> Vec<f64> {
        match self {
            Scale::Linear { top, step } => (0..=(top / step).round() as u32).map(|i| i as f64 * step).collect(),
            Scale::Log { low, high, .. } => {
                let all = || rounds(low * 0.999).take_while(|round| *round <= high * 1.001);
                let whole = |round: &f64| (round.log10() - round.log10().round()).abs() < 1e-9;
                let ticks: Vec<_> = if high / low > 150.0 { all().filter(whole).collect() } else { all().collect() };
                ticks.into_iter().map(f64::log10).collect()
            }
        }
    }

    /// The label of a tick.
    pub fn label(&self, tick: f64) -> String {
        let (value, least) = match self {
            Scale::Linear { step, .. } => (tick, *step),
            Scale::Log { .. } => (10f64.powf(tick), 10f64.powf(tick)),
        };
        let decimals = (-(least.log10() + 1e-9).floor()).max(0.0) as usize;
        format!("{value:.decimals$}")
    }
}

/// A chart's coordinate with the ticks of a scale.
pub struct Vertical {
    inner: RangedCoordf64,
    ticks: Vec<f64>,
}

impl From<&Scale> for Vertical {
    fn from(scale: &Scale) -> Vertical {
        Vertical { inner: scale.range().into(), ticks: scale.ticks() }
    }
}

impl Ranged for Vertical {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.inner.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.inner.range()
    }
}

/// 1, 2, 5, 10 and so on, and their tenths: those from `least` on.
fn rounds(least: f64) -> impl Iterator<Item = f64> {
    let decade = least.log10().floor() as i32;
    let all = (decade..).flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)));
    all.skip_while(move |round| *round < least * (1.0 - 1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_above_its_data() {
        for most in [0.3, 1.0, 1.19, 2.4, 11.0, 64.0, 700.0] {
            let end = Scale::linear(most).range().end;
            assert!(end > most && end < most * 1.35, "{most} {end}");
            let labels = Scale::linear(most).ticks().len();
            assert!((5..=9).contains(&labels), "{most}: {labels} ticks");
        }
    }

    #[test]
    fn what_would_be_too_low_has_a_logarithmic_axis_around_the_baseline() {
        let scale = Scale::new(&[0.03, 6.5, 100.0], Some(100.0), 0.1);
        assert_eq!(scale.start(), 2.0);
        let heights =
            [0.03, 6.5].map(|value| (scale.start() - scale.at(value)) / (scale.range().end - scale.range().start));
        assert!(heights.iter().all(|height| *height > LEAST) && heights.iter().sum::<f64>() < 2.0, "{heights:?}");
        assert_eq!(scale.ticks().iter().map(|tick| scale.label(*tick)).collect::<Vec<_>>(), ["0.1", "1", "10", "100"]);
        // Nothing is lost where the least is 0, and what is high enough stays linear.
        assert_eq!(scale.at(0.0), scale.range().start);
        assert!(matches!(Scale::new(&[6.0, 100.0], Some(100.0), 0.1), Scale::Linear { .. }));
        assert!(matches!(Scale::new(&[0.0, 100.0], Some(100.0), 0.1), Scale::Linear { .. }));
        assert!(matches!(Scale::new(&[0.1, 50.0], None, 0.1), Scale::Linear { .. }));
    }

    #[test]
    fn ticks_are_round_and_read_so() {
        let labels = |scale: &Scale| scale.ticks().iter().map(|tick| scale.label(*tick)).collect::<Vec<_>>();
        assert_eq!(labels(&Scale::linear(2.4)), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
        assert_eq!(labels(&Scale::linear(95.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&Scale::new(&[0.21, 5.3], Some(1.0), 0.0)), ["0.2", "0.5", "1", "2", "5", "10"]);
    }
}
