# Emscripten: cmake --preset web (make web). What it has no package of lies in the build folder: libraries.sh. Its linker runs Node.js,
# which finds Debian's acorn by NODE_PATH (the preset sets it).
find_program(EMCC emcc REQUIRED)
get_filename_component(emscripten ${EMCC} REALPATH)
get_filename_component(emscripten ${emscripten} DIRECTORY)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)
get_filename_component(libraries ${CMAKE_CURRENT_LIST_DIR}/../../build-web/libraries ABSOLUTE)
find_program(PYTHON3 python3) # tests run in a browser
set(CMAKE_CROSSCOMPILING_EMULATOR ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/../../tests/web/room.py)
list(PREPEND CMAKE_FIND_ROOT_PATH ${libraries})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/lib/pkgconfig)
