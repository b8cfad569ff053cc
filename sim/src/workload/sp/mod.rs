//! Survey propagation, which guides the search for a solution of a formula: rounds until the surveys converge, then the
//! hundredth of the variables with the largest bias is fixed, and again. A run is [`ROUNDS`] rounds in all at most.
//!
//! All surveys of a round come from those of the round before, and every operation rounds as IEEE has it. So a variant's
//! result is one to the bit, whatever the order in which clauses are worked on; the replay on the CPU must be equal.

mod formula;
mod replay;

use super::session::{kernels, Session};
use super::worklist::{sums_before, Worklist, BLOCK};
use super::{check, Outcome, Params, Result, Size, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::kernels;
use crate::ptx::program::Program;
use formula::{Formula, LITERALS};
use replay::{End, Trace, FREE, ROUNDS};
use Variant::{Hwwl, Swwl, SwwlAru, SwwlWch, SwwlWdo, Topo};

pub const SIZE: Size = Size { meaning: "variables of the formula", default: 300, max: 1 << 20 };
pub const VARIANTS: &[Variant] = &[Topo, Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl];

/// Threads of the topology-driven CTAs, as in LonestarGPU, and of those for the biases, as in `kernels/sp.h`.
const TOPO_BLOCK: u32 = 384;
const BIAS_BLOCK: u32 = 256;
const SEED: u64 = 2;

/// Gives the value of each variable, 0, 1 or 2 for none, and then the survey of each edge.
pub fn run(gpu: &mut Gpu, size: u32, variant: Variant, watch: Watch) -> Result<Outcome> {
    if (size as usize) < LITERALS {
        return Err(WorkloadError::TooSmall { workload: "sp", size, meaning: SIZE.meaning, least: LITERALS as u32 });
    }
    solve(gpu, &Formula::random(size as usize, SEED), variant, watch)
}

fn solve(gpu: &mut Gpu, formula: &Formula, variant: Variant, watch: Watch) -> Result<Outcome> {
    let mut solver = Solver::new(gpu, formula, variant, watch)?;
    let mut list = match variant {
        Topo => None,
        _ => Some(List::new(&mut solver.session, variant, formula)?),
    };
    let end = loop {
        let has_converged = match &mut list {
            None => solver.topology_driven()?,
            Some(list) => solver.data_driven(list)?,
        };
        if !has_converged {
            break End::Rounds;
        }
        let (biases, partial) = solver.biases()?;
        if biases.is_empty() {
            break End::AllFixed;
        }
        if replay::says_nothing(&partial, biases.len()) {
            break End::Silent;
        }
        solver.fix(&replay::strongest(biases))?;
    };
    solver.finish(end, &replay::replay(formula, variant != Topo))
}

/// Clauses with news.
struct List {
    worklist: Worklist,
    /// Fills it with all clauses that are not off.
    start: Program,
    /// By clause, and a word more: edges of the variables of all clauses before it.
    edges: u64,
    /// A word a clause: round in which it was pushed last.
    stamp: u64,
}

impl List {
    fn new(session: &mut Session, variant: Variant, formula: &Formula) -> Result<Self> {
        let [start] = kernels(ptx(variant), ["sp_start"])?;
        let worklist = Worklist::new(session, variant, formula.clauses())?;
        let edges = session.upload(&edges_before(formula))?;
        Ok(List { worklist, start, edges, stamp: session.upload(&vec![0; formula.clauses()])? })
    }
}

fn ptx(variant: Variant) -> kernels::Ptx {
    match variant {
        Swwl => kernels::SP_SWWL,
        SwwlWch => kernels::SP_SWWL_WCH,
        SwwlAru => kernels::SP_SWWL_ARU,
        SwwlWdo => kernels::SP_SWWL_WDO,
        Hwwl => kernels::SP_HWWL,
        _ => kernels::SP_TOPO,
    }
}

struct Solver<'a> {
    session: Session<'a>,
    formula: &'a Formula,
    /// Programs of a round: what variables tell clauses, and the reverse; or computing and storing.
    halves: [Program; 2],
    bias: Program,
    fix: Program,
    /// `Formula` of `kernels/sp.h`.
    arrays: Params,
    value: u64,
    off: u64,
    survey: u64,
    /// Three floats an edge: what goes from the first half of a round to the second.
    between: u64,
    round: u32,
}

impl<'a> Solver<'a> {
    fn new(gpu: &'a mut Gpu, formula: &'a Formula, variant: Variant, watch: Watch<'a>) -> Result<Self> {
        let names = if variant == Topo { ["sp_ask", "sp_tell"] } else { ["sp_compute", "sp_store"] };
        let halves = kernels(ptx(variant), names)?;
        let [bias, fix] = kernels(ptx(variant), ["sp_bias", "sp_fix"])?;
        let mut session = Session::new(gpu, watch);
        let (row, place) = places(formula);
        let [row, place, literal] = [&row, &place, &formula.literal].map(|words| session.upload(words));
        let value = session.upload(&vec![FREE; formula.variables])?;
        let off = session.upload(&vec![0; formula.clauses()])?;
        let survey = session.upload_f32(&formula.survey)?;
        let arrays = Params::default().u64(row?).u64(place?).u64(literal?).u64(value).u64(off).u64(survey);
        let between = session.alloc(3 * formula.literal.len());
        Ok(Solver { session, formula, halves, bias, fix, arrays, value, off, survey, between, round: 0 })
    }

    fn edges(&self) -> usize {
        self.formula.literal.len()
    }

    /// Clauses that are not off.
    fn live(&self) -> Result<u64> {
        Ok(self.session.read(self.off, self.formula.clauses())?.iter().filter(|&&off| off == 0).count() as u64)
    }

    /// Rounds over all edges until no survey moves; false if there were too many.
    fn topology_driven(&mut self) -> Result<bool> {
        let (edges, core) = (self.edges() as u32, &self.session.gpu().config().core);
        let resident = core.count * (core.max_warps * core.warp_size / TOPO_BLOCK as usize).max(1);
        let ctas = (resident as u32).min(edges.div_ceil(TOPO_BLOCK));
        let messages = [0, 1, 2].map(|i| self.between + 4 * i * edges as u64);
        let arrays = messages.into_iter().fold(self.arrays.clone(), Params::u64);
        let (largest, work) = (self.session.upload(&[0])?, self.live()?);
        let [ask, tell] = [arrays.clone(), arrays.u64(largest)].map(|params| params.u32(edges));
        if work == 0 {
            return Ok(true);
        }
        while self.round < ROUNDS {
            let start = Start { level: self.round, work };
            self.session.write(largest, &[0])?;
            for (program, params) in self.halves.iter().zip([&ask, &tell]) {
                self.session.launch(program, start, [ctas, 1, 1], [TOPO_BLOCK, 1, 1], params.clone())?;
            }
            self.round += 1;
            if !replay::has_moved(f32::from_bits(self.session.read_word(largest)?)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Rounds over the clauses with news until there are none; false if there were too many.
    fn data_driven(&mut self, list: &mut List) -> Result<bool> {
        let (clauses, worklist) = (self.formula.clauses() as u32, &mut list.worklist);
        let params = worklist.params().then(&self.arrays).u32(clauses);
        let start = Start { level: self.round, work: clauses as u64 };
        self.session.launch(&list.start, start, [clauses.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)?;
        let all = |_: &Session| Ok((0..clauses).collect());
        loop {
            let work = worklist.turn(&mut self.session, all)?;
            if work == 0 || self.round == ROUNDS {
                return Ok(work == 0);
            }
            let start = Start { level: self.round, work };
            self.round += 1;
            let edges = Params::default().u64(list.edges);
            self.half(0, start, worklist, edges.clone())?;
            worklist.turn(&mut self.session, all)?;
            self.half(1, start, worklist, edges.u64(list.stamp).u32(self.round))?;
        }
    }

    fn half(&mut self, half: usize, start: Start, worklist: &Worklist, more: Params) -> Result<()> {
        let ctas = worklist.ctas(&self.session, start.work);
        let params = worklist.params().then(&self.arrays).u64(self.between).then(&more);
        self.session.launch(&self.halves[half], start, [ctas, 1, 1], [BLOCK, 1, 1], params)
    }

    /// The biases of the variables that are not fixed, and what their larger parts add up to in each CTA.
    fn biases(&mut self) -> Result<(Vec<(u32, f32)>, Vec<f32>)> {
        let variables = self.formula.variables;
        let ctas = (variables as u32).div_ceil(BIAS_BLOCK);
        let count = self.session.upload(&[0])?;
        let [variable, bias, partial] = [variables, variables, ctas as usize].map(|words| self.session.alloc(words));
        let params = self.arrays.clone().u64(count).u64(variable).u64(bias).u64(partial).u32(variables as u32);
        let start = Start { level: self.round, work: variables as u64 };
        self.session.launch(&self.bias, start, [ctas, 1, 1], [BIAS_BLOCK, 1, 1], params)?;
        let count = self.session.read_word(count)? as usize;
        let floats = |words: Vec<u32>| words.into_iter().map(f32::from_bits).collect::<Vec<_>>();
        let bias = floats(self.session.read(bias, count)?);
        let biases = self.session.read(variable, count)?.into_iter().zip(bias).collect();
        Ok((biases, floats(self.session.read(partial, ctas as usize)?)))
    }

    /// Makes these literals true.
    fn fix(&mut self, literals: &[u32]) -> Result<()> {
        let (chosen, count) = (self.session.upload(literals)?, literals.len() as u32);
        let start = Start { level: self.round, work: count as u64 };
        let params = self.arrays.clone().u64(chosen).u32(count);
        self.session.launch(&self.fix, start, [count.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)
    }

    fn finish(self, end: End, expected: &Trace) -> Result<Outcome> {
        let value = self.session.read(self.value, self.formula.variables)?;
        let off = self.session.read(self.off, self.formula.clauses())?;
        let survey = self.session.read(self.survey, self.edges())?;
        compare(&value, &survey, expected)?;
        let made = [(self.round, end)];
        let right = [(expected.work.len() as u32, expected.end)];
        check::listed(["run", "runs"], &made, &right, |(rounds, end)| format!("{rounds} rounds, then {end:?}"))?;
        let violated = check_clauses(self.formula, &value, &off)?;
        let fixed = value.iter().filter(|&&value| value != FREE).count();
        let left = off.iter().filter(|&&off| off == 0).count() - violated;
        let end = match end {
            End::Silent => "surveys say nothing more",
            End::AllFixed => "all variables are fixed",
            End::Rounds => "no more rounds are made",
        };
        let rounds = self.round;
        let checked = format!(
            "surveys equal to the bit after {rounds} rounds, {end}: {fixed} variables fixed, {left} clauses open, {violated} failed"
        );
        Ok(self.session.finish([value, survey].concat(), checked))
    }
}

/// By clause, and one more: how many edges the variables of all clauses before it have.
fn edges_before(formula: &Formula) -> Vec<u32> {
    let edges = formula.edges_of_variables();
    let of_clause =
        |clause: &[u32]| clause.iter().map(|literal| edges[*literal as usize >> 1].len() as u32).sum::<u32>();
    sums_before(formula.literal.chunks(LITERALS).map(of_clause))
}

/// `row` and `place` of the kernels' `Formula`.
fn places(formula: &Formula) -> (Vec<u32>, Vec<u32>) {
    let edges = formula.edges_of_variables();
    let row = sums_before(edges.iter().map(|edges| edges.len() as u32));
    let place = edges.iter().flatten().map(|&e| (e as u32) << 1 | (formula.literal[e] & 1)).collect();
    (row, place)
}

fn compare(value: &[u32], survey: &[u32], expected: &Trace) -> Result<()> {
    let value_text = |value: u32| if value == FREE { "not fixed".into() } else { format!("value {value}") };
    check::listed(["variable", "variables"], value, &expected.value, value_text)?;
    check::listed(["edge", "edges"], survey, &expected.survey, |bits| format!("survey {}", check::float(bits)))
}

/// By definition: a clause is off if and only if one of its literals was made true. Gives how many have failed: all of their
/// literals were made false.
fn check_clauses(formula: &Formula, value: &[u32], off: &[u32]) -> Result<usize> {
    let literals = |clause: usize| &formula.literal[clause * LITERALS..][..LITERALS];
    let is = |literal: &u32, truth: u32| value[*literal as usize >> 1] == (literal & 1) ^ truth;
    let clauses = 0..formula.clauses();
    let right: Vec<u32> = clauses.clone().map(|clause| literals(clause).iter().any(|l| is(l, 1)) as u32).collect();
    check::listed(["clause", "clauses"], off, &right, |off| if off == 1 { "off".into() } else { "not off".into() })?;
    Ok(clauses.filter(|&clause| literals(clause).iter().all(|l| is(l, 0))).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::{models, Uses};
    use crate::config::Config;

    fn gpu() -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set("hwwl.entries=16").unwrap();
        Gpu::new(&config, models(&config, Uses::all()).unwrap())
    }

    /// Twice as many clauses as variables: surveys soon say nothing, or force a few variables.
    fn easy(variables: usize, seed: u64) -> Formula {
        let mut formula = Formula::random(variables, seed);
        formula.literal.truncate(2 * variables * LITERALS);
        formula.survey.truncate(2 * variables * LITERALS);
        formula
    }

    /// The lists hold the clauses of the replay's rounds, each once. The formulas take six and seven phases.
    #[test]
    fn all_variants_make_the_rounds_of_the_replay() {
        for formula in [Formula::random(5, 2), Formula::random(7, 24)] {
            for &variant in VARIANTS {
                let outcome = solve(&mut gpu(), &formula, variant, &mut |_| {}).unwrap();
                let of_rounds = |name: &str| ["sp_tell", "sp_store"].contains(&name);
                let steps = outcome.steps.iter().filter(|step| of_rounds(&step.kernel));
                let work: Vec<_> = steps.map(|step| step.start.work).collect();
                assert_eq!(work, replay::replay(&formula, variant != Topo).work, "{}", variant.name());
            }
        }
    }

    #[test]
    fn a_formula_of_fewer_variables_than_a_clause_has_is_refused() {
        let message = run(&mut gpu(), 2, Topo, &mut |_| {}).unwrap_err().to_string();
        assert_eq!(message, "size 2: sp takes at least 3 variables of the formula");
        assert!(run(&mut gpu(), 3, Topo, &mut |_| {}).is_ok());
    }

    #[test]
    fn wrong_surveys_and_clauses_are_found() {
        let formula = easy(20, 1);
        let right = replay::replay(&formula, true);
        let mut survey = right.survey.clone();
        survey[7] ^= 1;
        let message = compare(&right.value, &survey, &right).unwrap_err().to_string();
        assert!(message.contains("1 of 120 edges; the first is edge 7"), "{message}");
        let off = vec![1; formula.clauses()];
        let message = check_clauses(&formula, &[FREE; 20], &off).unwrap_err().to_string();
        assert!(message.contains("40 of 40 clauses") && message.contains("off, should be not off"), "{message}");
    }
}
