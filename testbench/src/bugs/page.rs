//! The page of all bugs.

use super::{Hunted, Tool};
use gen::elaborate::parameter_list;
use std::fmt::Write;

/// What stands before the rows.
const HEAD: &str = include_str!("page.md");

const COLUMNS: [Tool; 4] = [Tool::Lockstep, Tool::Rules, Tool::Proof, Tool::Kernel];

/// docs/bugs.md: a row for each bug. The run took so many seconds.
pub fn page(all: &[Hunted], seconds: u64) -> String {
    let mut page = format!(
        "{HEAD}| bug | kind | unit | what it does | lock-step | rules | proof | kernel | first | digest |\n|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for hunted in all {
        let bug = &hunted.bug;
        let cells: Vec<_> = COLUMNS.iter().map(|tool| cell(hunted, *tool)).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {}: {} | {} | {} | {} | `{}` |",
            bug.name,
            bug.kind,
            bug.unit,
            parameter_list(&bug.parameters),
            bug.says,
            cells.join(" | "),
            first(hunted),
            &hunted.digest[..12]
        );
    }
    let found = all.iter().filter(|hunted| hunted.first().is_some()).count();
    let by = |tool: Tool| all.iter().filter(|h| h.of(tool).is_some_and(|trial| trial.found.is_some())).count();
    let tried = |tool: Tool| all.iter().filter(|hunted| hunted.of(tool).is_some()).count();
    let tools: Vec<_> =
        COLUMNS.iter().map(|tool| format!("{} {} of {}", tool.name(), by(*tool), tried(*tool))).collect();
    let _ = writeln!(page, "\nFound: {found} of {}; {}.", all.len(), tools.join(", "));
    let _ = writeln!(page, "The run that made this page took {seconds} seconds on the machine that it ran on.");
    page
}

/// `1,234: pin`
pub fn cell(hunted: &Hunted, tool: Tool) -> String {
    let Some(trial) = hunted.of(tool) else { return String::new() };
    match &trial.found {
        None => "no".into(),
        Some(find) => format!("{}: {}", with_commas(find.cycles), find.what.replace('|', "\\|")),
    }
}

/// The name of the tool that came first.
pub fn first(hunted: &Hunted) -> &'static str {
    hunted.first().map_or("nothing", Tool::name)
}

fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
