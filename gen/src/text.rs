//! Verilog text without what means nothing to a circuit.

pub use verilog::rules::ASSERT;

/// Verilog without comments, white space but for one blank between words, `` `timescale ``, assertions.
pub fn bare(verilog: &str) -> String {
    let text = without_comments(&without_assertions(verilog));
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("`timescale"));
    let mut bare = String::new();
    for word in lines.flat_map(str::split_whitespace) {
        let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_$'`\\".contains(c));
        if touches(bare.chars().next_back()) && touches(word.chars().next()) {
            bare.push(' ');
        }
        bare += word;
    }
    bare
}

/// Without the rules of pins that stand under the macro.
pub fn without_assertions(verilog: &str) -> String {
    lines_without_assertions(verilog).flatten().collect()
}

/// The lines, with their ends; nothing for one of the rules.
pub(crate) fn lines_without_assertions(verilog: &str) -> impl Iterator<Item = Option<&str>> {
    let mut depth = 0;
    verilog.split_inclusive('\n').map(move |line| {
        let (word, within) = (line.split_whitespace().next().unwrap_or_default(), depth > 0);
        let begins = line.trim_end() == format!("`ifdef {ASSERT}") || within && ["`ifdef", "`ifndef"].contains(&word);
        depth += usize::from(begins);
        let is_rule = depth > 0;
        depth -= usize::from(is_rule && word == "`endif");
        (!is_rule).then_some(line)
    })
}

/// A blank for each comment.
pub fn without_comments(verilog: &str) -> String {
    let mut text = String::new();
    let mut rest = verilog;
    while let Some(start) = comment_or_string(rest) {
        text += &rest[..start];
        let (mark, end) = match &rest[start..start + 1] {
            "\"" => ("\"", end_of_string(&rest[start..])),
            _ if rest[start..].starts_with("//") => ("//", rest[start..].find('\n')),
            _ => ("/*", rest[start + 2..].find("*/").map(|end| end + 4)),
        };
        let end = start + end.unwrap_or(rest.len() - start);
        text += if mark == "\"" { &rest[start..end] } else { " " };
        rest = &rest[end..];
    }
    text + rest
}

/// Where the first one begins. One pass: a search for each mark would go through the whole text behind every comment.
fn comment_or_string(text: &str) -> Option<usize> {
    let begins = |place: &usize| ["//", "/*", "\""].iter().any(|mark| text[*place..].starts_with(mark));
    text.match_indices(['/', '"']).map(|(place, _)| place).find(begins)
}

/// Behind the closing quote of the string that `text` begins with.
pub fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    let closes = |c: char| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    };
    text[1..].find(closes).map(|end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_does_not_count_and_content_does() {
        let one = "`timescale 1ns/1ps\n// a\nmodule m(input a, output b);\n  assign b = ~a; /* x\n */\nendmodule\n";
        let same = "module m (\n    input a,\n    output b\n);\n\n  assign b=~a;\nendmodule";
        assert_eq!(bare(one), bare(same));
        assert_eq!(bare(same), "module m(input a,output b);assign b=~a;endmodule");
        assert_ne!(bare(one), bare(&one.replace("~a", "a")));
        assert_ne!(bare("1'b1 1"), bare("1'b11"));
    }

    #[test]
    fn rules_mean_nothing_to_a_circuit() {
        let rules = "`ifdef UNRULY_ASSERT\n`ifndef X\n`define X\n`endif\n  if (a) $stop;\n`endif\n";
        let rest = "`ifdef OTHER\nb\n`endif\n";
        assert_eq!(without_assertions(&format!("a\n{rules}{rest}{rules}c")), format!("a\n{rest}c"));
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_stays() {
        assert_eq!(without_comments(r#"a "//\" /*" /**/ b // c"#), r#"a "//\" /*"   b  "#);
    }
}
