# The demos as a user runs them, without a display and in a window: shell scripts that say what is wrong and return 77 to
# be skipped.
if(TARGET wave)
  find_program(BASH bash REQUIRED)
  set(demos_environment TEXLA=$<TARGET_FILE:wave>)
  if(TEXLA_SANITIZE)
    list(APPEND demos_environment TEXLA_DEVICE=llvmpipe)
  endif()
  foreach(name wave wave_window)
    add_test(NAME demos/${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/demos/${name}.sh)
    set_tests_properties(demos/${name} PROPERTIES LABELS demos TIMEOUT 300 SKIP_RETURN_CODE 77
                                                  ENVIRONMENT "${demos_environment}")
  endforeach()
endif()
