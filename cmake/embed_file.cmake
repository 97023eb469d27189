# Writes the bytes of one file as a C initializer list, NUL-terminated.
# Usage: cmake -DINPUT=file -DOUTPUT=file.inc -P embed_file.cmake
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "${bytes}0\n")
