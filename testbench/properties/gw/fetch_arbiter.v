    // A scheduler, any of them, is watched.
    input [$clog2(`SCHEDULERS)-1:0] pick;
    reg [$clog2(`SCHEDULERS)-1:0] scheduler_q;
    reg [`SCHEDULERS-1:0] wanted_q;
    reg [15*`SCHEDULERS-1:0] lines_q;
    reg [$clog2(`WARPS)*`SCHEDULERS-1:0] places_q;
    reg waited_q;
    reg [14:0] ask_line_q;
    reg began_q;
    wire is_over = ask_valid & fetch_room & ~fill_valid;
    wire [`SCHEDULERS-1:0] fresh;
    generate
        genvar s;
        for (s = 0; s < `SCHEDULERS; s = s + 1) begin : each_fresh
            assign fresh[s] = want_valid[s] & ~(ask_valid & (want_line[15*s +: 15] == ask_line));
        end
    endgenerate

    always @(posedge clock) begin
        scheduler_q <= reset ? pick : scheduler_q;
        wanted_q <= reset ? 0 : fresh;
        lines_q <= want_line;
        places_q <= want_place;
        waited_q <= ~reset & ask_valid & ~is_over;
        ask_line_q <= ask_line;
        began_q <= ~reset & (~ask_valid | is_over);
    end
    wire begins = ask_valid & began_q;

    // property wanted: What the arbiter asks for, its scheduler wanted in the cycle before: the line, for the warp at that place.
    wire wanted = ~begins | (wanted_q[ask_scheduler] & (lines_q[15*ask_scheduler +: 15] == ask_line)
        & (places_q[$clog2(`WARPS)*ask_scheduler +: $clog2(`WARPS)] == ask_place));
    // property stays: An ask stays as it is until the storage deals with it.
    wire stays = ~waited_q | (ask_valid & (ask_line == ask_line_q));
    // invariant no_line_twice: No line is asked for again in the cycle behind its ask.
    wire no_line_twice = ~(begins & was_asked_q) | (ask_line != ask_line_q);
    reg was_asked_q;
    always @(posedge clock) was_asked_q <= ~reset & is_over;
    // invariant remembered: The line of the last ask is known in the cycle behind it.
    wire remembered = (was_asked_q == was_over_q) & (~was_asked_q | (over_line_q == ask_line_q));

    // Asks of others that began since the watched scheduler wants a line that nobody else asks for.
    reg [$clog2(`SCHEDULERS):0] others_q;
    wire [14:0] own_line = want_line[15*scheduler_q +: 15];
    wire insists = fresh[scheduler_q] & ~(was_over_q & (own_line == over_line_q));
    wire served = begins & (ask_scheduler == scheduler_q);
    reg insisted_q;
    always @(posedge clock) begin
        insisted_q <= ~reset & insists;
        others_q <= reset | ~insists ? 0 : (begins & insisted_q & ~served ? others_q + 1 : (served ? 0 : others_q));
    end
    // property fair: A scheduler that wants a line of its own is served after at most one ask of each other scheduler.
    wire fair = others_q + (begins & insisted_q & ~served) < `SCHEDULERS;
    // reached serves_second: The watched scheduler is served behind another.
    wire serves_second = served & (others_q != 0);
    // reached begins_at_once: An ask begins in the cycle behind one that the storage has dealt with.
    wire begins_at_once = begins & was_asked_q;
