//! Beside each `?:` of emitted Verilog an `if` with its condition: Verilator counts the ways of an `if`, and not those of a `?:`.
//!
//! The `if` has nothing to do. It stands before the statement, in the same line, and begins with [`IF`]: others have a blank there.

/// The beginning of an `if` that stands for a `?:`.
pub(crate) const IF: &str = "if(";

/// A word, a number, an operator or a bracket, and where it begins.
type Token<'a> = (usize, &'a str);

/// The text with its `if`s. It must be of the emitter's own form.
pub(crate) fn with_ifs(text: &str) -> String {
    let tokens = tokens(text);
    let mut result = String::new();
    let mut written = 0;
    let mut insert = |at: usize, what: &str| {
        result += &text[written..at];
        result += what;
        written = at;
    };
    let mut rest = &tokens[..];
    while let Some(&(_, first)) = rest.first() {
        rest = match first {
            "if" | "for" | "case" => behind_group(&rest[1..]),
            "always" => behind_group(&rest[2..]),
            "begin" if rest.get(1).is_some_and(|token| token.1 == ":") => &rest[3..],
            "begin" | "else" | "end" | "endcase" | "endfunction" | "endmodule" => &rest[1..],
            _ => {
                let end = rest.iter().position(|token| token.1 == ";").unwrap_or(rest.len() - 1);
                let (statement, behind) = rest.split_at(end + 1);
                match (first, ifs(text, value(statement))) {
                    (_, ifs) if ifs.is_empty() => {}
                    ("assign" | "wire", ifs) => insert(statement[0].0, &format!("always @(*) begin {ifs}end ")),
                    (_, ifs) => {
                        let statement = behind_label(statement);
                        insert(statement[0].0, &format!("begin {ifs}"));
                        insert(statement[statement.len() - 1].0 + 1, " end");
                    }
                }
                behind
            }
        };
    }
    insert(text.len(), "");
    result
}

/// Without comments and directives.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |c: char| c.is_alphanumeric() || "_$'".contains(c);
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '`' => rest.find('\n').unwrap_or(rest.len()),
            c if c.is_whitespace() => c.len_utf8(),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ if ["+:", "-:", "<=", ">=", "==", "!="].iter().any(|operator| rest.starts_with(operator)) => 2,
            c => c.len_utf8(),
        };
        let is_token = !(next.is_whitespace() || next == '`' || rest.starts_with("//"));
        tokens.extend(is_token.then_some((at, &rest[..length])));
        at += length;
    }
    tokens
}

/// Change of the depth in brackets after a token.
fn depth(token: &Token) -> i32 {
    match token.1 {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Places of tokens that are in no bracket and of which `is` is true.
fn outside<'a>(tokens: &'a [Token], is: impl Fn(&str) -> bool + 'a) -> impl Iterator<Item = usize> + 'a {
    let mut deep = 0;
    tokens.iter().enumerate().filter_map(move |(place, token)| {
        deep += depth(token);
        (deep == 0 && depth(token) == 0 && is(token.1)).then_some(place)
    })
}

/// The length of the bracket that the first token opens, with both ends.
fn group(tokens: &[Token]) -> usize {
    let mut deep = 0;
    let ends = |token: &Token| {
        deep += depth(token);
        deep == 0
    };
    tokens.iter().position(ends).map_or(tokens.len(), |last| last + 1)
}

fn behind_group<'a, 'b>(tokens: &'b [Token<'a>]) -> &'b [Token<'a>] {
    &tokens[group(tokens)..]
}

/// A statement without the label of a `case` item.
fn behind_label<'a, 'b>(statement: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let assigns = outside(statement, |token| ["=", "<="].contains(&token)).next().unwrap_or(0);
    outside(&statement[..assigns], |token| token == ":").next().map_or(statement, |label| &statement[label + 1..])
}

/// Tokens that a statement assigns, without its semicolon.
fn value<'a, 'b>(statement: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let end = statement.len() - 1;
    outside(statement, |token| ["=", "<="].contains(&token)).next().map_or(&[], |place| &statement[place + 1..end])
}

/// The `if`s of an expression, those of a condition before it, those of what it chooses within.
fn ifs(text: &str, expression: &[Token]) -> String {
    let Some(question) = outside(expression, |token| token == "?").next() else { return of_groups(text, expression) };
    let (condition, rest) = (&expression[..question], &expression[question + 1..]);
    let mut questions = 0;
    let colon = outside(rest, |token| token == "?" || token == ":").find(|&place| {
        questions += if rest[place].1 == "?" { 1 } else { -1 };
        questions < 0
    });
    let Some(colon) = colon else { return String::new() };
    let (then, otherwise) = (ifs(text, &rest[..colon]), ifs(text, &rest[colon + 1..]));
    // In one line: the lines of the text stay where they are.
    let words = &text[condition[0].0..expression[question].0];
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}{IF}{words}) begin {then}end else begin {otherwise}end ", of_groups(text, condition))
}

/// The `if`s of all brackets of an expression.
fn of_groups(text: &str, expression: &[Token]) -> String {
    let mut rest = expression;
    let mut found = String::new();
    while let Some(open) = rest.iter().position(|token| depth(token) == 1) {
        let inside = &rest[open..][..group(&rest[open..])];
        let mut parts = &inside[1..inside.len() - 1];
        while let Some(comma) = outside(parts, |token| token == ",").next() {
            found += &ifs(text, &parts[..comma]);
            parts = &parts[comma + 1..];
        }
        found += &ifs(text, parts);
        rest = &rest[open + inside.len()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(text: &str, expected: &str) {
        assert_eq!(with_ifs(text), expected);
    }

    #[test]
    fn an_if_stands_before_the_assignment() {
        is(
            "    assign a = b ? c : d;\n    wire [1:0] e = f[3:0];\n",
            "    always @(*) begin if(b) begin end else begin end end assign a = b ? c : d;\n    wire [1:0] e = f[3:0];\n",
        );
    }

    #[test]
    fn a_choice_within_a_choice_is_within_its_if() {
        is(
            "wire a = (b | c[1 +: 2] ? (d ? 1'b0 : e) : f ? g : h);",
            "always @(*) begin if(b | c[1 +: 2]) begin if(d) begin end else begin end end else begin if(f) begin end else begin end end end \
             wire a = (b | c[1 +: 2] ? (d ? 1'b0 : e) : f ? g : h);",
        );
    }

    #[test]
    fn a_condition_of_several_lines_is_one_line() {
        is(
            "assign a = (b\n    | c) ? d\n    : e;",
            "always @(*) begin if((b | c)) begin end else begin end end assign a = (b\n    | c) ? d\n    : e;",
        );
    }

    #[test]
    fn choices_side_by_side_have_an_if_each() {
        is(
            "assign a = {b ? c : d, {4{~e ? f : g}}};",
            "always @(*) begin if(b) begin end else begin end if(~e) begin end else begin end end assign a = {b ? c : d, {4{~e ? f : g}}};",
        );
    }

    #[test]
    fn statements_keep_their_ifs_and_labels() {
        is(
            "always @(posedge clock) begin : name\n if (a == b) q <= c ? d : e;\n else q <= 1'b0; end\ncase (x) 2'd0: y = z <= w ? u : v; default: y = 1; endcase",
            "always @(posedge clock) begin : name\n if (a == b) begin if(c) begin end else begin end q <= c ? d : e; end\n else q <= 1'b0; end\n\
             case (x) 2'd0: begin if(z <= w) begin end else begin end y = z <= w ? u : v; end default: y = 1; endcase",
        );
    }

    /// In all that ships: none is forgotten, in a condition of an `if` or at a port.
    #[test]
    fn each_choice_of_the_emitter_has_its_if() {
        let modules = gen::elaborate_all(&hdl::catalog::catalog()).unwrap();
        let counted = modules.iter().map(|module| {
            let choices = tokens(&module.text).iter().filter(|token| token.1 == "?").count();
            assert_eq!(with_ifs(&module.text).matches(IF).count(), choices, "{}", module.module);
            choices
        });
        assert!(counted.sum::<usize>() > 1000);
    }

    #[test]
    fn the_rest_stays_as_it_is() {
        let text = "`timescale 1ns/1ps\n// a ? b : c;\nmodule m (input wire a);\n`ifdef X\n    queue q (.a (a), .b ());\n`endif\n    for (i = 0; i < 2; i = i + 1) begin : each_a\n        assign b[i] = a <= c;\n    end\nendmodule\n";
        assert_eq!(with_ifs(text), text);
    }
}
