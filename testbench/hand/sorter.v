// Sorter of 16 words of 10 bits, written by hand: docs/prim.md. Batcher's odd-even merge sort: 63 cells in 10 layers, with
// registers behind layers 2, 5, 8 and 10, so that it takes four cycles as the unit does.

module hand_sorter (
    input  wire       clock,
    input  wire       reset,
    input  wire       in_valid,
    input  wire [9:0] in_item_0,
    input  wire [9:0] in_item_1,
    input  wire [9:0] in_item_2,
    input  wire [9:0] in_item_3,
    input  wire [9:0] in_item_4,
    input  wire [9:0] in_item_5,
    input  wire [9:0] in_item_6,
    input  wire [9:0] in_item_7,
    input  wire [9:0] in_item_8,
    input  wire [9:0] in_item_9,
    input  wire [9:0] in_item_10,
    input  wire [9:0] in_item_11,
    input  wire [9:0] in_item_12,
    input  wire [9:0] in_item_13,
    input  wire [9:0] in_item_14,
    input  wire [9:0] in_item_15,
    output wire       out_valid,
    output wire [9:0] out_item_0,
    output wire [9:0] out_item_1,
    output wire [9:0] out_item_2,
    output wire [9:0] out_item_3,
    output wire [9:0] out_item_4,
    output wire [9:0] out_item_5,
    output wire [9:0] out_item_6,
    output wire [9:0] out_item_7,
    output wire [9:0] out_item_8,
    output wire [9:0] out_item_9,
    output wire [9:0] out_item_10,
    output wire [9:0] out_item_11,
    output wire [9:0] out_item_12,
    output wire [9:0] out_item_13,
    output wire [9:0] out_item_14,
    output wire [9:0] out_item_15
);

    localparam N = 16;
    localparam W = 10;

    // Item i after layer l is bits W*i and up of row l+1.
    wire [N*W-1:0] row [0:10];
    wire [N*W-1:0] rank [0:9];
    reg [3:0] valid;

    assign row[0] = {
        in_item_15, in_item_14, in_item_13, in_item_12, in_item_11, in_item_10, in_item_9,
        in_item_8, in_item_7, in_item_6, in_item_5, in_item_4, in_item_3, in_item_2, in_item_1,
        in_item_0
    };
    assign {
        out_item_15, out_item_14, out_item_13, out_item_12, out_item_11, out_item_10, out_item_9,
        out_item_8, out_item_7, out_item_6, out_item_5, out_item_4, out_item_3, out_item_2,
        out_item_1, out_item_0
    } = row[10];
    assign out_valid = valid[3];

    always @(posedge clock) valid <= reset ? 4'd0 : {valid[2:0], in_valid};

    // Merges of P words with P words; a step compares words with a distance of K.
    genvar p, k, i;
    generate
        for (p = 0; p < 4; p = p + 1) begin : merge
            for (k = 0; k <= p; k = k + 1) begin : step
                localparam P = 1 << p;
                localparam K = P >> k;
                localparam L = p * (p + 1) / 2 + k;
                localparam FIRST = K % P;
                for (i = 0; i < N; i = i + 1) begin : item
                    localparam LOW =
                        i >= FIRST && (i - FIRST) / K % 2 == 0 && i + K < N && i / (2 * P) == (i + K) / (2 * P);
                    if (LOW) begin : cell_of_two
                        wire [W-1:0] a = row[L][W*i +: W];
                        wire [W-1:0] b = row[L][W*(i+K) +: W];
                        wire swap = b < a;
                        assign rank[L][W*i +: W] = swap ? b : a;
                        assign rank[L][W*(i+K) +: W] = swap ? a : b;
                    end else if (i < FIRST || (i - FIRST) / K % 2 == 0 || i - K < FIRST
                            || (i - K) / (2 * P) != i / (2 * P)) begin : through
                        assign rank[L][W*i +: W] = row[L][W*i +: W];
                    end
                end
                if (L == 1 || L == 4 || L == 7 || L == 9) begin : registered
                    reg [N*W-1:0] words;
                    always @(posedge clock) words <= rank[L];
                    assign row[L+1] = words;
                end else begin : plain
                    assign row[L+1] = rank[L];
                end
            end
        end
    endgenerate

endmodule
