//! Reads the Verilog that the emitter prints. Anything else is refused.

use crate::tree::{Direction, Expr, Item, Linear, Module, Port, Shape, Shapes};
use std::collections::BTreeMap;

type Parsed<T> = Result<T, String>;

/// Words of operators, the longer ones first.
const SYMBOLS: [&str; 31] = [
    "<=", "==", "!=", ">=", "&&", "||", "<<", ">>", "+:", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "~", "!",
    "&", "|", "^", "+", "-", "<", ">", "=", ".", "@",
];

/// Binary operators from the weakest to the strongest.
const BINARY: [&[&str]; 9] =
    [&["||"], &["&&"], &["|"], &["^"], &["&"], &["==", "!="], &["<", "<=", ">", ">="], &["<<", ">>"], &["+", "-"]];

/// The module of a text that [`crate::print`] of `gen` wrote.
pub fn module(text: &str) -> Parsed<Module> {
    let mut parser = Parser { words: words(text)?, place: 0, shapes: Shapes::new(), functions: BTreeMap::new() };
    parser.module()
}

/// Words; comments as `// text`, a function as one word.
fn words(text: &str) -> Parsed<Vec<&str>> {
    let mut words = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("function ") {
            rest.find("endfunction").ok_or("a function without an end")? + "endfunction".len()
        } else if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '\'').unwrap_or(rest.len())
        } else if rest.starts_with("*)") || first == '*' {
            1
        } else {
            match SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
                Some(symbol) => symbol.len(),
                None => return Err(format!("no word of the emitter: {first}")),
            }
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

struct Parser<'a> {
    words: Vec<&'a str>,
    place: usize,
    shapes: Shapes,
    /// Width of what each function gives.
    functions: BTreeMap<String, usize>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        self.words.get(self.place).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.place += 1;
        word
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.peek() == word;
        self.place += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        match self.next() {
            found if found == word => Ok(()),
            found => Err(format!("{found} where {word} is expected, behind {:?}", self.behind())),
        }
    }

    fn behind(&self) -> &[&'a str] {
        &self.words[self.place.saturating_sub(8)..self.place.min(self.words.len())]
    }

    fn name(&mut self) -> Parsed<String> {
        let word = self.next();
        match word.chars().next() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => Ok(word.into()),
            _ => Err(format!("{word} where a name is expected, behind {:?}", self.behind())),
        }
    }

    fn plain(&mut self) -> Parsed<usize> {
        let word = self.next();
        word.parse().map_err(|_| format!("{word} where a number is expected, behind {:?}", self.behind()))
    }

    /// `[7:0]` or nothing.
    fn range(&mut self) -> Parsed<usize> {
        if !self.takes("[") {
            return Ok(1);
        }
        let msb = self.plain()?;
        [":", "0", "]"].into_iter().try_for_each(|word| self.expect(word))?;
        Ok(msb + 1)
    }

    fn module(&mut self) -> Parsed<Module> {
        self.expect("module")?;
        let name = self.name()?;
        self.expect("(")?;
        let mut ports = vec![];
        while !self.takes(")") {
            let direction = match self.next() {
                "input" => Direction::Input,
                "output" => Direction::Output,
                word => return Err(format!("{word} where a port is expected")),
            };
            if !self.takes("wire") {
                self.expect("reg")?;
            }
            let width = self.range()?;
            let name = self.name()?;
            self.shapes.insert(name.clone(), Shape::plain(width));
            ports.push(Port { name, direction, width });
            self.takes(",");
        }
        self.expect(";")?;
        let mut module = Module { name, ports, constants: vec![], nets: Shapes::new(), order: vec![], items: vec![] };
        while !self.takes("endmodule") {
            self.item(&mut module)?;
        }
        module.nets = std::mem::take(&mut self.shapes);
        module.constants.iter().for_each(|(_, name, _)| {
            module.nets.remove(name);
        });
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        let word = self.peek();
        if let Some(text) = word.strip_prefix("//") {
            self.place += 1;
            module.items.push(Item::Comment(text.trim().into()));
            return Ok(());
        }
        if word.starts_with("function ") {
            self.place += 1;
            let item = self.function(word)?;
            module.items.push(item);
            return Ok(());
        }
        match word {
            "localparam" => {
                self.place += 1;
                let width = self.range()?;
                let name = self.name()?;
                self.expect("=")?;
                let value = self.expression()?;
                self.shapes.insert(name.clone(), Shape::plain(width));
                module.constants.push((width, name, value));
                self.expect(";")
            }
            "wire" | "reg" => {
                self.place += 1;
                let width = self.range()?;
                let name = self.name()?;
                self.shapes.insert(name.clone(), Shape::plain(width));
                module.order.push(name.clone());
                if self.takes("=") {
                    let value = self.expression()?;
                    module.items.push(Item::Assign(Expr::Net(name), value));
                }
                self.expect(";")
            }
            "assign" => {
                self.place += 1;
                let target = self.primary()?;
                self.expect("=")?;
                let value = self.expression()?;
                module.items.push(Item::Assign(target, value));
                self.expect(";")
            }
            "always" => {
                self.place += 1;
                self.expect("@")?;
                self.expect("(")?;
                let clock = match self.next() {
                    "*" => None,
                    "posedge" => Some(self.name()?),
                    word => return Err(format!("always at {word}")),
                };
                self.expect(")")?;
                let body = self.block(clock.is_some())?;
                module.items.push(Item::Always(clock, body));
                Ok(())
            }
            _ => {
                let item = self.instance()?;
                module.items.push(item);
                Ok(())
            }
        }
    }

    fn instance(&mut self) -> Parsed<Item> {
        let (module, name) = (self.name()?, self.name()?);
        self.expect("(")?;
        let mut pins = vec![];
        while !self.takes(")") {
            self.expect(".")?;
            let pin = self.name()?;
            self.expect("(")?;
            pins.push((pin, self.expression()?));
            self.expect(")")?;
            self.takes(",");
        }
        self.expect(";")?;
        Ok(Item::Instance { module, name, place: None, pins })
    }

    /// A statement, or `begin` to `end`.
    fn block(&mut self, clocked: bool) -> Parsed<Vec<Item>> {
        let mut body = vec![];
        if self.takes("begin") {
            while !self.takes("end") {
                self.statement(clocked, &mut body)?;
            }
        } else {
            self.statement(clocked, &mut body)?;
        }
        Ok(body)
    }

    fn statement(&mut self, clocked: bool, body: &mut Vec<Item>) -> Parsed<()> {
        if let Some(text) = self.peek().strip_prefix("//") {
            self.place += 1;
            body.push(Item::Comment(text.trim().into()));
            return Ok(());
        }
        if self.takes("if") {
            self.expect("(")?;
            let test = self.expression()?;
            self.expect(")")?;
            let then = self.block(clocked)?;
            let otherwise = if self.takes("else") { self.block(clocked)? } else { vec![] };
            body.push(Item::If(test, then, otherwise));
            return Ok(());
        }
        if self.takes("case") {
            self.expect("(")?;
            let subject = self.expression()?;
            self.expect(")")?;
            let mut arms = vec![];
            while !self.takes("endcase") {
                let label = if self.takes("default") { None } else { Some(self.expression()?) };
                self.expect(":")?;
                arms.push((label, self.block(clocked)?));
            }
            body.push(Item::Case(subject, arms));
            return Ok(());
        }
        let target = self.primary()?;
        self.expect(if clocked { "<=" } else { "=" })?;
        let value = self.expression()?;
        body.push(if clocked { Item::Clocked(target, value) } else { Item::Blocking(target, value) });
        self.expect(";")
    }

    fn expression(&mut self) -> Parsed<Expr> {
        let test = self.binary(0)?;
        if !self.takes("?") {
            return Ok(test);
        }
        let then = self.expression()?;
        self.expect(":")?;
        Ok(Expr::Select(Box::new([test, then, self.expression()?])))
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(op) = operators.iter().find(|op| **op == self.peek()) {
            self.place += 1;
            left = Expr::Binary(op, Box::new(left), Box::new(self.binary(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        match ["~", "!", "-", "&", "|", "^"].into_iter().find(|op| *op == self.peek()) {
            Some(op) => {
                self.place += 1;
                Ok(Expr::Unary(op, Box::new(self.unary()?)))
            }
            None => self.primary(),
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let word = self.peek();
        match word.chars().next() {
            Some('(') => {
                self.place += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('{') => {
                self.place += 1;
                self.braces()
            }
            Some(c) if c.is_ascii_digit() => {
                self.place += 1;
                number(word)
            }
            _ => {
                let name = self.name()?;
                match self.peek() {
                    "[" => self.part(name),
                    "(" => self.call(name),
                    _ => Ok(Expr::Net(name)),
                }
            }
        }
    }

    /// A function, whose text stays as it is.
    fn function(&mut self, text: &str) -> Parsed<Item> {
        let head = text.trim_start_matches("function ");
        let (width, head) = match head.strip_prefix('[').and_then(|head| head.split_once(":0] ")) {
            Some((msb, head)) => (msb.parse().map(|msb: usize| msb + 1), head),
            None => (Ok(1), head),
        };
        let width = width.map_err(|_| format!("no width of a function: {head}"))?;
        let name = head.split('(').next().unwrap_or_default();
        self.functions.insert(name.into(), width);
        let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        Ok(Item::Function(lines.join("\n")))
    }

    fn call(&mut self, function: String) -> Parsed<Expr> {
        self.expect("(")?;
        let mut arguments = vec![self.expression()?];
        while self.takes(",") {
            arguments.push(self.expression()?);
        }
        self.expect(")")?;
        match self.functions.get(&function) {
            Some(width) => Ok(Expr::Call(function, arguments, *width)),
            None => Err(format!("{function} is called before it is declared")),
        }
    }

    fn part(&mut self, net: String) -> Parsed<Expr> {
        self.expect("[")?;
        let first = self.expression()?;
        let part = match first {
            Expr::Number { width: None, value } => {
                let msb = value.constant;
                let lsb = if self.takes(":") { self.plain()? as i64 } else { msb };
                Expr::Part { net, at: Linear::new(lsb), index: None, width: (msb - lsb) as usize + 1 }
            }
            index => {
                let width = if self.takes("+:") { self.plain()? } else { 1 };
                Expr::Part { net, at: Linear::new(0), index: Some((Box::new(index), 1)), width }
            }
        };
        self.expect("]")?;
        let declared = |net: &String| self.shapes.contains_key(net);
        match &part {
            Expr::Part { net, .. } if !declared(net) => Err(format!("{net} is not declared before its bits are used")),
            _ => Ok(part),
        }
    }

    /// Behind `{`.
    fn braces(&mut self) -> Parsed<Expr> {
        let first = self.expression()?;
        if let (Expr::Number { width: None, value }, "{") = (&first, self.peek()) {
            self.place += 1;
            let inner = self.braces()?;
            self.expect("}")?;
            let inner = match inner {
                Expr::Concat(mut parts) if parts.len() == 1 => parts.remove(0),
                inner => inner,
            };
            return Ok(Expr::Repeat(value.constant as usize, Box::new(inner)));
        }
        let mut parts = vec![first];
        while self.takes(",") {
            parts.push(self.expression()?);
        }
        self.expect("}")?;
        Ok(Expr::Concat(parts))
    }
}

fn number(word: &str) -> Parsed<Expr> {
    let bad = || format!("{word} is no number of the emitter");
    let Some((width, rest)) = word.split_once('\'') else {
        return word.parse().map(|n| Expr::Number { width: None, value: Linear::new(n) }).map_err(|_| bad());
    };
    let width: usize = width.parse().map_err(|_| bad())?;
    let (base, digits) = rest.split_at(1);
    let radix = match base {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return Err(bad()),
    };
    match u128::from_str_radix(digits, radix) {
        Ok(value) if value < 1 << 60 => Ok(Expr::number(width, value as i64)),
        Ok(value) => Ok(Expr::Wide { width, hex: format!("{value:x}") }),
        Err(_) if radix == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Ok(Expr::Wide { width, hex: digits.into() })
        }
        Err(_) => Err(bad()),
    }
}
