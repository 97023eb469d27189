# The tests of the build for Windows, which run under Wine: those of the library that need neither LAPACK nor POSIX.
target_compile_options(test_common INTERFACE -include ${CMAKE_CURRENT_SOURCE_DIR}/windows/posix.h)

# texla_windows_tests(list): takes the others out of a list of files.
function(texla_windows_tests list)
  set(kept)
  # headers, of the tests or the system, that they share
  set(foreign_headers "lapacke|cblas|EGL/|sys/wait|sys/resource|dlfcn|[a-z/]*(dense_cases|plu_matrices)|[a-z/]*batch|[a-z/]*files")
  foreach(file IN LISTS ${list})
    file(STRINGS ${file} foreign
         REGEX "include [<\"](${foreign_headers})")
    if(NOT foreign AND NOT file MATCHES "^(faults|mpi|demos|trace)/|^core/test_output|^io/test_(generate|json)|_large\\.c$")
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()
