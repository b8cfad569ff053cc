//! Clocking a block in RustHDL's own simulation. A block is boxed: a whole unit is too large for a stack.

use rust_hdl::prelude::{Bits, Out, Signal};

/// One cycle of a block, or so many: the inputs are those set before, the outputs those of the next cycle. Bits that are named are
/// high in this cycle alone, and other pins that are given keep their values.
macro_rules! clock {
    ($block:expr) => {
        for level in [false, true] {
            $block.clock.next = level.into();
            assert!(rust_hdl::prelude::simulate(&mut *$block, 10_000));
        }
    };
    ($block:expr; $cycles:expr) => {
        for _ in 0..$cycles {
            crate::common::clock!($block);
        }
    };
    ($block:expr, $($bit:ident),+ $(; $($pin:ident = $value:expr),+)?) => {
        $($($block.$pin.next = $value.into();)+)?
        $($block.$bit.next = true;)+
        crate::common::clock!($block);
        $($block.$bit.next = false;)+
    };
}
pub(crate) use clock;

/// A block, connected and checked.
macro_rules! connected {
    ($block:expr) => {{
        let mut block = Box::new($block);
        rust_hdl::prelude::Block::connect_all(&mut *block);
        rust_hdl::prelude::check_all(&*block).unwrap();
        block
    }};
}
pub(crate) use connected;

/// A block, connected, checked and reset.
macro_rules! ready {
    ($block:expr) => {{
        let mut block = crate::common::connected!($block);
        crate::common::clock!(block, reset);
        block
    }};
}
pub(crate) use ready;

/// The value of a port of up to 64 bits.
pub trait Word {
    fn word(&self) -> u64;
}

impl<const N: usize> Word for Signal<Out, Bits<N>> {
    fn word(&self) -> u64 {
        self.val().to_u64()
    }
}

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    /// 32 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 32
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.bits() >> 1) % n
    }

    /// True in `n` of ten cases.
    pub fn tenths(&mut self, n: u64) -> bool {
        self.below(10) < n
    }
}
