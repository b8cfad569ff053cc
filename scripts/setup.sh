#!/usr/bin/env bash
# Installs what the project needs beside Rust, through apt, and only what is missing.
# Without root it prints the command and stops with exit code 3.
set -euo pipefail

missing=()
need() { # package, test command ...
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}
need verilator command -v verilator
need iverilog command -v iverilog
need yosys command -v yosys
need opensta command -v sta
need qflow-tech-osu018 test -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib
need g++ command -v g++
need clang-14 command -v clang-14
need python3 command -v python3
need zlib1g-dev test -e /usr/include/zlib.h

"$(dirname "$0")/install.sh" "${missing[@]}"
