# Each finding sources this: a temporary folder, pinned packages in it, and checks of what a tool says.
# Exit code 1: a tool says something else now. Exit code 3: a package cannot be had.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cannot() {
    echo "$(basename "$0"): cannot be had: $*" >&2
    exit 3
}

# Packages of PyPI, as NAME==VERSION, in an environment whose programs go first on PATH.
from_pypi() {
    python3 -m venv venv || cannot venv
    venv/bin/pip install --quiet --disable-pip-version-check --only-binary=:all: "$@" || cannot "$@"
    PATH=$folder/venv/bin:$PATH
}

# Packages of Debian 12, as NAME=VERSION, unpacked and not installed. What they need beside them is listed as well, or is on every machine.
from_debian() {
    apt-get download "$@" >/dev/null 2>&1 || cannot "$@"
    for package in ./*.deb; do dpkg -x "$package" root; done
    rm ./*.deb
    PATH=$folder/root/usr/bin:$PATH
    export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/x86_64-linux-gnu/scotch-int64
}

# A file has a line that matches an extended regular expression.
has() {
    grep -Eq -e "$2" "$1" || differs "$1 has no line with: $2" "$1"
}

has_not() {
    ! grep -Eq -e "$2" "$1" || differs "$1 has a line with: $2" "$1"
}

is() {
    [ "$1" = "$2" ] || differs "it is $1 and was $2"
}

differs() {
    echo "$(basename "$0"): no longer as described: $1" >&2
    [ -z "${2:-}" ] || cat "$2" >&2
    exit 1
}
