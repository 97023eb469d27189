# The toolbox in a real Octave: each script prints what is wrong; skipped, with a word about it, where the toolbox was not built.
set(octave_faults ${PROJECT_BINARY_DIR}/tests/octave)
if(TARGET texla_mex) # the gateway, with functions between it and what it calls
  add_library(texla_mex_faults MODULE octave/faults.c)
  set_target_properties(texla_mex_faults PROPERTIES PREFIX "" SUFFIX .mex OUTPUT_NAME texla_mex C_VISIBILITY_PRESET default
                                                    LIBRARY_OUTPUT_DIRECTORY ${octave_faults})
  target_include_directories(texla_mex_faults SYSTEM PRIVATE ${octave_includes})
  target_link_libraries(texla_mex_faults PRIVATE test_common)
  foreach(function IN LISTS wrap_faults_memory wrap_faults_opengl)
    target_link_options(texla_mex_faults PRIVATE -Wl,--wrap=${function})
  endforeach()
endif()
foreach(name examples accuracy sparsity table elementwise indexing algebra factors solvers doors background share errors faults flat interrupt ends matlab package)
  texla_script(octave/${name} OPTIONAL SCRIPT "octave/octave.sh ${name}" ENVIRONMENT OCTAVE=${OCTAVE} FAULTS=${octave_faults}
               CC=${CMAKE_C_COMPILER} TOOLBOX=${PROJECT_BINARY_DIR}/octave SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR}
               CMAKE=${CMAKE_COMMAND} VERSION=${PROJECT_VERSION})
endforeach()
