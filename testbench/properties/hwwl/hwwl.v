    // Of each core: loads that memory has, by their tags, and pins of the cycle before.
    wire [`CORES-1:0] both;
    wire [`CORES-1:0] early;
    wire [`CORES-1:0] unasked;
    wire [`CORES-1:0] left;
    genvar c;
    generate
        for (c = 0; c < `CORES; c = c + 1) begin : of_core
            wire [1:0] tag = mem_tag[2*c +: 2];
            wire [1:0] brought = line_tag[2*c +: 2];
            wire loads = mem_valid[c] & mem_ready[c] & ~mem_write[c];
            wire [34:0] request = {mem_write[c], mem_line[32*c +: 32], tag};
            reg [3:0] away_q;
            reg waited_q;
            reg [34:0] request_q;
            always @(posedge clock) begin
                away_q <= reset ? 0 : (away_q | ({3'd0, loads} << tag)) & ~({3'd0, line_valid[c]} << brought);
                waited_q <= ~reset & mem_valid[c] & ~mem_ready[c];
                request_q <= request;
            end
            assign both[c] = |pull[`LANES*c +: `LANES] & |push[`LANES*c +: `LANES];
            assign early[c] = |push[`LANES*c +: `LANES] & ~push_ready[c];
            assign unasked[c] = line_valid[c] & ~(line_ready[c] & away_q[brought]);
            assign left[c] = waited_q & ~(mem_valid[c] & (request_q == request));
        end
    endgenerate
    wire lanes_ask = |pull | |push | |leave;

    // property stays_on_pins: A request of a core stays on its pins until memory takes it, with its line and its tag.
    wire stays_on_pins = left == 0;

    // assumption owed: Memory brings a line that a core asked for, once, while the core's line register is empty.
    wire owed = unasked == 0;
    // assumption alone: `configure`, `init` and `kernel_end` come without requests of lanes and not together.
    wire alone = {1'b0, configure} + init + kernel_end + lanes_ask < 2;
    // assumption one_kind: A core's lanes pull or push, and push only if `push_ready` says that they may.
    wire one_kind = (both | early) == 0;

    // Core 1, whose parts are those of core 0: the event of its redistribution unit that is under way, from the tick on.
    wire [3:0] giving_1 = core_1.wru_sorting.mover.giving_q;
    wire [3:0] taking_1 = core_1.wru_sorting.mover.taking_q;
    wire answers_1 = core_1.wru_sorting.mover.answers_q;
    wire learns_1 = core_1.wru_sorting.pairing.ranked_before_q;
    wire [3:0] steps_1 = {learns_1, core_1.wru_sorting.sorter.out_valid, core_1.wru_sorting.sorter.stage1_valid_q, core_1.wru_sorting.sorter.stage0_valid_q};
    wire [31:0] words_1_0 = core_1.wru_sorting.sorter.stage0_item_q;
    wire [31:0] words_1_1 = core_1.wru_sorting.sorter.stage1_item_q;
    wire [31:0] words_1_2 = core_1.wru_sorting.sorter.out_item;
    wire all_1_0 = ((4'd1 << words_1_0[1:0]) | (4'd1 << words_1_0[9:8]) | (4'd1 << words_1_0[17:16]) | (4'd1 << words_1_0[25:24])) == 15;
    wire all_1_1 = ((4'd1 << words_1_1[1:0]) | (4'd1 << words_1_1[9:8]) | (4'd1 << words_1_1[17:16]) | (4'd1 << words_1_1[25:24])) == 15;
    wire all_1_2 = ((4'd1 << words_1_2[1:0]) | (4'd1 << words_1_2[9:8]) | (4'd1 << words_1_2[17:16]) | (4'd1 << words_1_2[25:24])) == 15;
    // invariant idle_1: Nothing is under way in core 1 from the tick on until the pairs start, and no bank answers before the ranks are learnt.
    wire idle_1 = ((steps_1[2:0] == 0) | ~(|giving_1 | |taking_1 | answers_1)) & (~learns_1 | ~(|taking_1 | answers_1))
        & (~steps_1[0] | (core_1.wru_sorting.interval.count_q == 0)) & (~steps_1[1] | (core_1.wru_sorting.interval.count_q == 1))
        & (~steps_1[2] | (core_1.wru_sorting.interval.count_q == 2)) & (~steps_1[3] | (core_1.wru_sorting.interval.count_q == 3));
    // invariant each_lane_1: A lane of core 1 is there once in each stage of the sorter.
    wire each_lane_1 = ((steps_1 == 0) | all_1_0) & ((steps_1[3:1] == 0) | all_1_1) & ((steps_1[3:2] == 0) | all_1_2);
    // invariant one_role_1: A bank of core 1 that gives takes nothing, and waits for nothing.
    wire one_role_1 = (giving_1 & (taking_1 | core_1.wru_sorting.mover.awaiting_q)) == 0;
    // invariant one_rank_1: While banks of core 1 give, no two have the same upper rank.
    wire [7:0] ranks_1 = learns_1 ? core_1.wru_sorting.pairing.rank : core_1.wru_sorting.mover.crossbar.rank_of_q;
    wire [3:0] upper_1 = {ranks_1[7], ranks_1[5], ranks_1[3], ranks_1[1]};
    wire [3:0] odd_1 = {ranks_1[6], ranks_1[4], ranks_1[2], ranks_1[0]};
    wire [3:0] rank_1_3 = upper_1 & odd_1;
    wire [3:0] rank_1_2 = upper_1 & ~odd_1;
    wire one_rank_1 = ~(|giving_1) | (((rank_1_3 & (rank_1_3 - 4'd1)) | (rank_1_2 & (rank_1_2 - 4'd1))) == 0);

    // reached has_ids: The worklist has IDs.
    wire has_ids = |count;
