//! The modules of a crate, from its files.

use std::path::{Path, PathBuf};
use syn::{Attribute, Item};

/// A module, inline or of a file of its own.
pub struct Module {
    /// From the crate's root, which has an empty path.
    pub path: Vec<String>,
    pub file: PathBuf,
    /// All but test modules and the contents of other modules.
    pub items: Vec<Item>,
}

impl Module {
    pub fn name(&self) -> String {
        match self.path.is_empty() {
            true => "crate".into(),
            false => self.path.join("::"),
        }
    }
}

/// The root file of the crate in a folder.
pub fn root_file(folder: &Path) -> PathBuf {
    let files = ["lib.rs", "main.rs"].map(|name| folder.join("src").join(name));
    files.into_iter().find(|file| file.exists()).expect("a crate has a root file")
}

pub struct Crate {
    pub modules: Vec<Module>,
}

impl Crate {
    /// Reads all modules that the root file declares.
    pub fn read(folder: &Path) -> Crate {
        let mut found = Crate { modules: Vec::new() };
        found.file(Vec::new(), root_file(folder), &folder.join("src"));
        found
    }

    pub fn find(&self, path: &[String]) -> Option<usize> {
        self.modules.iter().position(|module| module.path == path)
    }

    /// `children` is the folder with the files of the modules inside.
    fn file(&mut self, path: Vec<String>, file: PathBuf, children: &Path) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        self.module(path, file, parsed.items, children);
    }

    fn module(&mut self, path: Vec<String>, file: PathBuf, items: Vec<Item>, children: &Path) {
        let this = self.modules.len();
        self.modules.push(Module { path: path.clone(), file: file.clone(), items: Vec::new() });
        for item in items {
            match item {
                Item::Mod(module) if is_test(&module.attrs) => {}
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let (path, folder) = ([path.as_slice(), &[name.clone()]].concat(), children.join(&name));
                    match module.content {
                        Some((_, items)) => self.module(path, file.clone(), items, &folder),
                        None => {
                            let files = [folder.with_extension("rs"), folder.join("mod.rs")];
                            let found = files.into_iter().find(|file| file.exists());
                            self.file(path, found.expect("a declared module has a file"), &folder);
                        }
                    }
                }
                item => self.modules[this].items.push(item),
            }
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|cfg| cfg == "test"))
}
