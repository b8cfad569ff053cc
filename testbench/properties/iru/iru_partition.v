    // memories: one word
    wire [3:0] stages_of = {each_bank[1].bank.intake.stage_valid_q, each_bank[0].bank.intake.stage_valid_q};
    wire [1:0] filters_of = {each_bank[1].bank.intake.filters, each_bank[0].bank.intake.filters};
    wire [3:0] homes_of = {each_bank[1].bank.intake_home_set, each_bank[0].bank.intake_home_set};
    wire [1:0] leaves_of = {each_bank[1].bank.port_leaves, each_bank[0].bank.port_leaves};
    wire [1:0] enters_of = {each_bank[1].bank.port_enters, each_bank[0].bank.port_enters};
    wire [1:0] grows_of = {each_bank[1].bank.port_grow, each_bank[0].bank.port_grow};
    wire [1:0] shrinks_of = {each_bank[1].bank.taker_shrink, each_bank[0].bank.taker_shrink};
    wire [11:0] shrunk_by = {each_bank[1].bank.taker_shrink_by, each_bank[0].bank.taker_shrink_by};
    wire [11:0] flights_of = {each_bank[1].bank.filtering.valid_q, each_bank[0].bank.filtering.valid_q};
    wire [9:0] found_of = {each_bank[1].bank.filtering.found_q, each_bank[0].bank.filtering.found_q};
    wire [19:0] sets_of = {each_bank[1].bank.filtering.set_q, each_bank[0].bank.filtering.set_q};
    wire [3:0] written_of = {each_bank[1].bank.port_write_set, each_bank[0].bank.port_write_set};
    wire [1:0] ends_of = {each_bank[1].bank.filtering.flight_ends, each_bank[0].bank.filtering.flight_ends};
    wire [1:0] merges_of = {each_bank[1].bank.filtering.merges, each_bank[0].bank.filtering.merges};
    wire [3:0] ending_of = {each_bank[1].bank.filtering.ending_set_q, each_bank[0].bank.filtering.ending_set_q};
    wire [3:0] next_ending_of = {each_bank[1].bank.filtering.next_ending_set_q, each_bank[0].bank.filtering.next_ending_set_q};
    wire [11:0] same_set_of = {each_bank[1].bank.filtering.same_set_q, each_bank[0].bank.filtering.same_set_q};
    wire [11:0] on_taken_of = {each_bank[1].bank.filtering.on_taken_q, each_bank[0].bank.filtering.on_taken_q};
    wire [1:0] home_is_taken_of = {each_bank[1].bank.filtering.home_is_taken, each_bank[0].bank.filtering.home_is_taken};
    wire [47:0] row_of = {each_bank[1].bank.sets.occupancy_q, each_bank[0].bank.sets.occupancy_q};
    wire [1:0] started_of = {each_bank[1].bank.sets.started_q, each_bank[0].bank.sets.started_q};
    wire [11:0] at_home_of = {each_bank[1].bank.sets.occupancy_of_set_q, each_bank[0].bank.sets.occupancy_of_set_q};
    wire [47:0] at_flights_of = {each_bank[1].bank.sets.occupancy_of_flight_q, each_bank[0].bank.sets.occupancy_of_flight_q};
    wire [11:0] at_ending_of = {each_bank[1].bank.sets.occupancy_of_ending_flight_q, each_bank[0].bank.sets.occupancy_of_ending_flight_q};
    wire [11:0] at_next_of = {each_bank[1].bank.sets.occupancy_of_next_ending_flight_q, each_bank[0].bank.sets.occupancy_of_next_ending_flight_q};
    wire [11:0] at_taken_of = {each_bank[1].bank.sets.taken_occupancy, each_bank[0].bank.sets.taken_occupancy};
    wire [1:0] taken_row_of = {each_bank[1].bank.sets.taken_row_q, each_bank[0].bank.sets.taken_row_q};
    wire [47:0] shrunk_row_of = {each_bank[1].bank.sets.shrunk_in_row_q, each_bank[0].bank.sets.shrunk_in_row_q};
    wire [1:0] grew_of = {each_bank[1].bank.sets.grew_q, each_bank[0].bank.sets.grew_q};
    wire [1:0] shrank_of = {each_bank[1].bank.sets.shrank_q, each_bank[0].bank.sets.shrank_q};
    wire [3:0] grown_set_of = {each_bank[1].bank.sets.grown_set_q, each_bank[0].bank.sets.grown_set_q};
    wire [11:0] grown_count_of = {each_bank[1].bank.sets.grown_count_q, each_bank[0].bank.sets.grown_count_q};
    wire [11:0] best_0_of = {each_bank[1].bank.sets.best_count_0_q, each_bank[0].bank.sets.best_count_0_q};
    wire [3:0] best_place_of = {each_bank[1].bank.sets.best_place_0_q, each_bank[0].bank.sets.best_place_0_q};
    wire [1:0] waiting_of = {each_bank[1].bank.taker.waiting_q, each_bank[0].bank.taker.waiting_q};
    wire [1:0] reading_of = {each_bank[1].bank.taker.reading_q, each_bank[0].bank.taker.reading_q};
    wire [1:0] taking_of = {each_bank[1].bank.taker_taking, each_bank[0].bank.taker_taking};
    wire [3:0] taken_set_of = {each_bank[1].bank.taker_taken_set, each_bank[0].bank.taker_taken_set};
    wire [1:0] settles_of = {each_bank[1].bank.taker.settles_q, each_bank[0].bank.taker.settles_q};
    wire [1:0] busy_of = {each_bank[1].bank.taker.busy_q, each_bank[0].bank.taker.busy_q};
    wire [11:0] taken_count_of = {each_bank[1].bank.taker.taken_count_q, each_bank[0].bank.taker.taken_count_q};
    wire [11:0] lowest_of = {each_bank[1].bank.taker.lowest_q, each_bank[0].bank.taker.lowest_q};
    wire [11:0] behind_of = {each_bank[1].bank.taker.behind_highest_q, each_bank[0].bank.taker.behind_highest_q};
    wire [5:0] group_of = {each_bank[1].bank.taker_group, each_bank[0].bank.taker_group};
    wire [11:0] local_count_of = {each_bank[1].bank.local_queue.queue.control.count_q, each_bank[0].bank.local_queue.queue.control.count_q};
    wire [13:0] cw_count_of = {each_bank[1].bank.ring_queue_0.queue.control.count_q, each_bank[0].bank.ring_queue_0.queue.control.count_q};
    wire [13:0] ccw_count_of = {each_bank[1].bank.ring_queue_1.queue.control.count_q, each_bank[0].bank.ring_queue_1.queue.control.count_q};
    wire [1:0] local_head_of = {each_bank[1].bank.local_queue_head_valid, each_bank[0].bank.local_queue_head_valid};
    wire [3:0] ring_heads_of = {each_bank[1].bank.ring_queue_head_valid, each_bank[0].bank.ring_queue_head_valid};
    wire [5:0] takes_of = {each_bank[1].bank.intake_ccw_take, each_bank[1].bank.intake_cw_take, each_bank[1].bank.intake_local_take,
        each_bank[0].bank.intake_ccw_take, each_bank[0].bank.intake_cw_take, each_bank[0].bank.intake_local_take};
    // The replier.
    wire [1:0] takes = replier.control.takes_bank_q;
    wire draining = replier.control.draining_q;
    wire drained_bank = replier.control.bank_q;
    wire [1:0] drains = {draining & drained_bank, draining & ~drained_bank};
    wire works = replier.control.busy_q;
    wire head = replier.requests_head_valid;
    wire [5:0] lanes_left = replier.control.lanes_left;
    wire at_end = replier.control.at_end;
    wire [4:0] requests_count = replier.requests.control.count_q;

    // Contents of the partition, in this cycle and in those before.
    wire nothing = prefetcher_done & classifier_empty & stop_empty & (bank_idle == 3);
    wire none_in_sets = bank_count == 0;
    wire ring_comes = cw_in_valid | ccw_in_valid;
    reg [1:0] nothing_q;
    reg [1:0] none_in_sets_q;
    reg [1:0] ring_comes_q;
    reg [1:0] started_q;
    reg quiet_q;
    reg vacant_q;
    reg ended_q;
    reg [3:0] rested_q;
    reg [4:0] inside_q;
    reg room_before_q;
    reg [1:0] shrank_before_q;
    reg knows_own_q;
    reg own_q;
    wire own = knows_own_q ? own_q : partition;
    wire is_mine = token_in_valid & (token_in_destination == partition);
    wire comes_from_core = request_valid & request_ready;
    wire request_waits = ~request_ready;
    always @(posedge clock) begin
        nothing_q <= reset ? 0 : {nothing_q[0], nothing};
        none_in_sets_q <= reset ? 0 : {none_in_sets_q[0], none_in_sets};
        ring_comes_q <= reset ? 0 : {ring_comes_q[0], ring_comes};
        started_q <= reset ? 0 : {started_q[0], start};
        {quiet_q, vacant_q} <= reset ? 0 : {quiet, vacant};
        ended_q <= ~reset & ~start & (at_end | ended_q);
        rested_q <= reset | start | ~(ending & all_empty) ? 0 : rested_q + (rested_q != 8);
        inside_q <= reset ? 0 : inside_q + (is_mine | request_waits) - replier.control_head_take;
        room_before_q <= reset | replier_beat_room;
        shrank_before_q <= reset ? 0 : shrank_of;
        {knows_own_q, own_q} <= {~reset, own};
    end

    // assumption partition_stays: The own partition is a constant outside reset.
    wire partition_stays = partition == own;
    // assumption owed: Memory brings only sectors that were asked for: a prefetcher that is done has none to read, and none to ask for.
    wire owed = ~prefetcher_done | ~(prefetcher.control.group_there | prefetcher.control.secondary_waits_q);
    // assumption requests_fit: All cores together have at most as many requests on their way as the queue has entries.
    wire requests_fit = inside_q + request_waits + is_mine + comes_from_core <= `REQUESTS;
    // assumption ends_when_quiet: `ending` and `all_empty` tell that this partition was quiet, or vacant, in the cycle before.
    wire ends_when_quiet = (~ending | quiet_q) & (~all_empty | vacant_q);
    // assumption none_comes: No element comes on the ring in the two cycles before `ending` counts, and from then on until the next start.
    wire none_comes = ~(at_end | ended_q) | ~(ring_comes | (ring_comes_q != 0));
    // assumption starts_at_rest: A start comes behind eight cycles of `ending` and `all_empty`, while no request is inside; its filter is 0, 1 or 2.
    wire starts_at_rest = ~start | ((rested_q == 8) & (inside_q == 0) & request_ready & (filter != 3));

    // Bank by bank.
    wire [1:0] rows_fit, at_home, at_flight, at_end_of_flight, filters_stay, ways_known, room;
    wire [1:0] taken_known, taken_at, take_goes, best_is_there, complete_is_there, halves, sums, started;
    generate
        genvar b;
        for (b = 0; b < 2; b = b + 1) begin : of_bank
            wire [23:0] row = row_of[24*b +: 24];
            wire in_2 = stages_of[2*b + 1];
            wire [1:0] home = homes_of[2*b +: 2];
            wire [6:1] flight = flights_of[6*b +: 6];
            wire [6:2] found = found_of[5*b +: 5];
            wire [1:0] ending_set = ending_of[2*b +: 2];
            wire [1:0] next_ending = next_ending_of[2*b +: 2];
            wire adds = state_filter[1];
            wire [11:0] flight_sets = {ending_set, sets_of[10*b +: 10]};
            wire [1:0] taken_set = taken_set_of[2*b +: 2];
            wire taking = taking_of[b];
            wire [5:0] at_taken = row[6*taken_set +: 6];
            wire [5:0] lowest = lowest_of[6*b +: 6];
            wire [5:0] behind = behind_of[6*b +: 6];
            wire [5:0] group_end = {1'b0, group_of[3*b +: 3], 2'd0} + 6'd4;
            assign started[b] = started_of[b] | ((stages_of[2*b +: 2] == 0) & (flight == 0) & ~taking & ~takes[b] & ~head & (bank_count[8*b +: 8] == 0) & ~busy_of[b]
                & ~grew_of[b] & ~shrank_of[b] & ~shrank_before_q[b] & (bank_best_count[6*b +: 6] == 0) & (best_0_of[6*b +: 6] == 0) & ~bank_complete_valid[b]
                & (local_count_of[6*b +: 6] == 0) & (cw_count_of[7*b +: 7] == 0) & (ccw_count_of[7*b +: 7] == 0) & ~local_head_of[b] & (ring_heads_of[2*b +: 2] == 0));
            assign rows_fit[b] = ~started_of[b] | ((row[5:0] <= 32) & (row[11:6] <= 32) & (row[17:12] <= 32) & (row[23:18] <= 32));
            assign at_home[b] = ~in_2 | (at_home_of[6*b +: 6] == row[6*home +: 6]);
            assign filters_stay[b] = ((filters_of[b] == (state_filter != 0)) | bank_idle[b]) & ((flight == 0) | (state_filter == 1) | (state_filter == 2))
                & ((flight[6:4] == 0) | (state_filter == 2));
            reg flights_known, all_known, all_taken_known, has_room;
            reg [5:0] claims;
            integer f, r;
            always @(*) begin
                {flights_known, all_known, all_taken_known, has_room} = 4'hf;
                for (f = 1; f <= 4; f = f + 1)
                    flights_known = flights_known & (~flight[f] | (at_flights_of[24*b + 6*(f-1) +: 6] == row[6*flight_sets[2*(f-1) +: 2] +: 6]));
                for (f = 1; f <= 6; f = f + 1) begin
                    if (in_2 & ((f > 1) | flight[f])) all_known = all_known
                        & (same_set_of[6*b + f - 1] == (flight[f] & (flight_sets[2*(f-1) +: 2] == home) & ((f < 3) | ~found[f < 3 ? 3 : f])));
                    if (taking & ((f > 1) | flight[f])) all_taken_known = all_taken_known
                        & (on_taken_of[6*b + f - 1] == (flight[f] & (flight_sets[2*(f-1) +: 2] == taken_set)));
                    if (reading_of[b] & flight[f]) all_taken_known = all_taken_known & (flight_sets[2*(f-1) +: 2] != taken_set);
                end
                for (r = 0; r < 4; r = r + 1) begin
                    claims = row[6*r +: 6];
                    for (f = 1; f <= 6; f = f + 1)
                        claims = claims + (flight[f] & (flight_sets[2*(f-1) +: 2] == r) & ((f == 1) | ~found[f == 1 ? 2 : f]));
                    has_room = has_room & (claims <= 32);
                end
            end
            assign at_flight[b] = flights_known;
            assign at_end_of_flight[b] = adds
                ? (~flight[5] | ((next_ending == flight_sets[9:8]) & (at_next_of[6*b +: 6] == row[6*next_ending +: 6])))
                    & (~flight[6] | (at_ending_of[6*b +: 6] == row[6*ending_set +: 6]))
                : (~flight[2] | ((next_ending == flight_sets[3:2]) & (at_next_of[6*b +: 6] == row[6*next_ending +: 6])))
                    & (~flight[3] | ((ending_set == flight_sets[5:4]) & (at_ending_of[6*b +: 6] == row[6*ending_set +: 6])));
            assign ways_known[b] = all_known;
            assign room[b] = ~started_of[b] | has_room;
            assign taken_known[b] = all_taken_known & (~(taking & in_2) | (home_is_taken_of[b] == (home == taken_set)));
            assign taken_at[b] = ~taking | (taken_row_of[b] & (waiting_of[b] ? at_taken_of[6*b +: 6] == at_taken : at_taken == lowest));
            assign take_goes[b] = (taking == (waiting_of[b] | reading_of[b])) & ~(waiting_of[b] & reading_of[b])
                & (~waiting_of[b] | ((taken_count_of[6*b +: 6] >= 1) & (taken_count_of[6*b +: 6] <= 32) & (at_taken != 0)))
                & (~reading_of[b] | ((lowest < behind) & (behind <= 32) & ({1'b0, group_of[3*b +: 3], 2'd0} < behind) & (group_end > lowest)))
                & (~taking | ~settles_of[b]) & (busy_of[b] | ~(taking | settles_of[b]));
            wire [5:0] best_0 = best_0_of[6*b +: 6];
            wire [5:0] best = bank_best_count[6*b +: 6];
            wire [5:0] at_best_0 = row[6*best_place_of[2*b +: 2] +: 6];
            wire [5:0] at_best = row[6*bank_best_set[2*b +: 2] +: 6];
            wire [5:0] at_grown = row[6*grown_set_of[2*b +: 2] +: 6];
            assign best_is_there[b] = (best_0 <= 32) & (best <= 32) & (~shrank_of[b] | (shrunk_row_of[24*b +: 24] == row))
                & (~grew_of[b] | ((grown_count_of[6*b +: 6] != 0) & (grown_count_of[6*b +: 6] <= 32) & (shrank_of[b] | (at_grown != 0))))
                & ((best_0 == 0) | shrank_of[b] | (at_best_0 != 0)) & ((best == 0) | shrank_of[b] | shrank_before_q[b] | (at_best != 0))
                & (busy_of[b] | ~(shrank_of[b] | shrank_before_q[b])) & (taking | ~shrank_of[b]) & (~(taking & ~reading_of[b]) | ~(shrank_of[b] | shrank_before_q[b]))
                & (~shrank_before_q[b] | reading_of[b] | settles_of[b]);
            assign complete_is_there[b] = ~bank_complete_valid[b] | busy_of[b] | (row[6*bank_complete_set[2*b +: 2] +: 6] == 32);
            reg [6:0] lower_q, upper_q;
            wire [5:0] less = shrinks_of[b] ? shrunk_by[6*b +: 6] : 6'd0;
            always @(posedge clock) begin
                lower_q <= reset ? 0 : lower_q + (grows_of[b] & ~written_of[2*b + 1]) - (taken_set[1] ? 6'd0 : less);
                upper_q <= reset ? 0 : upper_q + (grows_of[b] & written_of[2*b + 1]) - (taken_set[1] ? less : 6'd0);
            end
            assign halves[b] = ~started_of[b] | ((lower_q == row[5:0] + row[11:6]) & (upper_q == row[17:12] + row[23:18]));
            assign sums[b] = bank_count[8*b +: 8] == lower_q + upper_q;
        end
    endgenerate
    // invariant sets_start: Nothing is in a bank before its sets are empty, in the first cycle behind a reset.
    wire sets_start = &started;
    // invariant sets_fit: No set has more than 32 elements.
    wire sets_fit = &rows_fit;
    // invariant knows_home: A bank knows how many elements are in the set that its stage 2 goes to.
    wire knows_home = &at_home;
    // invariant knows_flights: It knows the same of the sets that those in flight go to.
    wire knows_flights = &at_flight;
    // invariant knows_ends: It knows the same of the flights that end.
    wire knows_ends = &at_end_of_flight;
    // invariant same_filter: The filter stays while a bank holds an element on its way.
    wire same_filter = (&filters_stay) & (state_filter != 3);
    // invariant knows_same: A bank knows which of those in flight may be appended to the set of stage 2.
    wire knows_same = &ways_known;
    // invariant has_slots: A set has free slots for all elements in flight that may be appended to it.
    wire has_slots = &room;
    // invariant knows_taken: A bank knows what is in flight on the set that is taken.
    wire knows_taken = &taken_known;
    // invariant knows_occupancy: It knows how many elements this set has.
    wire knows_occupancy = &taken_at;
    // invariant takes_some: Each take is of one to 32 elements, and of a set that has an element.
    wire takes_some = &take_goes;
    // invariant best_has_some: The fullest set of a bank that is not busy has an element.
    wire best_has_some = &best_is_there;
    // invariant complete_is_full: The complete set of a bank that is not busy has 32 elements.
    wire complete_is_full = &complete_is_there;
    // invariant counts_halves_0: Each two sets of bank 0 have the elements that were appended and are not taken.
    wire counts_halves_0 = halves[0];
    // invariant counts_halves_1: And so have those of bank 1.
    wire counts_halves_1 = halves[1];
    // invariant counts_sets: `count` of a bank is the number of elements in its sets.
    wire counts_sets = &sums;
    // invariant told: `quiet` and `vacant` tell of the cycle before.
    wire told = (quiet == nothing_q[0]) & (vacant == none_in_sets_q[0]);
    // invariant told_before: And so did they in the cycle before.
    wire told_before = (~quiet_q | nothing_q[1]) & (~vacant_q | none_in_sets_q[1]);
    // invariant stays_empty: Where nothing was inside, nothing is in the next cycle, but for what comes on the ring or after a start.
    wire stays_empty = (~nothing_q[0] | started_q[0] | ring_comes_q[0] | (nothing & (none_in_sets | ~none_in_sets_q[0])));
    // invariant stays_empty_on: Nor in the one behind it.
    wire stays_empty_on = (~nothing_q[1] | (started_q != 0) | (ring_comes_q != 0) | (nothing & (none_in_sets | ~none_in_sets_q[1])));
    // invariant ends_empty: From `ending` on nothing is inside until the next start.
    wire ends_empty = ~ended_q | nothing;
    // invariant pauses: In the four cycles behind a start `ending` does not count.
    wire pauses = (~started_q[0] | (replier.control.start_pause_q == 4)) & (~started_q[1] | (replier.control.start_pause_q >= 3));
    wire [3:0] start_pause = replier.control.start_pause_q;
    // invariant rests: At rest nothing is in the sets.
    wire rests = ((rested_q < 5) | (none_in_sets & nothing & ended_q)) & ((start_pause == 0) | (rested_q + start_pause <= 4));

    // invariant replier_works: The replier works for a request that has lanes left.
    wire [5:0] lanes_taken = replier.control.take_count_q;
    wire replier_works = (works == (|takes | draining)) & ~(|takes & draining) & (takes != 3) & (~works | head)
        & (~works | ((lanes_taken >= 1) & (lanes_taken <= lanes_left) & (replier.control.takes_rest_q == (lanes_taken == lanes_left))))
        & (~replier.control.served_q | (head & (replier.control.lanes_rest_q >= 1) & (replier.control.lanes_rest_q <= 32)))
        & (~|takes | (takes == (drained_bank ? 2 : 1)));
    // invariant takes_when_ready: A bank gets a take only while it is ready, and of a set that has an element.
    wire [5:0] at_take_0 = row_of[6*replier.control.take_set_q +: 6];
    wire [5:0] at_take_1 = row_of[24 + 6*replier.control.take_set_q +: 6];
    wire takes_when_ready = ((takes & busy_of) == 0) & (~takes[0] | (at_take_0 != 0)) & (~takes[1] | (at_take_1 != 0));
    // invariant one_bank: A bank is being taken, or shows a beat, exactly while the replier drains it.
    wire one_bank = (((taking_of | bank_beat_valid) ^ drains) == 0)
        & (settles_of == (bank_beat_valid & bank_beat_last)) & ((bank_beat_valid & ~bank_beat_last & ~reading_of) == 0);
    // invariant welcome: A beat comes only in the cycle behind one with `beat_room`.
    wire welcome = room_before_q | (bank_beat_valid == 0);
    // invariant replies_fit: The reply FIFO has three beats at most, and the places of its oldest one and of the next one differ by them.
    wire [2:0] beats = replier.fifo.control.beats_q;
    wire replies_fit = (beats <= (room_before_q ? 2 : 3)) & (replier.fifo.control.two_or_more_q == (beats > 1))
        & (((replier.fifo.control.tail_q - replier.fifo.control.head_q - beats) & 3) == 0);
    // invariant requests_counted: The queue of requests counts them, and has room for all.
    wire requests_counted = (requests_count + head == inside_q) & (requests_count <= `REQUESTS) & (inside_q <= `REQUESTS) & ((requests_count <= 1) | head);

    // A request that is old enough is served.
    wire waits = head & ~works;
    wire is_hungry = waits & (replier.control.age_q == `TIMEOUT) & (row_of != 0) & ~replier.control.takes & ~replier.control_head_take;
    wire [7:0] full_sets = {row_of[47], row_of[41], row_of[35], row_of[29], row_of[23], row_of[17], row_of[11], row_of[5]};
    wire has_waited = waits & (full_sets != 0) & ~replier.control.takes & ~replier.control_head_take;
    reg [1:0] hungry_q;
    reg [1:0] full_q;
    reg [7:0] waited_q;
    always @(posedge clock) begin
        hungry_q <= reset | ~is_hungry ? 0 : hungry_q + (hungry_q != 3);
        full_q <= reset | ~has_waited ? 0 : full_q + (full_q != 3);
        waited_q[3:0] <= reset | ~(waiting_of[0] & ~shrinks_of[0]) ? 0 : waited_q[3:0] + (waited_q[3:0] != 15);
        waited_q[7:4] <= reset | ~(waiting_of[1] & ~shrinks_of[1]) ? 0 : waited_q[7:4] + (waited_q[7:4] != 15);
    end
    wire [1:0] best_found, flown;
    generate
        genvar h;
        for (h = 0; h < 2; h = h + 1) begin : of_hungry
            wire [3:0] cycles = waited_q[4*h +: 4];
            wire [11:0] flight_sets = {ending_of[2*h +: 2], sets_of[10*h +: 10]};
            assign best_found[h] = ~started_of[h] | (row_of[24*h +: 24] == 0) | (best_0_of[6*h +: 6] != 0) | grew_of[h] | shrank_of[h];
            reg none;
            integer m;
            always @(*) begin
                none = 1;
                for (m = 1; m <= 6; m = m + 1) none = none & (~flights_of[6*h + m - 1] | (cycles < m) | (flight_sets[2*(m-1) +: 2] != taken_set_of[2*h +: 2]));
            end
            assign flown[h] = (cycles == 0) | (waiting_of[h] & (cycles <= 6) & none);
        end
    endgenerate
    // invariant finds_best: A bank with an element in its sets finds a fullest set in the cycle behind.
    wire finds_best = &best_found;
    // invariant old_is_served: Once a request has waited for the timeout, while an element is in the sets, the replier takes for it, or passes it on, within two cycles.
    wire old_is_served = (hungry_q <= 2) & ((hungry_q == 0) | ((busy_of == 0) & (best_0_of != 0))) & ((hungry_q != 2) | (bank_best_count != 0));
    // invariant full_is_taken: While a set is full, the replier takes for a waiting request, or passes it on, within one cycle.
    wire full_is_taken = (full_q <= 1) & ((full_q == 0) | ((busy_of == 0) & (bank_complete_valid != 0)));
    // invariant take_starts: A take waits for at most six cycles for what is in flight on its set.
    wire take_starts = &flown;

    // The ledger: elements by their places, as they come and go.
    function [3:0] ones(input [7:0] bits);
        ones = bits[0] + bits[1] + bits[2] + bits[3] + bits[4] + bits[5] + bits[6] + bits[7];
    endfunction
    wire [3:0] group_in = prefetcher_group_valid & classifier_group_ready ? prefetcher_group_count : 4'd0;
    wire [3:0] sent = {classifier_ccw_valid & stop_ccw_local_ready, classifier_cw_valid & stop_cw_local_ready, classifier_bank_valid & bank_local_ready};
    wire [1:0] arrives = {ccw_in_valid & ccw_in_ready, cw_in_valid & cw_in_ready};
    wire [1:0] goes_on = {ccw_out_valid & ccw_out_ready, cw_out_valid & cw_out_ready};
    wire [3:0] homes = {stop_ccw_bank_valid & bank_ccw_ready, stop_cw_bank_valid & bank_cw_ready};
    wire [3:0] fills = {classifier.control.fills_ccw, classifier.control.fills_cw, classifier.control.fills_bank};
    wire [7:0] present = classifier.control.present_q;
    wire group_waits = classifier.control.group_waits_q;
    wire [2:0] beat_0 = bank_beat_valid[0] ? ones(bank_beat_mask[3:0]) : 3'd0;
    wire [2:0] beat_1 = bank_beat_valid[1] ? ones(bank_beat_mask[7:4]) : 3'd0;
    wire [3:0] fifo_mask = replier.fifo.control.mask_of_bank [3:0] | replier.fifo.control.mask_of_bank [7:4];
    wire pushes = replier.fifo.control.beat_comes;
    wire [2:0] pushed = pushes ? ones(fifo_mask) : 3'd0;
    wire [2:0] replied = reply_valid & reply_ready ? ones(reply_mask) : 3'd0;
    wire [1:0] came_0 = sent[0] + homes[0] + homes[2];
    wire [1:0] came_1 = sent[1] + homes[1] + homes[3];
    wire [2:0] left_bank_0 = merged[0] + beat_0;
    wire [2:0] left_bank_1 = merged[1] + beat_1;
    wire [2:0] left_way_0 = goes_on[0] + homes[0] + homes[1];
    wire [2:0] left_way_1 = goes_on[1] + homes[2] + homes[3];
    wire [1:0] came_way_0 = arrives[0] + sent[2];
    wire [1:0] came_way_1 = arrives[1] + sent[3];
    wire [2:0] came_banks = came_0 + came_1;
    reg [3:0] staged_q;
    reg [7:0] ways_q;
    reg [5:0] classified_q;
    reg [6:0] way_0_q, way_1_q;
    reg [8:0] on_way_0_q, on_way_1_q;
    reg [5:0] out_0_q, out_1_q;
    reg [9:0] in_bank_0_q, in_bank_1_q;
    reg [11:0] in_banks_q;
    reg [4:0] replies_q;
    reg [11:0] whole_q;
    reg [8:0] front_q;
    reg [11:0] behind_q;
    reg [8:0] stored_0_q, stored_1_q;
    reg [15:0] masks_q;
    wire [1:0] goes_to_set = (leaves_of & ~enters_of) | ends_of;
    always @(posedge clock) begin
        if (reset) {staged_q, classified_q, way_0_q, way_1_q, on_way_0_q, on_way_1_q, out_0_q, out_1_q, in_bank_0_q, in_bank_1_q, in_banks_q, replies_q, whole_q} <= 0;
        if (reset) {ways_q, front_q, behind_q, stored_0_q, stored_1_q} <= 0;
        if (~reset) begin
            staged_q <= classifier.control.group_passes ? classifier.control.count_1_q : staged_q - ones(fills);
            classified_q <= classified_q + group_in - ones(sent);
            way_0_q <= way_0_q + came_way_0 - left_way_0;
            way_1_q <= way_1_q + came_way_1 - left_way_1;
            ways_q <= ways_q + came_way_0 + came_way_1 - left_way_0 - left_way_1;
            on_way_0_q <= on_way_0_q + came_0 - goes_to_set[0];
            on_way_1_q <= on_way_1_q + came_1 - goes_to_set[1];
            out_0_q <= out_0_q + shrunk_by[5:0] - beat_0;
            out_1_q <= out_1_q + shrunk_by[11:6] - beat_1;
            in_bank_0_q <= in_bank_0_q + came_0 - left_bank_0;
            in_bank_1_q <= in_bank_1_q + came_1 - left_bank_1;
            in_banks_q <= in_banks_q + came_0 + came_1 - left_bank_0 - left_bank_1;
            front_q <= front_q + group_in + arrives[0] + arrives[1] - goes_on[0] - goes_on[1] - came_banks;
            behind_q <= behind_q + came_banks - merged[0] - merged[1] - replied;
            stored_0_q <= stored_0_q + grows_of[0] - beat_0;
            stored_1_q <= stored_1_q + grows_of[1] - beat_1;
            replies_q <= replies_q + pushed - replied;
            whole_q <= whole_q + group_in + arrives[0] + arrives[1] - goes_on[0] - goes_on[1] - merged[0] - merged[1] - replied;
        end
        if (pushes) masks_q[4*replier.fifo.control.tail_q +: 4] <= fifo_mask;
    end
    // invariant homes_known: The classifier knows its own partition.
    wire homes_known = knows_own_q ? (classifier.control.homes_here_q == (own ? 2 : 1)) & (classifier.control.homes_cw_q == (own ? 0 : 2))
            & (classifier.control.homes_ccw_q == (own ? 1 : 0))
        : ~(group_waits | (present != 0) | (classifier_bank_valid != 0) | classifier_cw_valid | classifier_ccw_valid);
    // invariant in_stage: Stage 2 of the classifier has the elements of its group that did not leave.
    wire in_stage = (staged_q == ones(present)) & (~group_waits | (classifier.control.count_1_q <= 8)) & (~prefetcher_group_valid | (prefetcher_group_count <= 8));
    // invariant in_classifier: The classifier has the elements that came to it and did not leave.
    wire in_classifier = classified_q == (group_waits ? classifier.control.count_1_q : 0) + staged_q
        + ones({4'd0, classifier_ccw_valid, classifier_cw_valid, classifier_bank_valid});
    // invariant queues_fit: No queue between the parts has more elements than entries.
    wire [4:0] arrival_0 = stop.arrival_queue_0.queue.control.count_q;
    wire [4:0] arrival_1 = stop.arrival_queue_1.queue.control.count_q;
    wire [5:0] local_0 = stop.local_queue_0.queue.control.count_q;
    wire [5:0] local_1 = stop.local_queue_1.queue.control.count_q;
    wire queues_fit = (arrival_0 <= 16) & (arrival_1 <= 16) & (local_0 <= 32) & (local_1 <= 32)
        & (local_count_of[5:0] <= 32) & (local_count_of[11:6] <= 32) & (cw_count_of[6:0] <= 64) & (cw_count_of[13:7] <= 64)
        & (ccw_count_of[6:0] <= 64) & (ccw_count_of[13:7] <= 64);
    // invariant in_way_0: The ring stop has the elements of way cw that came to it and did not leave.
    wire in_way_0 = way_0_q == arrival_0 + local_0 + ones({stop.arrival_queue_head_valid[0], stop.local_queue_head_valid[0], stop.way_0.stage_valid_q, cw_out_valid,
        stop_cw_bank_valid});
    // invariant in_way_1: And those of way ccw.
    wire in_way_1 = way_1_q == arrival_1 + local_1 + ones({stop.arrival_queue_head_valid[1], stop.local_queue_head_valid[1], stop.way_1.stage_valid_q, ccw_out_valid,
        stop_ccw_bank_valid});
    // invariant keeps: With the minimum a slot keeps what it has only if it has the index.
    wire [1:0] slot_keeps = {each_bank[1].bank.filtering.slot_keeps_3_q, each_bank[0].bank.filtering.slot_keeps_3_q};
    wire keeps = ((slot_keeps & {flights_of[8], flights_of[2]} & ~{2{state_filter[1]}} & ~{found_of[6], found_of[1]}) == 0)
        & ((slot_keeps & {flights_of[11], flights_of[5]} & {2{state_filter[1]}}) == 0);
    wire [1:0] queued, ring_queued, all_queued, one_leaves, staged;
    wire [17:0] on_way;
    generate
        genvar w;
        for (w = 0; w < 2; w = w + 1) begin : of_way
            reg [6:0] local_q, cw_q, ccw_q;
            reg [3:0] past_q;
            reg [7:0] rings_q;
            reg [8:0] waiting_q;
            always @(posedge clock) begin
                if (reset) {local_q, cw_q, ccw_q, past_q, rings_q, waiting_q} <= 0;
                else begin
                    local_q <= local_q + sent[w] - takes_of[3*w];
                    cw_q <= cw_q + homes[w] - takes_of[3*w + 1];
                    ccw_q <= ccw_q + homes[2 + w] - takes_of[3*w + 2];
                    rings_q <= rings_q + homes[w] + homes[2 + w] - takes_of[3*w + 1] - takes_of[3*w + 2];
                    waiting_q <= waiting_q + sent[w] + homes[w] + homes[2 + w] - (takes_of[3*w +: 3] != 0);
                    past_q <= past_q + (takes_of[3*w +: 3] != 0) - goes_to_set[w];
                end
            end
            assign queued[w] = (local_q == local_count_of[6*w +: 6] + local_head_of[w]) & (cw_q == cw_count_of[7*w +: 7] + ring_heads_of[2*w])
                & (ccw_q == ccw_count_of[7*w +: 7] + ring_heads_of[2*w + 1]);
            assign one_leaves[w] = takes_of[3*w] + takes_of[3*w + 1] + takes_of[3*w + 2] <= 1;
            assign staged[w] = past_q == ones({stages_of[2*w +: 2], flights_of[6*w +: 6]});
            assign ring_queued[w] = rings_q == cw_q + ccw_q;
            assign all_queued[w] = waiting_q == rings_q + local_q;
            assign on_way[9*w +: 9] = waiting_q + past_q;
        end
    endgenerate
    // invariant in_queues: Each queue of a bank has the elements that came to it and did not leave.
    wire in_queues = &queued;
    // invariant in_ring_queues: And so have both for the ring.
    wire in_ring_queues = &ring_queued;
    // invariant in_all_queues: And so have all three, of which one gives an element at most.
    wire in_all_queues = (&all_queued) & (&one_leaves);
    // invariant in_stages: Stages and flight of a bank have those that left the queues and did not come to a set.
    wire in_stages = &staged;
    // invariant on_way_0: Bank 0 has as many elements on their way as came to it and did not come to a set.
    wire on_way_0 = on_way_0_q == on_way[8:0];
    // invariant on_way_1: And so has bank 1.
    wire on_way_1 = on_way_1_q == on_way[17:9];
    // invariant comes_out: What was taken out of a set is to be read, or on the pins.
    wire [5:0] group_0 = {1'b0, group_of[2:0], 2'd0};
    wire [5:0] group_1 = {1'b0, group_of[5:3], 2'd0};
    wire [5:0] left_0 = reading_of[0] ? behind_of[5:0] - (lowest_of[5:0] > group_0 ? lowest_of[5:0] : group_0) : 6'd0;
    wire [5:0] left_1 = reading_of[1] ? behind_of[11:6] - (lowest_of[11:6] > group_1 ? lowest_of[11:6] : group_1) : 6'd0;
    wire comes_out = (out_0_q == left_0 + beat_0) & (out_1_q == left_1 + beat_1);
    // invariant stored: A bank has what was appended and did not come out: in its sets, and of a take.
    wire stored = (stored_0_q == bank_count[7:0] + out_0_q) & (stored_1_q == bank_count[15:8] + out_1_q);
    // invariant in_bank_0: Bank 0 has the elements that came to it and neither left nor were merged.
    wire in_bank_0 = in_bank_0_q == on_way_0_q + merged[0] + stored_0_q;
    // invariant in_bank_1: And so has bank 1.
    wire in_bank_1 = in_bank_1_q == on_way_1_q + merged[1] + stored_1_q;
    // invariant in_banks: And both together.
    wire in_banks = in_banks_q == in_bank_0_q + in_bank_1_q;
    // invariant masks: The reply FIFO has the masks of its beats.
    wire [1:0] oldest = replier.fifo.control.head_q;
    wire [3:0] mask_0 = beats > 0 ? masks_q[4*oldest +: 4] : 4'd0;
    wire [1:0] second = oldest + 2'd1;
    wire [1:0] third = oldest + 2'd2;
    wire [3:0] mask_1 = beats > 1 ? masks_q[4*second +: 4] : 4'd0;
    wire [3:0] mask_2 = beats > 2 ? masks_q[4*third +: 4] : 4'd0;
    wire [1:0] place_kept = replier.fifo.sram.address_q - oldest;
    wire masks = ((beats == 0) | (reply_mask == mask_0)) & ((place_kept >= beats) | (replier.fifo.sram.word_q[19:16] == masks_q[4*replier.fifo.sram.address_q +: 4]));
    // choice keeps_masks: A memory keeps its words: another word of the reply FIFO than the one that is kept has the mask with which it was written.
    wire keeps_masks = replier.fifo.sram.any[19:16] == masks_q[4*replier.fifo.sram.read_addr +: 4];
    // invariant in_replies: The reply FIFO has the elements that came to it and did not leave.
    wire in_replies = replies_q == ones(mask_0) + ones(mask_1) + ones(mask_2);
    // invariant to_replier: All that banks show goes to the reply FIFO.
    wire to_replier = pushed == beat_0 + beat_1;
    // invariant in_ways: The ring stop has the elements of both ways.
    wire in_ways = ways_q == way_0_q + way_1_q;
    // invariant in_front: Classifier and ring stop have the elements that came to them and did not leave.
    wire in_front = front_q == classified_q + ways_q;
    // invariant in_back: Banks and reply FIFO have the elements that came to them and neither left nor were merged.
    wire in_back = behind_q == in_banks_q + replies_q;
    // invariant in_unit: Both have all elements that came by a group or on the ring, and neither left in a reply or on the ring nor were merged.
    wire in_unit = whole_q == front_q + behind_q;

    // invariant filter_rests: The filter changes only while the banks hold nothing and are ready for a take.
    reg [1:0] filter_before_q;
    always @(posedge clock) filter_before_q <= reset ? 0 : state_filter;
    wire filter_rests = (state_filter == filter_before_q) | ((bank_idle == 3) & (bank_take_ready == 3) & (bank_count == 0) & started_q[0]);
    // invariant array_settles: No group is on the pins in the cycle behind a start, in which the new array is first known.
    wire array_settles = ~started_q[0] | ~prefetcher_group_valid;

    wire [5:0] pushes_0 = {each_bank[0].bank.local_queue.queue.push , each_bank[0].bank.ring_queue_0.queue.push , each_bank[0].bank.ring_queue_1.queue.push ,
        each_bank[1].bank.local_queue.queue.push , each_bank[1].bank.ring_queue_0.queue.push , each_bank[1].bank.ring_queue_1.queue.push };
    wire [5:0] full_0 = {each_bank[0].bank.local_queue.queue.full , each_bank[0].bank.ring_queue_0.queue.full , each_bank[0].bank.ring_queue_1.queue.full ,
        each_bank[1].bank.local_queue.queue.full , each_bank[1].bank.ring_queue_0.queue.full , each_bank[1].bank.ring_queue_1.queue.full };
    wire [4:0] pushes_1 = {stop.arrival_queue_0.queue.push , stop.arrival_queue_1.queue.push , stop.local_queue_0.queue.push , stop.local_queue_1.queue.push ,
        replier.requests.push };
    wire [4:0] full_1 = {stop.arrival_queue_0.queue.full , stop.arrival_queue_1.queue.full , stop.local_queue_0.queue.full , stop.local_queue_1.queue.full ,
        replier.requests.full };
    wire [10:0] gives = {takes_of, stop.way_local_take, stop.way_ring_take, replier.control_head_take};
    wire [10:0] heads = {ring_heads_of[3:2], local_head_of[1], ring_heads_of[1:0], local_head_of[0], stop.local_queue_head_valid, stop.arrival_queue_head_valid, head};
    // property never_overflows: No queue gets an element or a request while it is full, or gives one while it has none.
    wire never_overflows = ((pushes_0 & full_0) == 0) & ((pushes_1 & full_1) == 0) & ((gives & ~heads) == 0);
    // property takes_in_turn: A bank gets a take only while it is ready; it shows a beat only while the replier drains it, and no two banks do in one cycle.
    wire takes_in_turn = ((replier_take & ~bank_take_ready) == 0) & ((bank_beat_valid & ~drains) == 0) & (bank_beat_valid != 3);
    // property finds_some: A take finds an element in its set when nothing is in flight on it any more.
    wire finds_some = (~shrinks_of[0] | (each_bank[0].bank.sets_taken_occupancy != 0)) & (~shrinks_of[1] | (each_bank[1].bank.sets_taken_occupancy != 0));
    // property replies_never_overflow: A beat comes to the reply FIFO only while it holds three at most.
    wire replies_never_overflow = ~pushes | (beats < 4);
    // property rules_of_parts: The filter changes only while banks hold nothing and are ready, and the array only while no group is on the pins.
    wire rules_of_parts = filter_rests & array_settles;

    // reached takes_for_old: A take comes for a request that has waited for the timeout.
    wire takes_for_old = (hungry_q != 0) & replier.control.takes;
