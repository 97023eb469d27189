# texla_embed(out table FOLDER folder FILES file... [NAMES name...] [PREFIX prefix]): sets `out` to a generated C file that defines
#     const txEmbedded table[];
# (src/core/embedded.h) with the bytes of each file, an entry without a name at the end. An entry's name is its file's path
# relative to the folder, or the one given in its place. The prefix tells apart tables of one name in several programs. Each file is converted by itself, so that a change converts one only.
function(texla_embed out table)
  cmake_parse_arguments(embed "" "FOLDER;PREFIX" "FILES;NAMES" ${ARGN})
  set(generated ${PROJECT_BINARY_DIR}/generated/${embed_PREFIX}${table})
  foreach(file IN LISTS embed_FILES)
    file(RELATIVE_PATH name ${embed_FOLDER} ${file})
    set(inc ${generated}/${name}.inc)
    string(MAKE_C_IDENTIFIER ${name} id)
    get_filename_component(folder ${inc} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${inc}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${inc} -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      COMMENT "Embedding ${name}" VERBATIM)
    list(APPEND incs ${inc})
    string(APPEND arrays "static const unsigned char file_${id}[] = {\n#include \"${inc}\"\n};\n")
    if(embed_NAMES)
      list(POP_FRONT embed_NAMES name)
    endif()
    string(APPEND entries "    {\"${name}\", (const char *)file_${id}, sizeof file_${id} - 1},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${generated}.c CONTENT
    "#include \"core/embedded.h\"\n\n${arrays}\nextern const txEmbedded ${table}[];\nconst txEmbedded ${table}[] = {\n${entries}    {0, 0, 0},\n};\n" @ONLY)
  set_source_files_properties(${generated}.c PROPERTIES OBJECT_DEPENDS "${incs}")
  set(${out} ${generated}.c PARENT_SCOPE)
endfunction()
