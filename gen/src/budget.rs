//! The budget of a unit's pins at its place in the GPU, as the timing analysis and an SDC have it.

use crate::boundary;
use crate::elaborate::Design;
use spec::place::{is_inside, Budget, Place};
use spec::system_of;
use verilog::tree::{Direction, Port};

/// The pins of a design that lead to its place.
pub struct Pins<'a> {
    pub place: &'static Place,
    pub budget: Budget,
    pub inputs: Vec<&'a Port>,
    pub outputs: Vec<&'a Port>,
}

/// `None`: the design's neighbours are registers.
pub fn of(design: &Design) -> Option<Pins<'_>> {
    let unit = design.top().about.as_ref()?.unit.as_str();
    let place = Place::of(unit)?;
    let budget = place.budget(system_of(unit)?.clock?);
    let pins = |direction: Direction| {
        let ports = design.top().ports.iter().filter(move |port| port.direction == direction);
        ports.filter(|port| port.name != "clock" && !is_inside(unit, &port.name)).collect()
    };
    (place.arrival + place.required > 0.0).then(|| Pins {
        place,
        budget,
        inputs: pins(Direction::Input),
        outputs: pins(Direction::Output),
    })
}

impl Pins<'_> {
    /// Commands of OpenSTA: the neighbours of inputs have a late clock, those of outputs an early one. `fo4` in time units of the library;
    /// `clock`: the clock pin of a neighbour.
    pub fn tcl(&self, fo4: f64, clock: &str) -> String {
        let Budget { arrival, required } = self.budget;
        let late = |ports: &[&Port], time: f64| {
            let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
            format!(
                "foreach cell [all_registers -cells] {{\nset name [get_property $cell full_name]\n\
                 if {{[regexp {{^({})(\\[[0-9]+\\])?\\{}$}} $name]}} {{ set_clock_latency {time:.6} [get_pins \"$name/{clock}\"] }}\n}}\n",
                names.join("|"),
                boundary::NEIGHBOUR,
            )
        };
        late(&self.inputs, arrival * fo4) + &late(&self.outputs, -required * fo4)
    }

    /// Constraints for an SDC in which `$period` is the cycle.
    pub fn sdc(&self) -> String {
        let names = |ports: &[&Port]| ports.iter().map(|port| port.name.as_str()).collect::<Vec<_>>().join(" ");
        let Place { name, neighbours, arrival, required, .. } = self.place;
        format!(
            "\n# The pins at their place, the {name}: {neighbours}.\n\
             set_input_delay [expr {arrival} * $period] -clock clock [get_ports {{{}}}]\n\
             set_output_delay [expr {required} * $period] -clock clock [get_ports {{{}}}]\n",
            names(&self.inputs),
            names(&self.outputs),
        )
    }
}
