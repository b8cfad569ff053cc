//! Loops of a decoded kernel, to say where a warp is that does not come to its end.

use super::control_flow::successors;
use super::instr::SourceLine;
use super::program::Program;
use std::collections::BTreeMap;

/// A natural loop: the target of branches back, and all that lies on a way from there to one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Instructions, in order.
    pub body: Vec<u32>,
}

/// All loops of a kernel, the smallest first. Branches back to one instruction belong to one loop.
pub fn loops(program: &Program) -> Vec<Loop> {
    let end = program.code.len();
    let successors = |pc: usize| successors(&program.code, &program.tables, pc).filter(move |next| *next < end);
    let mut predecessors = vec![Vec::new(); end];
    let mut back: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for pc in 0..end {
        for next in successors(pc) {
            predecessors[next].push(pc);
            if next <= pc {
                back.entry(next).or_default().push(pc);
            }
        }
    }
    let mut loops: Vec<_> = back
        .into_iter()
        .map(|(head, branches)| {
            let ahead = reach(end, [head], |pc| successors(pc).collect());
            let behind = reach(end, branches, |pc| if pc == head { Vec::new() } else { predecessors[pc].clone() });
            Loop { body: (0..end).filter(|&pc| ahead[pc] && behind[pc]).map(|pc| pc as u32).collect() }
        })
        .filter(|found| !found.body.is_empty())
        .collect();
    loops.sort_by_key(|found| found.body.len());
    loops
}

/// Instructions that can be reached from `from`, these included.
fn reach(end: usize, from: impl IntoIterator<Item = usize>, next: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut seen = vec![false; end];
    let mut open: Vec<usize> = from.into_iter().collect();
    while let Some(pc) = open.pop() {
        if !std::mem::replace(&mut seen[pc], true) {
            open.extend(next(pc));
        }
    }
    seen
}

impl Loop {
    pub fn contains(&self, pc: u32) -> bool {
        self.body.binary_search(&pc).is_ok()
    }

    /// Lines of the PTX and, if they are known, those of the source: `k.ptx:33-45 (k.cu:5-9)`.
    pub fn place(&self, program: &Program) -> String {
        let instructions = || self.body.iter().map(|pc| &program.code[*pc as usize]);
        let lines = |lines: &mut dyn Iterator<Item = u32>| {
            let (first, last) = lines.fold((u32::MAX, 0), |(first, last), line| (first.min(line), last.max(line)));
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        };
        let ptx = format!("{}:{}", program.source, lines(&mut instructions().map(|i| i.line)));
        let Some(SourceLine { file, .. }) = instructions().find_map(|i| i.source) else { return ptx };
        let of_file = |source: SourceLine| (source.file == file).then_some(source.line);
        let source = lines(&mut instructions().filter_map(|i| i.source.and_then(of_file)));
        format!("{ptx} ({}:{source})", program.sources[usize::from(file)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::Module;

    /// A loop in a loop with a `continue`: lines 3 to 10 around lines 4 to 7.
    const NEST: &str = ".visible .entry k() {
.reg .pred %p<3>; .reg .b32 %r<3>;
OUTER: add.s32 %r1, %r1, 1;
INNER: add.s32 %r2, %r2, 1;
setp.eq.s32 %p1, %r2, 5;
@%p1 bra INNER;
@!%p1 bra INNER;
setp.eq.s32 %p2, %r1, 7;
@%p2 bra OUTER;
bra.uni OUTER;
ret;
}";

    #[test]
    fn loops_are_found_the_smallest_first() {
        let program = Module::parse("n.ptx", NEST).unwrap().kernel("k").unwrap();
        let loops = loops(&program);
        let bodies: Vec<_> = loops.iter().map(|found| found.body.clone()).collect();
        assert_eq!(bodies, [(1..5).collect::<Vec<_>>(), (0..8).collect()]);
        assert_eq!(loops.iter().map(|found| found.place(&program)).collect::<Vec<_>>(), ["n.ptx:4-7", "n.ptx:3-10"]);
        assert!(loops[0].contains(3) && !loops[0].contains(0));
        let straight = ".visible .entry k() { .reg .b32 %r; mov.u32 %r, 1; ret; }";
        assert_eq!(super::loops(&Module::parse("s.ptx", straight).unwrap().kernel("k").unwrap()), []);
    }
}
