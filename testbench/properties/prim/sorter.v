    // A key, any of them, is counted on both sides. This size has one stage of registers.
    input [`WIDTH-1:0] pick;
    reg [`WIDTH-1:0] key_q;
    reg [$clog2(`ITEMS):0] in_count;
    reg [$clog2(`ITEMS):0] out_count;
    reg [$clog2(`ITEMS):0] count_q;
    reg in_valid_q;
    reg is_sorted;
    integer n;
    always @(*) begin
        in_count = 0;
        out_count = 0;
        is_sorted = 1;
        for (n = 0; n < `ITEMS; n = n + 1) begin
            in_count = in_count + (in_item[`WIDTH*n +: `WIDTH] == key_q);
            out_count = out_count + (out_item[`WIDTH*n +: `WIDTH] == key_q);
            if (n > 0) is_sorted = is_sorted & (out_item[`WIDTH*(n-1) +: `WIDTH] <= out_item[`WIDTH*n +: `WIDTH]);
        end
    end
    always @(posedge clock) begin
        if (reset) key_q <= pick;
        in_valid_q <= ~reset & in_valid;
        count_q <= in_count;
    end

    // property sorted: Words come out in ascending order.
    wire sorted = ~out_valid | is_sorted;
    // property same_words: Each word comes out as often as it went in.
    wire same_words = ~out_valid | (out_count == count_q);
    // property on_time: A set comes out a cycle behind the one in which it went in.
    wire on_time = out_valid == in_valid_q;
    // reached twice: A word comes out twice.
    wire twice = out_valid & (out_count == 2);
