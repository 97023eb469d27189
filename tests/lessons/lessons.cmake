# Every lesson and every solution of an exercise with --check: what it teaches is so.
foreach(name IN LISTS lesson_programs)
  string(REPLACE lesson_ "" test ${name})
  texla_test(lessons/${test} COMMAND ${name} --check)
endforeach()
