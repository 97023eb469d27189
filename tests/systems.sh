#!/usr/bin/env bash
# systems.sh [--short] [SUITE...]: the two commands on bare Debians (default: trixie sid), as an ordinary user with sudo, from a
# clone of what is committed. Each Debian is made by debootstrap from the mirror that apt uses, in a folder that is reused:
# $TEXLA_SYSTEMS/SUITE, by default ~/.cache/texla/systems/SUITE. --short: the build, the tests of gl, vector, matrix and system,
# and the windows of the demos. Needs root; says why it is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
short=
[ "${1:-}" != --short ] || { short=1 && shift; }
[ $# -gt 0 ] || set -- trixie sid
folder=${TEXLA_SYSTEMS:-${XDG_CACHE_HOME:-$HOME/.cache}/texla/systems}
jobs=${JOBS:-$(nproc)}

skip() {
  echo "skipped: other systems: $1"
  exit 0
}
[ "$(id -u)" = 0 ] || skip "only root can make them"
command -v debootstrap >/dev/null || skip "no debootstrap"
unshare -m true 2>/dev/null || skip "no mount namespaces here"
git rev-parse HEAD >/dev/null 2>&1 || skip "no repository"

mirror() {
  { cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -nE 's@^(URIs: *|deb +(\[[^]]*\] +)?)([a-z]+:[^ ]*/debian)/?( .*)?$@\3@p' | head -n 1
}

# make_system SUITE: false where the mirror does not have it
make_system() {
  local root=$folder/$1
  [ ! -e "$root/made" ] || return 0
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase "$1" "$root" "$(mirror)" >"$folder/$1.log" 2>&1 || return 1
  cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  inside "$1" bash -c 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends git make sudo ccache &&
    useradd -m -s /bin/bash somebody && echo "somebody ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/somebody' >>"$folder/$1.log" 2>&1 || return 1
  touch "$root/made"
}

# inside SUITE COMMAND...: as root, with file systems of its own, which are gone with the command
inside() {
  local root=$folder/$1
  shift
  # shellcheck disable=SC2016 # the inner shell's
  unshare -m --propagation private bash -c 'root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t sysfs -o ro sys "$root/sys" &&
      exec chroot "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 TERM=dumb "$@"' _ "$root" "$@" </dev/null
}

# try SUITE: the commands, with warnings as errors
try() {
  local home=$folder/$1/home/somebody commands="make demo && make test"
  [ -z "$short" ] || commands="make && tests/run.sh build -j$jobs -R '^(gl|vector|matrix|system)/|^examples/' -LE optional"
  rm -rf "$home/texla"
  git clone -q --depth 1 "file://$PWD" "$home/texla"
  # shellcheck disable=SC2016 # the inner shells'
  inside "$1" bash -c 'export DEBIAN_FRONTEND=noninteractive && chown -R somebody: ~somebody && apt-get -qq update &&
    apt-get -qq dist-upgrade -y >/dev/null && exec su somebody -c "$1"' _ "cd ~/texla && export JOBS=$jobs CMAKE_FLAGS=-DTEXLA_WERROR=ON &&
    cmake/install_packages.sh && $commands"
}

failed=
for suite; do
  echo "--- $suite"
  if ! make_system "$suite"; then
    tail -n 3 "$folder/$suite.log"
    echo "skipped: $suite cannot be made from $(mirror)"
  elif ! try "$suite"; then
    failed+=" $suite"
  fi
done
[ -z "$failed" ] || { echo "failed on:$failed" >&2 && exit 1; }
