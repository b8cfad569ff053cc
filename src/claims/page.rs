//! The page `claims.md`: a table for each paper.

use super::book::{Book, Entry, Paper};
use crate::sweep::Standing;
use gen::table::{markdown, numbers, words, Column};

const HEAD: &str = "# Every quantitative claim of the papers, and where we stand

This page is made from the plans, from the committed rows in [results](../../docs/results), and from [claims.toml](../../docs/data/claims.toml), which has what no plan measures. `unruly reproduce PAPER FIGURE` runs what a row needs, and tells first what that costs.

*Reproduced*: the arithmetic or the geometric mean of our numbers is within a tenth of the paper's number or in its range, and what its words say
holds of our numbers. A condition such as `< 1` is how we read words without a number. *Differs, a run shows why*: the last column names the run. *Differs, words only*: nobody has settled it by an experiment.

";

const COLUMNS: [Column; 10] = [
    numbers("#"),
    words("place"),
    words("the paper says"),
    words("its number, or how its words are read"),
    words("ours"),
    words("with what we add"),
    words("what that is"),
    words("standing"),
    words("run"),
    words("why ours differs, and what shows it"),
];

const SUMMARY: [Column; 5] = [words("standing"), numbers("HWWL"), numbers("IRU"), numbers("GW"), numbers("all")];

pub fn text(book: &Book) -> String {
    let mut text = HEAD.to_owned() + &summary(book);
    for paper in Paper::ALL {
        text += &format!("\n## {}\n\n", paper.title());
        text += &markdown(&COLUMNS, book.entries.iter().filter(|entry| entry.paper == paper).map(cells));
    }
    text
}

/// Rows of each standing, by paper.
fn summary(book: &Book) -> String {
    let of = |paper: Option<Paper>, standing: Standing| {
        let here = book.entries.iter().filter(|entry| paper.is_none_or(|paper| entry.paper == paper));
        here.filter(|entry| entry.standing == standing).count()
    };
    let row = |standing: Standing| {
        let [hwwl, iru, gw] = Paper::ALL.map(|paper| of(Some(paper), standing).to_string());
        [standing.name().into(), hwwl, iru, gw, of(None, standing).to_string()]
    };
    markdown(&SUMMARY, Standing::ALL.map(row))
}

fn number(entry: &Entry) -> String {
    let condition = match entry.read_as.is_empty() {
        true => String::new(),
        false => format!("`{}`", entry.read_as),
    };
    [entry.number.clone(), condition].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
}

fn cells(entry: &Entry) -> [String; 10] {
    let command = match entry.command.is_empty() {
        true => String::new(),
        false => format!("`{}`", entry.command),
    };
    let reasons = [&entry.why, &entry.shown_by].into_iter().filter(|text| !text.is_empty());
    let reasons = reasons.map(String::as_str).collect::<Vec<_>>().join(". Run: ");
    [
        entry.row.to_string(),
        entry.section.clone(),
        entry.text.clone(),
        number(entry),
        entry.ours.clone(),
        entry.with_addition.clone(),
        entry.scope.clone(),
        entry.standing.name().to_owned(),
        command,
        reasons,
    ]
}
