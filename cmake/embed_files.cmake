# Writes a table of files as C (embed.cmake), the bytes of each as a string.
# Usage: cmake -DOUTPUT=table.c -DLIST=table.cmake -P embed_files.cmake, where the list sets `table`, `files` and `names`.
include("${LIST}")
set(arrays)
set(entries)
foreach(file name IN ZIP_LISTS files names)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "${name}" id)
  string(APPEND arrays "static const char file_${id}[] = \"${bytes}\";\n")
  string(APPEND entries "    {\"${name}\", file_${id}, sizeof file_${id} - 1},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"core/embedded.h\"\n\n${arrays}\nextern const txEmbedded ${table}[];
const txEmbedded ${table}[] = {\n${entries}    {0, 0, 0},\n};\n")
