    // The 0-1 principle: a network of comparators sorts everything if it sorts all sets of zeros and ones. All layers of this
    // size are in one stage.
    reg [4:0] count;
    reg [4:0] sum;
    reg [4:0] count_q;
    reg in_valid_q;
    reg is_zero_one;
    reg is_sorted;
    integer n;
    always @(*) begin
        count = 0;
        sum = 0;
        is_zero_one = 1;
        is_sorted = 1;
        for (n = 0; n < `ITEMS; n = n + 1) begin
            is_zero_one = is_zero_one & (in_item[`WIDTH*n +: `WIDTH] == {`WIDTH{in_item[`WIDTH*n]}});
            count = count + in_item[`WIDTH*n];
            sum = sum + out_item[`WIDTH*n];
            if (n > 0) is_sorted = is_sorted & (out_item[`WIDTH*(n-1) +: `WIDTH] <= out_item[`WIDTH*n +: `WIDTH]);
        end
    end
    always @(posedge clock) begin
        in_valid_q <= ~reset & in_valid;
        count_q <= count;
    end

    // choice zero_one: A word is all zeros or all ones.
    wire zero_one = is_zero_one;
    // property sorted: Zeros come out before ones.
    wire sorted = ~out_valid | is_sorted;
    // property same_words: As many ones come out as went in.
    wire same_words = ~out_valid | (sum == count_q);
    // property on_time: A set comes out a cycle behind the one in which it went in.
    wire on_time = out_valid == in_valid_q;
    // reached half: Half of the words are ones.
    wire half = out_valid & (sum == `ITEMS / 2);
