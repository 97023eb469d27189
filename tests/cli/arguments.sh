# The argument parser: help, versions, and every way to get an option wrong.
source "$(dirname "$0")/common.sh"
version=$(sed -nE 's/.*TEXLA_VERSION "(.*)"/\1/p' "$SOURCE/include/texla/version.h")

for command in '' solve multiply factor lsq tridiag gen info check bench; do
  expect 0 $command --help
  prints "^Usage: texla ?$command"
  silent err "$command --help"
  [ "$command" = bench ] || [ "$(awk 'length > 80' "$log/out")" = '' ] || fail "texla $command --help is wider than 80 columns"
  cp "$log/out" "$log/help"
  expect 0 help $command
  cmp -s "$log/out" "$log/help" || fail "texla help $command differs from texla $command --help"
  expect 0 $command -h
  cmp -s "$log/out" "$log/help" || fail "texla $command -h differs from texla $command --help"
  expect 0 $command --version
  prints "^texla ${version//./\\.}\$"
done
for command in solve multiply factor lsq tridiag gen info check bench; do
  expect 0 $command --help
  for option in device quiet verbose tuning version help; do
    prints "^  --$option"
  done
done

refuses 'a command is missing: solve, multiply, factor, lsq, tridiag, gen, info, check or bench$'
refuses "unknown command 'slove'; did you mean 'solve'" slove
refuses "unknown command 'xyzzy'$" xyzzy
refuses "unknown command 'sovle'; did you mean" help sovle
refuses "unexpected argument 'more'" help solve more
refuses "unknown option '--frobnicate'$" --frobnicate

"$TEXLA" gen poisson2d 4 --out A.mtx || fail 'gen'
expect 0 --tol 1e-3 --quiet solve A.mtx # options before the command
refuses "unknown option '--tolerance'; did you mean '--tol'" --tolerance 1e-3 solve A.mtx
refuses "unknown option '--tolerance'; did you mean '--tol'" solve A.mtx --tolerance 1e-3
refuses "unknown option '--tolerance'; did you mean '--tol'" solve A.mtx --tolerance=1e-3
refuses "unknown option '-out'; did you mean '--out'" solve A.mtx -out x.mtx
refuses "unknown option '--vrebose'; did you mean '--verbose'" solve A.mtx --vrebose
refuses "unknown option '--xyzzy'$" solve A.mtx --xyzzy
refuses "unknown option '-x'$" solve A.mtx -x
refuses "unknown option '--$(printf 'x%.0s' {1..300})'$" solve A.mtx "--$(printf 'x%.0s' {1..300})"
refuses '--tol needs a value: --tol T' solve A.mtx --tol
refuses '--rhs needs a value: --rhs b.mtx' solve A.mtx --rhs --json
refuses "--out must be not empty, not ''" solve A.mtx --out=
refuses "--json takes no value, but got 'yes'" solve A.mtx --json=yes
refuses 'an argument is missing: texla solve A.mtx' solve
refuses "unexpected argument 'b.mtx'" solve A.mtx b.mtx
refuses "unexpected argument 'x'" info x
refuses '--quiet and --verbose exclude each other' solve A.mtx --quiet --verbose

for value in abc '' 1e-6x 0x1p-3 0 -1 1 1e400 -1e-400 nan inf '1 '; do
  refuses '--tol must be' solve A.mtx "--tol=$value"
done
for value in abc '' 0 -5 1.5 1e3 12x 9223372036854775807 9223372036854775808 99999999999999999999999 '5 '; do
  refuses '--max-iter must be an integer' solve A.mtx "--max-iter=$value"
done
refuses '--solver must be one of cg, jacobi, bicgstab, gmres, mg, amg, auto, plu, cholesky, not' solve A.mtx --solver multi
refuses '--precond must be one of none, jacobi, chebyshev, mg, amg, ilu0, ic0, not' solve A.mtx --precond=
refuses '--storage must be one of auto, dense, banded, points, csr, slots, not' solve A.mtx --storage CSR
for value in 8 8x 8x8x8 x8 0x8 8x-1 8x8.5 99999999999x1 ''; do
  refuses '--grid must be two positive integers' gen poisson2d "--grid=$value"
done

expect 0 gen poisson2d 3 --out x.mtx --out=y.mtx # the last one counts
[ ! -e x.mtx ] && [ -s y.mtx ] || fail '--out twice'
expect 0 gen banded 5 -1 0 +1 # negative numbers are arguments
expect 0 gen --out=- -- banded 5 -1 0 1
refuses "unknown kind '--out'" gen -- --out
finish
