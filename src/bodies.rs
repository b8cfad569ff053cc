//! Bodies of the hardware units in the GPU: which of them run, and what the lock-step compared. Every command that simulates
//! takes them from here.

use anyhow::{ensure, Result};
use clap::ValueEnum;
use serde::Serialize;
use sim::config::{Config, Ideal};
use sim::core::waving::FrontEndUnit;
use sim::gpu::Gpu;
use sim::ptx::program::{Class, Program};
use sim::reorder::{self, ReorderUnit};
use sim::units::parameter::ParameterError;
use sim::worklists::{self, Worklist};
use sim::workload::Variant;
use std::path::Path;
use testbench::in_gpu::{gw_front_ends, hwwl_system, iru_system, Handle, Kind, NotEqual};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// The behavioural model alone: fast
    Behavioural,
    /// The verilated RTL alone
    Rtl,
    /// Both, compared at every pin in every cycle
    Lockstep,
}

/// Units that kernels use by their instructions. Graph-Waving's front end serves every kernel of a configuration that has one.
#[derive(Clone, Copy, Default)]
pub struct Uses {
    pub worklist: bool,
    pub reorder: bool,
}

impl Uses {
    /// There is a unit whose body can be chosen, if the configuration has what the kernels use.
    pub fn any_on(self, config: &Config) -> bool {
        self.worklist || self.reorder || config.gw.is_some()
    }
}

impl From<Variant> for Uses {
    fn from(variant: Variant) -> Self {
        Uses { worklist: variant.needs_hwwl(), reorder: variant == Variant::Iru }
    }
}

impl<'a> FromIterator<&'a Program> for Uses {
    fn from_iter<T: IntoIterator<Item = &'a Program>>(programs: T) -> Self {
        let mut uses = Uses::default();
        for class in programs.into_iter().flat_map(|program| &program.code).map(|instr| instr.class) {
            uses.worklist |= matches!(class, Class::WorklistPull | Class::WorklistPush | Class::WorklistControl);
            uses.reorder |= class == Class::ReorderLoad;
        }
        uses
    }
}

/// What the lock-step of RTL and behavioural model compared, over all cores.
#[derive(Serialize)]
pub struct LockstepInfo {
    pub cycles: u64,
    pub comparisons: u64,
    pub mismatches: u64,
}

impl LockstepInfo {
    pub fn print(&self) {
        println!(
            "lock-step of RTL and behavioural model: {} unit cycles, {} pin comparisons, {} mismatches",
            self.cycles, self.comparisons, self.mismatches
        );
    }
}

/// Looked at when the run has ended.
#[derive(Default)]
pub struct Handles(Vec<Handle>);

impl Handles {
    /// `None`: the bodies were not in lock-step.
    ///
    /// # Errors
    /// A lock-step with a difference, or one that compared nothing: there is no other way to what it compared.
    pub fn lockstep(&self, units: Units) -> Result<Option<LockstepInfo>, NotEqual> {
        if units != Units::Lockstep {
            return Ok(None);
        }
        self.0.iter().try_for_each(Handle::check)?;
        let sum = |count: fn(&Handle) -> u64| self.0.iter().map(count).sum();
        Ok(Some(LockstepInfo {
            cycles: sum(Handle::cycles),
            comparisons: sum(Handle::comparisons),
            mismatches: sum(Handle::mismatches),
        }))
    }
}

/// Bodies of the units that a run uses.
#[derive(Default)]
pub struct Bodies {
    pub worklist: Option<Worklist>,
    pub reorder: Option<ReorderUnit>,
    /// Of each core; none: the behavioural models.
    pub front_ends: Vec<FrontEndUnit>,
}

impl Bodies {
    /// The behavioural models.
    ///
    /// # Errors
    /// A parameter that is out of range.
    pub fn behavioural(config: &Config, uses: impl Into<Uses>) -> Result<Bodies, ParameterError> {
        let uses = uses.into();
        Ok(Bodies {
            worklist: if uses.worklist { worklists::behavioural(config)? } else { None },
            reorder: if uses.reorder { reorder::behavioural(config)? } else { None },
            front_ends: Vec::new(),
        })
    }

    /// The bodies that the user chose, for the kernels of `who`. A difference between two bodies leaves its files in `evidence`.
    ///
    /// # Errors
    /// RTL of nothing, or of what has none; what building the RTL may fail with.
    pub fn new(
        config: &Config,
        uses: impl Into<Uses>,
        units: Units,
        evidence: &Path,
        who: &str,
    ) -> Result<(Bodies, Handles)> {
        let (uses, cores) = (uses.into(), config.core.count);
        let kind = match units {
            Units::Behavioural => return Ok((Bodies::behavioural(config, uses)?, Handles::default())),
            Units::Rtl => Kind::Rtl,
            Units::Lockstep => Kind::Lockstep,
        };
        ensure!(
            uses.any_on(config),
            "{}: {who} uses no hardware unit on {}, so there is no RTL to run; leave out --units, or take a kernel with the worklist \
             (wlpull, wlpush) or with load_iru, or a configuration with a [gw] table, as gw-fermi-gw8",
            if kind == Kind::Rtl { "--units rtl" } else { "--units lockstep" },
            config.name
        );
        let (mut bodies, mut handles) = (Bodies::default(), Vec::new());
        if let Some(hwwl) = config.hwwl.as_ref().filter(|_| uses.worklist) {
            let ideal = hwwl.ideal;
            ensure!(ideal == Ideal::No, "hwwl.ideal = {ideal:?}: no hardware could be that; use --units behavioural");
            let (worklist, handle) = hwwl_system(kind, &hwwl.parameters(cores), evidence)?;
            bodies.worklist = Some(worklist);
            handles.push(handle);
        }
        if let Some(iru) = config.iru.as_ref().filter(|_| uses.reorder) {
            let (unit, handle) = iru_system(kind, &iru.parameters(config), evidence)?;
            bodies.reorder = Some(unit);
            handles.push(handle);
        }
        if let Some(gw) = &config.gw {
            let (front_ends, handle) = gw_front_ends(kind, &gw.parameters(config), cores, evidence)?;
            bodies.front_ends = front_ends;
            handles.push(handle);
        }
        Ok((bodies, Handles(handles)))
    }

    /// A GPU with these bodies.
    pub fn into_gpu(self, config: &Config) -> Gpu {
        let mut gpu = Gpu::new(config, self.worklist);
        if let Some(unit) = self.reorder {
            gpu.set_reorder_unit(unit);
        }
        gpu.set_front_ends(self.front_ends);
        gpu
    }
}
