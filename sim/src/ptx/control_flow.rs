//! Control flow of a decoded kernel: where diverged lanes meet again.
//!
//! A branch reconverges at its immediate post-dominator, the first instruction that every path from it to the end passes.
//! Computed on instructions as nodes with the algorithm of Cooper, Harvey and Kennedy on the reversed graph; the end
//! of the kernel, `code.len()`, is its root.

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

/// Whether one of `wanted` can be executed from the instruction at `from` on; `code.len()` is the end of the kernel.
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

/// Sets [`Instr::reconverge`] of every branch. A branch from which no path leads to the end reconverges at the end.
pub fn set_reconvergence(code: &mut [Instr], tables: &[BranchTable]) {
    let post_dominators = immediate_post_dominators(code, tables);
    let end = code.len();
    for (pc, instr) in code.iter_mut().enumerate() {
        instr.reconverge = match instr.op {
            Op::Branch { .. } | Op::BranchTable { .. } => post_dominators[pc].unwrap_or(end) as u32,
            _ => end as u32,
        };
    }
}

/// For each instruction, or `None` if the end cannot be reached from it.
fn immediate_post_dominators(code: &[Instr], tables: &[BranchTable]) -> Vec<Option<usize>> {
    let end = code.len();
    let mut predecessors = vec![Vec::new(); end + 1];
    for pc in 0..end {
        for successor in successors(code, tables, pc) {
            predecessors[successor].push(pc);
        }
    }
    let order = post_order(&predecessors, end);
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
            let known = successors(code, tables, node).filter(|s| dominator[*s].is_some());
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
