//! Dependences of nets within a cycle. A vector that depends on itself is no loop of wires where its elements do not,
//! but simulators order whole vectors: they would evaluate it again and again.

use crate::interface::Interface;
use crate::tree::{Expr, Item, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Nets by number, and for each the nets that depend on it.
pub struct Graph {
    numbers: BTreeMap<String, usize>,
    readers: Vec<BTreeSet<usize>>,
}

impl Graph {
    pub fn of(module: &Module, below: &BTreeMap<String, Interface>) -> Self {
        let numbers: BTreeMap<String, usize> = module.nets.keys().cloned().zip(0..).collect();
        let mut graph = Graph { readers: vec![BTreeSet::new(); numbers.len()], numbers };
        for item in &module.items {
            match item {
                Item::Instance { module, pins, .. } => graph.instance(&below[module], pins),
                Item::Always(Some(_), _) => {}
                _ => graph.logic(item),
            }
        }
        graph
    }

    fn numbers_of(&self, e: &Expr) -> Vec<usize> {
        let mut found = vec![];
        e.nets(&mut |net| found.extend(self.numbers.get(net)));
        found
    }

    fn logic(&mut self, item: &Item) {
        let (mut reads, mut writes) = (vec![], BTreeSet::new());
        item.targets(&mut |t| {
            if let Expr::Net(net) | Expr::Part { net, .. } = t {
                writes.extend(self.numbers.get(net));
            }
        });
        item.visit(&mut |i| i.own().into_iter().for_each(|e| reads.extend(self.numbers_of(e))));
        for read in reads.into_iter().filter(|read| !writes.contains(read)) {
            self.readers[read].extend(&writes);
        }
    }

    fn instance(&mut self, child: &Interface, pins: &[(String, Expr)]) {
        let mut nets: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (pin, value) in pins {
            nets.entry(child.new_name(pin)).or_default().extend(self.numbers_of(value));
        }
        for (output, inputs) in &child.through {
            for input in inputs {
                for read in nets.get(input.as_str()).into_iter().flatten() {
                    self.readers[*read].extend(&nets[output.as_str()]);
                }
            }
        }
    }

    /// With the members of each group taken together: a group in a cycle, counted without the first `fixed` ones.
    pub fn cycle<'a, M: Iterator<Item = &'a str>>(
        &self,
        groups: impl Iterator<Item = M>,
        fixed: usize,
    ) -> Option<usize> {
        let mut group_of: Vec<usize> = (0..self.readers.len()).collect();
        let mut count = 0;
        for (i, members) in groups.enumerate() {
            members.for_each(|m| group_of[self.numbers[m]] = self.readers.len() + i);
            count = i + 1;
        }
        let mut readers = vec![BTreeSet::new(); self.readers.len() + count];
        for (net, to) in self.readers.iter().enumerate() {
            readers[group_of[net]].extend(to.iter().map(|to| group_of[*to]));
        }
        let on_cycle = on_cycles(&readers);
        let first = self.readers.len() + fixed;
        (first..readers.len())
            .find(|group| readers[*group].contains(group))
            .or_else(|| (first..readers.len()).find(|group| on_cycle[*group]))
            .map(|group| group - first)
    }

    /// For each output the inputs that it depends on, by the new names.
    pub fn through(&self, module: &Module, packed: &BTreeMap<String, String>) -> BTreeMap<String, BTreeSet<String>> {
        let outputs: BTreeSet<&str> = module.ports.iter().filter(|p| p.is_output()).map(|p| p.name.as_str()).collect();
        let new_name = |net: &'_ str| packed.get(net).cloned().unwrap_or(net.to_string());
        let names: Vec<String> = self.numbers.keys().map(|name| new_name(name)).collect();
        let mut through: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for input in module.ports.iter().filter(|p| !p.is_output()) {
            let mut open: Vec<usize> = (0..names.len()).filter(|n| names[*n] == input.name).collect();
            let mut seen = vec![false; names.len()];
            while let Some(net) = open.pop() {
                if std::mem::replace(&mut seen[net], true) {
                    continue;
                }
                if outputs.contains(names[net].as_str()) {
                    through.entry(names[net].clone()).or_default().insert(input.name.clone());
                }
                open.extend(&self.readers[net]);
            }
        }
        through
    }
}

/// One flag per node: it reaches itself. Tarjan's components, without recursion.
fn on_cycles(next: &[BTreeSet<usize>]) -> Vec<bool> {
    let next: Vec<Vec<usize>> = next.iter().map(|n| n.iter().copied().collect()).collect();
    let (mut order, mut low) = (vec![usize::MAX; next.len()], vec![0; next.len()]);
    let (mut stack, mut on_stack) = (vec![], vec![false; next.len()]);
    let mut found = vec![false; next.len()];
    let mut count = 0;
    for root in 0..next.len() {
        let mut calls = if order[root] == usize::MAX { vec![(root, 0)] } else { vec![] };
        while let Some((node, place)) = calls.pop() {
            if place == 0 {
                order[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                low[node] = low[node].min(low[next[node][place - 1]]);
            }
            let unseen = (place..next[node].len()).find(|i| {
                let to = next[node][*i];
                if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                order[to] == usize::MAX
            });
            if let Some(i) = unseen {
                calls.push((node, i + 1));
                calls.push((next[node][i], 0));
                continue;
            }
            if low[node] == order[node] {
                let start = stack.iter().rposition(|n| *n == node).expect("it is on the stack");
                let component: Vec<usize> = stack.split_off(start);
                let is_cycle = component.len() > 1 || next[node].contains(&node);
                for member in component {
                    on_stack[member] = false;
                    found[member] = is_cycle;
                }
            }
        }
    }
    found
}
