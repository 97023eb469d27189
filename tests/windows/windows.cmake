# The tests of the build for Windows, which run under Wine: those of the library that need neither LAPACK nor POSIX
# (core/csr takes minutes there: it asks for more memory than there is).
target_compile_options(test_common INTERFACE -include ${CMAKE_CURRENT_SOURCE_DIR}/windows/posix.h)

# texla_windows_tests(list): takes the others out of a list of files.
function(texla_windows_tests list)
  set(headers "lapacke|cblas|EGL/|sys/wait|sys/resource|dlfcn|[a-z/]*(dense_cases|plu_matrices|batch|files)\\.h")
  set(kept)
  foreach(file IN LISTS ${list})
    file(STRINGS ${file} foreign REGEX "include [<\"](${headers})|symlink\\(|mkfifo\\(|open_memstream\\(")
    if(NOT foreign AND NOT file MATCHES "^(faults|mpi|demos|trace)/|^core/test_(csr|output)|^io/test_generate|_large\\.c$")
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()
