    localparam SET = $clog2(`SETS / 2);
    localparam PARTITION = $clog2(`PARTITIONS);
    localparam HASH_BITS = SET + 1 + PARTITION;
    localparam RING = SET + 2 + 80;
    // Two elements of a group, any two, are watched: the first in all stages, the second as one that may go before it.
    input [2:0] pick;
    input [2:0] pick_other;
    input watch;
    reg [2:0] number_q;
    reg [2:0] other_q;
    // The own partition is that of the first cycle behind a reset.
    reg knows_own_q;
    reg [PARTITION-1:0] own_q;
    wire [PARTITION-1:0] own = knows_own_q ? own_q : partition;

    // assumption partition_stays: The own partition is a constant outside reset.
    wire partition_stays = partition == own;
    // assumption array_settles: In the cycle in which `target` or `size` is new, no group comes, but for the first cycle behind a reset.
    reg [41:0] array_q;
    always @(posedge clock) array_q <= {target, size};
    wire array_settles = ~knows_own_q | ({target, size} == array_q) | ~group_valid;
    // assumption group_of_eight: A group has one to eight elements.
    wire group_of_eight = ~group_valid | ((group_count >= 1) & (group_count <= 8));

    // Where a hash sends an element: 0 and 1 are the banks, 2 is cw, 3 is ccw; with the place.
    function [1:0] output_of(input [HASH_BITS-1:0] hash);
        reg [PARTITION-1:0] distance;
        begin
            distance = hash[HASH_BITS-1:SET+1] - own;
            output_of = distance == 0 ? {1'b0, hash[SET]} : distance < `PARTITIONS / 2 ? 2
                : distance > `PARTITIONS / 2 ? 3 : {1'b1, own[0]};
        end
    endfunction
    function is_beyond(input [HASH_BITS-1:0] hash);
        reg [PARTITION-1:0] distance;
        begin
            distance = hash[HASH_BITS-1:SET+1] - own;
            is_beyond = (`PARTITIONS == 4) & (distance == 2);
        end
    endfunction

    // The output registers as one list.
    wire [3:0] outputs_valid = {ccw_valid, cw_valid, bank_valid};
    wire [3:0] outputs_ready = {ccw_ready, cw_ready, bank_ready};
    wire [3:0] outputs_take = ~outputs_valid | outputs_ready;
    wire [RING-1:0] out_0 = {2'd0, bank_place[0 +: SET], bank_index[23:0], bank_secondary[31:0], bank_position[23:0]};
    wire [RING-1:0] out_1 = {2'd0, bank_place[SET +: SET], bank_index[47:24], bank_secondary[63:32], bank_position[47:24]};
    wire [RING-1:0] out_2 = {cw_place, cw_index, cw_secondary, cw_position};
    wire [RING-1:0] out_3 = {ccw_place, ccw_index, ccw_secondary, ccw_position};

    // The watched element: in stage 1, in stage 2, or on the pins of an output.
    reg is_in_1_q;
    reg is_in_2_q;
    reg is_out_q;
    reg exists_q;
    reg [1:0] output_q;
    reg [79:0] word_q;
    reg [RING-1:0] word_out_q;
    wire taken = group_valid & group_ready;
    wire begins = taken & watch;
    wire passes = control.group_passes;
    wire [HASH_BITS-1:0] hash = hasher_hash[HASH_BITS*number_q +: HASH_BITS];
    wire [HASH_BITS-1:0] hash_of_other = hasher_hash[HASH_BITS*other_q +: HASH_BITS];
    wire present = control.present_q[number_q];
    wire other_present = control.present_q[other_q];
    wire [7:0] chosen = control.chosen_bank[7:0] | control.chosen_bank[15:8] | control.chosen_cw | control.chosen_ccw;
    wire leaves = is_in_2_q & chosen[number_q];
    wire is_taken = is_out_q & outputs_ready[output_q];
    wire [RING-1:0] out = output_q[1] ? (output_q[0] ? out_3 : out_2) : (output_q[0] ? out_1 : out_0);
    wire [SET+1:0] place_of_it = output_of(hash) < 2 ? {2'd0, hash[SET-1:0]} : {is_beyond(hash), hash[SET:0]};
    always @(posedge clock) begin
        if (reset) number_q <= pick;
        if (reset) other_q <= pick_other;
        {knows_own_q, own_q} <= {~reset, own};
        if (begins) exists_q <= number_q < group_count;
        if (begins) word_q <= {group_index[24*number_q +: 24], group_secondary[32*number_q +: 32], group_position};
        is_in_1_q <= ~reset & (begins | (is_in_1_q & ~passes));
        is_in_2_q <= ~reset & ~begins & ((is_in_1_q & passes & exists_q) | (is_in_2_q & ~leaves));
        is_out_q <= ~reset & ~begins & (leaves | (is_out_q & ~is_taken));
        if (leaves) output_q <= output_of(hash);
        if (leaves) word_out_q <= {place_of_it, word_q[79:24], word_q[23:0] + {21'd0, number_q}};
    end

    // property nothing_lost: An element that came and was not taken is in stage 1, in stage 2, or on the pins of an output.
    wire nothing_lost = (~is_in_1_q | ~group_ready) & (~is_in_2_q | present) & (~is_out_q | outputs_valid[output_q]);
    // property nothing_more: A group has no element in stage 2 that did not come, or that has left.
    reg is_group_there_q;
    always @(posedge clock) is_group_there_q <= ~reset & ~begins & (passes ? is_in_1_q : is_group_there_q);
    wire nothing_more = ~is_group_there_q | (present == is_in_2_q);
    // property its_way: An element comes out as it came, at the output and with the place that its hash names.
    wire its_way = ~is_out_q | (out == word_out_q);
    // property index_to_its_hash: The hash of an element is taken in stage 2 from the one of its index in stage 1.
    reg came_q;
    reg [23:0] index_q;
    always @(posedge clock) came_q <= ~reset & taken;
    always @(posedge clock) if (taken) index_q <= group_index[24*number_q +: 24];
    wire index_to_its_hash = (control_came == came_q) & (group_ready | (control_index[24*number_q +: 24] == index_q))
        & ~(control_came & control_passes);
    // property in_turn: An element leaves stage 2 when its output takes and no lower one of the group goes there.
    reg lower_goes;
    integer n;
    always @(*) begin
        lower_goes = 0;
        for (n = 0; n < 8; n = n + 1)
            lower_goes = lower_goes | ((n < number_q) & control.present_q[n]
                & (output_of(hasher_hash[HASH_BITS*n +: HASH_BITS]) == output_of(hash)));
    end
    wire in_turn = ~present | (chosen[number_q] == (outputs_take[output_of(hash)] & ~lower_goes));
    // property one_each: No two elements leave for one output in a cycle.
    wire one_each = (number_q == other_q) | ~(present & other_present & chosen[number_q] & chosen[other_q])
        | (output_of(hash) != output_of(hash_of_other));
    // invariant stays_on_pins: An element on the pins of an output stays there until it is taken.
    reg [3:0] waited_q;
    reg [4*RING-1:0] outs_q;
    wire [4*RING-1:0] outs = {out_3, out_2, out_1, out_0};
    always @(posedge clock) begin
        waited_q <= reset ? 0 : outputs_valid & ~outputs_ready;
        outs_q <= outs;
    end
    reg [3:0] same;
    integer m;
    always @(*) for (m = 0; m < 4; m = m + 1) same[m] = outputs_valid[m] & (outs[RING*m +: RING] == outs_q[RING*m +: RING]);
    wire stays_on_pins = (waited_q & ~same) == 0;
    // property empty_exact: `empty` is high exactly when all elements that came have left: stages and outputs have passed on as many as they got.
    reg waits_1_q;
    reg [3:0] count_q;
    reg [3:0] staged_q;
    reg [3:0] on_pins_q;
    wire [3:0] fills = {control.fills_ccw, control.fills_cw, control.fills_bank};
    wire [3:0] left = staged_q - (fills[0] + fills[1] + fills[2] + fills[3]);
    always @(posedge clock) begin
        waits_1_q <= ~reset & (taken | (waits_1_q & ~passes));
        if (taken) count_q <= group_count;
        staged_q <= reset ? 0 : (passes ? count_q : left);
        on_pins_q <= reset ? 0 : fills | (on_pins_q & ~outputs_ready);
    end
    wire empty_exact = empty == ~(waits_1_q | (staged_q != 0) | (on_pins_q != 0));
    // property passes_in_time: A group passes to stage 2 from the second cycle behind its coming on, as soon as the last element there leaves.
    wire passes_in_time = (passes == (waits_1_q & ~came_q & (left == 0))) & (group_ready == ~waits_1_q);

    // invariant fresh: In the first cycle behind a reset nothing is inside.
    wire fresh = knows_own_q | ~(waits_1_q | came_q | (staged_q != 0) | (on_pins_q != 0) | is_in_1_q | is_in_2_q | is_out_q | is_group_there_q);
    // invariant homes: The unit knows its own partition.
    wire [`PARTITIONS-1:0] homes_cw;
    wire [`PARTITIONS-1:0] homes_ccw;
    generate
        genvar g;
        for (g = 0; g < `PARTITIONS; g = g + 1) begin : each_home
            wire [HASH_BITS-1:0] hash_there = g << (SET + 1);
            assign homes_cw[g] = output_of(hash_there) == 2;
            assign homes_ccw[g] = output_of(hash_there) == 3;
        end
    endgenerate
    wire homes = ~knows_own_q | (control.homes_here_q == 1 << own) & (control.homes_cw_q == homes_cw) & (control.homes_ccw_q == homes_ccw)
        & (control.homes_half_way_q == 1 << (own ^ 2));
    // invariant stages: The stages have what they got and did not pass on.
    wire [7:0] p = control.present_q;
    wire stages = (control.group_waits_q == waits_1_q) & (control.group_came_q == came_q) & (~waits_1_q | (control.count_1_q == count_q))
        & (~waits_1_q | ((count_q >= 1) & (count_q <= 8))) & (outputs_valid == on_pins_q) & (~came_q | waits_1_q)
        & (staged_q == p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6] + p[7]);
    // invariant indices: Each index of the group in stage 1 is as it came.
    wire indices = ~waits_1_q | (control.index_1_q[24*number_q +: 24] == index_q);
    // invariant where: The watched element is where the reference says.
    wire [55:0] element = control.element_q[56*number_q +: 56];
    wire where = (is_in_1_q + is_in_2_q + is_out_q <= 1) & (~is_in_2_q | is_group_there_q)
        & (~is_in_1_q | (waits_1_q & (control.position_q[47:24] == word_q[23:0]) & (exists_q == (number_q < count_q))
            & (control.index_1_q[24*number_q +: 24] == word_q[79:56]) & (control.secondary_1_q[32*number_q +: 32] == word_q[55:24])))
        & (~is_group_there_q | ((present == is_in_2_q) & ~is_in_1_q))
        & (~is_in_2_q | ((control.position_q[71:48] == word_q[23:0]) & (element == word_q[79:24])))
        & (~is_out_q | (outputs_valid[output_q] & (out == word_out_q)));

    // reached two_at_once: Two elements leave stage 2 in one cycle while others stay.
    wire two_at_once = chosen[number_q] & chosen[other_q] & (number_q != other_q) & (left > 2);
    // reached next_waits: The watched element leaves stage 2 while the next group waits in stage 1.
    wire next_waits = leaves & ~group_ready & (left == 0);
