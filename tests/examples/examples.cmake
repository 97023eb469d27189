# examples/, installed and built as a project of its own.
if(TARGET texla_cli)
  texla_script(examples/examples OPTIONAL ENVIRONMENT SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR} CC=${CMAKE_C_COMPILER}
               CMAKE=${CMAKE_COMMAND} TEXLA=$<TARGET_FILE:texla_cli> "CFLAGS=${CMAKE_C_FLAGS}" "LDFLAGS=${CMAKE_EXE_LINKER_FLAGS}")
endif()
