// A unit that keeps the rules of its pins, or breaks one of them: the operation says which.
module rogue (
    input clock, input reset,
    input request_valid, input [7:0] request_operation, input [5:0] request_tag, input [7:0] request_warp,
    input [31:0] request_lanes, input [1023:0] request_a, input [1023:0] request_b, output request_ready,
    output answer_valid, output [5:0] answer_tag, output [31:0] answer_lanes, output [1023:0] answer_data,
    input answer_ready,
    output memory_valid, output memory_write, output [3:0] memory_tag, output [2:0] memory_size,
    output [63:0] memory_address, output [255:0] memory_data, input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy,
    output reg [15:0] stat_notes, output reg [63:0] stat_words
);
    localparam IDLE = 0, LOW = 1, HIGH = 2, ASK = 3, WAIT = 4, WRITE = 5, STUCK = 6;
    localparam SUM = 0, NOTE = 1, READ = 2, STORE = 3, POINT = 4;
    localparam WRONG_TAG = 10, NO_LANE = 11, OTHER_LANES = 12, TWICE = 13, LOW_BUSY = 14, NO_ANSWER = 15, NOT_READY = 16;
    localparam STAYS_BUSY = 17, BAD_SIZE = 18, MISALIGNED = 19, NOWHERE = 20, SAME_TAG = 21, NO_REPLY = 22, CHANGES = 23;
    localparam FOLLOWS = 24;

    reg [2:0] state;
    reg [7:0] operation;
    reg [5:0] tag;
    reg [31:0] lanes;
    reg [1023:0] a, b;
    reg [63:0] address;
    reg [7:0] writes;
    reg follows;

    assign request_ready = state == IDLE;
    assign busy = state != IDLE && operation != LOW_BUSY;

    assign answer_valid = state == LOW || state == HIGH;
    assign answer_tag = operation == WRONG_TAG ? tag + 1 : tag;
    wire [31:0] half = state == LOW || operation == TWICE ? lanes & 32'h0000ffff : lanes & 32'hffff0000;
    assign answer_lanes = operation == NO_LANE ? 0 : operation == OTHER_LANES ? 32'hffffffff : half;
    genvar lane;
    generate
        for (lane = 0; lane < 32; lane = lane + 1) begin : each
            assign answer_data[32 * lane +: 32] = a[32 * lane +: 32] + b[32 * lane +: 32];
        end
    endgenerate

    assign memory_valid = state == ASK || state == WRITE;
    assign memory_write = state == WRITE;
    assign memory_tag = 5;
    assign memory_size = operation == BAD_SIZE ? 6 : 2;
    assign memory_address = operation == MISALIGNED ? address + 2 : operation == NOWHERE ? 64'h10 : address;
    assign memory_data = operation == CHANGES ? writes : follows && request_valid ? 1 : a[31:0];
    assign reply_ready = operation != NO_REPLY;

    always @(posedge clock)
        if (reset) begin
            state <= IDLE;
            operation <= 0;
            follows <= 0;
            stat_notes <= 0;
            stat_words <= 0;
        end else case (state)
            IDLE: if (request_valid && request_ready) begin
                operation <= request_operation;
                tag <= request_tag;
                lanes <= request_lanes;
                a <= request_a;
                b <= request_b;
                writes <= 0;
                case (request_operation)
                    NOTE: stat_notes <= stat_notes + 1;
                    POINT: address <= {request_b[31:0], request_a[31:0]};
                    FOLLOWS: follows <= 1;
                    READ, BAD_SIZE, MISALIGNED, NOWHERE, SAME_TAG, NO_REPLY: begin
                        address <= {request_b[31:0], request_a[31:0]};
                        state <= ASK;
                    end
                    STORE, CHANGES: state <= WRITE;
                    NO_ANSWER, NOT_READY, STAYS_BUSY: state <= STUCK;
                    default: state <= request_lanes[15:0] != 0 ? LOW : HIGH;
                endcase
            end
            LOW: if (answer_ready) state <= lanes[31:16] != 0 ? HIGH : IDLE;
            HIGH: if (answer_ready) state <= IDLE;
            ASK: if (memory_ready && operation != SAME_TAG) state <= WAIT;
            WAIT: if (reply_valid && reply_ready) begin
                a <= {32{reply_data[31:0]}};
                b <= 0;
                stat_words <= stat_words + 1;
                state <= lanes[15:0] != 0 ? LOW : HIGH;
            end
            WRITE: begin
                writes <= writes + 1;
                if (operation == STORE ? memory_ready : writes == 200) state <= IDLE;
            end
            default: ;
        endcase
endmodule
