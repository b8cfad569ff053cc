//! The clock of the hardware units beside the GPU's. A speedup in cycles is one in time only if every unit makes the clock of the GPU.

use gen::report::page::{Page, COMMAND};
use gen::report::Speed;
use gen::target;
use hdl::catalog::Instance;
use serde::Serialize;
use sim::attach::system::Descriptor;
use sim::attach::Uses;
use sim::config::Config;
use spec::system::Clock;
use std::sync::LazyLock;
use testbench::systems::{used, InGpu};

/// The cost of all units when this command was built; `None` while the file is of another form than the command.
static COSTS: LazyLock<Option<Page>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../docs/data/area.json")).ok());

/// A unit in a GPU: the longest path of its RTL over all orders of its cells, and what a cycle of the GPU leaves to logic, in FO4.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitClock {
    unit: String,
    module: Option<String>,
    path_fo4: Option<f64>,
    target_fo4: Option<f64>,
    #[serde(skip)]
    why_unknown: String,
}

const IDEAL: &str = "no hardware is this ideal";
const NO_RTL: &str = "there is no RTL of these sizes";
const NOT_MEASURED: &str = "docs/data/area.json has no row of these parameters";

impl UnitClock {
    /// The clocks of the units that kernels use on `config`.
    pub fn all(config: &Config, uses: impl Into<Uses>) -> Vec<UnitClock> {
        let clock = |(system, place): (&Descriptor, &InGpu)| match (system.is_ideal)(config) {
            false => UnitClock::of(place.unit, (place.instance)(config), config),
            true => UnitClock::unknown(place.unit, IDEAL),
        };
        used(uses.into(), config).map(clock).collect()
    }

    /// A unit of `gates` NAND2 equivalents whose path is known.
    pub fn measured(unit: &str, module: &str, path_fo4: f64, gates: f64, config: &Config) -> UnitClock {
        let clock = Clock { mhz: config.core.clock_mhz.into(), node_nm: config.core.node_nm.into() };
        UnitClock {
            unit: unit.into(),
            module: Some(module.into()),
            path_fo4: Some(path_fo4),
            target_fo4: Some(target::fo4(clock, gates)),
            why_unknown: String::new(),
        }
    }

    fn of(unit: &str, instance: testbench::Result<Instance>, config: &Config) -> UnitClock {
        let Ok(instance) = instance else { return UnitClock::unknown(unit, NO_RTL) };
        let measured = || {
            let costs = COSTS.as_ref()?;
            let row = costs.rows.iter().find(|row| row.module == instance.module)?;
            Some((Speed::of(row, &costs.method).longest_fo4?, row.gate_equivalents))
        };
        match measured() {
            Some((path, gates)) => UnitClock::measured(unit, &instance.module, path, gates, config),
            None => UnitClock::unknown(unit, NOT_MEASURED),
        }
    }

    /// A unit whose path nobody knows.
    pub fn unknown(unit: &str, why: &str) -> UnitClock {
        UnitClock { unit: unit.into(), module: None, path_fo4: None, target_fo4: None, why_unknown: why.into() }
    }

    /// The unit's cycle in cycles of the GPU; 1 if it makes the GPU's clock, `None` if nobody knows.
    pub fn stretch(&self) -> Option<f64> {
        Some((self.path_fo4? / self.target_fo4?).max(1.0))
    }

    /// As [`Self::shown`], and what it does to a GPU if the clock is missed.
    pub fn with_its_price(&self) -> String {
        let price = self.stretch().filter(|stretch| *stretch > 1.0);
        let price = price.map_or_else(String::new, |times| {
            format!("; at its clock a cycle of the GPU takes {times:.2} times as long")
        });
        self.shown() + &price
    }

    pub fn shown(&self) -> String {
        let UnitClock { unit, why_unknown, .. } = self;
        let (Some(module), Some(path), Some(target)) = (&self.module, self.path_fo4, self.target_fo4) else {
            return format!("{unit}: clock not known, {why_unknown}");
        };
        let verdict = if path <= target { "met" } else { "missed" };
        let path = rounded(path, target);
        format!("{module}: longest path {path} FO4, a cycle of the GPU leaves {target:.0}: {verdict}")
    }
}

/// With as many decimals, at most two, as show on which side of the target it is.
fn rounded(path: f64, target: f64) -> String {
    let shown = (0..3).map(|decimals| format!("{path:.decimals$}"));
    let tells = |text: &String| text.parse().is_ok_and(|shown: f64| (shown <= target) == (path <= target));
    shown.clone().find(tells).or(shown.last()).expect("three of them")
}

/// The factor on a GPU's cycle at the clock of its slowest unit; `None` if nobody knows.
pub fn stretch(units: &[UnitClock]) -> Option<f64> {
    units.iter().map(UnitClock::stretch).try_fold(1.0, |longest: f64, one| Some(longest.max(one?)))
}

/// Where the numbers come from.
pub fn source() -> String {
    format!("docs/data/area.json, made by `{COMMAND}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::config::Ideal;

    fn all() -> Uses {
        Uses::all()
    }

    #[test]
    fn units_of_the_presets_have_a_clock() {
        for (preset, unit) in [("hwwl-micro14", "hwwl"), ("iru-gtx980", "iru"), ("gw-fermi-gw8", "gw_front_end")] {
            let clocks = UnitClock::all(&Config::preset(preset).unwrap(), all());
            assert_eq!(clocks.iter().map(|c| c.unit.as_str()).collect::<Vec<_>>(), [unit]);
            assert!(clocks[0].stretch().is_some(), "{preset}: {}", clocks[0].shown());
        }
        assert_eq!(UnitClock::all(&Config::preset("gw-fermi-b32").unwrap(), all()), []);
    }

    /// A cycle at 1400 MHz and 40 nm is 35.7 FO4, of which 55 % are left to a large unit. The path of HWWL is 47.
    #[test]
    fn the_target_is_that_of_the_configuration() {
        let clock = |preset: &str, set: &[&str]| {
            let mut config = Config::preset(preset).unwrap();
            config.set_all(set).unwrap();
            let mut clocks = UnitClock::all(&config, all()).into_iter();
            clocks.find(|clock| clock.target_fo4.is_some()).unwrap()
        };
        for (preset, set, target) in [
            ("hwwl-micro14", &[][..], 39.0),
            ("hwwl-micro14", &["core.clock_mhz=1400"], 20.0),
            ("hwwl-micro14", &["core.clock_mhz=1400", "core.node_nm=28"], 28.0),
            ("hwwl-micro14", &["core.clock_mhz=350"], 79.0),
            ("iru-gtx980", &[], 31.0),
            ("iru-gtx980", &["core.clock_mhz=2540"], 15.0),
            ("gw-fermi-gw8", &[], 24.0),
            ("unruly-b32", &[], 24.0),
        ] {
            assert_eq!(clock(preset, set).target_fo4, Some(target), "{preset} {set:?}");
        }
        let missed = clock("hwwl-micro14", &["core.clock_mhz=1400"]);
        assert!(
            missed.shown().ends_with("longest path 48 FO4, a cycle of the GPU leaves 20: missed"),
            "{}",
            missed.shown()
        );
        assert_eq!(missed.stretch().map(|stretch| (100.0 * stretch).round() / 100.0), Some(2.38));
    }

    /// A cycle at 1000 MHz and 40 nm is 50 FO4: 65 % of it are 32.5, and 55 % are 27.5.
    #[test]
    fn a_verdict_follows_from_path_size_and_clock() {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set_all(&["core.clock_mhz=1000"]).unwrap();
        let shown = |path, gates| UnitClock::measured("u", "u", path, gates, &config).shown();
        assert_eq!(shown(33.0, 9_999.0), "u: longest path 33 FO4, a cycle of the GPU leaves 33: met");
        assert_eq!(shown(33.0, 10_000.0), "u: longest path 33 FO4, a cycle of the GPU leaves 28: missed");
    }

    #[test]
    fn a_path_just_beyond_its_target_is_shown_beyond_it() {
        assert_eq!(
            [43.8, 45.0, 45.03, 45.4, 45.6].map(|path| rounded(path, 45.0)),
            ["44", "45", "45.03", "45.4", "46"]
        );
    }

    #[test]
    fn what_is_no_hardware_has_none() {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.hwwl.as_mut().unwrap().ideal = Ideal::Fifo;
        let clocks = UnitClock::all(&config, all());
        assert_eq!(clocks[0].shown(), "hwwl: clock not known, no hardware is this ideal");
        assert_eq!((clocks[0].stretch(), stretch(&clocks)), (None, None));
        config.hwwl.as_mut().unwrap().ideal = Ideal::No;
        config.core.count = 3;
        assert_eq!(UnitClock::all(&config, all())[0].shown(), "hwwl: clock not known, there is no RTL of these sizes");
    }

    #[test]
    fn a_slow_unit_makes_cycles_longer_and_a_fast_one_does_not() {
        let unit = |path_fo4| UnitClock {
            module: Some("m".into()),
            path_fo4: Some(path_fo4),
            target_fo4: Some(45.0),
            ..UnitClock::unknown("hwwl", "")
        };
        assert_eq!((unit(90.0).stretch(), unit(40.0).stretch()), (Some(2.0), Some(1.0)));
        assert_eq!(stretch(&[unit(40.0), unit(67.5)]), Some(1.5));
        assert_eq!(stretch(&[]), Some(1.0));
        let price = "; at its clock a cycle of the GPU takes 2.00 times as long";
        assert!(unit(90.0).with_its_price().ends_with(price) && !unit(45.0).with_its_price().contains("times"));
        assert_eq!(unit(90.4).shown(), "m: longest path 90 FO4, a cycle of the GPU leaves 45: missed");
    }
}
