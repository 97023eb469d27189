# The demos as a user runs them, without a display and in a window: shell scripts that say what is wrong and return 77 to
# be skipped.
find_program(BASH bash REQUIRED)
target_sources(test_demos_streams PRIVATE ${PROJECT_SOURCE_DIR}/demos/common/streams.c) # not of the library
target_include_directories(test_demos_streams PRIVATE ${PROJECT_SOURCE_DIR}/demos)
add_library(texla_drop MODULE faults/drop.c) # between a program and OpenGL
target_link_libraries(texla_drop PRIVATE OpenGL::OpenGL ${CMAKE_DL_LIBS})
foreach(program wave navier-stokes shallow-water lab interior-point)
  if(NOT TARGET ${program})
    continue()
  endif()
  set(demos_environment SOURCE=${PROJECT_SOURCE_DIR} TEXLA=$<TARGET_FILE:${program}> WAVE=$<TARGET_FILE:wave>)
  if(TEXLA_SANITIZE)
    list(APPEND demos_environment TEXLA_DEVICE=llvmpipe)
  endif()
  if(NOT TEXLA_SANITIZE AND NOT program STREQUAL interior-point) # it makes no pictures; AddressSanitizer wants to be the first library
    foreach(name lost starved)
      add_test(NAME demos/${program}_${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/demos/${name}.sh)
      set_tests_properties(demos/${program}_${name} PROPERTIES LABELS demos TIMEOUT 1200 ENVIRONMENT
        "${demos_environment};DROP=$<TARGET_FILE:texla_drop>;STARVE=$<TARGET_FILE:texla_starve>")
    endforeach()
  endif()
  string(REPLACE - _ script ${program})
  file(GLOB scripts RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/demos CONFIGURE_DEPENDS demos/${script}*.sh)
  foreach(file IN LISTS scripts)
    string(REPLACE .sh "" name ${file})
    add_test(NAME demos/${name} COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/demos/${name}.sh)
    set_tests_properties(demos/${name} PROPERTIES LABELS demos TIMEOUT 1200 SKIP_RETURN_CODE 77
                                                  ENVIRONMENT "${demos_environment}")
  endforeach()
endforeach()
