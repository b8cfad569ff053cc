    // A bank, any of them, is watched: what its partitions had one, two and three cycles before.
    localparam NUMBER = $clog2(`LANES);
    input [NUMBER-1:0] pick_bank;
    reg [NUMBER-1:0] bank_q;
    wire [COUNT-1:0] pull_has = pull_occupancy[COUNT*bank_q +: COUNT];
    wire [COUNT-1:0] push_has = push_occupancy[COUNT*bank_q +: COUNT];
    reg [2*COUNT-1:0] had_1_q;
    reg [2*COUNT-1:0] had_2_q;
    reg [2*COUNT-1:0] had_3_q;
    reg accepted_q;
    always @(posedge clock) begin
        if (reset) bank_q <= pick_bank;
        had_1_q <= pull_part ? {pull_has, push_has} : {push_has, pull_has};
        had_2_q <= had_1_q;
        had_3_q <= had_2_q;
        accepted_q <= |wru_accepted;
    end
    wire [COUNT-1:0] had_1 = extremes.looked_at_q ? had_1_q[COUNT +: COUNT] : had_1_q[0 +: COUNT];
    wire [COUNT-1:0] had_2 = extremes.part ? had_2_q[COUNT +: COUNT] : had_2_q[0 +: COUNT];
    wire [COUNT-1:0] had_3 = part ? had_3_q[COUNT +: COUNT] : had_3_q[0 +: COUNT];

    // property one_at_a_time: One bank at most is asked in a cycle, for an ID or to take one.
    wire one_at_a_time = ((pop & (pop - 1'b1)) == 0) & ((push & (push - 1'b1)) == 0) & ~((|pop) & (|push));
    // property had_two: A bank gives only if it had two IDs or more when it was looked at.
    wire had_two = ~pop[bank_q] | (had_3 >= 2);
    // property drained: `part` changes only when nothing is under way, or in the cycle behind the last answer.
    reg part_before_q;
    reg asks_q;
    always @(posedge clock) begin
        part_before_q <= part;
        asks_q <= reset ? 0 : (|pop) | (|push);
    end
    wire drained = ~asks_q | (part == part_before_q);

    wire asking = mover.asking_q;
    wire asked = mover.asked_q;
    wire offering = mover.offering_q;
    wire offered = mover.offered_q;
    // invariant one_state: One ID at most is under way, in one state.
    wire one_state = (asking + asked + offering + offered) < 2;
    // invariant pops_if_asking: One bank is asked exactly in the state of asking.
    wire pops_if_asking = ((|pop) == asking) & ((pop & (pop - 1'b1)) == 0);
    // invariant requests: Banks answer the requests of the cycle before.
    wire requests = ((|popped_q) == asked) & ((popped_q & (popped_q - 1'b1)) == 0)
        & (pushed_q == (offered ? ({{`LANES-1{1'b0}}, 1'b1} << mover.asked_taker_q) : 0));
    // invariant offers_one: The bank that answers was offered the ID that is held.
    wire offers_one = ~offered | (pushed_id_q[24*mover.asked_taker_q +: 24] == mover.held_id_q);
    // invariant one_sender: Who is asked for an ID for another core finds the register to the network empty.
    wire one_sender = ~((asking | asked) & mover.sends_q) | ~out_valid;
    // invariant under_way: What came and did not go is on its way to a bank, or on the pins to the network.
    wire under_way = balance_q == ((offering | offered) & (mover.held_id_q == word_q)) + (out_valid & (out_id == word_q));
    // invariant asks_before: The cycle behind a request is one of an answer.
    wire asks_before = asks_q == (asked | offered);
    // invariant part_kept: Answers come in the partition of their request.
    wire part_kept = ~(asked | offered) | (part == part_before_q);
    // invariant group_has: The first cycle of a look knows what the bank has that it found.
    wire group_has = ~extremes.looked_q | (extremes.most_of_group_0_lane_q != bank_q) | (extremes.most_of_group_0_has_q == had_1);
    // invariant giver_has: So does the second.
    wire giver_has = ~extremes.valid | (extremes.giver != bank_q) | (extremes.giver_has == had_2);

    // reached comes_and_goes: An ID came, and goes to a bank.
    wire comes_and_goes = (balance_q != 0) & (goes != 0) & ~out_valid;
    // reached sent: An ID goes to another core.
    wire sent = out_valid & out_ready;
    // reached at_once: A bank is asked in the cycle behind the last answer.
    wire at_once = accepted_q & (|pop);
