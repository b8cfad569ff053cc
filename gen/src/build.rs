//! From a block of the RustHDL tree to a module: ports, nets, children, and statements grouped by what they drive.

use crate::check;
use crate::connect::connect;
use crate::error::{Error, Result};
use crate::logic::{Child, Logic};
use crate::lower::Kernel;
use crate::names;
use crate::select::select;
use crate::vector::vector;
use crate::walk::{Node, Signal};
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::Verilog;
use std::collections::{BTreeMap, BTreeSet};
use verilog::description::Body;
use verilog::names::identifier;
use verilog::register::Register;
use verilog::tree::{Direction, Expr, Item, Module, Port, Shape};

/// Form of a child in its parent: the module at a place of the library, or a register with its reset value.
pub enum Place {
    Module(usize),
    Register(Option<String>),
}

/// The module of a block that describes itself.
pub fn described(path: &str, node: &Node, body: &Body) -> Result<Module> {
    let module = body.clone().module("", ports(path, node)?);
    names::check_unique(path, module.ports.iter().map(|port| &port.name).chain(&module.order).map(String::as_str))?;
    Ok(module)
}

/// The module of a block whose logic is a kernel; `children` are its child nodes.
pub fn module(path: &str, node: &Node, children: &[(&Node, Place)]) -> Result<(Module, Vec<usize>)> {
    let mut logic = Logic {
        ports: ports(path, node)?,
        constants: vec![],
        nets: vec![],
        children: vec![],
        groups: vec![],
        registers: vec![],
        shapes: BTreeMap::new(),
    };
    let mut signals = BTreeMap::new();
    for atom in &node.atoms {
        let name = match atom.kind {
            AtomKind::Constant => names::constant(&atom.name),
            _ => identifier(&atom.name),
        };
        signals.insert(atom.name.clone(), name.clone());
        logic.shapes.insert(name.clone(), Shape::plain(atom.width));
        match atom.kind {
            AtomKind::Constant => {
                logic.constants.push((atom.width, name, Expr::literal(atom.width, &atom.value)));
            }
            AtomKind::LocalSignal => logic.nets.push((name, atom.width)),
            _ => {}
        }
    }
    for (child, place) in children {
        let pins = pins(path, child)?;
        for (atom, (port, name)) in child.atoms.iter().filter(|a| a.kind.is_parameter()).zip(&pins) {
            signals.insert(format!("{}${}", child.name, atom.name), name.clone());
            logic.shapes.insert(name.clone(), Shape::plain(port.width));
            if matches!(place, Place::Module(_)) || port.direction == Direction::Input {
                logic.nets.push((name.clone(), port.width));
            }
        }
        match place {
            Place::Module(module) => {
                let pins = pins.into_iter().map(|(port, net)| (port, Expr::Net(net))).collect();
                logic.children.push(Child { name: identifier(&child.name), module: *module, pins });
            }
            Place::Register(reset_value) => {
                let path = format!("{path}.{}", child.name);
                logic.registers.push(register(&path, child, reset_value.as_deref(), &pins)?);
            }
        }
    }
    if let Verilog::Combinatorial(code) = &node.code {
        let mut variants = BTreeMap::new();
        for (variant, constant) in values(node, children) {
            logic.shapes.insert(constant.1.clone(), Shape::plain(constant.0));
            if variants.insert(variant, constant.1.clone()).is_none() {
                logic.constants.push(constant);
            }
        }
        let statements = Kernel::new(path, &signals, &variants, &logic.shapes).statements(code)?;
        logic.groups = groups(statements);
        for group in &logic.groups {
            check::no_early_read(path, group)?;
            check::no_latch(path, group, &logic.shapes)?;
        }
    }
    names::check_unique(path, declared(&logic))?;
    vector(&mut logic);
    select(&mut logic);
    connect(&mut logic);
    let places = logic.children.iter().map(|child| child.module).collect();
    Ok((logic.module(), places))
}

fn declared(logic: &Logic) -> impl Iterator<Item = &str> {
    let ports = logic.ports.iter().map(|port| &port.name);
    let constants = logic.constants.iter().map(|(_, name, _)| name);
    let nets = logic.nets.iter().map(|(name, _)| name);
    let registers = logic.registers.iter().map(|register| &register.q);
    let children = logic.children.iter().map(|child| &child.name);
    ports.chain(constants).chain(nets).chain(registers).chain(children).map(String::as_str)
}

fn ports(path: &str, node: &Node) -> Result<Vec<Port>> {
    node.atoms.iter().filter(|a| a.kind.is_parameter()).map(|a| port(path, a)).collect()
}

fn port(path: &str, atom: &Signal) -> Result<Port> {
    let direction = match atom.kind {
        AtomKind::InputParameter => Direction::Input,
        AtomKind::OutputParameter => Direction::Output,
        _ => return Err(Error::design(path, format!("port {} is bidirectional: not supported", atom.name))),
    };
    Ok(Port { name: identifier(&atom.name), direction, width: atom.width })
}

/// The child's ports, each with its net `<child>_<port>`.
fn pins(path: &str, child: &Node) -> Result<Vec<(Port, String)>> {
    let ports = ports(&format!("{path}.{}", child.name), child)?;
    let net = |port: &Port| format!("{}_{}", identifier(&child.name), port.name);
    Ok(ports.into_iter().map(|port| (port.clone(), net(&port))).collect())
}

fn register(path: &str, child: &Node, reset_value: Option<&str>, pins: &[(Port, String)]) -> Result<Register> {
    let pin = |name: &str| pins.iter().find(|(port, _)| port.name == name).map(|(_, net)| Expr::Net(net.clone()));
    let needed = |name: &str| pin(name).ok_or_else(|| Error::design(path, format!("a register without {name}")));
    let width = pins.iter().find(|(port, _)| port.name == "q").map_or(1, |(port, _)| port.width);
    Ok(Register {
        q: format!("{}_q", identifier(&child.name)),
        clock: needed("clock")?,
        d: needed("d")?,
        enable: pin("enable"),
        reset: reset_value.map(|hex| Ok((needed("reset")?, Expr::literal(width, hex)))).transpose()?,
    })
}

/// Enumeration values that the kernel may name, as `Type$Variant`, and the constants that they are.
fn values(node: &Node, children: &[(&Node, Place)]) -> Vec<(String, (usize, String, Expr))> {
    let mut values = vec![];
    for atom in node.atoms.iter().chain(children.iter().flat_map(|(child, _)| &child.atoms)) {
        for (value, variant) in (0..).zip(&atom.variants) {
            let constant = (atom.width, names::constant(variant), Expr::number(atom.width, value));
            values.push((variant.replace("::", "$"), constant));
        }
    }
    values
}

/// Statements that drive a common net belong together, in their order; groups stand in the order of their first
/// statements, comments with the statement that follows them.
fn groups(statements: Vec<Item>) -> Vec<Vec<Item>> {
    #[derive(Default)]
    struct Group {
        nets: BTreeSet<String>,
        body: Vec<(usize, Item)>,
    }
    // By the place of the first statement.
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    let mut group_of_net: BTreeMap<String, usize> = BTreeMap::new();
    let mut comments = vec![];
    for (order, statement) in statements.into_iter().enumerate() {
        if let Item::Comment(_) = statement {
            comments.push((order, statement));
            continue;
        }
        let mut new = Group { nets: BTreeSet::new(), body: std::mem::take(&mut comments) };
        statement.targets(&mut |target| {
            if let Expr::Net(net) | Expr::Part { net, .. } = target {
                new.nets.insert(net.clone());
            }
        });
        new.body.push((order, statement));
        let mut common: BTreeSet<usize> = new.nets.iter().filter_map(|net| group_of_net.get(net).copied()).collect();
        let first = common.pop_first().unwrap_or(new.body[0].0);
        for other in common.iter().filter_map(|place| groups.remove(place)) {
            new.nets.extend(other.nets);
            new.body.extend(other.body);
        }
        group_of_net.extend(new.nets.iter().map(|net| (net.clone(), first)));
        let group = groups.entry(first).or_default();
        group.nets.extend(new.nets);
        group.body.extend(new.body);
    }
    let in_order = |mut group: Group| {
        group.body.sort_by_key(|(order, _)| *order);
        group.body.into_iter().map(|(_, statement)| statement).collect()
    };
    groups.into_values().filter(|group| !group.nets.is_empty()).map(in_order).collect()
}
