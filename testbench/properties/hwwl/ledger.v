    // Pins of the cycles before: the core is quiet, the hub offers an ID of the pull side.
    wire offers_pull = in_valid & (in_part == pull_part);
    reg quiet_before_q;
    reg [1:0] offered_pull_q;
    always @(posedge clock) begin
        quiet_before_q <= ~reset & quiet;
        offered_pull_q <= reset ? 0 : {offered_pull_q[0], offers_pull};
    end
    // assumption arrives_lower: An ID that arrives in single-buffer mode is for partition 0, and none is offered beside `configure`.
    wire arrives_lower = ~in_valid | ((double_mode | ~in_part) & ~configure);
    // assumption all_have_done: `all_done` in double-buffer mode, in a settled core: two cycles ago the core was quiet, and since then no ID of the pull side was offered to it.
    wire all_have_done = ~(all_done & double_mode & control.settled_before) | (quiet_before_q & ~offers_pull & (offered_pull_q == 0));

    // Registers of the banks.
    wire [47:0] taken_of = {each_bank[3].bank.occupancy_q, each_bank[2].bank.occupancy_q, each_bank[1].bank.occupancy_q, each_bank[0].bank.occupancy_q};
    wire [47:0] ids_of = {each_bank[3].bank.ids_q, each_bank[2].bank.ids_q, each_bank[1].bank.ids_q, each_bank[0].bank.ids_q};
    wire [7:0] has_of = {each_bank[3].bank.has_id_q, each_bank[2].bank.has_id_q, each_bank[1].bank.has_id_q, each_bank[0].bank.has_id_q};
    wire [3:0] modes_of = {each_bank[3].bank.double_mode_q, each_bank[2].bank.double_mode_q, each_bank[1].bank.double_mode_q, each_bank[0].bank.double_mode_q};
    wire [3:0] sides_of = {each_bank[3].bank.pull_side_q, each_bank[2].bank.pull_side_q, each_bank[1].bank.pull_side_q, each_bank[0].bank.pull_side_q};
    wire [3:0] pulled = {each_bank[3].bank.pull_done_q, each_bank[2].bank.pull_done_q, each_bank[1].bank.pull_done_q, each_bank[0].bank.pull_done_q};
    wire [3:0] popped = {each_bank[3].bank.wru_pop_done_q, each_bank[2].bank.wru_pop_done_q, each_bank[1].bank.wru_pop_done_q, each_bank[0].bank.wru_pop_done_q};
    wire [3:0] put = {each_bank[3].bank.wru_push_done_q, each_bank[2].bank.wru_push_done_q, each_bank[1].bank.wru_push_done_q, each_bank[0].bank.wru_push_done_q};
    wire [3:0] filled = {each_bank[3].bank.fill_done_q, each_bank[2].bank.fill_done_q, each_bank[1].bank.fill_done_q, each_bank[0].bank.fill_done_q};
    wire [3:0] appends = {each_bank[3].bank.append, each_bank[2].bank.append, each_bank[1].bank.append, each_bank[0].bank.append};
    wire [3:0] pops = {each_bank[3].bank.pop, each_bank[2].bank.pop, each_bank[1].bank.pop, each_bank[0].bank.pop};
    wire [3:0] moves_out = {each_bank[3].bank.wru_pop_granted, each_bank[2].bank.wru_pop_granted, each_bank[1].bank.wru_pop_granted, each_bank[0].bank.wru_pop_granted};
    wire [3:0] moves_in = {each_bank[3].bank.wru_append_granted, each_bank[2].bank.wru_append_granted, each_bank[1].bank.wru_append_granted, each_bank[0].bank.wru_append_granted};
    wire [3:0] gets = {each_bank[3].bank.fill_granted, each_bank[2].bank.fill_granted, each_bank[1].bank.fill_granted, each_bank[0].bank.fill_granted};
    wire [3:0] hands_out = {each_bank[3].bank.lane_pop, each_bank[2].bank.lane_pop, each_bank[1].bank.lane_pop, each_bank[0].bank.lane_pop};
    // Mode, sides, and what the redistribution unit does.
    wire double = control.double_mode;
    wire side = control.pull_part;
    wire [3:0] giving = wru_sorting.mover.giving_q;
    wire [3:0] awaiting = wru_sorting.mover.awaiting_q;
    wire [3:0] taking = wru_sorting.mover.taking_q;
    wire [3:0] sending = wru_sorting.mover.sending_q;
    wire answers = wru_sorting.mover.answers_q;
    wire leaving = wru_sorting.mover.departure.out_valid;
    wire wru_part = wru_sorting.event_part_q;

    // invariant modes: All banks and the HVU have mode and sides of the core.
    wire modes = (modes_of == {4{double}}) & (sides_of == {4{side}}) & (hvu.double_mode_q == double) & (hvu.side_q == side)
        & (double | ~side);
    // invariant lower_half: What comes to banks in single-buffer mode is for the lower half.
    wire lower_half = double | ((~control.arrival_valid_q | ~control.arrival_part_q) & (~leaving | ~wru_sorting.mover.departure.out_part)
        & (~wru_part | ~(|taking | |popped)));

    // The redistribution unit: who gives and who takes in each of the two pairs.
    wire learns = wru_sorting.pairing.ranked_before_q;
    wire [7:0] ranks = learns ? wru_sorting.pairing.rank : wru_sorting.mover.crossbar.rank_of_q;
    wire [3:0] upper = {ranks[7], ranks[5], ranks[3], ranks[1]};
    wire [3:0] odd = {ranks[6], ranks[4], ranks[2], ranks[0]};
    wire [3:0] give_0 = giving & odd;
    wire [3:0] give_1 = giving & ~odd;
    wire [3:0] wait_0 = awaiting & ~odd;
    wire [3:0] wait_1 = awaiting & odd;
    wire [3:0] takers_0 = wait_0 | (taking & ~odd);
    wire [3:0] takers_1 = wait_1 | (taking & odd);
    // invariant roles: The upper ranks give, and the lower ranks take.
    wire roles = ((giving & ~upper) | ((awaiting | taking) & upper)) == 0;
    // invariant one_each: A pair has one giver at most, and one taker at most.
    wire one_each = ((give_0 & (give_0 - 4'd1)) | (give_1 & (give_1 - 4'd1)) | (takers_0 & (takers_0 - 4'd1))
        | (takers_1 & (takers_1 - 4'd1)) | (awaiting & taking)) == 0;
    // invariant one_rank: While a bank gives, no two banks have the same upper rank.
    wire [3:0] rank_3 = upper & odd;
    wire [3:0] rank_2 = upper & ~odd;
    wire one_rank = ~(|giving) | (((rank_3 & (rank_3 - 4'd1)) | (rank_2 & (rank_2 - 4'd1))) == 0);
    // invariant partners: A taker waits exactly while the giver of its pair gives, and nobody takes from a sender.
    wire partners = ((|(give_0 & ~sending)) == (|wait_0)) & ((|(give_1 & ~sending)) == (|wait_1))
        & (~(|(give_0 & sending)) | ~(|takers_0)) & (~(|(give_1 & sending)) | ~(|takers_1));
    // invariant one_sender: One bank at most sends, and finds the register to the network empty.
    wire [3:0] senders = giving & sending;
    wire one_sender = ((senders & (senders - 4'd1)) == 0) & (~(|senders) | ~leaving);
    // invariant asked: Banks answer the requests of the cycle before.
    wire asked = ((popped & ~(giving & {4{answers}})) | ((put | control.wru_spilled_q) & ~(taking & {4{answers}}))) == 0;
    // invariant idle: Nothing is under way from the tick on until the pairs start, and no bank answers before the ranks are learnt.
    wire sorts_0 = wru_sorting.sorter.stage0_valid_q;
    wire sorts_1 = wru_sorting.sorter.stage1_valid_q;
    wire sorts_2 = wru_sorting.sorter.out_valid;
    wire idle = (~(sorts_0 | sorts_1 | sorts_2) | ~(|giving | |taking | answers)) & (~learns | ~(|taking | answers))
        & (~sorts_0 | (wru_sorting.interval.count_q == 0)) & (~sorts_1 | (wru_sorting.interval.count_q == 1)) & (~sorts_2 | (wru_sorting.interval.count_q == 2))
        & (~learns | (wru_sorting.interval.count_q == 3));
    // invariant each_lane: A lane is there once in each stage of the sorter.
    wire [31:0] words_0 = wru_sorting.sorter.stage0_item_q;
    wire [31:0] words_1 = wru_sorting.sorter.stage1_item_q;
    wire [31:0] words_2 = wru_sorting.sorter.out_item;
    wire all_0 = ((4'd1 << words_0[1:0]) | (4'd1 << words_0[9:8]) | (4'd1 << words_0[17:16]) | (4'd1 << words_0[25:24])) == 15;
    wire all_1 = ((4'd1 << words_1[1:0]) | (4'd1 << words_1[9:8]) | (4'd1 << words_1[17:16]) | (4'd1 << words_1[25:24])) == 15;
    wire all_2 = ((4'd1 << words_2[1:0]) | (4'd1 << words_2[9:8]) | (4'd1 << words_2[17:16]) | (4'd1 << words_2[25:24])) == 15;
    wire each_lane = (~(sorts_0 | sorts_1 | sorts_2 | learns) | all_0) & (~(sorts_1 | sorts_2 | learns) | all_1)
        & (~(sorts_2 | learns) | all_2);
    // invariant steady: The order is the same in the cycle in which the pairs start and in the one in which it is learnt.
    wire [31:0] pair_1 = wru_sorting.sorter.layer1_pair;
    wire [31:0] next_1 = {pair_1[31:24], pair_1[15:8], pair_1[23:16], pair_1[7:0]};
    wire [31:0] next_2 = {words_1[31:24], wru_sorting.sorter.layer2_pair_0, words_1[7:0]};
    wire steady = (~(sorts_1 | sorts_2) | (next_1 == words_1)) & (~sorts_2 | (next_2 == words_2));

    // invariant arrival: Banks fill what was offered to them in the cycle before: words of a line, or the ID that arrived.
    wire [3:0] arrives_at = control.arrival_filled_q & {4{control.arrival_valid_q}};
    wire [3:0] fills = hvu.fill_asked_q & filled;
    wire arrives = control.arrival_spilled_q | (|(control.arrival_filled_q & filled));
    wire arrival = (~control.arrival_valid_q | control.arrival_asked_q | ~(control.arrival_spilled_q | |arrives_at)) & ((arrives_at & (arrives_at - 4'd1)) == 0)
        & ((filled & ~(hvu.fill_asked_q | arrives_at)) == 0) & ((arrives_at & hvu.fill_asked_q) == 0)
        & ~(control.arrival_valid_q & control.arrival_spilled_q & |(arrives_at & filled));
    // invariant spills: What is held in the cycle behind a spill was spilled.
    wire spills = ~hvu.holding_is_fresh_q | (control.spilled_q == hvu.holding_valid_q);

    // The overflow buffer.
    wire pushes_1 = double & ~side;
    wire [16:0] ring = hvu.ring_lines_q;
    wire [16:0] use_0 = hvu.use_q[15:0];
    wire [16:0] use_1 = hvu.use_q[31:16];
    wire [16:0] use_push = pushes_1 ? use_1 : use_0;
    wire [16:0] use_pull = side ? use_1 : use_0;
    wire [2:0] held = hvu.holding_valid_q[0] + hvu.holding_valid_q[1] + hvu.holding_valid_q[2] + hvu.holding_valid_q[3];
    wire [5:0] in_line = hvu.buffer_count_q;
    wire store = hvu.mem_valid & hvu.request_is_store_q;
    wire load = hvu.mem_valid & ~hvu.request_is_store_q;
    wire [5:0] ids_on_pins = hvu.ids_of_tag_q >> 6*hvu.mem_tag;
    // invariant rings: Each partition has its part of the buffer, in single-buffer mode all of it.
    wire rings = (hvu.ring_lines_q == (double ? hvu.lines_q >> 1 : hvu.lines_q)) & (double | (use_1 == 0));
    // invariant request: A store is of a full line, or of the last one of a side; a load is of a line that is there.
    wire request = (~store | ((hvu.store_part_q == (hvu.partial_waits_q ? side : pushes_1)) & hvu.store_wanted_q))
        & (~load | ((use_pull != 0) & (hvu.load_in_flight_q >> hvu.mem_tag & 1)))
        & (hvu.store_wanted_q == (in_line[5] | hvu.partial_waits_q));
    // invariant line: What waits in the line buffer and before it fits into the lines that are left.
    wire line = (in_line <= 32) & (hvu.partial_waits_q ? (in_line != 0) & (held == 0) & double & (use_pull < ring) & (use_push == 0)
        : (use_pull <= ring) & (use_push + (in_line + (hvu.spill_refused ? 0 : held) + 31) / 32 <= ring));
    // invariant counts: All lines in memory are full but the newest one of the pull side, if it was stored behind `swap`; each tag has the IDs of its line.
    wire [3:0] small_tag = {hvu.ids_of_tag_q[23:18] <= 32, hvu.ids_of_tag_q[17:12] <= 32, hvu.ids_of_tag_q[11:6] <= 32, hvu.ids_of_tag_q[5:0] <= 32};
    wire counts = (~hvu.newest_partial_q | (double & ~hvu.partial_waits_q & (hvu.newest_count_q != 0) & (hvu.newest_count_q <= 32)))
        & (~load | (ids_on_pins == (hvu.newest_partial_q & (use_pull == 1) ? hvu.newest_count_q : 32)))
        & ((hvu.load_in_flight_q & ~small_tag) == 0);

    // Bank by bank: entries that are taken, IDs, words of lines that are due.
    wire [3:0] due_bank;
    wire [3:0] right_bank;
    wire [3:0] exact_bank;
    wire [3:0] fits_bank;
    wire [3:0] calm_bank;
    wire [7:0] lines_due = 8 * (hvu.load_in_flight_q[0] + hvu.load_in_flight_q[1] + hvu.load_in_flight_q[2] + hvu.load_in_flight_q[3]);
    generate
        genvar lane;
        for (lane = 0; lane < 4; lane = lane + 1) begin : of_bank
            wire [7:0] taken_0 = taken_of[12*lane +: 6];
            wire [7:0] taken_1 = taken_of[12*lane + 6 +: 6];
            wire [7:0] ids_0 = ids_of[12*lane +: 6];
            wire [7:0] ids_1 = ids_of[12*lane + 6 +: 6];
            wire [7:0] ids_pull = side ? ids_1 : ids_0;
            wire [7:0] ids_push = side ? ids_0 : ids_1;
            wire [7:0] taken_pull = side ? taken_1 : taken_0;
            wire [7:0] taken_push = side ? taken_0 : taken_1;
            wire [7:0] slots_due = hvu.slot_taken_q[lane] + hvu.slot_taken_q[lane + 4] + hvu.slot_taken_q[lane + 8] + hvu.slot_taken_q[lane + 12]
                + hvu.slot_taken_q[lane + 16] + hvu.slot_taken_q[lane + 20] + hvu.slot_taken_q[lane + 24] + hvu.slot_taken_q[lane + 28];
            wire [7:0] capacity = double ? 16 : 32;
            reg [7:0] due_q;
            always @(posedge clock) due_q <= reset ? 0 : due_q + (hvu.reserve_d ? 8 : 0) - (hvu.unreserve[lane] | fills[lane]);
            assign due_bank[lane] = due_q == lines_due + slots_due;
            assign right_bank[lane] = (taken_pull + (hvu.reserve ? 8 : 0) + fills[lane] == ids_pull + due_q);
            assign exact_bank[lane] = (taken_push == ids_push) & (has_of[2*lane +: 2] == {ids_1 != 0, ids_0 != 0});
            assign fits_bank[lane] = (taken_pull + (hvu.reserve ? 9 : 0) <= capacity) & (taken_push <= (double ? 16 : 0));
            assign calm_bank[lane] = (taken_pull == 0) & (ids_pull == 0);
        end
    endgenerate
    // invariant due: Each bank is due its words of lines on their way and of the line that is dealt out.
    wire due = &due_bank;
    // invariant reserved: Banks 0 and 1 have taken entries for their IDs and for the words that they are due.
    wire reserved = &right_bank[1:0];
    // invariant reserved_behind: So have banks 2 and 3.
    wire reserved_behind = &right_bank[3:2];
    // invariant pushed: On the push side entries are taken for IDs alone, and banks know of sides without one.
    wire pushed = &exact_bank;
    // invariant fits: No side of a bank has taken more entries than there are, and there are enough for a line that is due.
    wire fits = (&fits_bank) & (~hvu.reserve | (hvu.load_in_flight_q != 0) | (&hvu.slot_taken_q));

    // Nothing works for the pull side, and nothing is on its way to it.
    wire calm = (&calm_bank) & (hvu.load_in_flight_q == 0) & (hvu.slot_taken_q == 0) & ~hvu.reserve & (use_pull == 0) & ~hvu.partial_waits_q
        & ~(control.arrival_valid_q & (control.arrival_part_q == side)) & ~(leaving & (wru_sorting.mover.departure.out_part == side)) & ~((|taking | |popped) & (wru_part == side));
    // invariant calm_at_once: A core that was quiet in double-buffer mode in the cycle before has no work for its pull side, unless an ID came or the sides were exchanged.
    wire calm_at_once = calm | ~(quiet & double & ~control.changes_before_q[0] & ~offered_pull_q[0]);
    // invariant calm_later: Nor a cycle later.
    wire calm_later = calm | ~(quiet_before_q & double & (control.changes_before_q[1:0] == 0) & (offered_pull_q == 0));

    // IDs by their places, as they come and go: in the HVU behind the holding register, and elsewhere.
    wire [7:0] into_line = hvu.id_moves;
    wire [7:0] dealt = fills[0] + fills[1] + fills[2] + fills[3];
    wire line_comes = hvu.line_valid | hvu.direct;
    reg [21:0] virtual_q;
    reg [11:0] real_q;
    reg [3:0] moving_q;
    reg [8:0] spread_q;
    reg [8:0] near_q;
    reg [8:0] counted_ids_q;
    reg [3:0] column_0_q;
    reg [3:0] column_1_q;
    reg [3:0] column_2_q;
    reg [3:0] column_3_q;
    wire [8:0] moves = moves_out[0] + moves_out[1] + moves_out[2] + moves_out[3];
    wire [3:0] placed_at = moves_in | control.wru_spill;
    wire [8:0] placed = placed_at[0] + placed_at[1] + placed_at[2] + placed_at[3];
    wire [8:0] wru_spills = control.wru_spill[0] + control.wru_spill[1] + control.wru_spill[2] + control.wru_spill[3];
    wire [8:0] goes = leaving & out_ready;
    wire [3:0] pushes = control.bank_push;
    wire [8:0] bank_pushes = pushes[0] + pushes[1] + pushes[2] + pushes[3];
    wire [8:0] lane_pushes = push [0] + push [1] + push [2] + push [3];
    wire [8:0] all_gets = gets[0] + gets[1] + gets[2] + gets[3];
    wire [3:0] deals_at = gets & hvu.fill_push;
    wire [8:0] deals = deals_at[0] + deals_at[1] + deals_at[2] + deals_at[3];
    wire [8:0] hands = hands_out[0] + hands_out[1] + hands_out[2] + hands_out[3];
    wire [8:0] arrival_spills = |control.arrival_spill;
    wire [8:0] came = control.comes;
    wire [8:0] refused = hvu.spill_refused ? held : 0;
    reg [16:0] lines_q;
    reg [11:0] few_q;
    reg [8:0] onward_q;
    reg [8:0] away_ids_q;
    reg [7:0] slot_ids_q;
    reg [8:0] bank_ids_q;
    reg [7:0] pair_ids_0_q;
    reg [7:0] pair_ids_1_q;
    reg [7:0] lane_ids_0_q;
    reg [7:0] lane_ids_1_q;
    reg [7:0] lane_ids_2_q;
    reg [7:0] lane_ids_3_q;
    wire [11:0] change = {{4{control.change[7]}}, control.change};
    wire [8:0] line_on_pins = hvu.loaded ? ids_on_pins : 0;
    wire [8:0] line_back = hvu.line_valid ? hvu.loaded_count : 0;
    wire [7:0] to_slots = line_comes ? hvu.line_count : 0;
    always @(posedge clock) begin
        if (reset) {virtual_q, real_q, lines_q, few_q, onward_q, away_ids_q, slot_ids_q, bank_ids_q, pair_ids_0_q, pair_ids_1_q, lane_ids_0_q,
            lane_ids_1_q, lane_ids_2_q, lane_ids_3_q, moving_q, spread_q, near_q, counted_ids_q, column_0_q, column_1_q, column_2_q, column_3_q} <= 0;
        else begin
            virtual_q <= virtual_q + into_line - dealt;
            real_q <= real_q + change - into_line + dealt;
            lines_q <= lines_q + hvu.stored - hvu.loaded;
            few_q <= few_q + into_line - dealt + (hvu.loaded ? 32 : 0) - (hvu.stored ? 32 : 0);
            onward_q <= onward_q + line_on_pins + (hvu.direct ? in_line : 0) - dealt;
            away_ids_q <= away_ids_q + line_on_pins - line_back;
            slot_ids_q <= slot_ids_q + to_slots - dealt;
            bank_ids_q <= bank_ids_q + (appends[0] + appends[1] + appends[2] + appends[3]) - (pops[0] + pops[1] + pops[2] + pops[3]);
            pair_ids_0_q <= pair_ids_0_q + (appends[0] + appends[1]) - (pops[0] + pops[1]);
            pair_ids_1_q <= pair_ids_1_q + (appends[2] + appends[3]) - (pops[2] + pops[3]);
            moving_q <= moving_q + moves - placed - goes;
            spread_q <= spread_q + bank_pushes + all_gets - hands - wru_spills - goes;
            near_q <= near_q + lane_pushes + all_gets - hands - goes + arrival_spills - into_line - refused;
            counted_ids_q <= counted_ids_q + lane_pushes - hands + deals - goes + came - into_line - refused;
            column_0_q <= line_comes ? (hvu.line_count + 3) >> 2 : column_0_q - fills[0];
            column_1_q <= line_comes ? (hvu.line_count + 2) >> 2 : column_1_q - fills[1];
            column_2_q <= line_comes ? (hvu.line_count + 1) >> 2 : column_2_q - fills[2];
            column_3_q <= line_comes ? hvu.line_count >> 2 : column_3_q - fills[3];
            lane_ids_0_q <= lane_ids_0_q + appends[0] - pops[0];
            lane_ids_1_q <= lane_ids_1_q + appends[1] - pops[1];
            lane_ids_2_q <= lane_ids_2_q + appends[2] - pops[2];
            lane_ids_3_q <= lane_ids_3_q + appends[3] - pops[3];
        end
    end
    // invariant in_lanes: Each bank has the IDs that came to it and did not go.
    wire in_lanes = (lane_ids_0_q == ids_of[5:0] + ids_of[11:6]) & (lane_ids_1_q == ids_of[17:12] + ids_of[23:18])
        & (lane_ids_2_q == ids_of[29:24] + ids_of[35:30]) & (lane_ids_3_q == ids_of[41:36] + ids_of[47:42]);
    // invariant in_banks: So have each two, and all.
    wire in_banks = (pair_ids_0_q == lane_ids_0_q + lane_ids_1_q) & (pair_ids_1_q == lane_ids_2_q + lane_ids_3_q)
        & (bank_ids_q == pair_ids_0_q + pair_ids_1_q);
    // invariant in_columns: Each bank's words of the line register are those that came and were not dealt out.
    wire [31:0] has_slots = hvu.slot_taken_q & hvu.slot_has_id_q;
    function [3:0] ones_of_column(input [31:0] words, input [1:0] bank);
        integer i;
        begin
            ones_of_column = 0;
            for (i = 0; i < 8; i = i + 1) ones_of_column = ones_of_column + (words >> (4 * i + bank) & 1);
        end
    endfunction
    wire in_columns = (column_0_q == ones_of_column(has_slots, 0)) & (column_1_q == ones_of_column(has_slots, 1))
        & (column_2_q == ones_of_column(has_slots, 2)) & (column_3_q == ones_of_column(has_slots, 3));
    // invariant in_slots: The line register has the IDs of a line that were not dealt out.
    wire in_slots = slot_ids_q == column_0_q + column_1_q + column_2_q + column_3_q;
    // invariant on_their_way: Tags have the IDs of lines on their way.
    wire [3:0] tags_away = hvu.load_in_flight_q & ~({3'd0, load} << hvu.mem_tag);
    wire [8:0] tag_ids_0 = tags_away[0] ? hvu.ids_of_tag_q[5:0] : 0;
    wire [8:0] tag_ids_1 = tags_away[1] ? hvu.ids_of_tag_q[11:6] : 0;
    wire [8:0] tag_ids_2 = tags_away[2] ? hvu.ids_of_tag_q[17:12] : 0;
    wire [8:0] tag_ids_3 = tags_away[3] ? hvu.ids_of_tag_q[23:18] : 0;
    wire on_their_way = away_ids_q == tag_ids_0 + tag_ids_1 + tag_ids_2 + tag_ids_3;
    // invariant in_memory: Lines in memory are those that were stored and not loaded.
    wire in_memory = lines_q == use_0 + use_1;
    // invariant comes_back: IDs of lines on their way and in the line register.
    wire comes_back = onward_q == away_ids_q + slot_ids_q;
    // invariant part_of_lines: What is not in whole lines: the line buffer, lines that come back, less what the newest line lacks.
    wire [11:0] lacks = hvu.newest_partial_q & (use_pull != 0) ? 32 - hvu.newest_count_q : 0;
    wire part_of_lines = few_q == in_line + onward_q - lacks;
    // invariant all_virtual: The HVU has 32 IDs of each line in memory, and what is not in whole lines.
    wire all_virtual = virtual_q == {lines_q, 5'd0} + {{10{few_q[11]}}, few_q};
    // invariant in_motion: IDs between banks, or between a bank and the network.
    wire [3:0] to_take = taking & ~(put | control.wru_spilled_q);
    wire in_motion = moving_q == popped[0] + popped[1] + popped[2] + popped[3] + to_take[0] + to_take[1] + to_take[2] + to_take[3] + leaving;
    // invariant all_spread: IDs in banks and in motion.
    wire all_spread = spread_q == bank_ids_q + moving_q;
    // invariant all_near: With those that are held.
    wire all_near = near_q == spread_q + held;
    // invariant all_ids: With one that arrives.
    wire all_ids = counted_ids_q == near_q + (control.arrival_valid_q & ~arrives);
    // invariant all_real: What is counted and not in the HVU: these, and those on the pins.
    wire [11:0] on_pins_now = pulled[0] + pulled[1] + pulled[2] + pulled[3];
    wire all_real = real_q + change + dealt == counted_ids_q + on_pins_now;
    // invariant counted: `count` is what is real and what is virtual.
    wire counted = control.total_q == virtual_q + {{10{real_q[11]}}, real_q};

    // invariant zero_behind: Words of the line buffer behind its last ID are 0, once the core has an overflow buffer.
    reg zero;
    integer z;
    always @(*) begin
        zero = 1;
        for (z = 0; z < 32; z = z + 1) if (z >= in_line) zero = zero & (hvu.buffer_id_q[24*z +: 24] == 0);
    end
    wire zero_behind = (hvu.lines_q == 0) | zero;
    // invariant nothing_inside: `configure` is obeyed only when nothing is in the core.
    wire nothing_inside = ~control.bank_configure | ((taken_of == 0) & (ids_of == 0) & (popped == 0) & (pulled == 0) & (taking == 0) & ~leaving & ~control.arrival_valid_q & (held == 0)
        & (in_line == 0) & (use_0 == 0) & (use_1 == 0) & ~hvu.mem_valid & (hvu.load_in_flight_q == 0) & (hvu.slot_taken_q == 0));
