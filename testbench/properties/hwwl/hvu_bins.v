    // Loads that memory has, by their tags.
    wire loads = mem_valid & mem_ready & ~mem_write;
    reg [3:0] away_q;
    always @(posedge clock) away_q <= reset ? 0 : (away_q | ({3'd0, loads} << mem_tag)) & ~({3'd0, line_valid} << line_tag);
    // assumption owed: Memory brings a line that was asked for, once.
    wire owed = ~line_valid | (away_q >> line_tag & 1);
    // invariant tags: Tags are those of loads on the pins and of loads on their way.
    wire [3:0] on_pins = {3'd0, mem_valid & ~mem_write} << mem_tag;
    wire tags = (control.load_in_flight_q == (away_q | on_pins)) & ((away_q & on_pins) == 0);
    // assumption double_swaps: Sides are exchanged in double-buffer mode only.
    wire double_swaps = ~swap | control.double_mode_q;
    // assumption alone: `configure` and `init` come without `spill`, without `swap` and not together.
    wire alone = ~((configure | init) & (|spill | swap)) & ~(configure & init);

    // IDs of bins as they come and go, summed in a tree: node 1 has all bins, node n those of the nodes 2n and 2n + 1, and the nodes from 64
    // up are the bins.
    reg [12*64-1:12] sum_q;
    wire [12*128-1:12] ids;
    wire [63:1] right;
    genvar n;
    generate
        for (n = 1; n < 64; n = n + 1) begin : each_sum
            localparam LEVEL = $clog2(n + 1) - 1;
            localparam BINS = 64 >> LEVEL;
            localparam FIRST = (n - (1 << LEVEL)) * BINS;
            wire grows = |control.bin_grows[FIRST +: BINS];
            wire shrinks = |control.bin_shrinks[FIRST +: BINS];
            always @(posedge clock) sum_q[12*n +: 12] <= reset ? 0 : sum_q[12*n +: 12] + {{11{shrinks & ~grows}}, grows ^ shrinks};
            assign ids[12*n +: 12] = sum_q[12*n +: 12];
            assign right[n] = sum_q[12*n +: 12] == ids[24*n +: 12] + ids[24*n + 12 +: 12];
        end
        for (n = 64; n < 128; n = n + 1) begin : each_bin
            assign ids[12*n +: 12] = control.bin_count_q[6*(n - 64) +: 6];
        end
    endgenerate
    // The open bin has an ID to give.
    wire [5:0] open_count = control.bin_count_q >> 6*control.open_bin_q;
    reg small_bins;
    integer s;
    always @(*) begin
        small_bins = 1;
        for (s = 0; s < 64; s = s + 1) small_bins = small_bins & (control.bin_count_q[6*s +: 6] <= 32);
    end
    // invariant no_bin_over: No bin has more than 32 IDs.
    wire no_bin_over = small_bins;
    // invariant bins_2: Each 2 bins have what came to them and did not go.
    wire bins_2 = &right[63:32];
    // invariant bins_4: Each 4 bins have what came to them and did not go.
    wire bins_4 = &right[31:16];
    // invariant bins_8: Each 8 bins have what came to them and did not go.
    wire bins_8 = &right[15:8];
    // invariant bins_16: Each 16 bins have what came to them and did not go.
    wire bins_16 = &right[7:4];
    // invariant bins_32: Each 32 bins have what came to them and did not go.
    wire bins_32 = &right[3:2];
    // invariant bins_64: Each 64 bins have what came to them and did not go.
    wire bins_64 = right[1];

    // invariant binned: All bins have what is counted, but for the ID that is on its way to the line; the open bin is not empty.
    wire binned = (control.binned_ids_q == ids[23:12] + control.id_leaves_bin_q) & (~control.bin_open_q | (open_count != 0));
    // invariant sides: Mode and sides, and the ring of the other side in single-buffer mode.
    wire sides = (control.side_q == pull_part) & (control.double_mode_q | ~control.side_q) & (control.double_mode_q | (control.use_q[31:16] == 0))
        & (control.ring_lines_q == (control.double_mode_q ? control.lines_q >> 1 : control.lines_q));
    wire pushes_1 = control.double_mode_q & ~control.side_q;
    wire [16:0] use_push = pushes_1 ? control.use_q[31:16] : control.use_q[15:0];
    wire [16:0] use_pull = control.side_q ? control.use_q[31:16] : control.use_q[15:0];
    wire [16:0] ring = control.ring_lines_q;
    wire [2:0] held = control.holding_valid_q[0] + control.holding_valid_q[1] + control.holding_valid_q[2] + control.holding_valid_q[3];
    wire [16:0] waits = control.binned_ids_q + control.buffer_count_q;
    wire [16:0] waits_held = waits + (control.spill_refused ? 0 : held);
    wire store = mem_valid & control.request_is_store_q;
    // invariant request: A store is of a full line, or of the last one of a side; a load is of a line that is there.
    wire request = (~store | ((control.buffer_count_q[5] | (control.partial_waits_q & (control.binned_ids_q == 0) & (control.buffer_count_q != 0)))
            & (control.store_part_q == (control.partial_waits_q ? control.side_q : pushes_1)) & control.store_wanted_q))
        & (~(mem_valid & ~store) | (use_pull != 0))
        & (control.store_wanted_q == (control.buffer_count_q[5] | (control.partial_waits_q & (control.binned_ids_q == 0))));
    // invariant line: What waits in bins and line, and before them, fits into the lines that are left.
    wire line = (control.buffer_count_q + control.id_leaves_bin_q <= 32) & (use_pull <= ring)
        & (control.partial_waits_q ? ~(|control.holding_valid_q) & control.double_mode_q & (use_push == 0) & (waits != 0) & (use_pull + (waits + 31) / 32 <= ring)
            : use_push + (waits_held + 31) / 32 <= ring);
    // invariant fresh: What is remembered of the cycle of a spill: what waited then fitted into the lines that were left.
    wire [16:0] left = control.lines_left_q;
    wire fresh = ~control.holding_is_fresh_q | (((control.ids_waiting_q + 31) / 32 <= left) & ~control.partial_waits_q & (control.ids_waiting_q <= 2082)
       & ((use_push + (waits + 31) / 32 + left) <= ring + (control.ids_waiting_q + 31) / 32) & (waits <= control.ids_waiting_q) & (|control.holding_valid_q)
       & ((use_push + (waits + held + 31) / 32 + left) <= ring + (control.ids_waiting_q + held + 31) / 32));

    // property fits: No side has more lines in memory than its ring.
    wire fits = (use_push <= ring) & (use_pull <= ring);
    // reached has_binned: A bin has an ID.
    wire has_binned = control.binned_ids_q != 0;
