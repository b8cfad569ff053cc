// IEEE 754 binary32 addition in four ranks of registers, written by hand: docs/prim.md. The unit takes five.
//
// Rank 1 orders the operands, rank 2 aligns the smaller, rank 3 adds, rank 4 normalises or rounds. No sum needs both: one
// that moves left by two places or more is exact.

module hand_fp32_add (
    input  wire        clock,
    input  wire        reset,
    input  wire [31:0] a,
    input  wire [31:0] b,
    output reg  [31:0] sum
);

    // Rank 1: the larger magnitude, and the distance of the exponents. A subnormal has the exponent 1 and no hidden bit.
    wire normal_a = |a[30:23];
    wire normal_b = |b[30:23];
    wire [7:0] exponent_a = {a[30:24], a[23] | ~normal_a};
    wire [7:0] exponent_b = {b[30:24], b[23] | ~normal_b};
    wire b_larger = a[30:0] < b[30:0];
    wire [7:0] a_less_b = exponent_a - exponent_b;
    wire [7:0] b_less_a = exponent_b - exponent_a;

    reg sign_1, subtract_1, cancel_1;
    reg [7:0] exponent_1, distance_1;
    reg [23:0] large_1, small_1;

    always @(posedge clock) begin
        sign_1 <= b_larger ? b[31] : a[31];
        subtract_1 <= a[31] ^ b[31];
        cancel_1 <= a[30:0] == b[30:0];
        exponent_1 <= b_larger ? exponent_b : exponent_a;
        distance_1 <= b_larger ? b_less_a : a_less_b;
        large_1 <= b_larger ? {normal_b, b[22:0]} : {normal_a, a[22:0]};
        small_1 <= b_larger ? {normal_a, a[22:0]} : {normal_b, b[22:0]};
    end

    // Rank 2: the smaller significand with guard, round and sticky bit, complemented to subtract. Infinities and NaNs
    // are known here: a NaN is larger in magnitude than all numbers, and infinities that cancel are equal.
    wire [25:0] by_1 = distance_1[0] ? {1'b0, small_1, 1'b0} : {small_1, 2'b0};
    wire [25:0] by_2 = distance_1[1] ? {2'b0, by_1[25:2]} : by_1;
    wire lost_2 = distance_1[1] & by_1[1:0] != 2'b0;
    wire [25:0] by_4 = distance_1[2] ? {4'b0, by_2[25:4]} : by_2;
    wire lost_4 = distance_1[2] & by_2[3:0] != 4'b0;
    wire [25:0] by_8 = distance_1[3] ? {8'b0, by_4[25:8]} : by_4;
    wire lost_8 = distance_1[3] & by_4[7:0] != 8'b0;
    wire far = distance_1[7:5] != 3'b0;
    wire [25:0] by_16 = distance_1[4] ? {16'b0, by_8[25:16]} : by_8;
    wire lost_16 = distance_1[4] & by_8[15:0] != 16'b0;
    wire [25:0] aligned = by_16 & {26{~far}};
    wire sticky = lost_2 | lost_4 | lost_8 | lost_16 | (far & small_1 != 24'b0);
    wire top = &exponent_1;

    reg sign_2, subtract_2, special_2, nan_2;
    reg [7:0] exponent_2;
    reg [23:0] large_2;
    reg [26:0] small_2;

    always @(posedge clock) begin
        sign_2 <= sign_1 & ~(subtract_1 & cancel_1);
        subtract_2 <= subtract_1;
        special_2 <= top;
        nan_2 <= top & (large_1[22:0] != 23'b0 | (subtract_1 & cancel_1));
        exponent_2 <= exponent_1;
        large_2 <= large_1;
        small_2 <= {aligned, sticky} ^ {27{subtract_1}};
    end

    // Rank 3: the sum, with carry, hidden bit and 26 places, and its leading zeros from the hidden bit on, by a tree. The
    // two last places are 0 in every sum that needs the zeros.
    wire [28:0] with_carry = {1'b0, large_2, 3'b0, subtract_2} + {1'b0, small_2, subtract_2};
    wire [27:0] added = with_carry[28:1];
    wire [31:0] places = {added[26:2], 7'h7f};
    reg [15:0] some_2, none_2;
    reg [7:0] some_4;
    reg [1:0] none_4 [0:7];
    reg [3:0] some_8;
    reg [2:0] none_8 [0:3];
    reg [3:0] none_16 [0:1];
    reg [4:0] zeros;
    integer i;

    always @* begin
        for (i = 0; i < 16; i = i + 1) begin
            some_2[i] = |places[2*i +: 2];
            none_2[i] = ~places[2*i + 1];
        end
        for (i = 0; i < 8; i = i + 1) begin
            some_4[i] = |some_2[2*i +: 2];
            none_4[i] = {~some_2[2*i + 1], some_2[2*i + 1] ? none_2[2*i + 1] : none_2[2*i]};
        end
        for (i = 0; i < 4; i = i + 1) begin
            some_8[i] = |some_4[2*i +: 2];
            none_8[i] = {~some_4[2*i + 1], some_4[2*i + 1] ? none_4[2*i + 1] : none_4[2*i]};
        end
        for (i = 0; i < 2; i = i + 1) begin
            none_16[i] = {~some_8[2*i + 1], some_8[2*i + 1] ? none_8[2*i + 1] : none_8[2*i]};
        end
        zeros = {~|some_8[3:2], |some_8[3:2] ? none_16[1] : none_16[0]};
    end

    reg sign_3, special_3, nan_3, least_3;
    reg [4:0] zeros_3;
    reg [7:0] exponent_3;
    reg [27:0] sum_3;

    always @(posedge clock) begin
        sign_3 <= sign_2;
        special_3 <= special_2;
        nan_3 <= nan_2;
        least_3 <= exponent_2 == 8'd1;
        exponent_3 <= exponent_2;
        zeros_3 <= zeros;
        sum_3 <= {added[27] & ~subtract_2, added[26:0]};
    end

    // Rank 4, near: the leading one moves to the hidden bit's place, but no further than the exponent 1.
    wire [7:0] lower = exponent_3 - 8'd1;
    wire [7:0] higher = exponent_3 + 8'd1;
    wire stops = lower < {3'b0, zeros_3};
    wire [24:0] shifted = sum_3[26:2] << (stops ? lower[4:0] : zeros_3);
    wire [23:0] near = shifted[24:1];
    wire [7:0] near_exponent = (exponent_3 - {3'b0, zeros_3}) & {8{near[23]}};

    // Rank 4, far: by one place at most, and rounded.
    wire carry = sum_3[27];
    wire stay = ~carry & sum_3[26];
    wire left = ~carry & ~sum_3[26];
    wire [22:0] kept =
        ({23{carry}} & sum_3[26:4]) | ({23{stay}} & sum_3[25:3]) | ({23{left}} & sum_3[24:2]);
    wire [7:0] far_exponent = ({8{carry}} & higher) | ({8{stay}} & exponent_3) | ({8{left}} & lower);
    wire up_carry = sum_3[3] & (sum_3[4] | sum_3[2] | sum_3[1] | sum_3[0]);
    wire up_stay = sum_3[2] & (sum_3[3] | sum_3[1] | sum_3[0]);
    wire up_left = sum_3[1] & (sum_3[2] | sum_3[0]);
    wire up = carry ? up_carry : stay ? up_stay : up_left;
    wire over = up & (&kept);
    wire [22:0] rounded = kept + {22'b0, up};
    wire [7:0] rounded_exponent = far_exponent + {7'b0, over};

    wire is_far = carry | stay | (sum_3[25] & ~least_3);
    wire [30:0] magnitude = is_far ? {rounded_exponent, rounded} : {near_exponent, near[22:0]};
    wire infinite = special_3 | (is_far & (&rounded_exponent));

    always @(posedge clock) begin
        if (nan_3) sum <= 32'h7fffffff;
        else if (infinite) sum <= {sign_3, 8'hff, 23'b0};
        else sum <= {sign_3, magnitude};
    end

endmodule
