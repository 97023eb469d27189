# Pages and the JavaScript module for browsers, compiled by Emscripten: cmake --preset web (make web). What is for users goes to
# build/web.
set(web_folder ${PROJECT_SOURCE_DIR}/build/web)

# How a program is linked: WebGL 2 alone, memory that grows, and its WebAssembly within the one file, which then needs no server.
set(web_link -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=8MB -sSINGLE_FILE=1)

# texla_page(NAME SHELL file.html SOURCES file... [LINK library...] [OPTIONS option...]): the page build/web/NAME.html, complete in
# itself. The shell is a page of HTML in which {{{ SCRIPT }}} stands for the program; its script makes an object `Module` before
# (https://emscripten.org/docs/api_reference/module.html): `canvas` is what the device "canvas" of texla draws on (clContextOptions.device),
# `arguments` are those of main. The linker reads it anew where it has changed.
function(texla_page name)
  cmake_parse_arguments(PARSE_ARGV 1 page "" "SHELL" "SOURCES;LINK;OPTIONS")
  add_executable(web_${name} ${page_SOURCES})
  target_link_libraries(web_${name} PRIVATE ${page_LINK})
  target_link_options(web_${name} PRIVATE -O2 ${web_link} --shell-file ${page_SHELL} ${page_OPTIONS})
  set_target_properties(web_${name} PROPERTIES OUTPUT_NAME ${name} SUFFIX .html RUNTIME_OUTPUT_DIRECTORY ${web_folder}
                                               LINK_DEPENDS ${page_SHELL})
endfunction()

include(web/simulations.cmake)
