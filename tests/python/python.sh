# python.sh table|habits|linalg|linalg_table|solvers|doors|texla|doctests: one file of the module's tests, where there is a Python with NumPy and SciPy.
# python.sh installed: the module as it is installed, as a wheel by pip, and from a source distribution. python.sh types: mypy.
set -euo pipefail
here=$(dirname "$0")
skip() {
  echo "skipped: $1"
  exit 77
}
"$PYTHON" -c 'import numpy, scipy.sparse' 2>/dev/null || skip "no python3 with NumPy and SciPy (packages python3-numpy and python3-scipy)"
solves='import texla; assert texla.solve([[2, 1], [1, 3]], [3, 4]).round(9).tolist() == [1, 1]; print(texla.__file__)'
case $1 in
types)
  "$PYTHON" -m mypy --version >/dev/null 2>&1 || skip "no mypy (package mypy)"
  cd "$SOURCE"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  MYPYPATH=python "$PYTHON" -m mypy --config-file pyproject.toml --cache-dir="$work/cache" python/texla
  # what a user's program sees: operators and functions are Arrays, and not Any
  printf '%s\n' 'import texla' 'G = texla.asarray([[1.0]])' 'reveal_type((G + 1)[0] @ G.T)' >"$work/user.py"
  seen=$(cd "$work" && MYPYPATH=$SOURCE/python "$PYTHON" -m mypy --cache-dir=cache user.py)
  echo "$seen"
  grep -q '"texla._array.Array"' <<<"$seen"
  ;;
installed)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  "$CMAKE" --install "$BINARY" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  module=$(find "$work/prefix" -name _queue.py)
  env -u TEXLA_LIBRARY PYTHONPATH="${module%/texla/_queue.py}" "$PYTHON" -c "$solves"
  "$PYTHON" -m pip --version >/dev/null 2>&1 || { echo "no pip (package python3-pip): the wheel was not tried"; exit; }
  # The wheel carries the library that has been built; without TEXLA_LIBRARY it would build one of its own.
  "$PYTHON" -m pip --quiet --disable-pip-version-check install --no-deps --no-index --root-user-action=ignore --target "$work/site" "$SOURCE"
  cd "$work"
  env -u TEXLA_LIBRARY PYTHONPATH="$work/site" "$PYTHON" -c "$solves" | grep -F "$work/site"
  ls "$work"/site/texla/libtexla.so "$work"/site/texla/py.typed
  PYTHONPATH=$SOURCE/python "$PYTHON" -c "import build_backend as b; print(b.build_sdist('$work'))"
  tar xzf "$work"/texla-*.tar.gz -C "$work"
  # One whose library is built from the source distribution needs no GLEW where it is installed.
  wheel=$(env -u TEXLA_LIBRARY PYTHONPATH="$(echo "$work"/texla-*/python)" "$PYTHON" -c "import build_backend as b; print(b.build_wheel('$work'))" | tail -n 1)
  "$PYTHON" -m pip --quiet --disable-pip-version-check install --no-deps --no-index --root-user-action=ignore --target "$work/own" "$work/$wheel"
  env -u TEXLA_LIBRARY PYTHONPATH="$work/own" "$PYTHON" -c "$solves" | grep -F "$work/own"
  needed=$(readelf -d "$work/own/texla/libtexla.so" | grep NEEDED)
  [[ $needed == *libm.so* && $needed != *GLEW* ]] || { echo "needs: $needed"; exit 1; }
  ;;
*)
  # A Python that does nothing is red, too: each file says how much it has tried.
  log=$("$PYTHON" "$here/test_$1.py" 2>&1) || { echo "$log"; exit 1; }
  echo "$log"
  grep -E '^(Ran )?[1-9][0-9]* ' <<<"$log" >/dev/null || { echo "nothing was tried"; exit 1; }
  ;;
esac
