    // memories: one word
    // A word of a sector, any word of any sector that comes, is watched until its group comes out.
    input [2:0] pick;
    reg [2:0] word_q;
    reg [1:0] watching_q;
    reg [4:0] row_index_q;
    reg [4:0] row_secondary_q;
    reg [23:0] index_q;
    reg [31:0] secondary_q;
    reg [1:0] is_out_q;
    reg [23:0] index_out_q;
    reg [31:0] secondary_out_q;
    wire reads_now = (~group_valid | group_ready) & arrived[next_row];
    wire index_in = data_valid & ~data_tag[0] & (indices.pick | (watching_q[0] & (row_in == row_index_q)));
    wire secondary_in = data_valid & data_tag[0] & (secondary.pick | (watching_q[1] & (row_in == row_secondary_q)));
    always @(posedge clock) begin
        if (reset) word_q <= pick;
        watching_q <= reset ? 0 : watching_q | {secondary_in, index_in};
        if (index_in) {row_index_q, index_q} <= {row_in, data_word[32*word_q +: 24]};
        if (secondary_in) {row_secondary_q, secondary_q} <= {row_in, data_word[32*word_q +: 32]};
        if (reads_now) is_out_q <= watching_q & {next_row == row_secondary_q, next_row == row_index_q};
        if (reset) is_out_q <= 0;
        if (reads_now) {index_out_q, secondary_out_q} <= {index_q, secondary_q};
    end

    // property data: A group shows the words of its sectors as they came; the secondary words are 0 without a secondary array.
    wire [31:0] secondary_shown = group_secondary[32*word_q +: 32];
    wire data = ~group_valid | ((~is_out_q[0] | (group_index[24*word_q +: 24] == index_out_q))
        & (with_q ? ~is_out_q[1] | (secondary_shown == secondary_out_q) : secondary_shown == 0));

    // invariant kept: Watched words are kept, and shown with their group.
    wire kept = (~watching_q[0] | ((indices.address_q == row_index_q) & (indices.word_q[24*word_q +: 24] == index_q)))
        & (~watching_q[1] | ((secondary.address_q == row_secondary_q) & (secondary.word_q[32*word_q +: 32] == secondary_q)))
        & (~is_out_q[0] | ~group_valid | (indices.rdata[24*word_q +: 24] == index_out_q))
        & (~is_out_q[1] | ~with_q | ~group_valid | (secondary.rdata[32*word_q +: 32] == secondary_out_q));

    // reached last_of_array: The last group of an array, of fewer than eight elements, comes with secondary words.
    wire last_of_array = group_valid & with_q & (group_count < 8) & (left_q != 0) & (&is_out_q);
