# The demos as a user runs them, without a display and in a window: shell scripts that say what is wrong and return 77 to
# be skipped.
add_library(texla_drop MODULE faults/drop.c) # between a program and OpenGL
target_link_libraries(texla_drop PRIVATE OpenGL::OpenGL ${CMAKE_DL_LIBS})
foreach(program wave navier-stokes shallow-water lab interior-point)
  if(NOT TARGET ${program})
    continue()
  endif()
  set(demos_environment SOURCE=${PROJECT_SOURCE_DIR} TEXLA=$<TARGET_FILE:${program}> WAVE=$<TARGET_FILE:wave>)
  if(NOT TEXLA_SANITIZE AND NOT program STREQUAL interior-point) # it makes no pictures; AddressSanitizer wants to be the first library
    foreach(name lost starved)
      texla_script(demos/${program}_${name} SCRIPT demos/${name}.sh
                   ENVIRONMENT ${demos_environment} DROP=$<TARGET_FILE:texla_drop> STARVE=$<TARGET_FILE:texla_starve>)
    endforeach()
  endif()
  if(NOT TEXLA_SANITIZE AND NOT program STREQUAL interior-point)
    texla_script(demos/${program}_options SCRIPT demos/options.sh ENVIRONMENT ${demos_environment})
    texla_script(demos/${program}_every_scene SCRIPT demos/every_scene.sh ENVIRONMENT ${demos_environment})
    texla_script(demos/${program}_sizes SCRIPT demos/sizes.sh OPTIONAL ENVIRONMENT ${demos_environment})
  endif()
  string(REPLACE - _ script ${program})
  file(GLOB scripts RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/demos CONFIGURE_DEPENDS demos/${script}*.sh)
  if(TEXLA_SANITIZE) # once is enough
    set(scripts ${script}.sh)
  endif()
  foreach(file IN LISTS scripts)
    string(REPLACE .sh "" name ${file})
    if(name MATCHES "_(physics|points)$") # what the programs show of each scene; the physics itself is tested in sim
      texla_script(demos/${name} OPTIONAL ENVIRONMENT ${demos_environment} TEXLA_TEST_LEVEL=long)
    elseif(name MATCHES "^(wave_window|shallow_water_window|navier_stokes_files)$") # most of this is code that all programs share
      texla_script(demos/${name} OPTIONAL ENVIRONMENT ${demos_environment})
    else()
      texla_script(demos/${name} ENVIRONMENT ${demos_environment})
    endif()
  endforeach()
endforeach()
