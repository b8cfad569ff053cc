//! Launches as formatters that do not know CUDA leave them: `k << <1, 32>> >(p)`. In C++ nothing is written so, but for the name of an
//! operator with arguments of a template, `operator<< <T>`.

use super::tokens::{Kind, Token};
use super::Edit;

/// Edits that bring the signs of each launch together.
pub fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for open in (0..tokens.len()).filter(|place| opens(tokens, *place)) {
        // One side alone is no launch.
        let close = closing(tokens, open + 3);
        let sides = close.into_iter().flat_map(|close| [open, close]);
        edits.extend(sides.filter_map(|side| together(&tokens[side..side + 3])));
    }
    edits
}

fn are_three(tokens: &[Token], place: usize, mark: &str) -> bool {
    tokens.get(place..place + 3).is_some_and(|three| three.iter().all(|token| token.is(mark)))
}

fn opens(tokens: &[Token], place: usize) -> bool {
    let is_behind_name = || {
        let before = &tokens[place - 1];
        before.is(">") || (before.kind == Kind::Word && !before.is("operator"))
    };
    are_three(tokens, place, "<") && place > 0 && is_behind_name()
}

/// The last three signs before parentheses, outside of all parentheses of their own: those before close templates. In a macro, its end
/// does as well.
fn closing(tokens: &[Token], begin: usize) -> Option<usize> {
    let (mut depth, mut last) = (0, None);
    let is_in_macro = tokens[begin - 1].is_directive;
    let ends_macro =
        |place: usize| is_in_macro && tokens.get(place).map_or(true, |next| !next.is_directive || next.is("#"));
    for place in begin..tokens.len() {
        if ends_macro(place) {
            break;
        }
        match tokens[place].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => break,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => break,
            "<" if depth == 0 && opens(tokens, place) => break,
            ">" if depth == 0
                && are_three(tokens, place, ">")
                && (ends_macro(place + 3) || tokens.get(place + 3).is_some_and(|next| next.is("("))) =>
            {
                last = Some(place);
            }
            _ => {}
        }
    }
    last
}

/// The three signs without blanks, which come behind them instead.
fn together(three: &[Token]) -> Option<Edit> {
    let (begin, end) = (three[0].place, three[2].end());
    let gaps = end - begin - 3;
    (gaps > 0).then(|| Edit { begin, end, text: three[0].text.repeat(3) + &" ".repeat(gaps) })
}

#[cfg(test)]
mod tests {
    use super::super::translated;

    #[test]
    fn launches_come_together() {
        for (text, right) in [
            ("k << <1, 2>> >(p);", "k <<< 1, 2>>> (p);"),
            ("k<T, U<int>> << <dim3(1 >> 2), n >> 1 >> >(p);", "k<T, U<int>> <<< dim3(1 >> 2), n >> 1 >>> (p);"),
            ("k< < <g, b> > >(p);", "k<<<  g, b>>>  (p);"),
            ("k<<<g, b>> >(p);", "k<<<g, b>>> (p);"),
            ("k << <1, f<g<h<int>> >(3)>> >(p);", "k <<< 1, f<g<h<int>> >(3)>>> (p);"),
            ("CHECK((a << <1, 1>> >(), b << <1, 1>> >()));", "CHECK((a <<< 1, 1>>> (), b <<< 1, 1>>> ()));"),
            ("#define RUN(k) \\\n  k << <1, 1>> >()\n", "#define RUN(k) \\\n  k <<< 1, 1>>> ()\n"),
            ("#define ONE << <1, 1 >> >\nint x = (1);\n", "#define ONE <<< 1, 1 >>> \nint x = (1);\n"),
            ("k << <1, 1>> >(v[1 << 3], \"<< <\");", "k <<< 1, 1>>> (v[1 << 3], \"<< <\");"),
        ] {
            assert_eq!(translated(text).as_deref(), Some(right));
        }
    }

    #[test]
    fn what_is_no_launch_stays() {
        for text in [
            "friend S &operator<< <>(S &, const T &);",
            "operator<< <char>(out, \"a\"); bool operator< <T>(T, T);",
            "// k << <1, 1>> >();\n/* k << <1, 1>> >(); */",
            "const char *text = \"k << <1, 1>> >()\", *raw = R\"x(k << <1, 1>> >())x\";",
            "vector<vector<vector<int>> > a; f<g<h<int> > >(3); x = 1'000 << 2; y = a << 1 >> 2;",
            "k<<<1, f<g<h<int>> >(3)>>>(p);",
            "#define OPEN << <\n#define CLOSE >> >(p)\nk OPEN 1, 1 CLOSE;",
        ] {
            assert_eq!(translated(text), None);
        }
    }
}
