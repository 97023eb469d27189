/* Values in the lines of a scene's text: found, exchanged, added and left out. */
#include "common.h"
#include "common/lines.h"

static const char text[] = "title   spots\n"
                           "parameter D = 0.1, 0, 1  # of both\n"
                           "u' = D * lap(u) - min(u, v)  # u, v\n"
                           "start   u = min(x, y) , v = 0.25\n"
                           "left    fixed, u = 1\n";

static void isValue(const char *from, const char *word, const char *name, const char *value) {
  demoSpan span = {0, 0};
  assert_true(demoLinesFind(from, word, name, &span));
  assert_int_equal(span.end - span.begin, strlen(value));
  assert_memory_equal(from + span.begin, value, strlen(value));
}

/* The value is another one afterwards, and what is left of the text is what it was. */
static void becomes(const char *word, const char *name, const char *value, const char *expected) {
  FREED char *changed = demoLinesWith(text, word, name, value);
  assert_non_null(changed);
  assert_string_equal(changed, expected);
  if (*value)
    isValue(changed, word, name, value);
}

static void values(void **state) {
  demoSpan span;
  isValue(text, "title", NULL, "spots");
  isValue(text, "parameter D", NULL, "0.1, 0, 1");
  isValue(text, "u'", NULL, "D * lap(u) - min(u, v)");
  isValue(text, "start", "u", "min(x, y)");
  isValue(text, "start", "v", "0.25");
  isValue(text, "left", "", "fixed");
  assert_false(demoLinesFind(text, "right", "", &span));
  assert_false(demoLinesFind(text, "start", "w", &span));
  assert_false(demoLinesFind(text, "u", NULL, &span));
  assert_false(demoLinesFind("", "u'", NULL, &span));
}

static void exchanges(void **state) {
  becomes("u'", NULL, "-u",
          "title   spots\nparameter D = 0.1, 0, 1  # of both\nu' = -u  # u, v\n"
          "start   u = min(x, y) , v = 0.25\nleft    fixed, u = 1\n");
  becomes("left", "", "no-flux",
          "title   spots\nparameter D = 0.1, 0, 1  # of both\n"
          "u' = D * lap(u) - min(u, v)  # u, v\n"
          "start   u = min(x, y) , v = 0.25\nleft    no-flux, u = 1\n");
  /* what was not there */
  char *more = demoLinesWith(text, "v'", NULL, "u");
  isValue(more, "v'", NULL, "u");
  free(more);
  more = demoLinesWith(text, "start", "w", "max(x, 1)");
  isValue(more, "start", "w", "max(x, 1)");
  isValue(more, "start", "v", "0.25");
  free(more);
  more = demoLinesWith("title a", "top", "", "periodic");
  assert_string_equal(more, "title a\ntop periodic\n");
  free(more);
  more = demoLinesWith("", "step", "dt", "0.1");
  assert_string_equal(more, "step dt = 0.1\n");
  free(more);
}

static void leavesOut(void **state) {
  becomes("start", "u", "",
          "title   spots\nparameter D = 0.1, 0, 1  # of both\n"
          "u' = D * lap(u) - min(u, v)  # u, v\nstart   v = 0.25\nleft    fixed, u = 1\n");
  becomes("start", "v", "",
          "title   spots\nparameter D = 0.1, 0, 1  # of both\n"
          "u' = D * lap(u) - min(u, v)  # u, v\nstart   u = min(x, y) \nleft    fixed, u = 1\n");
  becomes("u'", NULL, "",
          "title   spots\nparameter D = 0.1, 0, 1  # of both\n"
          "start   u = min(x, y) , v = 0.25\nleft    fixed, u = 1\n");
  becomes("right", "", "", text);
  FREED char *none = demoLinesWith("start u = 1\n", "start", "u", "");
  assert_string_equal(none, "");
}

/* A parameter that came by itself goes by itself; another one stays. */
static void parameters(void **state) {
  FREED char *named = demoLinesName("u' = k * u\nparameter kk = 2\n", "k");
  isValue(named, "parameter k", NULL, "1, 0, 2");
  FREED char *kept = demoLinesForget(named);
  assert_string_equal(kept, named);
  FREED char *other = demoLinesWith(kept, "u'", NULL, "kk * u + k2");
  FREED char *gone = demoLinesForget(other);
  assert_string_equal(gone, "u' = kk * u + k2\nparameter kk = 2\n");
}

TEST_MAIN(NULL, NULL, values, exchanges, leavesOut, parameters)
