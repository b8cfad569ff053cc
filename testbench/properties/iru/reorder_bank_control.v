    // One of the elements that come, any of them, is watched on its way to its set.
    input [1:0] pick_source;
    reg [1:0] source_q;
    wire [2:0] comes = {ccw_valid & ccw_ready, cw_valid & cw_ready, local_valid & local_ready};
    wire [2:0] takes = {intake_ccw_take, intake_cw_take, intake_local_take};
    wire is_local = source_q == 0;
    wire is_ccw = source_q == 2;
    wire comes_in = comes[source_q];
    wire taken = takes[source_q];
    wire head_there = heads[source_q];
    wire [WORD-1:0] word_in = is_local ? {local_place, local_index, local_secondary, local_position}
        : is_ccw ? {ccw_place, ccw_index, ccw_secondary, ccw_position} : {cw_place, cw_index, cw_secondary, cw_position};
    wire [WORD-1:0] head_word = is_local ? local_queue_head_data : is_ccw ? ring_queue_head_data[WORD +: WORD] : ring_queue_head_data[0 +: WORD];
    wire ready_of_it = is_local ? local_ready : is_ccw ? ccw_ready : cw_ready;
    wire watch = is_local ? local_queue.queue.sram.pick : is_ccw ? ring_queue_1.queue.sram.pick : ring_queue_0.queue.sram.pick;
    wire [6:0] count_of_it = is_local ? local_queue.queue.control.count_q
        : is_ccw ? ring_queue_1.queue.control.count_q : ring_queue_0.queue.control.count_q;
    wire [5:0] front = is_local ? local_queue.queue.control.head_q
        : is_ccw ? ring_queue_1.queue.control.head_q : ring_queue_0.queue.control.head_q;
    wire [5:0] back = is_local ? local_queue.queue.control.tail_q
        : is_ccw ? ring_queue_1.queue.control.tail_q : ring_queue_0.queue.control.tail_q;
    wire [WORD-1:0] word_there = is_local ? local_queue.queue.sram.word_q
        : is_ccw ? ring_queue_1.queue.sram.word_q : ring_queue_0.queue.sram.word_q;
    wire [5:0] entry_there = is_local ? local_queue.queue.sram.address_q
        : is_ccw ? ring_queue_1.queue.sram.address_q : ring_queue_0.queue.sram.address_q;
    wire passes = intake_passes;
    reg watching_q;
    reg [WORD-1:0] word_q;
    reg [6:0] inside_q;
    reg [6:0] before_q;
    reg is_queued_q;
    reg is_in_1_q;
    reg is_in_2_q;
    wire begins = comes_in & watch;
    wire leaves_queue = is_queued_q & taken & (before_q == 0);
    always @(posedge clock) begin
        if (reset) source_q <= pick_source == 3 ? 0 : pick_source;
        if (begins) word_q <= word_in;
        watching_q <= ~reset & (begins | (watching_q & ~(is_in_2_q & leaves)));
        inside_q <= reset ? 0 : inside_q + comes_in - taken;
        before_q <= begins ? inside_q - taken : before_q - (is_queued_q & taken);
        is_queued_q <= ~reset & (begins | (is_queued_q & ~leaves_queue));
        is_in_1_q <= ~reset & ~begins & (leaves_queue | (is_in_1_q & ~passes));
        is_in_2_q <= ~reset & ~begins & ((is_in_1_q & passes) | (is_in_2_q & ~leaves));
    end

    // property nothing_lost: An element that came and has not left for its set is in its queue or in a stage.
    wire nothing_lost = ~watching_q | ((is_queued_q + is_in_1_q + is_in_2_q == 1) & (~is_queued_q | (before_q < inside_q))
        & (~is_in_1_q | stage_valid[1]) & (~is_in_2_q | in_2));
    // property order: Elements leave a queue as they came, in their order, and are so in stage 2, with the set that their place names.
    wire order = (~(is_queued_q & (before_q == 0) & head_there) | (head_word == word_q)) & (~is_in_2_q | ({home, word_2} == word_q));
    // property ready_exact: An input is not ready exactly when its queue is full behind the head.
    wire ready_exact = ready_of_it == (inside_q - head_there != (is_local ? 32 : 64));
    // property local_waits_for_eight: The head of the local queue waits for at most eight elements of the ring.
    reg [3:0] ring_before_q;
    always @(posedge clock) ring_before_q <= reset | ~heads[0] | takes[0] ? 0 : ring_before_q + (takes[1] | takes[2]);
    wire local_waits_for_eight = ring_before_q <= 8;
    // property ring_waits_for_two: The head of a ring queue waits for at most one element of the other ring queue and one of the local queue.
    reg [1:0] other_before_q;
    reg [1:0] local_before_q;
    wire ring_waits = ~is_local & head_there & ~taken;
    always @(posedge clock) begin
        other_before_q <= reset | ~ring_waits ? 0 : other_before_q + (is_ccw ? takes[1] : takes[2]);
        local_before_q <= reset | ~ring_waits ? 0 : local_before_q + takes[0];
    end
    wire ring_waits_for_two = (other_before_q <= 1) & (local_before_q <= 1) & (takes[0] + takes[1] + takes[2] <= 1);
    // property leaves_on_time: An element leaves stage 2 in the first cycle in which its set is not being taken and has a free slot; with filter also no equal index is in flight, no group is read, and those in flight leave it a slot.
    wire leaves_on_time = (port_leaves == leaves) & (port_enters == enters);
    // property idle_exact: `idle` is high exactly when all elements that came have been appended or merged.
    reg [6:0] queued_q [0:2];
    reg [1:0] staged_q;
    reg [2:0] flying_q;
    integer n;
    always @(posedge clock) begin
        for (n = 0; n < 3; n = n + 1) queued_q[n] <= reset ? 0 : queued_q[n] + comes[n] - takes[n];
        staged_q <= reset ? 0 : staged_q + (takes != 0) - leaves;
        flying_q <= reset ? 0 : flying_q + enters - (filters_now & ends);
    end
    wire nothing_on_way = (queued_q[0] == 0) & (queued_q[1] == 0) & (queued_q[2] == 0) & (staged_q == 0) & (flying_q == 0);
    wire idle_exact = idle == nothing_on_way;
    // property conserved: When nothing is under way, the sets hold what came, less what was merged and what came out.
    reg [9:0] came_q;
    reg [9:0] entered_q;
    reg [9:0] left_stages_q;
    reg [9:0] arrived_q;
    reg [9:0] appended_q;
    reg [9:0] taken_out_q;
    reg [9:0] out_q;
    reg [9:0] merged_before_q;
    wire [2:0] elements_out = beat_valid ? beat_mask[0] + beat_mask[1] + beat_mask[2] + beat_mask[3] : 0;
    always @(posedge clock) begin
        if (reset) {came_q, entered_q, left_stages_q, arrived_q, appended_q, taken_out_q, out_q, merged_before_q} <= 0;
        else begin
            came_q <= came_q + comes[0] + comes[1] + comes[2];
            entered_q <= entered_q + (takes != 0);
            left_stages_q <= left_stages_q + leaves;
            arrived_q <= arrived_q + arrives;
            appended_q <= appended_q + appends;
            taken_out_q <= taken_out_q + (starts ? number : 6'd0);
            out_q <= out_q + elements_out;
            merged_before_q <= merged_before_q + merged;
        end
    end
    wire [9:0] held = came_q - out_q - merged_before_q - merged;
    wire conserved = ~(idle & take_ready) | (held == count);
    // property count_exact: `count` is the number of elements that were appended and are not taken.
    wire count_exact = count == in_sets_q;
    // property never_overflows: A set never has more than 32 elements, and one that is appended is written to the slot behind the last.
    wire [31:0] slot_behind = 32'd1 << append_slot;
    wire never_overflows = fit & (~appends | ((append_slot < 32) & (port_write == slot_behind) & (port_write_set == append_set)))
        & (port_grow == appends);
    // property not_written_while_taken: No slot of a set is written from the cycle on in which its elements are counted out until all are read.
    wire not_written_while_taken = ~((starts | reads_q) & (port_write != 0) & (port_write_set == take_set_q));
    // property take_exact: A take brings the upper elements of its set, each once: group by group, one in the cycle behind each with `beat_room`, `beat_last` with the last.
    wire take_exact = (beat_valid == beat_q) & (~beat_q | ((beat_mask == mask_q) & (beat_last == last_q) & (mask_q != 0)));
    // property all_of_take: With `beat_last` as many elements have come as the take asked for, or all of the set.
    reg [5:0] came_of_take_q;
    reg [5:0] number_q;
    always @(posedge clock) begin
        came_of_take_q <= reset | take ? 0 : came_of_take_q + elements_out;
        if (starts) number_q <= number;
    end
    wire all_of_take = ~(beat_valid & beat_last) | (came_of_take_q + elements_out == number_q);
    // property take_ready_exact: `take_ready` is low from a take on until the third cycle behind its last read.
    wire take_ready_exact = take_ready == ~(taking | (settles_q != 0));
    // property complete_exact: `complete_valid` and `complete_set` tell the first set of the cycle before, in turn from the last one taken, that had 32 elements and was not being taken.
    reg [SET-1:0] turn_q;
    reg complete;
    reg [SET-1:0] first_complete;
    reg complete_q;
    reg [SET-1:0] first_complete_q;
    reg [SET-1:0] in_turn;
    integer k;
    always @(*) begin
        complete = 0;
        first_complete = 0;
        for (k = N - 1; k >= 0; k = k - 1) begin
            in_turn = turn_q + k;
            if ((elements_q[6*in_turn +: 6] == 32) & ~(taking & (take_set_q == in_turn))) begin
                complete = 1;
                first_complete = in_turn;
            end
        end
    end
    always @(posedge clock) begin
        turn_q <= reset ? 0 : take ? take_set + 1 : turn_q;
        complete_q <= ~reset & complete;
        if (complete) first_complete_q <= first_complete;
    end
    wire complete_exact = (complete_valid == complete_q) & (~complete_q | (complete_set == first_complete_q));
    // property best_exact: `best_set` and `best_count` tell the fullest set of two cycles before, the lowest of equals.
    reg [SET-1:0] best;
    reg [2*SET-1:0] best_q;
    reg [11:0] best_count_q;
    integer b;
    always @(*) begin
        best = 0;
        for (b = 1; b < N; b = b + 1) if (elements_q[6*b +: 6] > elements_q[6*best +: 6]) best = b;
    end
    always @(posedge clock) begin
        best_q <= reset ? 0 : {best_q[SET-1:0], best};
        best_count_q <= reset ? 0 : {best_count_q[5:0], elements_q[6*best +: 6]};
    end
    wire best_exact = (best_set == best_q[SET +: SET]) & (best_count == best_count_q[11:6]);

    // invariant queue: The queue counts its elements, head and tail are as far apart, and the watched element is where its number says.
    wire [5:0] around = is_local ? 31 : 63;
    wire [5:0] entry = (front + before_q - head_there) & around;
    wire queue = (source_q != 3) & (count_of_it + head_there == inside_q) & (((back - front - count_of_it) & around) == 0)
        & (count_of_it <= (is_local ? 32 : 64))
        & (~is_queued_q | ((before_q < inside_q) & ((before_q == 0) & head_there ? head_word == word_q
            : (entry_there == entry) & (word_there == word_q))))
        & (watching_q == (is_queued_q | is_in_1_q | is_in_2_q)) & (is_queued_q + is_in_1_q + is_in_2_q <= 1)
        & (~is_in_1_q | (stage_valid[1] & (stage_words[0 +: WORD] == word_q))) & (~is_in_2_q | (in_2 & ({home, word_2} == word_q)));
    // invariant turns: The credit is at most eight and tells who has waited, and so does the ring that came last.
    wire turns = (intake.credit_q <= 8) & (ring_before_q <= intake.credit_q) & (heads[0] | (ring_before_q == 0)) & (heads[0] | (intake.credit_q == 0))
        & ((~is_local & head_there) | ((other_before_q == 0) & (local_before_q == 0)))
        & (is_local | ((other_before_q <= 1) & (local_before_q <= 1) & ((other_before_q == 0) | (intake.cw_came_last_q == is_ccw))
            & ((local_before_q == 0) | (intake.credit_q <= other_before_q))));
    wire [2:0] flying = flight_q[1] + flight_q[2] + flight_q[3] + flight_q[4] + flight_q[5] + flight_q[6];
    // invariant on_way: Queues, stages and flight have what they got and did not pass on.
    wire on_way = (queued_q[0] == local_queue.queue.control.count_q + heads[0]) & (queued_q[1] == ring_queue_0.queue.control.count_q + heads[1])
        & (queued_q[2] == ring_queue_1.queue.control.count_q + heads[2]) & (local_queue.queue.control.count_q <= 32)
        & (ring_queue_0.queue.control.count_q <= 64) & (ring_queue_1.queue.control.count_q <= 64)
        & (staged_q == stage_valid[1] + stage_valid[2]) & (flying_q == flying);
    // invariant came: What came and has not entered a stage is in a queue.
    wire [9:0] all_queued = queued_q[0] + queued_q[1] + queued_q[2];
    wire came = came_q - entered_q == all_queued;
    reg merges_before_q;
    always @(posedge clock) merges_before_q <= ~reset & filters_now & ends & found_end;
    // invariant passed: What entered stages and flight and has not left them is there.
    wire [9:0] counted_stages = entered_q - left_stages_q;
    wire [9:0] counted_flying = left_stages_q - arrived_q;
    wire [9:0] counted_merged = arrived_q - appended_q;
    wire [9:0] all_merged = merged_before_q + merged;
    wire passed = (counted_stages == staged_q) & (counted_flying == flying_q) & (counted_merged == all_merged) & (merged == merges_before_q);
    // invariant taken_out: What was appended and is not in the sets is to be read, on the pins, or out.
    wire [9:0] counted_taken = appended_q - taken_out_q;
    wire [9:0] counted_out = taken_out_q - out_q;
    wire [9:0] all_out = left_q + elements_out;
    wire taken_out = (counted_taken[SET+5:0] == in_sets_q) & (counted_taken >> (SET + 6) == 0) & (counted_out == all_out);
    // invariant of_take: What is left of a take has not come.
    wire of_take = (~(reads_q | beat_q) | (came_of_take_q + elements_out + left_q == number_q)) & (~waits_q | (came_of_take_q == 0));
    // invariant complete_told: The unit tells of the complete set.
    wire complete_told = (sets.turn_q == turn_q) & (complete_valid == complete_q) & (~complete_q | (complete_set == first_complete_q));
    // invariant best_told: The unit knows the fullest set, and what has changed since.
    reg [6*N-1:0] elements_before_q;
    always @(posedge clock) elements_before_q <= reset ? 0 : elements_q;
    reg [SET-1:0] best_before;
    reg others_stay;
    integer a;
    always @(*) begin
        best_before = 0;
        others_stay = 1;
        for (a = 1; a < N; a = a + 1) if (elements_before_q[6*a +: 6] > elements_before_q[6*best_before +: 6]) best_before = a;
        for (a = 0; a < N; a = a + 1) others_stay = others_stay & ((sets.grew_q & (sets.grown_set_q == a))
            | (elements_q[6*a +: 6] == elements_before_q[6*a +: 6]));
    end
    wire best_told = best_exact & (best_q[SET-1:0] == best_before) & (best_count_q[5:0] == elements_before_q[6*best_before +: 6])
        & (sets.best_place_0_q == best_before) & (sets.best_count_0_q == best_count_q[5:0])
        & (sets.shrank_q ? sets.taken_row_q & (sets.shrunk_in_row_q == elements_q) : others_stay)
        & (~(sets.grew_q & ~sets.shrank_q) | ((sets.grown_count_q == elements_q[6*sets.grown_set_q +: 6])
            & (sets.grown_count_q == elements_before_q[6*sets.grown_set_q +: 6] + 1)));

    // reached credit_used: A local element has waited for eight of the ring.
    wire credit_used = (ring_before_q == 8) & heads[0];
    // reached two_in_flight: Two elements in flight go to the set that waits to be taken.
    wire two_in_flight = waits_q & taken_flies & (flying == 2) & (coming == 2);
