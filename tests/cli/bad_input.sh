# texla solve with files that cannot be solved, read or written: status 2, a message, nothing written.
source "$(dirname "$0")/common.sh"
head='%%MatrixMarket matrix coordinate real general'
"$TEXLA" gen poisson2d 4 --out good.mtx || fail 'gen'
echo precious >x.mtx

# wrong REGEX TEXT: the file bad.mtx holds TEXT (printf's escapes), given as the matrix and on standard input
wrong() {
  printf -- "${2//%/%%}" >bad.mtx
  refuses "bad\\.mtx.*$1" solve bad.mtx --json --out x.mtx --history h.csv
  refuses "standard input.*$1" solve - --json --out x.mtx --history h.csv <bad.mtx
}

wrong ': the file is empty; a Matrix Market file begins with' ''
! grep -q ':0:' "$log/err" || fail 'there is no line 0'
wrong 'not a Matrix Market file' 'hello\n'
wrong 'not a Matrix Market file' '\n\n'
wrong ':1: ' '\377\376\375\001\002\003\n\200\n'
wrong 'a zero byte' "$head\n3 3 1\n\000\000\000"
wrong 'header must be' '%%MatrixMarket matrix\n'
wrong "unknown word 'coordinates'" '%%MatrixMarket matrix coordinates real general\n1 1 1\n1 1 1\n'
wrong 'complex matrices are not supported' '%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n'
wrong 'hermitian matrices are not supported' '%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n'
wrong 'ends before the line with the sizes' "$head\n% nothing else\n"
wrong 'the number of entries is missing' "$head\n3 3\n"
wrong 'the sizes must be positive' "$head\n0 0 0\n"
wrong 'the sizes must be positive' "$head\n-3 3 1\n1 1 1\n"
wrong 'more than 2147483647 rows' "$head\n2147483648 2147483648 1\n1 1 1\n"
wrong 'more than 2147483647 rows' "$head\n99999999999999999999 99999999999999999999 1\n1 1 1\n"
wrong 'ends after 2 of 3 entries' "$head\n3 3 3\n1 1 1\n2 2 1\n"
wrong 'ends after 0 of 9223372036854775807 entries' "$head\n3 3 9223372036854775807\n"
wrong 'ends after 1 of 1000000000000 entries' '%%MatrixMarket matrix array real general\n1000000 1000000\n1\n'
wrong ':3: the value is missing' "$head\n3 3 3\n1 1"
wrong 'more data than the 1 entries' "$head\n2 2 1\n1 1 1\n2 2 1\n"
wrong ':4: row 4 is outside 1\.\.3' "$head\n3 3 2\n1 1 1\n4 1 1\n"
wrong 'row 0 is outside 1\.\.3' "$head\n3 3 1\n0 1 1\n"
wrong 'column 4294967297 is outside 1\.\.3' "$head\n3 3 1\n1 4294967297 1\n"
wrong "row is not a[a-z ]+: 'one" "$head\n3 3 1\none 1 1\n"
wrong "value is not a number: '1,5'" "$head\n3 3 1\n1 1 1,5\n"
wrong "unexpected text: '7'" "$head\n3 3 1\n1 1 1 7\n"
for value in NaN -nan inf -Infinity 1e400 -1e999999999999; do
  wrong ':3: the value is NaN, infinite or overflows' "$head\n1 1 1\n1 1 $value\n"
done
wrong 'above the diagonal' '%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 1\n'
wrong 'symmetric matrix cannot be 2 x 3' '%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n'

# What no solver can take.
printf "${head//%/%%}\n3 5 1\n1 1 1\n" >wide.mtx
refuses 'wide\.mtx is 3 x 5: only square.*texla lsq' solve wide.mtx --out x.mtx
printf "${head//%/%%}\n2 2 3\n1 1 2\n2 2 2\n1 2 1\n" >skewed.mtx
refuses 'not symmetric, but conjugate gradients need.*--solver auto' solve skewed.mtx --out x.mtx
expect 0 solve skewed.mtx --solver auto
TEXLA_SHADER_DIR=. refuses "folder of shaders '\\.' \\(TEXLA_SHADER_DIR\\) has none.*name a copy of shaders/" solve good.mtx --out x.mtx
TEXLA_SHADER_DIR=shader refuses "folder of shaders 'shader'.*TEXLA_SHADER_DIR" solve good.mtx --out x.mtx
printf "${head//%/%%}\n1 1 1\n1 1 1e300\n" >huge.mtx
expect 0 solve huge.mtx # scaling brings it into single precision
printf "${head//%/%%}\n2147483647 2147483647 1\n1 1 1\n" >endless.mtx
refuses 'A is 2147483647 x 2147483647 but has 1 entries: most of its rows are zero' solve endless.mtx --out x.mtx

# Right-hand sides.
array='%%MatrixMarket matrix array real general'
printf "${array//%/%%}\n3 1\n1\n2\n3\n" >b.mtx
refuses 'b\.mtx is 3 x 1, but good\.mtx has 16 rows: a right-hand side is a column of 16' solve good.mtx --rhs b.mtx --out x.mtx
printf "${array//%/%%}\n4 4\n$(printf '1\\n%.0s' {1..16})" >b.mtx
refuses 'b\.mtx is 4 x 4, but good\.mtx has 16 rows' solve good.mtx --rhs b.mtx --out x.mtx
printf "${array//%/%%}\n2 16\n$(printf '1\\n%.0s' {1..32})" >b.mtx
refuses 'b\.mtx is 2 x 16, but good\.mtx has 16 rows' solve good.mtx --rhs b.mtx --out x.mtx
printf "${array//%/%%}\n16 1\n$(printf '1\\n%.0s' {1..15})nan\n" >b.mtx
refuses 'b\.mtx:18: the value is NaN' solve good.mtx --rhs b.mtx --out x.mtx
printf "${array//%/%%}\n16 1\n1\n" >b.mtx
refuses 'b\.mtx:.*ends after 1 of 16' solve good.mtx --rhs b.mtx --out x.mtx
refuses 'cannot open none\.mtx: No such file' solve good.mtx --rhs none.mtx --out x.mtx
refuses 'can come from standard input' solve - --rhs - --out x.mtx <good.mtx

# Paths.
refuses 'cannot open none\.mtx: No such file' solve none.mtx --out x.mtx
refuses 'solve: \.: cannot read: Is a directory' solve . --out x.mtx
refuses 'Is a directory' solve good.mtx --rhs . --out x.mtx
refuses 'cannot write none/x\.mtx: No such file' solve good.mtx --out none/x.mtx
refuses 'cannot write none/h\.csv: No such file' solve good.mtx --out x.mtx --history none/h.csv
refuses 'cannot write \.: Is a directory' solve good.mtx --out .
refuses 'the same file: x.mtx and x.mtx' solve good.mtx --out x.mtx --history x.mtx
refuses 'the same file: x.mtx and ./x.mtx' solve good.mtx --out x.mtx --history ./x.mtx
refuses 'holds the JSON object alone' solve good.mtx --json --out -
refuses 'holds the JSON object alone' solve good.mtx --json --history -
refuses '--precond is for --solver cg' solve good.mtx --solver jacobi --precond jacobi
refuses '--precond is for --solver cg' solve good.mtx --solver amg --precond jacobi
refuses '--restart is for --solver gmres' solve good.mtx --restart 10
refuses '--cycle and --host-levels are for' solve good.mtx --cycle w
refuses 'grid of 3 x 5 does not fit the 16 x 16 matrix' solve good.mtx --grid 3x5
[ "$(cat x.mtx)" = precious ] || fail 'a failed run touched its output'
if [ "$(id -u)" -ne 0 ]; then
  touch secret.mtx sealed.mtx
  chmod 0 secret.mtx
  chmod 444 sealed.mtx
  refuses 'cannot open secret\.mtx: Permission denied' solve secret.mtx
  refuses 'cannot write sealed\.mtx: Permission denied' solve good.mtx --out sealed.mtx
fi
if full=$(full_device); then
  refuses 'No space left' solve good.mtx --out "$full" --history h.csv
  refuses 'No space left' solve good.mtx --out new.mtx --history "$full"
  "$TEXLA" solve good.mtx >"$full" 2>"$log/err"
  [ $? -eq 2 ] || fail 'a full standard output went unnoticed'
  complains 'writing standard output failed: No space left'
fi
refuses 'unknown device "gpu"' solve good.mtx --device gpu --out x.mtx
[ "$(cat x.mtx)" = precious ] || fail 'a failed run touched its output'
finish
