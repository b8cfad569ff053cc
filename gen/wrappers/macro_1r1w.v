`timescale 1ns/1ps

// macro_1r1w: a compiled macro with a read and a write port, for simulation
//
// Timing: read latency 1 cycle; one read and one write a cycle; rdata holds until the next read.
// Parameter WIDTH: bits of a word.
// Parameter WORDS: words.
//
// A model: a compiler's macro takes its place.

`default_nettype none

module macro_1r1w #(
    parameter WIDTH = 80,
    parameter WORDS = 32
) (
    input  wire                     clock,
    input  wire                     write,
    // High: the bit is written.
    input  wire [WIDTH-1:0]         write_mask,
    input  wire [$clog2(WORDS)-1:0] write_addr,
    input  wire [WIDTH-1:0]         wdata,
    input  wire                     read,
    input  wire [$clog2(WORDS)-1:0] read_addr,
    output reg  [WIDTH-1:0]         rdata,
    // High: the self-test has both ports.
    input  wire                     bist,
    input  wire                     bist_write,
    input  wire                     bist_read,
    input  wire [$clog2(WORDS)-1:0] bist_addr,
    input  wire [WIDTH-1:0]         bist_wdata,
    // High: no access; the words stay, or are lost.
    input  wire                     sleep,
    input  wire                     shut_down
);

    reg [WIDTH-1:0] words [0:WORDS-1];
    // Words that were written since the last shut-down.
    reg [WORDS-1:0] kept;

    wire on = ~(sleep | shut_down);
    wire writes = on & (bist ? bist_write : write);
    wire reads = on & (bist ? bist_read : read);
    wire [WIDTH-1:0] mask = bist ? {WIDTH{1'b1}} : write_mask;
    wire [$clog2(WORDS)-1:0] to = bist ? bist_addr : write_addr;
    wire [$clog2(WORDS)-1:0] from = bist ? bist_addr : read_addr;
    wire [WIDTH-1:0] word = bist ? bist_wdata : wdata;

    wire [WIDTH-1:0] old = kept[to] ? words[to] : {WIDTH{1'bx}};

    always @(posedge clock or posedge shut_down) begin
        if (shut_down) begin
            kept <= {WORDS{1'b0}};
            rdata <= {WIDTH{1'bx}};
        end else begin
            if (writes) begin
                words[to] <= (word & mask) | (old & ~mask);
                kept[to] <= 1'b1;
            end
            if (reads) rdata <= (writes & (to == from)) | ~kept[from] ? {WIDTH{1'bx}} : words[from];
        end
    end

endmodule

`default_nettype wire
