// A part-select of a vector: a bit behind the last is any value. The map of Yosys gives it one of its own choice.
(* techmap_celltype = "$shiftx" *)
module unruly_part_select (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    input [A_WIDTH-1:0] A;
    input [B_WIDTH-1:0] B;
    output [Y_WIDTH-1:0] Y;

    wire [Y_WIDTH-1:0] undefined;
    wire [A_WIDTH+Y_WIDTH-1:0] shifted = {{Y_WIDTH{1'b0}}, A} >> B;
    wire is_negative = B_SIGNED && B[B_WIDTH-1];

    genvar i;
    generate
        for (i = 0; i < Y_WIDTH; i = i + 1) begin : each_bit
            assign Y[i] = !is_negative && i < A_WIDTH && B < A_WIDTH - i ? shifted[i] : undefined[i];
        end
    endgenerate
endmodule
