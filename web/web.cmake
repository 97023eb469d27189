# Pages and the JavaScript module for browsers, compiled by Emscripten: cmake --preset web (make web). What is for users goes to
# build/web.
set(web_folder ${PROJECT_SOURCE_DIR}/build/web)

# How a program is linked: WebGL 2 alone, memory that grows, and its WebAssembly within the one file, which then needs no server.
set(web_link -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=8MB -sSINGLE_FILE=1)

find_package(Python3 REQUIRED COMPONENTS Interpreter)

# texla_assemble(target OUT TEMPLATE NAME=FILE...): build/web/OUT of several files (assemble.py); part of the build.
function(texla_assemble target out template)
  set(files ${ARGN})
  list(TRANSFORM files REPLACE "^[A-Z]+=" "")
  add_custom_command(OUTPUT ${web_folder}/${out} DEPENDS ${template} ${files} ${PROJECT_SOURCE_DIR}/web/assemble.py
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/web/assemble.py ${template} ${web_folder}/${out} ${ARGN} VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${web_folder}/${out})
endfunction()

# The command-line program, and the page that runs it in a worker.
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.c ${PROJECT_SOURCE_DIR}/src/program/*.c)
add_executable(web_cli ${files})
target_include_directories(web_cli PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(web_cli PRIVATE texla_sim_static m)
target_link_options(web_cli PRIVATE -O2 ${web_link} -sSINGLE_FILE=0 -sENVIRONMENT=web,worker -sFORCE_FILESYSTEM=1 -sEXPORTED_FUNCTIONS=_main,_fflush
                                    -sEXPORTED_RUNTIME_METHODS=FS,callMain)
set_target_properties(web_cli PROPERTIES OUTPUT_NAME texla)
set(folder ${PROJECT_SOURCE_DIR}/web/solver)
texla_assemble(web_solver solver.html ${folder}/solver.html WORKER=${folder}/worker.js PROGRAM=${PROJECT_BINARY_DIR}/bin/texla.js
               WASM=${PROJECT_BINARY_DIR}/bin/texla.wasm UNPACK=${PROJECT_SOURCE_DIR}/web/unpack.js PAGE=${folder}/solver.js SHOWN=${PROJECT_SOURCE_DIR}/src/trace/page/page.html)
add_dependencies(web_solver web_cli)

# The JavaScript module, as `npm pack` takes it: build/web/texla. Its worker carries the library.
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/check_*.c)
add_executable(web_module ${PROJECT_SOURCE_DIR}/web/module/binding.c ${files})
target_include_directories(web_module PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(web_module PRIVATE texla_sim_static m)
target_link_options(web_module PRIVATE -O2 ${web_link} --no-entry -sENVIRONMENT=worker -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString
                                       -sEXPORTED_FUNCTIONS=_malloc,_free)
set_target_properties(web_module PROPERTIES OUTPUT_NAME module)
set(folder ${PROJECT_SOURCE_DIR}/web/module)
file(WRITE ${PROJECT_BINARY_DIR}/worker.in "@WORKER@\n@PROGRAM@\n")
texla_assemble(web_worker texla/worker.js ${PROJECT_BINARY_DIR}/worker.in WORKER=${folder}/worker.js
               PROGRAM=${PROJECT_BINARY_DIR}/bin/module.js)
add_dependencies(web_worker web_module)
configure_file(${folder}/package.json.in ${web_folder}/texla/package.json @ONLY)
foreach(file ${folder}/texla.js ${folder}/texla.d.ts ${folder}/README.md ${PROJECT_SOURCE_DIR}/LICENSE)
  configure_file(${file} ${web_folder}/texla COPYONLY)
endforeach()

include(web/simulations.cmake)
include(web/lessons.cmake)
