/* The `main` of a test file: TEST_MAIN(set-up, tear-down, cases...) runs its cases, at most 24,
 * between a set-up and a tear-down for all of them (or NULL). */
#ifndef TEXLA_TESTS_CASES_H
#define TEXLA_TESTS_CASES_H

#define TEST_1(x) cmocka_unit_test(x)
#define TEST_2(x, ...) cmocka_unit_test(x), TEST_1(__VA_ARGS__)
#define TEST_3(x, ...) cmocka_unit_test(x), TEST_2(__VA_ARGS__)
#define TEST_4(x, ...) cmocka_unit_test(x), TEST_3(__VA_ARGS__)
#define TEST_5(x, ...) cmocka_unit_test(x), TEST_4(__VA_ARGS__)
#define TEST_6(x, ...) cmocka_unit_test(x), TEST_5(__VA_ARGS__)
#define TEST_7(x, ...) cmocka_unit_test(x), TEST_6(__VA_ARGS__)
#define TEST_8(x, ...) cmocka_unit_test(x), TEST_7(__VA_ARGS__)
#define TEST_9(x, ...) cmocka_unit_test(x), TEST_8(__VA_ARGS__)
#define TEST_10(x, ...) cmocka_unit_test(x), TEST_9(__VA_ARGS__)
#define TEST_11(x, ...) cmocka_unit_test(x), TEST_10(__VA_ARGS__)
#define TEST_12(x, ...) cmocka_unit_test(x), TEST_11(__VA_ARGS__)
#define TEST_13(x, ...) cmocka_unit_test(x), TEST_12(__VA_ARGS__)
#define TEST_14(x, ...) cmocka_unit_test(x), TEST_13(__VA_ARGS__)
#define TEST_15(x, ...) cmocka_unit_test(x), TEST_14(__VA_ARGS__)
#define TEST_16(x, ...) cmocka_unit_test(x), TEST_15(__VA_ARGS__)
#define TEST_17(x, ...) cmocka_unit_test(x), TEST_16(__VA_ARGS__)
#define TEST_18(x, ...) cmocka_unit_test(x), TEST_17(__VA_ARGS__)
#define TEST_19(x, ...) cmocka_unit_test(x), TEST_18(__VA_ARGS__)
#define TEST_20(x, ...) cmocka_unit_test(x), TEST_19(__VA_ARGS__)
#define TEST_21(x, ...) cmocka_unit_test(x), TEST_20(__VA_ARGS__)
#define TEST_22(x, ...) cmocka_unit_test(x), TEST_21(__VA_ARGS__)
#define TEST_23(x, ...) cmocka_unit_test(x), TEST_22(__VA_ARGS__)
#define TEST_24(x, ...) cmocka_unit_test(x), TEST_23(__VA_ARGS__)
#define TEST_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, \
                  _19, _20, _21, _22, _23, _24, n, ...)                                            \
  n
#define TEST_CASES(...)                                                                            \
  TEST_PICK(__VA_ARGS__, TEST_24, TEST_23, TEST_22, TEST_21, TEST_20, TEST_19, TEST_18, TEST_17,   \
            TEST_16, TEST_15, TEST_14, TEST_13, TEST_12, TEST_11, TEST_10, TEST_9, TEST_8, TEST_7, \
            TEST_6, TEST_5, TEST_4, TEST_3, TEST_2, TEST_1, 0)                                     \
  (__VA_ARGS__)
#define TEST_MAIN(set_up, tear_down, ...)                                                          \
  int main(void) {                                                                                 \
    const struct CMUnitTest tests[] = {TEST_CASES(__VA_ARGS__)};                                   \
    return cmocka_run_group_tests(tests, set_up, tear_down);                                       \
  }

#endif
