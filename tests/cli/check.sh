# texla check: the report of a device that is right; a broken shader makes each group of cases wrong.
source "$(dirname "$0")/common.sh"

expect 0 check
prints '^texla check [0-9.]+ on [A-Za-z]+ [a-z0-9_]+, [0-9]+ processors$'
for line in vendor renderer version reached 'limits +textures [0-9]+, targets [0-9]+' 'Measured:'; do
  prints "^$line"
done
prints '^ trait\.'
silent err 'check'
groups=$(sed -nE 's/^([a-z-]+) +[0-9]+ right, 0 not here, 0 wrong$/\1/p' "$log/out")
[ "$(wc -w <<<"$groups")" -eq 11 ] || fail "eleven groups, but right are: $groups"
cases=$(sed -nE 's/^all +([0-9]+) right, 0 not here, 0 wrong, in [0-9.]+ s$/\1/p' "$log/out")
[ "${cases:-0}" -ge 300 ] || fail "$cases cases are right, not some hundred"
for name in "$(uname -n)" "$(id -un)" "$HOME" /; do
  ! grep -qF -- " $name" "$log/out" || fail "the report names $name"
done
for group in $groups; do
  "$TEXLA" check --help | grep -qw -- "$group" || fail "the help does not name the group $group"
done
ls "$XDG_CACHE_HOME"/texla/*.tuning >/dev/null 2>&1 && fail 'texla check writes into the cache of tuning'
refuses "unknown group 'nothing'" check --only nothing

# broken GROUP SHADER EXPRESSION: with the shader edited so, the first wrong number is reported
export TEXLA_SHADER_DIR=$work/mine
broken() {
  rm -rf mine
  cp -r "$SOURCE/shaders" mine
  sed -i "$3" "mine/$2"
  ! cmp -s "$SOURCE/shaders/$2" "mine/$2" || fail "$2 has nothing to break by $3"
  expect 1 check --only "$1"
  prints "^$1 +[0-9]+ right, 0 not here, [1-9][0-9]* wrong$"
  ! grep -qF "$work" "$log/out" || fail 'the report has a path'
}
wrong='^wrong: [^:]+: number [0-9]+ is [-+.e0-9]+, wanted [-+.e0-9]+ \(within [-+.e0-9]+\)$'
while read -r group shader expression; do
  broken "$group" "$shader" "$expression"
  prints "$wrong"
done <<'END'
operators vector/add.frag s/texel(x) +/texel(x) -/
reductions vector/reduce.frag s/partial = total/partial = 1.1 * total/
matrices matrix/csr.frag s/combined(sum)/combined(1.01 * sum)/
products dense/product.frag s/= sum\[t\]/= 1.01 * sum[t]/
plu dense/triangular.frag s/= solveBlock/= 1.01 * solveBlock/
cholesky dense/triangular.frag s/= solveBlock/= 1.01 * solveBlock/
solvers krylov/cg_merged.frag s/solution + alpha/solution + 1.1 * alpha/
multigrid multigrid/grid_prolong.frag s/+ interpolated/- interpolated/
double-float vector/double_add.frag s/z_low = sum.lo/z_low = vec4(0.)/
waves matrix/banded.frag s/start + SUM/start + 1.01 * (SUM)/
flows sim/flow_predict.frag s/rates.z \*/1.1 * rates.z */
END
broken operators vector/add.frag 's/texel(x) +/texel(x) !/' # does not compile
prints '^wrong: axpy, .*add\.frag:8'
finish
