    // The ranks of the event under way, which the crossbar learns a cycle after the pairs start. This size has four lanes, of
    // which two pairs can be made.
    wire learns = pairing.ranked_before_q;
    wire [7:0] ranks = learns ? pairing.rank : mover.crossbar.rank_of_q;

    // invariant idle: Nothing is under way from the tick on until the pairs start, and no bank answers before the ranks are learnt.
    wire sorts_0 = sorter.stage0_valid_q;
    wire sorts_1 = sorter.stage1_valid_q;
    wire sorts_2 = sorter.out_valid;
    wire idle = (~(sorts_0 | sorts_1 | sorts_2) | ~(|mover.giving_q | |mover.taking_q | mover.answers_q))
        & (~learns | ~(|mover.taking_q | mover.answers_q))
        & (~sorts_0 | (interval.count_q == 0)) & (~sorts_1 | (interval.count_q == 1)) & (~sorts_2 | (interval.count_q == 2))
        & (~learns | (interval.count_q == 3));
    // invariant each_lane: A lane is there once in each stage of the sorter.
    wire [31:0] words_0 = sorter.stage0_item_q;
    wire [31:0] words_1 = sorter.stage1_item_q;
    wire [31:0] words_2 = sorter.out_item;
    wire all_0 = ((4'd1 << words_0[1:0]) | (4'd1 << words_0[9:8]) | (4'd1 << words_0[17:16]) | (4'd1 << words_0[25:24])) == 15;
    wire all_1 = ((4'd1 << words_1[1:0]) | (4'd1 << words_1[9:8]) | (4'd1 << words_1[17:16]) | (4'd1 << words_1[25:24])) == 15;
    wire all_2 = ((4'd1 << words_2[1:0]) | (4'd1 << words_2[9:8]) | (4'd1 << words_2[17:16]) | (4'd1 << words_2[25:24])) == 15;
    wire each_lane = (~(sorts_0 | sorts_1 | sorts_2 | learns) | all_0) & (~(sorts_1 | sorts_2 | learns) | all_1)
        & (~(sorts_2 | learns) | all_2);
    // invariant steady: The order is the same in the cycle in which the pairs start and in the one in which it is learnt.
    wire [31:0] next_1 = {sorter.layer1_pair[31:24], sorter.layer1_pair[15:8], sorter.layer1_pair[23:16], sorter.layer1_pair[7:0]};
    wire [31:0] next_2 = {words_1[31:24], sorter.layer2_pair_0[15:0], words_1[7:0]};
    wire steady = (~(sorts_1 | sorts_2) | (next_1 == words_1)) & (~sorts_2 | (next_2 == words_2));
    // invariant counted: While an event is under way, no count in the first stage of the sorter is above that of a full bank.
    wire is_event = sorts_0 | sorts_1 | sorts_2 | learns | (|(mover.giving_q | mover.taking_q));
    wire counted = ~is_event | ((words_0[7:2] <= `ENTRIES) & (words_0[15:10] <= `ENTRIES) & (words_0[23:18] <= `ENTRIES)
        & (words_0[31:26] <= `ENTRIES));
    // invariant ordered: The first stage of the sorter has sorted each pair.
    wire ordered = ~is_event | ((words_0[7:0] < words_0[15:8]) & (words_0[23:16] < words_0[31:24]));
