//! Numbers of a module as formulas over its parameters.

/// The parts of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    Parameter(usize),
    /// Bits that number so many things.
    Bits(usize),
    /// Bits that count from 0 to so many things, which are a power of two.
    CountBits(usize),
}

impl Atom {
    pub fn parameter(self) -> usize {
        match self {
            Atom::Parameter(p) | Atom::Bits(p) | Atom::CountBits(p) => p,
        }
    }

    fn value(self, parameters: &[i64]) -> i64 {
        let bits = |value: i64| i64::from((value.max(1) as u64).next_power_of_two().trailing_zeros());
        match self {
            Atom::Parameter(p) => parameters[p],
            Atom::Bits(p) => bits(parameters[p]),
            Atom::CountBits(p) => bits(parameters[p]) + 1,
        }
    }

    fn cost(self) -> i64 {
        match self {
            Atom::Parameter(_) => 0,
            Atom::Bits(_) => 2,
            Atom::CountBits(_) => 5,
        }
    }
}

/// `times * factors[0] * ... / by + plus + constant`, or `of / atom + constant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    Sum {
        times: i64,
        factors: Vec<Atom>,
        by: i64,
        plus: Option<Atom>,
        constant: i64,
    },
    Share {
        of: i64,
        atom: Atom,
        constant: i64,
    },
    /// `times * of * (a + b) + constant`
    Both {
        times: i64,
        of: Option<Atom>,
        a: Atom,
        b: Atom,
        constant: i64,
    },
}

impl Formula {
    pub fn constant(constant: i64) -> Self {
        Formula::Sum { times: 1, factors: vec![], by: 1, plus: None, constant }
    }

    fn product(factors: &[Atom]) -> Self {
        Formula::Sum { times: 1, factors: factors.to_vec(), by: 1, plus: None, constant: 0 }
    }

    pub fn as_constant(&self) -> Option<i64> {
        match self {
            Formula::Sum { factors, constant, .. } if factors.is_empty() => Some(*constant),
            _ => None,
        }
    }

    pub fn atoms(&self) -> Vec<Atom> {
        match self {
            Formula::Sum { factors, plus, .. } => factors.iter().chain(plus).copied().collect(),
            Formula::Share { atom, .. } => vec![*atom],
            Formula::Both { of, a, b, .. } => of.iter().chain([a, b]).copied().collect(),
        }
    }

    pub fn value(&self, parameters: &[i64]) -> i64 {
        match self {
            Formula::Sum { factors, constant, .. } if factors.is_empty() => *constant,
            Formula::Sum { times, factors, by, plus, constant } => {
                let product: i64 = factors.iter().map(|atom| atom.value(parameters)).product();
                times * product / by + plus.map_or(0, |atom| atom.value(parameters)) + constant
            }
            Formula::Share { of, atom, constant } => of / atom.value(parameters).max(1) + constant,
            Formula::Both { times, of, a, b, constant } => {
                let of = of.map_or(1, |atom| atom.value(parameters));
                times * of * (a.value(parameters) + b.value(parameters)) + constant
            }
        }
    }

    /// The distance from a parameter itself.
    fn cost(&self) -> i64 {
        let atoms = self.atoms();
        let atoms_cost = atoms.iter().map(|a| 10 + a.cost()).sum::<i64>();
        let constant_cost = |c: i64| if c == 0 { 0 } else { 4 + c.abs().min(9) };
        match self {
            Formula::Sum { times, by, plus, constant, .. } => {
                let scale = if *times == 1 { 0 } else { 5 + times.abs().min(9) };
                let share = if *by == 1 { 0 } else { 6 };
                atoms_cost + scale + share + i64::from(plus.is_some()) + constant_cost(*constant)
            }
            Formula::Share { constant, .. } => atoms_cost + 9 + constant_cost(*constant),
            Formula::Both { times, constant, .. } => atoms_cost + 6 + times.abs().min(9) + constant_cost(*constant),
        }
    }

    pub fn plus_constant(&self, more: i64) -> Self {
        let mut sum = self.clone();
        let (Formula::Sum { constant, .. } | Formula::Share { constant, .. } | Formula::Both { constant, .. }) =
            &mut sum;
        *constant += more;
        sum
    }

    /// The number before: of bits that count, the bits that number.
    pub fn less_one(&self) -> Self {
        match self {
            Formula::Sum { times: 1, factors, by: 1, plus: None, constant: 0 } => match factors.as_slice() {
                [Atom::CountBits(p)] => Formula::product(&[Atom::Bits(*p)]),
                _ => self.plus_constant(-1),
            },
            _ => self.plus_constant(-1),
        }
    }

    /// The text, where `name` names what it is made of.
    pub fn text(&self, name: &impl Fn(Atom) -> String) -> String {
        let with = |text: String, constant: i64| match constant {
            0 => text,
            c if c < 0 => format!("{text} - {}", -c),
            c => format!("{text} + {c}"),
        };
        match self {
            Formula::Sum { factors, constant, .. } if factors.is_empty() => constant.to_string(),
            Formula::Sum { times, factors, by, plus, constant } => {
                let mut words: Vec<String> = factors.iter().map(|atom| name(*atom)).collect();
                if *times != 1 {
                    words.insert(0, times.to_string());
                }
                let mut text = words.join("*");
                if *by != 1 {
                    text += &format!("/{by}");
                }
                if let Some(atom) = plus {
                    text += &format!(" + {}", name(*atom));
                }
                with(text, *constant)
            }
            Formula::Share { of, atom, constant } => with(format!("{of}/{}", name(*atom)), *constant),
            Formula::Both { times, of, a, b, constant } => {
                let times = if *times == 1 { None } else { Some(times.to_string()) };
                let words: Vec<String> = times.into_iter().chain(of.map(name)).collect();
                with(format!("{}*({} + {})", words.join("*"), name(*a), name(*b)), *constant)
            }
        }
    }
}

/// The simplest formula that gives each wanted value; nothing if none does. `sizes` has the parameters of each size.
pub fn fit(wanted: &[Option<i64>], sizes: &[Option<Vec<i64>>]) -> Option<Formula> {
    let points: Vec<(i64, &Vec<i64>)> =
        wanted.iter().zip(sizes).filter_map(|(value, size)| Some(((*value)?, size.as_ref()?))).collect();
    // Where no size is known, a number can only be a constant.
    let Some((first, _)) = points.first().copied() else {
        return wanted.iter().flatten().next().map(|v| Formula::constant(*v));
    };
    if points.iter().all(|(value, _)| *value == first) {
        return Some(Formula::constant(first));
    }
    let count = points[0].1.len();
    let atoms: Vec<Atom> = (0..count).flat_map(|p| [Atom::Parameter(p), Atom::Bits(p), Atom::CountBits(p)]).collect();
    let mut best: Option<(i64, Formula)> = None;
    let mut take = |formula: Option<Formula>| {
        let Some(formula) = formula else { return };
        let fits = || points.iter().all(|(value, size)| formula.value(size) == *value);
        let cost = formula.cost();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) && fits() {
            best = Some((cost, formula));
        }
    };
    for (i, a) in atoms.iter().enumerate() {
        take(line(&points, &[*a]));
        (-1..=1).for_each(|constant| take(share(&points, *a, constant)));
        for (j, b) in atoms.iter().enumerate() {
            if j >= i {
                take(line(&points, &[*a, *b]));
                atoms[j..].iter().for_each(|c| take(line(&points, &[*a, *b, *c])));
            }
            if j != i {
                [1, 2].into_iter().for_each(|times| take(sum(&points, times, *a, *b)));
                take(both(&points, None, *a, *b));
                atoms.iter().for_each(|c| take(both(&points, Some(*c), *a, *b)));
            }
        }
    }
    best.map(|(_, formula)| formula)
}

/// A larger divisor fits by chance.
const MOST_SHARES: i64 = 16;

/// The line through the first two points over a product.
fn line(points: &[(i64, &Vec<i64>)], factors: &[Atom]) -> Option<Formula> {
    let product = Formula::product(factors);
    let at = |(value, size): &(i64, &Vec<i64>)| (*value, product.value(size));
    let (value, x) = at(&points[0]);
    let (value_2, x_2) = points.iter().map(at).find(|(_, x_2)| *x_2 != x)?;
    let (rise, run) = (value_2 - value, x_2 - x);
    let (times, by) = match (rise % run, run % rise.max(1)) {
        (0, _) => (rise / run, 1),
        (_, 0) if rise > 0 => (1, run / rise),
        _ => return None,
    };
    if times == 0 || by < 0 || (by != 1 && (by > MOST_SHARES || !(by as u64).is_power_of_two())) {
        return None;
    }
    Some(Formula::Sum { times, factors: factors.to_vec(), by, plus: None, constant: value - times * x / by })
}

fn share(points: &[(i64, &Vec<i64>)], atom: Atom, constant: i64) -> Option<Formula> {
    let of = (points[0].0 - constant) * atom.value(points[0].1);
    (of > 0).then_some(Formula::Share { of, atom, constant })
}

fn both(points: &[(i64, &Vec<i64>)], of: Option<Atom>, a: Atom, b: Atom) -> Option<Formula> {
    let unit = Formula::Both { times: 1, of, a, b, constant: 0 };
    let at = |(value, size): &(i64, &Vec<i64>)| (*value, unit.value(size));
    let (value, x) = at(&points[0]);
    let (value_2, x_2) = points.iter().map(at).find(|(_, x_2)| *x_2 != x)?;
    let times = (value_2 - value) / (x_2 - x);
    (times != 0).then_some(Formula::Both { times, of, a, b, constant: value - times * x })
}

fn sum(points: &[(i64, &Vec<i64>)], times: i64, a: Atom, b: Atom) -> Option<Formula> {
    let (value, size) = points[0];
    let constant = value - times * a.value(size) - b.value(size);
    Some(Formula::Sum { times, factors: vec![a], by: 1, plus: Some(b), constant })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(wanted: &[i64], sizes: &[&[i64]]) -> Option<String> {
        let wanted: Vec<_> = wanted.iter().copied().map(Some).collect();
        let sizes: Vec<_> = sizes.iter().map(|size| Some(size.to_vec())).collect();
        let name = |atom| match atom {
            Atom::Parameter(p) => ["N", "M"][p].to_string(),
            Atom::Bits(p) => format!("bits({})", ["N", "M"][p]),
            Atom::CountBits(p) => format!("count_bits({})", ["N", "M"][p]),
        };
        fit(&wanted, &sizes).map(|formula| formula.text(&name))
    }

    #[test]
    fn the_simplest_formula_is_found() {
        let one: [&[i64]; 3] = [&[8], &[32], &[128]];
        assert_eq!(text(&[8, 32, 128], &one).unwrap(), "N");
        assert_eq!(text(&[7, 31, 127], &one).unwrap(), "N - 1");
        assert_eq!(text(&[3, 5, 7], &one).unwrap(), "bits(N)");
        assert_eq!(text(&[4, 6, 8], &one).unwrap(), "count_bits(N)");
        assert_eq!(text(&[4, 16, 64], &one).unwrap(), "N/2");
        assert_eq!(text(&[128, 32, 8], &one).unwrap(), "1024/N");
        assert_eq!(text(&[5, 5, 5], &one).unwrap(), "5");
        assert_eq!(text(&[1, 2, 9], &one), None);
        let two: [&[i64]; 3] = [&[8, 4], &[32, 4], &[32, 16]];
        assert_eq!(text(&[12, 20, 80], &two).unwrap(), "bits(N)*M");
        assert_eq!(text(&[5, 7, 9], &two).unwrap(), "bits(N) + bits(M)");
    }
}
