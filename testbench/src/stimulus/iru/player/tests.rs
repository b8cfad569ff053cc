//! The model of the whole unit under cores and a memory: nothing is lost, everything is answered, and everything ends.

use super::*;
use proptest::prelude::*;
use sim::unit::Unit;
use sim::units::iru::{HashKind, Iru};

/// Cycles that a job may take beside those that its elements need.
const BASE: u64 = 20_000;
/// Cycles for each element, one after the other through one set.
const EACH: u64 = 60;

/// Plays one job to its end.
fn play(unit: &mut impl Unit<In = IruIn, Out = IruOut>, parameters: &Parameters, how: &Play) -> Result<Tally, String> {
    let mut player = Player::new(parameters, how);
    let mut pins = IruIn::new(parameters.partitions);
    let mut out = unit.outputs();
    for _ in 0..BASE + EACH * how.indices.len() as u64 {
        player.drive(&out, &mut pins)?;
        if player.is_finished() {
            player.verdict()?;
            return Ok(*player.tally());
        }
        unit.clock(&pins).unwrap();
        unit.sample(&mut out);
    }
    Err(format!("no end: {:?}", player.tally()))
}

/// As [`play`]; afterwards the unit comes to rest.
fn run_on(unit: &mut Iru, how: &Play) -> Tally {
    let parameters = *unit.parameters();
    let tally = play(unit, &parameters, how).unwrap_or_else(|text| panic!("{parameters:?}: {text}"));
    settle(unit);
    tally
}

fn run(parameters: &Parameters, how: &Play) -> Tally {
    run_on(&mut Iru::new(parameters).unwrap(), how)
}

fn settle(unit: &mut Iru) {
    let mut pins = IruIn::new(unit.parameters().partitions);
    pins.partitions.iter_mut().for_each(|pins| pins.reply_ready = true);
    for _ in 0..32 + 2 * unit.parameters().link {
        unit.clock(&pins).unwrap();
    }
    assert!(unit.is_at_rest());
}

const HASHES: [HashKind; 3] = [HashKind::Multiplicative, HashKind::Modulo, HashKind::Xor];
const FILTERS: [Filter; 3] = [Filter::None, Filter::Minimum, Filter::Addition];

/// Indices at random, up to `range`.
fn scattered(count: usize, range: usize, seed: u64) -> Vec<u32> {
    let mut random = SplitMix64(seed);
    (0..count).map(|_| random.below(range) as u32).collect()
}

/// Secondaries that the filter can work on and whose sums are exact.
fn secondaries(count: usize, filter: Filter, seed: u64) -> Vec<u32> {
    let small = scattered(count, 64, seed ^ 0x5ec0);
    match filter {
        Filter::Addition => small.into_iter().map(|n| (n as f32).to_bits()).collect(),
        _ => small,
    }
}

fn job(indices: Vec<u32>, filter: Filter) -> Play {
    let secondaries = secondaries(indices.len(), filter, 7);
    Play::new(indices, secondaries, filter)
}

#[test]
fn every_hash_filter_and_size_delivers_or_merges_every_element_once() {
    for partitions in [2, 4] {
        for sets in [4, 16, 256] {
            for hash in HASHES {
                for filter in FILTERS {
                    let parameters = Parameters { partitions, sets, hash, ..Default::default() };
                    let tally = run(&parameters, &job(scattered(3_000, 2_000, 3), filter));
                    assert_eq!(tally.merged > 0, filter != Filter::None, "{parameters:?} {filter:?}");
                }
            }
        }
    }
}

#[test]
fn wide_units_deliver_or_merge_every_element_once() {
    for (bundle, chunks, link) in [(2, 16, 0), (2, 32, 2), (4, 64, 1)] {
        for sets in [4, 256] {
            for filter in FILTERS {
                let parameters =
                    Parameters { bundle, chunks, sets, link, hash: HashKind::Modulo, ..Default::default() };
                for indices in
                    [scattered(3_000, 2_000, 3), scattered(3_000, 40, 4), (0..3_000).map(|i| i / 8).collect()]
                {
                    run(&parameters, &job(indices, filter));
                }
            }
        }
    }
}

#[test]
fn any_number_of_elements() {
    for count in [1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 255, 256, 257, 10_000] {
        for filter in FILTERS {
            run(&Parameters::default(), &job(scattered(count, 5_000, 9), filter));
        }
        run(&Parameters::default(), &Play::new(scattered(count, 5_000, 9), Vec::new(), Filter::None));
    }
}

#[test]
fn equal_indices_sorted_indices_and_strides() {
    let mut arrays = vec![vec![77; 2_000], (0..4_000).collect()];
    arrays.extend((1..=19).map(|log_stride| (0..2_000u32).map(|i| i << log_stride & 0xff_ffff).collect()));
    for sets in [4, 256] {
        for hash in HASHES {
            for filter in FILTERS {
                let parameters = Parameters { sets, hash, ..Default::default() };
                let mut unit = Iru::new(&parameters).unwrap();
                for indices in &arrays {
                    run_on(&mut unit, &job(indices.clone(), filter));
                }
            }
        }
    }
}

#[test]
fn one_index_is_merged_into_few() {
    let parameters = Parameters::default();
    for filter in [Filter::Minimum, Filter::Addition] {
        let how = Play { every: [4_000, 1, 1], whole_warps: true, ..job(vec![5; 1_000], filter) };
        let tally = run(&parameters, &how);
        assert!(tally.delivered < tally.merged / 2, "{tally:?}");
    }
}

#[test]
fn elements_cross_the_ring_between_all_partitions() {
    for (partitions, all) in [(2, 0x0033), (4, 0xffff)] {
        let tally =
            run(&Parameters { partitions, ..Default::default() }, &job(scattered(8_000, 100_000, 1), Filter::None));
        assert_eq!(tally.ways, all);
    }
}

#[test]
fn requests_of_one_partition_are_served_by_all() {
    for partitions in [2, 4] {
        for asked in 0..partitions {
            let parameters = Parameters { partitions, ..Default::default() };
            let how = Play { asked: Some(asked), ..job(scattered(6_000, 20_000, 4), Filter::None) };
            let tally = run(&parameters, &how);
            assert!(tally.forwarded > 10 && tally.parts > 0, "{tally:?}");
        }
    }
}

/// Each block of the target array is there 32 times: who waits long enough finds its set complete.
#[test]
fn a_timeout_is_answered_from_more_than_one_set() {
    let mut indices: Vec<u32> = (0..8_192).collect();
    let mut random = SplitMix64(6);
    for i in 1..indices.len() {
        indices.swap(i, random.below(i + 1));
    }
    let how = Play { whole_warps: true, every: [1, 1, 4], ..job(indices, Filter::None) };
    let patient = run(&Parameters { timeout: 60_000, ..Default::default() }, &how);
    let hasty = run(&Parameters { timeout: 16, ..Default::default() }, &how);
    assert!(patient.mixed == 0 && hasty.mixed > 50, "{patient:?} {hasty:?}");
}

#[test]
fn a_complete_set_answers_with_elements_of_one_block() {
    let tally = run(&Parameters::default(), &Play { whole_warps: true, ..job((0..8_192).collect(), Filter::None) });
    assert_eq!((tally.delivered, tally.mixed), (8_192, 0));
}

#[test]
fn slow_cores_and_slow_memory() {
    for every in [[40, 1, 1], [1, 9, 1], [1, 1, 30], [5, 7, 9]] {
        for filter in FILTERS {
            let parameters = Parameters { sets: 8, timeout: 16, requests: 16, ..Default::default() };
            run(&parameters, &Play { every, delay: 300, ..job(scattered(1_000, 700, 5), filter) });
        }
    }
}

#[test]
fn one_request_at_a_time() {
    for filter in FILTERS {
        run(&Parameters::default(), &Play { outstanding: 1, ..job(scattered(1_000, 300, 5), filter) });
    }
}

/// Thirds have no end in binary: each sum is rounded.
#[test]
fn rounded_sums_are_near_the_exact_ones() {
    let indices = scattered(3_000, 100, 5);
    let thirds: Vec<u32> = scattered(3_000, 1_000, 6).into_iter().map(|n| (n as f32 / 3.0).to_bits()).collect();
    let parameters = Parameters::default();
    let mut how = Play::new(indices, thirds, Filter::Addition);
    let exactly = play(&mut Iru::new(&parameters).unwrap(), &parameters, &how);
    assert!(exactly.unwrap_err().contains("went"));
    how.rounds = true;
    run(&parameters, &how);
}

/// Nothing can be taken out while nobody asks: full sets hold everything back, and then all goes on.
#[test]
fn requests_that_come_late_find_everything() {
    for filter in FILTERS {
        let parameters = Parameters { sets: 4, ..Default::default() };
        let mut unit = Iru::new(&parameters).unwrap();
        let how = Play { every: [20_000, 1, 1], outstanding: 512, ..job(scattered(6_000, 6_000, 5), filter) };
        let mut player = Player::new(&parameters, &how);
        let mut pins = IruIn::new(4);
        let mut cycles = 0;
        while !player.is_finished() {
            player.drive(&unit.outputs(), &mut pins).unwrap();
            unit.clock(&pins).unwrap();
            cycles += 1;
            assert!(cycles < 30_000_000, "{:?}", player.tally());
        }
        player.verdict().unwrap();
    }
}

#[test]
fn a_request_before_any_job_gets_disabled_lanes() {
    let parameters = Parameters::default();
    let mut unit = Iru::new(&parameters).unwrap();
    let mut pins = IruIn::new(4);
    pins.partitions[2].request = Offer::some(0x1234);
    unit.clock(&pins).unwrap();
    pins.clear();
    for _ in 0..20 {
        unit.clock(&pins).unwrap();
    }
    let reply = unit.outputs().partitions[2].reply.get().expect("an answer");
    assert_eq!((reply.request, reply.mask, reply.end, reply.last), (0x1234, 0, true, true));
}

/// A start of the next job on the same unit, after a rest of any length, goes as on a new one but for the phase.
#[test]
fn jobs_follow_one_another() {
    let parameters = Parameters { sets: 16, ..Default::default() };
    let mut unit = Iru::new(&parameters).unwrap();
    for (seed, filter) in (1..).zip(FILTERS.iter().cycle().take(9)) {
        run_on(&mut unit, &Play { seed, ..job(scattered(500, 300, seed), *filter) });
        assert!((0..5 * seed).all(|_| {
            unit.clock(&IruIn::new(4)).unwrap();
            unit.is_at_rest()
        }));
    }
}

fn any_parameters() -> impl Strategy<Value = Parameters> {
    let hash = prop::sample::select(HASHES.to_vec());
    (1..3u32, 2..9u32, hash, 16..400u32, 4..8u32, 0..4u32, 0..9usize, (3..7u32, 0..3u32)).prop_map(
        |(partitions, sets, hash, timeout, requests, interleave, link, (chunks, bundle))| Parameters {
            partitions: 1 << partitions,
            sets: 1 << sets,
            hash,
            timeout,
            requests: 1 << requests,
            interleave: 1 << interleave,
            link,
            chunks: 1 << chunks,
            bundle: 1 << bundle,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the parameters, the arrays, the cores and the memory.
    #[test]
    fn elements_are_conserved_and_all_ends(
        parameters in any_parameters(),
        filter in prop::sample::select(FILTERS.to_vec()),
        seed in any::<u64>(),
        (count, range) in (1..1_500usize, 1..3_000usize),
        (delay, outstanding, whole_warps) in (1..200usize, 1..300usize, any::<bool>()),
        every in prop::array::uniform3(1..12usize),
        asked in prop::option::of(0..2usize),
        (target, size) in (0..1u64 << 39, 0..8u8),
    ) {
        let plain = job(scattered(count, range, seed), filter);
        let access = Access { target, size };
        let job = Job { access, ..plain.job };
        let how = Play { seed, job, delay, outstanding, whole_warps, every, asked, ..plain };
        let mut unit = Iru::new(&parameters).unwrap();
        play(&mut unit, &parameters, &how).map_err(TestCaseError::fail)?;
    }
}
