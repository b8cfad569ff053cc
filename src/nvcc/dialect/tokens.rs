//! A text of C++ in its parts. Blanks and comments are none.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name, a keyword or a number.
    Word,
    /// One letter of punctuation.
    Mark,
    /// A literal in quotes.
    Quoted,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub place: usize,
    /// It stands in a line of the preprocessor.
    pub is_directive: bool,
}

impl Token<'_> {
    pub fn is(&self, mark: &str) -> bool {
        self.text == mark
    }

    pub fn end(&self) -> usize {
        self.place + self.text.len()
    }
}

pub fn of(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut place, mut is_directive, mut begins_line) = (Vec::new(), 0, false, true);
    while let Some(letter) = text[place..].chars().next() {
        let rest = &text[place..];
        let (kind, bytes) = match letter {
            '\n' => {
                is_directive &= text[..place].trim_end_matches('\r').ends_with('\\');
                begins_line = true;
                place += 1;
                continue;
            }
            _ if letter.is_whitespace() || letter == '\\' => (None, letter.len_utf8()),
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").map_or(rest.len(), |end| end + 2)),
            'R' if rest.starts_with("R\"") => (Some(Kind::Quoted), raw_bytes(rest)),
            '"' | '\'' => (Some(Kind::Quoted), quoted_bytes(rest, letter)),
            _ if is_of_word(letter) => (Some(Kind::Word), word_bytes(rest)),
            _ => (Some(Kind::Mark), letter.len_utf8()),
        };
        if let Some(kind) = kind {
            is_directive |= begins_line && letter == '#';
            begins_line = false;
            tokens.push(Token { kind, text: &rest[..bytes], place, is_directive });
        }
        place += bytes;
    }
    tokens
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// Quotes part the digits of a number.
fn word_bytes(rest: &str) -> usize {
    let is_number = rest.starts_with(|letter: char| letter.is_ascii_digit());
    rest.find(|letter| !(is_of_word(letter) || is_number && letter == '\'')).unwrap_or(rest.len())
}

/// Up to the quote, or to the end of the line if none is there.
fn quoted_bytes(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' => return place,
            _ if letter == quote => return place + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `R"mark(...)mark"`
fn raw_bytes(rest: &str) -> usize {
    let Some((mark, _)) = rest[2..].split_once('(') else { return rest.len() };
    let end = format!("){mark}\"");
    rest.find(&end).map_or(rest.len(), |place| place + end.len())
}
