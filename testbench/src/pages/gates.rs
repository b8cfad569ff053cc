//! The page `gates.md`: a row for each part of a unit.

use super::code;
use super::proofs::{result, Row};
use gen::elaborate::parameter_list;
use gen::table::{markdown, words, Column};

const COLUMNS: [Column; 6] =
    [words("part"), words("unit"), words("parameters"), words("what is proven"), words("result"), words("digest")];

pub(super) fn page(rows: &[Row]) -> String {
    include_str!("gates.md").to_string() + &markdown(&COLUMNS, rows.iter().map(cells))
}

fn cells(row: &Row) -> [String; 6] {
    [
        code(&row.claim.name),
        row.unit.clone(),
        parameter_list(&row.parameters),
        row.claim.sentence.clone(),
        result(row.outcome, row.cycles),
        code(&row.digest),
    ]
}
