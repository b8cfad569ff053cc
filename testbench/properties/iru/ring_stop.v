    // memories: one word
    // One of the elements that come, any of them, is watched: way and source are picked, and the moment.
    localparam WORD = $clog2(`SETS / 2) + 82;
    localparam HOME = WORD - 2;
    input pick_way;
    input pick_local;
    reg way_q;
    reg local_q;
    wire comes_in = local_q ? (way_q ? ccw_local_valid & ccw_local_ready : cw_local_valid & cw_local_ready)
        : (way_q ? ccw_in_valid & ccw_in_ready : cw_in_valid & cw_in_ready);
    wire ready_of_it = local_q ? (way_q ? ccw_local_ready : cw_local_ready) : (way_q ? ccw_in_ready : cw_in_ready);
    wire [WORD-1:0] word_in = local_q
        ? (way_q ? {ccw_local_place, ccw_local_index, ccw_local_secondary, ccw_local_position}
            : {cw_local_place, cw_local_index, cw_local_secondary, cw_local_position})
        : (way_q ? {ccw_in_place, ccw_in_index, ccw_in_secondary, ccw_in_position}
            : {cw_in_place, cw_in_index, cw_in_secondary, cw_in_position});

    wire watch = local_q ? (way_q ? local_queue_1.queue.sram.pick : local_queue_0.queue.sram.pick)
        : (way_q ? arrival_queue_1.queue.sram.pick : arrival_queue_0.queue.sram.pick);

    // The registers of this way.
    wire [2:1] stage_valid = way_q ? way_1.stage_valid_q : way_0.stage_valid_q;
    wire [2*WORD-1:0] stage_words = way_q ? way_1.stage_word_q : way_0.stage_word_q;
    wire [WORD-1:0] word_1 = stage_words[0 +: WORD];
    wire [WORD-1:0] word_2 = stage_words[WORD +: WORD];
    wire passes = way_q ? way_1.stage_1_passes : way_0.stage_1_passes;
    wire leaves_2 = way_q ? way_1.leaves : way_0.leaves;
    wire ring_goes_on = way_q ? way_1.ring_goes : way_0.ring_goes;
    wire [3:0] credit_of_it = way_q ? way_1.credit_q : way_0.credit_q;
    wire link_valid = way_q ? ccw_out_valid : cw_out_valid;
    wire link_ready = way_q ? ccw_out_ready : cw_out_ready;
    wire [1:0] banks_valid = way_q ? ccw_bank_valid : cw_bank_valid;
    wire [1:0] banks_ready = way_q ? ccw_bank_ready : cw_bank_ready;
    wire [WORD-1:0] link_word = way_q ? {ccw_out_place, ccw_out_index, ccw_out_secondary, ccw_out_position}
        : {cw_out_place, cw_out_index, cw_out_secondary, cw_out_position};
    wire [2*HOME-1:0] bank_words = way_q
        ? {ccw_bank_place[HOME-80 +: HOME-80], ccw_bank_index[47:24], ccw_bank_secondary[63:32], ccw_bank_position[47:24],
            ccw_bank_place[0 +: HOME-80], ccw_bank_index[23:0], ccw_bank_secondary[31:0], ccw_bank_position[23:0]}
        : {cw_bank_place[HOME-80 +: HOME-80], cw_bank_index[47:24], cw_bank_secondary[63:32], cw_bank_position[47:24],
            cw_bank_place[0 +: HOME-80], cw_bank_index[23:0], cw_bank_secondary[31:0], cw_bank_position[23:0]};

    // The queue that the watched element comes to.
    wire local_head = local_queue_head_valid[way_q];
    wire head_there = local_q ? local_head : arrival_queue_head_valid[way_q];
    wire [2*WORD-1:0] heads = local_q ? local_queue_head_data : arrival_queue_head_data;
    wire [WORD-1:0] head_word = way_q ? heads[WORD +: WORD] : heads[0 +: WORD];
    wire taken = local_q ? way_local_take[way_q] : way_ring_take[way_q];
    wire [5:0] count_of_it = local_q ? (way_q ? local_queue_1.queue.control.count_q : local_queue_0.queue.control.count_q)
        : (way_q ? arrival_queue_1.queue.control.count_q : arrival_queue_0.queue.control.count_q);
    wire [4:0] front = local_q ? (way_q ? local_queue_1.queue.control.head_q : local_queue_0.queue.control.head_q)
        : (way_q ? arrival_queue_1.queue.control.head_q : arrival_queue_0.queue.control.head_q);
    wire [4:0] back = local_q ? (way_q ? local_queue_1.queue.control.tail_q : local_queue_0.queue.control.tail_q)
        : (way_q ? arrival_queue_1.queue.control.tail_q : arrival_queue_0.queue.control.tail_q);

    // Where the watched element is: in its queue behind some others, in a stage, or on the pins of an output.
    reg watching_q;
    reg [WORD-1:0] word_q;
    reg [5:0] inside_q;
    reg [5:0] before_q;
    reg is_queued_q;
    reg is_in_1_q;
    reg is_in_2_q;
    reg is_out_q;
    wire begins = comes_in & watch;
    wire goes_home = ~local_q & ~word_q[WORD-1];
    wire to_bank = word_q[WORD-2];
    wire leaves_queue = is_queued_q & taken & (before_q == 0);
    wire leaves_stage = is_in_2_q & leaves_2;
    wire is_on_pins = goes_home ? banks_valid[to_bank] : link_valid;
    wire is_taken = is_out_q & (goes_home ? banks_ready[to_bank] : link_ready);
    always @(posedge clock) begin
        if (reset) way_q <= pick_way;
        if (reset) local_q <= pick_local;
        if (begins) word_q <= word_in;
        watching_q <= ~reset & (begins | (watching_q & ~is_taken));
        inside_q <= reset ? 0 : inside_q + comes_in - taken;
        before_q <= begins ? inside_q - taken : before_q - (is_queued_q & taken);
        is_queued_q <= ~reset & (begins | (is_queued_q & ~leaves_queue));
        is_in_1_q <= ~reset & ~begins & ((leaves_queue & ~local_q) | (is_in_1_q & ~passes));
        is_in_2_q <= ~reset & ~begins & ((is_in_1_q & passes) | (is_in_2_q & ~leaves_2));
        is_out_q <= ~reset & ~begins & (leaves_stage | (leaves_queue & local_q) | (is_out_q & ~is_taken));
    end

    // property nothing_lost: An element that came and was not taken is in the stop: in its queue, in a stage, or on the pins of an output.
    wire nothing_lost = ~watching_q | ((is_queued_q + is_in_1_q + is_in_2_q + is_out_q == 1)
        & (~is_queued_q | (before_q < inside_q)) & (~is_in_1_q | stage_valid[1]) & (~is_in_2_q | stage_valid[2])
        & (~is_out_q | is_on_pins));
    // property order: Elements leave a queue as they came.
    wire order = ~(is_queued_q & (before_q == 0) & head_there) | (head_word == word_q);
    // property at_its_output: An element comes out as it came: to the bank that its place names, or on round the ring, of which it then has one part less to go.
    wire [WORD-1:0] word_on = local_q ? word_q : {1'b0, word_q[WORD-2:0]};
    wire at_its_output = ~is_out_q | (goes_home ? bank_words[HOME*to_bank +: HOME] == word_q[HOME-1:0] : link_word == word_on);
    // property ready_exact: An input is not ready exactly when its queue is full behind the head.
    wire ready_exact = ready_of_it == (inside_q - head_there != (local_q ? 32 : 16));
    // property local_waits_for_eight: The head of a local queue waits for at most eight elements of the ring.
    reg [3:0] ring_before_q;
    always @(posedge clock) ring_before_q <= reset | ~local_head | way_local_take[way_q] ? 0 : ring_before_q + ring_goes_on;
    wire local_waits_for_eight = ring_before_q <= 8;
    // property ring_waits_for_one: An element that goes on round the ring waits for at most one local element.
    reg [1:0] local_before_q;
    wire wants_on = stage_valid[2] & word_2[WORD-1];
    always @(posedge clock) local_before_q <= reset | ~wants_on | ring_goes_on ? 0 : local_before_q + way_local_take[way_q];
    wire ring_waits_for_one = local_before_q <= 1;
    // invariant stays_on_pins: An element on the pins of an output stays there until it is taken.
    reg [2:0] waited_q;
    reg [WORD-1:0] link_before_q;
    reg [2*HOME-1:0] banks_before_q;
    always @(posedge clock) begin
        waited_q <= reset ? 0 : {link_valid & ~link_ready, banks_valid & ~banks_ready};
        link_before_q <= link_word;
        banks_before_q <= bank_words;
    end
    wire stays_on_pins = (~waited_q[2] | (link_valid & (link_word == link_before_q)))
        & (~waited_q[1] | (banks_valid[1] & (bank_words[HOME +: HOME] == banks_before_q[HOME +: HOME])))
        & (~waited_q[0] | (banks_valid[0] & (bank_words[0 +: HOME] == banks_before_q[0 +: HOME])));
    // property empty_exact: `empty` is high exactly when all elements that came have left: queues, stages and outputs have passed on as many as they got.
    reg [6:0] queued_q [0:3];
    reg [1:0] staged_q [0:1];
    reg [5:0] on_pins_q;
    wire [3:0] queues_get = {ccw_local_valid & ccw_local_ready, cw_local_valid & cw_local_ready, ccw_in_valid & ccw_in_ready,
        cw_in_valid & cw_in_ready};
    wire [3:0] queues_pass = {way_local_take, way_ring_take};
    wire [1:0] stages_pass = {way_1.leaves, way_0.leaves};
    wire [5:0] outputs_get = {way_1.fills_link, way_0.fills_link, way_1.fills_bank, way_0.fills_bank};
    wire [5:0] outputs_valid = {ccw_out_valid, cw_out_valid, ccw_bank_valid, cw_bank_valid};
    wire [5:0] outputs_pass = outputs_valid & {ccw_out_ready, cw_out_ready, ccw_bank_ready, cw_bank_ready};
    integer n;
    always @(posedge clock) begin
        for (n = 0; n < 4; n = n + 1) queued_q[n] <= reset ? 0 : queued_q[n] + queues_get[n] - queues_pass[n];
        for (n = 0; n < 2; n = n + 1) staged_q[n] <= reset ? 0 : staged_q[n] + queues_pass[n] - stages_pass[n];
        for (n = 0; n < 6; n = n + 1) on_pins_q[n] <= ~reset & (on_pins_q[n] ^ outputs_get[n] ^ outputs_pass[n]);
    end
    wire nothing_inside = (queued_q[0] == 0) & (queued_q[1] == 0) & (queued_q[2] == 0) & (queued_q[3] == 0)
        & (staged_q[0] == 0) & (staged_q[1] == 0) & (on_pins_q == 0);
    wire empty_exact = empty == nothing_inside;

    // invariant count: The queue counts the elements that are in it.
    wire count = count_of_it + head_there == inside_q;
    // invariant distance: Head and tail of the queue are as far apart as there are elements behind the head.
    wire [4:0] around = local_q ? 31 : 15;
    wire distance = ((back - front - count_of_it) & around) == 0;
    // invariant fits: No queue has more elements than entries.
    wire fits = count_of_it <= (local_q ? 32 : 16);
    // invariant place: The watched element is where its number says.
    wire [4:0] entry = (front + before_q - head_there) & around;
    wire [WORD-1:0] word_there = local_q ? (way_q ? local_queue_1.queue.sram.word_q : local_queue_0.queue.sram.word_q)
        : (way_q ? arrival_queue_1.queue.sram.word_q : arrival_queue_0.queue.sram.word_q);
    wire [4:0] entry_there = local_q ? (way_q ? local_queue_1.queue.sram.address_q : local_queue_0.queue.sram.address_q)
        : (way_q ? arrival_queue_1.queue.sram.address_q : arrival_queue_0.queue.sram.address_q);
    wire place = (watching_q == (is_queued_q | is_in_1_q | is_in_2_q | is_out_q)) & (is_queued_q + is_in_1_q + is_in_2_q + is_out_q <= 1)
        & (~is_queued_q | ((before_q < inside_q) & ((before_q == 0) & head_there ? head_word == word_q
            : (entry_there == entry) & (word_there == word_q))))
        & (~is_in_1_q | (stage_valid[1] & (word_1 == word_q))) & (~is_in_2_q | (stage_valid[2] & (word_2 == word_q)))
        & (~is_out_q | (is_on_pins & (goes_home ? bank_words[HOME*to_bank +: HOME] == word_q[HOME-1:0] : link_word == word_on)))
        & (~local_q | ~(is_in_1_q | is_in_2_q));
    // invariant credit: The credit is at most eight, and at least what the local head has waited for; it is none behind a local element.
    wire credit = (ring_before_q <= credit_of_it) & (credit_of_it <= 8)
        & (~wants_on | (local_before_q == 0) | ((local_before_q == 1) & (credit_of_it == 0)));
    // invariant waits_no_more: Who has gone does not wait.
    wire waits_no_more = (wants_on | (local_before_q == 0)) & (local_head | (ring_before_q == 0));
    // invariant held: Queues, stages and outputs have what they got and did not pass on.
    wire held = (queued_q[0] == arrival_queue_0.queue.control.count_q + arrival_queue_head_valid[0])
        & (queued_q[1] == arrival_queue_1.queue.control.count_q + arrival_queue_head_valid[1])
        & (queued_q[2] == local_queue_0.queue.control.count_q + local_queue_head_valid[0])
        & (queued_q[3] == local_queue_1.queue.control.count_q + local_queue_head_valid[1])
        & (staged_q[0] == way_0.stage_valid_q[1] + way_0.stage_valid_q[2])
        & (staged_q[1] == way_1.stage_valid_q[1] + way_1.stage_valid_q[2]) & (on_pins_q == outputs_valid);

    // reached ninth: A local element has waited for eight of the ring.
    wire ninth = (ring_before_q == 8) & local_head;
    // reached leaves_late: The watched element is taken behind others.
    reg behind_q;
    always @(posedge clock) behind_q <= ~reset & (begins ? inside_q > 2 : behind_q);
    wire leaves_late = is_taken & behind_q;
