    // memories: one word
    localparam P = $clog2(`PARTITIONS);
    localparam SET = $clog2(`SETS / 2);
    localparam QUEUE = $clog2(`REQUESTS);
    // The own partition is that of the first cycle behind a reset.
    reg knows_own_q;
    reg [P-1:0] own_q;
    wire [P-1:0] own = knows_own_q ? own_q : partition;
    always @(posedge clock) {knows_own_q, own_q} <= {~reset, own};

    // Requests that come to the queue; of these, one that is watched, and how many are before it.
    wire head = requests_head_valid;
    wire [15:0] head_request = requests_head_data;
    wire is_mine = token_in_valid & (token_in_destination == own);
    wire comes_from_core = request_valid & request_ready;
    reg waits_q;
    reg [15:0] waiting_q;
    wire pushes = is_mine | waits_q;
    wire [15:0] pushed = is_mine ? token_in_request : waiting_q;
    wire leaves = control_head_take;
    reg [QUEUE+1:0] inside_q;
    reg [QUEUE+1:0] before_q;
    reg watching_q;
    reg [15:0] watched_q;
    wire begins = pushes & requests.sram.pick;
    always @(posedge clock) begin
        waits_q <= ~reset & (comes_from_core | (waits_q & is_mine));
        if (comes_from_core) waiting_q <= request;
        inside_q <= reset ? 0 : inside_q + pushes - leaves;
        before_q <= begins ? inside_q - leaves : before_q - (watching_q & leaves);
        watching_q <= ~reset & (begins | (watching_q & ~(leaves & (before_q == 0))));
        if (begins) watched_q <= pushed;
    end

    // The rules of the page for the head: 0 waits, 1 takes, 2 drains.
    reg [1:0] state_q;
    reg bank_q;
    reg served_q;
    reg [5:0] lanes_q;
    reg [5:0] count_q;
    reg [16:0] age_q;
    reg complete_from_0_q;
    reg [3:0] pause_q;
    reg [2:0] ending_pause_q;
    wire [5:0] left = served_q ? lanes_q : head_request[4:0] + 6'd1;
    wire at_end = ending & (ending_pause_q == 0);
    wire hurry = (age_q == `TIMEOUT) | at_end;
    wire waits = (state_q == 0) & head;
    wire [5:0] best_0 = best_count[5:0];
    wire [5:0] best_1 = best_count[11:6];
    wire [1:0] some = {best_1 != 0, best_0 != 0};
    wire [1:0] complete = complete_valid & take_ready;
    wire [1:0] best = some & take_ready;
    wire rule_1 = waits & (complete != 0);
    wire bank_of_1 = complete == 3 ? complete_from_0_q : complete[1];
    wire rule_2 = waits & ~rule_1 & hurry & (best != 0);
    wire bank_of_2 = best == 3 ? best_1 > best_0 : best[1];
    wire rule_3 = waits & ~rule_1 & ~rule_2 & hurry & (some != 0);
    reg other_is_rich;
    reg [P-1:0] first_rich;
    integer n;
    always @(*) begin
        other_is_rich = 0;
        first_rich = 0;
        for (n = `PARTITIONS - 1; n > 0; n = n - 1) if (rich_in[(own + n) % `PARTITIONS]) begin
            other_is_rich = 1;
            first_rich = own + n;
        end
    end
    wire passes_on = token_in_valid & ~is_mine;
    wire rule_4 = waits & ~rule_1 & ~rule_2 & ~rule_3 & (complete_valid == 0) & other_is_rich & ~passes_on & (pause_q == 0)
        & (~served_q | beat_room);
    wire rule_5 = waits & ~rule_1 & ~rule_2 & ~rule_3 & ~rule_4 & at_end & all_empty & beat_room;
    wire take_bank = rule_1 ? bank_of_1 : bank_of_2;
    wire [5:0] most = rule_1 ? 32 : take_bank ? best_1 : best_0;
    wire beat_comes = (state_q == 2) & beat_valid[bank_q];
    wire drained = beat_comes & beat_last[bank_q];
    wire done = drained & (left == count_q);
    wire ends = done | rule_4 | rule_5;
    always @(posedge clock) begin
        if (reset) {state_q, served_q, age_q, complete_from_0_q, pause_q, ending_pause_q} <= 0;
        else begin
            state_q <= rule_1 | rule_2 ? 1 : state_q == 1 ? 2 : drained ? 0 : state_q;
            served_q <= ~ends & (served_q | drained);
            age_q <= ends ? 0 : head & (age_q < `TIMEOUT) ? age_q + 1 : age_q;
            complete_from_0_q <= rule_1 ? ~take_bank : complete_from_0_q;
            pause_q <= rule_4 ? 8 : pause_q != 0 ? pause_q - 1 : 0;
            ending_pause_q <= start ? 4 : ending_pause_q != 0 ? ending_pause_q - 1 : 0;
        end
        if (rule_1 | rule_2) {bank_q, count_q} <= {take_bank, left < most ? left : most};
        if (drained) lanes_q <= left - count_q;
    end

    // Beats that come to the FIFO; of these, one that is watched.
    reg [2:0] beats_q;
    reg [2:0] beats_before_q;
    reg watching_beat_q;
    reg [341:0] beat_q;
    reg room_before_q;
    wire closes = (rule_4 & served_q) | rule_5;
    wire beat_pushed = beat_comes | closes;
    wire beat_goes = reply_valid & reply_ready;
    reg [3:0] mask;
    reg [319:0] elements;
    integer m;
    always @(*) begin
        mask = closes ? 0 : beat_mask[4*bank_q +: 4];
        for (m = 0; m < 4; m = m + 1)
            elements[80*m +: 80] = mask[m] ? {beat_index[24*(2*m+bank_q) +: 24], beat_secondary[32*(2*m+bank_q) +: 32],
                beat_position[24*(2*m+bank_q) +: 24]} : 0;
    end
    wire [341:0] beat_in = {elements, done | rule_5, done | closes, mask, head_request};
    wire [341:0] reply = {reply_index[95:72], reply_secondary[127:96], reply_position[95:72], reply_index[71:48], reply_secondary[95:64],
        reply_position[71:48], reply_index[47:24], reply_secondary[63:32], reply_position[47:24], reply_index[23:0],
        reply_secondary[31:0], reply_position[23:0], reply_last, reply_end, reply_mask, reply_request};
    wire beat_begins = beat_pushed & fifo.sram.pick;
    always @(posedge clock) begin
        beats_q <= reset ? 0 : beats_q + beat_pushed - beat_goes;
        beats_before_q <= beat_begins ? beats_q - beat_goes : beats_before_q - (watching_beat_q & beat_goes);
        watching_beat_q <= ~reset & (beat_begins | (watching_beat_q & ~(beat_goes & (beats_before_q == 0))));
        if (beat_begins) beat_q <= beat_in;
        room_before_q <= reset | beat_room;
    end

    // assumption partition_stays: The own partition is a constant outside reset.
    wire partition_stays = partition == own;
    // assumption requests_fit: All cores together have at most as many requests on their way as the queue has entries.
    wire requests_fit = inside_q + waits_q + is_mine + comes_from_core <= `REQUESTS;
    // assumption beats_welcome: A bank shows a beat only in the cycle behind one with `beat_room`.
    wire beats_welcome = room_before_q | (beat_valid == 0);
    // assumption nothing_at_once: In the cycle behind a reset no bank has an element.
    reg was_reset_q;
    always @(posedge clock) was_reset_q <= reset;
    wire nothing_at_once = ~was_reset_q | ((complete_valid == 0) & (best_count == 0));

    // property order: Requests are the head as they came to the queue.
    wire order = ~(watching_q & (before_q == 0) & head) | (head_request == watched_q);
    // property nothing_lost: A request that came is in the input register or in the queue until it is answered or passed on.
    wire nothing_lost = (request_ready == ~waits_q) & (~watching_q | (before_q < inside_q)) & (~head | (inside_q != 0));
    // property takes: The unit takes by the rules 1 and 2: of this bank, this set, and so many elements.
    reg [SET-1:0] set_q;
    always @(posedge clock) if (rule_1 | rule_2) set_q <= rule_1 ? complete_set[SET*take_bank +: SET] : best_set[SET*take_bank +: SET];
    wire takes = (take == (state_q == 1 ? (bank_q ? 2 : 1) : 0)) & ((state_q != 1)
        | ((take_set[SET*bank_q +: SET] == set_q) & (take_count[6*bank_q +: 6] == count_q)));
    // property takes_fit: A take is of one element at least, and of no more than there are lanes left.
    wire takes_fit = (state_q == 0) | ((count_q >= 1) & (count_q <= left) & head);
    // property leaves_once: A request leaves the queue when it is complete, passed on, or nothing is left for it.
    wire leaves_once = leaves == ends;
    // property token_out_exact: A token for another partition goes on in the next cycle; else the request goes that rule 4 passes on, with the lanes that are left, to the first rich partition.
    reg token_q;
    reg [P+15:0] token_word_q;
    wire [4:0] rest = left - 6'd1;
    always @(posedge clock) begin
        token_q <= ~reset & (passes_on | rule_4);
        token_word_q <= passes_on ? {token_in_destination, token_in_request} : {first_rich, head_request[15:5], rest};
    end
    wire token_out_exact = (token_out_valid == token_q) & (~token_q | ({token_out_destination, token_out_request} == token_word_q));
    // property rich_exact: `rich` tells that the unit had nothing to do and something to give.
    reg rich_q;
    always @(posedge clock) rich_q <= ~reset & (state_q == 0) & ~waits_q & (inside_q == 0) & (at_end ? some != 0 : complete_valid != 0);
    wire rich_exact = rich == rich_q;
    // property replies_in_order: A beat comes to the pins when all before it have been taken, as it came, with end and last as the rules say.
    wire replies_in_order = ~(watching_beat_q & (beats_before_q == 0)) | (reply_valid & (reply == beat_q));
    // property reply_exact: `reply_valid` is high exactly when beats are there, and `beat_room` when there is one at most.
    wire reply_exact = (reply_valid == (beats_q != 0)) & (beat_room == (beats_q <= 1));
    // property never_overwrites: The reply FIFO never has more than its four beats.
    wire never_overwrites = beats_q <= 4;
    // property stays_on_pins: A beat stays on the pins until it is taken.
    reg waited_q;
    always @(posedge clock) waited_q <= ~reset & reply_valid & ~reply_ready;
    wire stays_on_pins = ~waited_q | reply_valid;

    // invariant queue: The queue counts its requests, and the watched one is where its number says.
    wire [QUEUE-1:0] place_of_it = requests.control.head_q + before_q - head;
    wire queue = (requests.control.count_q + head == inside_q) & (inside_q <= `REQUESTS)
        & (requests.control.tail_q - requests.control.head_q == requests.control.count_q[QUEUE-1:0])
        & (port.request_waits_q == waits_q) & (~waits_q | (port.waiting_request_q == waiting_q))
        & (~watching_q | ((before_q < inside_q) & (head & (before_q == 0) ? head_request == watched_q
            : (requests.sram.address_q == place_of_it) & (requests.sram.word_q == watched_q))));
    // invariant rules: The unit is where the rules say.
    wire rules = (state_q != 3) & (control.takes_bank_q == (state_q == 1 ? (bank_q ? 2 : 1) : 0)) & (control.draining_q == (state_q == 2))
        & (control.busy_q == (state_q != 0)) & ((state_q == 0) | ((control.bank_q == bank_q) & (control.take_count_q == count_q)
            & (control.takes_rest_q == (left == count_q)) & (count_q >= 1) & (count_q <= left) & head))
        & (control.served_q == served_q) & (~served_q | (head & (control.lanes_rest_q == lanes_q) & (lanes_q >= 1) & (lanes_q <= 32)))
        & (control.age_q == age_q) & (age_q <= `TIMEOUT) & (control.start_pause_q == ending_pause_q) & (control.forward_pause_q == pause_q)
        & (control.bank_0_came_last_q == complete_from_0_q) & takes & token_out_exact & rich_exact & stays_on_pins;
    // invariant beats: The FIFO counts its beats, and the watched one is where its number says.
    wire [1:0] beat_place = fifo.control.head_q + beats_before_q;
    wire beats = (fifo.control.beats_q == beats_q) & (beats_q <= (room_before_q ? 2 : 3)) & (fifo.control.two_or_more_q == (beats_q > 1))
        & (((fifo.control.tail_q - fifo.control.head_q - beats_q) & 3) == 0)
        & (~watching_beat_q | ((beats_before_q < beats_q) & (fifo.sram.address_q == beat_place) & (fifo.sram.word_q == beat_q)))
        & (~(watching_beat_q & (beats_before_q == 0)) | (reply == beat_q));

    // reached by_two_takes: A request is complete with its second take.
    wire by_two_takes = done & served_q;
    // reached passed_on: A request that is served in part is passed on.
    wire passed_on = rule_4 & served_q;
    // reached three_beats: The FIFO has three beats.
    wire three_beats = beats_q == 3;
