//! Checks of reads that nobody has written for, and of races in shared memory: what must be found, and what must not.

use super::runner::Machine;
use sim::exec::{Checks, Finding, Kind};
use sim::gpu::Launch;

const CHECKS: &str = include_str!("checks.ptx");
const ALL: Checks = Checks { uninitialised: true, races: true };
const PRESET: &str = "hwwl-micro14";
/// Without time or with it.
const MODES: [bool; 2] = [false, true];

/// A GPU whose launches are checked, and memory for the words of 64 threads.
fn machine(checks: Checks) -> (Machine, u64) {
    let mut machine = Machine::new(PRESET, CHECKS);
    machine.gpu.memory_mut().start_checks(checks);
    let out = machine.gpu.memory_mut().alloc(512);
    (machine, out)
}

/// Launches two warps, and gives what is found.
fn launch(machine: &mut Machine, kernel: &str, params: &[u64], timed: bool) -> Vec<Finding> {
    if timed {
        machine.launch(kernel, 1, 64, params).unwrap();
    } else {
        let program = machine.module.kernel(kernel).unwrap();
        let mut bytes = vec![0; program.param_bytes as usize];
        for (param, value) in program.params.iter().zip(params) {
            let (at, size) = (param.offset as usize, param.bytes as usize);
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        let launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], dynamic_shared: 0, params: bytes };
        machine.gpu.run_without_time(&program, &launch).unwrap();
    }
    machine.gpu.memory_mut().take_findings().list
}

/// Kinds and counts of a kernel's findings, in both modes the same.
fn found(kernel: &str, params: &[u64]) -> Vec<(Kind, u64)> {
    let [untimed, timed] = MODES.map(|timed| {
        let (mut machine, out) = machine(ALL);
        let all: Vec<_> = [out].into_iter().chain(params.iter().copied()).collect();
        let mut found: Vec<_> = launch(&mut machine, kernel, &all, timed).iter().map(|f| (f.kind, f.count)).collect();
        found.sort_by_key(|(kind, count)| (format!("{kind:?}"), *count));
        found
    });
    assert_eq!(untimed, timed, "{kernel}");
    timed
}

fn kinds(kernel: &str, params: &[u64]) -> Vec<Kind> {
    found(kernel, params).into_iter().map(|(kind, _)| kind).collect()
}

/// The order of two warps is not defined: one reads what the other has written, or writes what the other has read.
#[test]
fn what_no_barrier_orders_is_a_race() {
    for kernel in ["no_barrier", "write_after_read", "racing_histogram"] {
        for timed in MODES {
            let (mut machine, out) = machine(Checks { races: true, uninitialised: false });
            let found = launch(&mut machine, kernel, &[out], timed);
            let is_meant = |kind| matches!(kind, Kind::ReadAfterWrite | Kind::WriteAfterRead);
            assert!(!found.is_empty() && found.iter().all(|finding| is_meant(finding.kind)), "{kernel}: {found:?}");
        }
    }
    // After its first lane's write the second warp races with nobody.
    assert_eq!(found("two_writers", &[0]), [(Kind::WriteAfterWrite, 1)]);
    assert_eq!(kinds("producer", &[0]), [Kind::ReadAfterWrite]);
}

#[test]
fn what_is_ordered_or_harmless_is_no_race() {
    for kernel in ["with_barrier", "bytes", "histogram", "early_end"] {
        assert_eq!(found(kernel, &[]), [], "{kernel}");
    }
    assert_eq!(found("two_writers", &[1]), [], "both write the same");
    assert_eq!(found("producer", &[1]), []);
}

#[test]
fn a_race_names_both_accesses() {
    let (mut machine, out) = machine(ALL);
    let found = launch(&mut machine, "two_writers", &[out, 0], true);
    let text = found[0].first.to_string();
    for words in [
        "kernel `two_writers`, CTA (0,0,0), thread (",
        "store in shared memory: no barrier lies between it, of 4 bytes at 0x0,",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let first = text.split("and the store of thread (").nth(1).unwrap();
    let thread = |text: &str| text.split(',').next().unwrap().parse::<u32>().unwrap();
    let second = thread(text.split("thread (").nth(1).unwrap());
    assert_ne!(thread(first) / 32, second / 32, "{text}");
    assert!(text.contains(") at t.ptx:"), "{text}");
}

#[test]
fn a_read_of_device_memory_needs_a_write() {
    for timed in MODES {
        let (mut machine, out) = machine(ALL);
        let fresh = machine.gpu.memory_mut().alloc(256);
        let found = launch(&mut machine, "copy", &[out, fresh], timed);
        assert_eq!((found.len(), found[0].kind, found[0].count), (1, Kind::Uninitialised, 64));
        let text = found[0].first.to_string();
        assert!(
            text.ends_with(&format!("load in global memory: nobody has written the 4 bytes at {fresh:#x}")),
            "{text}"
        );

        // The kernel has written `out`, and the host half of the other.
        assert!(launch(&mut machine, "copy", &[fresh, out], timed).is_empty());
        let half = machine.gpu.memory_mut().alloc(256);
        machine.gpu.copy_to_device(half, &[0; 128]).unwrap();
        assert_eq!(launch(&mut machine, "copy", &[out, half], timed)[0].count, 32);
        machine.gpu.memory_mut().mark_written(half, 256);
        assert!(launch(&mut machine, "copy", &[out, half], timed).is_empty());

        // Memory that is freed and taken again is new.
        machine.gpu.memory_mut().free(half);
        assert_eq!(machine.gpu.memory_mut().alloc(256), half);
        assert_eq!(launch(&mut machine, "copy", &[out, half], timed)[0].count, 64);
    }
}

#[test]
fn an_atomic_reads_and_writes() {
    for timed in MODES {
        let (mut machine, out) = machine(ALL);
        let found = launch(&mut machine, "count", &[out], timed);
        assert_eq!(found[0].kind, Kind::Uninitialised);
        assert!(found[0].first.to_string().contains("atomic in global memory"));
        assert!(launch(&mut machine, "count", &[out], timed).is_empty());
    }
}

#[test]
fn gaps_of_structures_may_be_copied() {
    for timed in MODES {
        let (mut machine, out) = machine(ALL);
        let structures = machine.gpu.memory_mut().alloc(512);
        assert!(launch(&mut machine, "fill", &[structures], timed).is_empty());
        assert!(launch(&mut machine, "copy_words", &[out, structures], timed).is_empty());
    }
}

#[test]
fn shared_local_and_heap_memory_begin_unwritten() {
    assert_eq!(found("half_shared", &[]), [(Kind::Uninitialised, 32)]);
    assert_eq!(found("own", &[0]), []);
    assert_eq!(kinds("own", &[5]), [Kind::Uninitialised]);
    assert_eq!(found("heap", &[1]), []);
    assert_eq!(kinds("heap", &[0]), [Kind::Uninitialised]);
    assert_eq!(found("quiet", &[]), []);
}

#[test]
fn what_was_there_before_counts_as_written() {
    let mut machine = Machine::new(PRESET, CHECKS);
    let [out, old] = [0; 2].map(|_| machine.gpu.memory_mut().alloc(256));
    machine.gpu.memory_mut().start_checks(ALL);
    assert!(launch(&mut machine, "copy", &[out, old], true).is_empty());
}

#[test]
fn checks_change_no_statistic() {
    let run = |checks: Option<Checks>, kernel| {
        let mut machine = Machine::new(PRESET, CHECKS);
        if let Some(checks) = checks {
            machine.gpu.memory_mut().start_checks(checks);
        }
        let out = machine.gpu.memory_mut().alloc(512);
        machine.launch(kernel, 1, 64, &[out, 0]).unwrap()
    };
    for kernel in ["no_barrier", "histogram", "heap", "own"] {
        assert_eq!(run(None, kernel), run(Some(ALL), kernel), "{kernel}");
    }
}
