# Every program of demos/papers with --check: values within tolerances, no times.
foreach(name IN LISTS paper_programs)
  texla_test(papers/${name} COMMAND paper_${name} --check)
endforeach()
