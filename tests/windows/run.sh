#!/usr/bin/env bash
# run.sh BUILD [ARGUMENTS OF CTEST]: the tests of the build for Windows, under Wine on a display of their own; then programs beside
# Linux's on the same driver (programs.sh).
set -uo pipefail
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
for program in wine xvfb-run; do
  command -v "$program" >/dev/null || { echo "skipped: no $program"; exit 77; }
done
export WINEPREFIX=$build/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' LP_NUM_THREADS=0
unset WAYLAND_DISPLAY
# Wine kills a process (status 137) whose threads have not ended a second after it, as on a busy machine, whatever its status was.
export TEXLA_TEST_AGAIN=1
status=0
# the first start makes Wine's folder
xvfb-run -a bash -c '
  wine wineboot -i >/dev/null 2>&1
  "$0/../run.sh" "$@"
  status=$?
  "$0/programs.sh" "$1" || status=1
  exit $status' "$here" "$build" "$@" || status=$?
wineserver -w 2>/dev/null
exit "$status"
