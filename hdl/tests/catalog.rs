//! Units of the catalog elaborate under their own names; what it does not have is refused with the rule.

use hdl::catalog::{catalog, find, units, Catalog, Instance};
use rust_hdl::prelude::check_all;
use std::collections::BTreeSet;

fn elaborates(instance: &Instance) {
    check_all(&*instance.build()).unwrap_or_else(|e| panic!("{}: {e:?}", instance.module));
}

fn message(unit: &str, parameters: &[(&str, u64)]) -> String {
    find(unit, parameters).unwrap_err().to_string()
}

#[test]
fn every_shipped_unit_elaborates_under_its_own_name() {
    let mut names = BTreeSet::new();
    for instance in catalog() {
        elaborates(&instance);
        assert!(names.insert(instance.module.clone()), "{} twice", instance.module);
        let again = find(instance.unit, &instance.parameters).unwrap();
        assert_eq!(again.module, instance.module);
    }
}

/// With every scheme, where there are schemes, and defaults for the rest; each under a name of its own. Global sorting alone
/// refuses sizes that others have.
#[test]
fn every_size_on_offer_elaborates() {
    let mut names = BTreeSet::new();
    for definition in Catalog::ours().definitions() {
        let has_schemes = definition.unit.parameters.iter().any(|p| p.name == "scheme");
        for size in definition.rtl.sizes {
            let sizes: Vec<_> = definition.rtl.parameters.iter().copied().zip(size.iter().copied()).collect();
            for scheme in 0..if has_schemes { 5 } else { 1 } {
                let scheme = if has_schemes { vec![("scheme", scheme)] } else { vec![] };
                match definition.find(&[&sizes[..], &scheme].concat()) {
                    Ok(instance) => {
                        elaborates(&instance);
                        assert!(names.insert(instance.module.clone()), "{} twice", instance.module);
                    }
                    Err(error) => {
                        let sorts_globally = definition.unit.name == "wru_global"
                            || definition.unit.name == "hwwl" && scheme == [("scheme", 3)];
                        assert!(sorts_globally && size[0] * size[1] > 64, "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn other_values_elaborate_under_their_names() {
    let check = |unit: &str, parameters: &[(&str, u64)], module: &str| {
        let instance = find(unit, parameters).unwrap();
        elaborates(&instance);
        assert_eq!(instance.module, module);
    };
    let schedule = [("threshold", 3), ("interval", 20)];
    check("wru_threshold", &schedule, "wru_threshold_l16_e32_t3_i20");
    check("wru_sorting", &schedule, "wru_sorting_l16_e32_t3_i20");
    for (scheme, name) in [(0, "none"), (1, "threshold"), (2, "lsorting"), (3, "gsorting"), (4, "serial")] {
        let options = [("scheme", scheme), ("refill", 1), ("refill_interval", 50)];
        let core = [&schedule[..], &options].concat();
        check("hwwl_core", &core, &format!("hwwl_core_l16_e32_{name}_t3_i20_demand"));
        check("hwwl", &[("scheme", scheme), ("refill_interval", 20)], &format!("hwwl_c4_l16_e32_{name}_r20"));
    }
    for (cut, network, name) in
        [(1, 0, "_c1"), (2, 1, "_odd_even_merge_c2"), (10, 2, "_bitonic_c10"), (9, 3, "_shallow_c9")]
    {
        check("sorter", &[("cut", cut), ("network", network)], &format!("sorter_16x10{name}"));
    }
    let reorder = [("sets", 64), ("hash", 2), ("timeout", 1000), ("interleave", 8)];
    check("iru_partition", &reorder, "iru_partition_p4_s64_xor_t1000_i8");
    check("gw_front_end", &[("age_cap", 9)], "gw_front_end_s4_w192_v16_t8_16x3_a9");
}

#[test]
fn defaults_fill_what_is_not_given() {
    let core = find("hwwl_core", &[("entries", 8)]).unwrap();
    let defaults =
        [("scheme", 2), ("threshold", 5), ("interval", 10), ("refill", 0), ("refill_interval", 10), ("bins", 0)];
    assert_eq!(core.parameters, [&[("lanes", 16), ("entries", 8)], &defaults[..]].concat());
    assert_eq!(core.module, "hwwl_core_l16_e8_lsorting");
    assert_eq!(core.parameter("interval"), Some(10));
    assert_eq!(core.parameter("cut"), None);
}

#[test]
fn every_unit_of_the_specification_has_rtl() {
    let specified = spec::SYSTEMS.iter().flat_map(|system| system.units).map(|unit| unit.name);
    assert_eq!(units().iter().map(|unit| unit.name).collect::<Vec<_>>(), specified.collect::<Vec<_>>());
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let names: Vec<_> = units().iter().map(|unit| unit.name).collect();
    assert_eq!(message("fifo", &[]), format!("no unit fifo: there are {}", names.join(", ")));
    assert_eq!(message("bank", &[("depth", 8)]), "bank has no parameter depth: it has entries, lanes");
    assert_eq!(message("bank", &[("entries", 8), ("entries", 8)]), "bank: entries is given twice");
    assert_eq!(
        message("hvu", &[("lanes", 16), ("refill", 0), ("refill_interval", 1)]),
        "hvu: refill_interval = 1, but it must be from 2 to 65536"
    );
    assert_eq!(message("icrn", &[("cores", 1)]), "icrn: no RTL for cores = 1; there is RTL for cores = 2, 4, 8, 16");
    assert_eq!(message("icrn", &[("cores", 3)]), "icrn: no RTL for cores = 3; there is RTL for cores = 2, 4, 8, 16");
    assert_eq!(
        message("wru_sorting", &[("lanes", 8)]),
        "wru_sorting: no RTL for lanes = 8, entries = 32, threshold = 5, interval = 10; there is RTL for lanes = 4, entries = 32; \
         lanes = 8, entries = 16; lanes = 16, entries = 8, 16, 32, 64, 128, 1024; lanes = 32, entries = 8, 32, 128"
    );
    let classifier = message("classifier", &[("sets", 1024)]);
    assert!(classifier.starts_with("classifier: no RTL for partitions = 4, sets = 1024"), "{classifier}");
}

#[test]
fn what_cannot_work_is_refused_with_parameter_and_rule() {
    let refused = |unit: &str, parameters: &[(&str, u64)], rule: &str| {
        assert_eq!(message(unit, parameters), format!("{unit}: {rule}"));
    };
    for unit in ["bank", "wru_threshold", "wru_sorting", "wru_serial", "wru_global", "hwwl_core", "hwwl"] {
        refused(unit, &[("entries", 0)], "entries = 0, but it must be a power of two from 4 to 65536");
        refused(unit, &[("lanes", 12)], "lanes = 12, but it must be a power of two from 4 to 32");
    }
    refused("bank", &[("entries", 24)], "entries = 24, but it must be a power of two from 4 to 65536");
    refused("hvu", &[("lanes", 0)], "lanes = 0, but it must be a power of two from 4 to 32");
    refused("wru_sorting", &[("interval", 9)], "interval = 9, but it must be even and from 10 to 65536");
    for unit in ["wru_threshold", "wru_sorting", "wru_serial", "wru_global", "hwwl_core", "hwwl"] {
        let rule = "threshold = 33, but it must be from 1 to entries: a bank never holds more";
        refused(unit, &[("threshold", 33)], rule);
        refused(unit, &[("threshold", 0)], &rule.replace("33", "0"));
        assert_eq!(find(unit, &[("threshold", 32)]).unwrap().parameter("threshold"), Some(32));
    }
    let schemes =
        "scheme = 5, but it must be 0 (none), 1 (threshold), 2 (local sorting), 3 (global sorting) or 4 (serial)";
    refused("hwwl_core", &[("scheme", 5)], schemes);
    let banks = "cores = 8, but it must be a power of two, at most 64 / lanes, with global sorting";
    refused("wru_global", &[("cores", 8)], banks);
    refused("hwwl", &[("cores", 8), ("scheme", 3)], banks);
    let shallow =
        "network = 3, but it must be 0 (best known), 1 (odd-even merge) or 2 (bitonic): the shallow network is for 16 \
                   items alone";
    refused("sorter", &[("items", 32), ("width", 11), ("network", 3)], shallow);
    refused("iru", &[("partitions", 3)], "partitions = 3, but it must be 2 or 4");
    refused("data_replier", &[("timeout", 15)], "timeout = 15, but it must be from 16 to 65535");
}

#[test]
fn a_bank_has_room_for_a_refill() {
    // A line of 32 IDs is 32 / lanes for each bank.
    for (lanes, least) in [(4, 20), (8, 12), (16, 8), (32, 6)] {
        for entries in [4, 8, 16].into_iter().filter(|entries| *entries < least) {
            let parameters = [("lanes", lanes), ("entries", entries), ("threshold", 3)];
            for unit in ["hwwl_core", "hwwl"] {
                let rule = "but it must be at least 2 * (32 / lanes + 2): a refill and two more a side";
                assert_eq!(message(unit, &parameters), format!("{unit}: entries = {entries}, {rule}"));
            }
        }
    }
    assert!(find("hwwl_core", &[("entries", 8)]).is_ok());
}
