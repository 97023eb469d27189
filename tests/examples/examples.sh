# The examples as a user gets them: installed, copied elsewhere, built as a project of their own, run.
source "$(dirname "$0")/../cli/common.sh"
unset MAKEFLAGS MAKELEVEL
"$CMAKE" --install "$BINARY" --prefix "$work/prefix" >"$log/out" 2>"$log/err" || fail 'cmake --install'
folder=$(find "$work/prefix" -type d -path '*texla/examples' | head -n 1)
[ -n "$folder" ] || { fail 'no examples are installed'; finish; }
cp -r "$folder" project
"$CMAKE" -S project -B built -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS -Wall -Wextra -Werror" \
  -DCMAKE_EXE_LINKER_FLAGS="$LDFLAGS" >"$log/out" 2>"$log/err" && "$CMAKE" --build built >>"$log/out" 2>>"$log/err" ||
  { fail 'the examples do not build'; finish; }
export LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name 'libtexla.so' | head -n 1)")

# run NAME ARGUMENTS...
run() {
  "built/$1" "${@:2}" >"$log/out" 2>"$log/err" || fail "$1 returns $?"
}
expect 0 gen poisson2d 20 --out A.mtx
run solve A.mtx
prints '^converged by .* = [0-9.]+e-1[2-9]$'
"$TEXLA" gen poisson2d 20 >B.mtx
built/solve A.mtx B.mtx >"$log/out" 2>"$log/err" && fail 'a matrix was taken for a right-hand side'
complains 'B.mtx is 400 x 400'
run own_kernel
[ "$(tr -cd '#' <"$log/out" | wc -c)" -eq 5 ] || fail 'the glider has not five cells'
[ "$(sed -n 8p "$log/out")" = '......#.........' ] || fail 'the glider is elsewhere'
run shell_operator
prints '^converged after [0-9]+ iterations, max \|x - 1\| = [0-9.]+e-0[4-9]$'
run share_batch 48 7 --software
prints '^t_GPU [0-9.]+ ms, t_CPU [0-9.]+ ms a task, ratio ceil.* = [1-9][0-9]*$'
prints '^7 tasks of order 48: [1-6] by the device, [1-6] by the processor: '
prints '^max .P A - L U. = [0-9.]+e-0[5-8]$'
if [ -x built/mpi_wave ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 LP_NUM_THREADS=0
  for ranks in 1 3; do
    mpirun -np $ranks built/mpi_wave 48 40 30 >"$log/ranks$ranks" 2>"$log/err" || fail "mpi_wave on $ranks ranks returns $?"
  done
  cmp -s "$log/ranks1" "$log/ranks3" && grep -q '^largest height 0[.][0-9]*[1-9]' "$log/ranks1" || fail "mpi_wave differs: $(cat "$log"/ranks?)"
fi
[ -x built/adopt_window ] && command -v xvfb-run >/dev/null && command -v xauth >/dev/null || { echo "no GLFW, xvfb-run or xauth: adopt_window was not run"; finish; }
env -u WAYLAND_DISPLAY -u TEXLA_DEVICE xvfb-run -a built/adopt_window 20 >"$log/out" 2>"$log/err" || fail "adopt_window returns $?"
prints '^0 read-backs$'
finish
