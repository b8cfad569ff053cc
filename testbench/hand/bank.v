// A lane's worklist of 32 work IDs, written by hand: docs/hwwl/bank.md.
//
// A partition has a head, a tail and a count of its IDs. One count of reserved entries is enough: they are always the
// pull side's. One increment serves both heads, and one both tails, for the port does one access a cycle.

module hand_bank (
    input  wire        clock,
    input  wire        reset,
    input  wire        configure,
    input  wire        double_buffer,
    input  wire        swap,
    input  wire        pull,
    input  wire        push,
    input  wire [23:0] push_id,
    input  wire        wru_pop,
    input  wire        wru_push,
    input  wire        wru_part,
    input  wire [23:0] wru_id,
    input  wire        fill_push,
    input  wire        fill_reserved,
    input  wire        fill_part,
    input  wire [23:0] fill_id,
    input  wire        reserve,
    input  wire        unreserve,
    output reg         pull_valid,
    output reg         wru_valid,
    output reg         wru_accepted,
    output reg         fill_accepted,
    output wire [23:0] id,
    output wire [5:0]  pull_occupancy,
    output wire [5:0]  push_occupancy,
    output wire [5:0]  held,
    output wire        empty,
    output wire        full
);

    // State. Partition 1 exists in double-buffer mode only and has 16 entries.
    reg       double_mode;
    reg       side; // the partition that pulls read
    reg [4:0] head_0, tail_0;
    reg [3:0] head_1, tail_1;
    reg [5:0] ids_0;
    reg [4:0] ids_1;
    reg [5:0] reserved;

    // What the counts say.
    wire has_0 = |ids_0;
    wire has_1 = |ids_1;
    wire has_pull = side ? has_1 : has_0;
    wire idle_pull = ~has_pull & ~|reserved;
    wire [5:0] ids_pull = side ? {1'b0, ids_1} : ids_0;
    wire [4:0] ids_other = side ? ids_0[4:0] : ids_1;
    assign pull_occupancy = ids_pull + reserved;
    assign push_occupancy = {1'b0, ids_other};
    assign held = ids_0 + {1'b0, ids_1};
    assign empty = idle_pull;

    // No count exceeds the size of its partition, so that one bit says that it is reached.
    wire full_pull = double_mode ? pull_occupancy[4] : pull_occupancy[5];
    wire full_other = ids_other[4];
    assign full = double_mode ? full_other : full_pull;

    // Who gets the port.
    wire full_wru = (wru_part == side) ? full_pull : full_other;
    wire full_fill = (fill_part == side) ? full_pull : full_other;
    wire pull_done = pull & has_pull;
    wire lane = push | pull_done;
    wire wru_popped = wru_pop & (wru_part ? has_1 : has_0) & ~lane;
    wire wru_pushed = wru_push & ~full_wru & ~lane;
    wire filled = fill_push & (fill_reserved | ~full_fill) & ~lane & ~wru_popped & ~wru_pushed;

    // The access.
    wire pop = pull_done | wru_popped;
    wire append = push | wru_pushed | filled;
    wire pop_part = pull_done ? side : wru_part;
    wire fill_to = fill_reserved ? side : fill_part;
    wire append_part = push ? side ^ double_mode : wru_pushed ? wru_part : fill_to;
    wire [4:0] head = pop_part ? {1'b1, head_1} : {head_0[4] & ~double_mode, head_0[3:0]};
    wire [4:0] tail = append_part ? {1'b1, tail_1} : {tail_0[4] & ~double_mode, tail_0[3:0]};
    wire [4:0] address = append ? tail : head;
    wire [4:0] next = address + 5'd1;

    sram_1rw_32x24 ids (
        .clock (clock),
        .en    (pop | append),
        .we    (append),
        .addr  (address),
        .wdata (push ? push_id : wru_pushed ? wru_id : fill_id),
        .rdata (id)
    );

    // Counts: a step of one up or down, and the reserved entries by what was promised, given back or filled.
    wire pop_0 = pop & ~pop_part;
    wire pop_1 = pop & pop_part;
    wire append_0 = append & ~append_part;
    wire append_1 = append & append_part;
    wire fill_promised = filled & fill_reserved;
    wire [1:0] returned = {unreserve & fill_promised, unreserve ^ fill_promised};

    wire configured = configure & ~has_0 & ~has_1 & ~|reserved;

    always @(posedge clock) begin
        pull_valid <= pull_done & ~reset;
        wru_valid <= wru_popped & ~reset;
        wru_accepted <= wru_pushed & ~reset;
        fill_accepted <= filled & ~reset;
        if (pop_0) head_0 <= next;
        if (pop_1) head_1 <= next[3:0];
        if (append_0) tail_0 <= next;
        if (append_1) tail_1 <= next[3:0];
        ids_0 <= ids_0 + {{5{pop_0}}, pop_0 | append_0};
        ids_1 <= ids_1 + {{4{pop_1}}, pop_1 | append_1};
        reserved <= reserved + {4'd0, reserve, 1'b0} - {4'd0, returned};
        if (swap & double_mode & idle_pull) side <= ~side;
        if (configured) double_mode <= double_buffer;
        if (configured | reset) begin
            side <= 1'b0;
            head_0 <= 5'd0;
            head_1 <= 4'd0;
            tail_0 <= 5'd0;
            tail_1 <= 4'd0;
        end
        if (reset) begin
            double_mode <= 1'b0;
            ids_0 <= 6'd0;
            ids_1 <= 5'd0;
            reserved <= 6'd0;
        end
    end

endmodule
