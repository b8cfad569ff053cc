//! Scalar-wave formation unit with its status table (section 6.3.1, Fig 9).
//!
//! ```text
//!  ready, scalar --->+-----------+  found_*  +--------+---> offer_* --> pair scheduler
//!  pc_i, path_i ---->| formation |---------->|  SWST  |---> wave_*_i
//!                 +->|           |           |        |---> table_full
//!                 |  +-----------+           |        |<--- issue_*, done_*
//!                 +--------- joined ---------+--------+---> joined
//! ```
//!
//! Warps that are ready in cycle t are in a wave from t + 1; one group of them a cycle.

use super::record::PATH_BITS;
use super::wave_formation::WaveFormation;
use super::wave_status_table::WaveStatusTable;
use super::PC_BITS;
use crate::wiring::Wiring;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// N places, waves of V lanes, T entries; G bits number a group, I bits an entry.
    pub struct Swfu<const N: usize, const V: usize, const T: usize, const G: usize, const I: usize> {
        in ready, scalar: Signal<In, Bits<N>>,
        in pc: [Signal<In, Bits<PC_BITS>>; N],
        in path: [Signal<In, Bits<PATH_BITS>>; N],
        in issue_wave: Signal<In, bool>,
        in issue_swid: Signal<In, Bits<I>>,
        in done_valid: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        out offer_valid: Signal<Out, bool>,
        out offer_swid: Signal<Out, Bits<I>>,
        out offer_path: Signal<Out, Bits<PATH_BITS>>,
        out offer_urgent: Signal<Out, bool>,
        out wave_valid: [Signal<Out, bool>; T],
        out wave_group: [Signal<Out, Bits<G>>; T],
        out wave_mask: [Signal<Out, Bits<V>>; T],
        out wave_pc: [Signal<Out, Bits<PC_BITS>>; T],
        out joined: Signal<Out, Bits<N>>,
        out table_full: Signal<Out, bool>,
    }
    /// `age_cap`: cycles after which a wave is urgent.
    children new(age_cap: u64) {
        formation: WaveFormation<N, V, G>,
        swst: WaveStatusTable<N, V, T, G, I> = WaveStatusTable::new(age_cap),
    }
}

impl<const N: usize, const V: usize, const T: usize, const G: usize, const I: usize> Swfu<N, V, T, G, I> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.formation] <- [self]: clock, reset, ready, scalar);
        for place in 0..N {
            wire!(w: [self.formation][place] <- [self][place]: pc, path);
        }
        wire!(w: self.formation.joined <- self.swst.joined);
        wire!(w: [self.swst] <- [self]: clock, reset, issue_wave, issue_swid, done_valid, done_swid);
        wire!(w: [self.swst] <- [self.formation]: found, found_group, found_lanes, found_pc, found_path);
        wire!(w: [self] <- [self.swst]: offer_valid, offer_swid, offer_path, offer_urgent, joined, table_full);
        for entry in 0..T {
            wire!(w: [self][entry] <- [self.swst][entry]: wave_valid, wave_group, wave_mask, wave_pc);
        }
    }
}
