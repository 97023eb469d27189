# tests/systems.sh on a machine that can make no other Debian: it prints the reason and succeeds.
source "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "not root"
unshare -m true 2>/dev/null || skip "no mount namespaces"
git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1 || skip "no repository"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# stub TOOL STATUS: in place of the real one
stub() {
  printf '#!/bin/sh\nexit %s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# skips WHY WHEN
skips() {
  local printed
  printed=$(TEXLA_SYSTEMS=$work/systems PATH=$work/bin:$PATH complaints "$SOURCE/tests/systems.sh" --short nowhere)
  [[ $printed == *"skipped: $1"* && $printed != *" returns "* ]] || check "not skipped when $2" "${printed:-nothing printed}"
}

stub debootstrap 1
skips "nowhere cannot be made" "debootstrap fails"
stub debootstrap 0
skips "nowhere cannot be made" "debootstrap makes nothing"
stub unshare 1
skips "other systems: nothing can be mounted" "nothing can be mounted"
finish
