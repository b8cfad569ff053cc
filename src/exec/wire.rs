//! Messages of a program's runtime library and `unruly exec`: `runtime/cudart/wire.h` in Rust. Nothing read is trusted.

use std::io::{self, Read, Write};

/// Bytes of the longest request. The library sends larger copies in pieces.
const LONGEST: u32 = 1 << 28;

/// An operation and its number.
macro_rules! operations {
    ($($name:ident = $number:literal,)*) => {
        /// The kind of a request; `wire.h` says what each is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Op {
            $($name = $number,)*
        }

        impl Op {
            const ALL: &'static [Op] = &[$(Op::$name),*];
        }
    };
}

operations! {
    Module = 1,
    Unload = 2,
    Function = 3,
    Symbol = 4,
    Launch = 5,
    Alloc = 6,
    Free = 7,
    Write = 8,
    Read = 9,
    Copy = 10,
    Set = 11,
    Properties = 12,
    Time = 13,
    MemoryInfo = 14,
    Limit = 15,
    Reset = 16,
    Occupancy = 17,
    Worklist = 18,
    Reorder = 19,
    Texture = 20,
}

/// A program's request.
pub struct Request {
    pub op: Op,
    pub payload: Vec<u8>,
}

impl Request {
    /// The next one; `None`: the program has ended.
    ///
    /// # Errors
    /// A connection that breaks, and what is no request.
    pub fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 8];
        if from.read(&mut head[..1])? == 0 {
            return Ok(None);
        }
        from.read_exact(&mut head[1..])?;
        let mut head = Fields(&head);
        let (number, bytes) = (head.u32().unwrap_or(0), head.u32().unwrap_or(0));
        let op = Op::ALL.iter().copied().find(|op| *op as u32 == number);
        let op = op.ok_or_else(|| io::Error::other(format!("there is no operation {number}")))?;
        if bytes > LONGEST {
            return Err(io::Error::other(format!("a request of {bytes} bytes: at most {LONGEST} are possible")));
        }
        let mut payload = Vec::with_capacity(bytes as usize);
        from.take(bytes.into()).read_to_end(&mut payload)?;
        if payload.len() < bytes as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(Request { op, payload }))
    }
}

/// Sends a reply.
///
/// # Errors
/// A connection that breaks.
pub fn reply(to: &mut impl Write, status: u32, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let head = [status.to_le_bytes(), length.to_le_bytes()].concat();
    if payload.len() < 4096 {
        return to.write_all(&[&head, payload].concat());
    }
    to.write_all(&head)?;
    to.write_all(payload)
}

/// The numbers of a payload, one after the other. `None`: it ends before.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    /// The next 4 bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The next 8 bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// The next three numbers of 4 bytes.
    pub fn dimensions(&mut self) -> Option<[u32; 3]> {
        Some([self.u32()?, self.u32()?, self.u32()?])
    }

    /// The rest.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}

/// Appends numbers to a payload.
pub trait Append {
    fn u32(&mut self, value: u32);
    fn u64(&mut self, value: u64);
}

impl Append for Vec<u8> {
    fn u32(&mut self, value: u32) {
        self.extend(value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.extend(value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_the_library_has_the_same_operations() {
        let header = include_str!("../../runtime/cudart/wire.h");
        let lines = header.lines().filter_map(|line| line.trim().strip_prefix("UNRULY_")?.strip_suffix(','));
        let theirs: Vec<_> = lines.filter_map(|line| line.split_once(" = ")).collect();
        let name = |op: &Op| format!("{op:?}").to_uppercase();
        let ours: Vec<_> = Op::ALL.iter().map(|op| (name(op), (*op as u32).to_string())).collect();
        let theirs: Vec<_> = theirs.iter().map(|(name, n)| (name.replace('_', ""), n.to_string())).collect();
        assert_eq!(theirs, ours);
    }

    #[test]
    fn what_is_no_request_is_an_error() {
        let read = |bytes: &[u8]| Request::read(&mut &bytes[..]).map(|request| request.map(|r| (r.op, r.payload)));
        assert_eq!(read(&[]).unwrap(), None);
        assert_eq!(read(&[7, 0, 0, 0, 2, 0, 0, 0, 8, 9]).unwrap(), Some((Op::Free, vec![8, 9])));
        for wrong in [&[7, 0, 0][..], &[0; 8], &[7, 0, 0, 0, 2, 0, 0, 0, 8], &[7, 0, 0, 0, 0, 0, 0, 0xff]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }
}
