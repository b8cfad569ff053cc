    // Of each core: loads that memory has, by their tags, and pins of the cycle before.
    wire [`CORES-1:0] both;
    wire [`CORES-1:0] early;
    wire [`CORES-1:0] unasked;
    wire [`CORES-1:0] left;
    genvar c;
    generate
        for (c = 0; c < `CORES; c = c + 1) begin : of_core
            wire [1:0] tag = mem_tag[2*c +: 2];
            wire [1:0] brought = line_tag[2*c +: 2];
            wire loads = mem_valid[c] & mem_ready[c] & ~mem_write[c];
            wire [34:0] request = {mem_write[c], mem_line[32*c +: 32], tag};
            reg [3:0] away_q;
            reg waited_q;
            reg [34:0] request_q;
            always @(posedge clock) begin
                away_q <= reset ? 0 : (away_q | ({3'd0, loads} << tag)) & ~({3'd0, line_valid[c]} << brought);
                waited_q <= ~reset & mem_valid[c] & ~mem_ready[c];
                request_q <= request;
            end
            assign both[c] = |pull[`LANES*c +: `LANES] & |push[`LANES*c +: `LANES];
            assign early[c] = |push[`LANES*c +: `LANES] & ~push_ready[c];
            assign unasked[c] = line_valid[c] & ~(line_ready[c] & away_q[brought]);
            assign left[c] = waited_q & ~(mem_valid[c] & (request_q == request));
        end
    endgenerate
    wire lanes_ask = |pull | |push | |leave;

    // property stays_on_pins: A request of a core stays on its pins until memory takes it, with its line and its tag.
    wire stays_on_pins = left == 0;

    // assumption owed: Memory brings a line that a core asked for, once, while the core's line register is empty.
    wire owed = unasked == 0;
    // assumption alone: `configure`, `init` and `kernel_end` come without requests of lanes and not together.
    wire alone = {1'b0, configure} + init + kernel_end + lanes_ask < 2;
    // assumption one_kind: A core's lanes pull or push, and push only if `push_ready` says that they may.
    wire one_kind = (both | early) == 0;

    // reached has_ids: The worklist has IDs.
    wire has_ids = |count;
