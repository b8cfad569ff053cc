//! Energy of a run, for ratios only: counts of events times published energies of an event.
//!
//! The energies are those for 28 nm, the process of Kepler and Maxwell, in Table 7 of *DNA sequences alignment in multi-GPUs:
//! acceleration and energy payoff* (BMC Bioinformatics, doi 10.1186/s12859-018-2389-6): 0.4 pJ an integer addition, 2 pJ a
//! register, 50 pJ for 256 bits of an SRAM of 8 KB, 64 pJ for 64 bits over 10 mm of the chip, 16,000 pJ for a line of main memory.
//! Energy that does not change with activity (leakage, clocks) is left out.

use super::numbers::Numbers;

/// In picojoules. An instruction of a thread: its operation and three registers.
const INSTRUCTION: f64 = 0.4 + 3.0 * 2.0;
/// An access to an L1: a line of 128 bytes.
const L1: f64 = 4.0 * 50.0;
/// An access to the L2: a sector of 32 bytes.
const L2: f64 = 50.0;
/// A byte from a core to a memory partition or back, 10 mm away.
const NETWORK: f64 = 64.0 / 8.0;
/// A read or write of main memory: a sector, a quarter of a line.
const DRAM: f64 = 16_000.0 / 4.0;
/// An element in a reorder unit: written to and read from 64 bits of the prefetcher's buffer, the hash table and the replier.
const ELEMENT: f64 = 3.0 * 2.0 * 50.0 / 4.0;

/// The energy of everything, in picojoules.
pub fn all(run: &Numbers) -> f64 {
    let events = [
        (run.thread_instructions, INSTRUCTION),
        (run.l1_accesses, L1),
        (run.l2_accesses, L2),
        (run.network_bytes, NETWORK),
        (run.dram_accesses, DRAM),
    ];
    events.iter().map(|(count, energy)| *count as f64 * energy).sum::<f64>() + reorder_units(run)
}

/// The energy of the reorder units alone.
pub fn reorder_units(run: &Numbers) -> f64 {
    run.elements as f64 * ELEMENT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 10 x 6.4 + 1 x 200 + 4 x 50 + 128 x 8 + 4 x 4,000 + 2 x 75.
    #[test]
    fn events_add_up() {
        let run = Numbers {
            thread_instructions: 10,
            l1_accesses: 1,
            l2_accesses: 4,
            network_bytes: 128,
            dram_accesses: 4,
            elements: 2,
            ..Numbers::default()
        };
        assert!((all(&run) - 17_638.0).abs() < 1e-6);
        assert_eq!(reorder_units(&run), 150.0);
    }
}
