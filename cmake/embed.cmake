# texla_embed(out table FOLDER folder FILES file... [NAMES name...] [PREFIX prefix]): sets `out` to a generated C file that defines
#     const txEmbedded table[];
# (src/core/embedded.h) with the bytes of each file, an entry without a name at the end. An entry's name is its file's path
# relative to the folder, or the one given in its place. The prefix tells apart tables of one name in several programs. One
# process writes a table: one for each file took longer than to compile them.
function(texla_embed out table)
  cmake_parse_arguments(embed "" "FOLDER;PREFIX" "FILES;NAMES" ${ARGN})
  if(NOT embed_NAMES)
    foreach(file IN LISTS embed_FILES)
      file(RELATIVE_PATH name ${embed_FOLDER} ${file})
      list(APPEND embed_NAMES ${name})
    endforeach()
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated/${embed_PREFIX}${table})
  file(CONFIGURE OUTPUT ${generated}.cmake CONTENT "set(table ${table})\nset(files \"${embed_FILES}\")\nset(names \"${embed_NAMES}\")\n" @ONLY)
  add_custom_command(
    OUTPUT ${generated}.c
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated}.c -DLIST=${generated}.cmake -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${embed_FILES} ${generated}.cmake ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${embed_PREFIX}${table}" VERBATIM)
  set(${out} ${generated}.c PARENT_SCOPE)
endfunction()
