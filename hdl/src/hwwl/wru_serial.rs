//! Serial work redistribution unit: one ID at a time goes from the most occupied bank to the least occupied, or to another core.
//!
//! ```text
//!                     +----------+ giver, taker       +--------------+
//!  *_occupancy_i --+->| extremes |------------------->| serial_mover |--> pop, push, push_id_i, part, moving
//!                  |  +-----^----+                    |              |--> out_valid, out_part, out_id
//!                  |        '------------- rotation --|              |
//!                  |  +--------+                      +------^-------+
//!                  '->| greedy |-------------+---------------'  wru_valid, wru_accepted, id_i, send, out_ready
//!                     +--------+             '--> greedy
//! ```
//!
//! The pins are those of the other redistribution units. Occupancies lead to a pop three cycles later; an ID takes four cycles.

use super::extremes::Extremes;
use super::greedy::Greedy;
use super::serial_mover::SerialMover;
use super::ID_BITS;
use crate::circuit::wiring::Wiring;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// L lanes, S = log2(L); C bits of occupancy.
    pub struct WruSerial<const L: usize, const S: usize, const C: usize> {
        in double_buffer, pull_part: Signal<In, bool>,
        in wru_valid, wru_accepted: Signal<In, Bits<L>>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        in id: [Signal<In, Bits<ID_BITS>>; L],
        in send: Signal<In, Bits<2>>,
        in out_ready: Signal<In, bool>,
        out pop, push: Signal<Out, Bits<L>>,
        out part, moving: Signal<Out, bool>,
        out push_id: [Signal<Out, Bits<ID_BITS>>; L],
        out out_valid, out_part: Signal<Out, bool>,
        out out_id: Signal<Out, Bits<ID_BITS>>,
        out greedy: Signal<Out, Bits<2>>,
    }
    /// `threshold` in work IDs.
    children new(threshold: u64) {
        extremes: Extremes<L, S, C> = Extremes::new(threshold),
        greedy_bits: Greedy<L, C> = Greedy::new(threshold),
        mover: SerialMover<L, S, C> = SerialMover::new(threshold),
    }
}

impl<const L: usize, const S: usize, const C: usize> WruSerial<L, S, C> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Which banks.");
        wire!(w: [self.extremes] <- [self]: clock, reset, double_buffer, pull_part);
        wire!(w: [self.extremes] <- [self.mover]: rotation);
        wire!(w: [self.greedy_bits] <- [self]: clock, reset, pull_part);
        for i in 0..L {
            wire!(w: [self.extremes][i] <- [self][i]: pull_occupancy, push_occupancy);
            wire!(w: [self.greedy_bits][i] <- [self][i]: pull_occupancy, push_occupancy);
        }
        wire!(w: [self] <- [self.greedy_bits]: greedy);
        w.comment(" From one to the other.");
        wire!(w: [self.mover] <- [self]: clock, reset, pull_part, send, wru_valid, wru_accepted, out_ready);
        wire!(w: [self.mover] <- [self.greedy_bits]: greedy);
        wire!(w: [self.mover] <- [self.extremes]: valid, giver, taker, giver_has, taker_has);
        wire!(w: self.mover.look_part <- self.extremes.part);
        for i in 0..L {
            wire!(w: self.mover.id[i] <- self.id[i]);
            wire!(w: self.push_id[i] <- self.mover.push_id);
        }
        wire!(w: [self] <- [self.mover]: pop, push, part, moving, out_valid, out_part, out_id);
    }
}
