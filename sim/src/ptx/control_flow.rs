//! Control flow of a decoded kernel: where diverged lanes meet again.
//!
//! A branch reconverges at its immediate post-dominator, the first instruction that every path from it to the end passes.
//! Computed on instructions as nodes with the algorithm of Cooper, Harvey and Kennedy on the reversed graph; the end
//! of the kernel, `code.len()`, is its root.
//!
//! A thread that may return between a branch and a barrier moves this instruction to the end of the kernel, behind the barrier.
//! Such a branch reconverges before the barrier: paths that only end are left out.

use super::instr::{BranchTable, Instr};
use super::op::Op;

/// Successors of the instruction at `pc`; `code.len()` is the end of the kernel.
pub fn successors<'a>(code: &[Instr], tables: &'a [BranchTable], pc: usize) -> impl Iterator<Item = usize> + 'a {
    let (end, next) = (code.len(), pc + 1);
    let (first, table): (_, &[_]) = match code[pc].op {
        Op::Branch { target } => (Some(target as usize), &[]),
        Op::BranchTable { table, .. } => (None, &tables[usize::from(table)].targets),
        Op::Exit | Op::Trap => (Some(end), &[]),
        _ => (Some(next), &[]),
    };
    let goes_on = (code[pc].guard.is_some() && first != Some(next)).then_some(next);
    first.into_iter().chain(goes_on).chain(table.iter().map(|(_, target)| *target as usize))
}

/// True if one of `wanted` can be executed from the instruction at `from` on; `code.len()` is the end of the kernel.
pub fn reaches(code: &[Instr], tables: &[BranchTable], from: usize, wanted: impl Fn(&Op) -> bool) -> bool {
    let mut seen = vec![false; code.len() + 1];
    seen[code.len()] = true;
    let mut open = vec![from];
    while let Some(pc) = open.pop() {
        if std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        if wanted(&code[pc].op) {
            return true;
        }
        open.extend(successors(code, tables, pc));
    }
    false
}

/// Operations that lanes of a warp do together, or in which they see each other.
pub fn is_of_warp(op: &Op) -> bool {
    matches!(
        op,
        Op::Barrier { .. }
            | Op::Shuffle { .. }
            | Op::Vote { .. }
            | Op::Ballot { .. }
            | Op::VoteOfMembers { .. }
            | Op::Match { .. }
            | Op::Reduce { .. }
    )
}

/// Sets [`Instr::reconverge`] of every branch. A branch from which no path leads to the end reconverges at the end.
pub fn set_reconvergence(code: &mut [Instr], tables: &[BranchTable]) {
    let end = code.len();
    let all: Vec<Vec<usize>> = (0..end).map(|pc| successors(code, tables, pc).collect()).collect();
    let post_dominators = immediate_post_dominators(&all);
    let together = Together::find(code, &all, &post_dominators);
    for (pc, instr) in code.iter_mut().enumerate() {
        instr.reconverge = match instr.op {
            Op::Branch { .. } | Op::BranchTable { .. } => {
                let plain = post_dominators[pc].unwrap_or(end);
                together.meeting(pc, plain).unwrap_or(plain) as u32
            }
            _ => end as u32,
        };
    }
}

/// The kernel without what is only on the way to its end: each instruction leads to one that lanes of a warp do together.
struct Together {
    /// By instruction, and the end.
    leads: Vec<bool>,
    post_dominators: Vec<Option<usize>>,
    /// Branches whose sides meet too late, and all that comes after one: each group of lanes there has to end where the sides meet.
    concerned: Vec<bool>,
}

impl Together {
    fn find(code: &[Instr], all: &[Vec<usize>], plain: &[Option<usize>]) -> Together {
        let end = code.len();
        let is_wanted = |op: &Op| is_of_warp(op) || matches!(op, Op::SyncLanes { .. } | Op::ActiveMask { .. });
        let wanted: Vec<usize> = (0..end).filter(|pc| is_wanted(&code[*pc].op)).collect();
        if wanted.is_empty() {
            return Together { leads: vec![], post_dominators: vec![], concerned: vec![false; end] };
        }
        let leads = marked(&reversed(all), wanted.iter().copied());
        let within = |to: &Vec<usize>| to.iter().copied().filter(|to| leads[*to]).collect();
        let mut kept: Vec<Vec<usize>> = all.iter().map(within).collect();
        let is_late = |pc: &usize| kept[*pc].len() > 1 && !plain[*pc].is_some_and(|plain| leads[plain]);
        let late: Vec<usize> = (0..end).filter(is_late).collect();
        let concerned = marked(&kept, late.into_iter());
        let last: Vec<usize> = wanted.iter().copied().filter(|pc| kept[*pc].is_empty()).collect();
        // In a loop none is the last one.
        let ends = marked(&reversed(&kept), last.iter().copied());
        let without_a_last = wanted.into_iter().filter(|pc| !ends[*pc]);
        without_a_last.chain(last).for_each(|pc| kept[pc].push(end));
        Together { post_dominators: immediate_post_dominators(&kept), leads, concerned }
    }

    /// Where the sides of the branch at `pc` meet before lanes do something together, if its post-dominator, `plain`, is after that.
    fn meeting(&self, pc: usize, plain: usize) -> Option<usize> {
        let is_late = self.concerned[pc] && self.leads[pc] && !self.leads[plain];
        let meeting = is_late.then(|| self.post_dominators[pc]).flatten()?;
        self.leads[meeting].then_some(meeting)
    }
}

/// The nodes that paths along `edges` lead to, the starts included.
fn marked(edges: &[Vec<usize>], starts: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len() + 1];
    let mut open: Vec<usize> = starts.collect();
    while let Some(pc) = open.pop() {
        if !std::mem::replace(&mut seen[pc], true) {
            open.extend(edges.get(pc).into_iter().flatten());
        }
    }
    seen
}

fn reversed(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); edges.len() + 1];
    for (pc, to) in edges.iter().enumerate() {
        to.iter().for_each(|to| predecessors[*to].push(pc));
    }
    predecessors
}

/// For each instruction, or `None` if the end cannot be reached from it.
fn immediate_post_dominators(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let end = edges.len();
    let order = post_order(&reversed(edges), end);
    let mut number = vec![usize::MAX; end + 1];
    for (i, &node) in order.iter().enumerate() {
        number[node] = i;
    }
    let mut dominator = vec![None; end + 1];
    dominator[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|node| **node != end) {
            let known = edges[node].iter().copied().filter(|s| dominator[*s].is_some());
            let new = known.reduce(|a, b| intersect(&dominator, &number, a, b));
            if new != dominator[node] {
                dominator[node] = new;
                changed = true;
            }
        }
    }
    dominator.truncate(end);
    dominator
}

/// Depth-first post-order of what can be reached from `root` along `edges`.
fn post_order(edges: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = stack.last_mut() {
        match edges[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

fn intersect(dominator: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    let up = |node: usize| dominator[node].expect("ancestors have a dominator");
    while a != b {
        while number[a] < number[b] {
            a = up(a);
        }
        while number[b] < number[a] {
            b = up(b);
        }
    }
    a
}
