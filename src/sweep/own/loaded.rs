//! A kernel whose files have been read, ready to run in each variant.

use super::check::Check;
use super::entry::{Kernel, Way};
use crate::checks::CheckOptions;
use crate::digest::sha256;
use crate::exit::CheckFailed;
use crate::kernel::{gpu, Outputs, Plan, Ptx, Session, Single, Tell, Words};
use crate::limits::Limits;
use crate::sweep::numbers::Numbers;
use crate::sweep::setting::Setting;
use crate::user_unit::{self, At, Attached};
use anyhow::{bail, ensure, Context, Result};
use sim::attach::{models, Uses};
use sim::stats::Stats;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use testbench::user_unit::Source;

/// Seed of the values in registers and memories of a unit before reset, as in `unruly kernel` without `--seed`.
const SEED: u64 = 1;

/// More take longer than anybody waits: sums of so many do not overflow.
const MOST_THREADS: u64 = 1 << 32;

pub struct Loaded {
    kernel: Arc<Kernel>,
    plan: Plan,
    check: Check,
    /// By variant.
    sources: BTreeMap<String, Code>,
}

struct Code {
    ptx: Ptx,
    unit: Option<(Source, At)>,
}

impl Loaded {
    /// # Errors
    /// Files that are not there or do not fit each other.
    pub fn open(kernel: &Arc<Kernel>, ways: &[Arc<Way>]) -> Result<Loaded> {
        let plan = Plan::of_one_launch(Single {
            words: Words { entry: "entry", args: "args" },
            folder: &kernel.folder,
            kernel: kernel.entry.clone(),
            grid: kernel.grid,
            block: kernel.block,
            shared: kernel.shared,
            args: &kernel.args,
            configure_iru: kernel.configure_iru.as_deref(),
        })?;
        let written: Vec<_> = plan.written().collect();
        written.iter().try_for_each(|path| check_written(path))?;
        let check = Check::open(&kernel.check, &kernel.folder, &written).context("check")?;
        let source = |way: &Arc<Way>| {
            let source = Code::open(kernel, way, &plan).with_context(|| format!("variant.{}", way.name))?;
            Ok((way.name.clone(), source))
        };
        let sources = ways.iter().map(source).collect::<Result<_>>()?;
        Ok(Loaded { kernel: kernel.clone(), plan, check, sources })
    }

    /// Fingerprint of all but the variant.
    pub fn contents(&self) -> Result<String> {
        let Kernel { entry, grid, block, shared, args, configure_iru, .. } = &*self.kernel;
        let all = (entry, grid, block, shared, args, configure_iru, self.plan.sha256()?, self.check.contents());
        Ok(sha256(&serde_json::to_vec(&all)?))
    }

    /// Fingerprint of the code and of the unit.
    pub fn source(&self, variant: &str) -> String {
        let Code { ptx, unit } = &self.sources[variant];
        let unit = unit.as_ref().map_or(String::new(), |(unit, at)| format!("{} {at:?}\n{}", unit.name(), unit.text()));
        sha256(format!("{}\n{unit}", ptx.sha256()).as_bytes())
    }

    /// At most [`MOST_THREADS`].
    pub fn threads(&self) -> u64 {
        let sizes = self.kernel.grid.iter().chain(&self.kernel.block);
        sizes.fold(1, |threads: u64, &size| threads.saturating_mul(size.into())).min(MOST_THREADS)
    }

    /// # Errors
    /// [`CheckFailed`] if the kernel ends badly or its result is wrong; what building the unit may fail with.
    pub fn run(
        &self,
        variant: &str,
        setting: &Setting,
        interrupt: &Arc<AtomicBool>,
        tell: Tell,
    ) -> Result<(Numbers, Stats)> {
        let Code { ptx, unit } = &self.sources[variant];
        let (programs, memory) = self.plan.load(ptx, &self.kernel.file)?;
        let attach = |(source, at): &(Source, At)| {
            Attached::new(source.with_parameters(&setting.parameters), *at, &setting.config)
        };
        let unit = unit.as_ref().map(attach).transpose()?;
        let folder = tempfile::tempdir().context("a folder for what the kernel writes")?;
        let outputs = self.outputs(folder.path())?;
        let mut systems = models(&setting.config, programs.iter().collect::<Uses>())?;
        if let Some(unit) = &unit {
            systems.push(unit.system(SEED, folder.path())?);
        }
        let gpu = gpu(&setting.config, systems, memory, Limits::default(), interrupt);
        let mut session = Session::new(gpu, &self.plan, &programs, tell, CheckOptions::default().found())?;
        session.run(|_| Ok(())).map_err(|error| CheckFailed(format!("{error:#}")))?;
        outputs.write(&session.addresses, session.gpu.memory())?;
        if let Some(why) = self.check.run(folder.path())? {
            bail!(CheckFailed(why));
        }
        unit.as_ref().map_or(Ok(()), |unit| unit.check_use(&session.gpu))?;
        let counters = unit.map_or_else(BTreeMap::new, |unit| unit.counters(&session.gpu));
        let statistics = session.gpu.stats().clone();
        Ok((Numbers::of_kernel(&statistics, session.gpu.active_threads(), counters), statistics))
    }

    /// The kernel's outputs, in a folder of the run's own.
    fn outputs(&self, folder: &Path) -> Result<Outputs<'_>> {
        self.plan.written().filter_map(Path::parent).try_for_each(|parent| fs::create_dir_all(folder.join(parent)))?;
        Outputs::prepare(&self.plan.buffers, folder)
    }
}

impl Code {
    fn open(kernel: &Kernel, way: &Way, plan: &Plan) -> Result<Code> {
        let ptx = Ptx::read(&kernel.file, &kernel.folder, &way.define)?;
        plan.load(&ptx, &kernel.file)?;
        let read = |text: &String| -> Result<(Source, At)> {
            let source = user_unit::read(text, &kernel.folder).with_context(|| format!("unit {text}"))?;
            Ok((source, way.at))
        };
        Ok(Code { ptx, unit: way.unit.as_ref().map(read).transpose()? })
    }
}

/// Each run writes in a folder of its own.
fn check_written(path: &Path) -> Result<()> {
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    ensure!(
        stays,
        "args: {}: is written in a folder of the run's own; write a path without / in front and ..",
        path.display()
    );
    Ok(())
}
