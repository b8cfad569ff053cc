//! Generated graphs, `gen:KIND:SIZE[:OPTION=VALUE ...]`, the same on every machine: integers, and of floating point only
//! what IEEE 754 defines to the bit (+, -, *, /, square root).

mod census;
mod collaboration;
mod curve;
mod delaunay;
mod directed;
mod geometric;
mod grid;
mod human;
mod kron;
mod mesh;
mod points;
mod random;
mod renumber;
mod road;
mod rodinia;
mod shell;
mod spec;
mod uniform;

use super::csr::Graph;
use super::error::GraphError;
use super::Entry;
pub use random::SplitMix64;
use spec::Spec;

/// A generator.
struct Kind {
    name: &'static str,
    /// Text that a user writes.
    form: &'static str,
    description: &'static str,
    options: &'static [&'static str],
    make: fn(&Spec) -> Result<Graph, GraphError>,
}

const KINDS: [&Kind; 14] = [
    &uniform::KIND,
    &kron::KIND,
    &kron::RMAT,
    &grid::KIND,
    &road::KIND,
    &delaunay::KIND,
    &census::KIND,
    &geometric::KIND,
    &collaboration::KIND,
    &human::KIND,
    &mesh::KIND,
    &shell::KIND,
    &rodinia::KIND,
    &directed::KIND,
];

/// The generators, for people to read.
pub fn entries() -> impl Iterator<Item = Entry> {
    let renumbered = Entry {
        name: "gen:KIND:SIZE...:renumber=shuffled|bfs|degree",
        description: "any of these with other numbers: in any order, breadth-first (Cuthill and McKee), or the largest degree first; edges keep their lengths",
    };
    KINDS.iter().map(|kind| Entry { name: kind.form, description: kind.description }).chain([renumbered])
}

/// `text` is what the user wrote, `rest` the same without its `gen:`.
pub fn open(text: &str, rest: &str) -> Result<Graph, GraphError> {
    let name = rest.split(':').next().unwrap_or_default();
    let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| unknown(text, name))?;
    let spec = Spec::parse(text, rest, kind)?;
    let order = spec.order()?;
    let graph = (kind.make)(&spec)?;
    if graph.edges() == 0 {
        return Err(GraphError::Empty { place: text.into() });
    }
    match order {
        Some(order) => graph.renumbered(&order.numbers(&graph)),
        None => Ok(graph),
    }
}

fn unknown(text: &str, name: &str) -> GraphError {
    GraphError::Generator {
        spec: text.into(),
        what: format!(
            "no generator is called `{name}`, there is {}",
            spelling::listed(name, KINDS.iter().map(|kind| kind.name))
        ),
        form: "gen:KIND:SIZE, for example gen:uniform:65536:seed=1",
    }
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn the_same_spec_makes_the_same_graph_and_another_seed_another() {
        let kinds = ["uniform:500", "kron:9", "delaunay:500", "geometric:500", "collaboration:500", "census:500"];
        for kind in kinds.into_iter().chain([
            "human:500:degree=9",
            "delaunay:500:order=local",
            "rodinia:500",
            "directed:500",
            "rmat:9",
            "road:500",
        ]) {
            let spec = format!("gen:{kind}");
            let open = |more: &str| graph::open(&format!("{spec}{more}")).unwrap();
            assert_eq!(open(":seed=1").col, open("").col, "{spec}");
            assert_ne!(open(":seed=2").col, open("").col, "{spec}");
        }
    }

    #[test]
    fn a_search_starts_at_a_node_with_an_edge() {
        let small = ["gen:uniform:50", "gen:kron:9", "gen:grid:1x2", "gen:delaunay:50", "gen:geometric:300:degree=1"];
        for spec in small.into_iter().chain([
            "gen:collaboration:50",
            "gen:mesh:1x1x2",
            "gen:census:50",
            "gen:human:50:degree=1",
            "gen:shell:1x1x1",
            "gen:rodinia:7",
            "gen:directed:50",
            "gen:rmat:5",
            "gen:road:3",
        ]) {
            let graph = graph::open(spec).unwrap();
            assert!(!graph.neighbours(graph.source).is_empty(), "{spec}");
        }
    }

    #[test]
    fn bad_specs_say_what_is_wrong() {
        let cases = [
            ("gen:", "gen:: no generator is called ``, there is uniform, kron, rmat, grid, road, delaunay, census, geometric, collaboration, human, mesh, shell, rodinia, directed; write gen:KIND:SIZE, for example gen:uniform:65536:seed=1"),
            ("gen:ring:20", "no generator is called `ring`"),
            ("gen:uniform", "the size is missing; write gen:uniform:NODES[:seed=N]"),
            ("gen:uniform:-4", "`-4` is not a number of nodes"),
            ("gen:uniform:64k", "`64k` is not a number of nodes"),
            ("gen:uniform:64:5", "`5` is not an option"),
            ("gen:uniform:64:seed=x", "seed `x` is not a whole number from 0"),
            ("gen:uniform:64:seed=1:2", "`2` is not an option"),
            ("gen:uniform:64:seed=1:seed=2", "`seed` is given twice"),
            ("gen:uniform:64:degree=3", "`degree=3` is not an option of this generator"),
            ("gen:uniform:16777217", "16777217 nodes, but a work ID has 24 bits"),
            ("gen:uniform:0", "empty graph"),
            ("gen:uniform:1", "empty graph"),
            ("gen:kron:25", "33554432 nodes, but a work ID has 24 bits"),
            ("gen:kron:64", "scale 64 is more than 24"),
            ("gen:kron:x", "`x` is not a scale"),
            ("gen:kron:0", "empty graph"),
            ("gen:kron:8:degree=0", "degree `0` is not a whole number from 1"),
            ("gen:kron:20:degree=4096", "8589934592 edges, one for each direction, but edges are counted with 32 bits"),
            ("gen:grid:5", "`5` is not a size in rows and columns; write gen:grid:ROWSxCOLS"),
            ("gen:grid:5x-1", "`5x-1` is not a size"),
            ("gen:grid:1x1", "empty graph"),
            ("gen:grid:0x9", "empty graph"),
            ("gen:grid:4x4:seed=1", "`seed=1` is not an option of this generator"),
            ("gen:grid:8192x8192", "67108864 nodes, but a work ID has 24 bits"),
            ("gen:grid:99999999999x99999999999", "nodes, but a work ID has 24 bits"),
            ("gen:delaunay:2", "at least 3 points"),
            ("gen:delaunay:9:order=near", "order `near` is neither drawn nor local"),
            ("gen:kron:9:renumber=hilbert", "no order is called `hilbert`, there is shuffled, bfs, degree; write gen:kron:SCALE"),
            ("gen:grid:5x5:renumbre=bfs", "`renumbre=bfs` is not an option of this generator (did you mean `renumber`?)"),
            ("gen:census:2", "at least 3 points"),
            ("gen:human:4427", "degree 1107 is more than a quarter of the nodes"),
            ("gen:human:16000000:degree=300", "edges, one for each direction, but edges are counted with 32 bits"),
            ("gen:human:0:degree=1", "degree 1 is more than a quarter of the nodes"),
            ("gen:shell:5x5", "`5x5` is not a size in three directions; write gen:shell:XxYxZ"),
            ("gen:shell:0x5x5", "empty graph"),
            ("gen:shell:256x256x129", "16908288 nodes, but a work ID has 24 bits"),
            ("gen:road:2", "at least 3 points; write gen:road:NODES[:seed=N]"),
            ("gen:road:64:degree=3", "`degree=3` is not an option of this generator"),
            ("gen:road:16777217", "16777217 nodes, but a work ID has 24 bits"),
            ("gen:rmat:25", "33554432 nodes, but a work ID has 24 bits"),
            ("gen:rmat:8:degree=0", "degree `0` is not a whole number from 1; write gen:rmat:SCALE[:degree=D][:seed=N]"),
            ("gen:geometric:100:radius=0", "radius `0` is not a number above 0 and up to 1.5"),
            ("gen:geometric:100:radius=nan", "radius `nan` is not a number above 0"),
            ("gen:geometric:100:radius=0.1:degree=3", "both `radius` and `degree` are given"),
            ("gen:geometric:16000000:radius=1", "edges, one for each direction, but edges are counted with 32 bits"),
            ("gen:geometric:2:radius=1e-9", "empty graph"),
            ("gen:collaboration:5", "a paper has up to 6 authors"),
            ("gen:collaboration:50:papers=0", "papers `0` is not a whole number from 1"),
            ("gen:collaboration:50:papers=999999999", "edges, one for each direction, but edges are counted with 32 bits"),
            ("gen:rodinia:6", "3 x NODES different edges need at least 7 nodes"),
            ("gen:directed:1", "empty graph"),
            ("gen:directed:50:degree=0", "degree `0` is not a whole number from 1"),
            ("gen:directed:9999999:degree=999", "9989999001 edges, one for each direction, but edges are counted with 32 bits"),
            ("gen:mesh:5x5", "`5x5` is not a size in three directions; write gen:mesh:XxYxZ"),
            ("gen:mesh:5x5x5x5", "is not a size in three directions"),
            ("gen:mesh:0x5x5", "empty graph"),
            ("gen:mesh:1x1x1", "empty graph"),
            ("gen:mesh:4096x4096x4096", "nodes, but a work ID has 24 bits"),
        ];
        for (spec, message) in cases {
            let error = graph::open(spec).unwrap_err().to_string();
            assert!(error.contains(message) && !error.contains('\n'), "{spec}: {error}");
        }
    }
}
