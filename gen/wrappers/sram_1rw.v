`timescale 1ns/1ps

// sram_1rw: the SRAM of this name as a compiled macro, one port
//
// Unit: sram_1rw.
// Timing: read latency 1 cycle; one access a cycle; rdata holds until the next read.
// Parameter WORDS: words.
//
// A wrapper: copy this folder, and edit the copy.

`default_nettype none

module sram_1rw #(
    parameter WORDS = 32
) (
    input  wire                     clock,
    input  wire                     en,
    input  wire                     we,
    input  wire [$clog2(WORDS)-1:0] addr,
    input  wire [23:0]              wdata,
    output wire [23:0]              rdata
);

    // Names and further pins of macros are in wrappers alone: write those of a compiler here. It has a macro for each size;
    // choose by the parameters.
    macro_1rw #(.WIDTH(24), .WORDS(WORDS)) ram (
        .clock      (clock),
        .en         (en),
        .we         (we),
        .addr       (addr),
        .wdata      (wdata),
        .rdata      (rdata),
        .write_mask ({24{1'b1}}),
        .bist       (1'b0),
        .bist_write (1'b0),
        .bist_read  (1'b0),
        .bist_addr  ({$clog2(WORDS){1'b0}}),
        .bist_wdata ({24{1'b0}}),
        .sleep      (1'b0),
        .shut_down  (1'b0)
    );

endmodule

`default_nettype wire
