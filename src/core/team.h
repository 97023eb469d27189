/* Threads that work together on one task after another, and meet many times within a task.
 *
 * They wait for a task asleep, and for each other awake: starting threads takes longer than a
 * column of a panel, and so does waking them. */
#ifndef TEXLA_CORE_TEAM_H
#define TEXLA_CORE_TEAM_H

#include "platform/companion.h"

/* Belongs to one thread, which calls all functions but txTeamMeet and is member 0 of every task. A
 * team that is NULL is allowed everywhere, and is the calling thread alone. */
typedef struct txTeam txTeam;

/* A team of up to `members`, the calling thread among them: of fewer where there are fewer
 * processors, or where threads cannot be started. NULL: there is no memory. */
TX_COMPANION txTeam *txTeamCreate(int members);
TX_COMPANION void txTeamDestroy(txTeam *team);

/* What one member does of a task; members are numbered from 0. What they compute must not depend
 * on how many they are. */
typedef void (*txTeamWork)(void *user, txTeam *team, int member, int members);

/* Calls `work` on each of up to `members` members, and returns when all are done. */
TX_COMPANION void txTeamRun(txTeam *team, int members, txTeamWork work, void *user);

/* Within a task: returns when all its members have called it. */
TX_COMPANION void txTeamMeet(txTeam *team);

#endif
