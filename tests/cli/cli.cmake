# The texla program as a user runs it: shell scripts that say what is wrong and return 77 to be skipped.
if(TARGET texla_cli)
  find_program(BASH bash REQUIRED)
  set(cli_environment SOURCE=${PROJECT_SOURCE_DIR} TEXLA=$<TARGET_FILE:texla_cli>)
  if(TEXLA_SANITIZE)
    list(APPEND cli_environment TEXLA_DEVICE=llvmpipe)
  endif()
  foreach(name arguments gen info memory bad_input solve multiply factor lsq matrices interrupt bench crout tridiag manual)
    add_test(NAME cli/${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/cli/${name}.sh)
    set_tests_properties(cli/${name} PROPERTIES LABELS cli TIMEOUT 1200 SKIP_RETURN_CODE 77
                                                ENVIRONMENT "${cli_environment}")
  endforeach()
  if(NOT TEXLA_SANITIZE) # AddressSanitizer wants to be the first library
    add_test(NAME cli/faults COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/cli/faults.sh)
    set_tests_properties(cli/faults PROPERTIES LABELS cli TIMEOUT 1200 ENVIRONMENT "${cli_environment};STARVE=$<TARGET_FILE:texla_starve>")
  endif()
  set_tests_properties(cli/crout PROPERTIES TIMEOUT 1200) # a browser starts
endif()
