//! Product of a sparse matrix and a vector, y = A x. A has an entry for each edge of a graph. A launch multiplies, a thread for
//! each entry, and one adds up the products of each row, a warp for each.

use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{check, inputs, Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::units::iru::Filter;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];

/// Gives y.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    let ptx = if variant.needs_iru() { kernels::SPMV_IRU } else { kernels::SPMV };
    let [multiply, sum] = kernels(ptx, ["spmv_multiply", "spmv_sum"])?;
    let (values, x) = (whole(graph.edges(), 1), whole(graph.nodes(), 2));
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let value = rounds.session.upload_for_iru(&values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())?;
    let vector = rounds.session.upload_f32(&x)?;
    let [products, y] = [graph.edges(), graph.nodes()].map(|words| rounds.session.alloc(words));
    if rounds.edges > 0 {
        let (columns, count) = (Frontier::of(rounds.col), rounds.edges as u32);
        let entries = Edges { frontier: &columns, count, weights: Some(value), label: vector, filter: Filter::None };
        rounds.contract(&multiply, 0, &entries, Params::default().u64(vector).u64(products))?;
    }
    let params = Params::default().u64(rounds.row).u64(products).u32(rounds.nodes).u64(y);
    rounds.expand(&sum, 0, rounds.nodes, params)?;
    rounds.session.finish_with(y, graph.nodes(), |found| {
        check::nodes(graph, found, &reference(graph, &values, &x), check::float)?;
        Ok("all elements bit-equal".into())
    })
}

/// Whole numbers, whose products and sums do not round in whatever order.
fn whole(count: usize, seed: u64) -> Vec<f32> {
    inputs::integers(count, seed, -8, 8).map(|value| value as f32).collect()
}

/// Row by row, as bits of floats.
fn reference(graph: &Graph, values: &[f32], x: &[f32]) -> Vec<u32> {
    let sum = |v: u32| -> f32 {
        let entries = graph.neighbours(v).iter().zip(&values[graph.row[v as usize] as usize..]);
        // 0 is the sum of no terms; that of an empty iterator is -0.
        entries.fold(0.0, |sum, (&column, value)| sum + value * x[column as usize])
    };
    (0..graph.nodes() as u32).map(|v| sum(v).to_bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ( 0 2 3 )   ( 1 )   ( 23 )
    /// ( 4 0 0 ) x ( 4 ) = (  4 )
    /// ( 5 0 0 )   ( 5 )   (  5 )
    #[test]
    fn reference_multiplies_rows_with_the_vector() {
        let star = Graph::undirected("star", 3, &[(0, 1), (0, 2)]);
        let found = reference(&star, &[2.0, 3.0, 4.0, 5.0], &[1.0, 4.0, 5.0]);
        assert_eq!(found, [23.0, 4.0, 5.0].map(f32::to_bits));
    }
}
