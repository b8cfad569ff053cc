//! A block on its way to the tree: its statements in groups, and a net for each pin of its children and registers.

use std::collections::BTreeSet;
use verilog::fold::slice;
use verilog::register::{clocked, Register};
use verilog::tree::{Expr, Item, Module, Port, Shape, Shapes};

/// A child; `module` is its place in the library. The value of an output is a plain net.
pub struct Child {
    pub name: String,
    pub module: usize,
    pub pins: Vec<(Port, Expr)>,
}

pub struct Logic {
    pub ports: Vec<Port>,
    /// Width, name and value.
    pub constants: Vec<(usize, String, Expr)>,
    /// Names and widths, without the ports.
    pub nets: Vec<(String, usize)>,
    pub children: Vec<Child>,
    /// Each group drives its nets alone.
    pub groups: Vec<Vec<Item>>,
    pub registers: Vec<Register>,
    /// Shapes of ports, nets, constants and the values of enumerations.
    pub shapes: Shapes,
}

impl Logic {
    /// Calls `f` with the name of every net and constant that is read: by statements, children and registers.
    pub fn reads(&self, mut f: impl FnMut(&str)) {
        self.groups.iter().flatten().for_each(|item| item.reads(&mut f));
        let inputs = self.children.iter().flat_map(|child| &child.pins).filter(|(port, _)| !port.is_output());
        inputs.for_each(|(_, value)| value.nets(&mut f));
        for register in &self.registers {
            let reset = register.reset.iter().map(|(reset, _)| reset);
            let pins = [&register.clock, &register.d].into_iter().chain(&register.enable).chain(reset);
            pins.for_each(|e| e.nets(&mut f));
        }
    }

    /// The module, in which the names of the children's modules are missing.
    pub fn module(self) -> Module {
        let nets = self.order();
        let of_port = |p: &Port| (p.name.clone(), Shape::plain(p.width));
        let of_net = |(name, width): &(String, usize)| (name.clone(), Shape::plain(*width));
        let instance = |child: Child| {
            let pins = child.pins.into_iter().map(|(port, value)| (port.name, value)).collect();
            Item::Instance { module: String::new(), name: child.name, place: None, pins }
        };
        let shapes = &self.shapes;
        let key = |place: usize| {
            let Register { clock, reset, enable, .. } = &self.registers[place];
            (clock, reset.as_ref().map(|(reset, _)| reset), enable)
        };
        let instances = self.children.into_iter().map(instance);
        let logic = self.groups.into_iter().flat_map(|group| items(group, shapes));
        Module {
            name: String::new(),
            nets: self.ports.iter().map(of_port).chain(nets.iter().map(of_net)).collect(),
            order: nets.into_iter().map(|(name, _)| name).collect(),
            ports: self.ports,
            constants: self.constants,
            items: instances.chain(logic).chain(clocked(&self.registers, key)).collect(),
        }
    }

    /// The nets as they are declared: each register before the net that it takes, then the others.
    fn order(&self) -> Vec<(String, usize)> {
        let mut order = vec![];
        for register in &self.registers {
            order.push((register.q.clone(), self.shapes[&register.q].width));
            order.extend(self.nets.iter().filter(|(net, _)| is_next_of(register, net)).cloned());
        }
        let is_next = |net: &str| self.registers.iter().any(|register| is_next_of(register, net));
        order.extend(self.nets.iter().filter(|(net, _)| !is_next(net)).cloned());
        order
    }
}

/// True if the register `<name>_q` takes the net, which is `<name>_d`.
fn is_next_of(register: &Register, net: &str) -> bool {
    let is_taken = matches!(&register.d, Expr::Net(d) if d == net);
    is_taken && net.strip_suffix("_d").is_some_and(|name| register.q.strip_suffix("_q") == Some(name))
}

fn items(group: Vec<Item>, shapes: &Shapes) -> Vec<Item> {
    let assign = |item| match item {
        Item::Blocking(target, value) => Item::Assign(target, value),
        item => item,
    };
    match all_continuous(&group, shapes) {
        true => group.into_iter().map(assign).collect(),
        false => vec![Item::Always(None, group)],
    }
}

/// True if a group is continuous assignments alone: unconditional, to fixed bits, none of them twice.
fn all_continuous(group: &[Item], shapes: &Shapes) -> bool {
    let mut seen = BTreeSet::new();
    group.iter().all(|item| match item {
        Item::Blocking(target, _) => bits(target, shapes).is_some_and(|mut bits| bits.all(|bit| seen.insert(bit))),
        Item::Comment(_) => true,
        _ => false,
    })
}

/// The bits of a target, each with its net; `None` where they depend on an index.
pub fn bits<'a>(target: &'a Expr, shapes: &Shapes) -> Option<impl Iterator<Item = (&'a str, usize)>> {
    let (net, at, width) = slice(target, shapes)?;
    let first = at.constant as usize;
    Some((first..first + width).map(move |bit| (net, bit)))
}

/// The net and the value of a group that is one assignment to a whole net.
pub fn continuous(group: &[Item]) -> Option<(&str, &Expr)> {
    let mut assignments = group.iter().filter(|item| !matches!(item, Item::Comment(_)));
    match (assignments.next(), assignments.next()) {
        (Some(Item::Blocking(Expr::Net(net), value)), None) => Some((net, value)),
        _ => None,
    }
}

/// Short enough to stand in a port connection or after `<=` without a net of its own.
pub fn is_simple(e: &Expr) -> bool {
    matches!(e, Expr::Net(_) | Expr::Number { width: Some(_), .. } | Expr::Wide { .. } | Expr::Part { index: None, .. })
}
