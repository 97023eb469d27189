# The packages of `make deb`, from this build: lintian finds no error, they install into a clean tree of Debian and work there. About a minute.
get_filename_component(cmake_folder ${CMAKE_COMMAND} DIRECTORY)
find_program(CPACK cpack HINTS ${cmake_folder})
texla_script(packages/packages OPTIONAL ENVIRONMENT SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR} CPACK=${CPACK} VERSION=${PROJECT_VERSION})
