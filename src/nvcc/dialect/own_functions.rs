//! A program's own static function with the name of one of C's mathematical functions. Those are known to the compiler from the start, on
//! the host and on the device, so that the program's has another name from its first declaration on. Where the program's function is
//! for one side alone, the other side goes on to call C's.

use super::tokens::{Kind, Token};
use super::Edit;
use std::collections::BTreeSet;

/// For `double`; the names for `float` end with an `f`.
const MATHEMATICS: [&str; 50] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "j0",
    "j1",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
];
/// Words before a function's type that do not change it.
const SPECIFIERS: [&str; 8] =
    ["static", "inline", "__inline__", "__inline", "__forceinline__", "__noinline__", "__host__", "__device__"];

/// Edits that give each such function its own name.
pub fn edits(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let code: Vec<_> = tokens.iter().filter(|token| !token.is_directive).copied().collect();
    let found: Vec<_> = declarations(tokens).filter_map(|begin| Function::read(&code[begin..])).collect();
    let mut edits = headers(text, tokens, &found);
    edits.extend(found.iter().map(|function| function.edit(text, is_of_std(&code, function.name))));
    edits
}

/// Headers of the system call C's functions: each `#include <...>` behind a function of the program is read without its new name.
fn headers(text: &str, tokens: &[Token], functions: &[Function]) -> Vec<Edit> {
    let includes = tokens
        .windows(3)
        .filter(|three| three[0].is_directive && three[0].is("#") && three[1].is("include") && three[2].is("<"));
    includes.filter_map(|three| around(text, three[0].place, functions)).collect()
}

/// The line at `place` with the new names out of the way.
fn around(text: &str, place: usize, functions: &[Function]) -> Option<Edit> {
    let names: BTreeSet<_> =
        functions.iter().filter(|function| function.place < place).map(|function| function.name).collect();
    let begin = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let end = text[place..].find('\n').map_or(text.len(), |bytes| place + bytes);
    let away: String = names.iter().map(|name| format!("#pragma push_macro(\"{name}\")\n#undef {name}\n")).collect();
    let back: String = names.iter().map(|name| format!("\n#pragma pop_macro(\"{name}\")")).collect();
    let line = line_of(text, place);
    // A comment may go on behind the line.
    let is_whole = !text[begin..end].contains("/*");
    (is_whole && !names.is_empty()).then(|| Edit {
        begin,
        end,
        text: format!("{away}#line {line}\n{}{back}\n#line {}", &text[begin..end], line + 1),
    })
}

/// The file calls `std::name`.
fn is_of_std(code: &[Token], name: &str) -> bool {
    code.windows(4).any(|four| four[0].is("std") && four[1].is(":") && four[2].is(":") && four[3].is(name))
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text[..place].matches('\n').count()
}

/// Where declarations of the file's own scope begin, among the tokens that are no directives. Each branch of an `#if` begins at the
/// depth of the first.
fn declarations<'a>(tokens: &'a [Token]) -> impl Iterator<Item = usize> + 'a {
    let (mut depth, mut is_begin, mut branches) = (0_usize, true, Vec::new());
    let (mut place, mut is_named) = (0, false);
    tokens.iter().filter_map(move |token| {
        if token.is_directive {
            match token.text {
                "if" | "ifdef" | "ifndef" if is_named => branches.push(depth),
                "else" | "elif" if is_named => depth = branches.last().copied().unwrap_or(depth),
                "endif" if is_named => drop(branches.pop()),
                _ => {}
            }
            is_named = token.is("#");
            return None;
        }
        let begins = is_begin && depth == 0;
        is_begin = token.is(";") || token.is("}");
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        place += 1;
        begins.then_some(place - 1)
    })
}

struct Function<'a> {
    place: usize,
    name: &'a str,
    result: Vec<&'a str>,
    /// Types of its parameters.
    parameters: Vec<&'a str>,
    is_for_host: bool,
    is_for_device: bool,
}

impl<'a> Function<'a> {
    /// A declaration `static float log2f(float x)`, if the tokens begin with one.
    fn read(tokens: &[Token<'a>]) -> Option<Self> {
        let open = tokens.iter().position(|token| token.kind != Kind::Word)?;
        let (head, name) = (&tokens[..open.checked_sub(1)?], tokens[open - 1].text);
        let has = |word: &str| head.iter().any(|token| token.is(word));
        let number = match name.strip_suffix('f') {
            Some(stem) if MATHEMATICS.contains(&stem) => "float",
            _ if MATHEMATICS.contains(&name) => "double",
            _ => return None,
        };
        let parameters = parameters(&tokens[open..])?;
        let is_it = has("static") && parameters.iter().all(|parameter| *parameter == number);
        is_it.then(|| Function {
            place: tokens[0].place,
            name,
            result: head.iter().map(|token| token.text).filter(|word| !SPECIFIERS.contains(word)).collect(),
            parameters,
            is_for_host: has("__host__") || !has("__device__"),
            is_for_device: has("__device__"),
        })
    }

    /// One name may be declared several times, and in the branches of an `#if`.
    fn edit(&self, text: &str, is_of_std: bool) -> Edit {
        let (name, own) = (self.name, format!("{}_of_the_program", self.name));
        let side = match (self.is_for_host, self.is_for_device) {
            (true, true) => None,
            (true, false) => Some("__device__"),
            (false, _) => Some("__host__"),
        };
        let numbered =
            |what: &str| (0..self.parameters.len()).map(|n| format!("{what}a{n}")).collect::<Vec<_>>().join(", ");
        let of_other_side = side.map(|side| {
            let (result, parameters) = (self.result.join(" "), numbered(&format!("{} ", self.parameters[0])));
            format!("static __inline__ {side} {result} {own}({parameters}) {{ return {name}({}); }}\n", numbered(""))
        });
        // Names that no macro of the program has.
        let of_std = is_of_std.then(|| {
            format!(
                "namespace std {{ template <class... __numbers> __host__ __device__ auto {own}(__numbers... __a) -> decltype({name}(__a...)) \
                 {{ return {name}(__a...); }} }}\n"
            )
        });
        let more = of_other_side.unwrap_or_default() + &of_std.unwrap_or_default();
        let line = line_of(text, self.place);
        let text = format!("\n#ifndef {name}\n{more}#define {name} {own}\n#endif\n#line {line}\n");
        Edit { begin: self.place, end: self.place, text }
    }
}

/// The types of parameters that are plain numbers, from the parenthesis on.
fn parameters<'a>(tokens: &[Token<'a>]) -> Option<Vec<&'a str>> {
    let close = tokens.iter().position(|token| token.is(")")).filter(|_| tokens[0].is("("))?;
    let parts = tokens[1..close].split(|token| token.is(","));
    parts
        .map(|part| {
            let words: Vec<_> = part.iter().map(|token| token.text).filter(|word| *word != "const").collect();
            match (&words[..], part.iter().all(|token| token.kind == Kind::Word)) {
                ([number] | [number, _], true) => Some(*number),
                _ => None,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::translated;

    #[test]
    fn a_function_has_its_own_name_from_its_declaration_on() {
        let text = "#include <math.h>\nint x;\nstatic float log2f(const float v) { return v; }\nstatic float log2f(float v);\n";
        let named = |line: u32| {
            format!(
                "\n#ifndef log2f\nstatic __inline__ __device__ float log2f_of_the_program(float a0) {{ return log2f(a0); }}\n\
                 #define log2f log2f_of_the_program\n#endif\n#line {line}\n"
            )
        };
        let right = format!(
            "#include <math.h>\nint x;\n{}static float log2f(const float v) {{ return v; }}\n{}static float log2f(float v);\n",
            named(3),
            named(4)
        );
        assert_eq!(translated(text).unwrap(), right);
        let two = translated("static __device__ double fmax(double a, double b);").unwrap();
        assert!(
            two.contains("__host__ double fmax_of_the_program(double a0, double a1) { return fmax(a0, a1); }\n#define")
        );
        let both = translated("static inline __host__ __device__ float rsqrtf(float a);").unwrap();
        assert!(
            both.starts_with("\n#ifndef rsqrtf\n#define rsqrtf rsqrtf_of_the_program\n#endif\n#line 1\nstatic"),
            "{both}"
        );
    }

    #[test]
    fn headers_behind_it_and_std_have_c_s_function() {
        let text = translated("static double exp10(double v);\n # include <random>\nint x = std::exp10(1);\n").unwrap();
        let header = "\n#pragma push_macro(\"exp10\")\n#undef exp10\n#line 2\n # include <random>\n#pragma pop_macro(\"exp10\")\n#line 3\nint x";
        assert!(text.contains(header), "{text}");
        assert!(text.contains("namespace std { template"), "{text}");
    }

    #[test]
    fn branches_that_open_one_brace_each_close_it_once() {
        let text =
            "#ifdef A\nvoid f() {\n#elif B\nvoid g() {\n#else\nvoid h() {\n#endif\n}\nstatic float log2f(float v);\n";
        assert!(translated(text).unwrap().contains("#define log2f"));
        assert_eq!(translated(&text.replace("}", "")), None);
    }

    /// Other types are overloads, calls are none of it, and C++ has a function for each type under the name without `f`.
    #[test]
    fn other_functions_keep_their_names() {
        for text in [
            "static __device__ float2 sqrtf(float2 v) { return v; }",
            "static float fabs(float v) { return v; }",
            "static float fmaxf(float *v, int n);",
            "static int user = 0; int main() { return static_cast<int>(log2f(1.0f)); }",
            "class A { static float log2f(float v); };",
            "namespace n { static float log2f(float v); }",
            "inline float log2f(float v) { return v; }",
            "// static float log2f(float v);",
        ] {
            assert_eq!(translated(text), None);
        }
    }
}
