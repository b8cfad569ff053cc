//! The cost of the user's own Verilog in the place of a unit's.

use super::{speed, Flow, Progress, Steps, Units};
use crate::elaborate::{elaborate, Child, Design, Verilog};
use crate::error::Result;
use crate::liberty::Liberty;
use crate::order::Orders;
use crate::synth::Logic;
use crate::text::without_comments;
use crate::timing::CriticalPath;
use crate::tool::{self, Tools};
use hdl::catalog::Instance;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use verilog::tree::Port;

impl Units {
    /// `verilog` in the place of `instance`: the module `top` has the unit's pins, and it may use the memories that the unit
    /// has.
    ///
    /// # Errors
    /// A unit that does not elaborate.
    pub fn replaced(instance: &Instance, top: &str, verilog: &str) -> Result<Units> {
        let unit = elaborate(instance)?;
        let bare = without_comments(verilog);
        let used = |m: &&Verilog| m.is_memory() && bare.split_whitespace().any(|word| word == m.module);
        let mut modules: Vec<Verilog> = unit.modules.iter().filter(used).cloned().collect();
        let child = |m: &Verilog| Child { instance: m.module.clone(), module: m.module.clone() };
        modules.push(Verilog {
            module: top.into(),
            children: modules.iter().map(child).collect(),
            memories: vec![],
            text: verilog.into(),
            header: String::new(),
            tree: None,
            ..unit.top().clone()
        });
        let mut instance = instance.clone();
        instance.module = top.into();
        Ok(Units { instances: vec![instance], designs: vec![Design { modules }] })
    }
}

/// The cost of a module that is no unit of the catalogue.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Logic and flip-flops, in areas of NAND2. Its memories are among the flip-flops.
    pub gate_equivalents: f64,
    pub flip_flops: u64,
    pub critical_path: CriticalPath,
    pub fo4: f64,
}

/// Maps the module `top` of `verilog` for area, with these values of its parameters, and times it. Results are kept in `cache_dir`.
///
/// # Errors
/// Errors of [`super::cost`].
pub fn cost_of_module(
    (top, verilog, parameters): (&str, &str, &BTreeMap<String, i32>),
    ports: Vec<Port>,
    liberty: &Liberty,
    cache_dir: &Path,
    interrupt: &AtomicBool,
    progress: Progress,
) -> Result<Cost> {
    let (about, memories, children) = (None, vec![], vec![]);
    let (module, text, header) = (top.to_string(), verilog.to_string(), String::new());
    let (parameters, has_registers, tree) = (parameters.clone(), true, None);
    let verilog = Verilog { module, about, ports, memories, children, has_registers, parameters, header, tree, text };
    let design = Design { modules: vec![verilog] };
    let steps = Steps::new(progress);
    let tick = || steps.tell();
    let tools = Tools { interrupt, limit: tool::LIMIT, tick: &tick };
    let flow = Flow::open(liberty, cache_dir, tools, &steps)?;
    let designs = [design];
    let measured = flow.run(&designs, &[None])?;
    let paths = flow.paths(Orders::All, &designs, &measured)?.concat();
    let critical_path = speed::median(&paths).expect("a design with logic").clone();
    let Logic { area, flip_flops, .. } = measured.into_iter().flatten().next().expect("a design with logic").logic;
    let fo4 = critical_path.ns / flow.fo4_ns;
    Ok(Cost { gate_equivalents: area / liberty.nand2, flip_flops, critical_path, fo4 })
}
