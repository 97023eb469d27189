/* A team's threads: each member of a task is called once, all see before a meeting's end what
 * others did before it, and a smaller task leaves the rest asleep. */
#include "common.h"

#include "core/team.h"

enum { MEMBERS = 4, ROUNDS = 30 };

typedef struct Work {
  txTeam *team;
  int called[MEMBERS], sum[MEMBERS], members;
  /* plain numbers: only meetings order what threads do to them */
  int step[ROUNDS][MEMBERS];
} Work;

static void task(void *user, txTeam *team, int member, int members) {
  Work *w = user;
  w->called[member]++;
  if (member == 0)
    w->members = members;
  for (int round = 0; round < ROUNDS; round++) {
    w->step[round][member] = member + 1;
    txTeamMeet(team);
    /* the others' */
    for (int k = 0; k < members; k++)
      w->sum[member] += w->step[round][k];
  }
}

static void allMeet(void **state) {
  for (int size = 1; size <= MEMBERS; size++) {
    Work w = {.team = txTeamCreate(size)};
    assert_non_null(w.team);
    for (int repeat = 0; repeat < 5; repeat++)
      for (int members = 1; members <= MEMBERS; members++) {
        memset(w.called, 0, sizeof w.called);
        memset(w.sum, 0, sizeof w.sum);
        txTeamRun(w.team, members, task, &w);
        assert_true(w.members >= 1 && w.members <= members && w.members <= size);
        for (int k = 0; k < MEMBERS; k++) {
          assert_int_equal(w.called[k], k < w.members);
          assert_int_equal(w.sum[k], k < w.members ? ROUNDS * w.members * (w.members + 1) / 2 : 0);
        }
      }
    txTeamDestroy(w.team);
  }
  txTeamDestroy(NULL);
}

static void noTeamIsTheCallerAlone(void **state) {
  Work w = {0};
  txTeamRun(NULL, MEMBERS, task, &w);
  assert_int_equal(w.members, 1);
  assert_int_equal(w.called[0], 1);
  assert_int_equal(w.sum[0], ROUNDS);
}

TEST_MAIN(NULL, NULL, allMeet, noTeamIsTheCallerAlone)
