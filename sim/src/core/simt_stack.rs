//! The SIMT stack: which lanes of a warp run where, reconverging at immediate post-dominators.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    pc: u32,
    lanes: u32,
    /// Where these lanes wait for the others.
    reconverge: u32,
}

#[derive(Clone, Debug, Default)]
pub struct SimtStack {
    entries: Vec<Entry>,
}

impl SimtStack {
    /// Room for `depth` entries; a deeper nest of branches grows it.
    pub fn with_capacity(depth: usize) -> Self {
        SimtStack { entries: Vec::with_capacity(depth) }
    }

    /// All of `lanes` at the first instruction; `end` is the end of the kernel.
    pub fn start(&mut self, lanes: u32, end: u32) {
        self.entries.clear();
        self.entries.push(Entry { pc: 0, lanes, reconverge: end });
    }

    /// Instruction to run next and its lanes; `None` when all lanes have ended.
    #[inline(always)]
    pub fn top(&self) -> Option<(u32, u32)> {
        self.entries.last().map(|e| (e.pc, e.lanes))
    }

    /// The running lanes go on at `pc`.
    #[inline(always)]
    pub fn advance(&mut self, pc: u32) {
        if let Some(top) = self.entries.last_mut() {
            top.pc = pc;
            if pc == top.reconverge && self.entries.len() > 1 {
                self.entries.pop();
            }
        }
    }

    /// `taken` of the running lanes go to `target`, the others to `next`. The side without the highest lane runs first.
    pub fn branch(&mut self, taken: u32, target: u32, next: u32, reconverge: u32) {
        let Some(top) = self.entries.last().copied() else { return };
        let others = top.lanes & !taken;
        if others == 0 {
            return self.advance(target);
        }
        if taken == 0 || target == next {
            return self.advance(next);
        }
        self.entries.pop();
        if reconverge != top.reconverge || self.entries.is_empty() {
            self.entries.push(Entry { pc: reconverge, ..top });
        }
        let (taken, others) = ((taken, target), (others, next));
        let (last, first) = if taken.0 > others.0 { (taken, others) } else { (others, taken) };
        for (lanes, pc) in [last, first] {
            if pc != reconverge {
                self.entries.push(Entry { pc, lanes, reconverge });
            }
        }
    }

    /// `lanes` end; the running ones that do not go on at `next`.
    pub fn exit(&mut self, lanes: u32, next: u32) {
        for entry in &mut self.entries {
            entry.lanes &= !lanes;
        }
        let stays = self.entries.last().is_some_and(|top| top.lanes != 0);
        while self.entries.last().is_some_and(|top| top.lanes == 0) {
            self.entries.pop();
        }
        if stays {
            self.advance(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: u32 = 100;

    #[test]
    fn both_sides_of_a_branch_run_and_meet_again() {
        let mut s = SimtStack::default();
        s.start(0xff, END);
        s.advance(4);
        s.branch(0xf0, 20, 5, 30);
        assert_eq!(s.top(), Some((5, 0x0f)));
        s.advance(30);
        assert_eq!(s.top(), Some((20, 0xf0)));
        s.advance(30);
        assert_eq!(s.top(), Some((30, 0xff)));
    }

    #[test]
    fn a_loop_whose_lanes_leave_one_by_one_does_not_grow_the_stack() {
        let mut s = SimtStack::default();
        s.start(u32::MAX, END);
        let mut left = u32::MAX;
        for lane in (1..32).rev() {
            // Body at 10, branch back at 12, exit to 13.
            left &= !(1 << lane);
            s.branch(left, 10, 13, 13);
            assert!(s.entries.len() <= 3);
            assert_eq!(s.top(), Some((10, left)));
        }
        s.branch(0, 10, 13, 13);
        assert_eq!(s.top(), Some((13, u32::MAX)));
    }

    #[test]
    fn lanes_that_end_do_not_come_back() {
        let mut s = SimtStack::default();
        s.start(0xf, END);
        s.branch(0x3, 50, 1, END);
        s.exit(0x3, 51);
        assert_eq!(s.top(), Some((1, 0xc)));
        s.exit(0x4, 2);
        assert_eq!(s.top(), Some((2, 0x8)));
        s.exit(0x8, 3);
        assert_eq!(s.top(), None);
    }
}
