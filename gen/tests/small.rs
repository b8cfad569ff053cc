//! Merging, naming and layout on small designs.

mod common;

use common::Lanes;
use gen::elaborate::{elaborate_blocks, About};
use rust_hdl::prelude::*;

fn about(unit: &str) -> About {
    About { unit: unit.into(), summary: "for a test".into(), paper: String::new(), parameters: Default::default() }
}

fn connected<B: Block + Default + 'static>() -> Box<dyn Block> {
    let mut block = B::default();
    block.connect_all();
    Box::new(block)
}

#[test]
fn equal_instances_become_one_module() {
    let modules = elaborate_blocks(&[("lanes_4".into(), about("lanes"), connected::<Lanes>())]).unwrap();
    let names: Vec<&str> = modules.iter().map(|m| m.module.as_str()).collect();
    assert_eq!(names, ["sram_1rw_16x8", "lanes_4_lane", "lanes_4"]);
}
