// A stream prefetcher at a memory partition. A partition has every PERIOD-th chunk of 256 bytes. If a core reads a sector of a chunk, and
// the partition's chunk before it was read lately, the sector of the same place is prefetched AHEAD of the partition's chunks later.
module stream #(
    parameter PERIOD = 6,
    parameter AHEAD = 1
) (
    input clock, input reset,
    input watch_valid, input [1:0] watch_kind, input [7:0] watch_core, input [63:0] watch_address, input watch_hit,
    output watch_ready,
    output memory_valid, output memory_prefetch, output [3:0] memory_tag, output [63:0] memory_address, input memory_ready,
    input reply_valid, input [3:0] reply_tag, input [255:0] reply_data, output reply_ready,
    output busy,
    output reg [31:0] stat_streams, output reg [31:0] stat_full
);
    localparam READ = 2'd0;
    localparam [39:0] FAR = PERIOD * AHEAD;

    // Stage 1: a read, and the chunk before it.
    reg read;
    reg [39:0] chunk, before;
    reg [2:0] sector;
    // Stage 2: was that chunk read?
    reg look;
    reg [39:0] ahead;
    reg [2:0] ahead_sector;
    reg was_read;
    reg [15:0] found, wanted;

    // Chunks that were read lately, by place: the bits that the place does not tell.
    reg [255:0] is_known;
    reg [15:0] lately [0:255];
    function [7:0] place(input [39:0] c);
        place = c[7:0] ^ c[15:8];
    endfunction

    // Sectors to prefetch.
    reg [42:0] queue [0:7];
    reg [3:0] head, tail;
    wire empty = head == tail, full = head == {~tail[3], tail[2:0]};
    reg asks;
    reg [42:0] asked;

    assign watch_ready = 1, reply_ready = 1;
    assign memory_valid = asks, memory_prefetch = 1, memory_tag = 0, memory_address = {16'b0, asked, 5'b0};
    assign busy = read || look || !empty || asks;

    wire is_stream = look && was_read && found == wanted;
    always @(posedge clock)
        if (reset) begin
            read <= 0;
            look <= 0;
            asks <= 0;
            head <= 0;
            tail <= 0;
            stat_streams <= 0;
            stat_full <= 0;
            is_known <= 0;
        end else begin
            read <= watch_valid && watch_kind == READ;
            chunk <= watch_address[47:8];
            before <= watch_address[47:8] - PERIOD;
            sector <= watch_address[7:5];

            look <= read;
            ahead <= chunk + FAR;
            ahead_sector <= sector;
            found <= lately[place(before)];
            was_read <= is_known[place(before)];
            wanted <= before[23:8];
            if (read) begin
                is_known[place(chunk)] <= 1;
                lately[place(chunk)] <= chunk[23:8];
            end

            if (is_stream) begin
                stat_streams <= stat_streams + 1;
                if (full) stat_full <= stat_full + 1;
                else begin
                    queue[tail[2:0]] <= {ahead, ahead_sector};
                    tail <= tail + 1;
                end
            end

            if (!asks || memory_ready) begin
                asks <= !empty;
                asked <= queue[head[2:0]];
                if (!empty) head <= head + 1;
            end
        end
endmodule
