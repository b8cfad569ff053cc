//! From a block of the RustHDL tree to a module: ports, nets, instances, and statements grouped by what they drive.

use crate::check;
use crate::error::{Error, Result};
use crate::ir::{Body, Constant, Direction, Expr, Instance, Memory, Module, Net, Pin, Port, Register, Statement};
use crate::lower::Kernel;
use crate::names::{self, identifier};
use crate::register;
use crate::walk::{Node, Signal};
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::Verilog;
use std::collections::{BTreeMap, BTreeSet};

/// Builds the module of `node`; `children` are its child nodes with their modules (`None` for a register).
pub fn module(path: &str, node: &Node, children: &[(&Node, Option<usize>)]) -> Result<Module> {
    let mut module = Module {
        ports: ports(path, node)?,
        constants: vec![],
        nets: vec![],
        registers: vec![],
        instances: vec![],
        memories: vec![],
        body: Body::Logic(vec![]),
    };
    let mut signals = BTreeMap::new();
    for atom in &node.atoms {
        let name = match atom.kind {
            AtomKind::Constant => names::constant(&atom.name),
            _ => identifier(&atom.name),
        };
        signals.insert(atom.name.clone(), (name.clone(), atom.width));
        match atom.kind {
            AtomKind::Constant => {
                module.constants.push(Constant { name, width: atom.width, hex: atom.value.clone() });
            }
            AtomKind::LocalSignal => module.nets.push(Net { name, width: atom.width }),
            _ => {}
        }
    }
    for (child, id) in children {
        let pins = pins(path, child)?;
        for (atom, pin) in child.atoms.iter().filter(|a| a.kind.is_parameter()).zip(&pins) {
            let Expr::Net { name, width } = &pin.value else { continue };
            signals.insert(format!("{}${}", child.name, atom.name), (name.clone(), *width));
            if id.is_some() || pin.port.direction == Direction::Input {
                module.nets.push(Net { name: name.clone(), width: *width });
            }
        }
        match id {
            Some(id) => module.instances.push(Instance { name: identifier(&child.name), module: *id, pins }),
            None => module.registers.push(inlined(path, child, &pins)?),
        }
    }
    let variants = variants(node, children);
    match &node.code {
        Verilog::Combinatorial(code) => {
            let statements = Kernel::new(path, &signals, &variants).statements(code)?;
            let groups = groups(statements);
            for group in &groups {
                check::no_early_read(path, group)?;
                check::no_latch(path, group)?;
            }
            module.constants.extend(values(&variants, node, children));
            module.body = Body::Logic(groups);
        }
        Verilog::Custom(text) => {
            module.memories = memories(text);
            module.body = Body::Text(own_text(path, text)?);
        }
        Verilog::Empty => {}
        Verilog::Blackbox(_) | Verilog::Wrapper(_) => {
            return Err(Error::design(path, "black boxes and wrappers are not supported"));
        }
    }
    names::check_unique(path, declared(&module))?;
    Ok(module)
}

fn declared(module: &Module) -> impl Iterator<Item = &str> {
    let ports = module.ports.iter().map(|p| p.name.as_str());
    let constants = module.constants.iter().map(|c| c.name.as_str());
    let nets = module.nets.iter().map(|n| n.name.as_str());
    let registers = module.registers.iter().map(|r| r.q.as_str());
    let instances = module.instances.iter().map(|i| i.name.as_str());
    ports.chain(constants).chain(nets).chain(registers).chain(instances)
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

/// The child's ports, each on a net `<child>_<port>`.
fn pins(path: &str, child: &Node) -> Result<Vec<Pin>> {
    let child_path = format!("{path}.{}", child.name);
    let pin = |port: Port| {
        let value = Expr::net(format!("{}_{}", identifier(&child.name), port.name), port.width);
        Pin { port, value }
    };
    Ok(ports(&child_path, child)?.into_iter().map(pin).collect())
}

fn inlined(path: &str, child: &Node, pins: &[Pin]) -> Result<Register> {
    let register =
        register::recognise(child).ok_or_else(|| Error::design(format!("{path}.{}", child.name), "not a register"))?;
    let pin = |name: &str| pins.iter().find(|p| p.port.name == name).map(|p| p.value.clone());
    let missing = |name: &str| Error::design(format!("{path}.{}", child.name), format!("a register without {name}"));
    let d = pin("d").ok_or_else(|| missing("d"))?;
    Ok(Register {
        q: format!("{}_q", identifier(&child.name)),
        width: d.width(),
        clock: pin("clock").ok_or_else(|| missing("clock"))?,
        enable: pin("enable"),
        reset: match register.reset_value {
            Some(hex) => {
                let reset = pin("reset").ok_or_else(|| missing("reset"))?;
                Some((reset, Expr::Literal { hex, width: d.width() }))
            }
            None => None,
        },
        d,
    })
}

/// Enumeration values that the kernel may name: `Type$Variant` to its Verilog name and width.
fn variants(node: &Node, children: &[(&Node, Option<usize>)]) -> BTreeMap<String, (String, usize)> {
    let atoms = node.atoms.iter().chain(children.iter().flat_map(|(c, _)| &c.atoms));
    let each = atoms.flat_map(|a| a.variants.iter().map(move |v| (v, a.width)));
    each.map(|(v, width)| (v.replace("::", "$"), (names::constant(v), width))).collect()
}

/// The enumeration values as constants.
fn values(
    variants: &BTreeMap<String, (String, usize)>,
    node: &Node,
    children: &[(&Node, Option<usize>)],
) -> Vec<Constant> {
    let mut constants: Vec<Constant> = vec![];
    for atom in node.atoms.iter().chain(children.iter().flat_map(|(c, _)| &c.atoms)) {
        for (value, variant) in atom.variants.iter().enumerate() {
            let Some((name, width)) = variants.get(&variant.replace("::", "$")) else { continue };
            if !constants.iter().any(|c| c.name == *name) {
                constants.push(Constant { name: name.clone(), width: *width, hex: format!("{value:x}") });
            }
        }
    }
    constants
}

/// Statements that drive a common net belong together, in their order; groups stand in the order of their first
/// statements, comments with the statement that follows them.
fn groups(statements: Vec<Statement>) -> Vec<Vec<Statement>> {
    #[derive(Default)]
    struct Group {
        nets: BTreeSet<String>,
        body: Vec<(usize, Statement)>,
    }
    // By the place of the first statement.
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    let mut group_of_net: BTreeMap<String, usize> = BTreeMap::new();
    let mut comments = vec![];
    for (order, statement) in statements.into_iter().enumerate() {
        if let Statement::Comment(_) = statement {
            comments.push((order, statement));
            continue;
        }
        let mut new = Group { nets: BTreeSet::new(), body: std::mem::take(&mut comments) };
        statement.for_each_assignment(&mut |target, _| {
            new.nets.insert(target.net.clone());
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

/// Memory arrays in a block's own text: `reg [23:0] words [0:31];`
fn memories(text: &str) -> Vec<Memory> {
    let memory = |line: &str| {
        let rest = line.trim().strip_prefix("reg")?.trim_start();
        let (width, rest) = match rest.strip_prefix('[') {
            Some(range) => {
                let (msb, rest) = range.split_once(":0]")?;
                (msb.trim().parse::<usize>().ok()? + 1, rest)
            }
            None => (1, rest),
        };
        let (name, rest) = rest.split_once('[')?;
        let depth = rest.strip_prefix("0:")?.strip_suffix("];")?.trim().parse::<usize>().ok()? + 1;
        Some(Memory { name: identifier(name.trim()), depth, width })
    };
    text.lines().filter_map(memory).collect()
}

fn own_text(path: &str, text: &str) -> Result<String> {
    for word in ["initial", "$display", "$finish", "`"] {
        if text.contains(word) {
            return Err(Error::design(path, format!("its own Verilog uses {word}, which is not synthesizable style")));
        }
    }
    Ok(names::identifiers_of_text(text))
}
