#!/usr/bin/env bash
# Installs what `make test-cluster` needs: Slurm and munge through apt, HyperQueue through pip into a folder of its own.
# Without root it prints the command and stops with exit code 3.
set -euo pipefail

folder=$1
missing=()
command -v slurmctld >/dev/null && command -v slurmd >/dev/null || missing+=(slurm-wlm)
command -v munged >/dev/null || missing+=(munge)
command -v setpriv >/dev/null || missing+=(util-linux)
command -v pkill >/dev/null || missing+=(procps)
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)

if [ ${#missing[@]} -ne 0 ]; then
    if [ "$(id -u)" -ne 0 ]; then
        echo "setup: missing packages; run this, then make again:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
        exit 3
    fi
    echo "setup: installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
[ -x "$folder/bin/python3" ] || python3 -m venv "$folder"
"$folder/bin/python3" -c 'import hyperqueue' 2>/dev/null || "$folder/bin/pip" install --quiet hyperqueue
