//! Random kernels: branches, loops that are left anywhere and entered in the middle, tables, early ends, guards, on a mixture of
//! values that lanes have of their own and that they share. No mark of the analysis is ever found to be wrong.

use super::{gpu, kernel, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sim::exec::Cause;
use sim::gpu::RunError;
use sim::stats::LaunchStats;
use std::cell::Cell;
use std::fmt::Write;
use std::ops::Range;

/// Values and predicates that the program computes with. The last ones of each are never defined at the start.
const VALUES: u8 = 7;
const PREDICATES: u8 = 4;

#[derive(Clone, Copy, Debug)]
enum Source {
    Value(u8),
    Immediate(u8),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Source::Value(n) => write!(f, "%r{n}"),
            Source::Immediate(n) => write!(f, "{n}"),
        }
    }
}

/// `@p`, `@!p` or nothing.
#[derive(Clone, Copy, Debug)]
struct Guard(Option<(u8, bool)>);

impl std::fmt::Display for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.0 {
            Some((p, true)) => write!(f, "@!%p{p} "),
            Some((p, false)) => write!(f, "@%p{p} "),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Debug)]
enum Statement {
    /// An instruction; `%d`, `%a`, `%b`, `%p` and `%q` in it are registers to be filled in.
    Instruction {
        form: &'static str,
        guard: Guard,
        dst: u8,
        a: Source,
        b: Source,
        p: u8,
        q: u8,
    },
    Load {
        guard: Guard,
        dst: u8,
        index: Source,
    },
    Store {
        guard: Guard,
        index: Source,
        value: Source,
    },
    If {
        guard: Guard,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// `rounds` modulo 4, plus 1. `entry`: lanes that enter in the middle, `head` being before it.
    Loop {
        rounds: Source,
        entry: Guard,
        head: Vec<Statement>,
        tail: Vec<Statement>,
    },
    Switch {
        guard: Guard,
        selector: Source,
        cases: [Vec<Statement>; 2],
        falls: bool,
    },
    /// To the end of an enclosing construct, or of the kernel.
    Leave {
        guard: Guard,
        levels: usize,
    },
    /// To the test of the innermost loop.
    Continue {
        guard: Guard,
    },
    End {
        guard: Guard,
    },
}

const FORMS: [&str; 19] = [
    "add.u32 %d, %a, %b",
    "xor.b32 %d, %a, %b",
    "mul.lo.u32 %d, %a, %b",
    "min.u32 %d, %a, %b",
    "shr.u32 %d, %a, 1",
    "mov.u32 %d, %a",
    "mov.u32 %d, %laneid",
    "mov.u32 %d, %ctaid.x",
    "mov.u32 %d, %warpid",
    "selp.u32 %d, %a, %b, %p",
    "setp.lt.u32 %p|%q, %a, %b",
    "setp.eq.u32 %p, %a, %b",
    "setp.ne.and.u32 %p, %a, %b, !%q",
    "xor.pred %p, %p, %q",
    "vote.ballot.b32 %d, %p",
    "vote.any.pred %p, %q",
    "shfl.idx.b32 %d|%p, %a, %r18, 31",
    "shfl.bfly.b32 %d, %a, 1, 31",
    "atom.global.add.u32 %d, [%A], %b",
];

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![3 => (0..VALUES).prop_map(Source::Value), 1 => (0..6u8).prop_map(Source::Immediate)]
}

fn condition() -> impl Strategy<Value = Guard> {
    (0..PREDICATES, any::<bool>()).prop_map(|guard| Guard(Some(guard)))
}

fn guard() -> impl Strategy<Value = Guard> {
    prop_oneof![3 => Just(Guard(None)), 1 => condition()]
}

fn instruction() -> impl Strategy<Value = Statement> {
    let registers = (0..VALUES, source(), source(), 0..PREDICATES, 0..PREDICATES);
    (prop::sample::select(&FORMS[..]), guard(), registers).prop_map(|(form, guard, (dst, a, b, p, q))| {
        let q = if q == p { (q + 1) % PREDICATES } else { q };
        Statement::Instruction { form, guard, dst, a, b, p, q }
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    let leaf = prop_oneof![
        12 => instruction(),
        2 => (guard(), 0..VALUES, source()).prop_map(|(guard, dst, index)| Statement::Load { guard, dst, index }),
        1 => (guard(), source(), source()).prop_map(|(guard, index, value)| Statement::Store { guard, index, value }),
        2 => (condition(), 0..4usize).prop_map(|(guard, levels)| Statement::Leave { guard, levels }),
        1 => condition().prop_map(|guard| Statement::Continue { guard }),
        1 => condition().prop_map(|guard| Statement::End { guard }),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let block = move || prop::collection::vec(inner.clone(), 0..5);
        prop_oneof![
            (condition(), block(), block()).prop_map(|(guard, then, otherwise)| Statement::If {
                guard,
                then,
                otherwise
            }),
            (source(), prop_oneof![2 => Just(Guard(None)), 1 => condition()], block(), block())
                .prop_map(|(rounds, entry, head, tail)| Statement::Loop { rounds, entry, head, tail }),
            (guard(), source(), [block(), block()], any::<bool>())
                .prop_map(|(guard, selector, cases, falls)| Statement::Switch { guard, selector, cases, falls }),
        ]
    })
}

/// Writes PTX.
#[derive(Default)]
struct Writer {
    text: String,
    labels: usize,
    /// Labels at the ends of the enclosing constructs, outermost first, and at the tests of the enclosing loops.
    ends: Vec<usize>,
    tests: Vec<usize>,
    counters: usize,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments) {
        writeln!(self.text, "{line}").unwrap();
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// `%d9` becomes the address of a word.
    fn address(&mut self, index: Source) {
        self.line(format_args!("and.b32 %r19, {index}, 63;\nmul.wide.u32 %d9, %r19, 4;\nadd.u64 %d9, %a, %d9;"));
    }

    fn block(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Instruction { form, guard, dst, a, b, p, q } => {
                self.instruction(form, *guard, *dst, [*a, *b], [*p, *q])
            }
            Statement::Load { guard, dst, index } => {
                self.address(*index);
                self.line(format_args!("{guard}ld.global.u32 %r{dst}, [%d9];"));
            }
            Statement::Store { guard, index, value } => {
                self.address(*index);
                self.line(format_args!("mov.u32 %r18, {value};\n{guard}st.global.u32 [%d9], %r18;"));
            }
            Statement::If { guard, then, otherwise } => {
                let (side, end) = (self.label(), self.label());
                self.ends.push(end);
                self.line(format_args!("{guard}bra L{side};"));
                self.block(otherwise);
                self.line(format_args!("bra L{end};\nL{side}:"));
                self.block(then);
                self.line(format_args!("L{end}:"));
                self.ends.pop();
            }
            Statement::Loop { rounds, entry, head, tail } => self.repeat(*rounds, *entry, head, tail),
            Statement::Switch { guard, selector, cases, falls } => {
                let (targets, second, end) = (self.label(), self.label(), self.label());
                self.ends.push(end);
                self.line(format_args!("T{targets}: .branchtargets L{targets}, L{second}, L{end};"));
                self.line(format_args!(
                    "mov.u32 %r17, {selector};\nrem.u32 %r17, %r17, 3;\n{guard}brx.idx %r17, T{targets};"
                ));
                self.line(format_args!("L{targets}:"));
                self.block(&cases[0]);
                if !falls {
                    self.line(format_args!("bra L{end};"));
                }
                self.line(format_args!("L{second}:"));
                self.block(&cases[1]);
                self.line(format_args!("L{end}:"));
                self.ends.pop();
            }
            Statement::Leave { guard, levels } => {
                let end = self.ends.iter().rev().nth(*levels).copied().unwrap_or_default();
                self.line(format_args!("{guard}bra L{end};"));
            }
            Statement::Continue { guard } => {
                if let Some(test) = self.tests.last().copied() {
                    self.line(format_args!("{guard}bra L{test};"));
                }
            }
            Statement::End { guard } => self.line(format_args!("{guard}ret;")),
        }
    }

    fn instruction(&mut self, form: &str, guard: Guard, dst: u8, [a, b]: [Source; 2], [p, q]: [u8; 2]) {
        if form.contains("%A") {
            self.address(a);
        }
        if form.contains("%r18") {
            // A lane that warps of every width have.
            self.line(format_args!("and.b32 %r18, {b}, 7;"));
        }
        let fill =
            [("%A", "%d9".to_string()), ("%ctaid", "#ctaid".into()), ("%a", a.to_string()), ("%b", b.to_string())];
        let mut text = fill.iter().fold(form.to_string(), |text, (name, value)| text.replace(name, value));
        text = text.replace("%d9", "#d9").replace("%d", &format!("%r{dst}")).replace("%p", &format!("#p{p}"));
        text = text.replace("%q", &format!("%p{q}")).replace('#', "%");
        self.line(format_args!("{guard}{text};"));
    }

    /// A loop with a counter of its own, so that it ends whatever its body does.
    fn repeat(&mut self, rounds: Source, entry: Guard, head: &[Statement], tail: &[Statement]) {
        let (counter, more) = (format!("%c{}", self.counters), format!("%m{}", self.counters));
        self.counters += 1;
        let (top, middle, test, end) = (self.label(), self.label(), self.label(), self.label());
        self.ends.push(end);
        self.tests.push(test);
        self.line(format_args!(".reg .b32 {counter};\n.reg .pred {more};"));
        self.line(format_args!("mov.u32 {counter}, {rounds};\nand.b32 {counter}, {counter}, 3;"));
        if entry.0.is_some() {
            self.line(format_args!("{entry}bra L{middle};"));
        }
        self.line(format_args!("L{top}:"));
        self.block(head);
        self.line(format_args!("L{middle}:"));
        self.block(tail);
        self.line(format_args!("L{test}:\nsetp.ne.u32 {more}, {counter}, 0;\nsub.u32 {counter}, {counter}, 1;"));
        self.line(format_args!("@{more} bra L{top};\nL{end}:"));
        self.ends.pop();
        self.tests.pop();
    }
}

/// Values 0 and 1 and predicate 0 differ from lane to lane, 2 to 4 and predicates 1 and 2 do not, and the last ones are undefined.
/// At the end every one is read. Some of the statements are between pragmas.
fn write(statements: &[Statement], promised: Range<usize>) -> String {
    let mut writer = Writer::default();
    writer.text += "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %laneid;\nand.b32 %r1, %r1, 1;\nmov.u32 %r2, %n;\nmov.u32 %r3, %ctaid.x;\n\
        ld.global.u32 %r4, [%a+8];\nmov.u32 %r5, 3;\nsetp.eq.u32 %p0, %r1, 0;\nsetp.eq.u32 %p1, %r3, 0;\nsetp.gt.u32 %p2, %r2, 3;\n";
    writer.block(&statements[..promised.start]);
    writer.text += ".pragma \"scalar\";\n";
    writer.block(&statements[promised.clone()]);
    writer.text += ".pragma \"scalar end\";\n";
    writer.block(&statements[promised.end..]);
    writer.text += "L0:\n";
    for value in 0..VALUES {
        writeln!(writer.text, "mov.u32 %r10, %r{value};").unwrap();
    }
    for predicate in 0..PREDICATES {
        writeln!(writer.text, "selp.u32 %r10, 1, 2, %p{predicate};").unwrap();
    }
    writer.text + "ret;"
}

/// Runs random kernels on wide and narrow warps. `promises` puts some of the statements between pragmas, which may be lies: those
/// are found where they are made, so that no mark is ever found to be wrong. Gives kernels, those with lies, and the share of
/// executed instructions that are marked.
fn run_random(cases: u32, promises: bool) -> (u32, u32, f64) {
    let counts = Cell::new((0, 0, 0, 0));
    let region = if promises { 1..4usize } else { 0..1 };
    let kernels = (prop::collection::vec(statement(), 1..14), 0..14usize, region, prop::sample::select(vec![32, 8]));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let result = runner.run(&kernels, |(statements, first, length, warp_size)| {
        let first = first.min(statements.len());
        let text = write(&statements, first..(first + length).min(statements.len()));
        let program = kernel(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let (kernels, lies, marked, executed) = counts.get();
        match run(&mut gpu(warp_size), &program) {
            Ok(LaunchStats { core, .. }) => {
                counts.set((kernels + 1, lies, marked + core.scalar_instructions, executed + core.warp_instructions));
                Ok(())
            }
            Err(RunError::Fault(fault)) if matches!(fault.details().cause, Cause::FalseClaim { .. }) => {
                counts.set((kernels + 1, lies + 1, marked, executed));
                Ok(())
            }
            Err(error) => Err(TestCaseError::fail(format!("{error}\n{text}"))),
        }
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let (kernels, lies, marked, executed) = counts.get();
    (kernels, lies, marked as f64 / executed as f64)
}

#[test]
fn no_mark_is_wrong_in_random_kernels() {
    let (_, lies, marked) = run_random(800, false);
    assert_eq!(lies, 0);
    assert!((0.2..0.8).contains(&marked), "the kernels are a mixture: {marked:.3} are marked");
}

#[test]
fn a_lie_is_found_before_a_mark_is_wrong() {
    let (kernels, lies, _) = run_random(800, true);
    assert!((kernels / 20..kernels / 2).contains(&lies), "{lies} lies in {kernels} kernels");
}
