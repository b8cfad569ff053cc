//! Where an address lives: channel, slice, L2 set, DRAM bank and row.

use super::request::LINE_BYTES;
use crate::config::{ChannelSelect, Config, SetIndex};

/// All bits of `value` above, folded by XOR into numbers below `count`, a power of two.
fn fold(mut value: u64, count: u64) -> u64 {
    let bits = count.trailing_zeros();
    let mut folded = 0;
    while value != 0 && bits != 0 {
        folded ^= value & (count - 1);
        value >>= bits;
    }
    folded
}

impl SetIndex {
    /// Set of a line, by its number.
    pub fn of(self, line: u64, sets: usize) -> usize {
        let index = match self {
            SetIndex::Linear => line,
            SetIndex::Fermi => {
                let bit = |from: u32, to: u32| (line >> from & 1) << to;
                line ^ (bit(6, 0) | bit(7, 1) | bit(8, 2) | bit(10, 3) | bit(12, 4))
            }
            SetIndex::Xor => fold(line, sets as u64),
        };
        index as usize & (sets - 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressMap {
    channels: u64,
    interleave: u64,
    /// The slice of a channel is chosen by that many bits, from bit 8 of the channel's own address on.
    slice_bits: u32,
    select: ChannelSelect,
    sets: usize,
    set_index: SetIndex,
}

/// Bit 8 of the channel's address: the first above the interleave of 256 bytes.
const SLICE_BIT: u32 = 8;

impl AddressMap {
    pub fn new(config: &Config) -> Self {
        AddressMap {
            channels: config.dram.channels as u64,
            interleave: config.dram.interleave_bytes,
            slice_bits: config.l2.slices_per_channel.ilog2(),
            select: config.dram.channel_select,
            sets: config.l2.sets,
            set_index: config.l2.set_index,
        }
    }

    pub fn channel(&self, address: u64) -> usize {
        let block = address / self.interleave;
        let plain = block % self.channels;
        let hash = match self.select {
            ChannelSelect::Modulo => 0,
            ChannelSelect::Xor => fold(block / self.channels, self.channels),
        };
        (plain ^ hash) as usize
    }

    /// Address within its channel.
    fn local(&self, address: u64) -> u64 {
        address / self.interleave / self.channels * self.interleave + address % self.interleave
    }

    /// Slice, counted over the whole GPU.
    pub fn slice(&self, address: u64) -> usize {
        let within = self.local(address) >> SLICE_BIT & ((1 << self.slice_bits) - 1);
        (self.channel(address) << self.slice_bits) + within as usize
    }

    /// Set of the L2 slice: the line number without the bits that chose channel and slice.
    pub fn set(&self, address: u64) -> usize {
        let r = self.local(address);
        let low = r & ((1 << SLICE_BIT) - 1);
        let squeezed = (r >> (SLICE_BIT + self.slice_bits) << SLICE_BIT) | low;
        self.set_index.of(squeezed / LINE_BYTES, self.sets)
    }

    /// Bank: bits 15, 14, 13 and 8 of the channel's address.
    pub fn bank(&self, address: u64) -> usize {
        let r = self.local(address);
        ((r >> 13 & 7) << 1 | (r >> 8 & 1)) as usize
    }

    /// Row: bits 16 and up of the channel's address.
    pub fn row(&self, address: u64) -> u64 {
        self.local(address) >> 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_spread_over_channels_then_slices_then_sets() {
        let map = AddressMap::new(&Config::preset("hwwl-micro14").unwrap());
        let base = 0xC000_0000u64 / (256 * 12) * (256 * 12);
        let slices: Vec<usize> = (0..12).map(|i| map.slice(base + 256 * i)).collect();
        let mut sorted = slices.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..12).collect::<Vec<_>>());
        assert_eq!(map.channel(base), slices[0] / 2);
        assert_ne!(map.set(base), map.set(base + 128));
        assert_eq!(map.slice(base), map.slice(base + 128));
    }

    #[test]
    fn a_slice_holds_each_line_of_64_kib_in_its_own_place() {
        let config = Config::preset("hwwl-micro14").unwrap();
        let map = AddressMap::new(&config);
        let mut lines = vec![0; config.slices() * config.l2.sets];
        for line in 0..config.slices() * config.l2.sets * config.l2.ways {
            let address = 0xC000_0000 + 128 * line as u64;
            lines[map.slice(address) * config.l2.sets + map.set(address)] += 1;
        }
        assert!(lines.iter().all(|n| *n == config.l2.ways));
    }
}
