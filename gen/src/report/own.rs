//! What Verilog of the user's own costs in the place of a unit's.

use super::Units;
use crate::elaborate::{elaborate, Child, Design, Verilog};
use crate::error::Result;
use crate::text::without_comments;
use hdl::catalog::Instance;

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
            ..unit.top().clone()
        });
        let mut instance = instance.clone();
        instance.module = top.into();
        Ok(Units { instances: vec![instance], designs: vec![Design { modules }] })
    }
}
