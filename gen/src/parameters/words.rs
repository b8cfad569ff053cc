//! A module's text in pieces: what all sizes of it say alike, and the numbers in which they differ.

use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// A plain number: the next of [`Words::numbers`].
    Number,
    /// A number of some bits: the next two, bits and value.
    Sized,
    /// The name of a child's module, by the place in [`Words::children`].
    Child(usize),
    /// A child's name, alone or in front of the rest of a net's name.
    Named(usize, String),
}

/// A child as the text names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    pub module: String,
    pub instance: String,
}

#[derive(Clone, Debug, Default)]
pub struct Words {
    pub pieces: Vec<Piece>,
    pub numbers: Vec<i64>,
    pub children: Vec<Child>,
    /// Equal for texts that differ in numbers, names of children, comments and white space alone.
    pub key: String,
}

/// The pieces of `body`, the text between a module's ports and its end. `children` are the modules of its instances.
pub fn words(body: &str, ports: &BTreeSet<&str>, children: &BTreeSet<&str>) -> Words {
    let found = children_of(body, children);
    let mut out = Words { children: found, ..Words::default() };
    let (mut text, mut rest, mut child) = (String::new(), body, 0);
    let flush = |text: &mut String, pieces: &mut Vec<Piece>| {
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(text)));
        }
    };
    while let Some(first) = rest.chars().next() {
        let length = length(rest);
        let word = &rest[..length];
        let is_pin = text.ends_with('.');
        rest = &rest[length..];
        let piece = match first {
            _ if word.starts_with("//") || first.is_whitespace() => {
                text += word;
                continue;
            }
            '0'..='9' => number(word, &mut out.numbers),
            _ if children.contains(word) => {
                child += 1;
                Some(Piece::Child(child - 1))
            }
            _ if is_pin || ports.contains(word) => None,
            _ => named(word, &out.children),
        };
        out.key += match &piece {
            None => word,
            Some(Piece::Number) => "0",
            Some(Piece::Sized) => "0'",
            Some(Piece::Child(_)) => "$child",
            Some(_) => "$name",
        };
        if let Some(Piece::Named(place, rest)) = &piece {
            out.key += &format!("{place}{rest}");
        }
        out.key.push(' ');
        match piece {
            None => text += word,
            Some(piece) => {
                flush(&mut text, &mut out.pieces);
                out.pieces.push(piece);
            }
        }
    }
    flush(&mut text, &mut out.pieces);
    out
}

/// Length of the first word: a comment, a string, a name, a number, white space, or one character.
fn length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let until = |end: fn(char) -> bool| text.find(end).unwrap_or(text.len());
    match text.as_bytes()[0] {
        b'/' if text.starts_with("//") => until(|c| c == '\n'),
        b'"' => crate::text::end_of_string(text).unwrap_or(text.len()),
        c if c.is_ascii_whitespace() => until(|c| !c.is_ascii_whitespace()),
        c if c.is_ascii_alphanumeric() || b"_$`".contains(&c) => {
            let inner = text[1..].find(|c: char| !c.is_ascii_alphanumeric() && !"_$'".contains(c));
            inner.map_or(text.len(), |end| end + 1)
        }
        _ => first,
    }
}

/// A number, or nothing for one of more bits than fit.
fn number(word: &str, numbers: &mut Vec<i64>) -> Option<Piece> {
    let Some((bits, value)) = word.split_once('\'') else {
        numbers.push(word.parse().ok()?);
        return Some(Piece::Number);
    };
    let radix = match value.as_bytes()[0] {
        b'b' => 2,
        b'd' => 10,
        _ => 16,
    };
    let value = i64::from_str_radix(&value[1..], radix).ok()?;
    numbers.extend([bits.parse().ok()?, value]);
    Some(Piece::Sized)
}

/// Modules and names of the children, in the order of the text.
fn children_of(body: &str, children: &BTreeSet<&str>) -> Vec<Child> {
    let instance = |line: &str| {
        let (module, rest) = line.trim().split_once(' ')?;
        let instance = rest.strip_suffix(" (")?;
        children.contains(module).then(|| Child { module: module.into(), instance: instance.into() })
    };
    body.lines().filter_map(instance).collect()
}

/// A net that is named after a child: the child of the longest such name.
fn named(word: &str, children: &[Child]) -> Option<Piece> {
    let rest = |child: &Child| {
        let rest = word.strip_prefix(child.instance.as_str())?;
        (rest.is_empty() || rest.starts_with('_')).then(|| rest.to_string())
    };
    let all = children.iter().enumerate().filter_map(|(i, child)| Some((child.instance.len(), i, rest(child)?)));
    // The first child wins of those with one name.
    let best = all.max_by_key(|(length, i, _)| (*length, std::cmp::Reverse(*i)));
    best.map(|(_, i, rest)| Piece::Named(i, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_one_text_have_one_key() {
        let text = |module: &str, name: &str, width: usize| {
            format!(
                "\n    wire [{}:0] {name}_q; // {width}\n    {module} {name} (\n        .a ({width}'d1)\n    );\n",
                width - 1
            )
        };
        let (one, two) = (text("ram_4", "ram", 4), text("ram_8", "store", 8));
        let words = |text: &str, module| words(text, &BTreeSet::new(), &BTreeSet::from([module]));
        let (one, two) = (words(&one, "ram_4"), words(&two, "ram_8"));
        assert_eq!(one.key, two.key);
        assert_eq!((one.numbers, two.numbers), (vec![3, 0, 4, 1], vec![7, 0, 8, 1]));
        assert_eq!(two.children, [Child { module: "ram_8".into(), instance: "store".into() }]);
    }
}
