//! A unit of another crate, as this test is one: its block, its definition, and its place among ours.

use hdl::catalog::{self, Catalog, Definition};
use hdl::circuit::net::Builder;
use hdl::{network, rtl};
use rust_hdl::prelude::*;
use spec::pin::{Interface, Pin};
use spec::unit::{Sizes, Unit};
use spec::Parameter;

network! {
    /// `some` is high a cycle after one of N bits was.
    pub struct Watchdog<const N: usize>, inputs Inputs, clocked {
        in bits: Signal<In, Bits<N>>,
        out some: Signal<Out, bool>,
    } described by describe
}

fn describe<const N: usize>(b: &Builder, i: &Inputs<N>) {
    let some = b.register("some", 1);
    some.drive(i.bits.any());
    b.output("some", some);
}

static UNITS: [Definition; 1] = [Definition {
    unit: &Unit {
        name: "watchdog",
        description: "says that a bit was high",
        timing: "latency 1 cycle",
        paper: "-",
        parameters: &[Parameter::new("width", "bits", 4).must_be("at least 2", |v| v >= 2)],
        relations: &[],
        shipped: &[&[4]],
        sizes: Sizes::DEFAULT,
        pins: |p| Interface {
            inputs: vec![Pin::new("bits", p.get("width") as u32)],
            outputs: vec![Pin::new("some", 1)],
        },
    },
    module: |p| format!("watchdog_w{}", p.get("width")),
    rtl: rtl!([width N] (4)(8) => |_| Watchdog::<N>::default()),
}];

#[test]
fn it_is_found_beside_ours() {
    let all = Catalog::ours().with(&UNITS);
    assert_eq!(all.units().len(), catalog::units().len() + 1);
    assert_eq!(all.instances().last().unwrap().module, "watchdog_w4");
    let found = all.find("watchdog", &[("width", 8)]).unwrap();
    assert_eq!(found.module, "watchdog_w8");
    check_all(&*found.build()).unwrap();
    let message = |width| all.find("watchdog", &[("width", width)]).unwrap_err().to_string();
    assert_eq!(message(1), "watchdog: width = 1, but it must be at least 2");
    assert_eq!(message(5), "watchdog: no RTL for width = 5; there is RTL for width = 4, 8");
    assert!(catalog::find("watchdog", &[]).is_err(), "ours stay as they are");
}

#[test]
#[should_panic = "two units are called watchdog"]
fn its_name_is_its_own() {
    Catalog::ours().with(&UNITS).with(&UNITS);
}
