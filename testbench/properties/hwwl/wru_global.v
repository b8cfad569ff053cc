    localparam BANKS = `CORES * `LANES;
    localparam NUMBER = $clog2(BANKS);
    localparam COUNT = $clog2(`ENTRIES) + 1;
    localparam WORD = COUNT + NUMBER;
    // Two banks, any of them, are watched: what they had at the last tick, whether the one gave an ID since then and the other took one.
    input [NUMBER-1:0] pick_giver;
    input [NUMBER-1:0] pick_taker;
    reg [NUMBER-1:0] giver_q;
    reg [NUMBER-1:0] taker_q;
    reg [COUNT-1:0] giver_had_q;
    reg [COUNT-1:0] taker_had_q;
    reg gave_q;
    reg took_q;
    reg [23:0] given_q;
    reg [$clog2(`INTERVAL):0] asked_q;
    // The event of the last tick: its side, its partition, and whether it may send.
    reg began_q;
    reg on_pull_side_q;
    reg part_q;
    reg may_send_q;
    // Pins of the cycle before.
    reg [BANKS-1:0] popped_q;
    reg [BANKS-1:0] pushed_q;
    reg waited_q;
    reg [24:0] out_q;
    wire comes = wru_valid[giver_q];
    wire goes = wru_accepted[taker_q];
    wire served_pull = side_select.serve_pull;
    wire [COUNT*BANKS-1:0] occupancy = served_pull ? pull_occupancy : push_occupancy;
    always @(posedge clock) begin
        if (reset) {giver_q, taker_q} <= {pick_giver, pick_taker};
        if (tick) giver_had_q <= occupancy[COUNT*giver_q +: COUNT];
        if (tick) taker_had_q <= occupancy[COUNT*taker_q +: COUNT];
        if (tick) on_pull_side_q <= served_pull;
        if (tick) part_q <= pull_part ^ ~served_pull;
        if (comes) given_q <= id[24*giver_q +: 24];
        if (sorter.out_valid) may_send_q <= send[part] & greedy[part] & ~out_valid;
        began_q <= ~reset & (began_q | tick);
        gave_q <= ~reset & ~tick & (gave_q | comes);
        took_q <= ~reset & ~tick & (took_q | goes);
        asked_q <= reset | tick ? 0 : asked_q + pop[giver_q];
        popped_q <= reset ? 0 : pop;
        pushed_q <= reset ? 0 : push;
        waited_q <= ~reset & out_valid & ~out_ready;
        out_q <= {out_part, out_id};
    end
    // The ranks of the event under way, which the crossbar learns a cycle after the pairs start. The watched banks are a pair if their
    // ranks are as far from both ends.
    wire learns = pairing.ranked_before_q;
    wire [NUMBER*BANKS-1:0] ranks = learns ? pairing.rank : mover.crossbar.rank_of_q;
    wire [NUMBER-1:0] rank_of_giver = ranks[NUMBER*giver_q +: NUMBER];
    wire [NUMBER-1:0] rank_of_taker = ranks[NUMBER*taker_q +: NUMBER];
    wire is_pair = rank_of_giver == ~rank_of_taker;
    wire sends = mover.sending_q[giver_q];
    wire evens_out = (giver_had_q >= taker_had_q + 2) & (~on_pull_side_q | (taker_had_q < `THRESHOLD));

    // property nothing_lost: An ID that a bank gave is taken by the other bank of its pair before `moving` falls, or goes to another core.
    wire nothing_lost = moving | ~is_pair | sends | (gave_q == took_q);
    // property nothing_from_nothing: A bank gets an ID only after the other bank of its pair gave it, and as it was given.
    wire nothing_from_nothing = ~push[taker_q] | ~is_pair | (gave_q & ~sends & (push_id[24*taker_q +: 24] == given_q));
    // property once: In an event a bank gives one ID at most, and takes one at most.
    wire once = ~(gave_q & pop[giver_q]) & ~(took_q & push[taker_q]);
    // property helps: An ID goes only to a bank that had at least two less than the giver at the tick; on the pull side it had less than the threshold.
    wire helps = ~push[taker_q] | ~is_pair | evens_out;
    // property one_partner: While an event moves IDs, no two banks have the same rank, so that each has one partner.
    wire [BANKS-1:0] same_rank_as_giver;
    wire [BANKS-1:0] same_rank_as_taker;
    generate
        genvar b;
        for (b = 0; b < BANKS; b = b + 1) begin : each_bank
            assign same_rank_as_giver[b] = ranks[NUMBER*b +: NUMBER] == rank_of_giver;
            assign same_rank_as_taker[b] = ranks[NUMBER*b +: NUMBER] == rank_of_taker;
        end
    endgenerate
    wire [BANKS-1:0] is_giver = {{BANKS-1{1'b0}}, 1'b1} << giver_q;
    wire [BANKS-1:0] is_taker = {{BANKS-1{1'b0}}, 1'b1} << taker_q;
    wire one_partner = ~moving | ((same_rank_as_giver == is_giver) & (same_rank_as_taker == is_taker));
    // property one_role: No bank gives and takes in one cycle.
    wire one_role = (pop & push) == 0;
    // property pauses: A bank has a cycle for its answer before the next request.
    wire pauses = ((pop & popped_q) == 0) & ((push & pushed_q) == 0);
    // property moving_covers: Requests come only while `moving` is high.
    wire moving_covers = moving | ~(|pop | |push);
    // property side_exact: A tick chooses the push side exactly in double-buffer mode, unless a bank of the pull side has less than the threshold and one has two or more.
    reg needy;
    reg rich;
    integer m;
    always @(*) begin
        {needy, rich} = 0;
        for (m = 0; m < BANKS; m = m + 1) begin
            needy = needy | (pull_occupancy[COUNT*m +: COUNT] < `THRESHOLD);
            rich = rich | (pull_occupancy[COUNT*m +: COUNT] >= 2);
        end
    end
    wire side_exact = served_pull == (~double_buffer | (needy & rich));
    // property part_exact: From a tick to the next one `part` is the partition of the side that was chosen.
    wire part_exact = ~began_q | (part == part_q);
    // property gives_up: In an event a bank is asked for an ID in at most half as many cycles as the interval has.
    wire gives_up = asked_q <= `INTERVAL / 2;
    // property stays_on_pins: An ID for another core stays on its pins until it is taken.
    wire stays_on_pins = ~waited_q | (out_valid & ({out_part, out_id} == out_q));
    // property sends_as_allowed: An ID comes to the pins to another core only in an event at whose start `send` and `greedy` were high and no other was there.
    wire sends_as_allowed = ~out_valid | waited_q | may_send_q;
    // assumption answers: A bank answers only in the cycle behind a request.
    wire answers = ((wru_valid & ~popped_q) | (wru_accepted & ~pushed_q)) == 0;
    // assumption fits: No side of a bank has more IDs than its partition: all entries or none, and half of them in double-buffer mode.
    reg too_many;
    integer f;
    always @(*) begin
        too_many = 0;
        for (f = 0; f < BANKS; f = f + 1)
            too_many = too_many | (pull_occupancy[COUNT*f +: COUNT] > (double_buffer ? `ENTRIES / 2 : `ENTRIES))
                | (push_occupancy[COUNT*f +: COUNT] > (double_buffer ? `ENTRIES / 2 : 0));
    end
    wire fits = ~too_many;

    // The sorter: this size has eight banks, ranked in three cycles.
    wire sorts_0 = sorter.stage0_valid_q;
    wire sorts_1 = sorter.stage1_valid_q;
    wire sorts_2 = sorter.out_valid;
    wire [WORD*BANKS-1:0] words_0 = sorter.stage0_item_q;
    wire [WORD*BANKS-1:0] words_1 = sorter.stage1_item_q;
    wire [WORD*BANKS-1:0] words_2 = sorter.out_item;
    wire [BANKS-1:0] giving = mover.giving_q;
    wire [BANKS-1:0] awaiting = mover.awaiting_q;
    wire [BANKS-1:0] taking = mover.taking_q;
    wire [BANKS-1:0] sending = mover.sending_q;

    // invariant idle: Nothing is under way from the tick on until the pairs start, and no bank answers before the ranks are learnt.
    wire idle = (~(sorts_0 | sorts_1 | sorts_2) | ~(|giving | |taking | mover.answers_q)) & (~learns | ~(|taking | mover.answers_q))
        & (~sorts_0 | (interval.count_q == 0)) & (~sorts_1 | (interval.count_q == 1)) & (~sorts_2 | (interval.count_q == 2))
        & (~learns | (interval.count_q == 3));
    // invariant once_in_0: A bank is there once in the first stage of the sorter.
    reg all_0;
    reg [BANKS-1:0] places_0;
    integer o_0;
    integer j_0;
    always @(*) begin
        all_0 = 1;
        for (o_0 = 0; o_0 < BANKS; o_0 = o_0 + 1) begin
            for (j_0 = 0; j_0 < BANKS; j_0 = j_0 + 1) places_0[j_0] = words_0[WORD*j_0 +: NUMBER] == o_0;
            all_0 = all_0 & (|places_0) & ((places_0 & (places_0 - 1'b1)) == 0);
        end
    end
    wire once_in_0 = ~(sorts_0 | sorts_1 | sorts_2 | learns) | all_0;
    // invariant once_in_1: A bank is there once in the second stage of the sorter.
    reg all_1;
    reg [BANKS-1:0] places_1;
    integer o_1;
    integer j_1;
    always @(*) begin
        all_1 = 1;
        for (o_1 = 0; o_1 < BANKS; o_1 = o_1 + 1) begin
            for (j_1 = 0; j_1 < BANKS; j_1 = j_1 + 1) places_1[j_1] = words_1[WORD*j_1 +: NUMBER] == o_1;
            all_1 = all_1 & (|places_1) & ((places_1 & (places_1 - 1'b1)) == 0);
        end
    end
    wire once_in_1 = ~(sorts_1 | sorts_2 | learns) | all_1;
    // invariant once_in_2: A bank is there once in the last stage of the sorter.
    reg all_2;
    reg [BANKS-1:0] places_2;
    integer o_2;
    integer j_2;
    always @(*) begin
        all_2 = 1;
        for (o_2 = 0; o_2 < BANKS; o_2 = o_2 + 1) begin
            for (j_2 = 0; j_2 < BANKS; j_2 = j_2 + 1) places_2[j_2] = words_2[WORD*j_2 +: NUMBER] == o_2;
            all_2 = all_2 & (|places_2) & ((places_2 & (places_2 - 1'b1)) == 0);
        end
    end
    wire once_in_2 = ~(sorts_2 | learns) | all_2;
    // invariant steady: The order is the same in the cycle in which the pairs start and in the one in which it is learnt.
    wire [WORD*BANKS-1:0] next_1;
    wire [WORD*BANKS-1:0] next_2 = {words_1[WORD*7 +: WORD], sorter.layer5_pair, words_1[0 +: WORD]};
    generate
        genvar s;
        for (s = 0; s < 4; s = s + 1) begin : each_pair
            assign next_1[WORD*s +: WORD] = sorter.layer3_pair[2*WORD*s +: WORD];
            assign next_1[WORD*(s + 4) +: WORD] = sorter.layer3_pair[2*WORD*s + WORD +: WORD];
        end
    endgenerate
    wire steady = (~(sorts_1 | sorts_2) | (next_1 == words_1)) & (~sorts_2 | (next_2 == words_2));
    // invariant event_exact: The unit has the side and the partition of the event.
    wire event_exact = (~began_q | ((serves_pull_q == on_pull_side_q) & (event_part_q == part_q)))
        & (~began_q | ((giver_had_q <= `ENTRIES) & (taker_had_q <= `ENTRIES)))
        & (began_q | ~(sorts_0 | sorts_1 | sorts_2 | learns | (|giving) | (|taking)));
    wire [NUMBER-1:0] order_of_giver = giver_q + rotation_q;
    // invariant giver_in_0: The watched giver is in stage 0 of the sorter with what it had at the tick.
    reg giver_kept_0;
    integer giver_place_0;
    always @(*) begin
        giver_kept_0 = 1;
        for (giver_place_0 = 0; giver_place_0 < BANKS; giver_place_0 = giver_place_0 + 1)
            giver_kept_0 = giver_kept_0 & ((words_0[WORD*giver_place_0 +: NUMBER] != order_of_giver)
                | (words_0[WORD*giver_place_0 + NUMBER +: COUNT] == giver_had_q));
    end
    wire giver_in_0 = ~sorts_0 | giver_kept_0;
    // invariant giver_in_1: The watched giver is in stage 1 of the sorter with what it had at the tick.
    reg giver_kept_1;
    integer giver_place_1;
    always @(*) begin
        giver_kept_1 = 1;
        for (giver_place_1 = 0; giver_place_1 < BANKS; giver_place_1 = giver_place_1 + 1)
            giver_kept_1 = giver_kept_1 & ((words_1[WORD*giver_place_1 +: NUMBER] != order_of_giver)
                | (words_1[WORD*giver_place_1 + NUMBER +: COUNT] == giver_had_q));
    end
    wire giver_in_1 = ~sorts_1 | giver_kept_1;
    // invariant giver_in_2: The watched giver is in stage 2 of the sorter with what it had at the tick.
    reg giver_kept_2;
    integer giver_place_2;
    always @(*) begin
        giver_kept_2 = 1;
        for (giver_place_2 = 0; giver_place_2 < BANKS; giver_place_2 = giver_place_2 + 1)
            giver_kept_2 = giver_kept_2 & ((words_2[WORD*giver_place_2 +: NUMBER] != order_of_giver)
                | (words_2[WORD*giver_place_2 + NUMBER +: COUNT] == giver_had_q));
    end
    wire giver_in_2 = ~sorts_2 | giver_kept_2;
    wire [NUMBER-1:0] order_of_taker = taker_q + rotation_q;
    // invariant taker_in_0: The watched taker is in stage 0 of the sorter with what it had at the tick.
    reg taker_kept_0;
    integer taker_place_0;
    always @(*) begin
        taker_kept_0 = 1;
        for (taker_place_0 = 0; taker_place_0 < BANKS; taker_place_0 = taker_place_0 + 1)
            taker_kept_0 = taker_kept_0 & ((words_0[WORD*taker_place_0 +: NUMBER] != order_of_taker)
                | (words_0[WORD*taker_place_0 + NUMBER +: COUNT] == taker_had_q));
    end
    wire taker_in_0 = ~sorts_0 | taker_kept_0;
    // invariant taker_in_1: The watched taker is in stage 1 of the sorter with what it had at the tick.
    reg taker_kept_1;
    integer taker_place_1;
    always @(*) begin
        taker_kept_1 = 1;
        for (taker_place_1 = 0; taker_place_1 < BANKS; taker_place_1 = taker_place_1 + 1)
            taker_kept_1 = taker_kept_1 & ((words_1[WORD*taker_place_1 +: NUMBER] != order_of_taker)
                | (words_1[WORD*taker_place_1 + NUMBER +: COUNT] == taker_had_q));
    end
    wire taker_in_1 = ~sorts_1 | taker_kept_1;
    // invariant taker_in_2: The watched taker is in stage 2 of the sorter with what it had at the tick.
    reg taker_kept_2;
    integer taker_place_2;
    always @(*) begin
        taker_kept_2 = 1;
        for (taker_place_2 = 0; taker_place_2 < BANKS; taker_place_2 = taker_place_2 + 1)
            taker_kept_2 = taker_kept_2 & ((words_2[WORD*taker_place_2 +: NUMBER] != order_of_taker)
                | (words_2[WORD*taker_place_2 + NUMBER +: COUNT] == taker_had_q));
    end
    wire taker_in_2 = ~sorts_2 | taker_kept_2;
    // invariant unique: While anything is under way, no other bank has the rank of a watched one.
    wire unique = ~((|giving) | (|taking)) | ((same_rank_as_giver == is_giver) & (same_rank_as_taker == is_taker));
    // invariant roles: The upper ranks give, and the lower ranks take.
    wire [BANKS-1:0] upper;
    generate
        genvar u;
        for (u = 0; u < BANKS; u = u + 1) begin : each_upper
            assign upper[u] = ranks[NUMBER*u + NUMBER - 1];
        end
    endgenerate
    wire roles = ((giving & ~upper) | ((awaiting | taking) & upper)) == 0;
    // invariant partners: A taker waits exactly while the giver of its pair gives, and takes what it gave; nobody takes from a sender.
    wire partners = ~is_pair | ~rank_of_giver[NUMBER-1]
        | ((awaiting[taker_q] == (giving[giver_q] & ~sends)) & ~(giving[giver_q] & taking[taker_q]));
    // invariant one_sender: One bank at most sends, and finds the register to the network empty.
    wire [BANKS-1:0] senders = giving & sending;
    wire one_sender = ((senders & (senders - 1'b1)) == 0) & (~(|senders) | (~out_valid & may_send_q));
    // invariant requests: Banks answer the requests of the cycle before.
    wire requests = (popped_q == (mover.answers_q ? giving : 0)) & (pushed_q == (mover.answers_q ? taking : 0));
    // invariant paired: The watched pair is under way only if it evens out.
    wire paired = ~is_pair | ~rank_of_giver[NUMBER-1] | ~(awaiting[taker_q] | taking[taker_q]) | evens_out;
    // invariant progress: The giver gave when it gives no more and the taker takes or took; the ID that is taken is what it gave.
    wire progress = ~(awaiting[taker_q] & taking[taker_q]) & (~gave_q | rank_of_giver[NUMBER-1]) & (~took_q | ~rank_of_taker[NUMBER-1])
        & ~(giving[giver_q] & gave_q) & ~((awaiting[taker_q] | taking[taker_q]) & took_q)
        & (~(sorts_0 | sorts_1 | sorts_2) | ~(gave_q | took_q)) & (~learns | ~(gave_q | took_q))
        & (~is_pair | ~rank_of_giver[NUMBER-1] | sends | ((sorts_0 | sorts_1 | sorts_2)) | (gave_q == (took_q | taking[taker_q])))
        & (~is_pair | ~rank_of_giver[NUMBER-1] | ~taking[taker_q] | (~sends & (push_id[24*taker_q +: 24] == given_q)));
    // invariant attempts: The unit counts how often it asked.
    wire attempts = ~giving[giver_q] | ((asked_q == mover.attempts.count_q + mover.answers_q) & (mover.attempts.count_q < `INTERVAL / 2));
    // invariant attempts_end: No bank is asked more often.
    wire attempts_end = (asked_q <= `INTERVAL / 2) & (~(sorts_0 | sorts_1 | sorts_2) | (asked_q == 0));

    // reached between_cores: A bank of one core gets an ID that a bank of another core gave.
    wire between_cores = push[taker_q] & is_pair & gave_q & (giver_q < `LANES) & (taker_q >= `LANES);
    // reached all_pairs: Four pairs take at once.
    wire all_pairs = (push[0] + push[1] + push[2] + push[3] + push[4] + push[5] + push[6] + push[7]) == 4;
    // reached push_side: In double-buffer mode the push side is served.
    wire push_side = (|push) & ~on_pull_side_q;
    // reached sent: An ID goes to another core.
    wire sent = out_valid & out_ready;
