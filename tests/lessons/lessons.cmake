# What the pages say in figures is what the programs print.
find_program(PYTHON3 python3)
if(PYTHON3)
  texla_test(lessons/figures OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/figures.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
endif()
# Every lesson and every solution of an exercise with --check: what it teaches is so.
foreach(name IN LISTS lesson_programs)
  string(REPLACE lesson_ "" test ${name})
  texla_test(lessons/${test} COMMAND ${name} --check)
endforeach()
texla_script(lessons/plain ENVIRONMENT SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR})
