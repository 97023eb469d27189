# Headers, both libraries, the programs, a CMake package (texla::texla, texla::texla_static) and a pkg-config file.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/texla)
install(DIRECTORY include/texla DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS texla texla_static EXPORT texlaTargets)
install(EXPORT texlaTargets NAMESPACE texla:: DESTINATION ${package_folder})
configure_package_config_file(cmake/texlaConfig.cmake.in texlaConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(texlaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/texlaConfig.cmake ${PROJECT_BINARY_DIR}/texlaConfigVersion.cmake
        DESTINATION ${package_folder})
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
configure_file(cmake/texla.pc.in texla.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/texla.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(programs)
  install(TARGETS ${programs})
endif()

# The Python module: add this folder to PYTHONPATH, or set it to one that Python looks into.
set(TEXLA_PYTHON_FOLDER ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages CACHE STRING "Where the Python module is installed")
install(DIRECTORY python/texla DESTINATION ${TEXLA_PYTHON_FOLDER} FILES_MATCHING PATTERN "*.py")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/texla)
