    // One of the IDs that come, any of them, is watched: its source is picked, and the moment.
    input [$clog2(`CORES)-1:0] pick;
    input watch;
    reg [$clog2(`CORES)-1:0] source_q;
    reg watching_q;
    reg [24:0] word_q;
    // Where the ID is: behind another of its source, the oldest of its source, or at a destination.
    reg is_behind_q;
    reg is_oldest_q;
    reg is_there_q;
    reg [$clog2(`CORES)-1:0] destination_q;
    wire comes = out_valid[source_q] & out_ready[source_q] & watch & ~watching_q;
    wire crosses = is_oldest_q & source_chosen[source_q];
    wire is_taken = is_there_q & in_valid[destination_q] & in_ready[destination_q];
    wire [$clog2(`CORES)-1:0] where_to;
    wire [24:0] word_there = in_word_q[25*destination_q +: 25];
    reg [$clog2(`CORES)-1:0] number;
    integer n;
    always @(*) begin
        number = 0;
        for (n = 0; n < `CORES; n = n + 1) if (destination[n]) number = n;
    end
    assign where_to = number;
    wire goes_behind = comes & stays[source_q];

    always @(posedge clock) begin
        if (reset) source_q <= pick;
        watching_q <= ~reset & ((watching_q & ~is_taken) | comes);
        if (comes) word_q <= {out_part[source_q], out_id[24*source_q +: 24]};
        is_behind_q <= ~reset & (goes_behind | (is_behind_q & stays[source_q]));
        is_oldest_q <= ~reset & ((comes & ~stays[source_q]) | (is_behind_q & ~stays[source_q]) | (is_oldest_q & ~crosses));
        is_there_q <= ~reset & (crosses | (is_there_q & ~is_taken));
        if (crosses) destination_q <= where_to;
    end

    // property nothing_lost: An ID that came and was not taken is in the hub, with its side: behind another, as the oldest of its source, or on the pins of a core.
    wire nothing_lost = ~watching_q | ((is_behind_q + is_oldest_q + is_there_q == 1)
        & (~is_behind_q | (behind_valid_q[source_q] & (behind_q[25*source_q +: 25] == word_q)))
        & (~is_oldest_q | (oldest_valid_q[source_q] & (oldest_q[25*source_q +: 25] == word_q)))
        & (~is_there_q | (in_valid[destination_q] & (word_there == word_q))));
    // property one_grant: At most one ID crosses the hub in a cycle, to one core, whose register is empty.
    wire one_grant = ((source_chosen & (source_chosen - 1'b1)) == 0) & ((destination & (destination - 1'b1)) == 0)
        & ((destination & in_valid_q) == 0) & ((|destination) == (|source_chosen));
    // property only_requests: An ID crosses only from a source that has one.
    wire only_requests = (source_chosen & ~oldest_valid_q) == 0;
    // property not_back: No ID goes to the core that it comes from.
    wire not_back = (source_chosen & destination) == 0;
    // invariant held_exact: `held` is the number of IDs in the hub.
    reg [6:0] inside;
    integer k;
    always @(*) begin
        inside = 0;
        for (k = 0; k < `CORES; k = k + 1) inside = inside + oldest_valid_q[k] + behind_valid_q[k] + in_valid_q[k];
    end
    wire held_exact = held == inside;
    // property fair: A source whose ID can cross all the time waits for at most one ID of each other source.
    reg [$clog2(`CORES):0] waits_q;
    wire could = requests[source_q] & ~source_chosen[source_q];
    always @(posedge clock) waits_q <= reset | ~could ? 0 : waits_q + 1;
    wire fair = waits_q < `CORES;
    // property stays_on_pins: An ID on the pins of a core stays there until it is taken.
    reg [`CORES-1:0] waited_q;
    reg [25*`CORES-1:0] words_before_q;
    always @(posedge clock) begin
        waited_q <= reset ? 0 : in_valid & ~in_ready;
        words_before_q <= in_word_q;
    end
    wire [`CORES-1:0] same_word;
    generate
        genvar c;
        for (c = 0; c < `CORES; c = c + 1) begin : each_same
            assign same_word[c] = in_valid[c] & (in_word_q[25*c +: 25] == words_before_q[25*c +: 25]);
        end
    endgenerate
    wire stays_on_pins = (waited_q & ~same_word) == 0;
    // invariant filled_in_order: A source has an ID behind the oldest only if it has an oldest.
    wire filled_in_order = (behind_valid_q & ~oldest_valid_q) == 0;
    // reached arrives: The watched ID is taken while others are in the hub.
    wire arrives = is_taken & (held > 3);
    // reached full_house: All registers of the hub have IDs.
    wire full_house = (&oldest_valid_q) & (&behind_valid_q) & (&in_valid_q);
