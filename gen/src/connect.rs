//! Connects pins directly where a net in between says nothing: `.push(push[3])` instead of a net and an `assign`.

use crate::logic::{continuous, is_simple, Logic};
use std::collections::{BTreeMap, BTreeSet};
use verilog::tree::{Expr, Item};

pub fn connect(logic: &mut Logic) {
    inputs(logic);
    outputs(logic);
    let mut used = BTreeSet::new();
    logic.reads(|net| {
        used.insert(net.to_string());
    });
    logic.constants.retain(|(_, name, _)| used.contains(name));
}

/// Inputs of children and of registers take what is assigned to them, if it is short and nobody else reads it.
fn inputs(logic: &mut Logic) {
    let groups = &mut logic.groups;
    let mut read = BTreeSet::new();
    groups.iter().flatten().for_each(|item| {
        item.reads(&mut |net| {
            read.insert(net.to_string());
        })
    });
    let mut gone = BTreeSet::new();
    let mut shorten = |pin: &mut Expr| {
        let Expr::Net(name) = &*pin else { return };
        let drives = |g: &Vec<Item>| continuous(g).is_some_and(|(net, value)| net == name && is_simple(value));
        let Some(place) = groups.iter().position(drives).filter(|_| !read.contains(name)) else { return };
        gone.insert(name.clone());
        if let Some((_, value)) = continuous(&groups.remove(place)) {
            *pin = value.clone();
        }
    };
    let pins = logic.children.iter_mut().flat_map(|child| &mut child.pins);
    pins.filter(|(port, _)| !port.is_output()).for_each(|(_, value)| shorten(value));
    for register in &mut logic.registers {
        let reset = register.reset.iter_mut().map(|(reset, _)| reset);
        let pins = [&mut register.clock, &mut register.d].into_iter().chain(&mut register.enable).chain(reset);
        pins.for_each(&mut shorten);
    }
    logic.nets.retain(|(name, _)| !gone.contains(name));
}

/// Outputs of children drive the net that only repeats them; what nobody reads says so in its name.
fn outputs(logic: &mut Logic) {
    let mut reads: BTreeMap<String, usize> = BTreeMap::new();
    logic.reads(|net| *reads.entry(net.to_string()).or_insert(0) += 1);
    let groups = &mut logic.groups;
    let mut gone = BTreeSet::new();
    for (_, value) in logic.children.iter_mut().flat_map(|child| &mut child.pins).filter(|(port, _)| port.is_output()) {
        let Expr::Net(name) = &*value else { continue };
        let repeats = |g: &Vec<Item>| continuous(g).is_some_and(|(_, repeated)| repeated == value);
        match reads.get(name) {
            None => {
                let unused = format!("unused_{name}");
                logic.nets.iter_mut().filter(|(net, _)| net == name).for_each(|(net, _)| net.clone_from(&unused));
                *value = Expr::Net(unused);
            }
            Some(1) => {
                let Some(place) = groups.iter().position(repeats) else { continue };
                gone.insert(name.clone());
                if let Some((net, _)) = continuous(&groups.remove(place)) {
                    *value = Expr::Net(net.into());
                }
            }
            Some(_) => {}
        }
    }
    logic.nets.retain(|(name, _)| !gone.contains(name));
}
