//! Gates as Yosys writes them (`write_verilog -noattr -simple-lhs`): the instances and the nets on their pins, bit by
//! bit. Pins can go to other nets and instances can be added; everything else stays the text that it is.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// One module in gates.
pub struct Netlist<'a> {
    lines: Vec<&'a str>,
    pub instances: Vec<Instance<'a>>,
    /// Pins with other nets than in the text.
    changed: Vec<Place>,
    /// Declarations and instances that are not in the text.
    added: String,
}

pub struct Instance<'a> {
    /// A cell of the library or another module.
    pub cell: &'a str,
    pub pins: Vec<Pin<'a>>,
}

pub struct Pin<'a> {
    pub name: &'a str,
    /// Nets on the pin, least significant first.
    pub bits: Vec<Bits>,
    line: usize,
}

/// A bit of a net, or a constant of one bit or more, as Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    text: String,
    pub width: usize,
}

impl Bits {
    /// The name of the net, the same wherever it is on a pin.
    pub fn net(&self) -> Option<&str> {
        (!self.text.starts_with(|c: char| c.is_ascii_digit())).then_some(&self.text)
    }
}

/// Instance, pin, and place among the pin's [`Bits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub instance: usize,
    pub pin: usize,
    pub bits: usize,
}

impl<'a> Netlist<'a> {
    /// Takes the text apart; the error is a line that is not understood.
    pub fn parse(text: &'a str) -> Result<Netlist<'a>, &'a str> {
        let lines: Vec<&str> = text.lines().collect();
        let mut ranges: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut instances: Vec<Instance> = vec![];
        let mut open = false;
        for (place, line) in lines.iter().enumerate() {
            let content = line.trim();
            if let Some((name, range)) = declaration(content) {
                ranges.insert(name, range);
            } else if let Some(cell) = content.strip_suffix('(').and_then(|head| head.split_whitespace().next()) {
                instances.push(Instance { cell, pins: vec![] });
                open = true;
            } else if content == ");" {
                open = false;
            } else if let (true, Some(instance)) = (open, instances.last_mut()) {
                let (name, value) = pin(content).ok_or(*line)?;
                instance.pins.push(Pin { name, bits: bits(value, &ranges).ok_or(*line)?, line: place });
            }
        }
        Ok(Netlist { lines, instances, changed: vec![], added: String::new() })
    }

    /// Puts another net in one place.
    pub fn connect(&mut self, place: Place, net: &str) {
        self.instances[place.instance].pins[place.pin].bits[place.bits].text = net.into();
        self.changed.push(place);
    }

    /// Adds the instance `name` of a cell, its pins, and the net that it drives.
    pub fn add(&mut self, cell: &str, name: &str, (input, source): (&str, &str), (output, net): (&str, &str)) {
        let _ = write!(
            self.added,
            "  wire {net};\n  {cell} {name} (\n    .{input}({source}),\n    .{output}({net})\n  );\n"
        );
    }

    /// The module as Verilog.
    pub fn text(&self) -> String {
        let mut changed: BTreeMap<usize, &Pin> = BTreeMap::new();
        for place in &self.changed {
            let pin = &self.instances[place.instance].pins[place.pin];
            changed.insert(pin.line, pin);
        }
        // The first instance follows all declarations of the module.
        let first = self.instances.iter().flat_map(|i| &i.pins).map(|p| p.line).min().map_or(0, |line| line - 1);
        let mut text = String::new();
        for (place, line) in self.lines.iter().enumerate() {
            if place == first {
                text += &self.added;
            }
            match changed.get(&place) {
                Some(pin) => {
                    let comma = if line.ends_with(',') { "," } else { "" };
                    let _ = writeln!(text, "    .{}({}){comma}", pin.name, concatenation(&pin.bits));
                }
                None => {
                    text += line;
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// `wire [7:0] name;`: the name, and the range's ends.
fn declaration(line: &str) -> Option<(&str, (usize, usize))> {
    let (kind, rest) = line.split_once(' ')?;
    if !["wire", "input", "output"].contains(&kind) {
        return None;
    }
    let (range, name) = rest.strip_prefix('[')?.split_once(']')?;
    let (high, low) = range.split_once(':')?;
    Some((name.strip_suffix(';')?.trim(), (high.parse().ok()?, low.parse().ok()?)))
}

/// `.A(net),`: `A` and `net`.
fn pin(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_suffix(',').unwrap_or(line);
    line.strip_prefix('.')?.strip_suffix(')')?.split_once('(')
}

/// A net, a part of one, a constant, or a concatenation of such.
fn bits(value: &str, ranges: &BTreeMap<&str, (usize, usize)>) -> Option<Vec<Bits>> {
    let operands = match value.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}')?.split(", ").collect(),
        None if value.is_empty() => vec![],
        None => vec![value],
    };
    let mut all = vec![];
    for operand in operands.into_iter().rev().map(str::trim) {
        if let Some((width, _)) = operand.split_once('\'').filter(|_| operand.starts_with(|c: char| c.is_ascii_digit()))
        {
            all.push(Bits { text: operand.into(), width: width.parse().ok()? });
            continue;
        }
        // The name of an escaped identifier ends with a space, and may have brackets itself.
        let after = if operand.starts_with('\\') { operand.find(' ') } else { operand.find('[') };
        let (name, select) = operand.split_at(after.unwrap_or(operand.len()));
        let select = match select.trim() {
            "" => ranges.get(name).map(|(high, low)| *low..high + 1),
            select => Some(indices(select.strip_prefix('[')?.strip_suffix(']')?)?),
        };
        match select {
            Some(select) => all.extend(select.map(|i| Bits { text: bit(name, Some(i)), width: 1 })),
            None => all.push(Bits { text: bit(name, None), width: 1 }),
        }
    }
    Some(all)
}

/// `7:4` or `5`.
fn indices(select: &str) -> Option<Range<usize>> {
    let (high, low) = select.split_once(':').unwrap_or((select, select));
    Some(low.parse().ok()?..high.parse::<usize>().ok()? + 1)
}

/// The name of a net, or of one bit of it.
pub fn bit(name: &str, index: Option<usize>) -> String {
    let space = if name.starts_with('\\') { " " } else { "" };
    match index {
        Some(index) => format!("{name}{space}[{index}]"),
        None => format!("{name}{space}"),
    }
}

fn concatenation(bits: &[Bits]) -> String {
    let operands: Vec<&str> = bits.iter().rev().map(|b| b.text.as_str()).collect();
    match operands[..] {
        [one] => one.into(),
        _ => format!("{{ {} }}", operands.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "/* Generated by Yosys */\n\nmodule m(a, y);\n  wire _0_;\n  input [3:0] a;\n  wire [3:0] a;\n  \
        wire [1:0] \\b.c ;\n  output y;\n  INV \\b.c[0]$x  (\n    .A(\\b.c [1]),\n    .Y(_0_)\n  );\n  \
        box in (\n    .clock(),\n    .d({ \\b.c , 2'h1, a[3:2], _0_ }),\n    .q(y)\n  );\n  assign y = a[0];\nendmodule\n";

    fn on(netlist: &Netlist, instance: usize, pin: usize) -> Vec<String> {
        netlist.instances[instance].pins[pin].bits.iter().map(|b| b.text.clone()).collect()
    }

    #[test]
    fn pins_are_taken_apart_bit_by_bit() {
        let netlist = Netlist::parse(SMALL).unwrap();
        let cells: Vec<&str> = netlist.instances.iter().map(|i| i.cell).collect();
        assert_eq!(cells, ["INV", "box"]);
        assert_eq!(on(&netlist, 0, 0), ["\\b.c [1]"]);
        assert_eq!(on(&netlist, 1, 0), [""; 0]);
        assert_eq!(on(&netlist, 1, 1), ["_0_", "a[2]", "a[3]", "2'h1", "\\b.c [0]", "\\b.c [1]"]);
        assert_eq!(netlist.instances[1].pins[1].bits[3].net(), None);
    }

    #[test]
    fn what_does_not_change_is_the_same_text() {
        assert_eq!(Netlist::parse(SMALL).unwrap().text(), SMALL);
    }

    #[test]
    fn changes_and_additions_are_in_the_text() {
        let mut netlist = Netlist::parse(SMALL).unwrap();
        netlist.connect(Place { instance: 1, pin: 1, bits: 0 }, "n");
        netlist.add("BUF", "b", ("A", "_0_"), ("Y", "n"));
        let expected = SMALL
            .replace("{ \\b.c , 2'h1, a[3:2], _0_ }", "{ \\b.c [1], \\b.c [0], 2'h1, a[3], a[2], n }")
            .replace("  INV", "  wire n;\n  BUF b (\n    .A(_0_),\n    .Y(n)\n  );\n  INV");
        assert_eq!(netlist.text(), expected);
    }

    #[test]
    fn a_pin_that_is_no_net_is_refused() {
        let text = SMALL.replace("_0_)", "_0_ & a[0])");
        assert!(Netlist::parse(&text.replace("(_0_ & a[0])", "(_0_ & a[0]")).is_err());
    }
}
