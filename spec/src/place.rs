//! The places of units in a GPU: what is around a unit, and how much of a cycle that takes at the unit's pins.

use crate::system::Clock;

/// A place, and the budget of the pins of the units there. A unit of no place is inside another one, whose registers are its neighbours.
#[derive(Debug)]
pub struct Place {
    pub name: &'static str,
    pub units: &'static [&'static str],
    /// What drives the unit's inputs and takes its outputs.
    pub neighbours: &'static str,
    /// Part of a cycle that goes by before the inputs are there.
    pub arrival: f64,
    /// Part of a cycle that what takes the outputs needs.
    pub required: f64,
}

/// What a neighbour does between its register and the pin: our judgement, a quarter of what a cycle leaves to logic.
const NEIGHBOUR: f64 = 0.15;

pub static PLACES: [Place; 4] = [
    Place {
        name: "issue logic",
        units: &["gw_front_end", "b32_front_end"],
        neighbours: "execution units, operand collectors and the cache of instructions of the same processor",
        arrival: NEIGHBOUR,
        required: NEIGHBOUR,
    },
    Place {
        name: "load-store unit",
        units: &["hwwl_core", "hwwl", "edge_expander"],
        neighbours: "the stages of the load-store unit, which have the lanes' words, and the way to the L1",
        arrival: NEIGHBOUR,
        required: NEIGHBOUR,
    },
    Place {
        name: "L2 slice",
        units: &["iru_partition", "iru"],
        neighbours: "the slice's queues and the port of the network to the cores",
        arrival: NEIGHBOUR,
        required: NEIGHBOUR,
    },
    Place {
        name: "way between places",
        units: &["link", "icrn", "ring_stop"],
        neighbours: "registers of our own; where a wire takes a large part of a cycle, the way has stages of its own",
        arrival: 0.0,
        required: 0.0,
    },
];

/// Pins that lead to another unit of ours and not to the place: each has a register at its other end.
pub static INSIDE: [(&str, &[&str]); 3] = [
    ("edge_expander", &["bank_pull", "bank_leave"]),
    (
        "hwwl_core",
        &[
            "all_done",
            "send",
            "in_valid",
            "in_part",
            "in_id",
            "in_ready",
            "out_valid",
            "out_part",
            "out_id",
            "out_ready",
            "quiet",
            "greedy",
        ],
    ),
    (
        "iru_partition",
        &[
            "cw_in_valid",
            "cw_in_index",
            "cw_in_secondary",
            "cw_in_position",
            "cw_in_place",
            "cw_in_ready",
            "cw_out_valid",
            "cw_out_index",
            "cw_out_secondary",
            "cw_out_position",
            "cw_out_place",
            "cw_out_ready",
            "ccw_in_valid",
            "ccw_in_index",
            "ccw_in_secondary",
            "ccw_in_position",
            "ccw_in_place",
            "ccw_in_ready",
            "ccw_out_valid",
            "ccw_out_index",
            "ccw_out_secondary",
            "ccw_out_position",
            "ccw_out_place",
            "ccw_out_ready",
            "token_in_valid",
            "token_in_destination",
            "token_in_request",
            "token_out_valid",
            "token_out_destination",
            "token_out_request",
            "rich_in",
            "rich",
            "ending",
            "all_empty",
            "quiet",
            "vacant",
        ],
    ),
];

/// Whether the pin of the unit leads to another unit of ours.
pub fn is_inside(unit: &str, pin: &str) -> bool {
    INSIDE.iter().any(|(of, pins)| *of == unit && pins.contains(&pin))
}

/// FO4 of a cycle at the pins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    pub arrival: f64,
    pub required: f64,
}

impl Place {
    /// The place of a unit. `None`: inside another unit.
    pub fn of(unit: &str) -> Option<&'static Place> {
        PLACES.iter().find(|place| place.units.contains(&unit))
    }

    /// Its budget at a clock.
    pub fn budget(&self, clock: Clock) -> Budget {
        let cycle = clock.cycle_fo4();
        Budget { arrival: self.arrival * cycle, required: self.required * cycle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::ports;
    use crate::SYSTEMS;

    #[test]
    fn a_unit_is_known_and_has_one_place() {
        for unit in PLACES.iter().flat_map(|place| place.units) {
            assert!(SYSTEMS.iter().flat_map(|system| system.units).any(|known| known.name == *unit), "{unit}");
            assert_eq!(PLACES.iter().filter(|place| place.units.contains(unit)).count(), 1, "{unit}");
        }
    }

    #[test]
    fn pins_between_units_are_pins() {
        for (name, pins) in INSIDE {
            let unit = SYSTEMS.iter().flat_map(|system| system.units).find(|unit| unit.name == name).unwrap();
            let known = (unit.pins)(&unit.values(&[]).unwrap());
            let known: Vec<String> =
                [known.inputs, known.outputs].iter().flat_map(|pins| ports(pins)).map(|port| port.name).collect();
            pins.iter().for_each(|pin| assert!(known.contains(&pin.to_string()), "{name}: {pin} of {known:?}"));
        }
    }

    /// The pins of a system's largest unit, the last one, are those of the GPU.
    #[test]
    fn the_whole_of_each_system_has_a_place() {
        for system in SYSTEMS.iter().filter(|system| system.clock.is_some()) {
            let whole = system.units.last().expect("a system has units");
            assert!(Place::of(whole.name).is_some(), "{}", whole.name);
        }
    }

    /// A cycle of 1,150 MHz at 40 nm is 43.5 FO4.
    #[test]
    fn a_budget_is_a_part_of_the_cycle() {
        let budget = Place::of("gw_front_end").unwrap().budget(Clock { mhz: 1150.0, node_nm: 40.0 });
        assert!((budget.arrival - 6.52).abs() < 0.01 && budget.arrival == budget.required, "{budget:?}");
    }
}
