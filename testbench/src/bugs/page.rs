//! The page of all bugs.

use super::{systems, Bug, Hunted, Tool};
use crate::error::Result;
use gen::elaborate::parameter_list;
use std::collections::BTreeMap;

/// What stands before the rows.
const HEAD: &str = include_str!("page.md");

const COLUMNS: [Tool; 4] = [Tool::Lockstep, Tool::Rules, Tool::Proof, Tool::Kernel];
/// Cells before those of the tools.
const BEFORE: usize = 4;

/// docs/bugs.md: a row for each bug. It may be made in several runs.
#[derive(Default)]
pub struct Page {
    /// By the names of bugs.
    rows: BTreeMap<String, String>,
}

impl Page {
    /// The rows of a page.
    pub fn read(text: &str) -> Self {
        let row = |line: &str| Some((line.strip_prefix("| `")?.split('`').next()?.to_string(), line.to_string()));
        Page { rows: text.lines().filter_map(row).collect() }
    }

    /// The row of a bug, if it was made with what there is today.
    ///
    /// # Errors
    /// Those of [`Bug::digest`].
    pub fn current(&self, bug: &Bug) -> Result<Option<&str>> {
        let end = format!("| `{}` |", short(&bug.digest()?));
        Ok(self.rows.get(&bug.name).map(String::as_str).filter(|row| row.ends_with(&end)))
    }

    pub fn put(&mut self, hunted: &Hunted) {
        self.rows.insert(hunted.bug.name.clone(), row(hunted));
    }

    /// The whole page: rows of bugs that there are, in the order of the systems.
    pub fn text(&self) -> String {
        let bugs: Vec<_> = systems().into_iter().flat_map(|system| system.bugs).collect();
        let rows: Vec<_> = bugs.iter().filter_map(|bug| self.rows.get(&bug.name)).map(String::as_str).collect();
        let columns = COLUMNS.map(Tool::name).join(" | ");
        let head = format!("| bug | kind | unit | what it does | {columns} | first | digest |\n|{}", "---|".repeat(10));
        format!("{HEAD}{head}\n{}\n\n{}\n", rows.join("\n"), summary(&rows))
    }
}

/// How many bugs were found, and how many by each tool of those that it was tried on.
fn summary(rows: &[&str]) -> String {
    let cells: Vec<Vec<_>> = rows.iter().map(|row| row.split('|').skip(1).map(str::trim).collect()).collect();
    let found = cells.iter().filter(|cells| cells[BEFORE + COLUMNS.len()] != NOTHING).count();
    let by = |(place, tool): (usize, Tool)| {
        let cells = cells.iter().map(|cells| cells[BEFORE + place]).filter(|cell| !cell.is_empty());
        format!("{} {} of {}", tool.name(), cells.clone().filter(|cell| *cell != NO).count(), cells.count())
    };
    let tools: Vec<_> = COLUMNS.into_iter().enumerate().map(by).collect();
    format!("Found: {found} of {}; {}.", rows.len(), tools.join(", "))
}

/// What a tool found that found nothing, and the name of the first tool if none found anything.
const NO: &str = "no";
const NOTHING: &str = "nothing";

fn row(hunted: &Hunted) -> String {
    let Bug { name, kind, unit, parameters, says, .. } = &hunted.bug;
    let cells = COLUMNS.map(|tool| cell(hunted, tool)).join(" | ");
    let (parameters, digest) = (parameter_list(parameters), short(&hunted.digest));
    format!("| `{name}` | {kind} | {unit}: {parameters} | {says} | {cells} | {} | `{digest}` |", first(hunted))
}

fn short(digest: &str) -> &str {
    &digest[..12]
}

/// `1,234: pin`
pub fn cell(hunted: &Hunted, tool: Tool) -> String {
    let Some(trial) = hunted.of(tool) else { return String::new() };
    match &trial.found {
        None => NO.into(),
        Some(find) => format!("{}: {}", with_commas(find.cycles), find.what.replace('|', "/")),
    }
}

/// The name of the tool that came first.
pub fn first(hunted: &Hunted) -> &'static str {
    hunted.first().map_or(NOTHING, Tool::name)
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
    use crate::bugs::{find, Find, Trial};

    fn hunted(name: &str, cycles: [Option<u64>; 2]) -> Hunted {
        let bug = find(name).unwrap();
        let found = cycles.map(|cycles| cycles.map(|cycles| Find { cycles, what: "a | b".into() }));
        let [one, other] = found;
        let trials = vec![Trial { tool: Tool::Lockstep, found: one }, Trial { tool: Tool::Kernel, found: other }];
        Hunted { digest: bug.digest().unwrap(), bug, trials }
    }

    #[test]
    fn rows_are_kept_as_long_as_they_are_of_today() {
        let mut page = Page::default();
        page.put(&hunted("held-loses-a-push", [Some(1_234), Some(99)]));
        page.put(&hunted("id-of-20-bits", [Some(7), None]));
        page.put(&hunted("held-of-a-full-bank", [None, None]));
        let text = page.text();
        assert!(text.contains(" | 1,234: a / b |  |  | 99: a / b | kernel | `"), "{text}");
        assert!(
            text.ends_with("\nFound: 2 of 3; lock-step 2 of 3, rules 0 of 0, proof 0 of 0, kernel 1 of 3.\n"),
            "{text}"
        );
        assert!(text.find("held-of-a-full-bank").unwrap() < text.find("id-of-20-bits").unwrap(), "in order");
        let again = Page::read(&text);
        assert_eq!(again.text(), text);
        assert!(again.current(&find("id-of-20-bits").unwrap()).unwrap().is_some());
        let other = Page::read(&text.replace("` |\n", "0` |\n"));
        assert!(other.current(&find("id-of-20-bits").unwrap()).unwrap().is_none());
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
