//! All claims, from the plans and from `docs/data/claims.toml`.

use crate::sweep::{self, Standing, Stated};
use crate::toml_error;
use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const PLANS: &str = "plans";
const RESULTS: &str = "docs/results";
/// The file of claims that no plan measures.
const OTHERS: &str = "docs/data/claims.toml";

/// In the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    Hwwl,
    Iru,
    Gw,
}

impl Paper {
    pub const ALL: [Paper; 3] = [Paper::Hwwl, Paper::Iru, Paper::Gw];

    pub fn title(self) -> &'static str {
        match self {
            Paper::Hwwl => "Hardware worklists (Kim and Batten, MICRO 2014)",
            Paper::Iru => "The reorder unit (Segura et al.)",
            Paper::Gw => "Graph-Waving (Yilmazer-Metin, JPDC 2021)",
        }
    }

    /// Plans are named for their paper.
    fn of_plan(name: &str) -> Result<Paper> {
        match name.split('-').next() {
            Some("hwwl") => Ok(Paper::Hwwl),
            Some("iru") => Ok(Paper::Iru),
            Some("gw") => Ok(Paper::Gw),
            _ => bail!("the name of a plan with numbered claims begins with hwwl-, iru- or gw-"),
        }
    }
}

/// A claim, ours beside it.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub row: u32,
    pub paper: Paper,
    /// Where the paper says this.
    pub section: String,
    pub text: String,
    /// The paper's number; empty if its words have none.
    pub number: String,
    /// The reading of the paper's words, as a condition on our numbers; empty: they have none.
    pub read_as: String,
    pub ours: String,
    /// The same with what we add to the paper's unit; empty if the plan adds nothing.
    pub with_addition: String,
    /// The scope of our numbers; empty if no plan measures them.
    pub scope: String,
    pub standing: Standing,
    /// The command that makes our number.
    pub command: String,
    pub why: String,
    /// The run that shows why ours differs; empty: none does.
    pub shown_by: String,
    /// The plan that measures it.
    pub plan: Option<PathBuf>,
}

/// A claim that no plan measures, as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Other {
    row: u32,
    paper: Paper,
    section: String,
    text: String,
    #[serde(default)]
    number: String,
    #[serde(default)]
    ours: String,
    standing: Standing,
    #[serde(default)]
    command: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    shown_by: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Others {
    claim: Vec<Other>,
}

/// Every claim, by its number.
#[derive(Serialize)]
pub struct Book {
    #[serde(rename = "claims")]
    pub entries: Vec<Entry>,
}

impl Book {
    /// From the folder of a checkout.
    ///
    /// # Errors
    /// A file that cannot be read, rows that are not a plan's, two claims of one number.
    pub fn read() -> Result<Book> {
        let mut entries = others(Path::new(OTHERS))?;
        for plan in plans()? {
            entries.extend(of_plan(&plan)?);
        }
        entries.sort_by_key(|entry| entry.row);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].row == pair[1].row) {
            bail!("claims: row {} is there twice: {} and {}", pair[0].row, source(&pair[0]), source(&pair[1]));
        }
        Ok(Book { entries })
    }

    pub fn count(&self, standing: Standing) -> usize {
        self.entries.iter().filter(|entry| entry.standing == standing).count()
    }
}

fn source(entry: &Entry) -> String {
    entry.plan.as_ref().map_or_else(|| OTHERS.to_owned(), |plan| plan.display().to_string())
}

/// Files of plans, by name.
fn plans() -> Result<Vec<PathBuf>> {
    let cannot = || format!("{PLANS}: cannot read the plans; run this in the folder of a checkout");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(PLANS).with_context(cannot)? {
        files.push(entry.with_context(cannot)?.path());
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    Ok(files)
}

fn of_plan(path: &Path) -> Result<Vec<Entry>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let csv = Path::new(RESULTS).join(&name).join("runs.csv");
    let stated = sweep::stated(path, &csv)?;
    stated.into_iter().map(|stated| entry(path, &name, stated)).collect()
}

fn entry(path: &Path, name: &str, stated: Stated) -> Result<Entry> {
    let Stated { claim, paper, scope, ours, with_addition, standing } = stated;
    Ok(Entry {
        row: claim.row.expect("only claims with a number are stated"),
        paper: Paper::of_plan(name).with_context(|| path.display().to_string())?,
        section: claim.section,
        text: claim.text,
        number: paper,
        read_as: claim.holds.map_or(String::new(), |condition| condition.to_string()),
        ours,
        with_addition,
        scope,
        standing,
        command: format!("unruly sweep {}", path.display()),
        why: claim.why.unwrap_or_default(),
        shown_by: claim.shown_by.unwrap_or_default(),
        plan: Some(path.to_owned()),
    })
}

/// The claims of a file that no plan measures.
pub fn others(path: &Path) -> Result<Vec<Entry>> {
    let file = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{file}: cannot read; run this in the folder of a checkout"))?;
    let others: Others = toml::from_str(&text).map_err(|e| toml_error::in_file(file, &text, &e))?;
    others.claim.into_iter().map(other).collect()
}

fn other(other: Other) -> Result<Entry> {
    let Other { row, paper, section, text, number, ours, standing, command, why, shown_by } = other;
    let at = |what: &str| format!("{OTHERS}: row {row}: {what}");
    match standing {
        Standing::NotAttempted => ensure!(!why.is_empty(), at("why is missing")),
        Standing::Settled => ensure!(!why.is_empty() && !shown_by.is_empty(), at("why or shown_by is missing")),
        Standing::Words | Standing::Contradicted => ensure!(!why.is_empty(), at("why is missing")),
        Standing::Reproduced => {}
    }
    let measured = standing == Standing::NotAttempted || !(ours.is_empty() || command.is_empty());
    ensure!(measured, at("ours or command is missing"));
    Ok(Entry {
        row,
        paper,
        section,
        text,
        number,
        read_as: String::new(),
        ours,
        with_addition: String::new(),
        scope: String::new(),
        standing,
        command,
        why,
        shown_by,
        plan: None,
    })
}
