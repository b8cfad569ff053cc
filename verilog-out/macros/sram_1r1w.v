`timescale 1ns/1ps

// sram_1r1w: the SRAM of this name as a compiled macro, a read and a write port
//
// Unit: sram_1r1w.
// Timing: read latency 1 cycle; one read and one write a cycle; rdata holds until the next read.
// Parameter WIDTH: bits of a word.
// Parameter WORDS: words.
//
// A wrapper: copy this folder, and edit the copy.

`default_nettype none

module sram_1r1w #(
    parameter WIDTH = 80,
    parameter WORDS = 32
) (
    input  wire                     clock,
    input  wire                     write,
    input  wire [$clog2(WORDS)-1:0] write_addr,
    input  wire [WIDTH-1:0]         wdata,
    input  wire                     read,
    input  wire [$clog2(WORDS)-1:0] read_addr,
    output wire [WIDTH-1:0]         rdata
);

    // Names and further pins of macros are in wrappers alone: write those of a compiler here. It has a macro for each size;
    // choose by the parameters.
    macro_1r1w #(.WIDTH(WIDTH), .WORDS(WORDS)) ram (
        .clock      (clock),
        .write      (write),
        .write_addr (write_addr),
        .wdata      (wdata),
        .read       (read),
        .read_addr  (read_addr),
        .rdata      (rdata),
        .write_mask ({WIDTH{1'b1}}),
        .bist       (1'b0),
        .bist_write (1'b0),
        .bist_read  (1'b0),
        .bist_addr  ({$clog2(WORDS){1'b0}}),
        .bist_wdata ({WIDTH{1'b0}}),
        .sleep      (1'b0),
        .shut_down  (1'b0)
    );

endmodule

`default_nettype wire
