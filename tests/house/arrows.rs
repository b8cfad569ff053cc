//! Modules that name items of others.

use super::modules::{Crate, Module};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// A module names something of another one.
#[derive(Debug)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    /// Line in the file of `from`.
    pub line: usize,
    /// As it is written there.
    pub path: String,
}

/// The first arrow from each module to each other, without those to the modules around it.
pub fn arrows(source: &Crate) -> Vec<Arrow> {
    let names: Vec<_> = source.modules.iter().map(Names::new).collect();
    let resolver = Resolver { source, names: &names };
    let mut found = BTreeMap::new();
    for (from, module) in source.modules.iter().enumerate() {
        let mut paths = Paths::default();
        module.items.iter().for_each(|item| paths.visit_item(item));
        for (path, line) in paths.found {
            let Some(to) = resolver.module_of(from, &path, &mut Seen::new()) else { continue };
            if !module.path.starts_with(&source.modules[to].path) {
                found.entry((from, to)).or_insert(Arrow { from, to, line, path: path.join("::") });
            }
        }
    }
    found.into_values().collect()
}

/// Names in a module's own scope.
struct Names {
    defined: Vec<String>,
    /// Imports and re-exports: the name here, and what it stands for.
    imported: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
}

impl Names {
    fn new(module: &Module) -> Names {
        let mut names = Names { defined: Vec::new(), imported: Vec::new(), globs: Vec::new() };
        for item in &module.items {
            match item {
                Item::Use(item) => {
                    for leaf in leaves(&item.tree) {
                        match leaf.name {
                            Some(name) => names.imported.push((name, leaf.path)),
                            None => names.globs.push(leaf.path),
                        }
                    }
                }
                item => names.defined.extend(defined(item)),
            }
        }
        names
    }
}

fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// One import of a `use` tree; a glob has no name.
struct Leaf {
    path: Vec<String>,
    name: Option<String>,
    line: usize,
}

fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let leaf = |path: Vec<String>, name: Option<String>| vec![Leaf { path, name, line: tree.span().start().line }];
    match tree {
        UseTree::Path(path) => {
            let mut inner = leaves(&path.tree);
            for leaf in &mut inner {
                // `a::{self}` is `a`.
                let name = (leaf.path.is_empty() && leaf.name.is_none()).then(|| path.ident.to_string());
                leaf.name = leaf.name.take().or(name);
                leaf.path.insert(0, path.ident.to_string());
            }
            inner
        }
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Name(name) if name.ident == "self" => leaf(Vec::new(), None),
        UseTree::Name(name) => leaf(vec![name.ident.to_string()], Some(name.ident.to_string())),
        UseTree::Rename(rename) if rename.ident == "self" => leaf(Vec::new(), Some(rename.rename.to_string())),
        UseTree::Rename(rename) => leaf(vec![rename.ident.to_string()], Some(rename.rename.to_string())),
        UseTree::Glob(_) => leaf(vec!["*".into()], None),
    }
}

/// All paths of a piece of code, with their lines.
#[derive(Default)]
struct Paths {
    found: Vec<(Vec<String>, usize)>,
}

impl Visit<'_> for Paths {
    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        self.found.extend(leaves(&item.tree).into_iter().map(|leaf| (leaf.path, leaf.line)));
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.found.push((segments.collect(), path.span().start().line));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &syn::Macro) {
        self.tokens(call.tokens.clone());
    }

    /// `#[derive(..)]` and the like name no modules; `pub(in ..)` gives nothing away.
    fn visit_attribute(&mut self, _: &syn::Attribute) {}
    fn visit_visibility(&mut self, _: &syn::Visibility) {}
}

impl Paths {
    /// Names with `::` between them, in what a macro is given.
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut line, mut colons) = (Vec::new(), 0, 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons < 2 {
                        self.found.push((std::mem::take(&mut path), line));
                        line = ident.span().start().line;
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => colons += 1,
                token => {
                    self.found.push((std::mem::take(&mut path), line));
                    colons = 0;
                    if let TokenTree::Group(group) = token {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.found.push((path, line));
    }
}

struct Resolver<'a> {
    source: &'a Crate,
    names: &'a [Names],
}

/// Names that are being looked up, and in which modules: imports may lead in circles.
type Seen = BTreeSet<(usize, String)>;

impl Resolver<'_> {
    /// The module that defines what `path` names in the module `from`, or that the path itself names. `None`: it is not of this crate.
    fn module_of(&self, from: usize, path: &[String], seen: &mut Seen) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.within(0, rest, seen),
            "self" => self.within(from, rest, seen),
            "super" => {
                let (_, parent) = self.source.modules[from].path.split_last()?;
                self.within(self.source.find(parent)?, rest, seen)
            }
            _ => self.lookup(from, path, seen),
        }
    }

    /// The module of the rest of a path that led to the module `at` of this crate.
    fn within(&self, at: usize, path: &[String], seen: &mut Seen) -> Option<usize> {
        match path.first().map(String::as_str) {
            None | Some("*") => Some(at),
            Some("super") => self.module_of(at, path, seen),
            // A name that nothing declares comes from a macro of the module.
            Some(_) => self.lookup(at, path, seen).or(Some(at)),
        }
    }

    /// The module of a path that begins with a name of the scope of `at`.
    fn lookup(&self, at: usize, path: &[String], seen: &mut Seen) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        if !seen.insert((at, first.clone())) {
            return None;
        }
        let names = &self.names[at];
        let child = [self.source.modules[at].path.as_slice(), std::slice::from_ref(first)].concat();
        if let Some(child) = self.source.find(&child) {
            return self.within(child, rest, seen);
        }
        if names.defined.contains(first) {
            return Some(at);
        }
        if let Some((_, import)) = names.imported.iter().find(|(name, _)| name == first) {
            return self.module_of(at, &[import.as_slice(), rest].concat(), seen);
        }
        names.globs.iter().find_map(|glob| {
            let module = self.module_of(at, glob, seen)?;
            self.lookup(module, path, seen)
        })
    }
}
