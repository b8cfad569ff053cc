//! The macros of a command line, which the headers before a program's first line must not meet: a header may have a template
//! parameter `N`, and a program may be compiled with `-DN=96`.

/// Whether a word of the command line defines or undefines a macro of the program. Names that C reserves, and `NDEBUG`, are for the
/// headers.
pub fn is_of_program(word: &str) -> bool {
    name(word).is_some_and(|name| !name.starts_with('_') && name != "NDEBUG")
}

/// The same as text, in the order of the command line.
pub fn text<'a>(words: impl Iterator<Item = &'a String>) -> String {
    words.map(|word| line(word)).collect()
}

fn name(word: &str) -> Option<&str> {
    let body = word.strip_prefix("-D").or_else(|| word.strip_prefix("-U"))?;
    body.split(['=', '(']).next()
}

/// A value ends with its line, as on the command line of a compiler.
fn line(word: &str) -> String {
    let (flag, body) = word.split_at(2);
    if flag == "-U" {
        return format!("#undef {body}\n");
    }
    let (name, value) = body.split_once('=').unwrap_or((body, "1"));
    format!("#define {name} {}\n", value.lines().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_programs_become_lines_in_their_order() {
        let words = ["-DN=96", "-DX", "-UN", "-DF(x)=x+1", "-DEMPTY=", "-DE=a=b", "-DTWO=a\nb"].map(String::from);
        assert!(words.iter().all(|word| is_of_program(word)));
        let lines =
            "#define N 96\n#define X 1\n#undef N\n#define F(x) x+1\n#define EMPTY \n#define E a=b\n#define TWO a\n";
        assert_eq!(text(words.iter()), lines);
    }

    #[test]
    fn what_headers_ask_for_is_for_them() {
        for word in ["-D_GNU_SOURCE", "-D__STDC_FORMAT_MACROS=1", "-DNDEBUG", "-UNDEBUG", "-Iinclude", "-std=c++14"] {
            assert!(!is_of_program(word), "{word}");
        }
    }
}
