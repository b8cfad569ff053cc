//! A decoded instruction as the front end sees it.

pub use spec::gw::pins::{ELEMENT, READS, READS_BITS, RECORD_BITS, WRITES, WRITES_BITS};

/// Registers by number, a bit each.
pub type Registers = u64;

/// Where an instruction goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Path {
    #[default]
    Sp = 0,
    Sfu = 1,
    Dp = 2,
    Memory = 3,
}

/// The registers of a list.
#[inline]
pub fn registers(mut list: u64) -> Registers {
    let mut mask = 0;
    while list != 0 {
        mask |= (list >> 6 & 1) << (list & 63);
        list >>= ELEMENT;
    }
    mask
}

/// A list of these registers; numbers are taken modulo 64.
pub fn list(numbers: &[u8]) -> u64 {
    let element = |(i, number): (usize, &u8)| (*number as u64 & 63 | 1 << 6) << (ELEMENT * i as u32);
    numbers.iter().enumerate().map(element).sum()
}

/// A record as it is on pins: 73 bits.
pub fn pack(writes: &[u8], reads: &[u8], path: Path, scalar: bool) -> u128 {
    assert!(writes.len() <= WRITES && reads.len() <= READS, "a record of {writes:?}, {reads:?}");
    let above_lists = WRITES_BITS + READS_BITS;
    let lists = list(writes) as u128 | (list(reads) as u128) << WRITES_BITS;
    lists | (path as u128) << above_lists | (scalar as u128) << (above_lists + 2)
}

/// The bit above the lists and the path.
pub fn flag(record: u128) -> bool {
    record >> (WRITES_BITS + READS_BITS + 2) & 1 == 1
}

/// A record, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub writes: Registers,
    pub reads: Registers,
    /// A [`Path`].
    pub path: u8,
    pub scalar: bool,
}

impl Record {
    #[inline]
    pub fn unpack(bits: u128) -> Self {
        let writes = bits as u64 & ((1 << WRITES_BITS) - 1);
        let reads = (bits >> WRITES_BITS) as u64 & ((1 << READS_BITS) - 1);
        let rest = (bits >> (WRITES_BITS + READS_BITS)) as u8;
        Record { writes: registers(writes), reads: registers(reads), path: rest & 3, scalar: rest >> 2 & 1 == 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_page_says() {
        let bits = pack(&[3, 64 + 5], &[1], Path::Memory, true);
        assert_eq!(bits & 0xfff_ffff, (64 + 3) | (64 + 5) << 7);
        assert_eq!(bits >> 28 & ((1 << 42) - 1), 64 + 1);
        assert_eq!(bits >> 70, 0b111);
        let record = Record { writes: 1 << 3 | 1 << 5, reads: 1 << 1, path: 3, scalar: true };
        assert_eq!(Record::unpack(bits), record);
        let full = pack(&[63; 4], &[0, 1, 2, 3, 4, 5], Path::Sfu, false);
        assert_eq!(Record::unpack(full), Record { writes: 1 << 63, reads: 0x3f, path: 1, scalar: false });
    }

    #[test]
    fn a_number_without_its_bit_is_no_register() {
        assert_eq!(registers(3), 0);
        assert_eq!(registers((64 + 9) << 14), 1 << 9);
        assert_eq!(list(&[]), 0);
    }
}
