//! Clocking a block in RustHDL's own simulation.

/// One cycle of a block: the inputs are those set before, the outputs those of the next cycle.
macro_rules! clock {
    ($block:expr) => {
        for level in [false, true] {
            $block.clock.next = level.into();
            assert!(rust_hdl::prelude::simulate(&mut *$block, 10_000));
        }
    };
}
pub(crate) use clock;

/// A block, connected, checked and reset.
macro_rules! ready {
    ($block:expr) => {{
        let mut block = Box::new($block);
        rust_hdl::prelude::Block::connect_all(&mut *block);
        rust_hdl::prelude::check_all(&*block).unwrap();
        block.reset.next = true;
        crate::common::clock!(block);
        block.reset.next = false;
        block
    }};
}
pub(crate) use ready;
