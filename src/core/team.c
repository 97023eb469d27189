#include "core/team.h"
#include "core/numbers.h"
#include "platform/platform.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
  /* So often is looked at a number that is about to change, before the processor is offered to
   * others. */
  PATIENCE = 4000
};

typedef struct member {
  txTeam *team;
  int number;
  pthread_t thread;
} member;

struct txTeam {
  /* The calling thread is one of them. */
  int members;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  /* The task: which one it is, counted from the first, how many take part, and what they do. Only
   * the calling thread changes these, and holds the mutex meanwhile. */
  unsigned tasks;
  int active;
  txTeamWork work;
  void *user;
  bool over;
  /* The meeting: how many members have come, and how many meetings were held before. */
  atomic_int here;
  atomic_uint meetings;
  member member[];
};

void txTeamMeet(txTeam *team) {
  if (!team)
    return;
  unsigned meeting = atomic_load(&team->meetings);
  /* As long as this member is not here, the task is not over, and nobody begins another one. */
  int others = team->active - 1;
  if (atomic_fetch_add(&team->here, 1) == others) {
    atomic_store(&team->here, 0);
    atomic_fetch_add(&team->meetings, 1);
    return;
  }
  for (int looks = 0; atomic_load(&team->meetings) == meeting; looks++)
    if (looks >= PATIENCE)
      sched_yield();
}

static void *workOn(void *argument) {
  member *m = argument;
  txTeam *team = m->team;
  for (unsigned task = 0;;) {
    pthread_mutex_lock(&team->mutex);
    while (!team->over && (team->tasks == task || m->number >= team->active)) {
      task = team->tasks;
      pthread_cond_wait(&team->wake, &team->mutex);
    }
    task = team->tasks;
    bool over = team->over;
    pthread_mutex_unlock(&team->mutex);
    if (over)
      return NULL;
    team->work(team->user, team, m->number, team->active);
    txTeamMeet(team);
  }
}

txTeam *txTeamCreate(int members) {
  int processors = txProcessors();
  if (members > processors)
    members = processors;
  if (members < 1)
    members = 1;
  txTeam *team = calloc(1, sizeof *team + (size_t)members * sizeof *team->member);
  if (!team)
    return NULL;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->wake, NULL);
  atomic_init(&team->here, 0);
  atomic_init(&team->meetings, 0);
  for (team->members = 1; team->members < members; team->members++) {
    member *m = &team->member[team->members];
    m->team = team;
    m->number = team->members;
    if (pthread_create(&m->thread, NULL, workOn, m))
      break;
  }
  return team;
}

void txTeamDestroy(txTeam *team) {
  if (!team)
    return;
  pthread_mutex_lock(&team->mutex);
  team->over = true;
  pthread_cond_broadcast(&team->wake);
  pthread_mutex_unlock(&team->mutex);
  for (int m = 1; m < team->members; m++)
    pthread_join(team->member[m].thread, NULL);
  pthread_cond_destroy(&team->wake);
  pthread_mutex_destroy(&team->mutex);
  free(team);
}

void txTeamRun(txTeam *team, int members, txTeamWork work, void *user) {
  if (!team) {
    work(user, NULL, 0, 1);
    return;
  }
  members = txLeast(members, team->members);
  pthread_mutex_lock(&team->mutex);
  team->active = members < 1 ? 1 : members;
  team->work = work;
  team->user = user;
  team->tasks++;
  pthread_cond_broadcast(&team->wake);
  pthread_mutex_unlock(&team->mutex);
  work(user, team, 0, team->active);
  txTeamMeet(team);
}
