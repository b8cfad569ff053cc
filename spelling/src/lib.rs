//! Names that users type: enums of them, and the known one that a user has meant.

#![forbid(unsafe_code)]

mod named;

/// A letter in so many may be wrong, and one in any case.
const LETTERS: usize = 4;
/// Similarity from which one word counts as the other's beginning with more behind it.
const BEGINNING: f64 = 0.85;

/// The nearest of `names` for a message about `word`, which is none of them. More may stand behind it. Empty if none is near.
pub fn hint<S: AsRef<str>>(word: &str, names: impl IntoIterator<Item = S>) -> String {
    let word = word.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&word, &name.to_lowercase());
    let is_near = |name: &str| {
        let allowed = (word.chars().count() / LETTERS).max(1);
        distance(name) <= allowed || strsim::jaro_winkler(&word, name) > BEGINNING
    };
    let near = names.into_iter().filter(|name| !word.is_empty() && is_near(name.as_ref()));
    let nearest = near.min_by_key(|name| distance(name.as_ref()));
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{}`?)", name.as_ref()))
}

/// All `names` for a message about `word`, which is none of them, and the nearest.
pub fn listed<S: AsRef<str>>(word: &str, names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<S> = names.into_iter().collect();
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ") + &hint(word, &names)
}

/// A message of serde's with the nearest of the names that it lists: ``unknown field `a`, expected `b` or `c` ``.
pub fn hinted(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let word = words.next().filter(|_| message.starts_with("unknown ")).unwrap_or_default();
    format!("{message}{}", hint(word, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant() {
        let names = ["bfs", "sssp", "hwwl-micro14", "hwwl-micro14-b", "core.count", "topo"];
        for (word, meant) in [
            ("bsf", "bfs"),
            ("bfss", "bfs"),
            ("BFS", "bfs"),
            ("ssp", "sssp"),
            ("tpo", "topo"),
            ("core.coutn", "core.count"),
            ("hwwl-mico14", "hwwl-micro14"),
            ("hwwl", "hwwl-micro14"),
        ] {
            assert_eq!(hint(word, names), format!(" (did you mean `{meant}`?)"), "{word}");
        }
        for word in ["", "xyz", "iru", "lanes", "count", "a"] {
            assert_eq!(hint(word, names), "", "{word}");
        }
        assert_eq!(listed("q", ["a1", "b1"]), "a1, b1");
        assert_eq!(listed("b2", ["a1", "b1"]), "a1, b1 (did you mean `b1`?)");
    }

    #[test]
    fn lists_of_serde_are_read() {
        let message = "unknown field `max_cta`, expected one of `count`, `max_ctas`";
        assert_eq!(hinted(message), format!("{message} (did you mean `max_ctas`?)"));
        assert_eq!(hinted("missing field `count`"), "missing field `count`");
        assert_eq!(
            hinted("unknown variant `oldest`, expected `gto` or `lrr`"),
            "unknown variant `oldest`, expected `gto` or `lrr`"
        );
    }
}
