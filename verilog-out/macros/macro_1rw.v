`timescale 1ns/1ps

// macro_1rw: a compiled macro with one port, for simulation
//
// Timing: read latency 1 cycle; one access a cycle; rdata holds until the next read.
// Parameter WIDTH: bits of a word.
// Parameter WORDS: words.
//
// A model: a compiler's macro takes its place.

`default_nettype none

module macro_1rw #(
    parameter WIDTH = 24,
    parameter WORDS = 32
) (
    input  wire                     clock,
    input  wire                     en,
    input  wire                     we,
    // High: the bit is written.
    input  wire [WIDTH-1:0]         write_mask,
    input  wire [$clog2(WORDS)-1:0] addr,
    input  wire [WIDTH-1:0]         wdata,
    output reg  [WIDTH-1:0]         rdata,
    // High: the self-test has the port.
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
    wire writes = on & (bist ? bist_write : en & we);
    wire reads = on & (bist ? bist_read : en & ~we);
    wire [WIDTH-1:0] mask = bist ? {WIDTH{1'b1}} : write_mask;
    wire [$clog2(WORDS)-1:0] place = bist ? bist_addr : addr;
    wire [WIDTH-1:0] word = bist ? bist_wdata : wdata;

    wire [WIDTH-1:0] old = kept[place] ? words[place] : {WIDTH{1'bx}};

    always @(posedge clock or posedge shut_down) begin
        if (shut_down) begin
            kept <= {WORDS{1'b0}};
            rdata <= {WIDTH{1'bx}};
        end else begin
            if (writes) begin
                words[place] <= (word & mask) | (old & ~mask);
                kept[place] <= 1'b1;
            end
            if (reads) rdata <= ~kept[place] ? {WIDTH{1'bx}} : words[place];
        end
    end

endmodule

`default_nettype wire
