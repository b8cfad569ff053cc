//! Connects pins directly where a net in between says nothing: `.push(push[3])` instead of a net and an `assign`.

use crate::ir::{Body, Direction, Expr, Module, Statement};
use std::collections::{BTreeMap, BTreeSet};

pub fn connect(module: &mut Module) {
    inputs(module);
    outputs(module);
    let mut used = BTreeSet::new();
    module.for_each_read(|net| {
        used.insert(net.to_string());
    });
    module.constants.retain(|c| used.contains(&c.name));
}

/// Inputs of children and of registers take what is assigned to them, if it is short and nobody else reads it.
fn inputs(module: &mut Module) {
    let Body::Logic(groups) = &mut module.body else { return };
    let mut read = BTreeSet::new();
    groups.iter().flatten().for_each(|s| {
        s.for_each_read(&mut |net| {
            read.insert(net.to_string());
        })
    });
    let mut gone = BTreeSet::new();
    let mut shorten = |pin: &mut Expr| {
        let Expr::Net { name, .. } = &*pin else { return };
        let drives = |g: &Vec<Statement>| continuous(g).is_some_and(|(net, value)| net == name && value.is_simple());
        let Some(place) = groups.iter().position(drives).filter(|_| !read.contains(name)) else { return };
        gone.insert(name.clone());
        if let Some((_, value)) = continuous(&groups.remove(place)) {
            *pin = value.clone();
        }
    };
    let pins = module.instances.iter_mut().flat_map(|i| &mut i.pins);
    pins.filter(|p| p.port.direction == Direction::Input).for_each(|p| shorten(&mut p.value));
    for register in &mut module.registers {
        let reset = register.reset.iter_mut().map(|(reset, _)| reset);
        [&mut register.clock, &mut register.d]
            .into_iter()
            .chain(&mut register.enable)
            .chain(reset)
            .for_each(&mut shorten);
    }
    module.nets.retain(|n| !gone.contains(&n.name));
}

/// Outputs of children drive the net that only repeats them; what nobody reads says so in its name.
fn outputs(module: &mut Module) {
    let mut reads: BTreeMap<String, usize> = BTreeMap::new();
    module.for_each_read(|net| *reads.entry(net.to_string()).or_insert(0) += 1);
    let Body::Logic(groups) = &mut module.body else { return };
    let mut gone = BTreeSet::new();
    for pin in module.instances.iter_mut().flat_map(|i| &mut i.pins).filter(|p| p.port.direction == Direction::Output) {
        let Expr::Net { name, width } = &pin.value else { continue };
        let repeats = |g: &Vec<Statement>| continuous(g).is_some_and(|(_, value)| *value == pin.value);
        match reads.get(name) {
            None => {
                let unused = format!("unused_{name}");
                for net in module.nets.iter_mut().filter(|n| n.name == *name) {
                    net.name.clone_from(&unused);
                }
                pin.value = Expr::net(unused, *width);
            }
            Some(1) => {
                let Some(place) = groups.iter().position(repeats) else { continue };
                gone.insert(name.clone());
                if let Some((net, _)) = continuous(&groups.remove(place)) {
                    pin.value = Expr::net(net, *width);
                }
            }
            Some(_) => {}
        }
    }
    module.nets.retain(|n| !gone.contains(&n.name));
}

/// The net and the value of a group that is one assignment to a whole net.
pub fn continuous(group: &[Statement]) -> Option<(&str, &Expr)> {
    let mut assignments = group.iter().filter(|s| !matches!(s, Statement::Comment(_)));
    match (assignments.next(), assignments.next()) {
        (Some(Statement::Assign { target, value }), None) if target.is_whole() => Some((&target.net, value)),
        _ => None,
    }
}
