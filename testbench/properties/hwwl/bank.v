    // What the unit's page says of the two partitions, as counts.
    reg double_q;
    reg side_q;
    reg [5:0] reserved_q;
    reg [5:0] ids_0_q;
    reg [5:0] ids_1_q;
    wire [5:0] capacity = double_q ? `ENTRIES / 2 : `ENTRIES;
    wire [5:0] pull_ids = side_q ? ids_1_q : ids_0_q;
    wire [5:0] taken_0 = ids_0_q + (side_q ? 0 : reserved_q);
    wire [5:0] taken_1 = ids_1_q + (side_q ? reserved_q : 0);
    wire push_side = double_q & ~side_q;
    wire room_for_wru = (wru_part ? taken_1 : taken_0) < capacity;
    wire room_for_fill = (fill_part ? taken_1 : taken_0) < capacity;
    wire lane_pops = pull & (pull_ids != 0);
    wire lane_takes = lane_pops | push;
    wire wru_pops = wru_pop & ((wru_part ? ids_1_q : ids_0_q) != 0) & ~lane_takes;
    wire wru_appends = wru_push & room_for_wru & ~lane_takes;
    wire filling = fill_push & (fill_reserved | room_for_fill) & ~lane_takes & ~wru_pops & ~wru_appends;
    wire leaving = lane_pops | wru_pops;
    wire pop_part = lane_pops ? side_q : wru_part;
    wire coming = push | wru_appends | filling;
    wire append_part = push ? push_side : (wru_appends ? wru_part : (fill_reserved ? side_q : fill_part));
    wire [23:0] append_id = push ? push_id : (wru_appends ? wru_id : fill_id);
    wire obeys_configure = configure & (ids_0_q + ids_1_q + reserved_q == 0);
    wire obeys_swap = swap & double_q & (pull_ids + reserved_q == 0);
    wire [5:0] refill_ids = 32 / `LANES;
    wire [5:0] more_reserved = reserved_q + (reserve ? refill_ids : 0);

    // assumption reserve_fits: `reserve` comes only if its entries are free, whatever else happens in the cycle.
    wire comes_to_pull_side = coming & (append_part == side_q) & ~(filling & fill_reserved);
    wire reserve_fits = ~reserve | (more_reserved + pull_ids + comes_to_pull_side <= capacity);
    // assumption promise_kept: A reserved fill finds a reserved entry, and so does `unreserve`.
    wire promise_kept = (fill_push & fill_reserved) + unreserve <= more_reserved;
    // assumption part_of_mode: In single-buffer mode requests name partition 0; a `wru_pop` may name partition 1.
    wire part_of_mode = double_q | (~(wru_push & wru_part) & ~(fill_push & fill_part & ~fill_reserved));

    // One of the IDs that come, any of them, is watched.
    input watch;
    reg watching_q;
    reg part_q;
    reg [23:0] word_q;
    reg [5:0] before_q;
    reg leaves_q;
    reg [3:0] answers_q;
    wire begins = coming & watch & ~watching_q;
    wire leaves = watching_q & leaving & (pop_part == part_q) & (before_q == 0);

    always @(posedge clock) begin
        if (reset) begin
            {double_q, side_q, reserved_q, ids_0_q, ids_1_q, watching_q, leaves_q, answers_q} <= 0;
        end else begin
            double_q <= obeys_configure ? double_buffer : double_q;
            side_q <= ~obeys_configure & (side_q ^ obeys_swap);
            reserved_q <= more_reserved - unreserve - (filling & fill_reserved);
            ids_0_q <= ids_0_q + (coming & ~append_part) - (leaving & ~pop_part);
            ids_1_q <= ids_1_q + (coming & append_part) - (leaving & pop_part);
            watching_q <= begins | (watching_q & ~leaves);
            leaves_q <= leaves;
            answers_q <= {lane_pops, wru_pops, wru_appends, filling};
        end
        if (begins) word_q <= append_id;
        if (begins) part_q <= append_part;
        before_q <= begins ? (append_part ? ids_1_q : ids_0_q) : before_q - (watching_q & leaving & (pop_part == part_q));
    end

    // property answered: The answers tell what was done in the cycle before: lanes go first, then the WRU, then fills.
    wire answered = {pull_valid, wru_valid, wru_accepted, fill_accepted} == answers_q;
    // property order: An ID leaves when all IDs that came before it to its partition have left, as it came.
    wire order = ~leaves_q | (id == word_q);
    // property nothing_lost: An ID that came and has not left is in its partition.
    wire nothing_lost = ~watching_q | (before_q < (part_q ? ids_1_q : ids_0_q));
    // property fits: IDs and reserved entries of a partition are never more than its entries.
    wire fits = (taken_0 <= capacity) & (taken_1 <= (double_q ? capacity : 0));
    // property held_exact: `held` is the number of IDs in both partitions.
    wire held_exact = held == ids_0_q + ids_1_q;
    // property pull_exact: `pull_occupancy` counts the IDs and the reserved entries of the pull side, and `empty` tells of none.
    wire pull_exact = (pull_occupancy == pull_ids + reserved_q) & (empty == (pull_ids + reserved_q == 0));
    // property push_exact: `push_occupancy` counts the IDs of the push side, and is 0 in single-buffer mode.
    wire push_exact = push_occupancy == (double_q ? (side_q ? ids_0_q : ids_1_q) : 0);
    // property full_exact: `full` is high exactly when the side that pushes go to has no free entry.
    wire full_exact = full == ((push_side ? taken_1 : taken_0) == capacity);

    // invariant mode: Mode and sides are those of the page.
    wire mode = (double_mode_q == double_q) & (pull_side_q == side_q) & (double_q | ~side_q);
    // invariant counts: The unit counts the IDs of each partition.
    localparam COUNT = $clog2(`ENTRIES) + 1;
    localparam ADDRESS = $clog2(`ENTRIES);
    wire counts = (ids_q[0 +: COUNT] == ids_0_q) & (ids_q[COUNT +: COUNT] == ids_1_q)
        & (has_id_q == {ids_1_q != 0, ids_0_q != 0});
    // invariant occupied: The unit counts what is taken of each partition, which never is more than there is.
    wire occupied = (occupancy_q[0 +: COUNT] == taken_0) & (occupancy_q[COUNT +: COUNT] == taken_1)
        & (taken_0 <= capacity) & (taken_1 <= (double_q ? capacity : 0)) & (reserved_q <= capacity)
        & (ids_0_q <= capacity) & (ids_1_q <= capacity);
    // invariant distance: Head and tail are as far apart as there are IDs, within the half of their partition.
    wire [ADDRESS-1:0] head_0 = head_q[0 +: ADDRESS];
    wire [ADDRESS-1:0] head_1 = head_q[ADDRESS +: ADDRESS];
    wire [ADDRESS-1:0] tail_0 = tail_q[0 +: ADDRESS];
    wire [ADDRESS-1:0] tail_1 = tail_q[ADDRESS +: ADDRESS];
    wire [ADDRESS-1:0] within = double_q ? `ENTRIES / 2 - 1 : `ENTRIES - 1;
    wire distance = (((tail_0 - head_0 - ids_0_q) & within) == 0) & (((tail_1 - head_1 - ids_1_q) & within) == 0)
        & (~double_q | ({head_0[ADDRESS-1], tail_0[ADDRESS-1], head_1[ADDRESS-1], tail_1[ADDRESS-1]} == 4'b0011));
    // invariant place: The watched ID is where its number says.
    wire [ADDRESS-1:0] offset = (part_q ? head_1 : head_0) + before_q;
    wire [ADDRESS-1:0] place_of_it = (offset & within) | (double_q & part_q ? `ENTRIES / 2 : 0);
    wire place = ~watching_q | ((sram.words[place_of_it] == word_q) & (before_q < (part_q ? ids_1_q : ids_0_q)));
    // invariant answer: The answers are registers, and the ID that leaves is read.
    wire answer = ({pull_done_q, wru_pop_done_q, wru_push_done_q, fill_done_q} == answers_q) & (~leaves_q | (id == word_q));

    // reached both_sides: Both partitions hold IDs.
    wire both_sides = (ids_0_q != 0) & (ids_1_q != 0);
    // reached filled: A reserved entry of the upper half is filled.
    wire filled = filling & fill_reserved & double_q & side_q;
    // reached leaves_late: The watched ID leaves behind others.
    reg behind_q;
    always @(posedge clock) behind_q <= ~reset & (begins ? (append_part ? ids_1_q : ids_0_q) != 0 : behind_q);
    wire leaves_late = leaves & behind_q;
