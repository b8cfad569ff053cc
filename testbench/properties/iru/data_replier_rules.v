    // Requests inside, the cycles since the last reset, and those since when the unit has been at rest.
    localparam QUEUE = $clog2(`REQUESTS);
    wire is_mine = token_in_valid & (token_in_destination == partition);
    wire waits = ~request_ready;
    wire comes_from_core = request_valid & request_ready;
    // The own partition is that of the first cycle behind a reset.
    reg knows_own_q;
    reg [$clog2(`PARTITIONS)-1:0] own_q;
    wire [$clog2(`PARTITIONS)-1:0] own = knows_own_q ? own_q : partition;
    reg [QUEUE+1:0] inside_q;
    reg [1:0] cycles_q;
    reg [3:0] rested_q;
    reg room_before_q;
    always @(posedge clock) begin
        {knows_own_q, own_q} <= {~reset, own};
        inside_q <= reset ? 0 : inside_q + (is_mine | waits) - control_head_take;
        cycles_q <= reset ? 0 : cycles_q + (cycles_q != 3);
        rested_q <= reset | start | ~(ending & all_empty) ? 0 : rested_q + (rested_q != 8);
        room_before_q <= reset | beat_room;
    end

    // assumption partition_stays: The own partition is a constant outside reset.
    wire partition_stays = partition == own;
    // assumption requests_fit: All cores together have at most as many requests on their way as the queue has entries.
    wire requests_fit = inside_q + waits + is_mine + comes_from_core <= `REQUESTS;
    // assumption beats_welcome: A bank shows a beat only in the cycle behind one with `beat_room`.
    wire beats_welcome = room_before_q | (beat_valid == 0);
    // assumption nothing_at_once: In the three cycles behind a reset no bank has an element.
    wire nothing_at_once = (cycles_q == 3) | ((complete_valid == 0) & (best_count == 0));
    // assumption no_token_at_once: In the cycle behind a reset no token comes: all partitions were reset.
    wire no_token_at_once = (cycles_q != 0) | ~token_in_valid;
    // assumption ends_late: In the two cycles behind a reset `ending` is low: it comes through registers.
    wire ends_late = (cycles_q > 1) | ~ending;
    // assumption starts_at_rest: A start comes only behind eight cycles of `ending` and `all_empty`.
    wire starts_at_rest = ~start | (rested_q == 8);

    // property never_too_many: The queue never has more requests than entries, with the one on its pins.
    wire never_too_many = requests.control.count_q + requests.control.on_pins_q <= `REQUESTS;
    // reached most_requests: The queue has as many requests as it may.
    wire most_requests = inside_q == `REQUESTS;
    // invariant served: While the unit takes there is a head.
    wire takes_now = control.takes_bank_q != 0;
    wire served = (control.busy_q == (takes_now ^ control.draining_q)) & ~(takes_now & control.draining_q)
        & (~control.busy_q | requests.control.on_pins_q);
    // invariant queue: The queue counts its requests; one is on its pins while others wait.
    wire queue = (requests.control.count_q + requests.control.on_pins_q == inside_q) & (inside_q <= `REQUESTS)
        & ((requests.control.count_q <= 1) | requests.control.on_pins_q);
    // invariant too_early: In the three cycles behind a reset no request is the head.
    wire too_early = ((cycles_q != 0) | request_ready) & ((cycles_q > 1) | (requests.control.count_q == 0))
        & ((cycles_q == 3) | ~(requests.control.on_pins_q | control.busy_q | control.served_q));
    // invariant beats: The reply FIFO has three beats at most, and the places of its oldest one and of the next one differ by them.
    wire beats = (fifo.control.beats_q <= (room_before_q ? 2 : 3)) & (fifo.control.two_or_more_q == (fifo.control.beats_q > 1))
        & (((fifo.control.tail_q - fifo.control.head_q - fifo.control.beats_q) & 3) == 0);
