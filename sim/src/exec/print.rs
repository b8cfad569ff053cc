//! The conversions of C's `printf`, as far as CUDA documents them for kernels: `%[flags][width][.precision][size]type` with the flags
//! `# ' ' 0 + -`, the sizes `h l ll`, and the types `c d i o u x X p e E f F g G a A s`. What is no conversion is printed as it is.

use super::print_conversion::Conversion;
use super::print_float::{float, Style};

/// Arguments that CUDA passes on; conversions beyond them are printed as they are.
const MOST_ARGUMENTS: u32 = 32;

/// Where a call has its arguments.
pub trait Arguments {
    type Error;
    /// The next argument, of 4 or 8 bytes.
    fn next(&mut self, bytes: u64) -> Result<u64, Self::Error>;
    /// The string at an address, up to its zero byte and not longer than `most`.
    fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Self::Error>;
}

/// Appends the text of a call to `out`, not much more than `most` bytes of it; gives how many arguments it took.
pub fn print<A: Arguments>(format: &[u8], arguments: &mut A, most: usize, out: &mut Vec<u8>) -> Result<u32, A::Error> {
    let (mut rest, mut taken) = (format, 0);
    while let Some(&byte) = rest.first().filter(|_| out.len() <= most) {
        if byte != b'%' || taken == MOST_ARGUMENTS {
            out.push(byte);
            rest = &rest[1..];
            continue;
        }
        let mut reader = Reader { text: rest, at: 1, arguments, taken, most };
        match reader.conversion(out)? {
            true => (rest, taken) = (&rest[reader.at..], reader.taken),
            false => {
                out.push(byte);
                rest = &rest[1..];
            }
        }
    }
    Ok(taken)
}

/// Reads one conversion, which begins with the `%` of `text`.
struct Reader<'a, A> {
    text: &'a [u8],
    at: usize,
    arguments: &'a mut A,
    taken: u32,
    most: usize,
}

impl<A: Arguments> Reader<'_, A> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    fn argument(&mut self, bytes: u64) -> Result<u64, A::Error> {
        self.taken += 1;
        self.arguments.next(bytes)
    }

    /// A number in the text or, for `*`, an argument.
    fn number(&mut self) -> Result<i64, A::Error> {
        if self.accept(b'*') {
            return Ok(i64::from(self.argument(4)? as i32));
        }
        let mut number = 0i64;
        while self.peek().is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(i64::from(self.peek() - b'0'));
            self.at += 1;
        }
        Ok(number)
    }

    /// Converts one argument; false if this is no conversion.
    fn conversion(&mut self, out: &mut Vec<u8>) -> Result<bool, A::Error> {
        if self.accept(b'%') {
            out.push(b'%');
            return Ok(true);
        }
        let mut conversion = Conversion::default();
        self.flags(&mut conversion);
        let width = self.number()?;
        // A negative width is the flag `-` and a width.
        conversion.left |= width < 0;
        conversion.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX).min(self.most + 1);
        if self.accept(b'.') {
            // A negative precision is none.
            conversion.precision = usize::try_from(self.number()?).ok().map(|digits| digits.min(self.most + 1));
        }
        let size = self.size();
        let ty = self.peek();
        self.at += 1;
        match ty {
            b'd' | b'i' => conversion.signed(size.signed(self.argument(size.bytes())?), out),
            b'u' | b'o' | b'x' | b'X' => {
                let value = size.unsigned(self.argument(size.bytes())?);
                conversion.unsigned(ty, value, out);
            }
            b'c' => {
                let byte = self.argument(4)? as u8;
                conversion.padded(&[byte], out);
            }
            b'p' => {
                let address = self.argument(8)?;
                conversion.pointer(address, out);
            }
            b's' => {
                let address = self.argument(8)?;
                let text = self.string(address, conversion.precision)?;
                conversion.padded(&text, out);
            }
            b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => {
                let value = f64::from_bits(self.argument(8)?);
                conversion.float(ty, value, out);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn flags(&mut self, conversion: &mut Conversion) {
        loop {
            match self.peek() {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternative = true,
                b'0' => conversion.zero = true,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn size(&mut self) -> Size {
        if self.accept(b'h') {
            return if self.accept(b'h') { Size::Byte } else { Size::Half };
        }
        if self.accept(b'l') {
            self.accept(b'l');
            return Size::Long;
        }
        if self.accept(b'z') || self.accept(b'j') || self.accept(b't') {
            return Size::Long;
        }
        Size::Int
    }

    fn string(&mut self, address: u64, precision: Option<usize>) -> Result<Vec<u8>, A::Error> {
        let most = precision.unwrap_or(usize::MAX).min(self.most + 1);
        match address {
            0 => Ok(b"(null)"[..most.min(6)].to_vec()),
            address => self.arguments.string(address, most),
        }
    }
}

/// Width of an integer argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Byte,
    Half,
    Int,
    Long,
}

impl Size {
    /// Bytes that the argument takes: narrow ones are promoted to `int`.
    fn bytes(self) -> u64 {
        if self == Size::Long {
            8
        } else {
            4
        }
    }

    fn signed(self, value: u64) -> i64 {
        match self {
            Size::Byte => i64::from(value as i8),
            Size::Half => i64::from(value as i16),
            Size::Int => i64::from(value as i32),
            Size::Long => value as i64,
        }
    }

    fn unsigned(self, value: u64) -> u64 {
        match self {
            Size::Byte => u64::from(value as u8),
            Size::Half => u64::from(value as u16),
            Size::Int => u64::from(value as u32),
            Size::Long => value,
        }
    }
}

impl Conversion {
    fn signed(&self, value: i64, out: &mut Vec<u8>) {
        let digits = self.digits(value.unsigned_abs().to_string(), value == 0);
        self.number(self.sign(value < 0), digits.as_bytes(), self.precision.is_none(), out);
    }

    fn unsigned(&self, ty: u8, value: u64, out: &mut Vec<u8>) {
        let digits = match ty {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        };
        let mut digits = self.digits(digits, value == 0);
        let prefix = match ty {
            b'x' if self.alternative && value != 0 => "0x",
            b'X' if self.alternative && value != 0 => "0X",
            _ => "",
        };
        if ty == b'o' && self.alternative && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        self.number(prefix, digits.as_bytes(), self.precision.is_none(), out);
    }

    fn pointer(&self, address: u64, out: &mut Vec<u8>) {
        match address {
            0 => self.padded(b"(nil)", out),
            address => Conversion { alternative: true, ..*self }.unsigned(b'x', address, out),
        }
    }

    fn float(&self, ty: u8, value: f64, out: &mut Vec<u8>) {
        let style = match ty.to_ascii_lowercase() {
            b'e' => Style::Exponent,
            b'f' => Style::Fixed,
            b'g' => Style::General,
            _ => Style::Hexadecimal,
        };
        let mut prefix = self.sign(value.is_sign_negative()).to_string();
        let mut digits = float(style, value.abs(), self);
        if style == Style::Hexadecimal && value.is_finite() {
            prefix.push_str("0x");
        }
        if ty.is_ascii_uppercase() {
            prefix.make_ascii_uppercase();
            digits.make_ascii_uppercase();
        }
        self.number(&prefix, digits.as_bytes(), value.is_finite(), out);
    }

    /// At least as many digits as the precision says; zero in no digits is nothing.
    fn digits(&self, digits: String, is_zero: bool) -> String {
        match self.precision {
            Some(0) if is_zero => String::new(),
            Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    /// A number with its sign or prefix. Zeros that fill the width stand between the two.
    fn number(&self, prefix: &str, digits: &[u8], zeros_allowed: bool, out: &mut Vec<u8>) {
        let mut text = prefix.as_bytes().to_vec();
        if self.zero && zeros_allowed && !self.left {
            let missing = self.width.saturating_sub(prefix.len() + digits.len());
            text.extend(std::iter::repeat_n(b'0', missing));
        }
        text.extend(digits);
        self.padded(&text, out);
    }

    fn padded(&self, text: &[u8], out: &mut Vec<u8>) {
        let blanks = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if !self.left {
            out.extend(blanks.clone());
        }
        out.extend(text);
        if self.left {
            out.extend(blanks);
        }
    }
}

#[cfg(test)]
mod tests;
