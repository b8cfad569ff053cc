//! Timing exceptions: paths that may take longer than a cycle, because of a claim that is proven or checked.

/// Paths of a unit that need not make a cycle.
#[derive(Debug)]
pub struct Exception {
    pub unit: &'static str,
    pub from: From,
    pub time: Time,
    /// The claim from which it follows.
    pub because: Claim,
}

/// The points at which the paths begin.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// Input pins. They hold where the unit is the top.
    Pins(&'static [&'static str]),
    /// Registers, each with the instance that it is in. They hold wherever the unit is.
    Registers(&'static [&'static str]),
}

/// The time that the paths may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// As long as they like: the value never changes while the unit works.
    Any,
    Cycles(u32),
}

/// A property or an assumption in the properties of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub unit: &'static str,
    pub name: &'static str,
}

const PARTITION: From = From::Pins(&["partition"]);

const fn stays(unit: &'static str) -> Exception {
    Exception { unit, from: PARTITION, time: Time::Any, because: Claim { unit, name: "partition_stays" } }
}

pub static EXCEPTIONS: &[Exception] = &[
    stays("prefetcher"),
    stays("classifier"),
    stays("data_replier"),
    Exception {
        unit: "classifier",
        from: From::Pins(&["target", "size"]),
        time: Time::Cycles(2),
        because: Claim { unit: "classifier", name: "array_settles" },
    },
    // Its pin goes to the three units above alone.
    Exception {
        unit: "iru_partition",
        from: PARTITION,
        time: Time::Any,
        because: Claim { unit: "classifier", name: "partition_stays" },
    },
    // They change after a start, which the prefetcher gets in the same cycle, and are read by the classifier's first stage alone.
    Exception {
        unit: "iru_partition",
        from: From::Registers(&["state.target", "state.size"]),
        time: Time::Cycles(2),
        because: Claim { unit: "prefetcher", name: "array_settles" },
    },
];

/// Those of a unit.
pub fn exceptions_of(unit: &str) -> impl Iterator<Item = &'static Exception> + '_ {
    EXCEPTIONS.iter().filter(move |exception| exception.unit == unit)
}
