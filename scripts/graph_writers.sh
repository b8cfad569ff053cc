#!/usr/bin/env bash
# Writes tests/graphs/files and tests/graphs/expected.json again, by the programs that tests/graphs/writers names with their versions.
# What pip installs goes into a temporary folder; what apt installs stays. Exit code 3: a program of that version cannot be had.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
writers=$root/tests/graphs/writers
mapfile -t packages <"$writers/packages.txt"
missing=()
for package in "${packages[@]}"; do
    found=$(dpkg-query -W -f '${Package}=${Version}' "${package%%=*}" 2>/dev/null) || true
    [ "$found" = "$package" ] || missing+=("$package")
done
"$root/scripts/install.sh" "${missing[@]}" || exit 3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: -r "$writers/requirements.txt" || exit 3
"$folder/bin/python" -B "$writers/collect.py" "$folder/bin/python"
