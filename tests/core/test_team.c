/* A team of threads: all members work, and none goes on from a meeting before all others have
 * come. */
#include "core/team.h"
#include "common.h"

#include <stdatomic.h>

enum { MOST = 5, ROUNDS = 500 };

typedef struct job {
  int members, done[MOST];
  atomic_int ahead;
} job;

static void work(void *user, txTeam *team, int member, int members) {
  job *j = user;
  if (member == 0)
    j->members = members;
  for (int round = 0; round < ROUNDS; round++) {
    j->done[member]++;
    txTeamMeet(team);
    for (int i = 0; i < members; i++)
      if (j->done[i] != round + 1)
        atomic_fetch_add(&j->ahead, 1);
    txTeamMeet(team);
  }
}

static void testMeetings(void **state) {
  (void)state;
  for (int most = 1; most <= MOST; most++) {
    job j = {0};
    txTeamRun(most, work, &j);
    assert_in_range(j.members, 1, most);
    assert_int_equal(atomic_load(&j.ahead), 0);
    for (int i = 0; i < MOST; i++)
      assert_int_equal(j.done[i], i < j.members ? ROUNDS : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testMeetings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
