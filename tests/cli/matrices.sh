# texla solve on real matrices, where the shared data is at hand.
source "$(dirname "$0")/common.sh"
data=${TEXLA_DATA_DIR:-$SOURCE/../shared/data}/matrices
[ -d "$data" ] || skip "no $data"

# solves NAME ARGUMENTS: converged, and so says the residual
solves() {
  local name=$1
  shift
  [ -r "$data/$name.mtx" ] || return 0
  expect 0 solve "$data/$name.mtx" --json "$@"
  equals reason '"converged"'
  below "$(json residual)" 1.0000001e-6 || fail "$name: the residual is $(json residual)"
}
solves bcsstk01 --precond jacobi
solves nos3
solves 494_bus --precond jacobi
solves bcsstk03 --precond jacobi
solves Trefethen_500 --precond jacobi
solves mesh1e1

# every file of the folder is solved, not converged, or refused with a message; nothing crashes. In the short form every second one.
every=2
whole && every=1
files=("$data"/*.mtx)
for ((k = 0; k < ${#files[@]}; k += every)); do
  file=${files[k]}
  texla solve "$file" --precond jacobi --max-iter 20 --json --out x.mtx
  case $status in
  0 | 1) [ -n "$(json reason)" ] || fail "$file: no report" ;;
  2) complains '^texla solve: ' && silent out "$file" ;;
  *) fail "texla solve $file returned $status" ;;
  esac
done
finish
