//! Launches as formatters that do not know CUDA leave them: `k << <1, 32>> >(p)`. In C++ nothing is written so, but for the name of an
//! operator with arguments of a template, `operator<< <T>`.

use super::tokens::{Kind, Token};
use super::Edit;

/// What brings the signs of each launch together.
pub fn edits(tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for open in (0..tokens.len()).filter(|place| opens(tokens, *place)) {
        edits.extend(together(&tokens[open..open + 3]));
        edits.extend(closing(tokens, open + 3).and_then(|close| together(&tokens[close..close + 3])));
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

/// The last three signs before parentheses, outside of all parentheses of their own: those before close templates.
fn closing(tokens: &[Token], begin: usize) -> Option<usize> {
    let (mut depth, mut last) = (0, None);
    for place in begin..tokens.len() {
        match tokens[place].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => break,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => break,
            "<" if depth == 0 && opens(tokens, place) => break,
            ">" if depth == 0
                && are_three(tokens, place, ">")
                && tokens.get(place + 3).is_some_and(|next| next.is("(")) =>
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
        ] {
            assert_eq!(translated(text), None);
        }
    }
}
