    // A word, any of them, is counted: how often it came from a bank, and how often it was taken by a bank or the network.
    input [23:0] pick;
    reg [23:0] word_q;
    reg [3:0] balance_q;
    reg [3:0] comes;
    reg [3:0] goes;
    reg [`LANES-1:0] pushed_q;
    reg [24*`LANES-1:0] pushed_id_q;
    integer n;
    always @(*) begin
        comes = 0;
        goes = out_valid & out_ready & (out_id == word_q);
        for (n = 0; n < `LANES; n = n + 1) begin
            comes = comes + (wru_valid[n] & (id[24*n +: 24] == word_q));
            goes = goes + (wru_accepted[n] & (pushed_id_q[24*n +: 24] == word_q));
        end
    end
    reg waited_q;
    reg [24:0] out_q;
    reg [`LANES-1:0] popped_q;
    always @(posedge clock) begin
        if (reset) word_q <= pick;
        balance_q <= reset ? 0 : balance_q + comes - goes;
        pushed_id_q <= push_id;
        waited_q <= ~reset & out_valid & ~out_ready;
        out_q <= {out_part, out_id};
        popped_q <= reset ? 0 : pop;
        pushed_q <= reset ? 0 : push;
    end

    // property conserved: When nothing is under way, each ID went as often as it came.
    wire conserved = moving | out_valid | (balance_q == 0);
    // property nothing_from_nothing: No ID goes more often than it came.
    wire nothing_from_nothing = ~balance_q[3];
    // property one_role: No bank gives and takes in one cycle.
    wire one_role = (pop & push) == 0;
    // property pauses: A bank has a cycle for its answer before the next request.
    wire pauses = ((pop & popped_q) == 0) & ((push & pushed_q) == 0);
    // property stays_on_pins: An ID for another core stays on its pins until it is taken.
    wire stays_on_pins = ~waited_q | (out_valid & ({out_part, out_id} == out_q));
    // property moving_covers: Requests come only while `moving` is high.
    wire moving_covers = moving | ~(|pop | |push);
    // assumption answers: A bank answers only in the cycle behind a request.
    wire answers = ((wru_valid & ~popped_q) | (wru_accepted & ~pushed_q)) == 0;
    // assumption fits: No side of a bank has more IDs than its partition: all entries or none, and half of them in double-buffer mode.
    localparam COUNT = $clog2(`ENTRIES) + 1;
    reg too_many;
    integer f;
    always @(*) begin
        too_many = 0;
        for (f = 0; f < `LANES; f = f + 1)
            too_many = too_many | (pull_occupancy[COUNT*f +: COUNT] > (double_buffer ? `ENTRIES / 2 : `ENTRIES))
                | (push_occupancy[COUNT*f +: COUNT] > (double_buffer ? `ENTRIES / 2 : 0));
    end
    wire fits = ~too_many;

