# The Python module over the shared library; skipped where the interpreter has no NumPy or SciPy. /usr/bin first: the packages of
# packages-all.txt are for the system's Python.
find_program(PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(PYTHON python3)
foreach(name texla habits table linalg linalg_table solvers doors doctests installed types)
  texla_script(python/${name} OPTIONAL SCRIPT "python/python.sh ${name}" ENVIRONMENT PYTHON=${PYTHON} PYTHONPATH=${PROJECT_SOURCE_DIR}/python
               PYTHONDONTWRITEBYTECODE=1 TEXLA_LIBRARY=$<TARGET_FILE:texla> CMAKE=${CMAKE_COMMAND} BINARY=${PROJECT_BINARY_DIR}
               SOURCE=${PROJECT_SOURCE_DIR})
endforeach()
