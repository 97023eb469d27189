/* Quads of tiles as vertices, which both ways to plan sweeps draw. */
#include "crout/crout.h"

/* Two triangles. */
void txQuadsAdd(txQuads *q, int begin, int x0, int y0, int x1, int y1) {
  static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  for (int k = 0; k < 6 && q->data; k++) {
    float *v = q->data + 3 * (q->vertices + k);
    v[0] = (float)(corner[k][0] ? x1 : x0);
    v[1] = (float)(corner[k][1] ? y1 : y0);
    v[2] = (float)begin;
  }
  q->vertices += 6;
}

/* Those of the matrix before are given back. */
clStatus txQuadsCreate(clCrout *c, const char *call, const txQuads *q) {
  txVerticesDestroy(c->quads);
  c->quads = NULL;
  return txVerticesCreate(&c->quads, c->context, call, q->data, q->vertices, (const int[]){2, 1},
                          2);
}
