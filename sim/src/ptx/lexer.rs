//! PTX text to tokens.

use super::error::PtxError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind<'t> {
    /// Names, registers (`%r1`), labels, opcodes without their modifiers.
    Ident(&'t str),
    /// A modifier, directive or component, without its dot: `u32` of `.u32`.
    Dot(&'t str),
    Int(u64),
    /// `0f` literal.
    F32(u32),
    /// `0d` literal or decimal fraction.
    F64(u64),
    Str(&'t str),
    Punct(char),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'t> {
    pub kind: TokenKind<'t>,
    pub line: u32,
    /// Byte offsets in the text.
    pub start: usize,
    pub end: usize,
}

/// Splits a whole file; the last token is [`TokenKind::End`].
pub fn tokens<'t>(file: &str, text: &'t str) -> Result<Vec<Token<'t>>, PtxError> {
    let mut lexer = Lexer { file, text, at: 0, line: 1 };
    let mut out = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next()?;
        out.push(token);
        if token.kind == TokenKind::End {
            return Ok(out);
        }
    }
}

struct Lexer<'f, 't> {
    file: &'f str,
    text: &'t str,
    at: usize,
    line: u32,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

impl<'t> Lexer<'_, 't> {
    fn error(&self, message: impl Into<String>) -> PtxError {
        PtxError { file: self.file.into(), line: self.line, message: message.into() }
    }

    fn byte(&self, ahead: usize) -> u8 {
        *self.text.as_bytes().get(self.at + ahead).unwrap_or(&0)
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'t str {
        let start = self.at;
        while self.at < self.text.len() && accept(self.byte(0)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Skips to just past `end`, counting lines.
    fn skip_past(&mut self, end: &str) -> Option<&'t str> {
        let rest = &self.text[self.at..];
        let length = rest.find(end)?;
        self.line += rest[..length].matches('\n').count() as u32;
        self.at += length + end.len();
        Some(&rest[..length])
    }

    fn skip_blanks(&mut self) -> Result<(), PtxError> {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') => {
                    self.take_while(|b| b != b'\n');
                }
                (b'/', b'*') => {
                    if self.skip_past("*/").is_none() {
                        return Err(self.error("this comment does not end: `*/` is missing"));
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn next(&mut self) -> Result<Token<'t>, PtxError> {
        self.skip_blanks()?;
        let (start, line) = (self.at, self.line);
        let kind = self.kind()?;
        Ok(Token { kind, line, start, end: self.at })
    }

    fn kind(&mut self) -> Result<TokenKind<'t>, PtxError> {
        if self.at == self.text.len() {
            return Ok(TokenKind::End);
        }
        let byte = self.byte(0);
        if byte.is_ascii_digit() {
            return self.number();
        }
        if is_name(byte) {
            return Ok(TokenKind::Ident(self.take_while(is_name)));
        }
        if byte == b'.' && is_name(self.byte(1)) {
            self.at += 1;
            return Ok(TokenKind::Dot(self.take_while(|b| is_name(b) || b == b':')));
        }
        if byte == b'"' {
            self.at += 1;
            return match self.skip_past("\"") {
                Some(text) => Ok(TokenKind::Str(text)),
                None => Err(self.error("this string does not end: `\"` is missing")),
            };
        }
        let Some(char) = self.text[self.at..].chars().next().filter(|c| "{}()[]<>,;:@!+-=|~*&^".contains(*c)) else {
            let char = self.text[self.at..].chars().next().unwrap_or(' ');
            return Err(self.error(format!("unexpected character `{}`", char.escape_default())));
        };
        self.at += 1;
        Ok(TokenKind::Punct(char))
    }

    fn number(&mut self) -> Result<TokenKind<'t>, PtxError> {
        let start = self.at;
        let word = self.take_while(|b| b.is_ascii_alphanumeric());
        if let Some(bits) = word.strip_prefix("0f").or(word.strip_prefix("0F")) {
            return self.bits(word, bits, 8).map(|bits| TokenKind::F32(bits as u32));
        }
        if let Some(bits) = word.strip_prefix("0d").or(word.strip_prefix("0D")) {
            return self.bits(word, bits, 16).map(TokenKind::F64);
        }
        let exponent = !word.starts_with("0x") && word.ends_with(['e', 'E']) && matches!(self.byte(0), b'+' | b'-');
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() || exponent {
            return self.decimal(start);
        }
        let digits = word.strip_suffix('U').unwrap_or(word);
        let parsed = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            u64::from_str_radix(hex, 16)
        } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
            u64::from_str_radix(binary, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            u64::from_str_radix(digits, 8)
        } else {
            digits.parse()
        };
        parsed.map(TokenKind::Int).map_err(|_| self.error(format!("`{word}` is not a number of at most 64 bits")))
    }

    fn bits(&self, word: &str, digits: &str, expected: usize) -> Result<u64, PtxError> {
        match u64::from_str_radix(digits, 16) {
            Ok(bits) if digits.len() == expected => Ok(bits),
            _ => Err(self.error(format!("`{word}`: {expected} hexadecimal digits must follow"))),
        }
    }

    fn decimal(&mut self, start: usize) -> Result<TokenKind<'t>, PtxError> {
        if self.byte(0) == b'.' {
            self.at += 1;
            self.take_while(|b| b.is_ascii_alphanumeric());
        }
        if self.text[start..self.at].ends_with(['e', 'E']) && matches!(self.byte(0), b'+' | b'-') {
            self.at += 1;
            self.take_while(|b| b.is_ascii_digit());
        }
        let word = &self.text[start..self.at];
        match word.parse::<f64>() {
            Ok(value) => Ok(TokenKind::F64(value.to_bits())),
            Err(_) => Err(self.error(format!("`{word}` is not a number"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        tokens("t.ptx", text).unwrap().into_iter().map(|t| t.kind).collect()
    }

    #[test]
    fn an_instruction() {
        let expected = [
            Punct('@'),
            Punct('!'),
            Ident("%p1"),
            Ident("ld"),
            Dot("global"),
            Dot("L1::no_allocate"),
            Dot("u32"),
            Ident("%r1"),
            Punct(','),
            Punct('['),
            Ident("%rd1"),
            Punct('+'),
            Punct('-'),
            Int(8),
            Punct(']'),
            Punct(';'),
            End,
        ];
        assert_eq!(kinds("@!%p1 ld.global.L1::no_allocate.u32 %r1, [%rd1+-8]; // x"), expected);
    }

    #[test]
    fn numbers() {
        let expected =
            [Int(255), Int(5), Int(8), Int(7), F32(0x3F80_0000), F64(1), F64(1.5f64.to_bits()), F64(2e-3f64.to_bits())];
        assert_eq!(kinds("0xFF 0b101 010 7U 0f3F800000 0d0000000000000001 1.5 2e-3")[..8], expected);
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let tokens = tokens("t.ptx", "/* a\n b */ x // c\n\ny").unwrap();
        assert_eq!(tokens.iter().map(|t| t.line).collect::<Vec<_>>(), [2, 4, 4]);
    }

    #[test]
    fn what_is_not_ptx() {
        assert_eq!(tokens("t.ptx", "\n #").unwrap_err().to_string(), "t.ptx:2: unexpected character `#`");
        assert!(tokens("t.ptx", "0f12").is_err());
        assert!(tokens("t.ptx", "/* ").is_err());
        assert!(tokens("t.ptx", "99999999999999999999").is_err());
    }
}
