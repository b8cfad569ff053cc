//! The SIMT stack: which lanes of a warp run where, reconverging at immediate post-dominators.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Entry {
    pc: u32,
    lanes: u32,
    /// Where these lanes wait for the others.
    reconverge: u32,
}

/// Lanes of a warp that do not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub pc: u32,
    pub lanes: u32,
    /// From here on they and those that run have the code in common.
    pub meet: u32,
}

#[derive(Clone, Debug, Default, Hash)]
pub struct SimtStack {
    /// The entry that runs: no lanes when all have ended. Kept apart from those below, as it is looked at most.
    top: Entry,
    below: Vec<Entry>,
}

impl SimtStack {
    /// Room for `depth` entries; a deeper nest of branches grows it.
    pub fn with_capacity(depth: usize) -> Self {
        SimtStack { top: Entry::default(), below: Vec::with_capacity(depth) }
    }

    /// All of `lanes` at the first instruction; `end` is the end of the kernel.
    pub fn start(&mut self, lanes: u32, end: u32) {
        self.below.clear();
        self.top = Entry { pc: 0, lanes, reconverge: end };
    }

    /// Instruction to run next and its lanes; `None` when all lanes have ended.
    #[inline(always)]
    pub fn top(&self) -> Option<(u32, u32)> {
        (self.top.lanes != 0).then_some((self.top.pc, self.top.lanes))
    }

    /// All lanes that have not ended run.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.below.first().is_none_or(|all| all.lanes == self.top.lanes)
    }

    /// Lanes that have not ended.
    pub fn live(&self) -> u32 {
        self.below.first().map_or(self.top.lanes, |all| all.lanes)
    }

    /// Lanes that have not ended and do not run, by the instruction at which they go on when others let them.
    pub fn waiting(&self) -> impl Iterator<Item = Waiting> + '_ {
        let mut seen = self.top.lanes;
        self.below.iter().rev().filter_map(move |entry| {
            let lanes = entry.lanes & !seen;
            seen |= lanes;
            let meet = if entry.lanes & self.top.lanes == 0 { entry.reconverge } else { entry.pc };
            (lanes != 0).then_some(Waiting { pc: entry.pc, lanes, meet })
        })
    }

    /// `lanes` run from `pc` to the `end` of the kernel, before the running ones have their turn again.
    pub fn let_first(&mut self, lanes: u32, pc: u32, end: u32) {
        if self.below.is_empty() {
            self.below.push(Entry { pc: end, ..self.top });
        }
        // The side of a branch that these lanes have not begun.
        self.below.retain(|entry| entry.lanes & !lanes != 0);
        self.below.push(Entry { lanes: self.top.lanes & !lanes, ..self.top });
        self.top = Entry { pc, lanes, reconverge: end };
    }

    /// The running lanes go on at `pc`.
    #[inline(always)]
    pub fn advance(&mut self, pc: u32) {
        self.top.pc = pc;
        if pc == self.top.reconverge {
            if let Some(entry) = self.below.pop() {
                self.top = entry;
            }
        }
    }

    /// `taken` of the running lanes go to `target`, the others to `next`. The side without the highest lane runs first.
    pub fn branch(&mut self, taken: u32, target: u32, next: u32, reconverge: u32) {
        let top = self.top;
        let others = top.lanes & !taken;
        if others == 0 {
            return self.advance(target);
        }
        if taken == 0 || target == next {
            return self.advance(next);
        }
        if reconverge != top.reconverge || self.below.is_empty() {
            self.below.push(Entry { pc: reconverge, ..top });
        }
        let (taken, others) = ((taken, target), (others, next));
        let (last, first) = if taken.0 > others.0 { (taken, others) } else { (others, taken) };
        let side = |(lanes, pc): (u32, u32)| Entry { pc, lanes, reconverge };
        // A side that is where both meet has nothing to run before.
        match (last.1 == reconverge, first.1 == reconverge) {
            (false, false) => {
                self.below.push(side(last));
                self.top = side(first);
            }
            (true, _) => self.top = side(first),
            (false, true) => self.top = side(last),
        }
    }

    /// `lanes` end; the running ones that do not go on at `next`.
    pub fn exit(&mut self, lanes: u32, next: u32) {
        for entry in self.below.iter_mut().chain([&mut self.top]) {
            entry.lanes &= !lanes;
        }
        if self.top.lanes != 0 {
            return self.advance(next);
        }
        while self.top.lanes == 0 {
            let Some(entry) = self.below.pop() else { return };
            self.top = entry;
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
            assert!(s.below.len() <= 2);
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

    #[test]
    fn a_side_that_has_not_begun_ends_before_the_running_one_goes_on() {
        let mut s = SimtStack::default();
        s.start(0xff, END);
        s.branch(0xf0, 20, 5, 30);
        s.advance(6);
        let side = Waiting { pc: 20, lanes: 0xf0, meet: 30 };
        assert_eq!(s.waiting().collect::<Vec<_>>(), [side]);
        s.let_first(side.lanes, side.pc, END);
        assert_eq!((s.top(), s.live(), s.is_full()), (Some((20, 0xf0)), 0xff, false));
        // They do not wait where both sides would have met.
        s.advance(30);
        assert_eq!(s.top(), Some((30, 0xf0)));
        s.exit(0xf0, 31);
        assert_eq!((s.top(), s.live(), s.is_full()), (Some((6, 0x0f)), 0x0f, true));
        s.advance(30);
        s.exit(0x0f, 31);
        assert_eq!(s.top(), None);
    }

    #[test]
    fn lanes_that_wait_where_sides_meet_end_before_the_others_get_there() {
        let mut s = SimtStack::default();
        s.start(0xff, END);
        s.branch(0xf0, 40, 5, 40);
        s.branch(0x0c, 30, 6, 30);
        assert_eq!(s.top(), Some((6, 0x03)));
        let inner = Waiting { pc: 30, lanes: 0x0c, meet: 30 };
        let outer = Waiting { pc: 40, lanes: 0xf0, meet: 40 };
        assert_eq!(s.waiting().collect::<Vec<_>>(), [inner, outer]);
        s.let_first(inner.lanes, inner.pc, END);
        s.advance(40);
        s.exit(0x0c, 41);
        assert_eq!(s.top(), Some((6, 0x03)));
        assert_eq!(s.waiting().collect::<Vec<_>>(), [outer]);
        s.let_first(outer.lanes, outer.pc, END);
        s.exit(0xf0, 41);
        s.advance(30);
        s.advance(40);
        assert_eq!(s.top(), Some((40, 0x03)));
        s.exit(0x03, 41);
        assert_eq!(s.top(), None);
    }
}
