# The programs, the CMake package, the Python module; the libraries are installed by cmake/library.cmake.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/texla)
configure_package_config_file(cmake/texlaConfig.cmake.in texlaConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(texlaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/texlaConfig.cmake ${PROJECT_BINARY_DIR}/texlaConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT texla_development)
set(component_texla_cli tools)
set(component_texla-bench bench)
set(component_texla-mpi mpi)
set(component_texla-mpi-bench mpi)
foreach(program IN LISTS programs)
  if(NOT component_${program})
    set(component_${program} demos)
  endif()
  install(TARGETS ${program} COMPONENT ${component_${program}})
endforeach()
include(cmake/manuals.cmake)

# The Python module: add this folder to PYTHONPATH, or set it to one that Python looks into.
set(TEXLA_PYTHON_FOLDER ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages CACHE STRING "Where the Python module is installed")
install(DIRECTORY python/texla DESTINATION ${TEXLA_PYTHON_FOLDER} COMPONENT python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/texla COMPONENT texla_development)
include(cmake/deb.cmake)
