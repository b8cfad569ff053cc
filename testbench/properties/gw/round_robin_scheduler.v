    // A warp, any of them, is watched.
    input [$clog2(`WARPS)-1:0] pick;
    reg [$clog2(`WARPS)-1:0] warp_q;
    // Issues of others since the watched warp could go.
    reg [$clog2(`WARPS):0] others_q;
    reg [`WARPS-1:0] could_go_q;
    // From the unit's page: a warp can go that is ready, whose path has room, and that is not on the pins.
    wire [`WARPS-1:0] may_go;
    generate
        genvar w;
        for (w = 0; w < `WARPS; w = w + 1) begin : each_may_go
            assign may_go[w] = ready[w] & room[path[2*w +: 2]] & ~(issue_valid & (issue_warp == w));
        end
    endgenerate

    always @(posedge clock) begin
        warp_q <= reset ? pick : warp_q;
        could_go_q <= reset ? 0 : may_go;
        others_q <= reset | ~may_go[warp_q] ? 0 : others_q + 1;
    end
    wire gone = issue_valid & (issue_warp == warp_q);

    // property only_who_can: A warp issues only if it could go in the cycle before.
    wire only_who_can = ~issue_valid | could_go_q[issue_warp];
    // property no_idle_cycle: A warp issues whenever one could go.
    wire no_idle_cycle = issue_valid == (|could_go_q);
    // property fair: A warp that can go all the time issues after at most all others, once each.
    wire fair = (others_q < `WARPS) | gone;
    // reached last_in_turn: A warp waits for all others.
    wire last_in_turn = gone & (others_q == `WARPS);
    // reached issues_again: The watched warp issues while others wait.
    wire issues_again = gone & (|may_go);
