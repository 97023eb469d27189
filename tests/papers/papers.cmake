# Every program of demos/papers with --check: values within tolerances, no times.
foreach(name IN LISTS paper_programs)
  texla_test(papers/${name} COMMAND paper_${name} --check)
endforeach()
texla_script(papers/ids OPTIONAL ENVIRONMENT SOURCE=${PROJECT_SOURCE_DIR} BINARY=${PROJECT_BINARY_DIR})
