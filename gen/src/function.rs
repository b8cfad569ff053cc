//! The function of a cell's output, as a Liberty file writes it: `(!(A B))`, `A' + B'`, `!A|!B` are one function. Precedence: `!` and `'`,
//! then `^`, then `*`, `&` and a blank, then `+` and `|`.

/// The function's value for each assignment of `inputs`, the first of which is the lowest bit of the assignment's number. None: the text is
/// no function of these inputs.
pub(crate) fn table(text: &str, inputs: &[&str]) -> Option<Vec<bool>> {
    let tokens = tokens(text)?;
    let value = |assignment: usize| {
        let mut reader = Reader { rest: &tokens, inputs, assignment };
        let value = reader.any()?;
        reader.rest.is_empty().then_some(value)
    };
    (0..1 << inputs.len()).map(value).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Mark(char),
    Name(&'a str),
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let is_in_name = |c: char| c.is_alphanumeric() || "_[].\\".contains(c);
    let mut tokens = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            c if is_in_name(c) => rest.find(|c| !is_in_name(c)).unwrap_or(rest.len()),
            '!' | '\'' | '^' | '*' | '&' | '+' | '|' | '(' | ')' => 1,
            _ => return None,
        };
        let (token, behind) = rest.split_at(end);
        tokens.push(if is_in_name(first) { Token::Name(token) } else { Token::Mark(first) });
        rest = behind.trim_start();
    }
    Some(tokens)
}

/// Reads an expression and computes its value for one assignment.
struct Reader<'a> {
    rest: &'a [Token<'a>],
    inputs: &'a [&'a str],
    assignment: usize,
}

impl Reader<'_> {
    fn takes(&mut self, marks: &[char]) -> bool {
        let takes = matches!(self.rest.first(), Some(Token::Mark(mark)) if marks.contains(mark));
        self.rest = &self.rest[usize::from(takes)..];
        takes
    }

    fn any(&mut self) -> Option<bool> {
        let mut value = self.all()?;
        while self.takes(&['+', '|']) {
            value |= self.all()?;
        }
        Some(value)
    }

    /// An operand behind an operand is another factor.
    fn all(&mut self) -> Option<bool> {
        let mut value = self.odd()?;
        while self.takes(&['*', '&'])
            || matches!(self.rest.first(), Some(Token::Name(_) | Token::Mark('(') | Token::Mark('!')))
        {
            value &= self.odd()?;
        }
        Some(value)
    }

    fn odd(&mut self) -> Option<bool> {
        let mut value = self.one()?;
        while self.takes(&['^']) {
            value ^= self.one()?;
        }
        Some(value)
    }

    fn one(&mut self) -> Option<bool> {
        if self.takes(&['!']) {
            return Some(!self.one()?);
        }
        let mut value = if self.takes(&['(']) {
            let value = self.any()?;
            self.takes(&[')']).then_some(value)?
        } else {
            let (Token::Name(name), rest) = self.rest.split_first()? else { return None };
            self.rest = rest;
            match *name {
                "0" => false,
                "1" => true,
                name => self.assignment >> self.inputs.iter().position(|input| *input == name)? & 1 == 1,
            }
        };
        while self.takes(&['\'']) {
            value = !value;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Liberty manual's table of operators, and how libraries write a NAND.
    #[test]
    fn each_way_to_write_a_function_is_read() {
        let of = |text: &str| table(text, &["A", "B"]).map(|table| table.into_iter().map(u8::from).collect::<Vec<_>>());
        for nand in [
            "!(A&B)",
            "(A B)'",
            "(!(A B))",
            "!(A*B)",
            "!A|!B",
            "A' + B'",
            "(!A) | (!B)",
            "(A&B)'",
            "! ( B & A )",
            "((!A)+(!B))",
            "(A & B) ^ 1",
        ] {
            assert_eq!(of(nand), Some(vec![1, 1, 1, 0]), "{nand}");
        }
        for (text, values) in [
            ("A&B", [0, 0, 0, 1]),
            ("!(A+B)", [1, 0, 0, 0]),
            ("A^B", [0, 1, 1, 0]),
            ("A^B A", [0, 1, 0, 0]),
            ("A + B A'", [0, 1, 1, 1]),
            ("!A B'", [1, 0, 0, 0]),
            ("A''", [0, 1, 0, 1]),
        ] {
            assert_eq!(of(text), Some(values.to_vec()), "{text}");
        }
        for no in ["", "A &", "C", "(A", "A)", "A ? B", "&A", "IQ"] {
            assert_eq!(of(no), None, "{no}");
        }
    }
}
