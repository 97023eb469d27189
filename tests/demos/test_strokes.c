/* Obstacles drawn by hand as lines of a text: what is written is read again, and nothing else is
 * taken for such a line. */
#include "common.h"
#include "common/strokes.h"

enum { MOST = 8 };

typedef struct Ways {
  demoStroke way[MOST];
  int count;
} Ways;

static void take(void *user, const demoStroke *stroke) {
  Ways *ways = user;
  assert_true(ways->count < MOST);
  ways->way[ways->count++] = *stroke;
}

static bool reads(const char *line, Ways *ways) {
  *ways = (Ways){.count = 0};
  return demoStrokeRead(line, line + strlen(line), take, ways);
}

static void aLineHasWays(void **state) {
  Ways w;
  assert_true(reads("draw 0.04, square, 0.5, 0.3, 0.55, 0.31, 1.5, -0.2", &w));
  assert_int_equal(w.count, 3);
  for (int k = 0; k < 3; k++)
    assert_true(w.way[k].kind == DEMO_DRAW && w.way[k].square && w.way[k].radius == 0.04);
  assert_true(w.way[0].to[0] == 0.5 && w.way[0].to[1] == 0.3);
  assert_true(w.way[2].from[0] == 0.55 && w.way[2].to[1] == -0.2);
  assert_true(reads("  move\t1, 0.25,  0.5,0.125", &w));
  assert_true(w.count == 1 && w.way[0].kind == DEMO_MOVE && w.way[0].to[1] == 0.125);
  assert_true(reads("erase 0.01, 0, 0", &w));
  assert_true(w.count == 1 && w.way[0].kind == DEMO_ERASE && !w.way[0].square);
}

static void programsPaintInPlaces(void **state) {
  static const char *const word[] = {"raise", "lower", "slow", "absorb", "clear", "paint", "take"};
  for (int k = 0; k < (int)(sizeof word / sizeof *word); k++) {
    Ways w;
    char line[64];
    snprintf(line, sizeof line, "%s 0.25, 0.5, 0.3, 0.5, 0.3, 0.75, 1", word[k]);
    assert_true(reads(line, &w));
    assert_int_equal(w.count, 3);
    for (int n = 0; n < 3; n++)
      assert_true((int)w.way[n].kind == DEMO_RAISE + k && w.way[n].begins == !n);
    assert_true(w.way[1].to[0] == 0.5 && w.way[2].to[0] == 0.75 && w.way[2].to[1] == 1);
    snprintf(line, sizeof line, "%s 0.25, square, 0.5, 0.3", word[k]);
    assert_false(reads(line, &w));
  }
}

static void othersAreRefused(void **state) {
  static const char *const line[] = {"",
                                     "draw",
                                     "draw 0.1",
                                     "draw 0.1, 0.5",
                                     "draw 0.1, 0.5, x",
                                     "draw 0, 0.5, 0.5",
                                     "draw nan, 0.5, 0.5",
                                     "draw 0.1, inf, 0.5",
                                     "draw 0.1, 0.5, 0.5, 0.6",
                                     "drawn 0.1, 0.5, 0.5",
                                     "draw 0.1 0.5 0.5",
                                     "draw 0.1, squared, 0.5, 0.5",
                                     "move 0.1, 0.2",
                                     "move 0.1, 0.2, 0.3",
                                     "move 0.1, 0.2, 0.3, 0.4, 0.5, 0.6",
                                     "draw square, 0.1, 0.5, 0.5",
                                     "draw -1, 0.5, 0.5"};
  for (int k = 0; k < (int)(sizeof line / sizeof *line); k++) {
    Ways w;
    assert_false(reads(line[k], &w));
    assert_int_equal(w.count, 0);
  }
}

static void whatIsWrittenIsReadAgain(void **state) {
  Ways w;
  demoStroke s = {.kind = DEMO_DRAW, .radius = demoStrokeRounded(0.0400499)};
  double place[3][2] = {{1. / 3, 2. / 7}, {0.1, 1e-9}, {12.34567, 0.99999}};
  char *text = NULL;
  for (int k = 0; k < 3; k++) {
    memcpy(s.from, k ? s.to : s.from, sizeof s.from);
    for (int axis = 0; axis < 2; axis++)
      s.to[axis] = demoStrokeRounded(place[k][axis]);
    if (k == 0)
      memcpy(s.from, s.to, sizeof s.from);
    text = demoStrokeAppend(text, &s, k > 0);
    assert_non_null(text);
  }
  assert_string_equal(text, "draw   0.0400, 0.3333, 0.2857, 0.1000, 0.0000, 12.3457, 1.0000\n");
  assert_true(demoStrokeRead(text, strchr(text, '\n'), NULL, NULL));
  w = (Ways){.count = 0};
  demoStrokeRead(text, strchr(text, '\n'), take, &w);
  assert_int_equal(w.count, 3);
  assert_true(w.way[2].to[0] == s.to[0] && w.way[2].from[1] == s.from[1] &&
              w.way[1].radius == s.radius);
  /* an obstacle that is moved on and on is moved once */
  demoStroke m = {.kind = DEMO_MOVE, .from = {0.5, 0.5}, .to = {0.6, 0.5}};
  text = demoStrokeAppend(text, &m, false);
  m.to[0] = 0.75;
  text = demoStrokeAppend(text, &m, true);
  assert_string_equal(strchr(text, '\n') + 1, "move   0.5000, 0.5000, 0.7500, 0.5000\n");
  free(text);
}

TEST_MAIN(NULL, NULL, aLineHasWays, programsPaintInPlaces, othersAreRefused,
          whatIsWrittenIsReadAgain)
