#include "mpi/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
  /* looks at a number that is about to change, before the processor is given to others */
  PATIENCE = 4000
};

typedef struct member {
  txTeam *team;
  int number;
  pthread_t thread;
} member;

struct txTeam {
  /* the calling thread among them */
  int members;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  /* that were begun; under the mutex, as what follows */
  unsigned tasks;
  int active;
  bool over;
  txTask task;
  void *user;
  /* members that wait for the others */
  atomic_int here;
  /* that were held */
  atomic_uint meetings;
  member member[];
};

void txTeamMeet(txTeam *team) {
  unsigned meeting = atomic_load(&team->meetings);
  /* as long as this member is not here, the task is not over, and nobody begins another one */
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

static void *work(void *argument) {
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
    team->task(team->user, m->number, team->active);
    txTeamMeet(team);
  }
}

txTeam *txTeamCreate(int members) {
  members = members < 1 ? 1 : members;
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
    if (pthread_create(&m->thread, NULL, work, m))
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

void txTeamRun(txTeam *team, int members, txTask task, void *user) {
  members = members < team->members ? members : team->members;
  pthread_mutex_lock(&team->mutex);
  team->active = members < 1 ? 1 : members;
  team->task = task;
  team->user = user;
  team->tasks++;
  pthread_cond_broadcast(&team->wake);
  pthread_mutex_unlock(&team->mutex);
  task(user, 0, team->active);
  txTeamMeet(team);
}
