# The library in a browser: tests of rooms, compiled to WebAssembly by `make web`, in headless Chromium on the software renderer
# (room.py; they are skipped where there is none). Of each room those that take seconds: `make check WITH=all` runs them. `tests/run.sh build-web` runs all that
# are compiled, each in a browser of its own (make check WITH='all web').
find_program(PYTHON3 python3)
if(PYTHON3)
  function(texla_web_room room)
    texla_test(web/${room} OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/room.py
                                            ${PROJECT_SOURCE_DIR}/build-web/tests/test_${room}.js ${ARGN})
  endfunction()
  texla_web_room(vector vector elementwise:copyConvertsLayouts elementwise:divisionByZero reduce:nanSurvives reduce:wrongOperands scalar kernel)
  texla_web_room(matrix banded banded_product:squareSizes banded_product:grids product:severalTextureRows product:longRows residual:squareMatrices)
  texla_web_room(dense dense product:testAllSmallShapes)
  texla_web_room(elimination plu:testSmallSizes plu:testKinds)
  texla_web_room(krylov solver frame)
  texla_web_room(multigrid multigrid:testSetups multigrid:testTransfers multigrid:testSolve multigrid:testReasons cycle)
  texla_web_room(sim flow wave)
  if(TEXLA_BUILD_DEMOS)
    texla_test(web/simulations OPTIONAL PROCESSORS 2 COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/simulations.py
                                                             ${PROJECT_SOURCE_DIR}/build/web ${PROJECT_BINARY_DIR}/bin)
  endif()
  texla_test(web/limits OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/limits.py ${PROJECT_SOURCE_DIR}/build/web)
  texla_test(web/module OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/module.py ${PROJECT_SOURCE_DIR}/build/web/texla)
  texla_test(web/solver OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/solver.py ${PROJECT_SOURCE_DIR}/build/web/solver.html)
  texla_test(web/lessons OPTIONAL COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/web/lessons.py ${PROJECT_SOURCE_DIR}/build/web/lessons.html 00 01 02 03 04 07 15 18)
endif()
