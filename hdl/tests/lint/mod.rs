//! Lint over the kernels of this crate.
//!
//! RustHDL accepts Rust in a kernel (`#[hdl_gen]`) that it then prints as Verilog of another meaning, without a word, or
//! as no Verilog at all. Each rule here names one such form; each has an example that it must reject and one that it
//! must let pass.

mod latches;
mod rules;

use rules::{check, Violation};
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn the_kernels_of_this_crate_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut kernels = 0;
    let mut problems = vec![];
    for path in sources(&root) {
        let report = check(&std::fs::read_to_string(&path).unwrap());
        kernels += report.kernels;
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        problems.extend(report.violations.iter().map(|Violation { rule, line }| format!("src/{name}:{line}: {rule}")));
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(kernels >= 3, "only {kernels} kernels found: does the lint still recognise them?");
}

/// A block with the given fields and kernel statements.
fn block(fields: &str, body: &str) -> String {
    format!(
        "#[derive(LogicBlock)] struct B {{ {fields} }}\n\
         impl Logic for B {{ #[hdl_gen] fn update(&mut self) {{ {body} }} }}"
    )
}

/// A test for each rule: it must reject the first of two kernels, alone, and let the second pass. `in`: with other fields.
macro_rules! rules {
    ($($test:ident: $rule:ident $(in $fields:literal)? { $($bad:literal => $good:literal)+ })+) => {
        $(#[test]
        fn $test() {
            let fields = concat!($($fields)?);
            $(check_rule(fields, rules::$rule, $bad, $good);)+
        })+
    };
}

fn check_rule(fields: &str, rule: &str, bad: &str, good: &str) {
    let names = |body: &str| -> Vec<_> {
        check(&block(fields, body)).violations.into_iter().map(|violation| violation.rule).collect()
    };
    assert_eq!(names(bad), [rule], "{bad}");
    assert!(names(good).is_empty(), "{good}: {:?}", names(good));
}

rules! {
    casts_of_operations: CAST {
        "self.y.next = bit_cast::<8, 4>(self.a.val() + self.b.val());"
            => "self.l.next = self.a.val() + self.b.val(); self.y.next = bit_cast::<8, 4>(self.l.val());"
        "self.y.next = bit_cast::<8, 4>(!self.a.val());"
            => "self.l.next = self.a.val() + self.b.val(); self.y.next = bit_cast::<8, 4>(self.l.val());"
        "self.y.next = bit_cast::<8, 4>((self.a.val() - self.b.val()));"
            => "self.l.next = self.a.val() + self.b.val(); self.y.next = bit_cast::<8, 4>(self.l.val());"
    }
    operators_side_by_side: PRECEDENCE {
        "self.y.next = self.a.val() & self.b.val() == self.c.val();"
            => "self.y.next = self.a.val() & (self.b.val() == self.c.val());"
        "if self.a.val() | self.b.val() < self.c.val() { }" => "if self.a.val() | (self.b.val() < self.c.val()) { }"
        "self.y.next = self.a.val() | self.b.val() & self.c.val();"
            => "self.y.next = self.a.val() | self.b.val() | self.c.val();"
    }
    literals_inside: LITERAL {
        "self.y.next = (self.a.val() + 1) == self.b.val();"
            => "self.l.next = self.a.val() + 1; self.y.next = self.l.val() == self.b.val();"
        "self.y.next = (self.a.val() - 1) >> 1;" => "self.y.next = self.a.val() >> 1;"
        "if (self.a.val() + 1) == self.b.val() { }" => "if self.a.val() == 3 { }"
        "self.y.next = !(self.a.val() + 1);" => "self.y.next = self.a.val() + 1;"
        "self.y.next = (self.a.val() + bits::<4>(1)) == self.b.val();"
            => "self.y.next = bits::<4>(1); self.z.next = self.a.val();"
    }
    array_indices: INDEX {
        "for i in 0..4 { self.y[i].next = self.a[i ^ 1].val(); }"
            => "for i in 0..4 { self.y[i].next = self.a[i + 1].val(); }"
        "for i in 0..4 { self.y[i].next = self.a[i >> 1].val(); }"
            => "for i in 0..4 { self.y[i].next = self.a[i / 2].val(); }"
        "self.y.next = self.a[self.s.val().index()].val();"
            => "self.y.next = self.a.val().get_bit(self.s.val().index());"
        "for i in 0..2 { for j in 0..2 { self.y[i].next = self.a[i][j].val(); } }"
            => "for i in 0..2 { for j in 0..2 { self.y[i].next = self.a[(2 * i) + j].val(); } }"
        "for i in 0..2 { self.y[i].next = self.child[i].x[0].val(); }"
            => "for i in 0..2 { self.y[i].next = self.child[i].x.val(); }"
    }
    const_generics_as_values: GENERIC {
        "self.y.next = self.a.val().get_bits::<K>(4 - K);" => "self.y.next = self.a.val().get_bits::<K>(2);"
        "self.y.next = self.a[N - 1].val();" => "for last in Self::LAST..N { self.y.next = self.a[last].val(); }"
    }
    bits_of_an_operation: BITS_OF_OPERATION {
        "self.y.next = (self.a.val() + self.b.val()).get_bits::<2>(0);"
            => "self.y.next = self.a.val().get_bits::<2>(0);"
        "self.y.next = (self.a.val() & self.b.val()).get_bit(0);"
            => "self.y.next = (self.a.val() & self.b.val()).any();"
    }
    loop_variables_named_like_signals: LOOP_NAME in "pub i: Signal<In, bool>, pub y: [Signal<Out, bool>; 4]" {
        "for i in 0..4 { self.y[i].next = self.i.val(); }" => "for k in 0..4 { self.y[k].next = self.i.val(); }"
    }
    signals_left_unassigned_on_a_path: LATCH {
        "if self.s.val() { self.y.next = self.a.val(); }"
            => "self.y.next = self.b.val(); if self.s.val() { self.y.next = self.a.val(); }"
        "if self.s.val() { self.y.next = self.a.val(); } else if self.t.val() { self.y.next = self.b.val(); }"
            => "if self.s.val() { self.y.next = self.a.val(); } else { self.y.next = self.b.val(); }"
        "match self.s.val().index() { 0 => { self.y.next = self.a.val(); } _ => {} }"
            => "match self.s.val().index() { 0 => { self.y.next = self.a.val(); } _ => { self.y.next = self.b.val(); } }"
        "match self.s.val().index() { 0 => { self.y.next = self.a.val(); } 1 => { self.y.next = self.b.val(); } }"
            => "self.y.next = self.c.val(); match self.s.val().index() { 0 => { self.y.next = self.a.val(); } _ => {} }"
        "clock!(self, clock, r); if self.s.val() { self.r.d.next = self.a.val(); }"
            => "dff_setup!(self, clock, r); if self.s.val() { self.r.d.next = self.a.val(); }"
        "for i in 0..4 { if self.s.val() { self.y[i].next = self.a.val(); } }"
            => "for i in 0..4 { self.y[i].next = self.b.val(); if self.s.val() { self.y[i].next = self.a.val(); } }"
        "if self.s.val() { self.y.next.valid = self.a.val(); }"
            => "self.y.next.valid = self.b.val(); if self.s.val() { self.y.next.valid = self.a.val(); }"
    }
    kernels_of_constants_alone: CONSTANT {
        "self.y.next = true;" => "self.y.next = self.a.val(); self.z.next = true;"
    }
    joined_signals: JOIN {
        "Signal::join(&mut self.y, &mut self.a);" => "self.y.next = self.a.val();"
    }
    signed_values: SIGNED {
        "self.y.next = signed_bit_cast::<4, 4>(self.a.val());" => "self.y.next = self.a.val();"
        "self.y.next = self.a.val().to_signed_bits();" => "self.y.next = self.a.val();"
    }
}

#[test]
fn fields_named_like_keywords() {
    let violations = |fields: &str| check(&block(fields, "self.y.next = self.a.val();")).violations;
    assert_eq!(violations("pub end: Signal<In, bool>")[0].rule, rules::KEYWORD);
    assert_eq!(violations("pub table: Signal<In, bool>")[0].rule, rules::KEYWORD);
    assert!(violations("pub finish: Signal<In, bool>, _table: Vec<bool>").is_empty());
}
