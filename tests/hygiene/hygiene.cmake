# Checks of the sources and of what is built: shell scripts that say what is wrong and return 77 to be skipped.
find_program(CXX_COMPILER NAMES $ENV{CXX} c++ g++ clang++)
string(REPLACE ";" " " mpi_includes "${MPI_C_INCLUDE_DIRS}")
set(hygiene_environment SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR} CC=${CMAKE_C_COMPILER}
                        CXX=${CXX_COMPILER} NM=${CMAKE_NM} CMAKE=${CMAKE_COMMAND} VERSION=${PROJECT_VERSION}
                        STB=${STB_INCLUDE_DIR} "CFLAGS=${CMAKE_C_FLAGS}" "LDFLAGS=${CMAKE_EXE_LINKER_FLAGS}" "MPI_INCLUDES=${mpi_includes}")
foreach(name symbols structs headers rooms names opencl faults format tidy docs progress release debians)
  texla_script(hygiene/${name} ENVIRONMENT ${hygiene_environment})
endforeach()
find_program(PYTHON3 python3)
if(PYTHON3)
  texla_test(hygiene/paths COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/paths.py ${PROJECT_SOURCE_DIR})
  texla_test(hygiene/red OPTIONAL PROCESSORS 2 COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/red.py ${PROJECT_BINARY_DIR})
endif()
# Half a minute of clang, for systems that are not here; an installation, against which programs are built; the newest Dear ImGui.
foreach(name systems install imgui)
  texla_script(hygiene/${name} OPTIONAL ENVIRONMENT ${hygiene_environment})
endforeach()
