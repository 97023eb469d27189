/* The order in which cycles call a level's operations, on levels that only write down what they are
 * asked for. */
#include "multigrid/cycle.h"
#include "common.h"

enum { LEVELS = 4 };

typedef struct diary {
  char text[512];
  /* the call that fails, counted from 1; 0: none */
  int failing;
  int calls;
} diary;

typedef struct recordedLevel {
  diary *diary;
  int number;
} recordedLevel;

static clStatus record(void *data, char what) {
  recordedLevel *level = data;
  size_t end = strlen(level->diary->text);
  snprintf(level->diary->text + end, sizeof level->diary->text - end, "%c%d ", what, level->number);
  return ++level->diary->calls == level->diary->failing ? TEXLA_OUT_OF_MEMORY : TEXLA_OK;
}

static clStatus smooth(void *level, txSmoothing part) {
  return record(level, "zbar"[part]);
}
static clStatus residual(void *level) {
  return record(level, 'R');
}
static clStatus restriction(void *level) {
  return record(level, 'B');
}
static clStatus prolong(void *level, bool start) {
  return record(level, start ? 'S' : 'P');
}
static clStatus solve(void *level) {
  return record(level, 'X');
}
static clStatus enter(void *level) {
  return record(level, '>');
}
static clStatus leave(void *level) {
  return record(level, '<');
}

static const txLevelOps plain = {smooth, residual, restriction, prolong, solve, NULL, NULL};
static const txLevelOps copying = {smooth, residual, restriction, prolong, solve, enter, leave};

typedef struct recording {
  diary diary;
  recordedLevel level[LEVELS];
  txCycle cycle;
} recording;

static void prepare(recording *r, int levels, clCycle kind) {
  *r = (recording){.cycle = {.levels = levels, .kind = kind}};
  for (int l = 0; l < levels; l++) {
    r->level[l] = (recordedLevel){&r->diary, l};
    r->cycle.level[l] = (txCycleLevel){&plain, &r->level[l]};
  }
}

static void testKinds(void **state) {
  recording r;
  prepare(&r, 3, TEXLA_CYCLE_V);
  assert_int_equal(txCycleRun(&r.cycle, true, true), TEXLA_OK);
  assert_string_equal(r.diary.text, "z0 R0 z1 R1 X2 P1 r1 P0 r0 ");
  /* the coarsest level is solved, so once is enough */
  prepare(&r, 3, TEXLA_CYCLE_W);
  assert_int_equal(txCycleRun(&r.cycle, false, false), TEXLA_OK);
  assert_string_equal(r.diary.text, "b0 R0 z1 R1 X2 P1 a1 b1 R1 X2 P1 a1 P0 a0 ");
  /* the second visit is a V cycle */
  prepare(&r, 4, TEXLA_CYCLE_F);
  assert_int_equal(txCycleRun(&r.cycle, false, false), TEXLA_OK);
  assert_string_equal(r.diary.text, "b0 R0 z1 R1 z2 R2 X3 P2 a2 b2 R2 X3 P2 a2 P1 a1 "
                                    "b1 R1 z2 R2 X3 P2 a2 P1 a1 P0 a0 ");
  prepare(&r, 1, TEXLA_CYCLE_W);
  assert_int_equal(txCycleRun(&r.cycle, false, false), TEXLA_OK);
  assert_string_equal(r.diary.text, "X0 ");
}

static void testStart(void **state) {
  recording r;
  prepare(&r, 3, TEXLA_CYCLE_V);
  assert_int_equal(txCycleStart(&r.cycle), TEXLA_OK);
  assert_string_equal(r.diary.text, "B0 B1 X2 S1 b1 R1 X2 P1 a1 S0 b0 R0 z1 R1 X2 P1 a1 P0 a0 ");
}

/* A level that works on copies gets them once for all its visits. */
static void testCopies(void **state) {
  recording r;
  prepare(&r, 3, TEXLA_CYCLE_W);
  r.cycle.level[1].ops = &copying;
  assert_int_equal(txCycleRun(&r.cycle, true, false), TEXLA_OK);
  assert_string_equal(r.diary.text, "z0 R0 >1 z1 R1 X2 P1 a1 b1 R1 X2 P1 a1 <1 P0 a0 ");
}

/* A cycle ends with the first operation that fails. */
static void testFailures(void **state) {
  for (int full = 0; full < 2; full++) {
    clStatus status = TEXLA_OUT_OF_MEMORY;
    int failing = 0;
    while (status) {
      recording r;
      prepare(&r, 3, TEXLA_CYCLE_W);
      r.cycle.level[1].ops = &copying;
      r.diary.failing = ++failing;
      status = full ? txCycleStart(&r.cycle) : txCycleRun(&r.cycle, false, false);
      assert_int_equal(r.diary.calls, status ? failing : failing - 1);
    }
    assert_true(failing > 16);
  }
}

TEST_MAIN(NULL, NULL, testKinds, testStart, testCopies, testFailures)
