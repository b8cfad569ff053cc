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

"$(dirname "$0")/install.sh" "${missing[@]}"
[ -x "$folder/bin/python3" ] || python3 -m venv "$folder"
"$folder/bin/python3" -c 'import hyperqueue' 2>/dev/null || "$folder/bin/pip" install --quiet hyperqueue
