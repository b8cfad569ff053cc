//! Rows of an earlier sweep next to new runs of the same plan, of which only the shortest are made.

use super::execute::Sweep;
use super::numbers::{Numbers, COUNTERS};
use super::store::Ending;
use crate::exit::CheckFailed;
use anyhow::Result;

/// The runs of the fewest warp instructions, `count` at most; those that failed are none of them.
fn shortest(endings: &[Ending], count: usize) -> Vec<usize> {
    let work = |run: &usize| match &endings[*run] {
        Ending::Verified(numbers) => Some(numbers.warp_instructions),
        Ending::Failed(_) => None,
    };
    let mut runs: Vec<usize> = (0..endings.len()).filter(|run| work(run).is_some()).collect();
    runs.sort_by_key(work);
    runs.truncate(count);
    runs
}

/// Makes the shortest runs of `sweep` again.
///
/// # Errors
/// A run whose counters are not those of its row; errors of [`Sweep::make`].
pub fn compare(sweep: &Sweep, endings: &[Ending], count: usize) -> Result<()> {
    let runs = shortest(endings, count);
    let made = sweep.make(&runs)?;
    for (&run, new) in runs.iter().zip(&made) {
        let Some(difference) = difference(&endings[run], &new.ending) else { continue };
        return Err(CheckFailed(format!("{new}: {difference}: sweep the plan again")).into());
    }
    println!("{} of {} runs made again: as in their rows", runs.len(), endings.len());
    Ok(())
}

/// The first counter that differs.
fn difference(row: &Ending, new: &Ending) -> Option<String> {
    let (Ending::Verified(row), Ending::Verified(new)) = (row, new) else {
        return Some("the row is of a verified run".into());
    };
    let cycles = (row.cycles != new.cycles).then(|| format!("{} cycles, in its row {}", new.cycles, row.cycles));
    let counter = |name: &&str| {
        let [row, new]: [serde_json::Value; 2] = [row, new].map(|numbers: &Numbers| numbers.value(name));
        (row != new).then(|| format!("{name} {new}, in its row {row}"))
    };
    cycles.or_else(|| COUNTERS.iter().find_map(counter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(cycles: u64, warp_instructions: u64) -> Ending {
        Ending::Verified(Numbers { cycles, warp_instructions, ..Numbers::default() })
    }

    #[test]
    fn the_shortest_are_those_of_the_fewest_instructions() {
        let endings = [ran(1, 30), ran(9, 10), Ending::Failed("no".into()), ran(2, 20)];
        assert_eq!(shortest(&endings, 2), [1, 3]);
        assert_eq!(shortest(&endings, 9), [1, 3, 0]);
    }

    #[test]
    fn another_counter_is_named() {
        assert_eq!(difference(&ran(5, 6), &ran(5, 6)), None);
        assert_eq!(difference(&ran(5, 6), &ran(7, 8)).unwrap(), "7 cycles, in its row 5");
        assert_eq!(difference(&ran(5, 6), &ran(5, 8)).unwrap(), "warp_instructions 8, in its row 6");
        assert!(difference(&ran(5, 6), &Ending::Failed("no".into())).is_some());
    }
}
