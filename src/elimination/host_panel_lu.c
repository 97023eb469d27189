/* L U of a panel on the host, with vectors that suit the processor. No product is fused with a sum:
 * the results are the same on all processors. */
enum { LINE = 8 };
#include "elimination/host_panel_lu.inc"

#include <stdbool.h>

enum { WORTH = 1 << 15 /* entries: fewer are not worth several threads */ };

static void hostPanelLuFactorBy(void *user, txTeam *team, int member, int members) {
  work(user, team, member, members);
}

#if TX_TARGETS
TX_TARGET("avx2") static void factorWide(void *user, txTeam *team, int member, int members) {
  work(user, team, member, members);
}
#endif

clStatus txHostPanelLu(txHostPanel *p) {
  enum { PART = TX_HOST_PANEL_LINE };
  int64_t entries = (int64_t)p->rows * 2 * p->width;
  txTeamWork run = hostPanelLuFactorBy;
#if TX_TARGETS
  if (TX_SUPPORTS("avx2"))
    run = factorWide;
  if (TX_SUPPORTS("avx512dq"))
    run = txHostPanelLuWidest;
#endif
  /* an odd number of parts: rows of a power of two evict each other */
  p->lead = PART * (((p->rows + 3) / PART + 1) | 1);
  p->aligned = (int)(-(uintptr_t)p->columns % (4 * PART) / sizeof *p->columns);
  p->status = TEXLA_OK;
  txTeam *team = NULL;
  if (entries >= WORTH && p->threads > 1) {
    if (!p->team)
      p->team = txTeamCreate(p->threads);
    team = p->team;
  }
  txTeamRun(team, p->threads, run, p);
  return p->status;
}
