#!/usr/bin/env bash
# Icarus Verilog 11.0 (Debian 12): after `$stop` vvp waits for commands on standard input. Where there is none (/dev/null, as in CI),
# the simulation goes on past the `$stop` and ends with exit code 0. With -n it ends there, also with 0; with -N it ends with 1.
# `$error` and a `$readmemh` of a file that does not exist print ERROR, and the exit code is 0 as well.
. "$(dirname "$0")/tools.sh"
from_debian iverilog=11.0-1.1+b1
run() { # file, options of vvp: what it said in `said`, exit code in `code`
    iverilog -g2012 -B "$folder/root/usr/lib/x86_64-linux-gnu/ivl" -o "$1.vvp" "$1"
    code=0
    vvp -M "$folder/root/usr/lib/x86_64-linux-gnu/ivl" "${@:2}" "$1.vvp" </dev/null >said 2>&1 || code=$?
}
cat >stop.v <<'V'
module stop; initial begin #1 $display("rule broken"); $stop; #1 $display("went on"); end endmodule
V
cat >error.v <<'V'
module error; reg [7:0] word [0:1]; initial begin $readmemh("absent.hex", word); $error("wrong"); end endmodule
V
run stop.v
is "$code" 0
has said 'VVP Stop\(0\)'
has said '^went on$'
run stop.v -n
is "$code" 0
has_not said '^went on$'
run stop.v -N
is "$code" 1
run error.v
is "$code" 0
has said '^ERROR: .*readmemh: Unable to open absent.hex'
has said '^ERROR: .*wrong'
