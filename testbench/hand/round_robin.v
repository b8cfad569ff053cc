// Round-robin scheduler of 24 warps, written by hand: docs/gw/baseline.md. Two arbiters of fixed priority: one for those in
// turn, one for all.

module hand_round_robin (
    input  wire        clock,
    input  wire        reset,
    input  wire [23:0] ready,
    input  wire [1:0]  path_0,
    input  wire [1:0]  path_1,
    input  wire [1:0]  path_2,
    input  wire [1:0]  path_3,
    input  wire [1:0]  path_4,
    input  wire [1:0]  path_5,
    input  wire [1:0]  path_6,
    input  wire [1:0]  path_7,
    input  wire [1:0]  path_8,
    input  wire [1:0]  path_9,
    input  wire [1:0]  path_10,
    input  wire [1:0]  path_11,
    input  wire [1:0]  path_12,
    input  wire [1:0]  path_13,
    input  wire [1:0]  path_14,
    input  wire [1:0]  path_15,
    input  wire [1:0]  path_16,
    input  wire [1:0]  path_17,
    input  wire [1:0]  path_18,
    input  wire [1:0]  path_19,
    input  wire [1:0]  path_20,
    input  wire [1:0]  path_21,
    input  wire [1:0]  path_22,
    input  wire [1:0]  path_23,
    input  wire [3:0]  room,
    output reg         issue_valid,
    output reg  [4:0]  issue_warp
);

    wire [47:0] path = {
        path_23, path_22, path_21, path_20, path_19, path_18, path_17, path_16, path_15, path_14,
        path_13, path_12, path_11, path_10, path_9, path_8, path_7, path_6, path_5, path_4, path_3,
        path_2, path_1, path_0
    };

    // Who can go. `turn` has the place that is next and all behind it.
    reg [23:0] turn;
    reg [23:0] can_go;
    integer i;

    always @* begin
        for (i = 0; i < 24; i = i + 1) begin
            can_go[i] = ready[i] & room[path[2*i +: 2]] & ~(issue_valid & issue_warp == i);
        end
    end

    // Of each place, whether it or one before it is high.
    function [23:0] from_first(input [23:0] wants);
        begin
            from_first = wants | wants << 1;
            from_first = from_first | from_first << 2;
            from_first = from_first | from_first << 4;
            from_first = from_first | from_first << 8;
            from_first = from_first | from_first << 16;
        end
    endfunction

    wire [23:0] in_turn = can_go & turn;
    wire [23:0] all = from_first(can_go);
    wire [23:0] later = from_first(in_turn);
    wire [23:0] first = later[23] ? later : all;
    wire [23:0] chosen = first & ~(first << 1);
    reg [4:0] number;

    always @* begin
        number = 5'd0;
        for (i = 0; i < 24; i = i + 1) if (chosen[i]) number = number | i[4:0];
    end

    always @(posedge clock) begin
        issue_valid <= all[23] & ~reset;
        issue_warp <= number;
        if (reset) turn <= 24'd0;
        else if (all[23]) turn <= first << 1;
    end

endmodule
