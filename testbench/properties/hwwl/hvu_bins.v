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

    // IDs of two bins, of four, and so on up to all, as they come and go.
    wire [63:0] more = control.bin_grows;
    wire [63:0] fewer = control.bin_shrinks;
    reg [223:0] of_2_q;
    wire [31:0] right_2;
    genvar g_2;
    generate
        for (g_2 = 0; g_2 < 32; g_2 = g_2 + 1) begin : each_2
            wire grows = |more[2*g_2 +: 2];
            wire shrinks = |fewer[2*g_2 +: 2];
            always @(posedge clock) of_2_q[7*g_2 +: 7] <= reset ? 0 : of_2_q[7*g_2 +: 7] + {{6{shrinks & ~grows}}, grows ^ shrinks};
            assign right_2[g_2] = of_2_q[7*g_2 +: 7] == control.bin_count_q[12*g_2 +: 6] + control.bin_count_q[12*g_2 + 6 +: 6];
        end
    endgenerate
    reg [127:0] of_4_q;
    wire [15:0] right_4;
    genvar g_4;
    generate
        for (g_4 = 0; g_4 < 16; g_4 = g_4 + 1) begin : each_4
            wire grows = |more[4*g_4 +: 4];
            wire shrinks = |fewer[4*g_4 +: 4];
            always @(posedge clock) of_4_q[8*g_4 +: 8] <= reset ? 0 : of_4_q[8*g_4 +: 8] + {{7{shrinks & ~grows}}, grows ^ shrinks};
            assign right_4[g_4] = of_4_q[8*g_4 +: 8] == of_2_q[14*g_4 +: 7] + of_2_q[14*g_4 + 7 +: 7];
        end
    endgenerate
    reg [71:0] of_8_q;
    wire [7:0] right_8;
    genvar g_8;
    generate
        for (g_8 = 0; g_8 < 8; g_8 = g_8 + 1) begin : each_8
            wire grows = |more[8*g_8 +: 8];
            wire shrinks = |fewer[8*g_8 +: 8];
            always @(posedge clock) of_8_q[9*g_8 +: 9] <= reset ? 0 : of_8_q[9*g_8 +: 9] + {{8{shrinks & ~grows}}, grows ^ shrinks};
            assign right_8[g_8] = of_8_q[9*g_8 +: 9] == of_4_q[16*g_8 +: 8] + of_4_q[16*g_8 + 8 +: 8];
        end
    endgenerate
    reg [39:0] of_16_q;
    wire [3:0] right_16;
    genvar g_16;
    generate
        for (g_16 = 0; g_16 < 4; g_16 = g_16 + 1) begin : each_16
            wire grows = |more[16*g_16 +: 16];
            wire shrinks = |fewer[16*g_16 +: 16];
            always @(posedge clock) of_16_q[10*g_16 +: 10] <= reset ? 0 : of_16_q[10*g_16 +: 10] + {{9{shrinks & ~grows}}, grows ^ shrinks};
            assign right_16[g_16] = of_16_q[10*g_16 +: 10] == of_8_q[18*g_16 +: 9] + of_8_q[18*g_16 + 9 +: 9];
        end
    endgenerate
    reg [21:0] of_32_q;
    wire [1:0] right_32;
    genvar g_32;
    generate
        for (g_32 = 0; g_32 < 2; g_32 = g_32 + 1) begin : each_32
            wire grows = |more[32*g_32 +: 32];
            wire shrinks = |fewer[32*g_32 +: 32];
            always @(posedge clock) of_32_q[11*g_32 +: 11] <= reset ? 0 : of_32_q[11*g_32 +: 11] + {{10{shrinks & ~grows}}, grows ^ shrinks};
            assign right_32[g_32] = of_32_q[11*g_32 +: 11] == of_16_q[20*g_32 +: 10] + of_16_q[20*g_32 + 10 +: 10];
        end
    endgenerate
    reg [11:0] of_64_q;
    wire [0:0] right_64;
    genvar g_64;
    generate
        for (g_64 = 0; g_64 < 1; g_64 = g_64 + 1) begin : each_64
            wire grows = |more[64*g_64 +: 64];
            wire shrinks = |fewer[64*g_64 +: 64];
            always @(posedge clock) of_64_q[12*g_64 +: 12] <= reset ? 0 : of_64_q[12*g_64 +: 12] + {{11{shrinks & ~grows}}, grows ^ shrinks};
            assign right_64[g_64] = of_64_q[12*g_64 +: 12] == of_32_q[22*g_64 +: 11] + of_32_q[22*g_64 + 11 +: 11];
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
    // invariant small: No bin has more than 32 IDs.
    wire small = small_bins;
    // invariant bins_2: Each 2 bins have what came to them and did not go.
    wire bins_2 = &right_2;
    // invariant bins_4: Each 4 bins have what came to them and did not go.
    wire bins_4 = &right_4;
    // invariant bins_8: Each 8 bins have what came to them and did not go.
    wire bins_8 = &right_8;
    // invariant bins_16: Each 16 bins have what came to them and did not go.
    wire bins_16 = &right_16;
    // invariant bins_32: Each 32 bins have what came to them and did not go.
    wire bins_32 = &right_32;
    // invariant bins_64: Each 64 bins have what came to them and did not go.
    wire bins_64 = &right_64;

    // invariant binned: All bins have what is counted, but for the ID that is on its way to the line; the open bin is not empty.
    wire binned = (control.binned_ids_q == of_64_q + control.id_leaves_bin_q) & (~control.bin_open_q | (open_count != 0));
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
