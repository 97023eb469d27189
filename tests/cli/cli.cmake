# The texla program as a user runs it: shell scripts that say what is wrong and return 77 to be skipped.
if(TARGET texla_cli)
  set(cli_environment SOURCE=${PROJECT_SOURCE_DIR} TEXLA=$<TARGET_FILE:texla_cli>)
  foreach(name arguments gen info check memory bad_input solve multiply factor lsq matrices interrupt bench tridiag manual full_cache hostile)
    texla_script(cli/${name} ENVIRONMENT ${cli_environment})
  endforeach()
  if(NOT TEXLA_SANITIZE) # AddressSanitizer wants to be the first library
    texla_script(cli/faults ENVIRONMENT ${cli_environment} STARVE=$<TARGET_FILE:texla_starve>)
    texla_script(cli/bench_whole SCRIPT cli/bench.sh OPTIONAL ENVIRONMENT ${cli_environment} TEXLA_TEST_LEVEL=long)
  endif()
endif()
