//! Text that a user writes for a generated graph, taken apart.

use super::super::error::GraphError;
use super::super::limits::MAX_NODES;
use super::renumber::Order;
use super::Kind;
use crate::number::whole_u64;

/// The option that every generator has.
pub const RENUMBER: &str = "renumber";

pub struct Spec<'a> {
    /// All of it, for messages; also the graph's name.
    pub text: &'a str,
    pub size: &'a str,
    form: &'static str,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Spec<'a> {
    /// `rest` is KIND:SIZE[:OPTION=VALUE ...].
    pub fn parse(text: &'a str, rest: &'a str, kind: &Kind) -> Result<Spec<'a>, GraphError> {
        let mut parts = rest.split(':').skip(1);
        let mut spec = Spec { text, size: "", form: kind.form, options: Vec::new() };
        spec.size = parts.next().ok_or_else(|| spec.wrong("the size is missing".into()))?;
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| spec.wrong(format!("`{part}` is not an option")))?;
            if !kind.options.contains(&name) && name != RENUMBER {
                let hint = spelling::hint(name, kind.options.iter().chain([&RENUMBER]));
                return Err(spec.wrong(format!("`{part}` is not an option of this generator{hint}")));
            }
            if spec.option(name).is_some() {
                return Err(spec.wrong(format!("`{name}` is given twice")));
            }
            spec.options.push((name, value));
        }
        Ok(spec)
    }

    pub fn wrong(&self, what: String) -> GraphError {
        GraphError::Generator { spec: self.text.into(), what, form: self.form }
    }

    pub fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(option, _)| *option == name).map(|(_, value)| *value)
    }

    /// A whole number from `least` on.
    pub fn number(&self, name: &str, least: u64, default: u64) -> Result<u64, GraphError> {
        let Some(value) = self.option(name) else { return Ok(default) };
        let number = whole_u64(value).ok().filter(|&number| number >= least);
        number.ok_or_else(|| self.wrong(format!("{name} `{value}` is not a whole number from {least}")))
    }

    pub fn seed(&self) -> Result<u64, GraphError> {
        self.number("seed", 0, 1)
    }

    /// The order in which the finished graph's nodes get other numbers.
    pub fn order(&self) -> Result<Option<Order>, GraphError> {
        let Some(name) = self.option(RENUMBER) else { return Ok(None) };
        let order = Order::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, order)| order);
        let names = || spelling::listed(name, Order::ALL.map(|(known, _)| known));
        order.map(Some).ok_or_else(|| self.wrong(format!("no order is called `{name}`, there is {}", names())))
    }

    /// The size as a number of nodes.
    pub fn nodes(&self) -> Result<usize, GraphError> {
        let nodes =
            whole_u64(self.size).map_err(|_| self.wrong(format!("`{}` is not a number of nodes", self.size)))?;
        self.check_nodes(nodes)
    }

    pub fn check_nodes(&self, nodes: u64) -> Result<usize, GraphError> {
        match nodes <= MAX_NODES {
            true => Ok(nodes as usize),
            false => Err(GraphError::TooManyNodes { place: self.text.into(), nodes }),
        }
    }

    /// `edges` counts both directions.
    pub fn check_edges(&self, edges: u64) -> Result<(), GraphError> {
        match edges <= u32::MAX as u64 {
            true => Ok(()),
            false => Err(GraphError::TooManyEdges { place: self.text.into(), edges }),
        }
    }
}
