//! The workloads of a plan, which come with the command or are kernels of the user's own, and the variants of each.

use super::own::entry::{Kernel, Way};
use super::setting::Setting;
use crate::user_unit::At;
use anyhow::{bail, Result};
use sim::attach::Uses;
use sim::workload;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Workload {
    Ours(&'static workload::Workload),
    Kernel(Arc<Kernel>),
}

#[derive(Clone, Debug)]
pub enum Variant {
    Ours(workload::Variant),
    Own(Arc<Way>),
}

impl Workload {
    pub fn name(&self) -> &str {
        match self {
            Workload::Ours(workload) => workload.name,
            Workload::Kernel(kernel) => &kernel.name,
        }
    }

    /// A kernel has all variants of its plan.
    pub fn has(&self, variant: &Variant) -> bool {
        match (self, variant) {
            (Workload::Ours(workload), Variant::Ours(variant)) => workload.variants.contains(variant),
            _ => true,
        }
    }

    /// It can run in this variant on this GPU.
    ///
    /// # Errors
    /// Why not.
    pub fn check_variant(&self, variant: &Variant, setting: &Setting) -> Result<()> {
        if let (Workload::Ours(workload), Variant::Ours(variant)) = (self, variant) {
            workload.check_variant(*variant, &setting.config)?;
        }
        match setting.parameters.keys().next() {
            _ if variant.has_unit() => variant.at().check(&setting.config),
            Some(name) => bail!("{} has no unit with a parameter {name}", variant.name()),
            None => Ok(()),
        }
    }
}

impl Variant {
    pub fn name(&self) -> &str {
        match self {
            Variant::Ours(variant) => variant.name(),
            Variant::Own(way) => &way.name,
        }
    }

    /// Where its unit is.
    fn at(&self) -> At {
        match self {
            Variant::Ours(_) => At::default(),
            Variant::Own(way) => way.at,
        }
    }

    pub fn has_unit(&self) -> bool {
        matches!(self, Variant::Own(way) if way.unit.is_some())
    }
}

/// The systems that a kernel of the user's own uses are known when its file is read.
impl From<&Variant> for Uses {
    fn from(variant: &Variant) -> Uses {
        match variant {
            Variant::Ours(variant) => Uses::from(*variant),
            Variant::Own(_) => Uses::default(),
        }
    }
}
