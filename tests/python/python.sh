# The module's tests, where there is a Python with NumPy and SciPy; then once more as it is installed, where it finds its library.
set -euo pipefail
if ! "$PYTHON" -c 'import numpy, scipy.sparse' 2>/dev/null; then
  echo "skipped: no python3 with NumPy and SciPy (packages python3-numpy and python3-scipy)"
  exit 77
fi
"$PYTHON" "$(dirname "$0")/test_texla.py"
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$CMAKE" --install "$BINARY" --prefix "$prefix" >"$prefix/log" 2>&1 || { cat "$prefix/log"; exit 1; }
module=$(find "$prefix" -name _queue.py)
env -u TEXLA_LIBRARY PYTHONPATH="${module%/texla/_queue.py}" \
  "$PYTHON" -c 'import texla; assert texla.solve([[2, 1], [1, 3]], [3, 4]).round(9).tolist() == [1, 1]'
