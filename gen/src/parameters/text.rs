//! The text of a module with parameters.

use super::condition::Condition;
use super::formula::{Atom, Formula};
use super::group::{body, header, Chosen, Column, Group, Library};
use super::words::{Piece, Words};
use std::collections::{BTreeMap, BTreeSet};
use verilog::names::reserve;

/// Columns of a line.
const LINE: usize = 120;

/// A formula for each number, and one for the number and one.
type Numbers = std::vec::IntoIter<(Formula, Option<Formula>)>;

/// A module that is in no file: elaboration ends where nothing proves a text at a size.
const NO_TEXT: &str = "unruly_verilog_writes_other_sizes";

/// The module from `module` to `endmodule`.
pub fn module(library: &Library, group: usize, chosen: &Chosen) -> String {
    let (name, representative) = &chosen[&group];
    let group = &library.groups[group];
    let module = group.members[*representative];
    let words = &library.words[module];
    let names = instance_names(library, group, words);
    let taken = taken(body(&library.texts[module]));
    let clashes = group.parameters.iter().filter(|name| taken.contains(*name)).cloned().collect();
    let mut writer = Writer {
        library,
        group,
        chosen,
        in_use: library.in_use(group, chosen),
        is_memory: library.modules[module].is_memory(),
        words,
        names,
        taken: taken.into_iter().chain(group.parameters.iter().cloned()).collect(),
        clashes,
        widths: BTreeMap::new(),
        values: BTreeMap::new(),
        constants: BTreeMap::new(),
        out: String::new(),
    };
    writer.pieces();
    let ports = writer.ports(module);
    let declarations = writer.declarations();
    let guard = writer.guard();
    let parameters = writer.parameter_list(*representative);
    let body = lint_on(&format!("{declarations}{}", writer.out));
    aligned(&folded(&format!("module {name}{parameters} (\n{ports});\n{guard}{body}\nendmodule\n")))
}

struct Writer<'l, 'a> {
    library: &'l Library<'a>,
    group: &'l Group,
    chosen: &'l Chosen,
    /// Members all of whose parts are in files.
    in_use: Vec<usize>,
    is_memory: bool,
    words: &'l Words,
    /// Names of the children.
    names: Vec<String>,
    taken: BTreeSet<String>,
    /// Names of parameters that the text uses for constants.
    clashes: BTreeSet<String>,
    /// Names of widths, by what they are.
    widths: BTreeMap<Atom, String>,
    /// Names of sized numbers: width and value.
    values: BTreeMap<(String, String), String>,
    /// Names of constants in the text.
    constants: BTreeMap<(String, String), String>,
    out: String,
}

impl Writer<'_, '_> {
    /// The text with another name for constants that are called as a parameter is.
    fn own_names(&self, text: &str) -> String {
        let mut out = text.to_string();
        for name in self.group.parameters.iter().filter(|name| self.clashes.contains(*name)) {
            let parts = out.split(name.as_str()).collect::<Vec<_>>();
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let mut joined = String::from(parts[0]);
            for part in &parts[1..] {
                let alone = !is_word(joined.chars().next_back()) && !is_word(part.chars().next());
                joined += &format!("{name}{}{part}", if alone { "_VALUE" } else { "" });
            }
            out = joined;
        }
        out
    }

    fn parameter_list(&self, representative: usize) -> String {
        let value = |(name, value): (&String, &i64)| format!("    parameter {name} = {value}");
        let values: Vec<String> =
            self.group.parameters.iter().zip(&self.group.values[representative]).map(value).collect();
        match values.as_slice() {
            [] => String::new(),
            values => format!(" #(\n{}\n)", values.join(",\n")),
        }
    }

    fn ports(&self, module: usize) -> String {
        let plain = |atom: Atom| self.plain(atom);
        let mut lines = vec![];
        let wires = header(&self.library.modules[module]).lines().skip(1);
        for (pin, line) in wires.enumerate() {
            let port = &self.library.modules[module].ports[pin];
            let kind: Vec<&str> = line.split_whitespace().take(2).collect();
            let widths = self.library.widths(self.group, pin);
            let formula = self.group.formula(&widths);
            let range = match formula.as_ref().map(|formula| (formula.as_constant(), formula)) {
                Some((Some(1), _)) => String::new(),
                Some((Some(width), _)) => format!("[{}:0] ", width - 1),
                Some((None, formula)) => format!("[{}:0] ", compact(&formula.less_one().text(&plain))),
                None => unreachable!("every width has a formula"),
            };
            lines.push(format!("    {} {} {range}{}", kind[0], kind[1], port.name));
        }
        lines.join(",\n") + "\n"
    }

    fn plain(&self, atom: Atom) -> String {
        let name = &self.group.parameters[atom.parameter()];
        match atom {
            Atom::Parameter(_) => name.clone(),
            Atom::Bits(_) => format!("$clog2({name})"),
            Atom::CountBits(_) => format!("($clog2({name}) + 1)"),
        }
    }

    /// The text, for which widths get names.
    fn formula(&mut self, formula: &Formula) -> String {
        for atom in formula.atoms() {
            if !matches!(atom, Atom::Parameter(_)) && !self.widths.contains_key(&atom) {
                let thing = singular(&self.group.parameters[atom.parameter()]);
                let wanted = match atom {
                    Atom::CountBits(_) => format!("{thing}_COUNT_WIDTH"),
                    _ => format!("{thing}_WIDTH"),
                };
                let name = reserve(&wanted, &mut self.taken);
                self.widths.insert(atom, name);
            }
        }
        formula.text(&|atom| match self.widths.get(&atom) {
            Some(name) => name.clone(),
            None => self.plain(atom),
        })
    }

    fn pieces(&mut self) {
        let columns = self.library.columns(self.group);
        let formula = |column: &Column| {
            let more: Column = column.iter().map(|value| value.map(|value| value + 1)).collect();
            (self.group.formula(column).expect("every number has a formula"), self.group.formula(&more))
        };
        let formulas: Vec<_> = columns.iter().map(formula).collect();
        self.write(&self.words.pieces, &mut formulas.into_iter());
    }

    fn write(&mut self, pieces: &[Piece], numbers: &mut Numbers) {
        let mut rest = pieces;
        while let Some((piece, behind)) = rest.split_first() {
            rest = behind;
            let mut take = || numbers.next().expect("a formula for each number");
            match piece {
                Piece::Text(text) => self.out += &self.own_names(text),
                Piece::Named(child, end) => self.out += &format!("{}{end}", self.names[*child]),
                Piece::Number => {
                    let (number, and_one) = take();
                    let text = self.number(&number, and_one.as_ref(), rest.first());
                    self.out += &text;
                }
                Piece::Sized => {
                    let (width, value) = (take().0, take().0);
                    let text = self.sized(&width, &value);
                    self.out += &text;
                }
                Piece::Child(child) => match self.alternatives(*child).as_slice() {
                    [only] => {
                        let head = self.instance_head(*child, *only);
                        self.out += &head;
                    }
                    several => rest = self.several(*child, several, rest, numbers),
                },
            }
        }
    }

    /// A child that is one of several modules, whose pins stand at the beginning of `rest`. Gives what is behind them.
    fn several<'p>(
        &mut self,
        child: usize,
        modules: &[usize],
        rest: &'p [Piece],
        numbers: &mut Numbers,
    ) -> &'p [Piece] {
        let end = rest.iter().position(ends_instance).expect("an instance ends");
        let before = std::mem::take(&mut self.out);
        self.write(&rest[..end], numbers);
        let mut pins = std::mem::replace(&mut self.out, before);
        let Piece::Text(last) = &rest[end] else { unreachable!("an instance ends in a text") };
        let (end_of_pins, behind) = last.split_once(");\n").expect("an instance ends");
        pins += &format!("{end_of_pins});\n");
        self.choice(child, modules, &pins);
        self.out += &self.own_names(behind);
        &rest[end + 1..]
    }

    fn number(&mut self, number: &Formula, and_one: Option<&Formula>, next: Option<&Piece>) -> String {
        if let Some(constant) = number.as_constant() {
            return constant.to_string();
        }
        // A range reads as a width.
        let range = self.out.ends_with('[') && matches!(next, Some(Piece::Text(text)) if text.starts_with(':'));
        if let (true, Some(width)) = (range, and_one) {
            return format!("{}-1", compact(&self.formula(width)));
        }
        let text = self.formula(number);
        let before = self.out.trim_end().chars().next_back().unwrap_or(' ');
        let next = match next {
            Some(Piece::Text(text)) => text.trim_start().chars().next().unwrap_or(' '),
            _ => ' ',
        };
        let in_brackets = self.out.rfind('[') > self.out.rfind(']').max(self.out.rfind('\n'));
        let is_sum = text.contains(' ');
        let text = if in_brackets { compact(&text) } else { text };
        let binds = "*/".contains(before) || "*/".contains(next) || (before == '-' && is_sum) || next == '{';
        let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match (is_sum && binds) || (!simple && (before == '*' || next == '{')) {
            true => format!("({text})"),
            false => text,
        }
    }

    fn sized(&mut self, width: &Formula, value: &Formula) -> String {
        match (width.as_constant(), value.as_constant()) {
            (Some(width), Some(value)) => return literal(width, value),
            (None, Some(0)) => {
                let width = self.formula(width);
                return format!("{{{}{{1'b0}}}}", in_parentheses(&width));
            }
            _ => {}
        }
        let sizes: Vec<&Vec<i64>> = self.group.values.iter().collect();
        let all = |test: &dyn Fn(i64, i64) -> bool| sizes.iter().all(|size| test(width.value(size), value.value(size)));
        if all(&|width, value| width < 62 && value == (1 << width) - 1) {
            let width = self.formula(width);
            return format!("{{{}{{1'b1}}}}", in_parentheses(&width));
        }
        if value.as_constant() == Some(1) && (self.out.ends_with("+ ") || self.out.ends_with("- ")) {
            return String::from("1'b1");
        }
        if value.as_constant() == Some(1) && all(&|width, _| width > 1) {
            let zeros = in_parentheses(&self.formula(&width.plus_constant(-1)));
            return format!("{{{{{zeros}{{1'b0}}}}, 1'b1}}");
        }
        let (width, value) = (self.formula(width), self.formula(value));
        // The value of a constant of the text.
        let key = (width, value.clone());
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        if line.trim_start().starts_with("localparam ") {
            let name = line.trim_end_matches(['=', ' ']).rsplit(' ').next().unwrap_or_default();
            self.constants.entry(key).or_insert(name.into());
            return value;
        }
        if let Some(name) = self.values.get(&key).or(self.constants.get(&key)) {
            return name.clone();
        }
        let words: String = value.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
        let words: Vec<&str> = words.split_whitespace().collect();
        let name = reserve(&format!("VALUE_{}", words.join("_")), &mut self.taken);
        self.values.insert(key, name.clone());
        name
    }

    /// The modules that a child is in the sizes in use.
    fn alternatives(&self, child: usize) -> Vec<usize> {
        let found: BTreeSet<usize> = self.in_use.iter().map(|member| self.child(*member, child)).collect();
        found.into_iter().collect()
    }

    /// The group of a child of a member.
    fn child(&self, member: usize, child: usize) -> usize {
        self.library.child(self.group.members[member], child).0
    }

    /// Module and parameters of a child.
    fn instance_head(&mut self, child: usize, group: usize) -> String {
        let columns = self.library.child_columns(self.group, child, group);
        let mut values = vec![];
        for (name, column) in self.library.groups[group].parameters.iter().zip(columns) {
            let formula = self.group.formula(&column).expect("every parameter of a child has a formula");
            values.push(format!(".{name}({})", self.formula(&formula)));
        }
        let module = &self.chosen[&group].0;
        match values.as_slice() {
            [] => module.clone(),
            values => format!("{module} #({})", values.join(", ")),
        }
    }

    /// A child that is one of several modules. The last is what is left: the guard lets no other size by.
    fn choice(&mut self, child: usize, alternatives: &[usize], pins: &str) {
        let line_start = self.out.rfind('\n').map_or(0, |i| i + 1);
        let before = self.out.split_off(line_start);
        let (first, rest) = pins.split_once('\n').unwrap_or((pins, ""));
        let rest = rest.split_inclusive('\n').map(|line| format!("    {line}"));
        let pins = format!("{first}\n{}", rest.collect::<String>());
        let name = self.names[child].clone();
        self.out += &before;
        for (i, module) in alternatives.iter().enumerate() {
            let head = self.instance_head(child, *module);
            if i + 1 < alternatives.len() {
                self.out += &format!("if ({}) ", self.condition(child, *module).text());
            }
            self.out += &format!("begin : {name}_{i}\n{before}    {head}{pins}{before}end");
            self.out += if i + 1 < alternatives.len() { " else " } else { "\n" };
        }
    }

    /// The condition on the fewest parameters that tell the sizes in use with this child from the others.
    fn condition(&self, child: usize, module: usize) -> Condition {
        let (with, without): (Vec<usize>, Vec<usize>) =
            self.in_use.iter().partition(|member| self.child(**member, child) == module);
        let values = |members: &[usize], parameters: &[usize]| -> BTreeSet<Vec<i64>> {
            let value = |m: &usize| parameters.iter().map(|p| self.group.values[*m][*p]).collect();
            members.iter().map(value).collect()
        };
        let all: Vec<usize> = (0..self.group.parameters.len()).collect();
        let subsets = (0..=all.len()).flat_map(|count| super::group::subsets(&all, count));
        let telling = subsets.filter(|some| values(&with, some).is_disjoint(&values(&without, some)));
        let conditions = telling.map(|some| {
            let names: Vec<String> = some.iter().map(|p| self.group.parameters[*p].clone()).collect();
            Condition::of(&names, &values(&with, &some))
        });
        conditions.min_by_key(|condition| condition.text().len()).expect("sizes tell children apart")
    }

    /// Elaboration ends with a size that is not in use. A memory is right in any size.
    fn guard(&self) -> String {
        if self.group.parameters.is_empty() || self.is_memory {
            return String::new();
        }
        let sizes = self.in_use.iter().map(|m| self.group.values[*m].clone()).collect();
        let other_size = Condition::of(&self.group.parameters, &sizes).fails(LINE - 40);
        format!(
            "\n    // Other sizes are not proven.\n    if ({other_size}) begin : other_size\n        {NO_TEXT} none ();\n    end\n"
        )
    }

    fn declarations(&self) -> String {
        let mut text = String::new();
        for (atom, name) in &self.widths {
            text += &format!("    localparam {name} = {};\n", without_outer(&self.plain(*atom)));
        }
        for ((width, value), name) in &self.values {
            text += &format!("    localparam [{}:0] {name} = {value};\n", msb(width));
        }
        let sized = !self.values.is_empty() || self.out.lines().any(is_sized_constant);
        match (text.is_empty(), sized) {
            (true, false) => text,
            (_, false) => format!("\n{text}"),
            _ => format!("\n    /* verilator lint_off WIDTH */\n{text}"),
        }
    }
}

/// Ends the lines in which a parameter becomes a number of fewer bits.
fn lint_on(body: &str) -> String {
    if !body.contains("lint_off WIDTH") {
        return body.into();
    }
    let last = body.rfind("\n    localparam ").map_or(0, |i| i + 1);
    let end = body[last..].find('\n').map_or(body.len(), |i| last + i + 1);
    format!("{}    /* verilator lint_on WIDTH */\n{}", &body[..end], &body[end..])
}

fn is_sized_constant(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("localparam [") && !line.contains('\'')
}

fn without_outer(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

fn msb(width: &str) -> String {
    match width.parse::<i64>() {
        Ok(width) => (width - 1).to_string(),
        Err(_) => compact(&format!("{width} - 1")),
    }
}

fn literal(width: i64, value: i64) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ if value < 1024 => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

fn compact(text: &str) -> String {
    text.replace(" - ", "-").replace(" + ", "+")
}

fn in_parentheses(text: &str) -> String {
    match text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => text.into(),
        false => format!("({text})"),
    }
}

fn singular(name: &str) -> String {
    match name.strip_suffix("IES") {
        Some(stem) => format!("{stem}Y"),
        None => name.strip_suffix('S').unwrap_or(name).into(),
    }
}

fn taken(body: &str) -> BTreeSet<String> {
    body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(String::from).collect()
}

fn ends_instance(piece: &Piece) -> bool {
    matches!(piece, Piece::Text(text) if text.lines().any(|line| line.trim() == ");" || line.ends_with(");") && line.trim_start().starts_with(')')))
}

/// Names of the children: what those of all members have in common.
fn instance_names(library: &Library, group: &Group, words: &Words) -> Vec<String> {
    let name = |place: usize| {
        let all = group.members.iter().map(|m| library.words[*m].children[place].instance.as_str());
        let common = crate::merge::common_words(all).join("_");
        if common.is_empty() {
            words.children[place].instance.clone()
        } else {
            common
        }
    };
    (0..words.children.len()).map(name).collect()
}

/// Lines of at most so many columns.
fn folded(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line.to_string();
        let indent = " ".repeat(line.len() - line.trim_start().len() + 4);
        while rest.len() > LINE {
            let Some(place) = break_place(&rest).filter(|place| *place > indent.len()) else { break };
            out += &rest[..place];
            out.push('\n');
            rest = format!("{indent}{}", rest[place..].trim_start());
        }
        out += rest.trim_end();
        out.push('\n');
    }
    out
}

/// The last blank that fits, outside of brackets, and beside no word that belongs to the next.
fn break_place(line: &str) -> Option<usize> {
    let binds = |i: usize| {
        let (before, behind) = line.split_at(i);
        ["==", "begin", "begin :"].iter().any(|word| before.ends_with(word)) || behind.starts_with(" ==")
    };
    let mut depth = 0;
    let mut last = None;
    for (i, c) in line.char_indices().take_while(|(i, _)| *i <= LINE) {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ' ' if depth == 0 && !binds(i) => last = Some(i),
            _ => {}
        }
    }
    last
}

/// Declarations side by side: ranges and names in columns.
fn aligned(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    let mut start = 0;
    while start < lines.len() {
        let end = start + lines[start..].iter().take_while(|line| declaration(line).is_some()).count();
        let parts: Vec<_> = lines[start..end].iter().filter_map(|line| declaration(line)).collect();
        let width = |part: fn(&(String, String, String)) -> usize| parts.iter().map(part).max().unwrap_or(0);
        let (kind, range) = (width(|p| p.0.len()), width(|p| p.1.len()));
        for (head, bits, name) in &parts {
            let bits = if range == 0 { String::new() } else { format!("{bits:range$} ") };
            out += &format!("    {head:kind$} {bits}{name}\n");
        }
        if end < lines.len() {
            out += lines[end];
            out.push('\n');
        }
        start = end + 1;
    }
    out
}

/// Kind, range and name.
fn declaration(line: &str) -> Option<(String, String, String)> {
    let line = line.strip_prefix("    ").filter(|line| !line.starts_with(' '))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let count = match words.as_slice() {
        ["input" | "output", "wire" | "reg", ..] => 2,
        ["wire" | "reg", ..] if line.ends_with(';') && !line.contains('=') => 1,
        _ => return None,
    };
    let head = match words[..count] {
        ["input", kind] => format!("input  {kind:4}"),
        ["output", kind] => format!("output {kind:4}"),
        ref head => format!("{:4}", head[0]),
    };
    let rest = words[count..].join(" ");
    match rest.rfind("] ") {
        Some(end) if rest.starts_with('[') && !rest.ends_with("];") => {
            Some((head, rest[..=end].into(), rest[end + 2..].into()))
        }
        _ if rest.contains('[') => None,
        _ => Some((head, String::new(), rest)),
    }
}
