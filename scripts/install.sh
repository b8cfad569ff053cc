#!/usr/bin/env bash
# Installs these packages through apt. Without root it prints the command and stops with exit code 3.
set -euo pipefail

[ $# -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
    echo "setup: missing packages; run this, then make again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y --no-install-recommends $*" >&2
    exit 3
fi
echo "setup: installing $*"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "$@" >/dev/null
