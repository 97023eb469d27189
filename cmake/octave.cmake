# The toolbox for GNU Octave: the gateway texla_mex.mex and the class gpuMatrix in build/octave, where mkoctfile exists.
find_program(MKOCTFILE mkoctfile)
find_program(OCTAVE NAMES octave-cli octave)
if(NOT MKOCTFILE OR CMAKE_CROSSCOMPILING OR TEXLA_SANITIZE OR TEXLA_SANITIZE_THREAD)
  message(STATUS "The toolbox for Octave is not built: it needs mkoctfile (package octave-dev) and no sanitizer")
  return()
endif()
set(octave_folder ${PROJECT_BINARY_DIR}/octave)
execute_process(COMMAND ${MKOCTFILE} -p INCFLAGS OUTPUT_VARIABLE octave_flags OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(REGEX MATCHALL "-I[^ ]+" octave_includes "${octave_flags}")
list(TRANSFORM octave_includes REPLACE "^-I" "")
add_library(texla_mex MODULE src/octave/texla_mex.c)
set_target_properties(texla_mex PROPERTIES PREFIX "" SUFFIX .mex LIBRARY_OUTPUT_DIRECTORY ${octave_folder}
                                           C_VISIBILITY_PRESET default)
target_include_directories(texla_mex SYSTEM PRIVATE ${octave_includes})
target_link_libraries(texla_mex PRIVATE texla_static)

# The m-files: those of inst/ as they are, and one for each line of methods.txt.
file(GLOB_RECURSE files CONFIGURE_DEPENDS src/octave/inst/*.m)
set(octave_arguments -DSOURCE=${PROJECT_SOURCE_DIR}/src/octave -DVERSION=${PROJECT_VERSION}
                     -P ${PROJECT_SOURCE_DIR}/cmake/octave_methods.cmake)
add_custom_command(OUTPUT ${octave_folder}/methods.stamp
  COMMAND ${CMAKE_COMMAND} -DTARGET=${octave_folder} ${octave_arguments}
  COMMAND ${CMAKE_COMMAND} -E touch ${octave_folder}/methods.stamp
  DEPENDS ${files} src/octave/methods.txt cmake/octave_methods.cmake COMMENT "Writing the class gpuMatrix")
add_custom_target(texla_octave ALL DEPENDS ${octave_folder}/methods.stamp)

# The package: pkg install builds the gateway again, with an installed texla (pkg-config).
set(package texla-${PROJECT_VERSION})
add_custom_target(octave_package
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${package}
  COMMAND ${CMAKE_COMMAND} -DTARGET=${PROJECT_BINARY_DIR}/${package}/inst -DPACKAGE=${PROJECT_BINARY_DIR}/${package}
          -DLICENSE=${PROJECT_SOURCE_DIR}/LICENSE ${octave_arguments}
  COMMAND ${CMAKE_COMMAND} -E tar czf ${package}.tar.gz ${package}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${package}
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMENT "Packing ${package}.tar.gz")
