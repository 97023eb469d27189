# texla_embed_shaders(out): sets `out` to a generated C file that implements src/gl/shader_files.h. One .inc file per
# shader, so that a change converts one file only. A kernel is known by its file's name alone, so names are unique.
function(texla_embed_shaders out)
  set(root ${PROJECT_SOURCE_DIR}/shaders)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(GLOB_RECURSE files RELATIVE ${root} CONFIGURE_DEPENDS ${root}/*.frag ${root}/*.vert ${root}/*.geom ${root}/*.glsl)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    if(name IN_LIST names)
      message(FATAL_ERROR "shaders/: two files are called ${name}")
    endif()
    list(APPEND names ${name})
    set(inc ${generated}/shaders/${file}.inc)
    string(MAKE_C_IDENTIFIER ${file} id)
    get_filename_component(folder ${inc} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${inc}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${root}/${file} -DOUTPUT=${inc} -P ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake
      DEPENDS ${root}/${file} ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake
      COMMENT "Embedding ${file}" VERBATIM)
    list(APPEND incs ${inc})
    string(APPEND arrays "static const unsigned char ${id}[] = {\n#include \"shaders/${file}.inc\"\n};\n")
    string(APPEND entries "  {\"${file}\", (const char *)${id}},\n")
  endforeach()
  list(LENGTH files count)
  file(CONFIGURE OUTPUT ${generated}/shader_files.c CONTENT
    "#include \"gl/shader_files.h\"\n\n${arrays}
const txShaderFile txShaderFiles[] = {\n${entries}  {0, 0},\n};\nconst int txShaderFileCount = ${count};\n" @ONLY)
  set_source_files_properties(${generated}/shader_files.c PROPERTIES OBJECT_DEPENDS "${incs}")
  set(${out} ${generated}/shader_files.c PARENT_SCOPE)
endfunction()

# texla_embed_page(source file...): the C file `source` includes each of these files as generated/<room>_<name>_<extension>.inc.
function(texla_embed_page source)
  get_filename_component(room ${source} DIRECTORY)
  get_filename_component(room ${room} NAME)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${room}_${name} id)
    set(inc ${PROJECT_BINARY_DIR}/generated/${id}.inc)
    add_custom_command(
      OUTPUT ${inc}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/${file} -DOUTPUT=${inc} -P ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake
      DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_shader.cmake COMMENT "Embedding ${file}" VERBATIM)
    list(APPEND incs ${inc})
  endforeach()
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${incs}")
endfunction()
