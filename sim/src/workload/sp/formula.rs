//! Random formulas of clauses with three literals, at 4.2 clauses a variable: just below the ratio from which on hardly any can
//! be satisfied, and where local search has a hard time. As in LonestarGPU's inputs, signs are fair and nothing is planted.

use crate::graph::SplitMix64;

/// Literals of a clause, as in `kernels/sp.h`.
pub const LITERALS: usize = 3;

/// Edge e, a clause and a variable in it, belongs to clause e / [`LITERALS`].
pub struct Formula {
    pub variables: usize,
    /// By edge: variable << 1 | negated. The variables of a clause are different.
    pub literal: Vec<u32>,
    /// By edge: survey to begin with, 0 to 1.
    pub survey: Vec<f32>,
}

impl Formula {
    pub fn random(variables: usize, seed: u64) -> Formula {
        let mut random = SplitMix64(seed);
        let edges = variables * 21 / 5 * LITERALS;
        let mut literal: Vec<u32> = Vec::with_capacity(edges);
        while literal.len() < edges {
            let drawn = random.below(2 * variables) as u32;
            let clause = literal.len() / LITERALS * LITERALS;
            if literal[clause..].iter().all(|other| other >> 1 != drawn >> 1) {
                literal.push(drawn);
            }
        }
        let survey = (0..edges).map(|_| random.unit() as f32).collect();
        Formula { variables, literal, survey }
    }

    pub fn clauses(&self) -> usize {
        self.literal.len() / LITERALS
    }

    /// By variable: its edges, in the order of their numbers.
    pub fn edges_of_variables(&self) -> Vec<Vec<usize>> {
        let mut edges = vec![Vec::new(); self.variables];
        self.literal.iter().enumerate().for_each(|(e, literal)| edges[*literal as usize >> 1].push(e));
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_have_different_variables_and_fair_signs() {
        let formula = Formula::random(1000, 5);
        assert_eq!(formula.clauses(), 4200);
        for clause in formula.literal.chunks(LITERALS) {
            let mut variables: Vec<_> = clause.iter().map(|literal| literal >> 1).collect();
            variables.sort_unstable();
            variables.dedup();
            assert!(variables.len() == LITERALS && variables[2] < 1000, "{clause:?}");
        }
        let negated = formula.literal.iter().filter(|&literal| literal & 1 == 1).count();
        assert!((6100..6500).contains(&negated), "{negated} of 12600");
        assert_eq!(formula.edges_of_variables().iter().map(Vec::len).sum::<usize>(), 12_600);
        assert_eq!(Formula::random(3, 1).clauses(), 12);
    }
}
