//! Sizes as a condition on the parameters: a product of sets of values where it is one, else alternatives.

use std::collections::{BTreeMap, BTreeSet};

/// Values of each parameter: their combinations are sizes.
type Product = Vec<BTreeSet<i64>>;

/// The condition of Verilog that these sizes alone fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    names: Vec<String>,
    /// No size is in two of them.
    products: Vec<Product>,
}

impl Condition {
    /// The shortest of a few. Each size has a value for each name.
    pub fn of(names: &[String], sizes: &BTreeSet<Vec<i64>>) -> Self {
        let count = names.len();
        let from = |first: usize| {
            let order = (0..count).cycle().skip(first).take(count);
            Condition { names: names.to_vec(), products: products(sizes, order) }
        };
        let all = (0..count).map(from);
        all.min_by_key(|condition| condition.text().len()).expect("there are parameters")
    }

    pub fn text(&self) -> String {
        self.joined(" || ")
    }

    /// The text of the contrary: in one line of so many columns, or a line for each alternative.
    pub fn fails(&self, columns: usize) -> String {
        let text = self.text();
        match text.split_once(" == ") {
            Some((name, value)) if !text.contains(['&', '|']) => format!("{name} != {value}"),
            _ if text.len() > columns => format!("!({})", self.joined("\n        || ")),
            _ => format!("!({text})"),
        }
    }

    fn joined(&self, or: &str) -> String {
        let all = 0..self.names.len();
        let (common, own): (Vec<usize>, Vec<usize>) =
            all.partition(|p| self.products.iter().all(|product| product[*p] == self.products[0][*p]));
        let mut terms: Vec<String> = common.iter().map(|p| self.one_of(*p, &self.products[0])).collect();
        if !own.is_empty() {
            let product = |product: &Product| {
                let terms: Vec<String> = own.iter().map(|p| in_parentheses(self.one_of(*p, product))).collect();
                in_parentheses(terms.join(" && "))
            };
            terms.push(self.products.iter().map(product).collect::<Vec<_>>().join(or));
        }
        match terms.as_slice() {
            [only] => only.clone(),
            _ => terms.into_iter().map(in_parentheses).collect::<Vec<_>>().join(" && "),
        }
    }

    /// A parameter has one of its values.
    fn one_of(&self, parameter: usize, product: &Product) -> String {
        let equal = |value: &i64| format!("{} == {value}", self.names[parameter]);
        product[parameter].iter().map(equal).collect::<Vec<_>>().join(" || ")
    }
}

fn in_parentheses(text: String) -> String {
    match text.contains(['&', '|']) {
        true => format!("({text})"),
        false => text,
    }
}

/// Sizes that differ in one parameter alone become one product, parameter by parameter.
fn products(sizes: &BTreeSet<Vec<i64>>, order: impl Iterator<Item = usize>) -> Vec<Product> {
    let mut all: Vec<Product> = sizes.iter().map(|size| size.iter().map(|value| [*value].into()).collect()).collect();
    for parameter in order {
        let mut values: BTreeMap<Product, BTreeSet<i64>> = BTreeMap::new();
        for mut product in all {
            let own = std::mem::take(&mut product[parameter]);
            values.entry(product).or_default().extend(own);
        }
        let with = |(mut product, own): (Product, BTreeSet<i64>)| {
            product[parameter] = own;
            product
        };
        all = values.into_iter().map(with).collect();
    }
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(names: &[&str], sizes: &[&[i64]]) -> Condition {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Condition::of(&names, &sizes.iter().map(|size| size.to_vec()).collect())
    }

    #[test]
    fn a_product_of_sets_is_told_as_one() {
        let one = condition(&["N"], &[&[8]]);
        assert_eq!((one.text(), one.fails(80)), ("N == 8".into(), "N != 8".into()));
        let two = condition(&["N"], &[&[8], &[32]]);
        assert_eq!((two.text(), two.fails(80)), ("N == 8 || N == 32".into(), "!(N == 8 || N == 32)".into()));
        let product: [&[i64]; 4] = [&[8, 4, 1], &[8, 16, 1], &[32, 4, 1], &[32, 16, 1]];
        assert_eq!(
            condition(&["N", "M", "K"], &product).text(),
            "(N == 8 || N == 32) && (M == 4 || M == 16) && K == 1"
        );
    }

    #[test]
    fn other_sizes_are_alternatives() {
        let sizes: [&[i64]; 4] = [&[0, 0], &[0, 1], &[0, 2], &[64, 2]];
        assert_eq!(
            condition(&["N", "M"], &sizes).text(),
            "(N == 0 && (M == 0 || M == 1 || M == 2)) || (N == 64 && M == 2)"
        );
        let lines = "!((N == 0 && (M == 0 || M == 1 || M == 2))\n        || (N == 64 && M == 2))";
        assert_eq!(condition(&["N", "M"], &sizes).fails(40), lines);
        let first: [&[i64]; 3] = [&[8, 16, 0], &[32, 16, 0], &[32, 4, 0]];
        assert_eq!(
            condition(&["N", "M", "K"], &first).text(),
            "K == 0 && (((N == 8 || N == 32) && M == 16) || (N == 32 && M == 4))"
        );
    }
}
