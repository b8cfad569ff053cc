//! An array of NumPy's format, versions 1 to 3: `\x93NUMPY`, the version, the length of a header, the header as Python writes a dictionary, the elements. The crates
//! that read it bring a parser of Python's literals with them, which takes long to compile.

use super::length::Value;

/// An array of numbers, in the order of the file.
pub enum Array {
    Numbers(Vec<Value>),
    Truths(Vec<bool>),
    /// An element of bytes or a text of 32-bit characters.
    Text(String),
}

/// Why there is no array.
pub enum Wrong {
    Damaged(String),
    /// The type of the elements is not read.
    Kind(String),
}

pub fn read(bytes: &[u8]) -> Result<Array, Wrong> {
    let bad = || Wrong::Damaged("not an array of NumPy".into());
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(bad)?;
    let (length, start) = match rest.first().ok_or_else(bad)? {
        1 => (u16::from_le_bytes(rest.get(2..4).ok_or_else(bad)?.try_into().expect("two")).into(), 4),
        2 | 3 => (u32::from_le_bytes(rest.get(2..6).ok_or_else(bad)?.try_into().expect("four")) as usize, 6),
        version => return Err(Wrong::Damaged(format!("version {version} of NumPy's format"))),
    };
    let (header, data) = rest[start..].split_at_checked(length).ok_or_else(bad)?;
    let header = String::from_utf8_lossy(header);
    let kind = quoted(&header, "'descr':").ok_or_else(|| Wrong::Damaged("an array of several fields".into()))?;
    let count = shape(&header).ok_or_else(bad)?;
    elements(kind, count, data)
}

/// The text in quotes behind a key.
fn quoted<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, behind) = header.split_once(key)?;
    behind.trim_start().strip_prefix('\'')?.split('\'').next()
}

/// The number of elements, of an array of one dimension or none.
fn shape(header: &str) -> Option<usize> {
    let (_, behind) = header.split_once("'shape':")?;
    let (inside, _) = behind.trim_start().strip_prefix('(')?.split_once(')')?;
    match inside.trim().trim_end_matches(',') {
        "" => Some(1),
        count => count.parse().ok(),
    }
}

fn elements(kind: &str, count: usize, data: &[u8]) -> Result<Array, Wrong> {
    let unknown = || Wrong::Kind(kind.to_owned());
    let (order, rest) = kind.split_at_checked(1).ok_or_else(unknown)?;
    let (letter, size) = rest.split_at_checked(1).ok_or_else(unknown)?;
    let size: usize = size.parse().map_err(|_| unknown())?;
    let width = if letter == "U" { size.checked_mul(4) } else { Some(size) };
    let needed = width.and_then(|width| width.checked_mul(count)).filter(|needed| *needed <= data.len());
    let Some(needed) = needed.filter(|_| size > 0) else {
        return Err(Wrong::Damaged("an array that ends early".into()));
    };
    let data = &data[..needed];
    let number = |bytes: &[u8]| {
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if order == ">" {
            bytes.iter().fold(0, fold)
        } else {
            bytes.iter().rev().fold(0, fold)
        }
    };
    let signed = |value: u64| ((value << (64 - 8 * size)) as i64) >> (64 - 8 * size);
    let of = |value: fn(u64) -> Value| Ok(Array::Numbers(data.chunks_exact(size).map(|b| value(number(b))).collect()));
    match (letter, size) {
        ("u", 1 | 2 | 4 | 8) => of(Value::Whole),
        ("i", 1 | 2 | 4 | 8) => {
            let value = |bytes: &[u8]| {
                let value = signed(number(bytes));
                u64::try_from(value).map_or(Value::Float(value as f64), Value::Whole)
            };
            Ok(Array::Numbers(data.chunks_exact(size).map(value).collect()))
        }
        ("f", 4) => of(|bits| Value::Float(f32::from_bits(bits as u32).into())),
        ("f", 8) => of(|bits| Value::Float(f64::from_bits(bits))),
        ("b", 1) => Ok(Array::Truths(data.iter().map(|byte| *byte != 0).collect())),
        ("S", _) => Ok(Array::Text(data.iter().take_while(|byte| **byte != 0).map(|byte| *byte as char).collect())),
        ("U", _) => {
            let chars = data.chunks_exact(4).map(|bytes| char::from_u32(number(bytes) as u32).unwrap_or('?'));
            Ok(Array::Text(chars.take_while(|c| *c != '\0').collect()))
        }
        _ => Err(unknown()),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The form of NumPy's documentation, `numpy.lib.format`.
    pub fn file(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
        [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn numbers_of_each_type() {
        let cases: [(&str, &[u8], f64); 9] = [
            ("|i1", &[0xfe], -2.0),
            ("<i2", &[0xfe, 0xff], -2.0),
            (">i4", &[0, 0, 1, 2], 258.0),
            ("<i8", &[7, 0, 0, 0, 0, 0, 0, 0], 7.0),
            ("|u1", &[0xfe], 254.0),
            ("<u4", &[0, 0, 0, 0x80], 2147483648.0),
            ("<f4", &[0, 0, 0x40, 0x40], 3.0),
            (">f8", &[0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5),
            ("<f8", &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 1.5),
        ];
        for (kind, data, value) in cases {
            let Ok(Array::Numbers(found)) = read(&file(kind, "(1,)", data)) else { panic!("{kind}") };
            let found = match found[..] {
                [Value::Whole(found)] => found as f64,
                [Value::Float(found)] => found,
                _ => panic!("{kind}: not one number"),
            };
            assert_eq!(found, value, "{kind}");
        }
        assert!(matches!(read(&file("|b1", "(2,)", &[1, 0])), Ok(Array::Truths(truths)) if truths == [true, false]));
        assert!(matches!(read(&file("|S3", "()", b"csr")), Ok(Array::Text(text)) if text == "csr"));
        assert!(matches!(read(&file("<U3", "()", b"c\0\0\0o\0\0\0o\0\0\0")), Ok(Array::Text(text)) if text == "coo"));
        for (kind, shape, data) in
            [("<c8", "(1,)", 8), ("<i4", "(2,)", 7), ("<i4", "(1, 1)", 4), ("<i0", "(1,)", 4), ("<", "(1,)", 4)]
        {
            assert!(read(&file(kind, shape, &vec![0; data])).is_err(), "{kind} {shape}");
        }
    }
}
