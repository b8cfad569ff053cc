//! Greedy-then-oldest: the warp that issued last goes first, then the others by age.

/// The warps of one scheduler.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// Oldest first.
    order: Vec<u8>,
    greedy: Option<u8>,
}

impl Scheduler {
    pub fn new(max_warps: usize) -> Self {
        Scheduler { order: Vec::with_capacity(max_warps), greedy: None }
    }

    /// The youngest warp.
    pub fn add(&mut self, warp: usize) {
        self.order.push(warp as u8);
    }

    pub fn remove(&mut self, warp: usize) {
        self.order.retain(|w| *w as usize != warp);
        self.greedy = self.greedy.filter(|w| *w as usize != warp);
    }

    pub fn issued(&mut self, warp: usize) {
        self.greedy = Some(warp as u8);
    }

    /// The first of the `candidates` (one bit a warp).
    pub fn pick(&self, candidates: u64) -> Option<usize> {
        if candidates == 0 {
            return None;
        }
        let is_candidate = |w: &u8| candidates >> *w & 1 == 1;
        self.greedy.filter(is_candidate).or_else(|| self.order.iter().copied().find(is_candidate)).map(usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_then_oldest() {
        let mut s = Scheduler::new(4);
        [2, 0, 3].iter().for_each(|w| s.add(*w));
        assert_eq!(s.pick(0b1101), Some(2));
        s.issued(3);
        assert_eq!(s.pick(0b1101), Some(3));
        assert_eq!(s.pick(0b0101), Some(2));
        s.remove(2);
        s.add(2);
        assert_eq!(s.pick(0b0101), Some(0));
        assert_eq!(s.pick(0), None);
    }
}
