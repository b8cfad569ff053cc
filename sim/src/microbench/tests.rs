use super::*;

fn measured(preset: &str, changes: &[&str], measure: Measure) -> f64 {
    let mut config = Config::preset(preset).unwrap();
    config.set_all(&changes.iter().map(|change| change.to_string()).collect::<Vec<_>>()).unwrap();
    measure.run(&config, Arc::default()).unwrap()
}

/// docs/presets.md: what a load that hits takes until another instruction can use it.
#[test]
fn latencies_are_those_of_the_presets() {
    let latency = |preset, measure| measured(preset, &[], measure);
    assert_eq!(latency("hwwl-micro14", Measure::L1Latency), 40.0);
    assert_eq!(latency("iru-gtx980", Measure::L1Latency), 82.0);
    assert_eq!(latency("hwwl-micro14", Measure::L2Latency), 181.0);
    assert_eq!(measured("hwwl-micro14", &["shared.latency=30"], Measure::SharedLatency), 36.0);
}

#[test]
fn scattered_lines_leave_the_open_row() {
    let latency = |measure| measured("hwwl-micro14", &[], measure);
    let (order, scattered) = (latency(Measure::DramLatency), latency(Measure::DramScatteredLatency));
    assert!(order > 181.0 && order + 10.0 < scattered, "{order} {scattered}");
}

/// Loads past the L1 have the L2's latency, without the cycles in front of the L1's tags.
#[test]
fn what_passes_the_l1_is_not_of_the_l1() {
    let bypass = measured("hwwl-micro14", &["l1d.global_accesses=bypass"], Measure::L1Latency);
    assert!((120.0..181.0).contains(&bypass), "{bypass}");
}

#[test]
fn atomics_on_one_word_have_the_interval_of_the_l2() {
    for (interval, rate) in [("1", 1.0), ("8", 0.125)] {
        let change = format!("l2.atomic_interval={interval}");
        let found = measured("hwwl-micro14", &[&change], Measure::AtomicsOneWord);
        assert!((found / rate - 1.0).abs() < 0.05, "{found} with an interval of {interval}");
    }
}

/// Never more than the banks, the ports of the L2 or the pins carry, and more than a tenth of it.
#[test]
fn rates_stay_within_what_the_hardware_carries() {
    let one_core = ["core.count=1"];
    let one_channel = ["core.count=2", "dram.channels=1", "l2.slices_per_channel=1", "l2.sets=512"];
    for (changes, measure, most) in [
        (&one_core[..], Measure::SharedBandwidth, 128.0),
        (&one_channel, Measure::L2Bandwidth, 32.0),
        (&one_channel, Measure::DramBandwidth, 100.0),
    ] {
        let found = measured("hwwl-micro14", changes, measure);
        assert!((0.1 * most..=1.001 * most).contains(&found), "{measure}: {found}");
    }
}

/// A kernel with one instruction that does another thing than it should.
#[test]
fn a_fault_in_any_kernel_is_found() {
    let config = Config::preset("hwwl-micro14").unwrap();
    for (measure, right, wrong) in [
        (Measure::L2Latency, "ld.global.u64 %rd9, [%rd7]", "ld.global.u64 %rd9, [%rd40]"),
        (Measure::SharedLatency, "ld.shared.u32 %r25, [%r23]", "ld.shared.u32 %r25, [%r67]"),
        (Measure::DramBandwidth, "ld.global.u32", "ld.global.u16"),
        (Measure::AtomicLatency, "atom.global.add.u32", "atom.global.max.u32"),
        (Measure::AtomicsOwnWords, "atom.global.add.u32 \t%r12, [%rd1], %r1;", ""),
    ] {
        assert!(MICROBENCH.text.contains(right), "{right}");
        let kernels = MICROBENCH.text.replacen(right, wrong, 1);
        let found = measure.on(&mut Bench::new(&config, Arc::default(), &kernels).unwrap());
        let message = found.unwrap_err().to_string();
        assert!(message.starts_with("wrong result: "), "{measure}: {message}");
    }
}

#[test]
fn caches_that_take_too_long_are_refused() {
    let mut config = Config::preset("hwwl-micro14").unwrap();
    config.set_all(&["l1d.ways=64".to_string(), "l1d.sets=256".to_string()]).unwrap();
    let message = check(&config).unwrap_err().to_string();
    assert_eq!(
        message,
        "hwwl-micro14: l1d.sets, ways: 2097152 bytes in all; microbenchmarks measure caches of up to 1048576"
    );
}
