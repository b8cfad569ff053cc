//! Models of wide units under their stimulus: it finds no fault in them, and all that can happen does.

use super::*;
use crate::stimulus::{play, Counts, Stimulus};
use sim::unit::Unit;
use sim::units::iru::{Classifier, Iru, IruPartition, Parameters, ReorderBank, RingStop};

const CYCLES: usize = 300_000;

/// Bundles, and sizes that are filled quickly.
fn sizes() -> impl Iterator<Item = Parameters> {
    let small = Parameters { partitions: 4, sets: 8, timeout: 16, requests: 16, ..Default::default() };
    [(2, 8), (4, 32)].into_iter().map(move |(bundle, chunks)| Parameters { bundle, chunks, ..small })
}

fn is_sound<U: Unit, T: Stimulus<In = U::In, Out = U::Out> + Counts>(model: U, mut stimulus: T) {
    let mut cycles = 0;
    play(model, &mut stimulus, |stimulus, _| {
        cycles += 1;
        cycles < CYCLES && stimulus.violation().is_none()
    });
    assert_eq!(stimulus.violation(), None);
    let coverage = stimulus.coverage();
    let missing: Vec<_> = coverage.iter().filter(|(_, n)| *n == 0).collect();
    assert!(missing.is_empty(), "never: {missing:?}");
}

#[test]
fn classifiers() {
    sizes().for_each(|p| is_sound(Classifier::new(&p).unwrap(), ClassifierStimulus::new(&p, 1)));
}

#[test]
fn ring_stops() {
    sizes().for_each(|p| is_sound(RingStop::new(&p).unwrap(), RingStopStimulus::new(&p, 1)));
}

#[test]
fn banks() {
    sizes().for_each(|p| is_sound(ReorderBank::new(&p).unwrap(), ReorderBankStimulus::new(&p, 1)));
}

#[test]
fn partitions() {
    sizes().for_each(|p| is_sound(IruPartition::new(&p).unwrap(), IruPartitionStimulus::new(&p, 1)));
}

#[test]
fn whole_units() {
    sizes().for_each(|p| is_sound(Iru::new(&p).unwrap(), IruStimulus::new(&p, 1)));
}
