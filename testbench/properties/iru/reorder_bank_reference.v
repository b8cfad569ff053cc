    // memories: one word
    localparam SET = $clog2(`SETS / 2);
    localparam N = `SETS / 2;
    localparam WORD = SET + 80;
    wire filters_now = filter != 0;
    wire adds_now = filter == 2;
    reg [1:0] filter_before_q;
    always @(posedge clock) filter_before_q <= filter;

    // What the page says: elements in the sets, the take under way, elements in flight with the filter.
    reg [6*N-1:0] elements_q;
    reg waits_q;
    reg reads_q;
    reg [1:0] settles_q;
    reg [SET-1:0] take_set_q;
    reg [5:0] take_count_q;
    reg [5:0] first_q;
    reg [5:0] end_q;
    reg [3:0] group_q;
    reg [5:0] left_q;
    reg [6:1] flight_q;
    reg [6*WORD-1:0] flight_words_q;

    wire [2:0] heads = {ring_queue_head_valid, local_queue_head_valid};
    wire [2*WORD-1:0] stage_words = intake.stage_word_q;
    wire [2:1] stage_valid = intake.stage_valid_q;
    wire in_2 = intake_element_valid;
    wire [SET-1:0] home = intake_home_set;
    wire [79:0] word_2 = intake_element_word;
    wire [5:0] elements_home = elements_q[6*home +: 6];
    wire [5:0] elements_taken = elements_q[6*take_set_q +: 6];
    wire [6:2] found = filtering.found_q;
    reg equal_flies;
    reg taken_flies;
    reg [2:0] coming;
    integer f;
    always @(*) begin
        {equal_flies, taken_flies, coming} = 0;
        for (f = 1; f <= 6; f = f + 1) begin
            equal_flies = equal_flies | (flight_q[f] & (flight_words_q[WORD*(f-1)+56 +: 24] == word_2[79:56]));
            taken_flies = taken_flies | (flight_q[f] & (flight_words_q[WORD*(f-1)+80 +: SET] == take_set_q));
            coming = coming + (flight_q[f] & (flight_words_q[WORD*(f-1)+80 +: SET] == home) & ((f == 1) | ~found[f == 1 ? 2 : f]));
        end
    end
    wire taking = waits_q | reads_q;
    wire reads_now = reads_q & beat_room;
    wire [5:0] group_end = {group_q, 2'd0} + 6'd4;
    wire reads_last = reads_now & (end_q <= group_end);
    wire starts = waits_q & ~taken_flies;
    wire [5:0] number = take_count_q < elements_taken ? take_count_q : elements_taken;
    wire leaves = in_2 & ~(taking & (take_set_q == home)) & (elements_home < 32)
        & (~filters_now | (~equal_flies & ~reads_now & (elements_home + coming < 32)));
    wire enters = leaves & filters_now;
    wire ends = adds_now ? flight_q[6] : flight_q[3];
    wire [WORD-1:0] word_end = adds_now ? flight_words_q[5*WORD +: WORD] : flight_words_q[2*WORD +: WORD];
    wire found_end = adds_now ? found[6] : found[3];
    wire arrives = filters_now ? ends : leaves;
    wire appends = filters_now ? ends & ~found_end : leaves;
    wire [SET-1:0] append_set = filters_now ? word_end[80 +: SET] : home;
    wire [79:0] append_word = filters_now ? word_end[79:0] : word_2;
    wire [5:0] append_slot = elements_q[6*append_set +: 6];
    wire [3:0] mask;
    assign mask[0] = ({group_q, 2'd0} >= first_q) & ({group_q, 2'd0} < end_q);
    assign mask[1] = ({group_q, 2'd1} >= first_q) & ({group_q, 2'd1} < end_q);
    assign mask[2] = ({group_q, 2'd2} >= first_q) & ({group_q, 2'd2} < end_q);
    assign mask[3] = ({group_q, 2'd3} >= first_q) & ({group_q, 2'd3} < end_q);
    reg beat_q;
    reg [3:0] mask_q;
    reg last_q;
    integer e;
    always @(posedge clock) begin
        if (reset) {elements_q, waits_q, reads_q, settles_q, flight_q, left_q, beat_q} <= 0;
        else begin
            for (e = 0; e < N; e = e + 1)
                elements_q[6*e +: 6] <= elements_q[6*e +: 6] + (appends & (append_set == e)) - (starts & (take_set_q == e) ? number : 6'd0);
            waits_q <= take | (waits_q & ~starts);
            reads_q <= starts | (reads_q & ~reads_last);
            settles_q <= reads_last ? 2 : settles_q != 0 ? settles_q - 1 : 0;
            flight_q <= {flight_q[5:4], flight_q[3] & adds_now, flight_q[2:1], enters};
            left_q <= starts ? number : left_q - (reads_now ? mask[0] + mask[1] + mask[2] + mask[3] : 0);
            beat_q <= reads_now;
        end
        flight_words_q <= {flight_words_q[0 +: 5*WORD], home, word_2};
        if (take) {take_set_q, take_count_q} <= {take_set, take_count};
        if (starts) {first_q, end_q} <= {elements_taken - number, elements_taken};
        if (starts) group_q <= (elements_taken - number) >> 2;
        else if (reads_now) group_q <= group_q + 1;
        {mask_q, last_q} <= {mask, reads_last};
    end

    // assumption filter_is_one: `filter` is 0, 1 or 2.
    wire filter_is_one = filter != 3;
    // assumption filter_stays: `filter` changes only while the bank holds nothing.
    wire filter_stays = (filter == filter_before_q) | (idle & take_ready & (count == 0));
    // assumption count_fits: A take is of 1 to 32 elements.
    wire count_fits = ~take | ((take_count >= 1) & (take_count <= 32));
    // assumption something_to_take: There is an element to take when nothing is in flight on the set any more.
    wire something_to_take = ~starts | (elements_taken != 0);
    reg [SET+5:0] in_sets_q;
    reg [N/2*7-1:0] pairs_q;
    reg [SET+5:0] sum_of_pairs;
    reg pairs_fit;
    reg fit;
    integer c;
    always @(posedge clock) begin
        in_sets_q <= reset ? 0 : in_sets_q + appends - (starts ? number : 6'd0);
        for (c = 0; c < N / 2; c = c + 1) pairs_q[7*c +: 7] <= reset ? 0 : pairs_q[7*c +: 7] + (appends & (append_set / 2 == c))
            - (starts & (take_set_q / 2 == c) ? number : 6'd0);
    end
    always @(*) begin
        sum_of_pairs = 0;
        pairs_fit = 1;
        fit = 1;
        for (c = 0; c < N / 2; c = c + 1) begin
            sum_of_pairs = sum_of_pairs + pairs_q[7*c +: 7];
            pairs_fit = pairs_fit & (pairs_q[7*c +: 7] == elements_q[12*c +: 6] + elements_q[12*c+6 +: 6]);
        end
        for (c = 0; c < N; c = c + 1) fit = fit & (elements_q[6*c +: 6] <= 32);
    end

    // invariant started: All is empty until the sets are.
    wire nothing = (local_queue.queue.control.count_q == 0) & (ring_queue_0.queue.control.count_q == 0)
        & (ring_queue_1.queue.control.count_q == 0) & (heads == 0) & (stage_valid == 0) & (flight_q == 0) & ~taking
        & (elements_q == 0);
    wire started = sets.started_q | nothing;
    // invariant filters: The filter stays while anything is inside, and nothing is in flight without it.
    wire filters = (intake.filters == (filter_before_q != 0)) & ((flight_q == 0) | ((filter_before_q != 0) & (filter_before_q != 3)))
        & ((flight_q[6:4] == 0) | (filter_before_q == 2));
    // invariant takes_as_told: The take is where the rules say.
    wire [5:0] from = first_q > {group_q, 2'd0} ? first_q : {group_q, 2'd0};
    wire takes_as_told = (taker.waiting_q == waits_q) & (taker.reading_q == reads_q) & (taker_taking == taking) & ~(waits_q & reads_q)
        & (~taking | ((taker_taken_set == take_set_q) & sets.taken_row_q))
        & (~waits_q | ((taker.taken_count_q == take_count_q) & (take_count_q >= 1) & (take_count_q <= 32)
            & (sets_taken_occupancy == elements_taken)))
        & (~reads_q | ((taker.lowest_q == first_q) & (taker.behind_highest_q == end_q) & (taker_group == group_q) & (first_q < end_q)
            & (elements_taken == first_q)
            & (end_q <= 32) & ({group_q, 2'd0} < end_q) & (group_end > first_q)))
        & (left_q == (reads_q ? end_q - from : 0)) & (settles_q != 3) & (~taking | (settles_q == 0))
        & (taker.settles_q == (settles_q == 2)) & (taker.busy_q == (taking | (settles_q != 0)));
    // invariant beats: A beat is as it was read.
    wire beats = (beat_valid == beat_q) & (~beat_q | ((beat_mask == mask_q) & (beat_last == last_q) & (mask_q != 0)))
        & (~(beat_q & last_q) | (left_q == 0)) & (~beat_q | (settles_q == (last_q ? 2 : 0))) & (~beat_q | last_q | reads_q);
    // invariant occupancies: The unit knows the elements of each set.
    wire occupancies = ~sets.started_q | (sets.occupancy_q == elements_q);
    // invariant fits: No set has more than 32 elements.
    wire fits = fit;
    // invariant pairs: Two sets have the elements of each.
    wire pairs = pairs_fit;
    // invariant sums: The unit knows the elements of all sets.
    wire sums = (count == in_sets_q) & (in_sets_q == sum_of_pairs);
    // invariant homes: The unit knows of the set of stage 2 how many elements it has, and whether it is being taken.
    wire homes = ~in_2 | ((sets.occupancy_of_set_q == elements_home) & (~taking | (filtering.home_is_taken == (home == take_set_q))));
    // invariant flights: The unit has the elements in flight, and knows their sets.
    wire [5*24-1:0] flight_indices = filtering.index_q;
    wire [5*32-1:0] flight_secondaries = filtering.secondary_q;
    wire [5*24-1:0] flight_positions = filtering.position_q;
    wire [5*SET-1:0] flight_sets = filtering.set_q;
    wire [5*5-1:0] flight_slots = filtering.slot_q;
    reg as_they_came;
    integer w;
    always @(*) begin
        as_they_came = 1;
        for (w = 2; w <= 6; w = w + 1) as_they_came = as_they_came & (~flight_q[w] | ({flight_indices[24*(w-2) +: 24],
            flight_secondaries[32*(w-2) +: 32], flight_positions[24*(w-2) +: 24]} == flight_words_q[WORD*(w-1) +: 80]));
        for (w = 1; w <= 5; w = w + 1)
            as_they_came = as_they_came & (~flight_q[w] | (flight_sets[SET*(w-1) +: SET] == flight_words_q[WORD*(w-1)+80 +: SET]));
    end
    wire adds_before = filter_before_q == 2;
    wire [SET-1:0] fset_2 = flight_words_q[WORD*1+80 +: SET];
    wire [SET-1:0] fset_3 = flight_words_q[WORD*2+80 +: SET];
    wire [SET-1:0] fset_5 = flight_words_q[WORD*4+80 +: SET];
    wire [SET-1:0] fset_6 = flight_words_q[WORD*5+80 +: SET];
    wire flights = (filtering.valid_q == flight_q) & (~flight_q[1] | (filtering.word_1_q == flight_words_q[79:0])) & as_they_came
        & (adds_before ? (~flight_q[5] | (filtering.next_ending_set_q == fset_5)) & (~flight_q[6] | (filtering.ending_set_q == fset_6))
            : (~flight_q[2] | (filtering.next_ending_set_q == fset_2)) & (~flight_q[3] | (filtering.ending_set_q == fset_3)));
    // invariant flight_counts: The unit knows how many elements the sets have that those in flight go to.
    wire [4*6-1:0] flight_occupancies = sets.occupancy_of_flight_q;
    reg flight_counts_fit;
    integer o;
    always @(*) begin
        flight_counts_fit = 1;
        for (o = 1; o <= 4; o = o + 1) flight_counts_fit = flight_counts_fit & (~flight_q[o] | (flight_occupancies[6*(o-1) +: 6]
            == elements_q[6*flight_words_q[WORD*(o-1)+80 +: SET] +: 6]));
    end
    wire flight_counts = flight_counts_fit & (adds_before
        ? (~flight_q[5] | (sets.occupancy_of_next_ending_flight_q == elements_q[6*fset_5 +: 6]))
            & (~flight_q[6] | (sets.occupancy_of_ending_flight_q == elements_q[6*fset_6 +: 6]))
        : (~flight_q[2] | (sets.occupancy_of_next_ending_flight_q == elements_q[6*fset_2 +: 6]))
            & (~flight_q[3] | (sets.occupancy_of_ending_flight_q == elements_q[6*fset_3 +: 6])));
    wire [6:1] same_index = filtering.same_index_q;
    wire [6:1] same_set = filtering.same_set_q;
    wire [6:1] on_taken = filtering.on_taken_q;
    reg [6:1] index_compared;
    reg set_compared;
    reg taken_compared;
    integer m;
    always @(*) begin
        {index_compared, set_compared, taken_compared} = 8'hff;
        for (m = 1; m <= 6; m = m + 1) begin
            if (in_2 & ((m > 1) | flight_q[m])) begin
                index_compared[m] = same_index[m] == (flight_q[m] & (flight_words_q[WORD*(m-1)+56 +: 24] == word_2[79:56]));
                set_compared = set_compared
                    & (same_set[m] == (flight_q[m] & (flight_words_q[WORD*(m-1)+80 +: SET] == home) & ((m < 3) | ~found[m < 3 ? 3 : m])));
            end
            if (taking & ((m > 1) | flight_q[m])) taken_compared = taken_compared
                & (on_taken[m] == (flight_q[m] & (flight_words_q[WORD*(m-1)+80 +: SET] == take_set_q)));
        end
    end
    // invariant compared_1: The unit knows whether flight 1 has the index of stage 2.
    wire compared_1 = index_compared[1];
    // invariant compared_2: The unit knows whether flight 2 has the index of stage 2.
    wire compared_2 = index_compared[2];
    // invariant compared_3: The unit knows whether flight 3 has the index of stage 2.
    wire compared_3 = index_compared[3];
    // invariant compared_4: The unit knows whether flight 4 has the index of stage 2.
    wire compared_4 = index_compared[4];
    // invariant compared_5: The unit knows whether flight 5 has the index of stage 2.
    wire compared_5 = index_compared[5];
    // invariant compared_6: The unit knows whether flight 6 has the index of stage 2.
    wire compared_6 = index_compared[6];
    // invariant compared_sets: The unit knows which of those in flight may be appended to the set of stage 2.
    wire compared_sets = set_compared;
    // invariant compared_taken: The unit knows which of those in flight are on the set that is taken.
    wire compared_taken = taken_compared & (~reads_q | ~taken_flies);
    // invariant room: A set has free slots for all elements in flight that may be appended to it.
    reg has_room;
    reg [5:0] claims;
    integer r;
    integer q;
    always @(*) begin
        has_room = 1;
        for (r = 0; r < N; r = r + 1) begin
            claims = elements_q[6*r +: 6];
            for (q = 1; q <= 6; q = q + 1)
                claims = claims + (flight_q[q] & (flight_words_q[WORD*(q-1)+80 +: SET] == r) & ((q == 1) | ~found[q == 1 ? 2 : q]));
            has_room = has_room & (claims <= 32);
        end
    end
    wire room = has_room;
    // invariant keeps: With the minimum a slot may keep what it has; it is one that has the index.
    wire keeps = (~(flight_q[3] & ~adds_before & filtering.slot_keeps_3_q) | found[3])
        & (~(flight_q[6] & adds_before) | ~filtering.slot_keeps_3_q);
