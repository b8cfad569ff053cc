//! A program's own static function with the name of one of C's mathematical functions. Those are known to the compiler from the start, on
//! the host and on the device, so that the program's has another name from its first declaration on. Where the program's function is
//! for one side alone, the other side goes on to call C's.

use super::tokens::{Kind, Token};
use super::Edit;
use std::collections::BTreeSet;

/// For `double`; the names for `float` end with an `f`.
const MATHEMATICS: [&str; 42] = [
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
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
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
];
/// What may stand before a function's type and says nothing of it.
const SPECIFIERS: [&str; 8] =
    ["static", "inline", "__inline__", "__inline", "__forceinline__", "__noinline__", "__host__", "__device__"];

/// What gives each such function its own name.
pub fn edits(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut named = BTreeSet::new();
    let tokens: Vec<_> = tokens.iter().filter(|token| !token.is_directive).copied().collect();
    let found = declarations(&tokens).filter_map(|begin| Function::read(&tokens[begin..]));
    found.filter(|function| named.insert(function.name)).map(|function| function.edit(text)).collect()
}

/// Where declarations of the file's own scope begin.
fn declarations<'a>(tokens: &'a [Token]) -> impl Iterator<Item = usize> + 'a {
    let (mut depth, mut is_begin) = (0_usize, true);
    tokens.iter().enumerate().filter_map(move |(place, token)| {
        let begins = is_begin && depth == 0;
        is_begin = token.is(";") || token.is("}");
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        begins.then_some(place)
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

    fn edit(&self, text: &str) -> Edit {
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
        let line = 1 + text[..self.place].matches('\n').count();
        let text = format!("\n{}#define {name} {own}\n#line {line}\n", of_other_side.unwrap_or_default());
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
        let right = "#include <math.h>\nint x;\n\nstatic __inline__ __device__ float log2f_of_the_program(float a0) { return log2f(a0); }\n\
                     #define log2f log2f_of_the_program\n#line 3\nstatic float log2f(const float v) { return v; }\nstatic float log2f(float v);\n";
        assert_eq!(translated(text).unwrap(), right);
        let two = translated("static __device__ double fmax(double a, double b);").unwrap();
        assert!(
            two.contains("__host__ double fmax_of_the_program(double a0, double a1) { return fmax(a0, a1); }\n#define")
        );
        let both = translated("static inline __host__ __device__ float rsqrtf(float a);").unwrap();
        assert!(both.starts_with("\n#define rsqrtf rsqrtf_of_the_program\n#line 1\nstatic"), "{both}");
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
