/* The five-point Laplacian as hypre's structured grids take it, for the peers of both
 * benchmarks. */
#ifndef TEXLA_BENCH_PEERS_FIVE_POINT_H
#define TEXLA_BENCH_PEERS_FIVE_POINT_H

/* The stencil's places: a point itself, its neighbours to the west, east, south and north. */
#define FIVE_POINT_OFFSETS                                                                         \
  {                                                                                                \
    {0, 0}, {-1, 0}, {1, 0}, {0, -1}, {                                                            \
      0, 1                                                                                         \
    }                                                                                              \
  }

/* The row of point (i, j) of nx x ny in that order: 4 -1 -1 -1 -1, where no coupling leads across
 * the grid's edges, beyond which x is zero. */
static inline void fivePoint(double value[5], int i, int j, int nx, int ny) {
  value[0] = 4;
  value[1] = -(i > 0);
  value[2] = -(i < nx - 1);
  value[3] = -(j > 0);
  value[4] = -(j < ny - 1);
}

#endif
