//! What the unit is built with.

use crate::units::parameter::{require, ParameterError};
use serde::{Deserialize, Serialize};

/// How the number of a memory block is made into the number of a set (3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HashKind {
    /// Times 2,105,409, then folded by XOR.
    Multiplicative,
    /// Its lowest bits: those of the partition, above them the bank, above that the set.
    Modulo,
    /// Folded by XOR.
    Xor,
}

/// The default is the paper's (Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Partitions, one beside each memory partition: 2 or 4.
    pub partitions: usize,
    /// Sets of a partition, in two banks: a power of two from 4 to 1,024.
    pub sets: usize,
    pub hash: HashKind,
    /// Cycles after which a request is answered from incomplete sets: 16 to 65,535.
    pub timeout: u32,
    /// Requests that a partition's queue holds, and that all cores may have on their way: a power of two from 16 to 4,096.
    pub requests: usize,
    /// Consecutive lines of 128 bytes in one memory partition: 1, 2, 4 or 8.
    pub interleave: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            partitions: 4,
            sets: 256,
            hash: HashKind::Multiplicative,
            timeout: 256,
            requests: 1_024,
            interleave: 2,
        }
    }
}

impl Parameters {
    /// Bits of a hash: one value for each set of all partitions.
    pub fn hash_bits(&self) -> u32 {
        (self.partitions * self.sets).ilog2()
    }

    /// Bits of a partition's number.
    pub fn partition_bits(&self) -> u32 {
        self.partitions.ilog2()
    }

    /// Bits of the number of a set in its bank.
    pub fn set_bits(&self) -> u32 {
        self.bank_sets().ilog2()
    }

    /// Bits of an element's place on the ring: set, bank, and whether it goes past the next partition.
    pub fn ring_place_bits(&self) -> u32 {
        self.set_bits() + 2
    }

    /// Sets of each of the two banks.
    pub fn bank_sets(&self) -> usize {
        self.sets / 2
    }

    /// `Err` names the first parameter that is out of range, in the name of `unit`.
    pub fn check(&self, unit: &'static str) -> Result<(), ParameterError> {
        let Parameters { partitions, sets, timeout, requests, interleave, .. } = *self;
        require([2, 4].contains(&partitions), unit, "partitions", partitions, "2 or 4")?;
        let holds = sets.is_power_of_two() && (4..=1_024).contains(&sets);
        require(holds, unit, "sets", sets, "a power of two from 4 to 1024")?;
        require((16..=65_535).contains(&timeout), unit, "timeout", timeout, "from 16 to 65535")?;
        let holds = requests.is_power_of_two() && (16..=4_096).contains(&requests);
        require(holds, unit, "requests", requests, "a power of two from 16 to 4096")?;
        let holds = [1, 2, 4, 8].contains(&interleave);
        require(holds, unit, "interleave", interleave, "1, 2, 4 or 8 lines")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::iru::Iru;

    #[test]
    fn parameters_out_of_range_are_named_with_value_and_rule() {
        let good = Parameters::default();
        let bad = [
            (Parameters { partitions: 1, ..good }, "partitions is 1; it must be 2 or 4"),
            (Parameters { partitions: 3, ..good }, "partitions is 3; it must be 2 or 4"),
            (Parameters { partitions: 8, ..good }, "partitions is 8; it must be 2 or 4"),
            (Parameters { sets: 2, ..good }, "sets is 2; it must be a power of two from 4 to 1024"),
            (Parameters { sets: 24, ..good }, "sets is 24; it must be a power of two from 4 to 1024"),
            (Parameters { sets: 2_048, ..good }, "sets is 2048; it must be a power of two from 4 to 1024"),
            (Parameters { timeout: 15, ..good }, "timeout is 15; it must be from 16 to 65535"),
            (Parameters { timeout: 65_536, ..good }, "timeout is 65536; it must be from 16 to 65535"),
            (Parameters { requests: 8, ..good }, "requests is 8; it must be a power of two from 16 to 4096"),
            (Parameters { requests: 1_000, ..good }, "requests is 1000; it must be a power of two from 16 to 4096"),
            (Parameters { interleave: 3, ..good }, "interleave is 3; it must be 1, 2, 4 or 8 lines"),
            (Parameters { interleave: 0, ..good }, "interleave is 0; it must be 1, 2, 4 or 8 lines"),
        ];
        for (parameters, text) in bad {
            let error = Iru::new(&parameters).err().map(|e| e.to_string());
            assert_eq!(error, Some(format!("iru: {text}")));
        }
        for partitions in [2, 4] {
            for sets in [4, 1_024] {
                assert!(Iru::new(&Parameters { partitions, sets, ..good }).is_ok());
            }
        }
    }
}
