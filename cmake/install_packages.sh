#!/usr/bin/env bash
# install_packages.sh [LIST...]: installs what is missing from packages.txt, or from the lists beside it that are named, with
# apt-get (Debian, Ubuntu); elsewhere names what is missing and stops. Does nothing when all is there, or when
# TEXLA_SKIP_PACKAGES is set. Never asks a question.
set -euo pipefail
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- packages.txt
lists=("$@")

# is_there MANAGER PACKAGE
is_there() {
  case $1 in
    apt) [ "$(dpkg-query -W -f='${db:Status-Status}' "$2" 2>/dev/null)" = installed ] ;;
    dnf) rpm -q --whatprovides "$2" >/dev/null 2>&1 ;;
    pacman) pacman -T "$2" >/dev/null 2>&1 ;;
    brew) brew list --versions "$2" >/dev/null 2>&1 ;;
  esac
}

# missing MANAGER COLUMN: the packages of that column which are not installed, on one line
missing() {
  local package names=()
  for package in $(awk -v column="$2" '!/^#/ && $column != "-" && !seen[$column]++ { print $column }' "${lists[@]}"); do
    is_there "$1" "$package" || names+=("$package")
  done
  echo "${names[*]}"
}

apt_install() {
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    root=(sudo)
    [ -t 0 ] || root+=(-n) # nobody there to type a password
    command -v sudo >/dev/null || return 1
  fi
  echo "Installing $*"
  local get=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  # The package lists may be absent (fresh image) or stale: fetch them only if the first try fails.
  "${get[@]}" install -y --no-install-recommends "$@" >/dev/null 2>&1 </dev/null && return
  "${get[@]}" update </dev/null && "${get[@]}" install -y --no-install-recommends "$@" >/dev/null </dev/null
}

# stop COMMAND: what to do by hand
stop() {
  echo "Some packages are missing. Install them, then run make again:" >&2
  echo "  $1" >&2
  echo "(or set TEXLA_SKIP_PACKAGES=1 to go on without them)" >&2
  exit 1
}

[ -z "${TEXLA_SKIP_PACKAGES:-}" ] || exit 0
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  names=$(missing apt 1)
  # shellcheck disable=SC2086 # a list of words
  [ -z "$names" ] || apt_install $names || stop "sudo apt-get update && sudo apt-get install $names"
elif command -v dnf >/dev/null; then
  names=$(missing dnf 2)
  [ -z "$names" ] || stop "sudo dnf install $names"
elif command -v pacman >/dev/null; then
  names=$(missing pacman 3)
  [ -z "$names" ] || stop "sudo pacman -S --needed $names"
elif command -v brew >/dev/null; then
  names=$(missing brew 4)
  [ -z "$names" ] || stop "brew install $names"
else
  echo "Unknown package manager; texla needs the equivalents of these Debian packages:" >&2
  echo "  $(awk '!/^#/ { print $1 }' "${lists[@]}" | tr '\n' ' ')" >&2
fi
