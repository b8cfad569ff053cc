//! Collaboration network: authors who have written a paper together are neighbours.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};

pub const KIND: Kind = Kind {
    name: "collaboration",
    form: "gen:collaboration:NODES[:papers=P][:seed=N]",
    description: "authors of P (3/2 x NODES) papers of 2 to 6, neighbours if they share one: who has written more is asked more often, and co-authors are asked again",
    options: &["papers", "seed"],
    make,
};

/// The least and the greatest number of authors of a paper.
const TEAM: [usize; 2] = [2, 6];

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    if nodes < TEAM[1] {
        return Err(spec.wrong(format!("a paper has up to {} authors", TEAM[1])));
    }
    let papers = spec.number("papers", 1, nodes as u64 * 3 / 2)?;
    let most = papers.saturating_mul((TEAM[1] * (TEAM[1] - 1)) as u64);
    spec.check_edges(most)?;
    let mut random = SplitMix64(spec.seed()?);
    // The authors of all papers so far, paper by paper; where each author's last paper is.
    let mut authors: Vec<u32> = Vec::new();
    let mut last_paper: Vec<[usize; 2]> = vec![[0, 0]; nodes];
    let mut pairs = Vec::new();
    for paper in 0..papers {
        let begin = authors.len();
        let size = TEAM[0] + random.below(TEAM[1] - TEAM[0] + 1);
        let first = if paper < nodes as u64 { paper as u32 } else { random.below(nodes) as u32 };
        authors.push(first);
        let [known, end] = last_paper[first as usize];
        while authors.len() < begin + size {
            let author = match random.draw() % 8 {
                0..=4 if known < end => authors[known + random.below(end - known)],
                0..=5 => authors[random.below(authors.len())],
                _ => random.below(nodes) as u32,
            };
            if !authors[begin..].contains(&author) {
                authors.push(author);
            }
        }
        let team = &authors[begin..];
        team.iter().for_each(|&author| last_paper[author as usize] = [begin, begin + size]);
        pairs.extend(team.iter().enumerate().flat_map(|(i, &v)| team[i + 1..].iter().map(move |&u| (v, u))));
    }
    Ok(Graph::undirected(spec.text, nodes, &pairs))
}

#[cfg(test)]
mod tests {
    use crate::graph;

    /// Such networks differ from others: a few authors have far more neighbours than most, and neighbours of an author
    /// are often neighbours of each other.
    #[test]
    fn has_hubs_and_triangles() {
        let graph = graph::open("gen:collaboration:5000").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        assert_eq!(graph.nodes(), 5000);
        let degree = |v: u32| graph.neighbours(v).len();
        let mean = graph.edges() / graph.nodes();
        assert!((14..24).contains(&mean), "{mean}");
        let most = (0..5000).map(degree).max().unwrap();
        assert!(most > 8 * mean, "{most} of mean {mean}");
        let (mut closed, mut open) = (0usize, 0usize);
        for v in 0..5000 {
            for (i, &u) in graph.neighbours(v).iter().enumerate() {
                let others = &graph.neighbours(v)[i + 1..];
                closed += others.iter().filter(|w| graph.neighbours(u).binary_search(w).is_ok()).count();
                open += others.len();
            }
        }
        assert!(closed * 10 > open, "{closed} of {open} pairs of neighbours are neighbours");
    }

    #[test]
    fn everybody_has_written() {
        let graph = graph::open("gen:collaboration:300").unwrap();
        assert!((0..300).all(|v| !graph.neighbours(v).is_empty()));
    }

    #[test]
    fn papers_set_the_number_of_edges() {
        let edges = |papers| graph::open(&format!("gen:collaboration:1000:papers={papers}")).unwrap().edges();
        assert!(edges(1) >= 2 && edges(1) <= 30);
        assert!(edges(2000) > 3 * edges(500));
    }
}
