# The simulations' pages: build/web/NAME.html, each one file that holds the program, its scenes and their pictures. The sources are
# those of the desktop's programs but for files NAME_web.c, which take the place of NAME.c.
file(GLOB program_files CONFIGURE_DEPENDS src/program/*.c)
file(GLOB common_files CONFIGURE_DEPENDS demos/common/*.c)
list(FILTER common_files EXCLUDE REGEX "/(no_panel|window|glyphs)\\.c$")
add_library(page_common STATIC ${program_files} ${common_files})
target_include_directories(page_common PUBLIC demos src)
target_include_directories(page_common SYSTEM PUBLIC ${STB_INCLUDE_DIR})
target_link_libraries(page_common PUBLIC demo_shaders texla_sim_static)
target_compile_definitions(page_common PUBLIC TEXLA_HAVE_PNG=0 TEXLA_HAVE_WINDOW=1)

set(page_parts ${CMAKE_CURRENT_LIST_DIR}/simulation.html ${CMAKE_CURRENT_LIST_DIR}/simulation.js ${CMAKE_CURRENT_LIST_DIR}/unpack.js ${CMAKE_CURRENT_LIST_DIR}/style.css
               ${CMAKE_CURRENT_LIST_DIR}/page.py ${CMAKE_CURRENT_LIST_DIR}/assemble.py)
set(page_options ${web_link} -sSINGLE_FILE=0 -sEXIT_RUNTIME=1 -sENVIRONMENT=web # page.py puts the program in, compressed
                 -sEXPORTED_RUNTIME_METHODS=ccall,FS,pauseMainLoop "SHELL:--js-library ${CMAKE_CURRENT_LIST_DIR}/library.js")
find_package(Python3 COMPONENTS Interpreter REQUIRED)
foreach(name navier-stokes wave shallow-water lab)
  file(GLOB files CONFIGURE_DEPENDS demos/${name}/*.c)
  file(GLOB scene_files CONFIGURE_DEPENDS demos/${name}/scenes/*.scene)
  file(GLOB pictures CONFIGURE_DEPENDS ${web_folder}/pictures/${name}/*.png)
  list(SORT scene_files)
  list(TRANSFORM scene_files REPLACE ".*/[0-9]+-(.*)\\.scene" "\\1" OUTPUT_VARIABLE scene_names)
  texla_embed(scenes demoScenes FOLDER ${PROJECT_SOURCE_DIR}/demos/${name}/scenes PREFIX ${name}- FILES ${scene_files} NAMES ${scene_names})
  add_executable(page-${name} ${files} ${scenes})
  target_link_libraries(page-${name} PRIVATE page_common)
  target_link_options(page-${name} PRIVATE ${page_options})
  set_target_properties(page-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/pages LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library.js)
  add_custom_command(OUTPUT ${web_folder}/${name}.html DEPENDS page-${name} ${page_parts} ${scene_files} ${pictures}
                     COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/page.py ${name} $<TARGET_FILE:page-${name}>
                             ${PROJECT_SOURCE_DIR}/demos/${name}/scenes ${web_folder}/pictures/${name} ${web_folder}/${name}.html)
  add_custom_target(page-${name}-html ALL DEPENDS ${web_folder}/${name}.html)
endforeach()
