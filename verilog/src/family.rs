//! Nets `x_0`, `x_1`, ... of one width, driven in one way, become one vector `x` with an element for each.

use crate::graph::Graph;
use crate::interface::Interface;
use crate::names::keywords;
use crate::tree::{Expr, Item, Linear, Module, Port, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// Nets that become one, in the order of their elements.
#[derive(Clone, Debug)]
pub struct Family {
    pub name: String,
    pub width: usize,
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
struct Member {
    name: String,
    index: Vec<usize>,
}

impl Family {
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|m| m.name.as_str())
    }

    /// The numbers of its members at one place of the index.
    fn values(&self, dimension: usize) -> BTreeSet<usize> {
        self.members.iter().map(|m| m.index[dimension]).collect()
    }

    /// True if every place of a box of indices is there.
    fn is_full(&self) -> bool {
        let sizes = (0..self.members[0].index.len()).map(|d| {
            let values = self.values(d);
            let (first, last) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            (last - first + 1 == values.len()).then_some(values.len())
        });
        sizes.product::<Option<usize>>() == Some(self.members.len())
    }

    /// One for each number at that place of the index.
    fn split(&self, dimension: usize) -> Vec<Family> {
        let part = |value: usize| {
            let members: Vec<_> = self.members.iter().filter(|m| m.index[dimension] == value).cloned().collect();
            Family { name: String::new(), width: self.width, members }
        };
        self.values(dimension).into_iter().map(part).collect()
    }

    /// Places of the index with more than one number.
    fn dimensions(&self) -> Vec<usize> {
        (0..self.members[0].index.len()).filter(|d| self.values(*d).len() > 1).collect()
    }

    /// The number of its first element: the least one, where the members differ in one number alone.
    fn first(&self) -> usize {
        match self.dimensions().as_slice() {
            [only] => self.members[0].index[*only],
            _ => 0,
        }
    }

    /// Families without holes, as few as splits can make.
    fn full(self) -> Vec<Family> {
        if self.is_full() {
            return vec![self];
        }
        let splits = self.dimensions().into_iter().map(|d| self.split(d).into_iter().flat_map(Family::full).collect());
        let fewest: Option<Vec<Family>> = splits.min_by_key(|parts: &Vec<Family>| parts.len());
        fewest.unwrap_or_default()
    }

    /// The name without the numbers in which the members differ.
    fn stem(&self) -> String {
        let varies: Vec<bool> = (0..self.members[0].index.len()).map(|d| self.values(d).len() > 1).collect();
        let mut numbers = varies.into_iter();
        let mut words: Vec<&str> = self.members[0].name.split('_').collect();
        words.retain(|word| !is_number(word) || !numbers.next().unwrap_or(false));
        words.join("_")
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// The name with `#` for each number, and the numbers.
fn skeleton(name: &str) -> (String, Vec<usize>) {
    let mut index = vec![];
    let words = name.split('_').map(|word| match word.parse() {
        Ok(number) if is_number(word) => {
            index.push(number);
            "#"
        }
        _ => word,
    });
    let skeleton = words.collect::<Vec<_>>().join("_");
    (skeleton, index)
}

/// Families of names with something in common that must be equal.
fn families<K: Ord>(names: impl Iterator<Item = (String, usize, K)>) -> Vec<Family> {
    let mut groups: BTreeMap<(String, usize, K), Vec<Member>> = BTreeMap::new();
    for (name, width, key) in names {
        let (skeleton, index) = skeleton(&name);
        if !index.is_empty() {
            groups.entry((skeleton, width, key)).or_default().push(Member { name, index });
        }
    }
    let family = |((_, width, _), mut members): ((String, usize, K), Vec<Member>)| {
        members.sort_by(|a, b| a.index.cmp(&b.index));
        Family { name: String::new(), width, members }
    };
    groups.into_iter().map(family).collect()
}

/// Families of ports: arrays that count from 0.
fn of_ports(module: &Module) -> Vec<Family> {
    let names = module.ports.iter().map(|p| (p.name.clone(), p.width, p.is_output()));
    let mut families = families(names);
    families.retain(|f| {
        let starts = f.members[0].index.iter().all(|i| *i == 0);
        f.members.len() > 1 && starts && f.is_full() && f.dimensions().len() == f.members[0].index.len()
    });
    families
}

/// The driver of a net.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Driver {
    Assign,
    Always,
    Clock(String),
    Child,
    Nothing,
}

fn drivers(module: &Module, below: &BTreeMap<String, Interface>) -> BTreeMap<String, Driver> {
    let mut drivers = BTreeMap::new();
    for item in &module.items {
        let driver = match item {
            Item::Always(None, _) => Driver::Always,
            Item::Always(Some(clock), _) => Driver::Clock(clock.clone()),
            _ => Driver::Assign,
        };
        item.targets(&mut |target| {
            target.nets(&mut |net| {
                drivers.insert(net.to_string(), driver.clone());
            });
        });
        if let Item::Instance { module, pins, .. } = item {
            let outputs = pins.iter().filter(|(pin, _)| is_output(&below[module], pin));
            outputs.for_each(|(_, e)| {
                e.nets(&mut |net| {
                    drivers.insert(net.to_string(), Driver::Child);
                });
            });
        }
    }
    drivers
}

fn is_output(interface: &Interface, pin: &str) -> bool {
    interface.ports.iter().any(|p| p.is_output() && p.name == interface.new_name(pin))
}

/// Packs what can be packed, and says what a parent must know.
pub fn pack(module: &mut Module, below: &BTreeMap<String, Interface>) -> Interface {
    let mut taken: BTreeSet<String> = module.nets.keys().cloned().collect();
    taken.extend(module.constants.iter().map(|(_, name, _)| name.clone()));
    taken.extend(keywords().map(String::from));
    let is_port: BTreeSet<&str> = module.ports.iter().map(|p| p.name.as_str()).collect();
    let mut ports = of_ports(module);
    // An instance has the last words of its module's name; a net of the same name would hide it.
    let hides = |stem: &str, module: &Module| module.name.ends_with(&format!("_{stem}"));
    ports.retain_mut(|family| {
        family.name = family.stem();
        if hides(&family.name, module) {
            family.name += "_each";
        }
        !is_port.contains(family.name.as_str()) && taken.insert(family.name.clone())
    });
    name_places(module, &taken);
    taken.extend(module.items.iter().filter_map(|item| match item {
        Item::Instance { name, .. } => Some(name.clone()),
        _ => None,
    }));
    let drivers = drivers(module, below);
    let driver = |net: &str| drivers.get(net).cloned().unwrap_or(Driver::Nothing);
    let inner = module.order.iter().map(|net| (net.clone(), module.nets[net].width, driver(net)));
    let mut inner: Vec<Family> = families(inner).into_iter().flat_map(Family::full).collect();
    inner.retain(|f| f.members.len() > 1);
    let graph = Graph::of(module, below);
    let mut inner = without_cycles(&graph, &ports, inner);
    inner.sort_by_key(|f| std::cmp::Reverse(f.members.len()));
    inner.retain_mut(|family| {
        family.name = family.stem();
        let each = format!("{}_each", family.name);
        (!hides(&family.name, module) && taken.insert(family.name.clone())) || {
            family.name = each;
            taken.insert(family.name.clone())
        }
    });
    let packed = rename(module, &ports, &inner);
    let through = graph.through(module, &packed);
    connect(module, below);
    let mut places = BTreeMap::new();
    for family in &ports {
        places.extend(family.members().enumerate().map(|(i, m)| (m.to_string(), (family.name.clone(), i))));
    }
    Interface { ports: module.ports.clone(), packed: places, through }
}

/// The families, split where one as a whole would depend on itself within a cycle.
fn without_cycles(graph: &Graph, ports: &[Family], mut inner: Vec<Family>) -> Vec<Family> {
    loop {
        let cycle = graph.cycle(ports.iter().chain(&inner).map(Family::members), ports.len());
        let Some(place) = cycle else { return inner };
        let family = inner.remove(place);
        let alone = |f: &Family| graph.cycle(ports.iter().chain([f]).map(Family::members), ports.len()).is_none();
        let dimensions = family.dimensions();
        let fine = dimensions.iter().find(|d| family.split(**d).iter().all(alone));
        let parts = match fine {
            Some(d) if dimensions.len() > 1 => family.split(*d),
            _ => vec![],
        };
        inner.extend(parts.into_iter().filter(|f| f.members.len() > 1));
    }
}

/// Puts the families in place of their members.
fn rename(module: &mut Module, ports: &[Family], inner: &[Family]) -> BTreeMap<String, String> {
    let mut places: BTreeMap<String, (String, usize, usize)> = BTreeMap::new();
    for family in ports.iter().chain(inner) {
        for (i, member) in family.members().enumerate() {
            places.insert(member.to_string(), (family.name.clone(), i, family.width));
            module.nets.remove(member);
        }
        let rows = match family.dimensions().as_slice() {
            [row, _, ..] => family.values(*row).len(),
            _ => 1,
        };
        let shape = Shape { first: family.first(), rows, elements: family.members.len(), width: family.width };
        module.nets.insert(family.name.clone(), shape);
    }
    let mut seen = BTreeSet::new();
    let new_name = |name: &String| places.get(name).map_or(name.clone(), |(family, ..)| family.clone());
    let mut new_ports = vec![];
    for port in &module.ports {
        let name = new_name(&port.name);
        if seen.insert(name.clone()) {
            let width = module.nets[&name].bits();
            new_ports.push(Port { name, direction: port.direction, width });
        }
    }
    module.ports = new_ports;
    module.order = module.order.iter().map(new_name).filter(|name| seen.insert(name.clone())).collect();
    let mut replace = |e: &mut Expr| match e {
        Expr::Net(net) => {
            if let Some((family, i, width)) = places.get(net) {
                let at = module.nets[family].lsb().plus((i * width) as i64);
                *e = Expr::Part { net: family.clone(), at, index: None, width: *width };
            }
        }
        Expr::Part { net, at, .. } => {
            if let Some((family, i, width)) = places.get(net) {
                *at = at.plus(module.nets[family].lsb().constant + (i * width) as i64);
                *net = family.clone();
            }
        }
        _ => {}
    };
    let mut items = std::mem::take(&mut module.items);
    items.iter_mut().for_each(|i| i.expressions_mut(&mut |e| e.rewrite(&mut replace)));
    module.items = items;
    places.into_iter().map(|(member, (family, ..))| (member, family)).collect()
}

/// Gives the packed ports of the children their pins.
fn connect(module: &mut Module, below: &BTreeMap<String, Interface>) {
    for item in &mut module.items {
        let Item::Instance { module: child, pins, .. } = item else { continue };
        let interface = &below[child];
        let mut packed: Vec<(String, Vec<Expr>)> = vec![];
        for (pin, value) in std::mem::take(pins) {
            let name = interface.new_name(&pin).to_string();
            match packed.iter_mut().find(|(n, _)| *n == name) {
                Some((_, parts)) => parts.insert(0, value),
                None => packed.push((name, vec![value])),
            }
        }
        let pin = |(name, mut parts): (String, Vec<Expr>)| match parts.len() {
            1 => (name, parts.remove(0)),
            _ => (name, Expr::Concat(parts)),
        };
        *pins = packed.into_iter().map(pin).collect();
    }
}

/// Gives children whose names differ in a number a place of that number.
fn name_places(module: &mut Module, taken: &BTreeSet<String>) {
    for item in &mut module.items {
        let Item::Instance { name, place, .. } = item else { continue };
        let Some((stem, number)) = name.rsplit_once('_') else { continue };
        if is_number(number) && !taken.contains(stem) {
            *place = number.parse().ok().map(Linear::new);
            *name = stem.into();
        }
    }
}
