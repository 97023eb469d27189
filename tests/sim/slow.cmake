# What takes minutes: `ctest -C slow -L slow`; left out otherwise.
add_test(NAME sim/flow_slow COMMAND test_sim_flow slow CONFIGURATIONS slow)
set_tests_properties(sim/flow_slow PROPERTIES LABELS "sim;slow" TIMEOUT 7200)
