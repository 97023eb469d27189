# The companion library texla_mpi and the program texla-mpi, where MPI is installed. The library texla stays free of MPI.
option(TEXLA_BUILD_MPI "Build texla_mpi and texla-mpi when MPI is found" ON)
if(NOT TEXLA_BUILD_MPI OR TEXLA_SANITIZE_THREAD)
  return()
endif()
# A compiler wrapper without headers (Octave's packages bring one) makes find_package(MPI) fail even where it is asked to be quiet.
find_path(TEXLA_MPI_HEADER mpi.h PATH_SUFFIXES openmpi openmpi/include mpich x86_64-linux-gnu/mpich
          PATHS ${CMAKE_LIBRARY_PATH} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include)
if(TEXLA_MPI_HEADER OR MPI_C_COMPILER)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(NOT MPI_C_FOUND)
  message(STATUS "MPI not found: texla-mpi is not built (package libopenmpi-dev)")
  return()
endif()
# The file for pkg-config names no MPI: its compiler wrapper knows.
texla_embed(mpi_shaders txMpiShaderFiles FOLDER ${PROJECT_SOURCE_DIR}/shaders FILES ${mpi_shader_files})
texla_library(texla_mpi EXPORT texlaMpiTargets SUMMARY "Linear algebra on texla, over the ranks of an MPI run"
  HEADERS mpi ROOMS mpi SOURCES ${mpi_shaders} ON texla_sim LINK ${system_math} PC_PRIVATE -lm)
foreach(target texla_mpi_objects texla_mpi texla_mpi_static)
  target_link_libraries(${target} PUBLIC MPI::MPI_C)
endforeach()
target_compile_options(texla_mpi_objects PRIVATE $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow>) # MPICH's MPI_STATUSES_IGNORE is (MPI_Status *)1

# What `texla-mpi bench` compares with, where it is installed for this MPI.
execute_process(COMMAND ${MPI_C_COMPILER} --showme:version OUTPUT_VARIABLE mpi_version ERROR_QUIET)
set(mpi_name mpich)
if(mpi_version MATCHES "Open MPI")
  set(mpi_name openmpi)
endif()
find_library(SCALAPACK_LIBRARY scalapack-${mpi_name})
add_library(texla_mpi_peers INTERFACE)
if(SCALAPACK_LIBRARY)
  target_link_libraries(texla_mpi_peers INTERFACE ${SCALAPACK_LIBRARY})
  target_compile_definitions(texla_mpi_peers INTERFACE TEXLA_HAVE_SCALAPACK=1)
else()
  message(STATUS "ScaLAPACK not found: texla-mpi bench goes without it (package libscalapack-${mpi_name}-dev)")
endif()

if(TEXLA_BUILD_CLI)
  file(GLOB files CONFIGURE_DEPENDS src/cli-mpi/*.c)
  add_executable(texla-mpi ${files})
  target_link_libraries(texla-mpi PRIVATE texla_mpi_static texla_program ${system_math})
  add_executable(texla-mpi-bench bench/cluster/bench.c src/cli-mpi/common.c)
  target_link_libraries(texla-mpi-bench PRIVATE texla_mpi_static texla_program texla_mpi_peers ${system_math})
  list(APPEND programs texla-mpi texla-mpi-bench)
endif()
