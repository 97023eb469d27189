/* The same as host_panel_lu.c with vectors of 16, for processors that have them. [2048 rows, 240
 * columns: 1.1 ms instead of 2.2 with vectors of 8; without such vectors 16 at once take 3.0] */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
enum { LINE = 16 };
#include "elimination/host_panel_lu.inc"

#if TX_TARGETS
TX_TARGET("avx512f,avx512dq")
void txHostPanelLuWidest(void *user, txTeam *team, int member, int members) {
  work(user, team, member, members);
}
#endif
