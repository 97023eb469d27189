# The tests of the build for browsers (cmake --preset web), which run in Chromium: those of these rooms that need neither POSIX nor
# more of LAPACK than tests/web/lapack.c has.
set(web_rooms vector matrix dense elimination krylov multigrid sim)
add_library(test_lapack STATIC web/lapack.c)
target_include_directories(test_lapack PUBLIC web)
target_link_libraries(test_common INTERFACE test_lapack)
target_compile_definitions(test_common INTERFACE TEXLA_TESTS_DEBUG=false)
target_link_options(test_common INTERFACE -O1 ${web_link} -sEXIT_RUNTIME=1 -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,ENV)

# texla_web_tests(list): takes the others out of a list of files.
function(texla_web_tests list)
  list(JOIN web_rooms "|" rooms)
  set(kept)
  foreach(file IN LISTS ${list})
    file(STRINGS ${file} foreign REGEX "include [<\"](EGL/|sys/wait|sys/resource|dlfcn|[a-z/]*(plu_matrices|files)\\.h)|LAPACKE_dgels|symlink\\(")
    if(file MATCHES "^(${rooms})/" AND NOT foreign AND NOT file MATCHES "_large\\.c$|lapack_types")
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${list} ${kept} PARENT_SCOPE)
endfunction()
