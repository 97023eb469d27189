# texla_library(name SUMMARY text HEADERS name... ROOMS room... [SOURCES file...] [ON library...] [LINK library...]
#               [PC_PRIVATE flag...] [EXPORT export]):
# the rooms of src/ as the libraries `name` (shared) and `name`_static, compiled once, and how they are installed: components
# <name>_library and <name>_development, targets for CMake in <EXPORT>.cmake, a file for pkg-config.
#   HEADERS     of include/texla
#   ON          libraries of texla that it stands on, of the same kind each
#   LINK        what else it needs; PC_PRIVATE says the same to a linker, for who links the static library with pkg-config
function(texla_library name)
  cmake_parse_arguments(library "" "SUMMARY;EXPORT" "HEADERS;ROOMS;SOURCES;ON;LINK;PC_PRIVATE" ${ARGN})
  set(sources ${library_SOURCES})
  foreach(room IN LISTS library_ROOMS)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.c)
    list(FILTER files EXCLUDE REGEX "${system_others}")
    list(APPEND sources ${files})
  endforeach()
  add_library(${name}_objects OBJECT ${sources})
  set_target_properties(${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${name}_objects SYSTEM PRIVATE ${STB_INCLUDE_DIR})
  target_link_libraries(${name}_objects PRIVATE ${library_LINK})
  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${name}_static PRIVATE ${library_LINK})
  foreach(below IN LISTS library_ON)
    target_link_libraries(${name}_static PUBLIC ${below}_static)
  endforeach()
  if(EMSCRIPTEN) # pages carry all that they need: nothing is shared or installed
    target_include_directories(${name}_static PUBLIC ${PROJECT_SOURCE_DIR}/include)
    return()
  endif()
  add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
                                           SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(WIN32) # What it exports, which elsewhere TEXLA_API marks, is listed.
    set(definition ${PROJECT_BINARY_DIR}/generated/${name}.def)
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/lib${name}.symbols exported REGEX "@Base")
    list(TRANSFORM exported REPLACE "^ ([A-Za-z0-9_]+)@.*" "\\1\n")
    list(JOIN exported "" exported)
    file(CONFIGURE OUTPUT ${definition} CONTENT "EXPORTS\n${exported}" @ONLY)
    target_sources(${name} PRIVATE ${definition})
    set_target_properties(${name} PROPERTIES PREFIX "" IMPORT_PREFIX "lib")
    install(TARGETS ${name} RUNTIME COMPONENT ${name}_library ARCHIVE COMPONENT ${name}_development)
  endif()
  target_link_libraries(${name} PUBLIC ${library_ON} PRIVATE ${library_LINK})
  foreach(target ${name} ${name}_static)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(texla::${target} ALIAS ${target})
  endforeach()

  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/texla)
  install(TARGETS ${name} EXPORT ${library_EXPORT} LIBRARY COMPONENT ${name}_library NAMELINK_COMPONENT ${name}_development)
  install(TARGETS ${name}_static EXPORT ${library_EXPORT} COMPONENT ${name}_development)
  install(EXPORT ${library_EXPORT} NAMESPACE texla:: DESTINATION ${package_folder} COMPONENT ${name}_development)
  foreach(header IN LISTS library_HEADERS)
    install(FILES ${PROJECT_SOURCE_DIR}/include/texla/${header}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/texla
            COMPONENT ${name}_development)
  endforeach()
  file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
  set(pc_name ${name})
  set(pc_summary "${library_SUMMARY}")
  list(JOIN library_ON " " pc_requires)
  list(JOIN library_PC_PRIVATE " " pc_private)
  string(REPLACE "_" "-" pc_file ${name})
  string(REPLACE "_" "-" pc_requires "${pc_requires}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/library.pc.in ${PROJECT_BINARY_DIR}/${pc_file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${name}_development)
endfunction()
