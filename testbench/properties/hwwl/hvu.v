    // The mode and the core's part of the overflow buffer, as they were set; of each partition: its first place, and its lines.
    localparam WORDS = 32 / `LANES;
    reg double_q;
    reg [31:0] first_line_q;
    reg [15:0] all_lines_q;
    wire [16:0] lines_0 = double_q ? all_lines_q / 2 : all_lines_q;
    wire [16:0] lines_1 = double_q ? all_lines_q / 2 : 0;
    wire [31:0] place = mem_line - first_line_q;
    // The partition of a request is that of its place.
    wire of_part = double_q & (place >= lines_0);
    wire [31:0] place_in_ring = place - (of_part ? lines_0 : 0);
    // Each ring as a memory sees it: where the next store and the next load go, lines that were stored and not loaded.
    reg [16:0] in_0_q;
    reg [16:0] in_1_q;
    reg [16:0] out_0_q;
    reg [16:0] out_1_q;
    reg [16:0] stored_0_q;
    reg [16:0] stored_1_q;
    wire [16:0] next_in = place_in_ring + 1 == lines_0 ? 0 : place_in_ring + 1;
    wire stores = mem_valid & mem_ready & mem_write;
    // A place of a ring, any of them, is watched: its line has been stored and not loaded.
    input pick_part;
    input [15:0] pick_place;
    reg watched_part_q;
    reg [15:0] watched_place_q;
    reg has_ids_q;
    wire is_watched = (of_part == watched_part_q) & (place_in_ring == watched_place_q);
    // A bank, any of them, is watched: entries that it has reserved, and whether it was filled in the cycle before.
    input [$clog2(`LANES)-1:0] pick_bank;
    reg [$clog2(`LANES)-1:0] bank_q;
    reg [6:0] reserved_q;
    reg filled_q;
    wire [6:0] has_reserved = reserved_q + (reserve ? WORDS : 0);
    wire gets = filled_q & fill_accepted[bank_q];
    wire gives_back = unreserve[bank_q];
    // Spills of the cycle before the last that did not fit.
    reg [5:0] spilled;
    integer n_;
    always @(*) begin
        spilled = 0;
        for (n_ = 0; n_ < `LANES; n_ = n_ + 1) spilled = spilled + spill[n_];
    end
    wire pushes_1 = double_q & ~pull_part;
    wire [16:0] lines_push = lines_0;
    wire [16:0] stored_push = pushes_1 ? stored_1_q : stored_0_q;
    reg too_many_q;
    reg too_many_before_q;
    // Pins of the cycle before.
    reg waited_q;
    reg [40:0] request_q;
    reg [23:0] id_before_q;
    // One of the watched bank's words of a line, any of them, is watched.
    input [$clog2(WORDS)-1:0] pick_number;
    reg [$clog2(WORDS)-1:0] number_q;
    wire [4:0] word = {number_q, bank_q};
    // What was stored at the watched place, and where it is after its load: on its way with a tag, or dealt out.
    reg [5:0] count_stored_q;
    reg is_away_q;
    reg [1:0] tag_q;
    reg [5:0] count_away_q;
    reg is_dealt_q;
    reg [5:0] count_dealt_q;
    reg [23:0] id_dealt_q;
    reg [6:0] done_q;
    wire comes = line_valid & is_away_q & (line_tag == tag_q);
    // An ID that the lane of the watched bank spills, any of them, is watched: it is held, or in the line that becomes full.
    input watch;
    reg is_held_q;
    reg is_in_line_q;
    reg [4:0] word_in_line_q;
    reg [23:0] id_q;
    wire begins = spill[bank_q] & watch & ~is_held_q & ~is_in_line_q;
    wire joins = is_held_q & id_moves & holding_first[bank_q];
    wire dropped = is_held_q & too_many_q;
    always @(posedge clock) begin
        if (reset) {watched_part_q, watched_place_q, bank_q, number_q} <= {pick_part, pick_place, pick_bank, pick_number};
        if (init) first_line_q <= init_base;
        if (reset) {double_q, all_lines_q} <= 0;
        else begin
            if (configure) double_q <= double_buffer;
            if (init) all_lines_q <= init_lines;
        end
        if (reset | configure | init) {in_0_q, in_1_q, out_0_q, out_1_q, stored_0_q, stored_1_q, has_ids_q} <= 0;
        else begin
            if (stores & ~of_part) in_0_q <= next_in;
            if (stores & of_part) in_1_q <= next_in;
            if (loads & ~of_part) out_0_q <= next_in;
            if (loads & of_part) out_1_q <= next_in;
            stored_0_q <= stored_0_q + (stores & ~of_part) - (loads & ~of_part);
            stored_1_q <= stored_1_q + (stores & of_part) - (loads & of_part);
            if (is_watched) has_ids_q <= stores | (has_ids_q & ~loads);
        end
        reserved_q <= reset ? 0 : has_reserved - gets - gives_back;
        filled_q <= ~reset & fill_push[bank_q];
        too_many_q <= ~reset & (|spill) & (stored_push + (buffer_count_q + spilled + 31) / 32 > lines_push);
        too_many_before_q <= ~reset & too_many_q;
        waited_q <= ~reset & mem_valid & ~mem_ready;
        request_q <= {mem_write, mem_line, mem_tag, mem_write ? mem_count : 6'd0};
        if (stores & is_watched) count_stored_q <= mem_count;
        is_away_q <= ~reset & ((loads & is_watched) | (is_away_q & ~comes));
        if (loads & is_watched) {tag_q, count_away_q} <= {mem_tag, count_stored_q};
        is_dealt_q <= ~reset & (comes | (is_dealt_q & ~line_ready));
        if (comes) {count_dealt_q, id_dealt_q} <= {count_away_q, line_id[24*word +: 24]};
        done_q <= comes ? 0 : done_q + gets + gives_back;
        is_held_q <= ~reset & (begins | (is_held_q & ~joins & ~dropped));
        is_in_line_q <= ~reset & (joins | (is_in_line_q & ~stores & ~direct));
        if (begins) id_q <= spill_id[24*bank_q +: 24];
        if (joins) word_in_line_q <= buffer_count_q;
        id_before_q <= mem_id[24*word +: 24];
    end

    // property within_buffer: A request is for a line of the core's part of the overflow buffer; a load for one of the pull side's.
    wire within_buffer = ~mem_valid | ((place < lines_0 + lines_1) & (mem_write | (of_part == pull_part)));
    // property around_the_ring: Stores and loads of a partition go round its ring, a line after the other.
    wire around_the_ring = ~mem_valid | (place_in_ring == (mem_write ? (of_part ? in_1_q : in_0_q) : (of_part ? out_1_q : out_0_q)));
    // property never_overwrites: No line is stored to while it has IDs that were not loaded.
    wire never_overwrites = ~(mem_write & is_watched & has_ids_q);
    // property loads_what_is_there: A line is loaded only after it was stored, and once.
    wire loads_what_is_there = ~(mem_valid & ~mem_write & is_watched) | has_ids_q;
    // property fits: No partition has more lines in memory than its part of the buffer has.
    wire fits = (stored_0_q <= lines_0) & (stored_1_q <= lines_1);
    // property comes_back: Of a line that comes back, each word that was stored goes to its bank, the words of a bank in order; for each other word the bank gives an entry back.
    wire is_next = is_dealt_q & ~line_ready & (done_q == number_q);
    wire comes_back = ~is_next | (word < count_dealt_q ? (fill_push[bank_q] ? fill_id[24*bank_q +: 24] == id_dealt_q : filled_q) & ~gives_back
        : gives_back & ~fill_push[bank_q]);
    // property stored_as_spilled: An ID that was spilled and fits is held, or is in the line at the word that is then stored.
    wire stored_as_spilled = ~(is_in_line_q & mem_write) | ((word_in_line_q < mem_count) & (mem_id[24*word_in_line_q +: 24] == id_q));
    // property holds_spilled: `holds` is high, and spills are not welcome, while an ID is held.
    wire holds_spilled = (~is_held_q | (holds & ~push_ready)) & (~is_in_line_q | holds);
    // property overflow_exact: `overflow` tells exactly of spills that needed more lines than the push side had left.
    wire overflow_exact = overflow == too_many_before_q;
    // property promise_kept: A bank is filled, or told to give an entry back, only if it has one reserved.
    wire promise_kept = ~(fill_push[bank_q] | gives_back) | (has_reserved != 0);
    // property all_given_back: When no line is on its way or dealt out, no bank has reserved entries.
    wire all_given_back = (reserve | mem_valid | (|away_q) | ~line_ready) | (reserved_q == 0);
    // property one_at_a_time: A bank is filled or told to give back, not both, and a fill has a cycle for its answer.
    wire one_at_a_time = ~(fill_push[bank_q] & (gives_back | filled_q));
    // invariant stays_on_pins: A request stays on its pins until memory takes it, with line, tag and IDs.
    wire stays_on_pins = ~waited_q | (mem_valid & (request_q == {mem_write, mem_line, mem_tag, mem_write ? mem_count : 6'd0}) & (~mem_write
        | (id_before_q == mem_id[24*word +: 24])));
    // property holds_lines: `holds` is low only if no line is in memory or on its way.
    wire holds_lines = holds | ((stored_0_q == 0) & (stored_1_q == 0) & (away_q == 0) & ~mem_valid);

    // assumption owed: Memory brings a line that was asked for, once.
    wire owed = ~line_valid | (away_q >> line_tag & 1);
    // assumption double_swaps: Sides are exchanged in double-buffer mode only.
    wire double_swaps = ~swap | double_q;
    // assumption alone: `configure` and `init` come without `spill`, without `swap` and not together.
    wire alone = ~((configure | init) & (|spill | swap)) & ~(configure & init);

    // invariant configuration: The unit has mode, sides and buffer.
    wire configuration = (double_mode_q == double_q) & (lines_q == all_lines_q) & (ring_lines_q == lines_0) & (side_q == pull_part)
        & (double_q | ~side_q) & ((all_lines_q == 0) | (base_q == first_line_q));
    // invariant pointers: The unit has the rings as memory sees them.
    wire [16:0] tail_0 = tail_q[15:0];
    wire [16:0] tail_1 = tail_q[31:16];
    wire [16:0] head_0 = head_q[15:0];
    wire [16:0] head_1 = head_q[31:16];
    wire pointers = (use_q[15:0] == stored_0_q) & (use_q[31:16] == stored_1_q) & (tail_0 == in_0_q) & (head_0 == out_0_q)
        & (~double_q | ((tail_1 == in_1_q + lines_0) & (head_1 == out_1_q + lines_0)))
        & ((in_0_q < lines_0) | (in_0_q == 0)) & ((in_1_q < lines_1) | (in_1_q == 0))
        & ((out_0_q < lines_0) | (out_0_q == 0)) & ((out_1_q < lines_1) | (out_1_q == 0));
    // invariant distance: Stores are as far before loads as lines are in memory.
    wire [16:0] sum_0 = out_0_q + stored_0_q;
    wire [16:0] sum_1 = out_1_q + stored_1_q;
    wire distance = (stored_0_q <= lines_0) & (stored_1_q <= lines_1)
        & (in_0_q == ((sum_0 >= lines_0) & (lines_0 != 0) ? sum_0 - lines_0 : sum_0))
        & (in_1_q == ((sum_1 >= lines_1) & (lines_1 != 0) ? sum_1 - lines_1 : sum_1));
    // invariant request: The request is at its place.
    wire request = ~mem_valid | (request_is_store_q
        ? (of_part == store_part_q) & (place_in_ring == (store_part_q ? in_1_q : in_0_q)) & ((store_part_q ? stored_1_q : stored_0_q) < lines_0)
            & (mem_tag == 0) & (buffer_count_q != 0) & (buffer_count_q[5] | partial_waits_q) & store_wanted_q
            & (store_part_q == (partial_waits_q ? pull_part : pushes_1))
        : (of_part == pull_part) & (place_in_ring == (pull_part ? out_1_q : out_0_q)) & ((pull_part ? stored_1_q : stored_0_q) != 0)
            & (load_in_flight_q >> mem_tag & 1));
    // invariant line: The line buffer has up to a line; what waits in it and before it fits into the lines that are left.
    wire [6:0] held_here = spill_refused ? 0 : held_ids;
    wire [16:0] stored_pull = pull_part ? stored_1_q : stored_0_q;
    wire line = (buffer_count_q <= 32) & (store_wanted_q == (buffer_count_q[5] | partial_waits_q))
        & (partial_waits_q ? (buffer_count_q != 0) & ~holding & double_q & (stored_pull < lines_0) & (stored_push == 0)
            : stored_push + (buffer_count_q + held_here + 31) / 32 <= lines_0);
    // invariant fresh: What is remembered of the cycle of a spill.
    wire fresh = (holding_is_fresh_q | (~too_many_q)) & (~holding_is_fresh_q | ((|holding_valid_q) & ~partial_waits_q))
        & (~holding_is_fresh_q | (too_many_q == spill_refused)) & (overflow == too_many_before_q);
    // invariant watched: The watched line has IDs if it is between the next load and the next store of its ring.
    wire [16:0] watched_lines = watched_part_q ? lines_1 : lines_0;
    wire [16:0] behind_out = {1'b0, watched_place_q} - (watched_part_q ? out_1_q : out_0_q);
    wire [16:0] behind_it = behind_out[16] ? behind_out + watched_lines : behind_out;
    wire watched = has_ids_q == ((watched_place_q < watched_lines) & (behind_it < (watched_part_q ? stored_1_q : stored_0_q)));
    // invariant counts: All lines in memory are full but the newest one of the pull side, if it was stored behind `swap`; each tag has the IDs of its line.
    wire [16:0] stored_there = watched_part_q ? stored_1_q : stored_0_q;
    wire is_partial = newest_partial_q & (watched_part_q == pull_part) & (behind_it + 1 == stored_there);
    wire [5:0] count_of_pins = ids_of_tag_q[6*mem_tag +: 6];
    wire [5:0] count_of_tag = ids_of_tag_q[6*tag_q +: 6];
    wire counts = (~has_ids_q | (count_stored_q == (is_partial ? newest_count_q : 32)))
        & (~(mem_valid & ~mem_write & is_watched) | (count_of_pins == count_stored_q))
        & (~is_away_q | ((away_q >> tag_q & 1) & (count_of_tag == count_away_q)))
        & (double_q | ~newest_partial_q) & ~(partial_waits_q & newest_partial_q);
    // invariant place_in_line: The watched ID is held in its lane, or is in the line at its word.
    wire place_in_line = ~(is_held_q & is_in_line_q) & (~is_held_q | (holding_valid_q[bank_q] & (holding_id_q[24*bank_q +: 24] == id_q)))
        & (~is_in_line_q | ((word_in_line_q < buffer_count_q) & (mem_id[24*word_in_line_q +: 24] == id_q)));
    // invariant zero_behind: Words of the line buffer behind its last ID are 0, once the core has an overflow buffer.
    reg zero;
    integer z;
    always @(*) begin
        zero = 1;
        for (z = 0; z < 32; z = z + 1) if (z >= buffer_count_q) zero = zero & (mem_id[24*z +: 24] == 0);
    end
    wire zero_behind = (all_lines_q == 0) | zero;
    wire [WORDS-1:0] left;
    generate
        genvar w;
        for (w = 0; w < WORDS; w = w + 1) begin : each_word
            assign left[w] = slot_taken_q[`LANES*w + bank_q];
        end
    endgenerate
    // invariant dealt: What is left of the watched bank's words is at the front of the line register.
    wire [$clog2(WORDS)-1:0] slot_of_it = number_q - done_q;
    wire [4:0] entry_of_it = {slot_of_it, bank_q};
    reg [6:0] left_here;
    integer h;
    always @(*) begin
        left_here = 0;
        for (h = 0; h < WORDS; h = h + 1) left_here = left_here + left[h];
    end
    wire dealt = ~is_dealt_q | line_ready | ((done_q + left_here == WORDS) & ((done_q > number_q)
        | ((slot_has_id_q[entry_of_it] == (word < count_dealt_q)) & ((word >= count_dealt_q) | (slot_id_q[24*entry_of_it +: 24] == id_dealt_q)))));
    // invariant reserved: The watched bank has reserved what it gets of lines on their way and of the line that is dealt out.
    reg [6:0] due;
    integer d;
    always @(*) begin
        due = 0;
        for (d = 0; d < WORDS; d = d + 1) due = due + left[d];
        for (d = 0; d < 4; d = d + 1) due = due + (load_in_flight_q[d] ? WORDS : 0);
    end
    wire reserved = (has_reserved == due) & (filled_q == fill_asked_q[bank_q]);

    // invariant in_order: IDs stand before the words of a line that have none: while a bank has an ID, no bank is at a word without one that stands before it.
    reg in_order_;
    integer a_;
    integer b_;
    integer i_;
    integer j_;
    always @(*) begin
        in_order_ = 1;
        for (a_ = 0; a_ < `LANES; a_ = a_ + 1)
            for (b_ = 0; b_ < `LANES; b_ = b_ + 1)
                for (j_ = 0; j_ < WORDS; j_ = j_ + 1)
                    for (i_ = j_ + (b_ >= a_); i_ < WORDS; i_ = i_ + 1)
                        if (taken[`LANES*i_ + a_] & has_id[`LANES*i_ + a_] & ~has_id[`LANES*j_ + b_])
                            in_order_ = in_order_ & ~taken[`LANES*(WORDS + j_ - i_ - (b_ < a_)) + b_];
    end
    wire in_order = in_order_;
    // invariant copies: While a line is dealt out, slots of a bank behind its last word have that word, too.
    reg copies_;
    integer c_;
    always @(*) begin
        copies_ = 1;
        for (c_ = `LANES; c_ < 32; c_ = c_ + 1)
            if (~taken[c_]) copies_ = copies_ & (slot_id_q[24*c_ +: 24] == slot_id_q[24*(c_ - `LANES) +: 24]);
    end
    wire copies = line_ready | copies_;

    // reached back: A bank takes a word of a line that was stored when it was not full.
    wire back = is_next & gets & (count_dealt_q != 32);
    // reached partial: A line that is not full is stored.
    wire partial = mem_write & (mem_count != 32);
