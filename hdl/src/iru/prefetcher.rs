//! Prefetcher (section 3.2.1): brings the partition's part of the index array, and of the secondary array, line by line.
//!
//! ```text
//!  start, index_line, ...    +---------+  mem_*
//!  ------------------------->| ask     |-------->
//!                            +----+----+
//!                                 | slots in use (D)
//!  data_tag, data_sector     +----v----+  write      +------------------+
//!  ------------------------->|         |------------>| indices 4D x 192 |
//!                            | control |  read       | secondary    256 |---> group_*
//!                            +---------+------------>+------------------+
//!  data_word_i --------------------------------------------^
//! ```
//!
//! A slot holds one chunk, a line of each array. Slots are used and freed in order, so that two counters of chunks, one
//! for what is asked for and one for what leaves, say everything about the slots in between. A sector may be read in the
//! cycle after it has arrived; one group a cycle.

use super::{GROUP, INDEX_BITS, POSITION_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

/// Bits of a number of elements, up to 2^24.
pub const COUNT_BITS: usize = POSITION_BITS + 1;

/// Bits of the number of a chunk: 32 elements.
const CHUNK: usize = POSITION_BITS - 5;

/// Bits of a row of indices and of a row of secondary values.
const INDEX_ROW: usize = GROUP * INDEX_BITS;
const SECONDARY_ROW: usize = GROUP * SECONDARY_BITS;

wired! {
    /// PB = log2 of the partitions; T bits of tag for D = 2^(T - 1) slots, Y = T + 1 bits of the number of a sector in them.
    pub struct Prefetcher<const PB: usize, const T: usize, const Y: usize> {
        in start: Signal<In, bool>,
        in index_line, secondary_line: Signal<In, Bits<32>>,
        in with_secondary: Signal<In, bool>,
        in count: Signal<In, Bits<COUNT_BITS>>,
        in partition: Signal<In, Bits<PB>>,
        in mem_ready, data_valid: Signal<In, bool>,
        in data_tag: Signal<In, Bits<T>>,
        in data_sector: Signal<In, Bits<2>>,
        in data_word: [Signal<In, Bits<32>>; GROUP],
        in group_ready: Signal<In, bool>,
        out mem_valid: Signal<Out, bool>,
        out mem_line: Signal<Out, Bits<32>>,
        out mem_sectors: Signal<Out, Bits<3>>,
        out mem_tag: Signal<Out, Bits<T>>,
        out group_valid: Signal<Out, bool>,
        out group_count: Signal<Out, Bits<4>>,
        out group_position: Signal<Out, Bits<POSITION_BITS>>,
        out group_index: [Signal<Out, Bits<INDEX_BITS>>; GROUP],
        out group_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; GROUP],
        out done: Signal<Out, bool>,
    }
    /// `interleave`: lines of the array that lie side by side in one partition, a power of two.
    children new(interleave: u64) {
        control: PrefetchControl<PB, T, Y> = PrefetchControl::new(interleave),
        indices: Sram1r1w<INDEX_ROW, Y>,
        secondary: Sram1r1w<SECONDARY_ROW, Y>,
    }
}

impl<const PB: usize, const T: usize, const Y: usize> Prefetcher<PB, T, Y> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- [self]: clock, reset, start, index_line, secondary_line, with_secondary, count,
            partition, mem_ready, data_valid, data_tag, data_sector, group_ready);
        wire!(w: [self] <- [self.control]: mem_valid, mem_line, mem_sectors, mem_tag, group_valid, group_count,
            group_position, done);
        for i in 0..GROUP {
            wire!(w: self.control.data_word[i] <- self.data_word[i]);
            wire!(w: [self][i] <- [self.control][i]: group_index, group_secondary);
        }
        wire!(w: self.indices.clock <- self.clock);
        wire!(w: self.indices.write <- self.control.index_write);
        wire!(w: self.indices.write_addr <- self.control.write_row);
        wire!(w: self.indices.wdata <- self.control.index_wdata);
        wire!(w: self.indices.read <- self.control.index_read);
        wire!(w: self.indices.read_addr <- self.control.read_row);
        wire!(w: self.control.index_rdata <- self.indices.rdata);
        wire!(w: self.secondary.clock <- self.clock);
        wire!(w: self.secondary.write <- self.control.secondary_write);
        wire!(w: self.secondary.write_addr <- self.control.write_row);
        wire!(w: self.secondary.wdata <- self.control.secondary_wdata);
        wire!(w: self.secondary.read <- self.control.secondary_read);
        wire!(w: self.secondary.read_addr <- self.control.read_row);
        wire!(w: self.control.secondary_rdata <- self.secondary.rdata);
    }
}

network! {
    /// Everything but the storage.
    pub struct PrefetchControl<const PB: usize, const T: usize, const Y: usize>, inputs Inputs, clocked {
        in start: Signal<In, bool>,
        in index_line, secondary_line: Signal<In, Bits<32>>,
        in with_secondary: Signal<In, bool>,
        in count: Signal<In, Bits<COUNT_BITS>>,
        in partition: Signal<In, Bits<PB>>,
        in mem_ready, data_valid: Signal<In, bool>,
        in data_tag: Signal<In, Bits<T>>,
        in data_sector: Signal<In, Bits<2>>,
        in data_word: [Signal<In, Bits<32>>; GROUP],
        in group_ready: Signal<In, bool>,
        in index_rdata: Signal<In, Bits<INDEX_ROW>>,
        in secondary_rdata: Signal<In, Bits<SECONDARY_ROW>>,
        out mem_valid: Signal<Out, bool>,
        out mem_line: Signal<Out, Bits<32>>,
        out mem_sectors: Signal<Out, Bits<3>>,
        out mem_tag: Signal<Out, Bits<T>>,
        out group_valid: Signal<Out, bool>,
        out group_count: Signal<Out, Bits<4>>,
        out group_position: Signal<Out, Bits<POSITION_BITS>>,
        out group_index: [Signal<Out, Bits<INDEX_BITS>>; GROUP],
        out group_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; GROUP],
        out done, index_write, secondary_write: Signal<Out, bool>,
        out write_row: Signal<Out, Bits<Y>>,
        out index_wdata: Signal<Out, Bits<INDEX_ROW>>,
        out secondary_wdata: Signal<Out, Bits<SECONDARY_ROW>>,
        out index_read, secondary_read: Signal<Out, bool>,
        out read_row: Signal<Out, Bits<Y>>,
    } described by describe(interleave: u64)
}

/// The chunk that is the partition's n-th: floor(n / I) x I x P + p x I + n mod I, with I = 2^`low`.
fn chunk<'a>(b: &'a Builder, n: Net<'a>, partition: Net<'a>, low: usize) -> Net<'a> {
    let high = n.slice(low, n.width() - low);
    match low {
        0 => b.bits(&[partition, high]),
        _ => b.bits(&[n.slice(0, low), partition, high]),
    }
}

/// The end of the array. No carry goes through a whole count: a chunk is the last one or full.
struct Last<'a> {
    /// The chunk behind the last full one. With a count of whole chunks nothing is in it, and nobody asks.
    chunk: Net<'a>,
    /// The last sector of that chunk, and the number of its elements.
    sector: Net<'a>,
    elements: Net<'a>,
}

impl<'a> Last<'a> {
    fn of(b: &'a Builder, count: Net<'a>) -> Self {
        let rest = count.slice(0, 3);
        let whole = (!rest.any()).name("sectors_are_whole");
        let sector = count.slice(3, 2) - whole.extend(2);
        Self {
            chunk: count.slice(5, COUNT_BITS - 5),
            sector: sector.name("last_sector"),
            elements: b.bits(&[rest, whole]).name("last_elements"),
        }
    }

    fn is(&self, chunk: Net<'a>) -> Net<'a> {
        self.chunk.equals(chunk.extend(COUNT_BITS - 5))
    }
}

fn describe<'a, const PB: usize, const T: usize, const Y: usize>(
    b: &'a Builder,
    i: &Inputs<'a, PB, T, Y>,
    interleave: u64,
) {
    assert!(interleave.is_power_of_two());
    assert_eq!(Y, T + 1);
    // Sectors in all slots.
    let rows = 1 << Y;
    let low = interleave.ilog2() as usize;
    let zero = |width| b.constant(0, width);

    // Registers that several parts read.
    let used = b.register("slots_used", T);
    let mem_valid = b.register("mem_valid", 1);
    let group_valid = b.register("group_valid", 1);
    let count = b.register("count_q", COUNT_BITS);

    b.comment("Configuration.");
    count.drive(i.start.mux(i.count, count));
    let index_line = b.data_register("index_line_q", i.index_line, i.start);
    let secondary_line = b.data_register("secondary_line_q", i.secondary_line, i.start);
    let with_secondary = b.data_register("with_secondary_q", i.with_secondary, i.start);

    b.comment("Ask: the secondary line of the newest chunk, else the index line of the next one.");
    let asked = b.register("chunks_asked", CHUNK + 1 - PB);
    let slot = b.register("slot_asked", T - 1);
    let secondary_waits = b.register("secondary_waits", 1);
    let next_chunk = chunk(b, asked, i.partition, low).name("chunk");
    let exists = b.register("chunk_exists", 1);
    let wants_index = (exists & !used.bit(T - 1)).name("wants_index");
    let free = (!mem_valid | i.mem_ready).name("request_free");
    let asks_index = (free & !secondary_waits & wants_index).name("asks_index");
    let asks = (free & (secondary_waits | wants_index)).name("asks");
    mem_valid.drive(asks | (mem_valid & !i.mem_ready));
    secondary_waits.drive(free.mux(asks_index & with_secondary, secondary_waits));
    let complete = (asks & (secondary_waits | !with_secondary)).name("chunk_complete");
    let asked_next = asked.increment().name("chunks_asked_next");
    asked.drive(i.start.mux(zero(CHUNK + 1 - PB), complete.mux(asked_next, asked)));
    let exists_at = |n: Net<'a>, count: Net<'a>, name: &str| {
        b.bits(&[zero(5), chunk(b, n, i.partition, low)]).name(name).below(count)
    };
    let exists_first = exists_at(zero(CHUNK + 1 - PB).name("none_asked"), i.count, "chunk_of_start");
    let exists_next = exists_at(asked_next, count, "chunk_after");
    exists.drive(i.start.mux(exists_first, complete.mux(exists_next, exists)));
    slot.drive(complete.mux(slot.increment(), slot));

    let last = Last::of(b, count);
    let sectors = last.is(next_chunk).mux(last.sector.extend(3).increment(), b.constant(4, 3));
    let line = secondary_waits.mux(secondary_line, index_line) + next_chunk.extend(32);
    b.output("mem_valid", mem_valid);
    b.output("mem_line", b.data_register("mem_line", line, asks));
    b.output("mem_sectors", b.data_register("mem_sectors", sectors, asks));
    b.output("mem_tag", b.data_register("mem_tag", b.bits(&[secondary_waits, slot]), asks));

    b.comment("Arrivals: each sector to its row.");
    let write_row = b.bits(&[i.data_sector, i.data_tag.slice(1, T - 1)]).name("write_row");
    let index_write = (i.data_valid & !i.data_tag.bit(0)).name("index_write");
    let secondary_write = (i.data_valid & i.data_tag.bit(0)).name("secondary_write");
    let arrives = write_row.decode().name("row_arrives");
    let lower: Vec<_> = i.data_word.iter().map(|word| word.slice(0, INDEX_BITS)).collect();
    b.output("write_row", write_row);
    b.output("index_write", index_write);
    b.output("secondary_write", secondary_write);
    b.output("index_wdata", b.bits(&lower).name("index_wdata"));
    b.output("secondary_wdata", b.bits(&i.data_word).name("secondary_wdata"));

    b.comment("The next group: the next sector of the oldest slot.");
    let left = b.register("chunks_left", CHUNK - PB);
    let oldest = b.register("slot_oldest", T - 1);
    let sector = b.register("sector", 2);
    let read_row = b.bits(&[sector, oldest]).name("read_row");
    let read_bit = read_row.decode().name("row_read");
    let index_there = b.register("index_there", rows);
    let secondary_there = b.register("secondary_there", rows);
    let all_there = index_there & (secondary_there | (!with_secondary).repeat(rows));
    let there = (all_there & read_bit).any().name("group_there");
    let read = (there & (!group_valid | i.group_ready)).name("group_read");
    let stays = !(read.repeat(rows) & read_bit);
    let stays = stays.name("row_stays");
    index_there.drive((index_there | (index_write.repeat(rows) & arrives)) & stays);
    secondary_there.drive((secondary_there | (secondary_write.repeat(rows) & arrives)) & stays);
    group_valid.drive(read | (group_valid & !i.group_ready));

    let left_chunk = chunk(b, left, i.partition, low).name("chunk_left");
    let position = b.bits(&[zero(3), sector, left_chunk]).name("position");
    let ends = (last.is(left_chunk) & sector.equals(last.sector)).name("array_ends");
    let frees = (read & (ends | sector.is(3))).name("slot_freed");
    sector.drive(frees.mux(zero(2), read.mux(sector.increment(), sector)));
    oldest.drive(frees.mux(oldest.increment(), oldest));
    left.drive(i.start.mux(zero(CHUNK - PB), frees.mux(left.increment(), left)));
    used.drive(used + asks_index.extend(T) - frees.extend(T));

    let group_count = ends.mux(last.elements, b.constant(GROUP as u64, 4));
    b.output("group_valid", group_valid);
    b.output("group_count", b.data_register("group_count", group_count, read));
    b.output("group_position", b.data_register("group_position", position, read));
    b.output("index_read", read);
    b.output("secondary_read", read & with_secondary);
    b.output("read_row", read_row);
    for j in 0..GROUP {
        b.output(format!("group_index${j}"), i.index_rdata.slice(INDEX_BITS * j, INDEX_BITS));
        let secondary = i.secondary_rdata.slice(SECONDARY_BITS * j, SECONDARY_BITS);
        b.output(format!("group_secondary${j}"), with_secondary.repeat(SECONDARY_BITS) & secondary);
    }
    b.output("done", !(exists | used.any() | group_valid));
}
