//! To which places of its Verilog a model came: the ways of each `if`, `case` and, if it was emitted here, `?:`. Verilator counts them
//! (`--coverage-line`), with an `if` for each `?:` ([`crate::choices`]); [`crate::shim`] asks in each cycle what was counted.
//!
//! Verilator also runs what depends on inputs straight after a rising edge, with the inputs of the cycle before. No register ever takes what
//! comes of that. An `if` that depends on inputs therefore has gone only the ways that it went while the model followed its inputs.
//!
//! Beside a reset, inputs and registers may be anything: what is reached there counts only for an `if` that asks for the reset.

use crate::choices::IF;
use crate::user_verilog;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

/// The model came to a place while it followed its inputs.
const AT_INPUTS: u8 = 1;
/// It came there at a rising edge or straight after it.
const AT_EDGE: u8 = 2;
/// Bits by which these two are shifted under a reset.
const BESIDE_RESET: u8 = 2;

/// Text before each text of a model that counts. A place is told to the shim instead of Verilator's own table, which
/// adds up the counts of one line.
pub(crate) const BEFORE: &str = r#"#include "verilated_cov.h"
#include <cstring>
#include <string>
void unruly_place(const void* count, const char* file, int line, int column, const char* module, const char* way);
inline void unruly_insert(const void* count, const char*, const char* file, const char*, int line, const char*, int column, const char*,
                          const std::string&, const char*, const char* page, const char*, const char* way, const char*, const char*) {
    // A whole block runs with the rest of its module, or Verilator does not count it.
    if (std::strcmp(way, "block")) unruly_place(count, file, line, column, page, way);
}
#undef VL_COVER_INSERT
#define VL_COVER_INSERT(context, count, ...) unruly_insert(count, __VA_ARGS__)
"#;

/// The parts of the shim that are about places; empty ones for a model that does not count.
#[derive(Default)]
pub(crate) struct Shim {
    pub types: &'static str,
    /// Members of an instance.
    pub members: &'static str,
    /// When an instance has been made.
    pub start: &'static str,
    /// When it has followed its inputs.
    pub at_inputs: String,
    /// After a rising edge.
    pub at_edge: String,
    pub api: &'static str,
}

/// The parts for a model that counts.
pub(crate) fn shim() -> Shim {
    let see = |when: u8| format!("        d->places.see({when} << (reset ? {BESIDE_RESET} : 0));\n");
    Shim {
        types: TYPES,
        members: "    Places places;\n",
        start: "    d->places.start(d->model.rootp->vlSymsp->__Vcoverage);\n",
        at_inputs: see(AT_INPUTS),
        at_edge: see(AT_EDGE),
        api: API,
    }
}

const TYPES: &str = r#"struct Place {
    const void* count;
    std::string text;
};
// Those that Verilator has named since somebody took them.
thread_local std::vector<Place> named;
struct Places {
    uint32_t* counts = nullptr;
    std::vector<std::string> texts;
    std::vector<uint8_t> seen;
    template <class Count, std::size_t N> void start(Count (&all)[N]) {
        static_assert(sizeof(Count) == sizeof(uint32_t), "a count has 32 bits");
        counts = (uint32_t*)all;
        texts.resize(N);
        seen.resize(N);
        for (const auto& place : named) {
            // Verilator counts all instances of a module in one place, and names it for each.
            const auto at = (const uint32_t*)place.count - counts;
            if (at >= 0 && at < (std::ptrdiff_t)N) texts[at] = place.text;
        }
        named.clear();
        see(0);
    }
    void see(uint8_t when) {
        for (std::size_t i = 0; i < seen.size(); i++)
            if (counts[i]) seen[i] |= when, counts[i] = 0;
    }
};
}
void unruly_place(const void* count, const char* file, int line, int column, const char* module, const char* way) {
    std::string text(file);
    for (const std::string& field : {std::to_string(line), std::to_string(column), std::string(module), std::string(way)}) text += '\t' + field;
    named.push_back({count, text});
}
namespace {
"#;

const API: &str = r#"API size_t dut_places(void* p) { return ((Dut*)p)->places.seen.size(); }
API const char* dut_place(void* p, size_t place) { return ((Dut*)p)->places.texts[place].c_str(); }
API void dut_seen(void* p, uint8_t* to) {
    const auto& seen = ((Dut*)p)->places.seen;
    std::memcpy(to, seen.data(), seen.size());
}
"#;

/// A place of the Verilog.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Place {
    /// `MODULE.v` for what was emitted here, as `unruly verilog --flat` writes it.
    pub file: String,
    pub line: usize,
    /// `if` or `else` for the two ways of an `if` or a `?:`, `elsif` for a further one, `case` for an item.
    pub way: String,
    /// As `if (CONDITION)` or `CONDITION ? :`, or the line of another place.
    pub text: String,
}

impl Place {
    /// As the shim names it; `source` reads the text of a file that Verilator has read.
    pub(crate) fn parse(named: &str, source: impl FnOnce(&str) -> Rc<str>) -> Self {
        let mut fields = named.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let number = |field: &str| field.parse::<usize>().unwrap_or(1);
        let (file, line, column, module, way) = (next(), number(next()), number(next()), next(), next());
        let source = source(file);
        let lines: Vec<&str> = source.lines().take(line).collect();
        // Verilator counts the second way of an `if` one column behind it.
        let text = text(&source, &lines, column.saturating_sub(usize::from(way == "else")));
        let module = module.rsplit('/').next().unwrap_or(module);
        // The text of a design is that of its modules one behind the other; a file of `unruly verilog --flat` has a beginning besides.
        let header = format!("// {module}: ");
        let first = lines.iter().rposition(|line| line.starts_with(&header)).filter(|_| !user_verilog::is_users(file));
        let (file, line) = match first {
            Some(before) => (format!("{module}.v"), line - before + gen::elaborate::LINES_BEFORE),
            None => (Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned(), line),
        };
        Place { file, line, way: way.into(), text }
    }

    fn asks_for_reset(&self) -> bool {
        self.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "reset")
    }

    /// The place is the second way of the `if` whose first way is `first`.
    fn is_other_way_of(&self, first: &Place) -> bool {
        let is_same_if = (&first.file, first.line, &first.text) == (&self.file, self.line, &self.text);
        first.way == "if" && self.way == "else" && is_same_if
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Place { file, line, way, text } = self;
        let condition = match &way[..] {
            "if" | "elsif" => ", true",
            "else" => ", false",
            _ => "",
        };
        write!(f, "{file}:{line}: `{text}`{condition}")
    }
}

/// Text of the place at `column` in the last of the `lines` of a file.
fn text(file: &str, lines: &[&str], column: usize) -> String {
    let Some(line) = lines.last() else { return String::new() };
    let (_, here) = line.split_at_checked(column.saturating_sub(1)).unwrap_or((line, ""));
    let start = here.as_ptr() as usize - file.as_ptr() as usize;
    match condition(&file[start..]) {
        Some(condition) if here.starts_with(IF) => format!("{condition} ? :"),
        Some(condition) => format!("if ({condition})"),
        None => line.trim().to_string(),
    }
}

/// The condition of the `if` that a text begins with, in one line.
fn condition(text: &str) -> Option<String> {
    let text = text.strip_prefix("if")?.trim_start().strip_prefix('(')?;
    let mut deep = 1;
    let end = text.find(|c| {
        deep += i32::from(c == '(') - i32::from(c == ')');
        deep == 0
    })?;
    Some(text[..end].split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The places of a model in the order in which Verilator counts them, and when instances came to each.
#[derive(Clone, Debug)]
pub struct Places {
    all: Vec<Place>,
    seen: Vec<u8>,
}

impl Places {
    /// `seen` as the shim gives it.
    pub(crate) fn new(all: Vec<Place>, seen: Vec<u8>) -> Self {
        Places { all, seen }
    }

    /// Places that another instance of the same model saw are added.
    pub fn join(&mut self, other: &Places) {
        self.seen.iter_mut().zip(&other.seen).for_each(|(all, seen)| *all |= seen);
    }

    /// All places, and whether somebody came there.
    pub fn reached(&self) -> BTreeMap<&Place, bool> {
        let mut reached = BTreeMap::new();
        let (mut rest, mut seen) = (&self.all[..], &self.seen[..]);
        while let Some(first) = rest.first() {
            let beside = if first.asks_for_reset() { (AT_INPUTS | AT_EDGE) << BESIDE_RESET } else { 0 };
            let ways = 1 + rest[1..].iter().take(1).filter(|second| second.is_other_way_of(first)).count();
            let depends_on_inputs = seen[..ways].iter().any(|seen| seen & AT_INPUTS != 0);
            let when = if depends_on_inputs { AT_INPUTS } else { AT_INPUTS | AT_EDGE };
            for (place, seen) in rest[..ways].iter().zip(seen) {
                *reached.entry(place).or_insert(false) |= seen & (when | beside) != 0;
            }
            (rest, seen) = (&rest[ways..], &seen[ways..]);
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Place {
        pub(crate) fn of(file: &str, line: usize, way: &str, text: &str) -> Self {
            Place { file: file.into(), line, way: way.into(), text: text.into() }
        }
    }

    fn place(line: usize, way: &str) -> Place {
        Place::of("a.v", line, way, "")
    }

    fn never(all: &[Place], seen: &[u8]) -> Vec<String> {
        let places = Places::new(all.to_vec(), seen.to_vec());
        places.reached().iter().filter(|(_, &reached)| !reached).map(|(place, _)| place.to_string()).collect()
    }

    #[test]
    fn an_if_that_depends_on_inputs_is_not_believed_after_an_edge() {
        let both = [place(3, "if"), place(3, "else")];
        assert_eq!(never(&both, &[AT_EDGE, AT_INPUTS]), ["a.v:3: ``, true"]);
        assert_eq!(never(&both, &[AT_EDGE, AT_EDGE]), [""; 0]);
        assert_eq!(never(&both, &[AT_EDGE, 0]), ["a.v:3: ``, false"]);
        assert_eq!(never(&both, &[AT_EDGE | AT_INPUTS, AT_INPUTS]), [""; 0]);
    }

    #[test]
    fn beside_a_reset_only_an_if_that_asks_for_it_counts() {
        let ways = |text: &str| ["if", "else"].map(|way| Place::of("a.v", 3, way, text));
        let seen = [AT_EDGE << BESIDE_RESET, AT_EDGE];
        assert_eq!(never(&ways("if (x)"), &seen), ["a.v:3: `if (x)`, true"]);
        assert_eq!(never(&ways("if (!reset)"), &seen), [""; 0]);
    }

    #[test]
    fn ways_of_two_ifs_and_items_stand_for_themselves() {
        let all = [place(3, "else"), place(4, "if"), place(2, "case")];
        assert_eq!(never(&all, &[AT_EDGE, AT_INPUTS, AT_EDGE]), [""; 0]);
        // Two in one line, of which one has lost its other way.
        let all = [Place::of("a.v", 3, "if", "x ? :"), Place::of("a.v", 3, "if", "y ? :")];
        assert_eq!(never(&all, &[AT_EDGE, AT_INPUTS]), [""; 0]);
    }

    #[test]
    fn a_line_counts_once_however_often_it_stands_in_the_model() {
        let all = [place(3, "if"), place(3, "else"), place(3, "if"), place(3, "else")];
        let mut places = Places::new(all.to_vec(), vec![AT_EDGE, 0, 0, 0]);
        assert_eq!(places.reached().values().collect::<Vec<_>>(), [&false, &true]);
        places.join(&Places::new(all.to_vec(), vec![0, 0, 0, AT_EDGE]));
        assert_eq!(places.reached().values().collect::<Vec<_>>(), [&true, &true]);
    }

    #[test]
    fn a_place_is_named_by_its_module_and_the_line_in_it() {
        let text = "// a: one\nmodule a;\nendmodule\n\n// b: two\nmodule b;\n  if (x |\n    f(z)) y = 1;\nendmodule\n";
        let emitted = Place::parse("/cache/top.v\t7\t3\tv_branch/b\tif", |_| text.into());
        assert_eq!(emitted.to_string(), "b.v:5: `if (x | f(z))`, true");
        let own = Place::parse("/cache/own/0/mine.v\t7\t4\tv_branch/b\telse", |_| text.into());
        assert_eq!(own.to_string(), "mine.v:7: `if (x | f(z))`, false");
        let choice = crate::choices::with_ifs("assign a = b[0] ? c : d;\n");
        let column = choice.find("if").unwrap() + 1;
        let place = Place::parse(&format!("/cache/top.v\t1\t{column}\tv_branch/b\tif"), |_| choice[..].into());
        assert_eq!(place.to_string(), "top.v:1: `b[0] ? :`, true");
    }
}
