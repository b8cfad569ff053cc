//! `unruly reproduce`: the runs behind the papers' claims, made again.

use crate::claims::{Book, Paper};
use crate::exit;
use crate::sweep::{self, Crew, Stated};
use anyhow::{bail, Result};
use std::path::PathBuf;

/// Run again what our numbers beside a paper's claims are made of
///
/// Tells first what that costs. Without a paper: the plans of all claims; with a figure, table or section: the plans of its claims.
///
/// Example: unruly reproduce iru "Fig 16"
#[derive(clap::Args)]
pub struct Args {
    /// Whose claims
    #[arg(value_name = "PAPER")]
    paper: Option<Paper>,
    /// A figure, table or section of the paper, as the page claims.md of `unruly pages` names it: "Fig 16", 16, IV-D
    #[arg(value_name = "FIGURE")]
    figure: Option<String>,
    /// Tell what it costs, run nothing
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    crew: Crew,
}

pub fn main(args: Args) -> Result<()> {
    args.crew.check()?;
    let wanted = wanted(&args)?;
    tell_cost(&wanted)?;
    if args.check {
        return Ok(());
    }
    let interrupt = exit::interrupt_flag()?;
    for plan in &wanted.plans {
        let stated = sweep::carry_out(plan, &args.crew, interrupt.clone())?;
        stated.iter().filter(|stated| wanted.has(stated)).for_each(print);
    }
    Ok(())
}

/// Rows of claims, the plans that measure them, and commands of those that no plan measures.
struct Wanted {
    rows: Vec<u32>,
    plans: Vec<PathBuf>,
    commands: Vec<String>,
}

impl Wanted {
    fn has(&self, stated: &Stated) -> bool {
        stated.claim.row.is_some_and(|row| self.rows.contains(&row))
    }
}

fn wanted(args: &Args) -> Result<Wanted> {
    let book = Book::read()?;
    let here = book.entries.iter().filter(|entry| {
        let figure = args.figure.as_ref().is_none_or(|figure| is_in(&entry.section, figure));
        args.paper.is_none_or(|paper| entry.paper == paper) && figure
    });
    let mut wanted = Wanted { rows: Vec::new(), plans: Vec::new(), commands: Vec::new() };
    for entry in here {
        wanted.rows.push(entry.row);
        match &entry.plan {
            Some(plan) if !wanted.plans.contains(plan) => wanted.plans.push(plan.clone()),
            None if !entry.command.is_empty() && !wanted.commands.contains(&entry.command) => {
                wanted.commands.push(entry.command.clone());
            }
            _ => {}
        }
    }
    match (&wanted.rows[..], &args.figure) {
        ([], Some(figure)) => {
            bail!("{figure}: no claim stands there; the page claims.md of `unruly pages` has the places of all")
        }
        _ => Ok(wanted),
    }
}

/// One of the places of a claim, between commas, is this figure, table or section.
fn is_in(section: &str, figure: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace([' ', '.'], "");
    let figure = plain(figure);
    section.split(',').map(plain).any(|place| place == figure || place == format!("fig{figure}"))
}

fn tell_cost(wanted: &Wanted) -> Result<()> {
    let mut sum = 0;
    for plan in &wanted.plans {
        let cost = sweep::cost(plan)?;
        sum += cost.core_minutes.unwrap_or(0);
        println!("{}: {} runs, {}", plan.display(), cost.runs, shown(cost.core_minutes));
    }
    println!("{} claims, {} plans, {sum} core-minutes known", wanted.rows.len(), wanted.plans.len());
    for command in &wanted.commands {
        println!("no plan, by hand: {command}");
    }
    Ok(())
}

fn shown(core_minutes: Option<u32>) -> String {
    core_minutes.map_or("time not measured".into(), |minutes| format!("{minutes} core-minutes"))
}

fn print(stated: &Stated) {
    let Stated { claim, paper, scope, ours, with_addition, standing } = stated;
    let row = claim.row.unwrap_or_default();
    println!("{row:>4} {}: {}", claim.section, claim.text);
    println!(
        "     the paper: {}; ours ({scope}): {ours}; {}",
        if paper.is_empty() { "words" } else { paper },
        standing.name()
    );
    if !with_addition.is_empty() {
        println!("     with what we add: {with_addition}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_found_among_the_places_of_a_claim() {
        assert!(is_in("6.3, Fig 16", "Fig 16") && is_in("6.3, Fig 16", "16") && is_in("6.3, Fig 16", "fig. 16"));
        assert!(is_in("6.3, Fig 16", "6.3") && is_in("Table II", "table ii"));
        assert!(!is_in("6.3, Fig 16", "6") && !is_in("6.3, Fig 16", "1"));
    }
}
