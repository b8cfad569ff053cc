//! One dialect for registers: `x_q` for what a register holds, `x_d` for what it takes next. A register that is an output
//! port keeps the port's name.

use crate::tree::{Expr, Item, Module};
use std::collections::{BTreeMap, BTreeSet};

pub fn name_registers(module: &mut Module) {
    let ports: BTreeSet<String> = module.ports.iter().map(|p| p.name.clone()).collect();
    let mut taken: BTreeSet<String> = module.nets.keys().cloned().collect();
    taken.extend(module.constants.iter().map(|(_, name, _)| name.clone()));
    let mut names = BTreeMap::new();
    let mut rename = |old: &str, new: String| {
        if !names.contains_key(old) && !ports.contains(old) && taken.insert(new.clone()) {
            names.insert(old.to_string(), new);
        }
    };
    for (register, source) in loads(module) {
        if source == format!("next_{register}") {
            rename(&source, format!("{register}_d"));
        }
        if !register.split('_').any(|word| word == "q") {
            rename(&register, format!("{register}_q"));
        }
    }
    for net in module.order.iter_mut() {
        if let Some(new) = names.get(net) {
            let shape = module.nets.remove(net).expect("every net has a shape");
            module.nets.insert(new.clone(), shape);
            *net = new.clone();
        }
    }
    let mut items = std::mem::take(&mut module.items);
    let mut replace = |e: &mut Expr| {
        if let Expr::Net(net) | Expr::Part { net, .. } = e {
            if let Some(new) = names.get(net) {
                *net = new.clone();
            }
        }
    };
    items.iter_mut().for_each(|item| item.expressions_mut(&mut |e| e.rewrite(&mut replace)));
    module.items = items;
}

/// Every register, and the net that it takes (empty where that is more than a net).
fn loads(module: &Module) -> Vec<(String, String)> {
    let mut loads = vec![];
    for item in &module.items {
        item.visit(&mut |item| {
            let Item::Clocked(Expr::Net(target) | Expr::Part { net: target, .. }, value) = item else { return };
            let source = if let Expr::Net(net) = value { net.clone() } else { String::new() };
            loads.push((target.clone(), source));
        });
    }
    loads
}
