//! The tree of a RustHDL design as its probe sees it: blocks, their signals, their code.

use crate::error::{Error, Result};
use rust_hdl::core::atom::{is_atom_signed, Atom, AtomKind};
use rust_hdl::core::type_descriptor::TypeKind;
use rust_hdl::prelude::{check_all, Block, Probe, Verilog};

/// One block instance.
pub struct Node {
    /// Name of the field that holds it (`bank$3` for an element of an array).
    pub name: String,
    pub atoms: Vec<Signal>,
    pub children: Vec<Node>,
    pub code: Verilog,
}

/// One signal of a block; `name` as in the code (`$` between the parts).
#[derive(Debug)]
pub struct Signal {
    pub name: String,
    pub kind: AtomKind,
    pub width: usize,
    /// Value of a constant, in hexadecimal.
    pub value: String,
    /// `Type::Variant` of each value, for an enumeration.
    pub variants: Vec<String>,
}

/// Checks a design and takes it apart.
pub fn walk(name: &str, top: &dyn Block) -> Result<Node> {
    let mut walker = Walker::default();
    top.accept(name, &mut walker);
    if let Some(problem) = walker.problem {
        return Err(problem);
    }
    check_all(top).map_err(|e| Error::design(name, format!("RustHDL rejects it: {e:?}")))?;
    walker.done.ok_or_else(|| Error::design(name, "no block: the top must be a single block"))
}

#[derive(Default)]
struct Walker {
    open: Vec<Node>,
    namespace: Vec<String>,
    done: Option<Node>,
    problem: Option<Error>,
}

impl Walker {
    fn path(&self) -> String {
        self.open.iter().map(|n| n.name.as_str()).collect::<Vec<_>>().join(".")
    }
}

impl Probe for Walker {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.namespace.clear();
        self.open.push(Node { name: name.into(), atoms: vec![], children: vec![], code: node.hdl() });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespace.push(name.into());
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let mut parts = self.namespace.clone();
        parts.push(name.into());
        let name = parts.join("$");
        let path = self.path();
        let top_input = self.open.len() == 1 && atom.kind() == AtomKind::InputParameter;
        if !atom.connected() && !top_input {
            self.problem.get_or_insert_with(|| Error::design(&path, format!("signal {name} is not driven")));
        }
        if is_atom_signed(atom) {
            self.problem.get_or_insert_with(|| Error::design(&path, format!("signal {name} is signed: use Bits")));
        }
        let variants = match atom.descriptor().kind {
            TypeKind::Enum(variants) => variants,
            _ => vec![],
        };
        let value = format!("{:x}", atom.verilog()).rsplit("'h").next().unwrap_or_default().to_string();
        if let Some(node) = self.open.last_mut() {
            node.atoms.push(Signal { name, kind: atom.kind(), width: atom.bits(), value, variants });
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(node) = self.open.pop() {
            match self.open.last_mut() {
                Some(parent) => parent.children.push(node),
                None => self.done = Some(node),
            }
        }
    }
}
