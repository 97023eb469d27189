#!/usr/bin/env bash
# systems.sh [--short] [SUITE...]: the two commands on bare Debians (default: trixie sid), as an ordinary user with sudo, from a
# clone of what is committed. Each Debian is made by debootstrap from the mirror that apt uses, in a folder that is reused:
# $TEXLA_SYSTEMS/SUITE, by default ~/.cache/texla/systems/SUITE. --short: the build, the tests of gl, vector, matrix and system,
# and the windows of the demos. Needs root; prints why it is skipped: also if a Debian cannot be made, or not in 20 minutes.
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

# alone COMMAND...: for $limit seconds, with mounts and processes that are gone with the command
alone() {
  timeout --foreground -s KILL "$limit" unshare -mpf --kill-child --propagation private "$@"
}

# inside SUITE COMMAND...: as root
inside() {
  # shellcheck disable=SC2016 # the inner shell's
  alone bash -c 'root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t sysfs -o ro sys "$root/sys" &&
      exec chroot "$root" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 TERM=dumb \
        DEBIAN_FRONTEND=noninteractive "$@"' _ "$folder/$1" "${@:2}" </dev/null
}

[ "$(id -u)" = 0 ] || skip "only root can make them"
command -v debootstrap >/dev/null || skip "no debootstrap"
limit=60
alone sh -c 'mount -t proc proc /proc && chroot / true' 2>/dev/null || skip "nothing can be mounted here"
git rev-parse HEAD >/dev/null 2>&1 || skip "no repository"

mirror() {
  { cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -nE 's@^(URIs: *|deb +(\[[^]]*\] +)?)([a-z]+:[^ ]*/debian)/?( .*)?$@\3@p' | head -n 1
}

# make_system SUITE: made if it is not there, and up to date; false if the mirror does not answer or root is not enough here
make_system() {
  local root=$folder/$1 update='apt-get -qq -o APT::Update::Error-Mode=any update' packages=
  [ -z "$short" ] || packages=$(awk '!/^#/ { print $1 }' cmake/packages.txt | xargs)
  if [ ! -e "$root/made" ]; then
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    alone debootstrap --variant=minbase "$1" "$root" "$(mirror)" || return 1
    cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/old-mirror" # a copy of sid from last month will do
    inside "$1" bash -c "$update && apt-get -qq install -y --no-install-recommends git make sudo ccache &&
      useradd -m -s /bin/bash somebody && echo 'somebody ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/somebody" || return 1
    touch "$root/made"
  fi
  # what an interrupted run left first
  inside "$1" bash -c "dpkg --configure -a && $update && apt-get -qq -f dist-upgrade -y &&
    apt-get -qq install -y --no-install-recommends ccache $packages"
}

# try SUITE: the commands, with warnings as errors
try() {
  local home=$folder/$1/home/somebody commands="make demo && make test"
  [ -z "$short" ] || commands="cmake/install_packages.sh && make &&
    tests/run.sh build -j$jobs -R '^(gl|vector|matrix|system)/|^demos/.*window' -LE optional"
  rm -rf "$home/texla"
  git clone -q --depth 1 "file://$PWD" "$home/texla"
  inside "$1" chown -R somebody: /home/somebody
  inside "$1" su somebody -c "cd ~/texla && export JOBS=$jobs TEXLA_TEST_AGAIN=${TEXLA_TEST_AGAIN:-} CMAKE_FLAGS=-DTEXLA_WERROR=ON && $commands"
}

failed=
for suite; do
  echo "--- $suite"
  mkdir -p "$folder"
  limit=1200
  if ! make_system "$suite" >"$folder/$suite.log" 2>&1; then
    tail -n 3 "$folder/$suite.log"
    echo "skipped: $suite cannot be made from $(mirror)"
    continue
  fi
  [ -n "$short" ] || limit=14400
  status=0
  try "$suite" || status=$?
  if [ "$status" = 137 ] && [ -n "$short" ]; then
    echo "skipped: $suite: not ready in $((limit / 60)) minutes"
  elif [ "$status" != 0 ]; then
    failed+=" $suite"
  fi
done
[ -z "$failed" ] || { echo "failed on:$failed" >&2 && exit 1; }
