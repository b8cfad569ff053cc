//! Configuration of a simulated GPU: presets in TOML, overrides by dotted path, validation.
//!
//! Unit, range and meaning of every field are in [`fields`], values and their sources in the preset files (`sim/presets/`);
//! `docs/presets.md` gives reasons.

pub mod fields;
mod range;
mod tables;

use crate::number;
use crate::preset::{self, UnknownPreset};
use crate::units::parameter::ParameterError;
use crate::units::{gw, hwwl, iru};
use fields::fields;
use range::Range;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
pub use tables::*;
use thiserror::Error;

/// Error in a configuration, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error(transparent)]
    UnknownPreset(#[from] UnknownPreset),
    #[error("{file}: {message}")]
    Syntax { file: String, message: String },
    #[error("`{text}` is not an override: write field=value, for example hwwl.entries=64")]
    NotAnOverride { text: String },
    #[error("{config}: no field `{field}`{hint}")]
    UnknownField { config: String, field: String, hint: String },
    #[error("{config}: {field} = {value}: {rule}")]
    Impossible { config: String, field: String, value: String, rule: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub name: String,
    pub core: Core,
    pub operations: Operations,
    pub shared: Shared,
    pub l1d: L1d,
    pub l1i: ReadOnlyCache,
    pub l1c: ReadOnlyCache,
    /// Without it texture fetches go through the L1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<TextureCache>,
    pub network: Network,
    pub l2: L2,
    pub dram: Dram,
    #[serde(default)]
    pub memory: GlobalMemory,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hwwl: Option<Hwwl>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iru: Option<Iru>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gw: Option<Gw>,
}

/// Choice among the warps that could issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchedulerPolicy {
    /// Greedy, then oldest: the warp that issued last, else the one that has been resident longest.
    Gto,
    /// Loose round-robin: the next one, by warp slot, after the warp that issued last.
    Lrr,
}

/// Part that fetches, checks and issues on a core without a [gw] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrontEndKind {
    /// The model of `crate::core`.
    Ideal,
    /// The unit `b32_front_end`.
    B32,
}

/// Warps of a scheduler that issue first, of a front end that is a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueOrder {
    InTurn,
    Lowest,
}

/// Warps that one scheduler can hold.
pub const WARPS_PER_SCHEDULER: usize = 64;
pub const MAX_SCHEDULERS: usize = 4;

/// Map of addresses to the sets of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetIndex {
    /// The bits above the line offset.
    Linear,
    /// The same, XOR bits 13, 14, 15, 17 and 19 of the address in the lowest five (32 or 64 sets, lines of 128 bytes).
    Fermi,
    /// All bits above the line offset, folded by XOR.
    Xor,
}

/// Where loads and stores of global memory go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlobalAccesses {
    /// Through the L1.
    Cached,
    /// Past the L1, in requests of 32 bytes.
    Bypass,
}

/// Effect of a global store on a line of the L1; it always goes on to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlobalStores {
    Evict,
    Update,
}

/// Effect of a local store that misses the L1; one that hits stays there until the line is evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalStores {
    /// It goes on to memory.
    NoAllocate,
    /// It takes a line, without fetching it.
    Allocate,
}

/// Map of addresses to channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelSelect {
    /// Blocks of `interleave_bytes`, round robin over the channels.
    Modulo,
    /// The same, XOR all higher bits folded (channels: a power of two).
    Xor,
}

/// Bytes of a line in every cache, whatever the configuration.
pub const LINE_BYTES: u64 = 128;

impl Default for GlobalMemory {
    fn default() -> Self {
        GlobalMemory { perfect: false, perfect_latency: 35 }
    }
}

impl Iru {
    /// Parameters of the unit, for a GPU of this configuration.
    pub fn parameters(&self, config: &Config) -> iru::Parameters {
        iru::Parameters {
            partitions: config.dram.channels,
            sets: self.sets,
            hash: self.hash,
            timeout: self.timeout,
            requests: self.requests,
            interleave: (config.dram.interleave_bytes / LINE_BYTES) as usize,
            link: self.link,
            chunks: self.chunks,
            bundle: self.bundle,
        }
    }
}

impl Gw {
    /// Parameters of the unit, for a GPU of this configuration.
    pub fn parameters(&self, config: &Config) -> gw::Parameters {
        gw::Parameters {
            schedulers: config.core.schedulers,
            warps: config.core.max_warps,
            wave: self.wave,
            swst: self.swst,
            sets: self.sets,
            ways: self.ways,
            age_cap: self.age_cap,
            window: self.window,
            land: self.land,
            express: self.express,
            prefetch: self.prefetch,
            lowest: config.core.issue_order == IssueOrder::Lowest,
            reuse: self.reuse,
            ideal: self.ideal_front_end,
        }
    }
}

/// Worklists that no hardware could be (IV-B to IV-D): they show the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ideal {
    No,
    /// Banks of any number of IDs.
    Infinite,
    /// Work is spread evenly over all banks of all cores in every cycle.
    Magic,
    /// One queue for all lanes of all cores.
    Fifo,
    /// The same, and a pull takes the least ID.
    Sorted,
    /// A sorted queue in each core, for what its lanes push.
    CoreSorted,
    /// A sorted queue in each core, for the blocks of IDs that the core owns.
    OwnerSorted,
}

impl Hwwl {
    /// Parameters of the unit, for a GPU of `cores` cores.
    pub fn parameters(&self, cores: usize) -> hwwl::Parameters {
        hwwl::Parameters {
            lanes: self.lanes,
            cores,
            entries: self.entries,
            threshold: self.threshold,
            interval: self.interval,
            scheme: self.scheme,
            refill: self.refill,
            refill_interval: self.refill_interval,
            bins: self.bins,
            link: self.link,
        }
    }
}

impl Core {
    /// Parameters of `b32_front_end`.
    pub fn b32_parameters(&self) -> gw::B32Parameters {
        gw::B32Parameters {
            schedulers: self.schedulers,
            warps: self.max_warps,
            lowest: self.issue_order == IssueOrder::Lowest,
        }
    }
}

impl Dram {
    /// Bytes that one read or write command moves.
    pub fn transfer_bytes(&self) -> u64 {
        (self.bus_bytes * self.burst) as u64
    }

    /// Bytes a second that all channels together can move.
    pub fn peak_bandwidth(&self) -> f64 {
        self.channels as f64 * (self.bus_bytes * self.beats_per_clock) as f64 * self.clock_mhz as f64 * 1e6
    }

    /// Command cycles that one transfer keeps the data bus busy.
    pub fn transfer_cycles(&self) -> u64 {
        (self.burst / self.beats_per_clock) as u64
    }
}

impl L2 {
    pub fn sectors(&self) -> u32 {
        (self.line_bytes / self.sector_bytes) as u32
    }
}

impl Config {
    /// Names and descriptions of the built-in configurations.
    pub fn presets() -> &'static [(&'static str, &'static str)] {
        &preset::LIST
    }

    /// The front end issues one instruction for several warps together: for two neighbours, or for a lane of each of a set.
    pub fn groups_issue_together(&self) -> bool {
        self.gw.is_some()
    }

    /// The built-in configuration of that name.
    pub fn preset(name: &str) -> Result<Config, ConfigError> {
        Config::from_toml(name, preset::text(name)?)
    }

    /// Reads and validates a configuration; `name` is for messages.
    pub fn from_toml(name: &str, text: &str) -> Result<Config, ConfigError> {
        let syntax = |e: toml::de::Error| {
            let message = format!("line {}: {}", line_of(text, &e), one_line(e.message()));
            ConfigError::Syntax { file: name.into(), message }
        };
        let fields: toml::Table = toml::from_str(text).map_err(syntax)?;
        let fields = preset::on_base(&fields)?.unwrap_or(fields);
        // From values and not from the text: each way that leads to a table is code of its own for all tables.
        let config: Config = toml::Value::Table(fields)
            .try_into()
            .map_err(|e| ConfigError::Syntax { file: name.into(), message: with_its_table(&e) })?;
        config.validate()?;
        Ok(config)
    }

    /// Sets one field, for example `hwwl.entries=64`.
    pub fn set(&mut self, text: &str) -> Result<(), ConfigError> {
        self.set_all(&[text])
    }

    /// Sets several fields, in their order. What must fit together is asked of all of them, not of each on its way.
    pub fn set_all(&mut self, texts: &[impl AsRef<str>]) -> Result<(), ConfigError> {
        let mut changed = self.clone();
        texts.iter().try_for_each(|text| changed.assign(text.as_ref()))?;
        changed.validate()?;
        *self = changed;
        Ok(())
    }

    fn assign(&mut self, text: &str) -> Result<(), ConfigError> {
        let bad = || ConfigError::NotAnOverride { text: text.into() };
        let (path, value) = text.split_once('=').ok_or_else(bad)?;
        let (path, value) = (path.trim(), value.trim());
        let mut root = self.to_value();
        let mut place = &mut root;
        for (depth, part) in path.split('.').enumerate() {
            let fields: Vec<String> = place.as_table().map(|t| t.keys().cloned().collect()).unwrap_or_default();
            place = place.get_mut(part).ok_or_else(|| {
                let prefix = path.split('.').take(depth).collect::<Vec<_>>().join(".");
                let hint = match (depth, fields.is_empty()) {
                    (_, true) => format!("; {prefix} has no fields"),
                    (0, _) => format!("; there are {}", fields.join(", ")),
                    _ => format!("; {prefix} has {}", fields.join(", ")),
                };
                let hint = hint + &self.nearest(path);
                ConfigError::UnknownField { config: self.name.clone(), field: path.into(), hint }
            })?;
        }
        if place.is_table() {
            let rule = format!("is a table; set one of its fields: {}", keys(place));
            return Err(self.impossible(path, value, rule));
        }
        let kind = place.type_str();
        *place = match kind {
            "string" => toml::Value::String(value.trim_matches('"').into()),
            "integer" => {
                let number = number::whole(value, i64::MAX as u64);
                toml::Value::Integer(number.map_err(|e| self.impossible(path, value, e.to_string()))? as i64)
            }
            _ => {
                let new = toml::from_str::<toml::Table>(&format!("v = {value}")).ok().and_then(|t| t.get("v").cloned());
                match new {
                    Some(new) if new.type_str() == kind => new,
                    _ => return Err(self.impossible(path, value, format!("must be of type {kind}"))),
                }
            }
        };
        *self = root
            .try_into()
            .map_err(|e: toml::de::Error| self.impossible(path, value, spelling::hinted(&one_line(e.message()))))?;
        Ok(())
    }

    /// The end of a message about `path`, which is no field: one that has its name in a table, or one that is spelt alike.
    fn nearest(&self, path: &str) -> String {
        let root = self.to_value();
        let here = fields::fields().iter().filter(|field| field.value(&root).is_some());
        let names: Vec<&str> = here.map(|field| field.path.as_str()).collect();
        let in_table = names.iter().find(|name| name.strip_suffix(path).is_some_and(|table| table.ends_with('.')));
        in_table.map_or_else(|| spelling::hint(path, &names), |name| format!(" (did you mean `{name}`?)"))
    }

    /// L2 slices of the whole GPU.
    pub fn slices(&self) -> usize {
        self.dram.channels * self.l2.slices_per_channel
    }

    fn impossible(&self, field: &str, value: impl Display, rule: impl Into<String>) -> ConfigError {
        ConfigError::Impossible {
            config: self.name.clone(),
            field: field.into(),
            value: value.to_string(),
            rule: rule.into(),
        }
    }

    fn range(&self, field: &str, value: impl TryInto<u64>, low: u64, high: u64) -> Result<(), ConfigError> {
        let value = value.try_into().unwrap_or(u64::MAX);
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(self.impossible(field, value, format!("must be {low} to {high}")))
    }

    /// Arrays for the reorder units begin at multiples of so many bytes, which is a block of each memory partition.
    pub fn reorder_alignment(&self) -> u64 {
        self.dram.interleave_bytes * self.dram.channels as u64
    }

    /// A unit's error in its parameters, as one in a field of its table.
    fn of_unit(&self, table: &str, checked: Result<(), ParameterError>) -> Result<(), ConfigError> {
        checked
            .map_err(|e| self.impossible(&format!("{table}.{}", e.parameter), e.value, format!("must be {}", e.rule)))
    }

    fn power_of_two(&self, field: &str, value: u64, low: u64, high: u64) -> Result<(), ConfigError> {
        self.range(field, value, low, high)?;
        if value.is_power_of_two() {
            return Ok(());
        }
        Err(self.impossible(field, value, "must be a power of two"))
    }

    /// All fields, as in a file.
    pub fn to_value(&self) -> toml::Value {
        toml::Value::try_from(self).expect("numbers, words and tables")
    }

    /// Each field is in its range; then what must fit together does.
    fn validate(&self) -> Result<(), ConfigError> {
        self.validate_ranges()?;
        self.validate_core()?;
        self.validate_operations()?;
        self.validate_memory()?;
        if self.core.front_end == FrontEndKind::B32 {
            self.validate_b32()?;
        }
        self.hwwl.as_ref().map_or(Ok(()), |h| self.validate_hwwl(h))?;
        self.iru.as_ref().map_or(Ok(()), |i| self.validate_iru(i))?;
        self.gw.as_ref().map_or(Ok(()), |g| self.validate_gw(g))
    }

    fn validate_ranges(&self) -> Result<(), ConfigError> {
        let root = self.to_value();
        for field in fields() {
            let value = field.value(&root).and_then(|value| value.as_integer());
            match (value, field.range) {
                (Some(value), Range::Whole(low, high)) => self.range(&field.path, value, low, high)?,
                (Some(value), Range::PowerOfTwo(low, high)) => {
                    self.power_of_two(&field.path, value as u64, low, high)?
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn validate_core(&self) -> Result<(), ConfigError> {
        let c = &self.core;
        let most = c.schedulers * WARPS_PER_SCHEDULER;
        if c.max_warps == 0 || c.max_warps > most {
            let rule = format!("must be 1 to {most}: {WARPS_PER_SCHEDULER} for each scheduler (core.schedulers)");
            return Err(self.impossible("core.max_warps", c.max_warps, rule));
        }
        if c.fetch_bytes == 0 || !c.fetch_bytes.is_multiple_of(8) || c.fetch_bytes / 8 > c.instruction_buffer as u64 {
            let rule = format!("must be a multiple of 8 that fits the buffer of {} instructions", c.instruction_buffer);
            return Err(self.impossible("core.fetch_bytes", c.fetch_bytes, rule));
        }
        Ok(())
    }

    fn validate_operations(&self) -> Result<(), ConfigError> {
        let root = self.to_value();
        for (name, timing) in root.get("operations").and_then(toml::Value::as_table).into_iter().flatten() {
            let [latency, interval] = ["latency", "interval"].map(|key| timing[key].as_integer().unwrap_or(0));
            self.range(&format!("operations.{name}.interval"), interval, 1, latency as u64)?;
        }
        Ok(())
    }

    fn validate_memory(&self) -> Result<(), ConfigError> {
        let (l1, l2, n, d) = (&self.l1d, &self.l2, &self.network, &self.dram);
        if ![32, l1.line_bytes].contains(&l1.sector_bytes) {
            let rule = format!("must be 32 (sectored) or {} (the line)", l1.line_bytes);
            return Err(self.impossible("l1d.sector_bytes", l1.sector_bytes, rule));
        }
        self.set_index("l1d.set_index", l1.set_index, l1.sets)?;
        self.set_index("l2.set_index", l2.set_index, l2.sets)?;
        // A compare-and-swap of 32 lanes carries two operands of 8 bytes for each.
        let longest = (n.header_bytes as u64 + 32 * 2 * 8).div_ceil(n.flit_bytes as u64);
        self.range("network.input_buffer", n.input_buffer, longest, 4096)?;
        if d.channel_select == ChannelSelect::Xor {
            self.power_of_two("dram.channels", d.channels as u64, 1, 64)?;
        }
        self.range("dram.burst", d.burst, d.beats_per_clock as u64, 64)?;
        if d.transfer_bytes() < l2.sector_bytes {
            let rule = format!("with {} bus bytes must move a sector of {} bytes", d.bus_bytes, l2.sector_bytes);
            return Err(self.impossible("dram.burst", d.burst, rule));
        }
        Ok(())
    }

    fn set_index(&self, field: &str, set_index: SetIndex, sets: usize) -> Result<(), ConfigError> {
        if set_index == SetIndex::Fermi && ![32, 64].contains(&sets) {
            return Err(self.impossible(field, "fermi", format!("needs 32 or 64 sets, not {sets}")));
        }
        Ok(())
    }

    fn validate_iru(&self, i: &Iru) -> Result<(), ConfigError> {
        if self.memory.perfect {
            let rule = "not with reorder units ([iru]): they sit in the memory partitions";
            return Err(self.impossible("memory.perfect", true, rule));
        }
        // A request names its core in 4 bits.
        if self.core.count > 16 {
            let rule = "must be at most 16 with reorder units ([iru])";
            return Err(self.impossible("core.count", self.core.count, rule));
        }
        if ![2, 4].contains(&self.dram.channels) {
            let rule = "must be 2 or 4 with reorder units ([iru]): one a partition";
            return Err(self.impossible("dram.channels", self.dram.channels, rule));
        }
        if self.dram.channel_select != ChannelSelect::Modulo {
            let rule = "must be modulo with reorder units ([iru]): each fetches the lines of its own partition";
            return Err(self.impossible("dram.channel_select", "xor", rule));
        }
        self.of_unit("iru", i.parameters(self).check(&spec::iru::IRU))
    }

    fn validate_b32(&self) -> Result<(), ConfigError> {
        let c = &self.core;
        let tables = [("hwwl", self.hwwl.is_some()), ("iru", self.iru.is_some()), ("gw", self.gw.is_some())];
        if let Some((table, _)) = tables.into_iter().find(|(_, there)| *there) {
            let rule = match table {
                "gw" => "not together with [gw], which has a front end of its own".into(),
                _ => format!("not together with [{table}]: its instructions have no path in this front end"),
            };
            return Err(self.impossible("core.front_end", "b32", rule));
        }
        if c.scheduler != SchedulerPolicy::Lrr {
            return Err(self.impossible("core.scheduler", "gto", "must be lrr with core.front_end = b32"));
        }
        self.range("core.issue_width", c.issue_width, 1, 1)?;
        self.range("core.instruction_buffer", c.instruction_buffer, 2, 2)?;
        self.range("core.fetch_bytes", c.fetch_bytes, 16, 16)?;
        c.b32_parameters().check(&spec::gw::B32_FRONT_END).map_err(|e| {
            let field = if e.parameter == "warps" { "core.max_warps" } else { "core.schedulers" };
            self.impossible(field, e.value, format!("must be {} with core.front_end = b32", e.rule))
        })
    }

    fn validate_gw(&self, g: &Gw) -> Result<(), ConfigError> {
        let c = &self.core;
        if g.wave != 2 * c.warp_size {
            let rule =
                format!("must be {}: a pair of warps (core.warp_size) fills the lanes of a wave", 2 * c.warp_size);
            return Err(self.impossible("gw.wave", g.wave, rule));
        }
        if c.scheduler != SchedulerPolicy::Lrr {
            return Err(self.impossible("core.scheduler", "gto", "must be lrr with [gw]: pairs issue round robin"));
        }
        self.range("core.issue_width", c.issue_width, 1, 1)?;
        let checked = g.parameters(self).check(&spec::gw::GW_FRONT_END);
        match &checked {
            Err(e) if ["schedulers", "warps"].contains(&e.parameter) => {
                let field = if e.parameter == "warps" { "core.max_warps" } else { "core.schedulers" };
                return Err(self.impossible(field, &e.value, format!("must be {}", e.rule)));
            }
            _ => self.of_unit("gw", checked)?,
        }
        self.of_unit("gw", g.parameters(self).check_instructions("gw", g.instructions))
    }

    fn validate_hwwl(&self, h: &Hwwl) -> Result<(), ConfigError> {
        let warp = self.core.warp_size;
        let (most, who) = match self.gw {
            Some(_) => (2 * warp, "pair of warps (2 x core.warp_size)"),
            None => (warp, "warp (core.warp_size)"),
        };
        if h.lanes > most {
            return Err(self.impossible(
                "hwwl.lanes",
                h.lanes,
                format!("must not exceed the {most} threads of a {who}"),
            ));
        }
        if h.nodes > 0 && hwwl::EdgeExpander::new(h.lanes, h.nodes).is_err() {
            return Err(self.impossible("hwwl.nodes", h.nodes, format!("must be {}", spec::hwwl::EXPANDER_RULE)));
        }
        match h.parameters(self.core.count).check(&spec::hwwl::HWWL) {
            Err(e) if e.parameter == "cores" => {
                Err(self.impossible("core.count", e.value, format!("must be {} ([hwwl])", e.rule)))
            }
            checked => self.of_unit("hwwl", checked),
        }
    }
}

/// The line of a TOML text that an error is about; 0: it does not say.
pub fn line_of(text: &str, error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| 1 + text[..span.start].matches('\n').count())
}

fn one_line(message: &str) -> String {
    message.trim().replace('\n', " ")
}

/// Error in a value: "in `table`: message". The error itself says where at its end.
fn with_its_table(error: &toml::de::Error) -> String {
    let text = error.to_string();
    let place = text.trim_end().rsplit_once('\n').map_or(String::new(), |(_, place)| format!("{place}: "));
    place + &spelling::hinted(&one_line(error.message()))
}

fn keys(value: &toml::Value) -> String {
    value.as_table().map(|t| t.keys().cloned().collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micro14() -> Config {
        Config::preset("hwwl-micro14").unwrap()
    }

    #[test]
    fn the_front_end_of_the_baseline_serves_what_it_can() {
        let b32 = || Config::preset("gw-fermi-b32").unwrap();
        let with = " with core.front_end = b32";
        let cases = [
            (&[][..], String::new()),
            (&["core.max_warps=16"], String::new()),
            (&["core.scheduler=gto"], format!("core.scheduler = gto: must be lrr{with}")),
            (&["core.issue_width=2"], "core.issue_width = 2: must be 1 to 1".into()),
            (&["core.fetch_bytes=8"], "core.fetch_bytes = 8: must be 16 to 16".into()),
            (&["core.instruction_buffer=4"], "core.instruction_buffer = 4: must be 2 to 2".into()),
            (&["core.schedulers=3"], format!("core.schedulers = 3: must be 1, 2 or 4{with}")),
            (
                &["core.max_warps=20"],
                format!(
                    "core.max_warps = 20: must be a multiple of 4 x schedulers, at most 64 for each scheduler{with}"
                ),
            ),
        ];
        for (fields, text) in cases {
            let fields = [fields, &["core.front_end=b32"]].concat();
            let message = b32().set_all(&fields).err().map(|e| e.to_string()).unwrap_or_default();
            let expected = if text.is_empty() { text } else { format!("gw-fermi-b32: {text}") };
            assert_eq!(message, expected, "{fields:?}");
        }
        for (preset, rule) in [
            ("hwwl-micro14", "not together with [hwwl]: its instructions have no path in this front end"),
            ("gw-fermi-gw8", "not together with [gw], which has a front end of its own"),
        ] {
            let error = Config::preset(preset).unwrap().set("core.front_end=b32").unwrap_err().to_string();
            assert_eq!(error, format!("{preset}: core.front_end = b32: {rule}"));
        }
    }

    #[test]
    fn the_preset_is_the_papers_table() {
        let c = micro14();
        assert_eq!((c.core.count, c.core.clock_mhz, c.core.max_warps, c.core.registers), (4, 700, 48, 32768));
        assert_eq!(c.l1d.sets * c.l1d.ways * c.l1d.line_bytes as usize, 8 << 10);
        assert_eq!(c.slices() * c.l2.sets * c.l2.ways * c.l2.line_bytes as usize, 786_432);
        assert_eq!(c.hwwl.unwrap().lanes, 16);
    }

    #[test]
    fn fields_are_set_by_dotted_path() {
        let mut c = micro14();
        c.set("hwwl.entries=64").unwrap();
        c.set("operations.int_add.latency = 6").unwrap();
        c.set("hwwl.refill_interval=1.2e1").unwrap();
        c.set("l2.host_copy_fills=false").unwrap();
        assert_eq!(c.hwwl.as_ref().unwrap().entries, 64);
        assert_eq!(c.operations.int_add.latency, 6);
        assert!(!c.l2.host_copy_fills);
    }

    #[test]
    fn front_ends_that_cannot_be_are_named() {
        let gw8 = || Config::preset("gw-fermi-gw8").unwrap();
        let places = "must be a multiple of schedulers x wave, at most 64 for each scheduler";
        for (fields, text) in [
            (
                &["gw.wave=12"][..],
                "gw.wave = 12: must be 16: a pair of warps (core.warp_size) fills the lanes of a wave".into(),
            ),
            (
                &["core.warp_size=16"],
                "gw.wave = 16: must be 32: a pair of warps (core.warp_size) fills the lanes of a wave".into(),
            ),
            (&["core.warp_size=16", "gw.wave=32"], "gw.wave = 32: must be 4, 8 or 16".into()),
            (&["gw.swst=0"], "gw.swst = 0: must be from 2 to 16".into()),
            (&["gw.swst=17"], "gw.swst = 17: must be from 2 to 16".into()),
            (&["core.max_warps=256", "gw.swst=2"], String::new()),
            (&["core.max_warps=200"], format!("core.max_warps = 200: {places}")),
            (&["core.max_warps=96"], format!("core.max_warps = 96: {places}")),
            (
                &["core.max_warps=264"],
                "core.max_warps = 264: must be 1 to 256: 64 for each scheduler (core.schedulers)".into(),
            ),
            (&["core.schedulers=3"], "core.schedulers = 3: must be 1, 2 or 4".into()),
            (&["gw.sets=12"], "gw.sets = 12: must be a power of two from 4 to 64".into()),
            (&["gw.ways=4"], "gw.instructions = 96: must be sets x ways x 2".into()),
            (&["gw.ways=4", "gw.instructions=128"], String::new()),
            (&["gw.age_cap=2"], "gw.age_cap = 2: must be from 4 to 255".into()),
            (&["core.scheduler=gto"], "core.scheduler = gto: must be lrr with [gw]: pairs issue round robin".into()),
            (&["core.issue_width=2"], "core.issue_width = 2: must be 1 to 1".into()),
        ] {
            let message = gw8().set_all(fields).err().map(|e| e.to_string()).unwrap_or_default();
            let expected = if text.is_empty() { text } else { format!("gw-fermi-gw8: {text}") };
            assert_eq!(message, expected, "{fields:?}");
        }
        let mut all = Config::preset("unruly-gw8").unwrap();
        let text = all.set("hwwl.lanes=32").unwrap_err().to_string();
        let rule = "must not exceed the 16 threads of a pair of warps (2 x core.warp_size)";
        assert_eq!(text, format!("unruly-gw8: hwwl.lanes = 32: {rule}"));
    }

    #[test]
    fn what_cannot_be_is_named() {
        let message = |text: &str| micro14().set(text).unwrap_err().to_string();
        assert_eq!(
            message("hwwl.entries=63"),
            "hwwl-micro14: hwwl.entries = 63: must be a power of two from 4 to 65536"
        );
        assert_eq!(message("hwwl.link=9"), "hwwl-micro14: hwwl.link = 9: must be from 0 to 8");
        assert_eq!(message("hwwl.entries=0"), "hwwl-micro14: hwwl.entries = 0: must be a power of two from 4 to 65536");
        assert_eq!(message("hwwl.lanes=12"), "hwwl-micro14: hwwl.lanes = 12: must be a power of two from 4 to 32");
        let threshold = "must be from 1 to entries: a bank never holds more";
        assert_eq!(message("hwwl.threshold=33"), format!("hwwl-micro14: hwwl.threshold = 33: {threshold}"));
        assert_eq!(message("hwwl.threshold=0"), format!("hwwl-micro14: hwwl.threshold = 0: {threshold}"));
        assert!(micro14().set("hwwl.threshold=32").is_ok());
        let mut four_lanes = micro14();
        four_lanes.set("hwwl.lanes=4").unwrap();
        assert_eq!(
            four_lanes.set("hwwl.entries=16").unwrap_err().to_string(),
            "hwwl-micro14: hwwl.entries = 16: must be at least 2 * (32 / lanes + 2): a refill and two more a side"
        );
        let whole = "must be a whole number from 0, such as 1000000, 1_000_000 or 1e6";
        assert_eq!(message("hwwl.entries=x"), format!("hwwl-micro14: hwwl.entries = x: {whole}"));
        assert_eq!(message("hwwl.entries=3.25e1"), format!("hwwl-micro14: hwwl.entries = 3.25e1: {whole}"));
        assert_eq!(message("hwwl.entries=-4").lines().count(), 1);
        assert_eq!(
            message("core.max_warps=0"),
            "hwwl-micro14: core.max_warps = 0: must be 1 to 128: 64 for each scheduler (core.schedulers)"
        );
        assert!(message("core.warp_size=8").contains("hwwl.lanes = 16: must not exceed the 8 threads of a warp"));
        assert!(message("core.scheduler=oldest").contains("core.scheduler = oldest: unknown variant"));
        assert!(message("hwwl.entry=64").starts_with("hwwl-micro14: no field `hwwl.entry`; hwwl has "));
        assert!(message("hwwl=1").contains("is a table"));
        assert!(message("hwwl.entries").contains("not an override"));
        assert!(Config::preset("x").unwrap_err().to_string().contains("hwwl-micro14"));
        let preset = include_str!("../presets/hwwl-micro14.toml");
        for (from, to, words) in [
            ("threshold = 5 ", "threshold = 40 ", "hwwl.threshold = 40: must be from 1 to entries"),
            ("entries = 32 ", "entries = 0 ", "hwwl.entries = 0: must be a power of two from 4 to 65536"),
            ("lanes = 16 ", "lanes = 24 ", "hwwl.lanes = 24: must be a power of two from 4 to 32"),
        ] {
            assert_eq!(preset.matches(from).count(), 1, "{from}");
            let text = Config::from_toml("my.toml", &preset.replace(from, to)).unwrap_err().to_string();
            assert!(text.contains(words) && text.lines().count() == 1, "{text}");
        }
        let unknown = preset.replace("max_ctas", "max_cta");
        let text = Config::from_toml("my.toml", &unknown).unwrap_err().to_string();
        assert!(text.starts_with("my.toml: in `core`: unknown field `max_cta`, expected one of "), "{text}");
        let other = preset.replace("max_ctas = ", "max_ctas = true #");
        let text = Config::from_toml("my.toml", &other).unwrap_err().to_string();
        assert_eq!(text, "my.toml: in `core.max_ctas`: invalid type: boolean `true`, expected usize");
        let missing = preset.replace("[shared]", "[shard]");
        let text = Config::from_toml("my.toml", &missing).unwrap_err().to_string();
        assert!(text.starts_with("my.toml: unknown field `shard`, expected one of "), "{text}");
        let text = Config::from_toml("my.toml", &preset.replace("[shared]", "[shared")).unwrap_err().to_string();
        assert!(text.starts_with("my.toml: line ") && text.lines().count() == 1, "{text}");
    }
}
