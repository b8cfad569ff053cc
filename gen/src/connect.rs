//! Connects pins directly where a net in between says nothing: `.push(push[3])` instead of a net and an `assign`.

use crate::ir::{Body, Direction, Expr, Module, Statement};
use std::collections::BTreeMap;

pub fn connect(module: &mut Module) {
    let Body::Logic(groups) = &mut module.body else { return };
    let mut reads = BTreeMap::new();
    groups.iter().flatten().for_each(|s| s.for_each_read(&mut |net| *reads.entry(net.to_string()).or_insert(0) += 1));

    // Inputs of children and of registers: take what is assigned to them, if it is short and nobody else reads it.
    let mut gone = vec![];
    let mut shorten = |pin: &mut Expr, groups: &mut Vec<Vec<Statement>>| {
        let Expr::Net { name, .. } = &*pin else { return };
        if reads.contains_key(name) {
            return;
        }
        let Some(i) =
            groups.iter().position(|g| continuous(g).is_some_and(|(net, value)| net == name && value.is_simple()))
        else {
            return;
        };
        gone.push(name.clone());
        if let Some((_, value)) = continuous(&groups.remove(i)) {
            *pin = value.clone();
        }
    };
    for pin in module.instances.iter_mut().flat_map(|i| &mut i.pins).filter(|p| p.port.direction == Direction::Input) {
        shorten(&mut pin.value, groups);
    }
    for register in &mut module.registers {
        let reset = register.reset.iter_mut().map(|(reset, _)| reset);
        for pin in [&mut register.clock, &mut register.d].into_iter().chain(&mut register.enable).chain(reset) {
            shorten(pin, groups);
        }
    }

    // Outputs of children: drive the net that only repeats them; name what nobody reads.
    let mut reads = BTreeMap::new();
    let mut count = |net: &str| *reads.entry(net.to_string()).or_insert(0) += 1;
    groups.iter().flatten().for_each(|s| s.for_each_read(&mut count));
    let inputs = module.instances.iter().flat_map(|i| &i.pins).filter(|p| p.port.direction == Direction::Input);
    inputs.for_each(|p| p.value.for_each_net(&mut count));
    for register in &module.registers {
        let (reset, enable) = (register.reset.iter().map(|(r, _)| r), register.enable.iter());
        [&register.clock, &register.d].into_iter().chain(reset).chain(enable).for_each(|e| e.for_each_net(&mut count));
    }
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
                let Some(i) = groups.iter().position(repeats) else { continue };
                gone.push(name.clone());
                if let Some((net, _)) = continuous(&groups.remove(i)) {
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
