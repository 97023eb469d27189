# The toolbox in a real Octave: each script prints what is wrong; skipped, with a word about it, where the toolbox was not built.
foreach(name elementwise indexing algebra factors solvers background errors flat interrupt ends matlab package)
  add_test(NAME octave/${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/octave/octave.sh ${name})
  set_tests_properties(octave/${name} PROPERTIES LABELS octave TIMEOUT 1200 SKIP_RETURN_CODE 77
    ENVIRONMENT "OCTAVE=${OCTAVE};CC=${CMAKE_C_COMPILER};TOOLBOX=${PROJECT_BINARY_DIR}/octave;SOURCE=${PROJECT_SOURCE_DIR};BINARY=${PROJECT_BINARY_DIR};CMAKE=${CMAKE_COMMAND};VERSION=${PROJECT_VERSION}")
endforeach()
