//! The whole front end: 2 schedulers of 8 places, waves of 4, an SWST of 2, 4 sets of 2 ways.

use crate::common::{clock, ready, Word};
use crate::record;
use hdl::gw::gw_front_end::GwFrontEnd;

type FrontEnd = GwFrontEnd<2, 8, 4, 4, 2, 8, 1, 3, 2, 1, 1, 3>;

fn front_end() -> Box<FrontEnd> {
    let mut f = ready!(FrontEnd::new(4, 8));
    (f.fetch_room.next, f.pairs_on.next, f.waves_on.next) = (true, true, true);
    for s in 0..2 {
        f.room[s].next = 0xf.into();
        (f.even_full[s].next, f.odd_full[s].next) = (true, true);
    }
    f
}

/// What issues in a cycle: scheduler, even half, odd half, pair, pc.
type Issue = (usize, bool, bool, u64, u64);

/// A core that fills what is fetched after so many cycles.
struct Core {
    front_end: Box<FrontEnd>,
    cycle: u64,
    /// Cycle, entry.
    fills: Vec<(u64, u64)>,
    /// Lines, in the order in which they were fetched.
    fetched: Vec<u64>,
    issues: Vec<(u64, Issue)>,
    /// Cycle, scheduler, mask, pc.
    waves: Vec<(u64, usize, u64, u64)>,
}

const FETCH: u64 = 10;

impl Core {
    fn new() -> Self {
        Core { front_end: front_end(), cycle: 0, fills: vec![], fetched: vec![], issues: vec![], waves: vec![] }
    }

    /// A cycle: what issues at pc p goes on at `next(p)`, or ends; every instruction is `record`, and is done at once.
    fn step(&mut self, scalar: bool, next: impl Fn(u64) -> Option<u64>) {
        let f = &mut *self.front_end;
        for s in 0..2 {
            let (even, odd) = (f.issue_even[s].val(), f.issue_odd[s].val());
            let (pair, pc) = (f.issue_pair[s].val(), f.issue_pc[s].word());
            if even || odd {
                self.issues.push((self.cycle, (s, even, odd, pair.to_u64(), pc)));
            }
            let (code, to) = next(pc).map_or((2, 0), |to| (0, to));
            (f.even_next[s].next, f.odd_next[s].next) = (code.into(), code.into());
            (f.even_pc[s].next, f.odd_pc[s].next) = (to.into(), to.into());
            (f.done_even[0][s].next, f.done_odd[0][s].next) = (even, odd);
            f.done_pair[0][s].next = pair;
            if f.issue_wave[s].val() {
                let (mask, pc) = (f.wave_mask[s].word(), f.wave_pc[s].word());
                self.waves.push((self.cycle, s, mask, pc));
            }
            // A wave is done in the cycle after its issue at the earliest.
            f.done_wave[s].next = self.waves.iter().any(|w| w.0 + 1 == self.cycle && w.1 == s);
            f.done_swid[s].next = 0.into();
        }
        if f.fetch_valid.val() {
            self.fills.push((self.cycle + FETCH, f.fetch_entry.word()));
            self.fetched.push(f.fetch_line.word());
        }
        let fill = self.fills.iter().find(|fill| fill.0 == self.cycle);
        f.fill_valid.next = fill.is_some();
        f.fill_entry.next = fill.map_or(0, |fill| fill.1).into();
        for slot in 0..2 {
            f.fill_record[slot].next = record(&[], &[], 0, scalar);
        }
        clock!(f);
        for s in 0..2 {
            f.start[s].next = 0.into();
        }
        self.cycle += 1;
    }
}

#[test]
fn a_pair_issues_every_four_cycles_in_a_line_and_every_six_across() {
    let mut core = Core::new();
    core.front_end.start[1].next = 0b11.into();
    // 0, 1, 2, 3, then back to 1, and so on.
    let next = |pc| Some(if pc == 3 { 1 } else { pc + 1 });
    for _ in 0..90 {
        core.step(false, next);
    }
    assert_eq!(core.fetched, [0, 1], "each line once");
    assert!(core.issues.iter().all(|(_, issue)| issue.0 == 1 && issue.1 && issue.2 && issue.3 == 0), "as a pair");
    let pcs: Vec<u64> = core.issues.iter().map(|(_, issue)| issue.4).collect();
    assert_eq!(pcs[..8], [0, 1, 2, 3, 1, 2, 3, 1]);
    let gaps: Vec<u64> = core.issues.windows(2).map(|w| w[1].0 - w[0].0).collect();
    // Look, answer, want, ask, fetch; after the fill answer, check, record, ready, issue.
    let fetch = 5 + FETCH + 5;
    assert_eq!(gaps[..8], [4, fetch, 4, 6, 6, 4, 6, 6]);
}

#[test]
fn warps_of_all_schedulers_share_a_fetch_and_end() {
    let mut core = Core::new();
    core.front_end.start[0].next = 0xff.into();
    core.front_end.start[1].next = 0xff.into();
    for _ in 0..60 {
        core.step(false, |pc| (pc == 0).then_some(1));
    }
    assert_eq!(core.fetched, [0]);
    assert_eq!(core.issues.len(), 16, "8 pairs, 2 instructions");
    assert!(core.issues.iter().all(|(_, issue)| issue.1 && issue.2));
    for (s, ready) in core.front_end.ready.iter().enumerate() {
        assert_eq!(ready.word(), 0, "scheduler {s}");
    }
}

#[test]
fn scalars_of_a_group_go_as_a_wave() {
    let mut core = Core::new();
    core.front_end.start[0].next = 0b1101_0000.into();
    for _ in 0..40 {
        core.step(true, |pc| Some(pc + 1));
    }
    assert!(core.issues.is_empty());
    let waves: Vec<_> = core.waves.iter().map(|&(_, s, mask, pc)| (s, mask, pc)).collect();
    assert_eq!(waves[..2], [(0, 0b1101, 0), (0, 0b1101, 1)]);
}
