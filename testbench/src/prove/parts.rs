//! Properties of a part, told of the part where it is in a larger unit.

use super::fragment::{self, words, Kind};
use crate::error::Result;
use gen::is_keyword;

/// Pins that all parts share.
const SHARED: [&str; 2] = ["clock", "reset"];
/// Words behind which names are declared.
const DECLARE: [&str; 7] = ["wire", "reg", "integer", "genvar", "input", "output", "function"];

/// `text`, with the properties of a part's unit for each line `// part core_0: hwwl_core`.
///
/// # Errors
/// Errors of `properties_of`.
pub(super) fn with_parts(text: &str, properties_of: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut all = String::new();
    for line in text.lines() {
        match line.trim().strip_prefix("// part ").and_then(|rest| rest.split_once(": ")) {
            Some((part, unit)) => all += &within(part, &properties_of(unit)?),
            None => all += line,
        }
        all += "\n";
    }
    Ok(all)
}

/// The properties `text` of a unit, where the unit is the part `part` of another: `part.pin` for a pin or a register of the unit, and `part_name` for
/// a name that `text` declares.
fn within(part: &str, text: &str) -> String {
    let declared = declared(text);
    let is_declared = |word: &str| declared.contains(&word);
    let rename = |word: &str| {
        let first = word.split(['.', '[']).next().unwrap_or(word);
        let is_name = first.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        match is_name && !is_known(first) {
            true if is_declared(first) => format!("{part}_{word}"),
            true => format!("{part}.{word}"),
            false => word.into(),
        }
    };
    let line = |line: &str| match line.trim().starts_with("//") {
        true => claim(part, line).unwrap_or_default(),
        false => words(line).map(|(between, word)| between.to_string() + &rename(word)).chain(["\n".into()]).collect(),
    };
    text.lines().map(line).collect()
}

fn is_known(word: &str) -> bool {
    SHARED.contains(&word) || is_keyword(word)
}

/// A comment that makes a claim, as one about the part: what is given there is shown here, and what is shown there follows.
fn claim(part: &str, line: &str) -> Option<String> {
    let claim = fragment::claim(line)?;
    let kind = match claim.kind {
        Kind::Property | Kind::Reached => return None,
        Kind::Invariant | Kind::Assumption => "invariant",
        Kind::Choice => "choice",
    };
    Some(format!("    // {kind} {part}_{}: {part}: {}\n", claim.name, claim.sentence))
}

/// Names that `text` declares, of any kind.
fn declared(text: &str) -> Vec<&str> {
    let mut names = vec![];
    for line in text.lines().filter(|line| !line.trim().starts_with("//")) {
        // Inside a declaration, and outside the brackets of its range.
        let (mut declares, mut is_range) = (false, false);
        for (between, word) in words(line) {
            let before = between.trim();
            is_range = (is_range || before.contains('[')) && !before.contains(']');
            declares = match word {
                word if DECLARE.contains(&word) => true,
                "begin" => line.contains("begin :"),
                _ => declares && !before.contains(['=', ';']),
            };
            if declares && !is_range && !is_known(word) && !word.is_empty() {
                names.push(word);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str = "
    input [1:0] pick;
    reg [3:0] away_q, back_q;
    // Twice what is there.
    function [3:0] twice(input [2:0] number);
        integer i;
        twice = number << 1;
    endfunction
    always @(posedge clock) begin
        away_q <= reset ? 4'd0 : away_q | ({3'd0, valid} << tag[pick]);
    end
    // assumption owed: It was asked for.
    wire owed = ~valid | away_q[0];
    generate
        genvar g;
        for (g = 0; g < `LANES; g = g + 1) begin : of_lane
            wire full = each_bank[3].bank.full_q;
        end
    endgenerate
    // invariant exact: It is exact.
    wire exact = twice(control.count_q) == away_q;
    // property done: It is done.
    wire done = exact;
    // reached once: It is reached.
    wire once = valid;
";

    const WITHIN: &str = "
    input [1:0] core_0_pick;
    reg [3:0] core_0_away_q, core_0_back_q;
    function [3:0] core_0_twice(input [2:0] core_0_number);
        integer core_0_i;
        core_0_twice = core_0_number << 1;
    endfunction
    always @(posedge clock) begin
        core_0_away_q <= reset ? 4'd0 : core_0_away_q | ({3'd0, core_0.valid} << core_0.tag[core_0_pick]);
    end
    // invariant core_0_owed: core_0: It was asked for.
    wire core_0_owed = ~core_0.valid | core_0_away_q[0];
    generate
        genvar core_0_g;
        for (core_0_g = 0; core_0_g < `LANES; core_0_g = core_0_g + 1) begin : core_0_of_lane
            wire core_0_full = core_0.each_bank[3].bank.full_q;
        end
    endgenerate
    // invariant core_0_exact: core_0: It is exact.
    wire core_0_exact = core_0_twice(core_0.control.count_q) == core_0_away_q;
    wire core_0_done = core_0_exact;
    wire core_0_once = core_0.valid;
";

    #[test]
    fn properties_of_a_part_are_told_of_its_pins_and_registers() {
        let text = with_parts("    // part core_0: hwwl_core", |unit| {
            assert_eq!(unit, "hwwl_core");
            Ok(PART.into())
        });
        assert_eq!(text.unwrap().trim_end(), WITHIN.trim_end());
    }
}
