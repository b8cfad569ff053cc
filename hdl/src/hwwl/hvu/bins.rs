//! `hvu_bins` without its memory: what `hvu` decides, and which ID joins which bin and leaves it.

use super::{describe, flag, hvu_block, hvu_ports, COUNT};
use crate::circuit::net::{Builder, Net};
use crate::hwwl::{Refill, ID_BITS, LINE_WORDS};
use crate::network;
use rust_hdl::prelude::*;

pub const BINS: usize = 64;
const BIN_BITS: usize = 6;
/// IDs of 2^8 numbers in a row share a bin.
const BLOCK_BITS: usize = 8;
/// Bits of a place in the memory: bin, and place in the bin.
pub const PLACE_BITS: usize = BIN_BITS + COUNT - 1;
/// Bits of the number of IDs in all bins.
const HELD_BITS: usize = PLACE_BITS + 1;

hvu_block! { network
    {
        /// All of it but the memory. L lanes.
        pub struct HvuBinsControl<const L: usize>, inputs Inputs, clocked
    }
    { in rdata: Signal<In, Bits<ID_BITS>>, }
    {
        out write, read: Signal<Out, bool>,
        out write_addr, read_addr: Signal<Out, Bits<PLACE_BITS>>,
        out wdata: Signal<Out, Bits<ID_BITS>>,
    }
    { described by control(refill: Refill) }
}

/// The inputs of the unit among those of its control.
macro_rules! inputs_of_unit {
    ($from:ident [$(in $($name:ident),+: $type:ty,)*] $outputs:tt) => {
        super::Inputs { $($($name: $from.$name.clone(),)+)* }
    };
}

#[allow(clippy::clone_on_copy)] // Some inputs are arrays.
fn control<'a, const L: usize>(b: &'a Builder, i: &Inputs<'a, L>, refill: Refill) {
    let pins: super::Inputs<L> = hvu_ports!(inputs_of_unit i);
    describe(b, &pins, refill, Some(Bins::new(b, i.rdata)));
}

/// The registers of the bins.
pub(super) struct Bins<'a> {
    /// IDs in each bin.
    counts: Vec<Net<'a>>,
    /// The bin that is being emptied: whether there is one, and which one.
    open: Net<'a>,
    open_bin: Net<'a>,
    /// An ID left its bin in the previous cycle and is on `rdata`.
    pub leaving: Net<'a>,
    /// IDs in the bins and on their way out.
    pub held: Net<'a>,
    pub rdata: Net<'a>,
}

/// Inputs of the bins in a cycle.
pub(super) struct BinsIn<'a> {
    /// A held ID may move if its bin takes it.
    pub may_move: Net<'a>,
    pub moving_id: Net<'a>,
    /// IDs in the line.
    pub count: Net<'a>,
    /// A bin that is not full may be opened as well.
    pub may_open: Net<'a>,
}

impl<'a> Bins<'a> {
    fn new(b: &'a Builder, rdata: Net<'a>) -> Self {
        Bins {
            counts: (0..BINS).map(|bin| b.register(format!("bin_count_{bin}"), COUNT)).collect(),
            open: flag(b, "bin_open"),
            open_bin: b.storage("open_bin", BIN_BITS),
            leaving: flag(b, "id_leaves_bin"),
            held: b.register("binned_ids", HELD_BITS),
            rdata,
        }
    }

    pub fn any(&self) -> Net<'a> {
        self.held.any()
    }

    /// No ID is on its way into the line.
    pub fn settled(&self) -> Net<'a> {
        !(self.open | self.leaving)
    }

    /// No ID will be held after a cycle in which nothing moves into a bin.
    pub fn will_be_empty(&self) -> Net<'a> {
        !self.held.any() | (self.held.is(1) & self.leaving)
    }

    /// Gives whether the held ID moves.
    pub fn describe(&self, b: &'a Builder, i: BinsIn<'a>) -> Net<'a> {
        b.comment("Bins: a held ID joins the bin of its block, if that is neither full nor open.");
        let bin = i.moving_id.slice(BLOCK_BITS, BIN_BITS).name("bin_of_moving");
        let here = b.select("count_of_bin", bin, &self.counts);
        let is_open = (self.open & bin.equals(self.open_bin)).name("bin_is_open");
        let moves = (i.may_move & !here.bit(COUNT - 1) & !is_open).name("id_moves");
        b.output("write", moves);
        b.output("write_addr", b.bits(&[here.slice(0, COUNT - 1), bin]));
        b.output("wdata", i.moving_id);

        b.comment("The open bin gives an ID a cycle to the line.");
        let last_place = i.count.is(LINE_WORDS as u64 - 1).name("line_has_one_place");
        let room = !(i.count.bit(COUNT - 1) | (last_place & self.leaving));
        let room = room.name("line_has_room");
        let pops = (self.open & room).name("id_pops");
        let left = b.select("count_of_open_bin", self.open_bin, &self.counts);
        let last = (left.slice(0, COUNT - 1) - b.constant(1, COUNT - 1)).name("last_place_of_open_bin");
        b.output("read", pops);
        b.output("read_addr", b.bits(&[last, self.open_bin]));
        self.leaving.drive(pops);
        // With this ID the line is full.
        let two_places = i.count.is(LINE_WORDS as u64 - 2);
        let fills = last_place | (two_places & self.leaving);
        let closes = (!room | fills | left.is(1)).name("bin_closes");

        b.comment("The next bin: the first that is full, or the first with an ID if such may be opened.");
        let full: Vec<_> = self.counts.iter().map(|count| count.bit(COUNT - 1)).collect();
        let some: Vec<_> = self.counts.iter().map(|count| count.any()).collect();
        let (full, some) = (b.bits(&full).name("full_bins"), b.bits(&some).name("bins_with_ids"));
        let candidates = full.any().mux(full, some & i.may_open.repeat(BINS)).name("bins_to_open");
        let next = candidates.first_one().name("bin_to_open").encode();
        let opens = (!self.open & room & candidates.any()).name("bin_opens");
        self.open.drive(self.open.mux(!closes, opens).name("next_bin_open"));
        self.open_bin.drive(opens.mux(next, self.open_bin).name("next_open_bin"));

        b.comment("IDs of each bin, and of all.");
        let joined = (moves.repeat(BINS) & bin.decode()).name("bin_grows");
        let popped = (pops.repeat(BINS) & self.open_bin.decode()).name("bin_shrinks");
        for (bin, count) in self.counts.iter().enumerate() {
            let change = b.bits(&[joined.bit(bin) | popped.bit(bin), popped.bit(bin).repeat(COUNT - 1)]);
            count.drive((*count + change).name(format!("next_bin_count_{bin}")));
        }
        let up = b.bits(&[b.high(), b.constant(0, HELD_BITS - 1)]);
        let down = b.high().repeat(HELD_BITS);
        let change = b.one_of(&[moves & !self.leaving, !moves & self.leaving], &[up, down]);
        self.held.drive((self.held + change).name("next_binned_ids"));
        moves
    }
}
