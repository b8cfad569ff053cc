//! Buffers for nets of large load, after synthesis. abc buffers what its gates drive, but to abc the output of a
//! flip-flop, of an SRAM or of another part is an input of the logic, driven from outside with any strength: a register
//! that hundreds of gates read stays one net with nanoseconds of delay. Here such nets become trees of buffers.
//! The unit's own inputs are alike: a neighbour's flip-flop drives them.

use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::liberty::{Cell, Liberty, Pin};
use crate::netlist::{self, Netlist, Place};
use crate::synth::{self, Mapped};
use std::collections::BTreeMap;
use verilog::tree::Direction;

/// The largest load of a net, in inputs of the library's smallest NAND2. It is about what the ten readers weigh that abc
/// gives a gate at most, so that nets that abc has buffered rarely change. Tried on eight kinds of units of the catalogue beside
/// 12, 24, 32 and 75: with 12 some are up to 8 % slower and up to 4 % larger, with 32 others up to 9 % slower.
pub const FAN_OUT: f64 = 16.0;

/// The share of the largest load that a heavy net's driver keeps under a tree: abc leaves weak gates at the border of a
/// part. Tried on Graph-Waving's front end with 0.35, 0.7 and 1 too: with 1 its longest path is 6 % longer.
const ROOT: f64 = 0.5;

/// Goes up with every change that makes other trees: results follow from it.
pub const VERSION: u32 = 5;

/// This file's rule, in a line: it stands under every table.
pub fn rule() -> String {
    format!(
        "Nets with more load than {FAN_OUT} NAND2 inputs, as abc leaves them behind input pins, flip-flops, SRAM and parts, get \
         trees of the library's smallest buffers afterwards, of twice the strength where a buffer drives others (counted in GE)."
    )
}

/// A cell that drives a part of a tree.
#[derive(Clone, Copy)]
struct Buffer<'a> {
    cell: &'a str,
    input: &'a str,
    output: &'a str,
    /// Load of its input.
    load: f64,
    /// Load that its output may drive.
    strength: f64,
}

/// The cells for all trees, and the limit.
struct Buffers<'a> {
    /// Drives no buffers.
    leaf: Buffer<'a>,
    /// Drives buffers: all that is behind it waits for it.
    trunk: Buffer<'a>,
    /// Load that any net may have.
    limit: f64,
}

impl<'a> Buffers<'a> {
    /// The smallest buffer that may drive the limit and is twice as strong as NAND2, or else the smallest that may drive the limit; and
    /// the smallest that is twice as strong as that one. `None` if the library has no buffer. Tried with NanGate's cells on three large
    /// units, each mapped in two ways: a leaf as strong as NAND2 is up to 7 % slower, in one case 1 % faster, and saves less than 1 % of GE.
    fn of(liberty: &'a Liberty) -> Option<Self> {
        let limit = FAN_OUT * liberty.nand2_load;
        let usable = |(name, cell): (&'a String, &'a Cell)| {
            let (input, output) = cell.as_buffer()?;
            let load = cell.pins[input].capacitance;
            let strength = cell.pins[output].max_capacitance.unwrap_or(f64::INFINITY);
            // A net of two buffers has to be lighter than the limit, or no tree ends.
            let fits = strength >= limit && !cell.dont_use && 2.0 * load < limit;
            fits.then_some((cell.area, Buffer { cell: name, input, output, load, strength }))
        };
        let mut usable: Vec<_> = liberty.cells.iter().filter_map(usable).collect();
        usable.sort_by(|a, b| a.0.total_cmp(&b.0));
        let usable: Vec<Buffer> = usable.into_iter().map(|(_, buffer)| buffer).collect();
        // Liberty files round: 1.95 is twice 0.976.
        let twice = |strength: f64| usable.iter().find(|buffer| buffer.strength >= 1.9 * strength).copied();
        let leaf = liberty.nand2_strength.and_then(twice).or(usable.first().copied())?;
        Some(Buffers { leaf, trunk: twice(leaf.strength).unwrap_or(leaf), limit })
    }

    /// The cell that drives these.
    fn over(&self, group: &[Reader]) -> Buffer<'a> {
        match group.iter().any(|r| matches!(r.target, Target::Buffer(_))) {
            true => self.trunk,
            false => self.leaf,
        }
    }

    /// The role of a cell's pin for its net.
    fn role(&self, pin: &Pin) -> Role {
        match pin.output {
            true => Role::Drives { limit: pin.max_capacitance.map_or(self.limit, |max| max.min(self.limit)) },
            false => Role::Reads(Seen { load: pin.capacitance, depth: 0 }),
        }
    }
}

/// The parts of `design` with buffers; `mapped` has them all by name.
///
/// # Errors
/// A netlist that is not as Yosys writes it.
pub fn buffered<'a>(
    design: &'a Design,
    liberty: &Liberty,
    mapped: &BTreeMap<&str, &Mapped>,
) -> Result<BTreeMap<&'a str, Mapped>> {
    let buffers = Buffers::of(liberty);
    let mut parts = BTreeMap::new();
    let mut known: BTreeMap<&str, Ports> = BTreeMap::new();
    for part in synth::parts(design) {
        let name = part.top.module.as_str();
        let load = if part.top.is_memory() { liberty.nand2_load } else { 0.0 };
        let (mut result, mut ports) = (mapped[name].clone(), Ports::of(&part.top.ports, load));
        if let (Some(buffers), false) = (&buffers, part.top.is_memory()) {
            let error = |line: &str| Error::Tool {
                tool: "yosys",
                subject: name.into(),
                problem: format!("its netlist is not understood at `{}`", line.trim()),
            };
            let netlist = Netlist::parse(&mapped[name].netlist).map_err(error)?;
            let role = |cell: &str, pin: &str, index| match liberty.cells.get(cell) {
                Some(cell) => cell.pins.get(pin).map(|pin| buffers.role(pin)),
                None => known.get(cell)?.role(pin, index, buffers.limit),
            };
            let mut module = Module::of(netlist, liberty, role);
            ports.inputs().for_each(|(input, _)| module.drive(&input, buffers.limit));
            module.insert_buffers(buffers);
            module.tell(&mut ports);
            for added in &module.added {
                *result.cells.entry(added.cell.into()).or_insert(0) += 1;
            }
            if !module.added.is_empty() {
                result.netlist = module.netlist.text();
            }
        }
        known.insert(name, ports);
        parts.insert(name, result);
    }
    Ok(parts)
}

/// A part as its parent sees it: load and depth of every bit of every input, and which ports are outputs.
struct Ports(BTreeMap<String, (Direction, Vec<Seen>)>);

/// A net seen from its driver.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Capacitance of all that reads it.
    load: f64,
    /// The most gates on a way from here to a register, a pin or an SRAM: the delay that it can least afford.
    depth: usize,
}

impl Ports {
    /// Ports with nothing behind them but a load.
    fn of(ports: &[verilog::tree::Port], load: f64) -> Ports {
        let port = |p: &verilog::tree::Port| (p.name.clone(), (p.direction, vec![Seen { load, depth: 0 }; p.width]));
        Ports(ports.iter().map(port).collect())
    }

    /// The nets inside the part that are bits of an input; not the clock, which is ideal everywhere.
    fn inputs(&mut self) -> impl Iterator<Item = (String, &mut Seen)> {
        let inputs =
            self.0.iter_mut().filter(|(name, (direction, _))| *direction == Direction::Input && *name != "clock");
        inputs.flat_map(|(name, (_, bits))| {
            let wide = bits.len() > 1;
            bits.iter_mut().enumerate().map(move |(i, seen)| (netlist::bit(name, wide.then_some(i)), seen))
        })
    }

    /// The role of a port's bit for the net on it.
    fn role(&self, port: &str, index: usize, limit: f64) -> Option<Role> {
        match self.0.get(port)? {
            (Direction::Input, bits) => bits.get(index).map(|seen| Role::Reads(*seen)),
            (Direction::Output, _) => Some(Role::Drives { limit }),
        }
    }
}

/// A reader of a net.
#[derive(Clone, Copy)]
struct Reader {
    target: Target,
    seen: Seen,
}

#[derive(Clone, Copy)]
enum Target {
    /// A pin of the netlist.
    Pin(Place),
    /// An added buffer, by its number.
    Buffer(usize),
}

fn load(readers: &[Reader]) -> f64 {
    readers.iter().map(|r| r.seen.load).sum()
}

#[derive(Default)]
struct Net {
    name: String,
    /// The load that its driver may have; `None` if the driver is ideal.
    limit: Option<f64>,
    readers: Vec<Reader>,
}

impl Net {
    fn load(&self) -> f64 {
        load(&self.readers)
    }

    /// The readers for one buffer: as many from the end as it may drive and as the net has to get rid of.
    fn take_group(&mut self, buffers: &Buffers) -> Vec<Reader> {
        let target = self.limit.unwrap_or(f64::INFINITY) - buffers.trunk.load;
        let mut left = self.load();
        let mut group: Vec<Reader> = vec![];
        let mut load = 0.0;
        while let Some(reader) = self.readers.last().copied() {
            if !group.is_empty() && (left <= target || load + reader.seen.load > buffers.limit) {
                break;
            }
            self.readers.pop();
            left -= reader.seen.load;
            load += reader.seen.load;
            group.push(reader);
        }
        group
    }
}

/// The role of a pin for its net.
enum Role {
    /// With the capacitance that it may drive.
    Drives { limit: f64 },
    /// With what lies behind the pin; a gate's is found later.
    Reads(Seen),
}

/// A buffer that is new in a netlist.
struct Added<'a> {
    cell: &'a str,
    input: &'a str,
    output: &'a str,
    /// The net on its input.
    source: String,
}

/// The netlist of one part while it gets buffers.
struct Module<'a> {
    netlist: Netlist<'a>,
    /// One flag per instance: it is a gate, that is a cell without state.
    gates: Vec<bool>,
    nets: Vec<Net>,
    by_name: BTreeMap<String, usize>,
    /// The nets that each instance drives.
    driven: Vec<Vec<usize>>,
    added: Vec<Added<'a>>,
}

impl<'a> Module<'a> {
    fn of(netlist: Netlist<'a>, liberty: &Liberty, role: impl Fn(&str, &str, usize) -> Option<Role>) -> Self {
        let is_gate = |cell: &str| liberty.cells.get(cell).is_some_and(|c| !c.sequential);
        let gates = netlist.instances.iter().map(|i| is_gate(i.cell)).collect();
        let driven = vec![vec![]; netlist.instances.len()];
        let mut module = Module { netlist, gates, nets: vec![], by_name: BTreeMap::new(), driven, added: vec![] };
        for (place, name, role) in module.pins(role) {
            let net = module.net(&name);
            match role {
                Role::Drives { limit } => {
                    module.nets[net].limit = Some(limit);
                    module.driven[place.instance].push(net);
                }
                Role::Reads(seen) => module.nets[net].readers.push(Reader { target: Target::Pin(place), seen }),
            }
        }
        module.find_depths();
        module
    }

    /// Every bit of a pin that has a net and a role.
    fn pins(&self, role: impl Fn(&str, &str, usize) -> Option<Role>) -> Vec<(Place, String, Role)> {
        let mut all = vec![];
        for (instance, gate) in self.netlist.instances.iter().enumerate() {
            for (pin, on) in gate.pins.iter().enumerate() {
                let mut index = 0;
                for (place, bits) in on.bits.iter().enumerate() {
                    if let (Some(net), Some(role)) = (bits.net(), role(gate.cell, on.name, index)) {
                        all.push((Place { instance, pin, bits: place }, net.to_string(), role));
                    }
                    index += bits.width;
                }
            }
        }
        all
    }

    /// Gives a net that nothing in the netlist drives a driver that is not ideal.
    fn drive(&mut self, name: &str, limit: f64) {
        let net = self.net(name);
        self.nets[net].limit = Some(limit);
    }

    fn net(&mut self, name: &str) -> usize {
        if let Some(net) = self.by_name.get(name) {
            return *net;
        }
        self.nets.push(Net { name: name.into(), ..Net::default() });
        self.by_name.insert(name.into(), self.nets.len() - 1);
        self.nets.len() - 1
    }

    /// The gate that a reader is a pin of.
    fn gate(&self, reader: &Reader) -> Option<usize> {
        match reader.target {
            Target::Pin(place) => self.gates[place.instance].then_some(place.instance),
            Target::Buffer(_) => None,
        }
    }

    /// Gives every reader that is a gate the depth of the logic from there.
    fn find_depths(&mut self) {
        let mut depths: Vec<Option<usize>> = vec![None; self.gates.len()];
        let mut open: Vec<(usize, bool)> = (0..self.gates.len()).map(|i| (i, false)).collect();
        // Depth first, without recursion: ripple carries are long.
        while let Some((instance, left)) = open.pop() {
            let readers = || self.driven[instance].iter().flat_map(|net| &self.nets[*net].readers);
            if left {
                let depth = |r: &Reader| self.gate(r).and_then(|g| depths[g]).unwrap_or(r.seen.depth);
                depths[instance] = Some(1 + readers().map(depth).max().unwrap_or(0));
            } else if depths[instance].is_none() {
                depths[instance] = Some(0);
                open.push((instance, true));
                open.extend(readers().filter_map(|r| self.gate(r)).map(|gate| (gate, false)));
            }
        }
        let depth = |reader: &Reader| self.gate(reader).and_then(|g| depths[g]).unwrap_or(reader.seen.depth);
        let found: Vec<Vec<usize>> = self.nets.iter().map(|net| net.readers.iter().map(depth).collect()).collect();
        for (net, found) in self.nets.iter_mut().zip(found) {
            net.readers.iter_mut().zip(found).for_each(|(reader, depth)| reader.seen.depth = depth);
        }
    }

    /// Buffers every net that is over its limit.
    fn insert_buffers(&mut self, buffers: &Buffers<'a>) {
        for net in 0..self.nets.len() {
            if self.nets[net].limit.is_some_and(|limit| self.nets[net].load() > limit) {
                self.grow_tree(net, buffers);
            }
        }
        for (number, new) in self.added.iter().enumerate() {
            let (input, output) = ((new.input, new.source.as_str()), (new.output, &*buffered_net(number)));
            self.netlist.add(new.cell, &format!("_buffer_{number}_"), input, output);
        }
    }

    /// Groups of readers go behind a buffer each, those with the shortest way first, until what is left is light enough.
    /// A buffer is a reader with a way longer by one, so it may go behind another in its turn.
    fn grow_tree(&mut self, net: usize, buffers: &Buffers<'a>) {
        let mut root = std::mem::take(&mut self.nets[net]);
        let limit = ROOT * root.limit.unwrap_or(f64::INFINITY);
        root.limit = Some(limit);
        root.readers.sort_by_key(|r| std::cmp::Reverse(r.seen.depth));
        while root.load() > limit {
            let mut group = root.take_group(buffers);
            if load(&group) <= buffers.over(&group).load {
                // Too light for a buffer of its own: the heavy reader that one buffer could not drive beside it gets one.
                let Some(heavy) = root.readers.pop() else {
                    root.readers.extend(group);
                    break;
                };
                root.readers.extend(std::mem::replace(&mut group, vec![heavy]));
            }
            let buffer = buffers.over(&group);
            let depth = 1 + group.iter().map(|r| r.seen.depth).max().unwrap_or(0);
            let number = self.added.len();
            let Buffer { cell, input, output, .. } = buffer;
            self.added.push(Added { cell, input, output, source: root.name.clone() });
            for reader in group {
                match reader.target {
                    Target::Pin(place) => self.netlist.connect(place, &buffered_net(number)),
                    Target::Buffer(other) => self.added[other].source = buffered_net(number),
                }
            }
            let place = root.readers.partition_point(|r| r.seen.depth > depth);
            let reader = Reader { target: Target::Buffer(number), seen: Seen { load: buffer.load, depth } };
            root.readers.insert(place, reader);
        }
        self.nets[net] = root;
    }

    /// The part's inputs as seen from outside.
    fn tell(&self, ports: &mut Ports) {
        for (name, seen) in ports.inputs() {
            if let Some(net) = self.by_name.get(&name).map(|net| &self.nets[*net]) {
                let depth = net.readers.iter().map(|r| r.seen.depth).max().unwrap_or(0);
                *seen = Seen { load: net.load(), depth };
            }
        }
    }
}

/// The net that an added buffer drives. Yosys names nets and cells `_123_`, and no unit has names that begin with `_`.
fn buffered_net(number: usize) -> String {
    format!("_buffered_{number}_")
}
