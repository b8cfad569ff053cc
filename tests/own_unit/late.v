// Answers a + b, WAIT cycles later than it could.
module late #(parameter WAIT = 0) (
    input clock, input reset,
    input request_valid, input [7:0] request_operation, input [5:0] request_tag, input [7:0] request_warp,
    input [31:0] request_lanes, input [1023:0] request_a, input [1023:0] request_b, output request_ready,
    output answer_valid, output [5:0] answer_tag, output [31:0] answer_lanes, output [1023:0] answer_data,
    input answer_ready,
    output memory_valid, output memory_write, output [3:0] memory_tag, output [2:0] memory_size,
    output [63:0] memory_address, output [255:0] memory_data, input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy, output reg [31:0] stat_calls
);
    reg full;
    reg [7:0] left;
    reg [5:0] tag;
    reg [31:0] lanes;
    reg [1023:0] sums;
    assign request_ready = !full, busy = full;
    assign answer_valid = full && left == 0, answer_tag = tag, answer_lanes = lanes, answer_data = sums;
    assign memory_valid = 0, memory_write = 0, memory_tag = 0, memory_size = 0, memory_address = 0, memory_data = 0;
    assign reply_ready = 1;

    integer lane;
    always @(posedge clock)
        if (reset) begin
            full <= 0;
            stat_calls <= 0;
        end else if (full) begin
            if (left != 0) left <= left - 1;
            else if (answer_ready) full <= 0;
        end else if (request_valid) begin
            full <= 1;
            left <= WAIT;
            tag <= request_tag;
            lanes <= request_lanes;
            for (lane = 0; lane < 32; lane = lane + 1)
                sums[32 * lane +: 32] <= request_a[32 * lane +: 32] + request_b[32 * lane +: 32];
            stat_calls <= stat_calls + 1;
        end
endmodule
