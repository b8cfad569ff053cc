//! Content of a routed DEF and of the LEF of its cells: the die, where each cell is, and the nets with their wires.

use std::collections::BTreeMap;

/// Lengths and places are in um.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Left, bottom, right, top.
    pub die: [f64; 4],
    pub cells: Vec<Placed>,
    pub nets: Vec<Net>,
}

/// A signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Net {
    pub name: String,
    /// `CELL/PIN`, or `PIN/NET` at the layout's border.
    pub pins: Vec<String>,
    pub wires: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub kind: String,
    pub x: f64,
    pub y: f64,
}

/// A straight piece of wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// `metal1` is 1.
    pub layer: usize,
    pub from: (f64, f64),
    pub to: (f64, f64),
}

impl Segment {
    fn length(&self) -> f64 {
        (self.to.0 - self.from.0).abs() + (self.to.1 - self.from.1).abs()
    }
}

impl Layout {
    pub fn width(&self) -> f64 {
        self.die[2] - self.die[0]
    }

    pub fn height(&self) -> f64 {
        self.die[3] - self.die[1]
    }

    /// The wires of all signals; those of power are none.
    pub fn wires(&self) -> impl Iterator<Item = &Segment> {
        self.nets.iter().flat_map(|net| &net.wires)
    }

    /// The length of all signals, in um.
    pub fn wire_length(&self) -> f64 {
        self.nets.iter().map(Net::length).sum()
    }
}

impl Net {
    /// In um.
    pub fn length(&self) -> f64 {
        self.wires.iter().map(Segment::length).sum()
    }
}

/// Takes a DEF apart; the error is a statement that is not understood.
pub fn parse(text: &str) -> Result<Layout, String> {
    let (mut layout, mut section, mut unit) = (Layout::default(), "", 1.0);
    for statement in text.split(';') {
        let mut words: Vec<&str> = statement.split_whitespace().collect();
        while words.first() == Some(&"END") {
            words.drain(..words.len().min(2));
        }
        let read = match (words.first().copied(), section) {
            (Some("UNITS"), _) => {
                words.last().and_then(|word| word.parse().ok()).map(|per_um: f64| unit = 1.0 / per_um)
            }
            (Some("DIEAREA"), _) => die(&words, unit).map(|die| layout.die = die),
            (Some("-"), "COMPONENTS") => placed(&words, unit).map(|cell| layout.cells.push(cell)),
            (Some("-"), "NETS") => net(&words, unit).map(|net| layout.nets.push(net)),
            (Some("-"), _) | (None, _) => Some(()),
            (Some(keyword), _) => {
                section = keyword;
                Some(())
            }
        };
        read.ok_or_else(|| words.join(" ").chars().take(60).collect::<String>())?;
    }
    Ok(layout)
}

fn die(words: &[&str], unit: f64) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).map(|n: f64| n * unit).collect();
    numbers.try_into().ok()
}

/// `- NAME KIND + PLACED ( X Y ) ORIENTATION`
fn placed(words: &[&str], unit: f64) -> Option<Placed> {
    let open = words.iter().position(|word| *word == "(")?;
    let at = |place: usize| Some(words.get(open + place)?.parse::<f64>().ok()? * unit);
    Some(Placed { kind: words.get(2)?.to_string(), x: at(1)?, y: at(2)? })
}

/// `- NAME ( CELL PIN ) ... + ROUTED ...`; a pin of the border is of the cell `PIN`.
fn net(words: &[&str], unit: f64) -> Option<Net> {
    let routed = words.iter().position(|word| *word == "+").unwrap_or(words.len());
    let (head, wires) = words.split_at(routed);
    let pins = head.get(2..)?.chunks(4).map(|pin| match pin {
        ["(", cell, pin, ")"] => Some(format!("{cell}/{pin}")),
        _ => None,
    });
    Some(Net { name: head[1].to_string(), pins: pins.collect::<Option<_>>()?, wires: segments(wires, unit)? })
}

/// `+ ROUTED LAYER ( X Y ) ( * Y ) VIA NEW LAYER ...`; `*` is the number before.
fn segments(words: &[&str], unit: f64) -> Option<Vec<Segment>> {
    let (mut segments, mut layer, mut last) = (vec![], None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match (*word, layer) {
            ("ROUTED" | "NEW", _) => {
                layer = Some(words.next()?.strip_prefix("metal")?.parse().ok()?);
                last = None;
            }
            ("(", Some(layer)) => {
                let (x, y) = (words.next()?, words.next()?);
                let (old_x, old_y) = last.unzip();
                let number = |word: &str, old: Option<f64>| match word {
                    "*" => old,
                    word => Some(word.parse::<f64>().ok()? * unit),
                };
                let to = (number(x, old_x)?, number(y, old_y)?);
                segments.extend(last.map(|from| Segment { layer, from, to }));
                last = Some(to);
            }
            _ => {}
        }
    }
    Some(segments)
}

/// Width and height of each cell, in um, from a LEF.
pub fn sizes(lef: &str) -> BTreeMap<String, (f64, f64)> {
    let (mut sizes, mut cell) = (BTreeMap::new(), "");
    for line in lef.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["MACRO", name, ..] => cell = name,
            ["SIZE", width, "BY", height, ..] => {
                if let (Ok(width), Ok(height)) = (width.parse(), height.parse()) {
                    sizes.insert(cell.to_string(), (width, height));
                }
            }
            _ => {}
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "VERSION 5.6 ;\nUNITS DISTANCE MICRONS 100 ;\nDIEAREA ( -300 0 ) ( 2100 1500 ) ;\n\
        TRACKS Y -300 DO 157 STEP 100 LAYER metal1 ;\nVIAS 1 ;\n- M2_M1\n + RECT metal1 ( -80 -20 ) ( 80 20 ) ;\nEND VIAS\n\
        COMPONENTS 1 ;\n- INVX1_1 INVX1 + PLACED ( 40 50 ) FS ;\nEND COMPONENTS\n\
        PINS 1 ;\n- a + NET a\n + LAYER metal3 ( -15 -15 ) ( 15 15 )\n + PLACED ( 5 -260 ) N ;\nEND PINS\n\
        NETS 1 ;\n- n1\n ( INVX1_1 A )\n ( PIN n1 )\n+ ROUTED metal1 ( 100 200 ) ( 300 * ) ( * 250 ) M2_M1\n \
        NEW metal2 ( 300 250 ) M3_M2\n ;\nEND NETS\nSPECIALNETS 1 ;\n- gnd\n+ ROUTED metal1 56 ( 0 0 ) ( 900 * ) ;\n\
        END SPECIALNETS\nEND DESIGN\n";

    #[test]
    fn die_cells_and_nets_are_found() {
        let layout = parse(SMALL).unwrap();
        assert_eq!((layout.die, layout.width(), layout.height()), ([-3.0, 0.0, 21.0, 15.0], 24.0, 15.0));
        assert_eq!(layout.cells, [Placed { kind: "INVX1".into(), x: 0.4, y: 0.5 }]);
        let segment = |from, to| Segment { layer: 1, from, to };
        let wires = vec![segment((1.0, 2.0), (3.0, 2.0)), segment((3.0, 2.0), (3.0, 2.5))];
        assert_eq!(layout.nets, [Net { name: "n1".into(), pins: vec!["INVX1_1/A".into(), "PIN/n1".into()], wires }]);
        assert_eq!(layout.wire_length(), 2.5, "power is not counted");
    }

    #[test]
    fn a_net_that_is_not_understood_is_named() {
        for (old, new) in [("( 300 * )", "( 3x0 * )"), ("( PIN n1 )", "( PIN )")] {
            let problem = parse(&SMALL.replace(old, new)).unwrap_err();
            assert!(problem.starts_with("- n1 ( INVX1_1 A )"), "{problem}");
        }
    }

    #[test]
    fn cells_have_sizes() {
        let lef = "MACRO INVX1\n  CLASS CORE ;\n  SIZE 1.6 BY 10 ;\nEND INVX1\nMACRO FILL\n SIZE 0.8 BY 10 ;\n";
        assert_eq!(sizes(lef), [("INVX1".to_string(), (1.6, 10.0)), ("FILL".to_string(), (0.8, 10.0))].into());
    }
}
