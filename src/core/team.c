#include "core/team.h"
#include "core/numbers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
  MOST = 16,
  /* looks at what others change before the processor is offered to them */
  PATIENCE = 1000
};

struct txTeam {
  txTeamWork work;
  void *user;
  /* 0: not all have been started yet */
  atomic_int members;
  atomic_int waiting, meetings;
};

typedef struct member {
  txTeam *team;
  int number;
} member;

/* Returns when *value is no longer `old`. */
static void waitWhile(const atomic_int *value, int old) {
  for (int looks = 0; atomic_load(value) == old; looks++)
    if (looks >= PATIENCE)
      sched_yield();
}

static void *join(void *argument) {
  const member *m = argument;
  waitWhile(&m->team->members, 0);
  m->team->work(m->team->user, m->team, m->number, atomic_load(&m->team->members));
  return NULL;
}

void txTeamMeet(txTeam *team) {
  int meeting = atomic_load(&team->meetings);
  if (atomic_fetch_add(&team->waiting, 1) + 1 < atomic_load(&team->members)) {
    waitWhile(&team->meetings, meeting);
    return;
  }
  atomic_store(&team->waiting, 0);
  atomic_fetch_add(&team->meetings, 1);
}

void txTeamRun(int most, txTeamWork work, void *user) {
  txTeam team = {.work = work, .user = user};
  member all[MOST];
  pthread_t thread[MOST];
  long processors = most > 1 ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
  int wanted = txLeast(txLeast(most, MOST), processors < MOST ? (int)processors : MOST),
      members = 1;
  for (; members < wanted; members++) {
    all[members] = (member){&team, members};
    if (pthread_create(&thread[members], NULL, join, &all[members]))
      break;
  }
  atomic_store(&team.members, members);
  work(user, &team, 0, members);
  for (int i = 1; i < members; i++)
    pthread_join(thread[i], NULL);
}
