# How it ends: exit with work pending, clear all, a locked MEX file, errors on the way; each Octave ends by itself with status 0, and
# at the end of a process nothing of OpenGL is taken down any more.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/watch.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
static void tell(const char *text, long n) {
  if (write(2, text, (size_t)n) < 0)
    _exit(9);
}
unsigned eglDestroyContext(void *display, void *context) {
  tell("eglDestroyContext\n", 18);
  return ((unsigned (*)(void *, void *))dlsym(RTLD_NEXT, "eglDestroyContext"))(display, context);
}
void glDeleteTextures(int n, const unsigned *names) {
  if (getpid() == (int)syscall(SYS_gettid)) /* the worker may finish its operation */
    tell("glDeleteTextures\n", 17);
  ((void (*)(int, const unsigned *))dlsym(RTLD_NEXT, "glDeleteTextures"))(n, names);
}
C
"$CC" -shared -fPIC -o "$work/watch.so" "$work/watch.c"

# run COMMANDS: their output, and what is called of OpenGL's functions that take something down.
run() {
  status=0
  LD_PRELOAD="$work/watch.so" timeout 120 "$OCTAVE" --norc --no-gui --quiet --eval "addpath ('$TOOLBOX'); $1" >"$work/log" 2>&1 || status=$?
  if [ "$status" -ne 0 ] || ! grep -qx 'the end' "$work/log" || grep -qi 'panic\|fatal\|segmentation\|abort' "$work/log"; then
    cat "$work/log"
    echo "status $status: $1"
    exit 1
  fi
}
quiet() {
  if grep -q 'eglDestroyContext\|glDeleteTextures' "$work/log"; then
    cat "$work/log"
    echo "calls of OpenGL at the end of: $1"
    exit 1
  fi
}
# What Octave itself says of errors that were caught when it ends with --eval does not count.
said() {
  grep -v 'eglD\|glD\|while preparing to exit' "$work/log" | diff <(printf "$1") -
}

run "A = gpuMatrix (1); texla_mex ('stop'); disp ('the end')"
grep -q eglDestroyContext "$work/log" || { echo "the test does not see calls of OpenGL"; exit 1; }
pending="A = gpuMatrix (rand (400)); for k = 1:50, A = A * A; end;"
for last in "" "exit (0);" "read (A); gpuhold (true); exit (0);" "clear A; exit (0);"; do
  run "$pending disp ('the end'); $last"
  quiet "$last"
done
run "$pending gpuhold (true); B = A + 1; clear all; disp (mislocked ('texla_mex')); clear -f texla_mex;
     gpuhold (false); gpudrain (); s = gpustats (); disp (s.values + s.queued);
     x = double (gpuMatrix ([1 2; 3 4]) * [1; 1]); disp (x'); disp ('the end')"
quiet 'clear all'
said '1\n0\n   3   7\nthe end\n'
# Each inverse of a singular matrix warns, as Octave's own does.
run "warning ('off', 'all'); A = gpuMatrix (ones (3)); before = gpustats ().values;
     for k = 1:50, try, B = inv (A) + 1; C = B * A; double (C); catch, end, try, A * ones (4); catch, end, end, clear B C; gpudrain ();
     disp (gpustats ().values - before); gpudevice ('auto'); disp (double (gpuMatrix (2) + 1)); texla_mex ('stop'); disp (mislocked ('texla_mex'));
     disp ('the end')"
said '0\n3\n0\nthe end\n'
echo "all is well"
