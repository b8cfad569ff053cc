//! The scoreboard: registers of each warp that wait for a result.

/// Who will write a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Arithmetic,
    Memory,
    /// A system's [port](super::port).
    Port,
}

/// Sets of register slots are rows of 64-bit words; a row belongs to a warp, or to an instruction (its reads and writes).
#[derive(Clone, Debug)]
pub struct Scoreboard {
    words: usize,
    pending: Vec<u64>,
    from_memory: Vec<u64>,
    from_port: Vec<u64>,
}

impl Scoreboard {
    pub fn new(warps: usize, words: usize) -> Self {
        let rows = || vec![0; warps * words];
        Scoreboard { words, pending: rows(), from_memory: rows(), from_port: rows() }
    }

    #[inline(always)]
    fn row(&self, warp: usize) -> std::ops::Range<usize> {
        warp * self.words..(warp + 1) * self.words
    }

    /// The writer that an instruction that touches `slots` waits for.
    #[inline(always)]
    pub fn conflict(&self, warp: usize, slots: &[u64]) -> Option<Writer> {
        let meets = |set: &[u64]| set[self.row(warp)].iter().zip(slots).any(|(a, b)| a & b != 0);
        if !meets(&self.pending) {
            None
        } else if meets(&self.from_memory) {
            Some(Writer::Memory)
        } else if meets(&self.from_port) {
            Some(Writer::Port)
        } else {
            Some(Writer::Arithmetic)
        }
    }

    pub fn reserve(&mut self, warp: usize, slots: &[u64], writer: Writer) {
        let row = self.row(warp);
        let set = |rows: &mut Vec<u64>| rows[row.clone()].iter_mut().zip(slots).for_each(|(a, b)| *a |= b);
        set(&mut self.pending);
        match writer {
            Writer::Arithmetic => {}
            Writer::Memory => set(&mut self.from_memory),
            Writer::Port => set(&mut self.from_port),
        }
    }

    pub fn release(&mut self, warp: usize, slots: &[u64]) {
        let row = self.row(warp);
        for rows in [&mut self.pending, &mut self.from_memory, &mut self.from_port] {
            rows[row.clone()].iter_mut().zip(slots).for_each(|(a, b)| *a &= !b);
        }
    }

    pub fn is_from_memory(&self, warp: usize, slot: u16) -> bool {
        self.from_memory[self.row(warp)][slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// The warp waits for no result from memory.
    pub fn no_loads(&self, warp: usize) -> bool {
        self.from_memory[self.row(warp)].iter().all(|w| *w == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_waits_for_what_it_touches_and_knows_for_whom() {
        let mut s = Scoreboard::new(2, 2);
        s.reserve(1, &[0b100, 0], Writer::Memory);
        s.reserve(1, &[0, 1], Writer::Arithmetic);
        assert_eq!(s.conflict(0, &[0b100, 1]), None);
        assert_eq!(s.conflict(1, &[0b100, 1]), Some(Writer::Memory));
        assert_eq!(s.conflict(1, &[0b011, 1]), Some(Writer::Arithmetic));
        s.release(1, &[0b100, 0]);
        assert!(s.no_loads(1));
        assert_eq!(s.conflict(1, &[0b111, 0]), None);
    }
}
