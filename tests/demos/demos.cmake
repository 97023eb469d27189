# The demos as a user runs them, without a display and in a window: shell scripts that say what is wrong and return 77 to
# be skipped.
find_program(BASH bash REQUIRED)
foreach(program wave navier-stokes)
  if(NOT TARGET ${program})
    continue()
  endif()
  set(demos_environment TEXLA=$<TARGET_FILE:${program}>)
  if(TEXLA_SANITIZE)
    list(APPEND demos_environment TEXLA_DEVICE=llvmpipe)
  endif()
  string(REPLACE - _ script ${program})
  foreach(name ${script} ${script}_window)
    add_test(NAME demos/${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/demos/${name}.sh)
    set_tests_properties(demos/${name} PROPERTIES LABELS demos TIMEOUT 300 SKIP_RETURN_CODE 77
                                                  ENVIRONMENT "${demos_environment}")
  endforeach()
endforeach()
