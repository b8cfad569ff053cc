// Adds up the lanes of a call that have the same key. Operation 0: a is the key of a lane, b its value. The first lane of each key gets the
// sum of all values with this key, the other lanes get 0. One key a cycle: it is chosen in a cycle and
// added up in the next. One call at a time. After MOST keys of a call, all other lanes get their own values. 32 is no limit.
module combine #(parameter MOST = 32) (
    input clock, input reset,
    input request_valid, input [7:0] request_operation, input [5:0] request_tag, input [7:0] request_warp,
    input [31:0] request_lanes, input [1023:0] request_a, input [1023:0] request_b, output request_ready,
    output answer_valid, output [5:0] answer_tag, output [31:0] answer_lanes, output [1023:0] answer_data,
    input answer_ready,
    output memory_valid, output memory_write, output [3:0] memory_tag, output [2:0] memory_size,
    output [63:0] memory_address, output [255:0] memory_data, input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy,
    output reg [31:0] stat_keys
);
    reg working, done;
    reg [5:0] tag;
    reg [31:0] lanes;
    // Lanes whose key has had no turn yet.
    reg [31:0] left;
    reg [1023:0] keys, values, sums;
    // Chosen in the cycle before: the first lane of a key, and all its lanes.
    reg [31:0] chosen, members;
    // Keys that have had their turn.
    reg [5:0] turns;
    wire last = MOST < 32 && turns == MOST;

    assign request_ready = !working;
    assign busy = working;
    assign answer_valid = done;
    assign answer_tag = tag;
    assign answer_lanes = lanes;

    // It needs no memory.
    assign memory_valid = 0;
    assign memory_write = 0;
    assign memory_tag = 0;
    assign memory_size = 0;
    assign memory_address = 0;
    assign memory_data = 0;
    assign reply_ready = 1;

    // The first lane that is left, its key, and all lanes that have it.
    wire [31:0] first = left & (~left + 1);
    reg [31:0] key;
    integer i;
    always @* begin
        key = 0;
        for (i = 0; i < 32; i = i + 1)
            key = key | (keys[32 * i +: 32] & {32{first[i]}});
    end
    reg [31:0] same;
    // A tree of adders over the lanes of the key chosen before. Node n adds up nodes 2n and 2n + 1; nodes 32 to 63 are the lanes.
    reg [32 * 64 - 1:0] node;
    integer n;
    always @* begin
        node = 0;
        for (n = 0; n < 32; n = n + 1) begin
            same[n] = left[n] && keys[32 * n +: 32] == key;
            node[32 * (32 + n) +: 32] = values[32 * n +: 32] & {32{members[n]}};
        end
        for (n = 31; n > 0; n = n - 1)
            node[32 * n +: 32] = node[32 * (2 * n) +: 32] + node[32 * (2 * n + 1) +: 32];
    end

    reg [1023:0] answers;
    assign answer_data = answers;
    integer l;
    always @*
        for (l = 0; l < 32; l = l + 1)
            answers[32 * l +: 32] = MOST < 32 && left[l] ? values[32 * l +: 32] : sums[32 * l +: 32];

    integer k;
    always @(posedge clock)
        if (reset) begin
            working <= 0;
            done <= 0;
            left <= 0;
            stat_keys <= 0;
        end else if (!working) begin
            if (request_valid) begin
                working <= 1;
                tag <= request_tag;
                lanes <= request_lanes;
                left <= request_lanes;
                keys <= request_a;
                values <= request_b;
                sums <= 0;
                chosen <= 0;
                turns <= 0;
            end
        end else if (!done) begin
            chosen <= first;
            members <= same;
            left <= last ? left : left & ~same;
            turns <= turns + 1;
            for (k = 0; k < 32; k = k + 1)
                if (chosen[k]) sums[32 * k +: 32] <= node[32 +: 32];
            done <= left == 0 || last;
            if (left != 0 && !last) stat_keys <= stat_keys + 1;
        end else if (answer_ready) begin
            working <= 0;
            done <= 0;
        end
endmodule
