"""The examples in the module's docstrings."""
import doctest
import importlib
import sys

failed = ran = 0
for name in ("texla", "texla._library", "texla._queue", "texla._array", "texla._functions", "texla.linalg", "texla.sparse.linalg"):
    result = doctest.testmod(importlib.import_module(name))
    failed, ran = failed + result.failed, ran + result.attempted
print(f"{ran} examples, {failed} failed")
sys.exit(failed > 0 or ran < 20)
