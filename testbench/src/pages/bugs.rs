//! The page `bugs.md`: a row for each bug. It may be made in several runs.

use super::{code, short};
use crate::bugs::{find, Bug, Hunted, Tool, Trial};
use crate::error::Result;
use gen::elaborate::parameter_list;
use gen::table::{markdown, with_commas, words, Column};
use serde::{Deserialize, Serialize};

const TOOLS: [Tool; 4] = [Tool::Lockstep, Tool::Rules, Tool::Proof, Tool::Kernel];
const COLUMNS: [Column; 10] = [
    words("bug"),
    words("kind"),
    words("unit"),
    words("what it does"),
    words(TOOLS[0].name()),
    words(TOOLS[1].name()),
    words(TOOLS[2].name()),
    words(TOOLS[3].name()),
    words("first"),
    words("digest"),
];

/// A bug with what the tools found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub bug: String,
    /// SHA-256, shortened.
    pub digest: String,
    pub trials: Vec<Trial>,
}

impl Row {
    pub fn of(hunted: &Hunted) -> Self {
        Row { bug: hunted.bug.name.clone(), digest: short(&hunted.digest).into(), trials: hunted.trials.clone() }
    }

    /// # Errors
    /// There is no such bug.
    pub fn hunted(&self) -> Result<Hunted> {
        Ok(Hunted { bug: find(&self.bug)?, digest: self.digest.clone(), trials: self.trials.clone() })
    }

    /// True if the row was made with today's RTL and stimulus of its bug.
    ///
    /// # Errors
    /// The errors of [`Bug::digest`].
    pub fn is_current(&self, bug: &Bug) -> Result<bool> {
        Ok(self.digest == short(&bug.digest()?))
    }
}

pub(super) fn page(rows: &[Row]) -> Result<String> {
    let hunted = rows.iter().map(Row::hunted).collect::<Result<Vec<_>>>()?;
    let table = markdown(&COLUMNS, hunted.iter().map(cells));
    Ok(format!("{}{table}\n{}\n", include_str!("bugs.md"), summary(&hunted)))
}

/// Number of bugs that were found, and number per tool of those that it was tried on.
fn summary(hunted: &[Hunted]) -> String {
    let found = hunted.iter().filter(|hunted| hunted.first().is_some()).count();
    let by = |tool: Tool| {
        let trials: Vec<_> = hunted.iter().filter_map(|hunted| hunted.of(tool)).collect();
        format!("{} {} of {}", tool.name(), trials.iter().filter(|trial| trial.found.is_some()).count(), trials.len())
    };
    format!("Found: {found} of {}; {}.", hunted.len(), TOOLS.map(by).join(", "))
}

fn cells(hunted: &Hunted) -> [String; 10] {
    let Bug { name, kind, unit, parameters, says, .. } = &hunted.bug;
    let [lockstep, rules, proof, kernel] = TOOLS.map(|tool| cell(hunted, tool));
    let unit = format!("{unit}: {}", parameter_list(parameters));
    let (first, digest) = (first(hunted).into(), code(&hunted.digest));
    [code(name), kind.clone(), unit, says.clone(), lockstep, rules, proof, kernel, first, digest]
}

/// `1,234: pin`
pub fn cell(hunted: &Hunted, tool: Tool) -> String {
    let Some(trial) = hunted.of(tool) else { return String::new() };
    trial.found.as_ref().map_or("no".into(), |find| format!("{}: {}", with_commas(find.cycles), find.what))
}

/// The name of the tool that came first.
pub fn first(hunted: &Hunted) -> &'static str {
    hunted.first().map_or("nothing", Tool::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::Find;

    fn row(name: &str, cycles: [Option<u64>; 2]) -> Row {
        let bug = find(name).unwrap();
        let [one, other] = cycles.map(|cycles| cycles.map(|cycles| Find { cycles, what: "a | b".into() }));
        let trials = vec![Trial { tool: Tool::Lockstep, found: one }, Trial { tool: Tool::Kernel, found: other }];
        Row::of(&Hunted { digest: bug.digest().unwrap(), bug, trials })
    }

    #[test]
    fn a_page_has_what_was_found_and_a_row_says_whether_it_is_of_today() {
        let mut rows = [row("held-loses-a-push", [Some(1_234), Some(99)]), row("id-of-20-bits", [None, None])];
        let text = page(&rows).unwrap();
        assert!(text.contains(" | 1,234: a \\| b |  |  | 99: a \\| b | kernel | `"), "{text}");
        assert!(
            text.ends_with("\nFound: 1 of 2; lock-step 1 of 2, rules 0 of 0, proof 0 of 0, kernel 1 of 2.\n"),
            "{text}"
        );
        let read: Vec<Row> = serde_json::from_str(&super::super::to_json(&rows)).unwrap();
        assert_eq!(page(&read).unwrap(), text);
        let bug = find("id-of-20-bits").unwrap();
        assert!(rows[1].is_current(&bug).unwrap());
        rows[1].digest = "0".repeat(12);
        assert!(!rows[1].is_current(&bug).unwrap());
    }
}
