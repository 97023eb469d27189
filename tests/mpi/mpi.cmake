# Tests on several ranks of this machine: tests/mpi/test_<name>.c runs with 1, 2, 3, 4 and 6 of them, more than there may be processors;
# with sanitizers, where each rank is slow to begin, with 3 and 6.
set(mpi_ranks 1 2 3 4 6)
if(TEXLA_SANITIZE)
  set(mpi_ranks 3 6)
  list(REMOVE_ITEM mpi_scripts binding) # where ranks run, and no memory
endif()
set(mpi_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
                    OMPI_MCA_hwloc_base_binding_policy=none
                    OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_mpi_yield_when_idle=1 LP_NUM_THREADS=0
                    TEXLA_DEVICE=llvmpipe TEXLA_MPI_RUN=${MPIEXEC_EXECUTABLE}
                    ASAN_OPTIONS=detect_leaks=0) # MPI itself leaks
function(add_mpi_program name)
  add_executable(test_mpi_${name} mpi/test_${name}.c)
  target_include_directories(test_mpi_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/mpi)
  target_link_libraries(test_mpi_${name} PRIVATE texla_mpi_static texla_mpi_peers test_common)
endfunction()
foreach(name ${mpi_tests})
  add_mpi_program(${name})
  foreach(ranks IN LISTS mpi_ranks)
    set(processors 1) # most of their time mpirun waits: for ranks to begin, and for them to end
    if(ranks GREATER 4)
      set(processors 2)
    endif()
    texla_test(mpi/${name}_${ranks} OPTIONAL PROCESSORS ${processors} ENVIRONMENT ${mpi_environment}
               COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/says.sh "all ranks have ended well"
                       ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/mpi/launch.sh ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
                       $<TARGET_FILE:test_mpi_${name}>)
  endforeach()
endforeach()
add_mpi_program(faults) # faults.sh
foreach(function IN LISTS wrap_faults_memory wrap_faults_opengl)
  target_link_options(test_mpi_faults PRIVATE -Wl,--wrap=${function})
endforeach()
if(TARGET texla-mpi)
  foreach(name ${mpi_scripts})
    texla_script(mpi/${name} OPTIONAL ENVIRONMENT ${mpi_environment} SOURCE=${PROJECT_SOURCE_DIR} TEXLA=$<TARGET_FILE:texla_cli>
                 TEXLA_MPI=$<TARGET_FILE:texla-mpi> TEXLA_FAULTS_PROGRAM=$<TARGET_FILE:test_mpi_faults>)
  endforeach()
endif()
