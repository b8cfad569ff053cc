// A unit at a partition that reads the first sector that it sees a read of, and breaks the rule that the first word there names.
module spoiler (
    input clock, input reset,
    input watch_valid, input [1:0] watch_kind, input [7:0] watch_core, input [63:0] watch_address, input watch_hit,
    output watch_ready,
    output reg memory_valid, output reg memory_prefetch, output reg [3:0] memory_tag, output reg [63:0] memory_address,
    input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy,
    output reg [31:0] stat_reads, output reg [31:0] stat_writes, output reg [63:0] stat_sum
);
    localparam WAITS = 0, READS = 1, BREAKS = 2, DONE = 3;
    reg [1:0] state;
    reg [31:0] rule;
    reg reading;
    reg [1:0] step;
    reg [63:0] first;
    wire breaks = state == BREAKS;

    assign watch_ready = !(breaks && rule == 8);
    assign reply_ready = !(breaks && rule == 7) && !(breaks && rule == 10 && watch_valid);
    assign busy = (state != WAITS && state != DONE && !(breaks && rule == 6)) || memory_valid || (breaks && rule == 9);

    always @(posedge clock)
        if (reset) begin
            state <= WAITS;
            memory_valid <= 0;
            memory_prefetch <= 0;
            memory_tag <= 0;
            memory_address <= 0;
            reading <= 0;
            rule <= 0;
            step <= 0;
            stat_reads <= 0;
            stat_writes <= 0;
            stat_sum <= 0;
        end else begin
            if (watch_valid && watch_ready && watch_kind == 0) stat_reads <= stat_reads + 1;
            if (watch_valid && watch_ready && watch_kind == 1) stat_writes <= stat_writes + 1;
            if (memory_ready) memory_valid <= 0;
            case (state)
                WAITS: if (watch_valid && watch_kind == 0 && watch_address[7:0] == 0) begin
                    state <= READS;
                    memory_valid <= 1;
                    memory_tag <= 3;
                    memory_address <= watch_address;
                    first <= watch_address;
                end
                READS: if (reply_valid && reply_ready) begin
                    rule <= reply_data[31:0];
                    stat_sum <= stat_sum + reply_data[63:32] + reply_data[255:224];
                    state <= BREAKS;
                end
                BREAKS: case (rule)
                    // Prefetches of a sector of the next partition, of one of nothing, and of one that is there.
                    0: begin
                        memory_prefetch <= 1;
                        if (!memory_valid || memory_ready) begin
                            memory_valid <= step != 3;
                            memory_address <= step == 0 ? first + 256 : step == 1 ? 64'd1 << 40 : first + 32;
                            step <= step + 1;
                            if (step == 3) state <= DONE;
                        end
                    end
                    1: begin
                        memory_valid <= 1;
                        memory_address <= memory_address + 4;
                    end
                    2: begin
                        memory_valid <= 1;
                        memory_address <= 64;
                    end
                    3: begin
                        memory_valid <= 1;
                        memory_address <= memory_address + 256;
                    end
                    4: memory_valid <= 1;
                    5: begin
                        memory_valid <= 1;
                        memory_prefetch <= 1;
                        memory_address <= {memory_address[63:8], memory_address[7:0] + 8'd32};
                    end
                    6, 7: begin
                        memory_valid <= !reading;
                        reading <= 1;
                    end
                    11: begin
                        memory_prefetch <= 1;
                        memory_valid <= step != 3;
                        step <= step + 1;
                    end
                    12: begin
                        memory_prefetch <= 1;
                        memory_valid <= 1;
                    end
                    default: if (rule > 12) state <= DONE;
                endcase
                default: ;
            endcase
        end
endmodule
