# examples/, installed and built as a project of its own.
if(TARGET texla_cli)
  add_test(NAME examples/examples COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/examples/examples.sh)
  set_tests_properties(examples/examples PROPERTIES LABELS examples TIMEOUT 1200 SKIP_RETURN_CODE 77 ENVIRONMENT
    "SOURCE=${PROJECT_SOURCE_DIR};BINARY=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER};CMAKE=${CMAKE_COMMAND};TEXLA=$<TARGET_FILE:texla_cli>;CFLAGS=${CMAKE_C_FLAGS};LDFLAGS=${CMAKE_EXE_LINKER_FLAGS}")
endif()
