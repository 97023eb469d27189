# Every lesson and every solution of an exercise with --check: what it teaches is so.
foreach(name IN LISTS lesson_programs)
  string(REPLACE lesson_ "" test ${name})
  add_test(NAME lessons/${test} COMMAND ${name} --check)
  set_tests_properties(lessons/${test} PROPERTIES LABELS lessons TIMEOUT 1200)
  if(TEXLA_SANITIZE)
    set_tests_properties(lessons/${test} PROPERTIES ENVIRONMENT TEXLA_DEVICE=llvmpipe)
  endif()
endforeach()
