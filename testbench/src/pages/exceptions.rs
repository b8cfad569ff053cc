//! The page `exceptions.md`: what each timing exception follows from, and the budgets of pins.

use super::{assumptions, code, proofs, Data};
use crate::error::{Error, Result};
use crate::prove::{Kind, Outcome};
use gen::table::{markdown, numbers, words, Column};
use spec::exceptions::{Exception, From, Time};
use spec::place::{Place, PLACES};

const COLUMNS: [Column; 6] =
    [words("unit"), words("from"), words("time"), words("claim"), words("what it says"), words("result")];

const PLACES_COLUMNS: [Column; 5] = [
    words("place"),
    words("units"),
    words("neighbours"),
    numbers("inputs are there after"),
    numbers("outputs have to be there before the end"),
];

/// The page of these exceptions.
///
/// # Errors
/// [`Error::Exception`]: the claim of one is neither proven nor kept by the stimulus.
pub(super) fn page(exceptions: &[Exception], data: &Data) -> Result<String> {
    let rows = exceptions.iter().map(|exception| cells(exception, data)).collect::<Result<Vec<_>>>()?;
    let pins = markdown(&PLACES_COLUMNS, PLACES.iter().map(place));
    Ok(include_str!("exceptions.md").to_string() + &markdown(&COLUMNS, rows) + "\n" + include_str!("places.md") + &pins)
}

fn place(place: &Place) -> [String; 5] {
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let units = place.units.iter().map(|unit| code(unit)).collect::<Vec<_>>().join(", ");
    [place.name.into(), units, place.neighbours.into(), percent(place.arrival), percent(place.required)]
}

fn cells(exception: &Exception, data: &Data) -> Result<[String; 6]> {
    let from = match exception.from {
        From::Pins(names) => format!("pins {}", names.join(", ")),
        From::Registers(names) => format!("registers {}", names.join(", ")),
    };
    let time = match exception.time {
        Time::Any => "any".into(),
        Time::Cycles(cycles) => format!("{cycles} cycles"),
    };
    let (sentence, result) = shown(exception, data).ok_or_else(|| Error::Exception {
        unit: exception.unit.into(),
        claim: format!("{}.{}", exception.because.unit, exception.because.name),
    })?;
    let claim = format!("{} of {}", code(exception.because.name), exception.because.unit);
    Ok([exception.unit.into(), from, time, claim, sentence.into(), result.into()])
}

/// The sentence of the claim and how it is known to hold.
fn shown<'a>(exception: &Exception, data: &'a Data) -> Option<(&'a str, &'static str)> {
    let claim = exception.because;
    let mut rows = data.proofs.iter().filter(|row| row.unit == claim.unit && row.claim.name == claim.name).peekable();
    let sentence = rows.peek()?.claim.sentence.as_str();
    let is_proven = |row: &proofs::Row| row.claim.kind != Kind::Assumption && row.outcome == Outcome::Proven;
    let is_kept = |row: &proofs::Row| {
        let holds = |kept: &assumptions::Row| kept.broken.is_none();
        let mut kept = data.assumptions.iter().filter(|kept| kept.module == row.module).peekable();
        row.claim.kind == Kind::Assumption && kept.peek().is_some() && kept.all(holds)
    };
    let all: Vec<_> = rows.collect();
    if all.iter().all(|row| is_proven(row)) {
        Some((sentence, "proven"))
    } else {
        all.iter().all(|row| is_kept(row)).then_some((sentence, "kept by the stimulus"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spec::exceptions::{Claim, EXCEPTIONS};
    use std::path::Path;

    fn data() -> Data {
        Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap()
    }

    fn without(change: impl Fn(&mut Data)) -> String {
        let mut data = data();
        change(&mut data);
        page(EXCEPTIONS, &data).unwrap_err().to_string()
    }

    #[test]
    fn each_exception_follows_from_a_claim_that_holds() {
        let page = page(EXCEPTIONS, &data()).unwrap();
        assert!(page.contains(
            "| iru_partition | registers state.target, state.size | 2 cycles | `array_settles` of prefetcher |"
        ));
        assert_eq!(
            page.matches("| kept by the stimulus |").count() + page.matches("| proven |").count(),
            EXCEPTIONS.len()
        );
    }

    #[test]
    fn an_exception_whose_claim_does_not_hold_is_an_error() {
        let is = |row: &proofs::Row| row.unit == "prefetcher" && row.claim.name == "array_settles";
        let problem = "the timing exception of iru_partition follows from prefetcher.array_settles, which is neither proven nor kept by the stimulus";
        assert!(without(|data| data.proofs.retain(|row| !is(row))).starts_with(problem));
        let fails = |data: &mut Data| {
            data.proofs.iter_mut().find(|row| is(row)).unwrap().outcome = Outcome::Failed;
        };
        assert!(without(fails).starts_with(problem));
        assert!(without(|data| data.assumptions.retain(|row| row.unit != "classifier"))
            .contains("classifier.partition_stays"));
        let breaks = |data: &mut Data| {
            let row = data.assumptions.iter_mut().find(|row| row.unit == "data_replier").unwrap();
            row.broken = Some("partition_stays".into());
        };
        assert!(without(breaks).contains("data_replier.partition_stays"));
    }

    #[test]
    fn an_exception_of_no_claim_is_an_error() {
        let because = Claim { unit: "bank", name: "nothing" };
        let exception = Exception { unit: "bank", from: From::Pins(&["push"]), time: Time::Any, because };
        assert!(page(&[exception], &data()).unwrap_err().to_string().contains("bank.nothing"));
    }
}
