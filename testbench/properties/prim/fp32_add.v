    // A reference beside the unit: it adds without loss, in 279 bits, and rounds once. Operands are those of one, two and four
    // cycles before.
    reg [4:1] valid_q;
    reg [31:0] a_1_q;
    reg [31:0] b_1_q;
    reg [31:0] a_2_q;
    reg [31:0] b_2_q;
    always @(posedge clock) begin
        valid_q <= reset ? 0 : {valid_q[3:1], 1'b1};
        {a_2_q, a_1_q} <= {a_1_q, a};
        {b_2_q, b_1_q} <= {b_1_q, b};
    end

    // The operand with the larger magnitude, the other one, and the kind of the sum.
    function [63:0] ordered(input [31:0] x, input [31:0] y);
        ordered = x[30:0] >= y[30:0] ? {x, y} : {y, x};
    endfunction
    function [7:0] exponent_of(input [31:0] x);
        exponent_of = x[30:23] == 0 ? 1 : x[30:23];
    endfunction
    function [23:0] significand_of(input [31:0] x);
        significand_of = {x[30:23] != 0, x[22:0]};
    endfunction
    function is_nan(input [31:0] x);
        is_nan = (x[30:23] == 255) & (x[22:0] != 0);
    endfunction
    function is_infinite(input [31:0] x);
        is_infinite = (x[30:23] == 255) & (x[22:0] == 0);
    endfunction
    function sum_is_nan(input [31:0] x, input [31:0] y);
        sum_is_nan = is_nan(x) | is_nan(y) | (is_infinite(x) & is_infinite(y) & (x[31] != y[31]));
    endfunction
    wire [31:0] large_1;
    wire [31:0] small_1;
    wire [31:0] large_2;
    wire [31:0] small_2;
    assign {large_1, small_1} = ordered(a_1_q, b_1_q);
    assign {large_2, small_2} = ordered(a_2_q, b_2_q);
    wire nan_1 = sum_is_nan(a_1_q, b_1_q);
    wire nan_2 = sum_is_nan(a_2_q, b_2_q);
    wire special_1 = exponent_of(large_1) == 255;
    wire special_2 = exponent_of(large_2) == 255;
    wire differ_1 = a_1_q[31] != b_1_q[31];
    wire differ_2 = a_2_q[31] != b_2_q[31];

    // The smaller one in places of the larger one, without loss. Beside an infinity or a NaN all that counts is whether it is 0.
    wire [7:0] distance_2 = exponent_of(large_2) - exponent_of(small_2);
    wire [277:0] moved_2 = special_2 ? significand_of(small_2) != 0 : {significand_of(small_2), 254'd0} >> distance_2;
    wire [23:0] upper_2 = nan_2 ? 24'hFFFFFF : significand_of(large_2);
    wire [278:0] exact_2 = differ_2 ? {1'b0, upper_2, 254'd0} - {1'b0, moved_2} : {1'b0, upper_2, 254'd0} + {1'b0, moved_2};

    // The exact sum in 28 bits: the last one says whether anything follows.
    reg [27:0] exact_3_q;
    reg [7:0] exponent_3_q;
    reg sign_3_q;
    reg differ_3_q;
    reg nan_3_q;
    reg special_3_q;
    always @(posedge clock) begin
        exact_3_q <= {exact_2[278:252], |exact_2[251:0]};
        exponent_3_q <= exponent_of(large_2);
        sign_3_q <= large_2[31];
        differ_3_q <= differ_2;
        nan_3_q <= nan_2;
        special_3_q <= special_2;
    end

    // To the left until bit 26 is the first one, or until the exponent is 1; to the right after a carry. Then round to nearest, ties
    // to even: a carry out of the fraction goes into the exponent, and a large exponent is an infinity.
    reg [4:0] leading;
    integer z;
    always @(*) begin
        leading = 27;
        for (z = 0; z < 27; z = z + 1) if (exact_3_q[z]) leading = 26 - z;
    end
    wire [4:0] places = leading < exponent_3_q ? leading : exponent_3_q - 8'd1;
    wire carries = exact_3_q[27];
    wire [26:0] placed = carries ? {exact_3_q[27:2], |exact_3_q[1:0]} : exact_3_q[26:0] << places;
    wire [8:0] exponent = carries ? exponent_3_q + 9'd1 : (placed[26] ? exponent_3_q - places : 9'd0);
    wire goes_up = placed[2] & ((|placed[1:0]) | placed[3]);
    wire [31:0] rounded_up = {exponent, placed[25:3]} + goes_up;
    wire [30:0] magnitude = rounded_up[31:23] >= 255 ? {8'd255, 23'd0} : rounded_up[30:0];
    wire [31:0] of_special = nan_3_q ? 32'h7FFFFFFF : {sign_3_q, 8'd255, 23'd0};
    wire [31:0] expected_3 = special_3_q ? of_special : {sign_3_q & ~(differ_3_q & (exact_3_q == 0)), magnitude};
    reg [31:0] expected_q;
    reg nan_q;
    always @(posedge clock) begin
        expected_q <= expected_3;
        nan_q <= nan_3_q;
    end

    // property rounded_sum: The sum is the exact sum of the operands of four cycles before, rounded to nearest, ties to even; an infinity, a NaN and 0 are as the page says.
    wire rounded_sum = ~valid_q[4] | (sum == expected_q);
    // property one_nan: A sum that is a NaN is 0x7FFFFFFF.
    wire one_nan = ~valid_q[4] | (nan_q ? sum == 32'h7FFFFFFF : ~((sum[30:23] == 255) & (sum[22:0] != 0)));
    // property nothing_cut: A sum that is shifted to the left by two places or more has no bits behind the last one: the reference rounds what is exact.
    wire nothing_cut = ~valid_q[3] | special_3_q | carries | (places < 2) | (exact_3_q[1:0] == 0);

    // invariant taken_apart: Stage 1 has the parts of the operands, the larger one first.
    wire taken_apart = ~valid_q[1] | ((exponent_q[15:8] == exponent_of(large_1)) & (sign_q[1] == (large_1[31] & ~nan_1))
        & (subtract_q[1] == differ_1) & (large_q[47:24] == (nan_1 ? 24'hFFFFFF : significand_of(large_1)))
        & (small_1_q == significand_of(small_1)) & (top_1_q == special_1)
        & (distance_1_q == exponent_of(large_1) - exponent_of(small_1)));
    // invariant aligned: Stage 2 has the smaller one in places of the larger one; its last bit says whether anything follows.
    wire aligned = ~valid_q[2] | ((exponent_q[23:16] == exponent_of(large_2)) & (sign_q[2] == (large_2[31] & ~nan_2))
        & (subtract_q[2] == differ_2) & (large_q[71:48] == upper_2)
        & (aligned_2_q == ({moved_2[277:252], |moved_2[251:0]} ^ {27{differ_2}})));
    // invariant added: Stage 3 has the exact sum.
    wire added = ~valid_q[3] | ((exponent_q[31:24] == exponent_3_q) & (sign_q[3] == (sign_3_q & ~nan_3_q))
        & (subtract_q[3] == differ_3_q) & (sum_3_q == exact_3_q) & (exponent_low_3_q == (exponent_3_q < 32))
        & (exponent_is_3_q == {exponent_3_q == 2, exponent_3_q == 1}));
    // invariant of_specials: Beside an infinity or a NaN the sum is that significand, or one at the last place away from it.
    wire [23:0] special_upper = nan_3_q ? 24'hFFFFFF : 24'h800000;
    wire of_specials = ~valid_q[3] | ((special_3_q == (exponent_3_q == 255)) & (~nan_3_q | special_3_q)
        & (~special_3_q | (exact_3_q == {1'b0, special_upper, 3'd0}) | (exact_3_q == {1'b0, special_upper, 3'd1})
            | (exact_3_q == {1'b0, special_upper, 3'd0} - 28'd1)));
    // invariant exponents: The exponent of the larger one is never 0, and is 1 if its significand is a subnormal's.
    wire exponents = ~valid_q[3] | (exponent_3_q != 0);

    // reached cancels: Operands of two signs leave a small difference.
    wire cancels = valid_q[4] & (sum[30:23] == 3) & (exponent_3_q == 9);
    // reached rounds_to_infinity: A sum of two numbers is an infinity.
    wire rounds_to_infinity = valid_q[3] & ~special_3_q & (magnitude == {8'd255, 23'd0});
