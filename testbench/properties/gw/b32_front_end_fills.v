    // From the unit's page, of every warp: it runs, it has halted, it waits for a line. Scheduler 1 has the upper half.
    localparam PLACES = `WARPS / 2;
    localparam PLACE = $clog2(PLACES);
    reg [`WARPS-1:0] runs_q;
    reg [`WARPS-1:0] halted_q;
    reg [`WARPS-1:0] waits_q;
    wire [`WARPS-1:0] ends;
    wire [`WARPS-1:0] halts;
    wire [`WARPS-1:0] issued;
    wire [`WARPS-1:0] answered;
    genvar s;
    generate
        for (s = 0; s < 2; s = s + 1) begin : of_scheduler
            wire [1:0] next = answer_next[2*s +: 2];
            assign issued[PLACES*s +: PLACES] = {{PLACES-1{1'b0}}, issue_valid[s]} << issue_place[PLACE*s +: PLACE];
            assign answered[PLACES*s +: PLACES] = {{PLACES-1{1'b0}}, answer_valid[s]} << answer_place[PLACE*s +: PLACE];
            assign ends[PLACES*s +: PLACES] = answered[PLACES*s +: PLACES] & {PLACES{next == 2}};
            assign halts[PLACES*s +: PLACES] = answered[PLACES*s +: PLACES] & {PLACES{next != 0 & next != 2}};
        end
    endgenerate
    wire [`WARPS-1:0] fetched = {{`WARPS-1{1'b0}}, fetch_valid} << {fetch_scheduler, fetch_place};
    wire [`WARPS-1:0] filled = {{`WARPS-1{1'b0}}, fill_valid} << {fill_scheduler, fill_place};
    always @(posedge clock) begin
        runs_q <= reset ? 0 : start | (runs_q & ~ends);
        halted_q <= reset ? 0 : halts | (halted_q & ~wake);
        waits_q <= reset ? 0 : fetched | (waits_q & ~filled);
    end

    // assumption asked_for: Each fetch is filled once, in a later cycle.
    wire asked_for = (filled & ~waits_q) == 0;
    // assumption starts_ended: A warp starts only after its place has ended.
    wire starts_ended = (start & runs_q) == 0;
    // assumption answers_asked: A warp is answered once, in a later cycle than the issue of an instruction with `flow`. The unit's registers tell that there was one.
    wire [`WARPS-1:0] open = {each_scheduler[1].scheduler.warps.open , each_scheduler[0].scheduler.warps.open };
    wire answers_asked = (answered & ~(open & ~halted_q & ~ready & ~issued)) == 0;
    // assumption wakes_halted: Only a halted warp is woken.
    wire wakes_halted = (wake & ~halted_q) == 0;

    // reached woken: A halted warp is woken.
    wire woken = (wake & halted_q) != 0;
    // property one_fetch: A fetch is for a warp that waits for no line.
    wire one_fetch = (fetched & waits_q) == 0;
    // invariant known: The unit knows of the warps that wait for a line, and of the one whose fetch is on its pins.
    wire [`WARPS-1:0] asked = {each_scheduler[1].scheduler.fetch.asked_q , each_scheduler[0].scheduler.fetch.asked_q };
    wire known = (asked == (waits_q | fetched)) & ((waits_q & fetched) == 0);
