//! Survey propagation on the CPU, in the order of operations of the kernels: with IEEE arithmetic both are equal to the bit.
//! No worklist: a round looks at all clauses, and a mask says which of them take part.

use super::formula::{Formula, LITERALS};

/// A survey that changes by more has moved, as in `kernels/sp.h`.
const EPSILON: f32 = 0.01;
/// Surveys that leave the variables a mean of larger parts below this say nothing: the rest is for a local search.
const NOTHING: f64 = 0.01;
/// Most rounds (super-steps) of a run.
pub const ROUNDS: u32 = 200;

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Surveys say nothing any more.
    Silent,
    AllFixed,
    /// [`ROUNDS`] were made.
    Rounds,
}

/// Results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// By variable: 0 or 1 if it was fixed, else 2.
    pub value: Vec<u32>,
    /// By edge, bits of a float. Edges that are not alive any more keep their last survey.
    pub survey: Vec<u32>,
    /// By round: clauses that took part.
    pub work: Vec<u64>,
    pub end: End,
}

/// Value of a variable that is not fixed.
pub const FREE: u32 = 2;

/// So large a change of a survey is news.
pub fn has_moved(change: f32) -> bool {
    change > EPSILON
}

/// A clause and its surveys take part in a round if one of their variables was told something new (data-driven), or always.
pub fn replay(formula: &Formula, data_driven: bool) -> Trace {
    let mut state = State::new(formula, data_driven);
    let end = loop {
        if !state.converge() {
            break End::Rounds;
        }
        let biases = state.biases();
        if biases.is_empty() {
            break End::AllFixed;
        }
        if says_nothing(&state.partial_sums(&biases), biases.len()) {
            break End::Silent;
        }
        strongest(biases.iter().map(|bias| (bias.variable, bias.is_true - bias.is_false)).collect())
            .into_iter()
            .for_each(|literal| state.fix(literal));
    };
    let survey = state.survey.iter().map(|survey| survey.to_bits()).collect();
    Trace { value: state.value, survey, work: state.work, end }
}

/// From the sums of the larger parts of so many variables.
pub fn says_nothing(partial: &[f32], variables: usize) -> bool {
    partial.iter().map(|&sum| sum as f64).sum::<f64>() < NOTHING * variables as f64
}

/// The literals to be fixed: the strongest hundredth, at least one; of equal biases those of smaller variables first.
pub fn strongest(mut biases: Vec<(u32, f32)>) -> Vec<u32> {
    let count = (biases.len() / 100).max(1);
    biases.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    biases.truncate(count);
    biases.into_iter().map(|(variable, bias)| variable << 1 | (bias < 0.0) as u32).collect()
}

/// Bias of a variable to true and to false.
struct Bias {
    variable: u32,
    is_true: f32,
    is_false: f32,
}

struct State<'a> {
    formula: &'a Formula,
    edges_of: Vec<Vec<usize>>,
    value: Vec<u32>,
    off: Vec<bool>,
    survey: Vec<f32>,
    work: Vec<u64>,
    data_driven: bool,
}

impl<'a> State<'a> {
    fn new(formula: &'a Formula, data_driven: bool) -> Self {
        State {
            formula,
            edges_of: formula.edges_of_variables(),
            value: vec![FREE; formula.variables],
            off: vec![false; formula.clauses()],
            survey: formula.survey.clone(),
            work: Vec::new(),
            data_driven,
        }
    }

    fn variable(&self, edge: usize) -> usize {
        self.formula.literal[edge] as usize >> 1
    }

    fn is_live(&self, edge: usize) -> bool {
        !self.off[edge / LITERALS] && self.value[self.variable(edge)] == FREE
    }

    /// Products of 1 - survey over the edges of a literal's variable whose clauses are not off, but one: those of the same
    /// sign, and the others.
    fn products(&self, literal: u32, except: Option<usize>) -> [f32; 2] {
        let mut products = [1.0; 2];
        for &e in &self.edges_of[literal as usize >> 1] {
            if Some(e / LITERALS) != except && !self.off[e / LITERALS] {
                products[((self.formula.literal[e] ^ literal) & 1) as usize] *= 1.0 - self.survey[e];
            }
        }
        products
    }

    /// Probability that the other clauses make an edge's variable fail its clause.
    fn fails(&self, edge: usize) -> f32 {
        parts(self.products(self.formula.literal[edge], Some(edge / LITERALS)))[1]
    }

    /// All live surveys of the clauses, from those that are there.
    fn next(&self, clauses: &[usize]) -> Vec<(usize, f32)> {
        let mut next = Vec::new();
        for &clause in clauses {
            let edges = (clause * LITERALS..).take(LITERALS).filter(|&e| self.is_live(e));
            let fails: Vec<_> = edges.map(|e| (e, self.fails(e))).collect();
            let others = |e: usize| fails.iter().filter(move |(f, _)| *f != e).fold(1.0, |all, (_, fails)| all * fails);
            next.extend(fails.iter().map(|&(e, _)| (e, others(e))));
        }
        next
    }

    /// Rounds until no survey moves; false if there were too many.
    fn converge(&mut self) -> bool {
        let all: Vec<_> = (0..self.off.len()).filter(|&clause| !self.off[clause]).collect();
        let mut clauses = all.clone();
        while !clauses.is_empty() {
            if self.work.len() as u32 == ROUNDS {
                return false;
            }
            self.work.push(clauses.len() as u64);
            let mut told = vec![false; self.off.len()];
            for (edge, survey) in self.next(&clauses) {
                let has_moved = has_moved((survey - self.survey[edge]).abs());
                self.survey[edge] = survey;
                let of_variable = self.edges_of[self.variable(edge)].iter().filter(|_| has_moved);
                of_variable.filter(|&e| e / LITERALS != edge / LITERALS).for_each(|e| told[e / LITERALS] = true);
                told[edge / LITERALS] |= has_moved && !self.data_driven;
            }
            clauses = match self.data_driven {
                true => (0..told.len()).filter(|&clause| told[clause] && !self.off[clause]).collect(),
                false => all.iter().copied().filter(|_| told.contains(&true)).collect(),
            };
        }
        true
    }

    fn biases(&self) -> Vec<Bias> {
        let free = (0..self.formula.variables as u32).filter(|&v| self.value[v as usize] == FREE);
        let bias = |variable| {
            let [is_true, is_false] = parts(self.products(variable << 1, None));
            Bias { variable, is_true, is_false }
        };
        free.map(bias).collect()
    }

    /// Sums of the larger parts of 256 variables each, as a tree: fixed variables add nothing.
    fn partial_sums(&self, biases: &[Bias]) -> Vec<f32> {
        let mut larger = vec![0.0f32; self.formula.variables.next_multiple_of(256)];
        biases.iter().for_each(|bias| larger[bias.variable as usize] = bias.is_true.max(bias.is_false));
        larger.chunks(256).map(tree_sum).collect()
    }

    fn fix(&mut self, literal: u32) {
        let variable = literal as usize >> 1;
        self.value[variable] = 1 - (literal & 1);
        for &e in &self.edges_of[variable] {
            self.off[e / LITERALS] |= self.formula.literal[e] == literal;
        }
    }
}

/// Probabilities that a variable has the sign of one product's clauses, and the other.
fn parts([same, opposite]: [f32; 2]) -> [f32; 2] {
    let (own, other, none) = ((1.0 - same) * opposite, (1.0 - opposite) * same, same * opposite);
    let sum = none + own + other;
    [own, other].map(|wish| if sum == 0.0 { 0.0 } else { wish / sum })
}

fn tree_sum(values: &[f32]) -> f32 {
    match values {
        [value] => *value,
        _ => {
            let (front, back) = values.split_at(values.len() / 2);
            tree_sum(&front.iter().zip(back).map(|(a, b)| a + b).collect::<Vec<_>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(variables: usize, literal: &[u32]) -> Formula {
        let survey = vec![0.5; literal.len()];
        Formula { variables, literal: literal.to_vec(), survey }
    }

    /// Without loops surveys are exact. A clause alone asks for nothing; two clauses that share a variable neither.
    #[test]
    fn on_a_tree_that_asks_for_nothing_surveys_vanish() {
        let tree = formula(5, &[0, 2, 4, 1, 6, 8]);
        for data_driven in [false, true] {
            let trace = replay(&tree, data_driven);
            assert_eq!((trace.end, trace.value), (End::Silent, vec![FREE; 5]));
            assert!(trace.survey.iter().all(|&bits| f32::from_bits(bits) == 0.0));
        }
    }

    /// A variable's value is forced through clauses to the next: with the first two fixed to fail the only clause, it
    /// asks the third for certain.
    #[test]
    fn a_clause_with_one_variable_left_asks_for_it() {
        let clause = formula(3, &[0, 2, 4]);
        let mut state = State::new(&clause, true);
        state.fix(1);
        state.fix(3);
        assert!(state.converge());
        assert_eq!(state.survey[2], 1.0);
        let biases = state.biases();
        assert_eq!((biases.len(), biases[0].is_true, biases[0].is_false), (1, 1.0, 0.0));
    }

    /// The definition over all ways in which the other clauses ask or do not ask.
    #[test]
    fn parts_are_those_of_all_cases() {
        let surveys = [[0.25f32, 0.5, 0.125], [0.75, 0.5, 0.0]];
        let mut weights = [0.0f64; 3];
        for case in 0..64u32 {
            let asks = |side: usize, i: usize| case >> (3 * side + i) & 1 == 1;
            let all = (0..2).flat_map(|side| (0..3).map(move |i| (side, i)));
            let probability: f64 = all
                .map(|(side, i)| surveys[side][i] as f64)
                .zip((0..6).map(|i| asks(i / 3, i % 3)))
                .map(|(survey, asks)| if asks { survey } else { 1.0 - survey })
                .product();
            let [own, other] = [0, 1].map(|side| (0..3).any(|i| asks(side, i)));
            match (own, other) {
                (true, false) => weights[0] += probability,
                (false, true) => weights[1] += probability,
                (false, false) => weights[2] += probability,
                (true, true) => {}
            }
        }
        let sum: f64 = weights.iter().sum();
        let found = parts(surveys.map(|side| side.iter().map(|survey| 1.0 - survey).product()));
        assert!((0..2).all(|i| (found[i] as f64 - weights[i] / sum).abs() < 1e-6), "{found:?} {weights:?}");
    }

    #[test]
    fn the_strongest_hundredth_is_fixed_the_smaller_variable_of_equals() {
        let biases: Vec<_> = (0..250).map(|v| (v, if v % 50 == 7 { -0.5 } else { 0.25 })).collect();
        assert_eq!(strongest(biases), [15, 115]);
        assert_eq!(strongest(vec![(4, 0.0), (9, 0.0)]), [8]);
        assert_eq!(tree_sum(&[1.0, 2.0, 3.0, 4.0]), 10.0);
    }
}
