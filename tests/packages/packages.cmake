# The packages of `make deb`, from this build: lintian finds no error, they install into a clean tree of Debian and work there. About a minute.
get_filename_component(cmake_folder ${CMAKE_COMMAND} DIRECTORY)
find_program(CPACK cpack HINTS ${cmake_folder})
add_test(NAME packages/packages COMMAND ${BASH} ${CMAKE_CURRENT_SOURCE_DIR}/packages/packages.sh)
set_tests_properties(packages/packages PROPERTIES LABELS packages TIMEOUT 1200 SKIP_RETURN_CODE 77
  ENVIRONMENT "SOURCE=${PROJECT_SOURCE_DIR};BINARY=${PROJECT_BINARY_DIR};CPACK=${CPACK};VERSION=${PROJECT_VERSION}")
