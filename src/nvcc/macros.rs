//! The macros of a command line. A header may have a template parameter `N`, and a program may be compiled with `-DN=96`: headers of
//! ours set the program's macros aside while they are read, and put them back.

use std::collections::BTreeSet;

/// Two headers that all others read, the one at their beginning and the other at their end, and the texts that they have for a program
/// that is compiled with these words.
pub fn headers<'a>(words: impl Iterator<Item = &'a String>) -> [(&'static str, String); 2] {
    let names: BTreeSet<_> = words.filter_map(|word| name(word)).collect();
    let each = |line: fn(&str) -> String| names.iter().map(|name| line(name)).collect();
    [
        ("unruly/aside.h", each(|name| format!("#pragma push_macro(\"{name}\")\n#undef {name}\n"))),
        ("unruly/back.h", each(|name| format!("#pragma pop_macro(\"{name}\")\n"))),
    ]
}

/// Beginnings of the names that headers ask for: names that C reserves, `NDEBUG`, `CUDA_NO_HALF`.
const FOR_HEADERS: [&str; 3] = ["_", "NDEBUG", "CUDA"];

/// The macro that a word defines.
fn name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("-D")?.split(['=', '(']).next()?;
    Some(name).filter(|name| !name.is_empty() && !FOR_HEADERS.iter().any(|begin| name.starts_with(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_the_program_are_set_aside_and_those_for_headers_are_not() {
        let words =
            "-DN=96 -DF(x)=x+1 -DX -DN=2 -UX -D_GNU_SOURCE -DNDEBUG -DCUDA_NO_HALF -DE=a=b -Iinclude -std=c++14";
        let words: Vec<_> = words.split(' ').map(String::from).collect();
        let [(_, aside), (_, back)] = headers(words.iter());
        let all = ["E", "F", "N", "X"];
        assert_eq!(aside, all.map(|name| format!("#pragma push_macro(\"{name}\")\n#undef {name}\n")).concat());
        assert_eq!(back, all.map(|name| format!("#pragma pop_macro(\"{name}\")\n")).concat());
    }
}
