# `site`: README, lessons, guide and reference as pages in build/site.
find_program(PYTHON3 python3)
find_program(PANDOC pandoc)
if(NOT TARGET lessons)
  return()
endif()
foreach(program navier-stokes wave shallow-water lab)
  if(TARGET ${program}) # they paint pictures
    list(APPEND site_programs ${program})
  endif()
endforeach()
if(PYTHON3 AND PANDOC)
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/site
    COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/site.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/site
    DEPENDS lessons ${site_programs} VERBATIM)
else()
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E echo "the site needs python3 and pandoc (packages python3 and pandoc)"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
