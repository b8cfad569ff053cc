use super::*;
use crate::graph::SplitMix64;
use crate::units::iru::pins::{LineRequest, Offer, SectorData};
use crate::units::iru::Filter;
use std::collections::VecDeque;

/// A job on arrays of small numbers, with memory and cores that answer at once.
fn play(unit: &mut Iru, awake: &mut Iru, job: &Job, random: &mut SplitMix64) -> u64 {
    let mut pins = IruIn::new(unit.partitions.len());
    let mut sectors = vec![VecDeque::new(); unit.partitions.len()];
    let mut rested = 0;
    for cycle in 0..4_000 {
        let out = unit.outputs();
        pins.clear();
        if cycle == 40 {
            pins.job = job.start();
        }
        for ((out, pins), sectors) in out.partitions.iter().zip(&mut pins.partitions).zip(&mut sectors) {
            pins.reply_ready = true;
            pins.mem_ready = true;
            if let Some(LineRequest { sectors: count, tag, .. }) = out.line.get() {
                sectors.extend((0..count).map(|sector| SectorData { tag, sector, words: [0; 8] }));
            }
            if let Some(data) = sectors.pop_front() {
                pins.sector = Offer::some(SectorData { words: [0; 8].map(|_| random.below(300) as u32), ..data });
            }
            // Whole lines are asked for until the last element is out.
            if (40..2_000).contains(&cycle) && out.request_ready && random.below(8) == 0 {
                pins.request = Offer::some(31);
            }
        }
        rested += u64::from(unit.resting);
        unit.clock(&pins).unwrap();
        awake.step(Job::of_pins(&pins.job).unwrap().as_ref(), &pins).unwrap();
        assert_eq!(unit.outputs(), awake.outputs());
    }
    rested
}

#[test]
fn cycles_at_rest_leave_the_same_state_as_the_long_way() {
    for link in [0, 1, 3] {
        let parameters = Parameters { sets: 16, link, ..Default::default() };
        stays_the_same(&parameters);
    }
}

fn stays_the_same(parameters: &Parameters) {
    let (mut unit, mut awake) = (Iru::new(parameters).unwrap(), Iru::new(parameters).unwrap());
    let mut random = SplitMix64(1);
    for filter in [Filter::None, Filter::Minimum, Filter::Addition] {
        let job =
            Job { index_line: 16, secondary_line: 64, with_secondary: true, count: 300, filter, ..Default::default() };
        assert!(play(&mut unit, &mut awake, &job, &mut random) > 100);
    }
}
