/* Threads that work on one task after another, and meet within a task: starting threads takes
 * longer than a column of a panel. */
#ifndef TEXLA_MPI_TEAM_H
#define TEXLA_MPI_TEAM_H

/* One member is the calling thread. */
typedef struct txTeam txTeam;
/* A team of up to `members`, of fewer where threads cannot be started; NULL: there is no memory. */
txTeam *txTeamCreate(int members);
/* NULL is allowed */
void txTeamDestroy(txTeam *team);

/* Calls `task` on each of up to `members` members, numbered from 0, which is the calling thread;
 * returns when all are done. */
typedef void (*txTask)(void *user, int member, int members);
void txTeamRun(txTeam *team, int members, txTask task, void *user);
/* Within a task: waits until all members of the task are here. */
void txTeamMeet(txTeam *team);

#endif
