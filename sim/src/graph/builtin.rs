//! The built-in real graph: package dependencies of Debian. `sim/data/README.md` says what is in the file.

use super::changes::{Changes, Directions};
use super::csr::{Graph, Labels};
use flate2::read::GzDecoder;
use std::io::Read;

pub const DEBIAN: &str = "debian";
/// One line a package: its name, then the line numbers (from 0) of the packages that it names.
const DEBIAN_DATA: &[u8] = include_bytes!("../../data/debian.txt.gz");

/// Relations of both directions; a search starts at libc6, which a third of all packages depend on.
pub fn debian() -> Graph {
    let (names, relations) = debian_relations();
    let mut graph = Graph::undirected(DEBIAN, names.len(), &relations);
    graph.changes = Some(Changes::of(&relations, &[], Directions::Doubled));
    graph.labels = Labels::Names(names);
    graph.source = graph.find("libc6").expect("sim/data/debian.txt.gz has libc6");
    graph
}

/// Package names, ascending, and (package, package that it needs).
fn debian_relations() -> (Vec<String>, Vec<(u32, u32)>) {
    let mut text = String::new();
    GzDecoder::new(DEBIAN_DATA).read_to_string(&mut text).expect("sim/data/debian.txt.gz is whole");
    let (mut names, mut relations) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split(' ');
        let package = names.len() as u32;
        names.push(words.next().expect("a name").to_owned());
        relations.extend(words.map(|word| (package, word.parse::<u32>().expect("a line number"))));
    }
    (names, relations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_counts_of_the_archive() {
        let (names, relations) = debian_relations();
        assert_eq!((names.len(), relations.len()), (63_666, 277_181));
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "names ascend, none twice");
        assert!(relations.windows(2).all(|pair| pair[0] < pair[1]), "relations ascend, none twice");
        let libc6 = names.binary_search(&"libc6".into()).unwrap() as u32;
        assert_eq!(relations.iter().filter(|(_, needed)| *needed == libc6).count(), 21_841);
    }

    #[test]
    fn is_undirected_and_starts_at_libc6() {
        let graph = debian();
        assert_eq!((graph.nodes(), graph.edges()), (63_666, 551_452));
        // 2 of 277,181 relations are of a package with itself; 275,726 edges are left, as 1,453 pairs name each other.
        let changes = Changes { one_way: 275_726 - 1_453, loops: 2, ..Changes::default() };
        assert_eq!(graph.changes, Some(changes));
        assert_eq!(graph.label(graph.source), "libc6");
        let bash = graph.find("bash").unwrap();
        assert!(graph.neighbours(bash).contains(&graph.source));
        assert!(graph.neighbours(graph.source).contains(&bash));
    }
}
