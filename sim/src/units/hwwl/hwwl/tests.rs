//! The whole worklist under threads and a memory (see `player`): nothing is lost, nobody leaves early, everything ends.

use super::*;
pub(in crate::units::hwwl) mod player;

use crate::units::hwwl::Refill;
use player::{Play, Player, Tally};
use proptest::prelude::*;

/// Plays to the end; the error of the player, or that it has no end.
pub fn play(
    body: &mut impl Unit<In = HwwlIn, Out = HwwlOut>,
    parameters: &Parameters,
    play: &Play,
) -> Result<Tally, String> {
    let mut player = Player::new(parameters, play);
    let mut pins = HwwlIn::new(parameters.cores);
    let mut out = body.outputs();
    for _ in 0..3_000_000 {
        player.drive(&out, &mut pins)?;
        if player.is_finished() {
            let tally = *player.tally();
            let all = tally.pushed == tally.pulled && tally.pushed >= play.seeds as u64;
            return all.then_some(tally).ok_or_else(|| format!("not all pulled: {tally:?}"));
        }
        body.clock(&pins).unwrap();
        body.sample(&mut out);
    }
    Err(format!("no end: {:?} {out:?}", player.tally()))
}

fn run(parameters: &Parameters, how: &Play) -> Tally {
    play(&mut Hwwl::new(parameters).unwrap(), parameters, how)
        .unwrap_or_else(|text| panic!("{parameters:?} {how:?}: {text}"))
}

const SCHEMES: [Scheme; 4] = [Scheme::None, Scheme::Threshold, Scheme::LocalSorting, Scheme::GlobalSorting];

#[test]
fn every_scheme_mode_and_policy_ends_with_everything_pulled() {
    for scheme in SCHEMES {
        for refill in [Refill::Interval, Refill::Demand] {
            for double in [false, true] {
                let parameters = Parameters { scheme, refill, ..Default::default() };
                let tally = run(&parameters, &Play { double, ..Default::default() });
                assert_eq!(tally.exchanges > 0, double);
                assert!(tally.dones > 0);
            }
        }
    }
}

#[test]
fn banks_that_are_far_too_small_spill_and_refill() {
    for scheme in SCHEMES {
        for refill in [Refill::Interval, Refill::Demand] {
            for double in [false, true] {
                let parameters = Parameters { entries: 8, cores: 2, scheme, refill, ..Default::default() };
                let how = Play { double, lines: 400, work: 8_000, seeds: 2_000, ..Default::default() };
                let tally = run(&parameters, &how);
                assert!(tally.stores > 20 && tally.loads > 20, "{parameters:?} {tally:?}");
            }
        }
    }
}

#[test]
fn bins_lose_nothing() {
    for refill in [Refill::Interval, Refill::Demand] {
        for double in [false, true] {
            let parameters = Parameters { entries: 8, cores: 2, refill, bins: 64, ..Default::default() };
            let how = Play { double, lines: 400, work: 8_000, seeds: 2_000, ..Default::default() };
            let tally = run(&parameters, &how);
            assert!(tally.stores > 20 && tally.loads > 20, "{parameters:?} {tally:?}");
        }
    }
}

#[test]
fn work_of_one_lane_reaches_other_lanes_and_cores() {
    for scheme in [Scheme::Threshold, Scheme::LocalSorting, Scheme::GlobalSorting] {
        let parameters = Parameters { scheme, entries: 64, ..Default::default() };
        let how = Play { one_lane_seeds: true, seeds: 600, work: 3_000, lines: 200, ..Default::default() };
        assert!(run(&parameters, &how).crossed > 0, "{scheme:?}");
    }
    let parameters = Parameters { scheme: Scheme::None, ..Default::default() };
    assert_eq!(run(&parameters, &Play::default()).crossed, 0);
}

/// Pushes fill all banks of a core, so that what comes from the other waits; after the end of the kernel it is of the pull side.
#[test]
fn cores_that_are_far_apart_lose_nothing_and_end_once() {
    for (scheme, entries) in [(Scheme::Threshold, 8), (Scheme::LocalSorting, 8), (Scheme::GlobalSorting, 32)] {
        let mut crossed = 0;
        for (link, double, one_lane_seeds) in
            [(1, true, true), (2, true, true), (8, true, true), (2, false, true), (8, false, false)]
        {
            let parameters = Parameters { scheme, entries, cores: 2, link, threshold: 3, ..Default::default() };
            let how = Play { double, one_lane_seeds, lines: 400, work: 8_000, seeds: 1_000, ..Default::default() };
            let tally = run(&parameters, &how);
            assert!(tally.dones > 0, "{parameters:?} {tally:?}");
            crossed += tally.crossed;
        }
        assert!(crossed > 0, "{scheme:?}");
    }
}

/// An ID of the push side that waits on its way to a core keeps nobody from ending the kernel, and one of the pull side does.
#[test]
fn all_is_done_when_no_id_of_the_pull_side_is_on_its_way() {
    let mut ways = Ways::new(2, 2);
    // Whether the ICRN sees that all are quiet, and an ID: in twelve cycles, with an ID of this partition in the first.
    let play = |ways: &mut Ways, part: Option<bool>, pull_part: bool| -> Vec<(bool, bool)> {
        let cycle = |t: usize| {
            let mut cores = IcrnIn { pull_part, ..Default::default() };
            cores.quiet.fill(true);
            (cores.out_valid[0], cores.out_part[0]) = (t == 0 && part.is_some(), part == Some(true));
            let mut icrn = IcrnOut::default();
            icrn.out_ready.fill(true);
            ways.pass(&mut cores, &mut icrn, false);
            (cores.quiet[0], cores.out_valid[0])
        };
        (0..12).map(cycle).collect()
    };
    let quiet = |seen: &[(bool, bool)]| seen.iter().filter(|seen| seen.0).count();
    assert_eq!(quiet(&play(&mut ways, None, false)), 9, "not before the way's two cycles and the one of the links");
    let of_push_side = play(&mut ways, Some(true), false);
    assert_eq!((quiet(&of_push_side), of_push_side.iter().position(|seen| seen.1)), (12, Some(4)));
    assert_eq!((ways.held(), ways.are_empty()), (1, false));
    let of_pull_side = play(&mut ways, Some(false), false);
    assert_eq!(of_pull_side.iter().rposition(|seen| seen.0), Some(3), "the way to the ICRN, and two");
    assert_eq!(quiet(&play(&mut ways, None, true)), 0, "the other one is of the pull side now");
}

#[test]
fn redistribution_spares_waits() {
    let waits = |scheme| {
        let parameters = Parameters { scheme, ..Default::default() };
        let how = Play { one_lane_seeds: true, seeds: 300, work: 300, children: 0, ..Default::default() };
        play(&mut Hwwl::infinite(&parameters).unwrap(), &parameters, &how).unwrap().waits
    };
    assert!(waits(Scheme::LocalSorting) < waits(Scheme::None));
}

#[test]
fn infinite_banks_never_touch_memory() {
    for scheme in SCHEMES {
        for double in [false, true] {
            let parameters = Parameters { scheme, ..Default::default() };
            let how = Play { double, lines: 0, work: 20_000, seeds: 5_000, ..Default::default() };
            let tally = play(&mut Hwwl::infinite(&parameters).unwrap(), &parameters, &how).unwrap();
            assert_eq!((tally.stores, tally.loads), (0, 0));
        }
    }
}

#[test]
fn an_idle_system_stays_as_it_is_and_is_done() {
    let parameters = Parameters::default();
    let mut system = Hwwl::new(&parameters).unwrap();
    let mut pins = HwwlIn::new(4);
    for _ in 0..3 {
        system.clock(&pins).unwrap();
    }
    pins.cores[2].pull = 0xffff;
    system.clock(&pins).unwrap();
    assert_eq!(system.outputs().cores[2].status, 0xffff_ffff, "DONE on all sixteen lanes");
    assert_eq!(system.outputs().cores[1].status, 0);
}

fn any_parameters() -> impl Strategy<Value = Parameters> {
    let scheme = prop::sample::select(SCHEMES.to_vec());
    let refill = prop::sample::select(vec![Refill::Interval, Refill::Demand]);
    (scheme, refill, 2..6u32, 0..3u32, 1..5usize, 1..9u32, 2..20u32, 0..9usize).prop_map(
        |(scheme, refill, lanes, more, cores, threshold, refill_interval, link)| {
            let lanes = 1usize << lanes;
            // The smallest that is allowed, twice, and four times that.
            let entries = (2 * (32 / lanes + 2)).next_power_of_two() << more;
            let cores =
                if scheme == Scheme::GlobalSorting { (cores.next_power_of_two()).min(64 / lanes) } else { cores };
            let bins = 64 * (more as usize % 2);
            Parameters { lanes, cores, entries, threshold, interval: 10, scheme, refill, refill_interval, bins, link }
        },
    )
}

proptest! {
    /// Whatever the parameters, the threads and the memory's delays.
    #[test]
    fn ids_are_conserved_and_all_ends(
        parameters in any_parameters(),
        double in any::<bool>(),
        seed in any::<u64>(),
        (seeds, work) in (1..400u32, 0..2_000u32),
        (warps, children, delay) in (1..4usize, 1..6u32, 1..200u64),
        one_lane_seeds in any::<bool>(),
    ) {
        let how = Play { seed, double, lines: 1_000, work: seeds + work, seeds, warps, children, delay, one_lane_seeds };
        let mut system = Hwwl::new(&parameters).unwrap();
        play(&mut system, &parameters, &how).map_err(TestCaseError::fail)?;
    }
}

impl Hwwl {
    /// Takes the long way in the next cycle.
    fn wake(&mut self) {
        self.resting = 0;
        self.cores.iter_mut().for_each(CoreWorklist::wake);
    }
}

#[test]
fn cycles_at_rest_leave_the_same_state_as_the_long_way() {
    for (seed, scheme) in (1..).zip(SCHEMES) {
        for (double, link) in [(false, 0), (true, 0), (false, 3), (true, 1), (true, 3)] {
            let parameters = Parameters { scheme, cores: 2, entries: 16, threshold: 3, link, ..Default::default() };
            let how = Play { seed, double, work: 1_500, lines: 200, ..Default::default() };
            let mut player = Player::new(&parameters, &how);
            let (mut system, mut awake) = (Hwwl::new(&parameters).unwrap(), Hwwl::new(&parameters).unwrap());
            let mut pins = HwwlIn::new(2);
            let (mut rested, mut cycle) = (0, 0);
            while !player.is_finished() {
                player.drive(&system.outputs(), &mut pins).unwrap();
                // A pull must see its answer; between other requests nothing happens for a while.
                let pause = if pins.cores.iter().any(|core| core.pull != 0) { 0 } else { cycle * 7 % 45 };
                for _ in 0..=pause {
                    rested += (system.resting == ICRN_AT_REST + 2 * link) as u32;
                    awake.wake();
                    system.clock(&pins).unwrap();
                    awake.clock(&pins).unwrap();
                    assert_eq!(system.outputs(), awake.outputs());
                    pins.clear();
                }
                cycle += 1;
            }
            assert!(rested > 50 || scheme == Scheme::GlobalSorting, "{rested}");
        }
    }
}
