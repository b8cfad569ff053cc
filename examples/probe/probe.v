// Looks keys up in a hash table in memory. The table has buckets of eight 32-bit keys, 0 in free places; a bucket is read at once.
// Operation 0, the same for all lanes: the first lane's a and b are the table's address, low and high half, a multiple of 32. Operation 1: a
// is a key and b the number of buckets less one, a power of two less one. The answer is the place of the key in the table, or 2^32 - 1.
// One read a cycle, 16 of them under way, one call at a time.
module probe (
    input clock, input reset,
    input request_valid, input [7:0] request_operation, input [5:0] request_tag, input [7:0] request_warp,
    input [31:0] request_lanes, input [1023:0] request_a, input [1023:0] request_b, output request_ready,
    output answer_valid, output [5:0] answer_tag, output [31:0] answer_lanes, output [1023:0] answer_data,
    input answer_ready,
    output memory_valid, output memory_write, output [3:0] memory_tag, output [2:0] memory_size,
    output [63:0] memory_address, output [255:0] memory_data, input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy,
    output reg [31:0] stat_found
);
    reg working, done;
    reg [5:0] tag;
    reg [31:0] lanes, left;
    reg [1023:0] keys, places;
    reg [31:0] mask;
    reg [63:0] table_address;
    // Reads under way, by tag: the low bits of the lane. Whether it is one of the upper 16 lanes.
    reg [15:0] reading, upper;

    function [31:0] bucket(input [31:0] key, input [31:0] mask);
        bucket = (key ^ key >> 7 ^ key >> 15) & mask;
    endfunction

    // Low and high half of a table's address, and a mask, of the first lane that takes part in a call.
    reg [31:0] first_a, first_b;
    integer f;
    always @* begin
        first_a = 0;
        first_b = 0;
        for (f = 31; f >= 0; f = f - 1)
            if (request_lanes[f]) begin
                first_a = request_a[32 * f +: 32];
                first_b = request_b[32 * f +: 32];
            end
    end

    // The first lane that is left, and its key.
    reg [4:0] lane;
    integer i;
    always @* begin
        lane = 0;
        for (i = 31; i >= 0; i = i - 1)
            if (left[i]) lane = i;
    end
    wire [31:0] key = keys[32 * lane +: 32];
    // The lane whose bucket has come, and its key.
    wire [4:0] back = {upper[reply_tag], reply_tag};
    wire [31:0] wanted = keys[32 * back +: 32];
    reg [31:0] place;
    integer p;
    always @* begin
        place = 32'hffffffff;
        for (p = 7; p >= 0; p = p - 1)
            if (reply_data[32 * p +: 32] == wanted) place = {bucket(wanted, mask), 3'b0} | p;
    end

    assign request_ready = !working;
    assign busy = working;
    assign answer_valid = done;
    assign answer_tag = tag;
    assign answer_lanes = lanes;
    assign answer_data = places;
    assign memory_valid = working && left != 0 && !reading[lane[3:0]];
    assign memory_write = 0;
    assign memory_tag = lane[3:0];
    assign memory_size = 5;
    assign memory_address = table_address + {bucket(key, mask), 5'b0};
    assign memory_data = 0;
    assign reply_ready = 1;

    always @(posedge clock)
        if (reset) begin
            working <= 0;
            done <= 0;
            left <= 0;
            reading <= 0;
            table_address <= 0;
            stat_found <= 0;
        end else if (!working) begin
            if (request_valid && request_operation == 0)
                table_address <= {first_b, first_a[31:5], 5'b0};
            else if (request_valid) begin
                working <= 1;
                tag <= request_tag;
                lanes <= request_lanes;
                left <= request_lanes;
                keys <= request_a;
                mask <= first_b;
            end
        end else if (done) begin
            if (answer_ready) begin
                working <= 0;
                done <= 0;
            end
        end else begin
            if (memory_valid && memory_ready) begin
                left[lane] <= 0;
                reading[lane[3:0]] <= 1;
                upper[lane[3:0]] <= lane[4];
            end
            if (reply_valid) begin
                places[32 * back +: 32] <= place;
                reading[reply_tag] <= 0;
                if (place != 32'hffffffff) stat_found <= stat_found + 1;
            end
            done <= left == 0 && reading == 0;
        end
endmodule
