/* Threads that work together on one thing for a millisecond or less, and wait for each other many
 * times on the way: they spin. */
#ifndef TEXLA_CORE_TEAM_H
#define TEXLA_CORE_TEAM_H

typedef struct txTeam txTeam;
typedef void (*txTeamWork)(void *user, txTeam *team, int member, int members);

/* `work` on up to `most` threads, the caller's being member 0; at most as many as there are
 * processors. What they compute must not depend on how many they are. */
void txTeamRun(int most, txTeamWork work, void *user);

/* Returns when all members have called it. */
void txTeamMeet(txTeam *team);

#endif
