    // Two slots of a set, any of them: what is in the first one is watched until it comes out. The memories of both keep the word of this set.
    input [SET-1:0] pick_set;
    input [4:0] pick_slot;
    input [4:0] pick_other;
    input pick_element;
    reg [SET-1:0] set_q;
    reg [4:0] slot_q;
    reg [4:0] other_q;
    wire [31:0] slot_picks = {each_slot[31].slot.pick , each_slot[30].slot.pick , each_slot[29].slot.pick , each_slot[28].slot.pick ,
        each_slot[27].slot.pick , each_slot[26].slot.pick , each_slot[25].slot.pick , each_slot[24].slot.pick ,
        each_slot[23].slot.pick , each_slot[22].slot.pick , each_slot[21].slot.pick , each_slot[20].slot.pick ,
        each_slot[19].slot.pick , each_slot[18].slot.pick , each_slot[17].slot.pick , each_slot[16].slot.pick ,
        each_slot[15].slot.pick , each_slot[14].slot.pick , each_slot[13].slot.pick , each_slot[12].slot.pick ,
        each_slot[11].slot.pick , each_slot[10].slot.pick , each_slot[9].slot.pick , each_slot[8].slot.pick ,
        each_slot[7].slot.pick , each_slot[6].slot.pick , each_slot[5].slot.pick , each_slot[4].slot.pick ,
        each_slot[3].slot.pick , each_slot[2].slot.pick , each_slot[1].slot.pick , each_slot[0].slot.pick };
    wire [32*56-1:0] slots = {each_slot[31].slot.word_q , each_slot[30].slot.word_q , each_slot[29].slot.word_q , each_slot[28].slot.word_q ,
        each_slot[27].slot.word_q , each_slot[26].slot.word_q , each_slot[25].slot.word_q , each_slot[24].slot.word_q ,
        each_slot[23].slot.word_q , each_slot[22].slot.word_q , each_slot[21].slot.word_q , each_slot[20].slot.word_q ,
        each_slot[19].slot.word_q , each_slot[18].slot.word_q , each_slot[17].slot.word_q , each_slot[16].slot.word_q ,
        each_slot[15].slot.word_q , each_slot[14].slot.word_q , each_slot[13].slot.word_q , each_slot[12].slot.word_q ,
        each_slot[11].slot.word_q , each_slot[10].slot.word_q , each_slot[9].slot.word_q , each_slot[8].slot.word_q ,
        each_slot[7].slot.word_q , each_slot[6].slot.word_q , each_slot[5].slot.word_q , each_slot[4].slot.word_q ,
        each_slot[3].slot.word_q , each_slot[2].slot.word_q , each_slot[1].slot.word_q , each_slot[0].slot.word_q };
    wire [32*SET-1:0] slot_sets = {each_slot[31].slot.address_q , each_slot[30].slot.address_q , each_slot[29].slot.address_q , each_slot[28].slot.address_q ,
        each_slot[27].slot.address_q , each_slot[26].slot.address_q , each_slot[25].slot.address_q , each_slot[24].slot.address_q ,
        each_slot[23].slot.address_q , each_slot[22].slot.address_q , each_slot[21].slot.address_q , each_slot[20].slot.address_q ,
        each_slot[19].slot.address_q , each_slot[18].slot.address_q , each_slot[17].slot.address_q , each_slot[16].slot.address_q ,
        each_slot[15].slot.address_q , each_slot[14].slot.address_q , each_slot[13].slot.address_q , each_slot[12].slot.address_q ,
        each_slot[11].slot.address_q , each_slot[10].slot.address_q , each_slot[9].slot.address_q , each_slot[8].slot.address_q ,
        each_slot[7].slot.address_q , each_slot[6].slot.address_q , each_slot[5].slot.address_q , each_slot[4].slot.address_q ,
        each_slot[3].slot.address_q , each_slot[2].slot.address_q , each_slot[1].slot.address_q , each_slot[0].slot.address_q };
    wire [3:0] position_picks = {each_position[3].position.pick , each_position[2].position.pick , each_position[1].position.pick , each_position[0].position.pick };
    wire [4*24-1:0] positions = {each_position[3].position.word_q , each_position[2].position.word_q ,
        each_position[1].position.word_q , each_position[0].position.word_q };
    wire [4*(SET+3)-1:0] position_groups = {each_position[3].position.address_q , each_position[2].position.address_q ,
        each_position[1].position.address_q , each_position[0].position.address_q };
    reg [55:0] word_a;
    reg [55:0] word_b;
    reg [55:0] rdata_a;
    reg [55:0] rdata_b;
    reg [SET-1:0] set_a;
    reg [SET-1:0] set_b;
    reg two_hit;
    reg one_hits;
    integer s;
    always @(*) begin
        {word_a, word_b, rdata_a, rdata_b, set_a, set_b, two_hit, one_hits} = 0;
        for (s = 0; s < 32; s = s + 1) begin
            word_a = word_a | ({56{slot_q == s}} & slots[56*s +: 56]);
            word_b = word_b | ({56{other_q == s}} & slots[56*s +: 56]);
            rdata_a = rdata_a | ({56{slot_q == s}} & slot_rdata[56*s +: 56]);
            rdata_b = rdata_b | ({56{other_q == s}} & slot_rdata[56*s +: 56]);
            set_a = set_a | ({SET{slot_q == s}} & slot_sets[SET*s +: SET]);
            set_b = set_b | ({SET{other_q == s}} & slot_sets[SET*s +: SET]);
        end
        for (s = 0; s < 31; s = s + 1) begin
            two_hit = two_hit | (one_hits & filtering.hit[s]);
            one_hits = one_hits | filtering.hit[s];
        end
    end
    wire [31:0] hits = {1'd0, filtering.hit};
    reg kept_q;
    reg [55:0] copy_a_q;
    reg [55:0] copy_b_q;
    reg there_q;
    reg out_of_set_q;
    reg shown_q;
    reg [23:0] index_q;
    reg [31:0] secondary_q;
    reg [23:0] position_q;
    wire [1:0] lane = slot_q[1:0];
    wire flies_1 = flight_q[1] & (flight_words_q[80 +: SET] == set_q);
    wire writes_a = port.write_now & (port.write_slot == slot_q);
    wire writes_b = port.write_now & (port.write_slot == other_q);
    wire keeps_watch = ~(writes_a & (slot_picks[slot_q] ^ (port_write_set == set_q))) & ~(writes_b & (slot_picks[other_q] ^ (port_write_set == set_q)));
    wire appends_it = appends & (append_set == set_q) & (append_slot == slot_q) & pick_element & position_picks[lane];
    wire watches_other = port_write_position[lane] & position_picks[lane] & (port_write_group != {set_q, slot_q[4:2]});
    wire ends_here = filters_now & ends & (word_end[80 +: SET] == set_q);
    wire meets_it = there_q & ~out_of_set_q & ends_here & (word_end[79:56] == index_q);
    wire reads_it = there_q & out_of_set_q & reads_now & (group_q == slot_q[4:2]);
    wire stays = there_q & ~reads_it & ~watches_other;
    always @(posedge clock) begin
        if (reset) {set_q, slot_q, other_q} <= {pick_set, pick_slot, pick_other};
        // Until two slots answer at once: the first time that they do, they could be the two that are picked, which is excluded.
        kept_q <= reset | (kept_q & keeps_watch & ~(flies_1 & two_hit));
        there_q <= ~reset & (appends_it | stays);
        out_of_set_q <= ~reset & ~appends_it & stays & (out_of_set_q | (starts & (take_set_q == set_q) & (slot_q >= elements_taken - number)));
        shown_q <= ~reset & reads_it & kept_q;
        if (writes_a & (port_write_set == set_q)) copy_a_q <= port_write_value;
        if (writes_b & (port_write_set == set_q)) copy_b_q <= port_write_value;
        if (appends_it) {index_q, secondary_q, position_q} <= append_word;
        else if (meets_it & adds_now) secondary_q <= adder_sum;
        else if (meets_it & (word_end[55:24] < secondary_q)) {secondary_q, position_q} <= word_end[55:0];
    end

    // property comes_out: An element that was appended comes out of its slot with its index: as it came, with the sum, or with the smallest secondary value that met it and the position of that.
    wire comes_out = ~shown_q | (beat_valid & beat_mask[lane] & (beat_index[24*lane +: 24] == index_q)
        & (beat_secondary[32*lane +: 32] == secondary_q) & (beat_position[24*lane +: 24] == position_q));
    // property stays_in_set: An element that was appended is in its set, or is one of those that are still to be read.
    wire [5:0] elements_here = elements_q[6*set_q +: 6];
    wire stays_in_set = ~there_q | (out_of_set_q ? reads_q & (take_set_q == set_q) & (slot_q >= first_q) & (slot_q < end_q) & (slot_q[4:2] >= group_q)
        : slot_q < elements_here);
    // property no_index_twice: With filter, no two slots of a set have one index, and no two answer an element.
    wire both_hit = flies_1 & hits[slot_q] & hits[other_q];
    wire no_index_twice = ~kept_q | (slot_q == other_q) | (~both_hit & ((filter_before_q == 0) | (slot_q >= elements_here) | (other_q >= elements_here)
        | (copy_a_q[55:32] != copy_b_q[55:32])));
    // property merges: With filter, an element merges into the one of its set that has its index, and is appended if there is none; `merged` tells of each merge.
    reg merged_q;
    always @(posedge clock) merged_q <= ~reset & ends & found_end;
    wire merges = (merged == merged_q) & (~(kept_q & there_q & ~out_of_set_q & ends_here)
        | ((found_end & (filtering.ending_slot == slot_q)) == meets_it));
    // property adds_both: With the addition, the adder gets the secondary values of the slot and of the element that meets it.
    wire [WORD-1:0] fw_2 = flight_words_q[WORD +: WORD];
    wire [WORD-1:0] fw_3 = flight_words_q[2*WORD +: WORD];
    wire adds_both = ~(kept_q & there_q & ~out_of_set_q & adds_now & flight_q[2] & (fw_2[80 +: SET] == set_q) & (fw_2[79:56] == index_q))
        | ((filtering_add_a == secondary_q) & (filtering_add_b == fw_2[55:24]));

    // invariant watched_slots: The memories keep the slots that are picked, as long as they are of the set or to be read.
    wire [5:0] slots_here = reads_q & (take_set_q == set_q) ? end_q : elements_here;
    wire watched_slots = ~kept_q | ((~(slot_q < slots_here) | ((set_a == set_q) & (word_a == copy_a_q)))
        & (~(other_q < slots_here) | ((set_b == set_q) & (word_b == copy_b_q))));
    // invariant apart: With filter, the slots have different indices.
    wire has_a = slot_q < elements_here;
    wire has_b = other_q < elements_here;
    wire apart = ~kept_q | (slot_q == other_q) | (filter_before_q == 0) | ~(has_a & has_b) | (copy_a_q[55:32] != copy_b_q[55:32]);
    // invariant flights_apart: No two elements in flight have one index.
    reg are_flights_apart;
    integer g;
    integer h;
    always @(*) begin
        are_flights_apart = 1;
        for (g = 1; g < 6; g = g + 1) for (h = g + 1; h <= 6; h = h + 1) are_flights_apart = are_flights_apart
            & (~(flight_q[g] & flight_q[h]) | (flight_words_q[WORD*(g-1)+56 +: 24] != flight_words_q[WORD*(h-1)+56 +: 24]));
    end
    wire flights_apart = are_flights_apart;
    // invariant read: The set of an element in flight 1 was read as it is; what was written since has another index.
    wire [23:0] index_1 = flight_words_q[79:56];
    wire [4:0] occupied = filtering.occupied_1_q;
    wire read_a = (slot_q < occupied) & ~(filtering.spoilt_1_q & (filtering.spoilt_slot_1_q == slot_q));
    wire read_b = (other_q < occupied) & ~(filtering.spoilt_1_q & (filtering.spoilt_slot_1_q == other_q));
    wire read = ~(kept_q & flies_1) | ((occupied <= elements_here)
        & (~has_a | (read_a ? rdata_a == copy_a_q : copy_a_q[55:32] != index_1))
        & (~has_b | (read_b ? rdata_b == copy_b_q : copy_b_q[55:32] != index_1)));
    // invariant found_exact: From flight 2 on it is known whether a slot of its set has the index of an element.
    wire [5*5-1:0] found_slots = filtering.slot_q;
    reg are_found;
    integer x;
    always @(*) begin
        are_found = 1;
        for (x = 2; x <= 6; x = x + 1) if (flight_q[x] & (flight_words_q[WORD*(x-1)+80 +: SET] == set_q)) are_found = are_found
            & ((found[x] & (found_slots[5*(x-2) +: 5] == slot_q)) == (has_a & (copy_a_q[55:32] == flight_words_q[WORD*(x-1)+56 +: 24])))
            & ((found[x] & (found_slots[5*(x-2) +: 5] == other_q)) == (has_b & (copy_b_q[55:32] == flight_words_q[WORD*(x-1)+56 +: 24])));
    end
    wire meets_2 = flight_q[2] & (fw_2[80 +: SET] == set_q) & found[2] & (found_slots[4:0] == slot_q);
    wire meets_3 = flight_q[3] & (fw_3[80 +: SET] == set_q) & found[3] & (found_slots[9:5] == slot_q);
    wire found_exact = ~kept_q | (are_found & (~meets_2 | (filtering.old_secondary_2_q == copy_a_q[31:0]))
        & (~meets_3 | adds_before | (filtering.slot_keeps_3_q == ~(fw_3[55:24] < copy_a_q[31:0]))));
    // invariant held_as_it_is: The watched element is in its slot as it should be.
    wire [SET+2:0] group_of_it = position_groups[(SET+3)*lane +: SET+3];
    wire held_as_it_is = stays_in_set & (~out_of_set_q | there_q)
        & (~(kept_q & there_q) | ((copy_a_q == {index_q, secondary_q}) & (group_of_it == {set_q, slot_q[4:2]}) & (positions[24*lane +: 24] == position_q)))
        & (~shown_q | (beat_q & mask_q[lane] & (taker_beat_group == slot_q[4:2]) & (rdata_a == {index_q, secondary_q})
            & (position_rdata[24*lane +: 24] == position_q)));
    // invariant told: `merged` tells of the cycle before.
    wire told = merged == merged_q;

    // reached sums_two: The adder gets the secondary values of the watched element and of one that meets it.
    wire sums_two = kept_q & there_q & ~out_of_set_q & adds_now & flight_q[2] & (fw_2[80 +: SET] == set_q) & (fw_2[79:56] == index_q);
    // reached comes_out_again: An element comes out of another slot than the first.
    wire comes_out_again = shown_q & (slot_q != 0);
