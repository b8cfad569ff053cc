    localparam P = `PARTITIONS;
    localparam I = `INTERLEAVE;
    localparam CHUNK = 19 - $clog2(P);
    // The configuration, and how far memory and core are with it: chunks of which memory has taken all lines, and of which the core has
    // taken all groups; and of the next chunk whether its index line is taken, and the groups that are.
    reg [24:0] all_q;
    reg [31:0] index_base_q;
    reg [31:0] secondary_base_q;
    reg with_q;
    // The own partition is that of the first cycle behind a reset.
    reg knows_own_q;
    reg [$clog2(P)-1:0] own_q;
    wire [$clog2(P)-1:0] own = knows_own_q ? own_q : partition;
    reg [18:0] asked_q;
    reg index_asked_q;
    reg [2:0] slot_q;
    reg [18:0] left_q;
    reg [1:0] sectors_left_q;
    reg [2:0] slot_left_q;

    // Of the n-th chunk of this partition: its number among all, whether it exists, and how many sectors it has.
    function [31:0] chunk_of(input [18:0] n);
        chunk_of = n / I * I * P + own * I + n % I;
    endfunction
    function exists(input [18:0] n);
        exists = 32 * chunk_of(n) < all_q;
    endfunction
    function [2:0] sectors_of(input [18:0] n);
        reg [31:0] rest;
        begin
            rest = all_q - 32 * chunk_of(n);
            sectors_of = rest >= 32 ? 4 : (rest + 7) / 8;
        end
    endfunction

    wire mem_taken = mem_valid & mem_ready;
    wire whole = index_asked_q | ~with_q;
    wire group_taken = group_valid & group_ready;
    wire last_sector = sectors_left_q + 1 == sectors_of(left_q);
    wire [18:0] opened = asked_q + (index_asked_q | mem_valid);
    wire [18:0] freed = left_q + (group_valid & last_sector);
    wire [3:0] used = opened - freed;
    wire [2:0] oldest = slot_left_q + (group_valid & last_sector);
    wire [1:0] next_sector = group_valid ? (last_sector ? 0 : sectors_left_q + 1) : sectors_left_q;
    always @(posedge clock) begin
        {knows_own_q, own_q} <= {~reset, own};
        if (reset) {asked_q, index_asked_q, slot_q, left_q, sectors_left_q, slot_left_q, all_q} <= 0;
        else begin
            if (start) all_q <= count;
            asked_q <= start ? 0 : asked_q + (mem_taken & whole);
            index_asked_q <= mem_taken ? ~whole : index_asked_q;
            slot_q <= slot_q + (mem_taken & whole);
            left_q <= start ? 0 : left_q + (group_taken & last_sector);
            sectors_left_q <= group_taken ? (last_sector ? 0 : sectors_left_q + 1) : sectors_left_q;
            slot_left_q <= slot_left_q + (group_taken & last_sector);
        end
        if (start) index_base_q <= index_line;
        if (start) secondary_base_q <= secondary_line;
        if (start) with_q <= with_secondary;
    end

    // Sectors that memory owes, of each row of both arrays; and the rows that groups will come from.
    reg [31:0] owes_index_q;
    reg [31:0] owes_secondary_q;
    wire [4:0] row_in = {data_tag[3:1], data_sector};
    // All chunks but the newest have four sectors.
    reg [2:0] newest_q;
    wire [2:0] newest = mem_valid ? mem_sectors : newest_q;
    always @(posedge clock) newest_q <= newest;
    reg [31:0] asks_index;
    reg [31:0] asks_secondary;
    reg [31:0] row_used;
    reg [2:0] after;
    integer r;
    always @(*) begin
        for (r = 0; r < 32; r = r + 1) begin
            asks_index[r] = mem_valid & ~mem_tag[0] & (mem_tag[3:1] == r / 4) & (r % 4 < mem_sectors);
            asks_secondary[r] = mem_valid & mem_tag[0] & (mem_tag[3:1] == r / 4) & (r % 4 < mem_sectors);
            after = r / 4 - control.slot_oldest_q;
            row_used[r] = (after < control.slots_used_q) & ((after + 1 != control.slots_used_q) | (r % 4 < newest))
                & ((after != 0) | (r % 4 >= control.sector_q));
        end
    end
    wire [31:0] comes_index = {31'd0, data_valid & ~data_tag[0]} << row_in;
    wire [31:0] comes_secondary = {31'd0, data_valid & data_tag[0]} << row_in;
    always @(posedge clock) begin
        owes_index_q <= reset ? 0 : (owes_index_q | (asks_index & {32{mem_ready}})) & ~comes_index;
        owes_secondary_q <= reset ? 0 : (owes_secondary_q | (asks_secondary & {32{mem_ready}})) & ~comes_secondary;
    end
    // Rows of the newest chunk, of which the secondary line has not been on the pins.
    wire secondary_later = with_q & mem_valid & ~mem_tag[0];
    wire [31:0] later = secondary_later ? asks_index : 0;
    wire [31:0] arrived = row_used & ~owes_index_q & ~asks_index & ~(owes_secondary_q | asks_secondary | later);
    wire [4:0] next_row = {control.slot_oldest_q, control.sector_q};

    // assumption owed: Memory brings a sector that was asked for, once.
    wire owed = ~data_valid | (data_tag[0] ? owes_secondary_q[row_in] : owes_index_q[row_in]);
    // assumption counts: The count is from 1 to 2^24.
    wire counts = ~start | ((count >= 1) & (count <= 25'h1000000));
    // assumption partition_stays: The own partition is a constant outside reset.
    wire partition_stays = partition == own;

    // property lines_in_order: Each line of the partition's part of the arrays is asked for once and in order, with its sectors and the slots in turn.
    wire lines_in_order = ~mem_valid | (exists(asked_q) & (mem_tag == {slot_q, index_asked_q}) & (mem_sectors == sectors_of(asked_q))
        & (mem_line == (index_asked_q ? secondary_base_q : index_base_q) + chunk_of(asked_q)));
    // property groups_in_order: Groups come in order, each with its position and with eight elements, or with those that are left at the end of the array.
    wire [31:0] position_of_it = 32 * chunk_of(left_q) + 8 * sectors_left_q;
    wire [31:0] elements_left = all_q - position_of_it;
    wire groups_in_order = ~group_valid | (exists(left_q) & (group_position == position_of_it)
        & (group_count == (elements_left < 8 ? elements_left : 8)) & (position_of_it < all_q));
    // property done_exact: `done` is high exactly when all lines are asked for and all elements have left.
    wire done_exact = (done == ~exists(left_q)) & (~done | (~exists(asked_q) & ~index_asked_q & ~mem_valid));
    // property eight_slots: At most eight chunks are under way.
    wire eight_slots = opened - freed <= 8;
    // property asks_on_time: While a line is wanted and the pins are free, a request is on the pins in the next cycle.
    reg wanted_q;
    always @(posedge clock) wanted_q <= ~reset & (~mem_valid | mem_ready) & (secondary_later | (exists(opened) & (used < 8)));
    wire asks_on_time = ~wanted_q | mem_valid;
    // property reads_on_time: The next group is on the pins in the cycle behind the one in which its sectors are there and the pins are free, and not earlier.
    reg reads_q;
    reg free_q;
    always @(posedge clock) begin
        reads_q <= ~reset & (~group_valid | group_ready) & arrived[next_row];
        free_q <= ~group_valid | group_ready | reset;
    end
    wire reads_on_time = ~free_q | (group_valid == reads_q);
    // property array_settles: In the cycle behind a start, in which the new array is first known, no group is on the pins.
    reg started_q;
    always @(posedge clock) started_q <= ~reset & start;
    wire array_settles = ~started_q | ~group_valid;
    // property stays_on_pins: Requests and groups stay on their pins until they are taken.
    reg [1:0] waited_q;
    always @(posedge clock) waited_q <= reset ? 0 : {mem_valid & ~mem_ready, group_valid & ~group_ready};
    wire stays_on_pins = (waited_q & ~{mem_valid, group_valid}) == 0;

    // invariant configuration: The unit has the configuration.
    wire configuration = (control.count_q == all_q) & ((all_q == 0) | ((control.index_line_q == index_base_q)
        & (control.secondary_line_q == secondary_base_q) & (control.with_secondary_q == with_q)))
        & (all_q <= 25'h1000000);
    // invariant asked: The unit is as far with its requests as the pins say.
    wire asked = (control.chunks_asked_q + control.secondary_waits_q == opened) & (control.secondary_waits_q == secondary_later)
        & (((control.slot_asked_q + control.secondary_waits_q - slot_q - (index_asked_q | mem_valid)) & 7) == 0)
        & (control.chunk_exists_q == exists(control.chunks_asked_q)) & (~control.secondary_waits_q | control.chunk_exists_q)
        & (~index_asked_q | (mem_valid & with_q)) & (~mem_valid | exists(asked_q)) & ((opened == 0) | exists(opened - 1)) & lines_in_order;
    // invariant read: The unit is as far with its groups as the pins say.
    wire read = (control.chunks_left_q == freed[CHUNK-1:0]) & (control.sector_q == next_sector) & (control.slot_oldest_q == oldest)
        & (control.slots_used_q == used) & (opened - freed <= 8) & (((slot_q + (index_asked_q | mem_valid) - oldest - used) & 7) == 0)
        & ((next_sector == 0) | ((used != 0) & (next_sector < sectors_of(freed)))) & groups_in_order
        & ((used == 0) | exists(freed));
    // invariant sectors: All chunks under way but the newest have four sectors.
    wire sectors = ((used == 0) | (newest == sectors_of(opened - 1))) & (~group_valid | (left_q + 1 == opened) | (sectors_of(left_q) == 4))
        & ((used <= 1) | (sectors_of(freed) == 4));
    // invariant rows: A sector of a chunk under way is asked for, owed, or there; no other one is.
    wire rows = ((control.index_there_q & owes_index_q) == 0) & ((control.secondary_there_q & owes_secondary_q) == 0)
        & ((asks_index & (control.index_there_q | owes_index_q)) == 0) & ((asks_secondary & (control.secondary_there_q | owes_secondary_q)) == 0)
        & ((asks_index | control.index_there_q | owes_index_q) == row_used)
        & (((later & (asks_secondary | control.secondary_there_q | owes_secondary_q)) == 0))
        & ((later | asks_secondary | control.secondary_there_q | owes_secondary_q) == (with_q ? row_used : 0));
    // reached eight_used: Eight chunks are under way.
    wire eight_used = used == 8;
