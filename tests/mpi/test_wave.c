/* The explicit wave over all ranks: bit for bit that of one process. */
#include "several.h"

#include "texla/wave.h"

static int size[2];

static float bumps(void *user, int64_t i, int64_t j) {
  (void)user;
  double x = (double)i / size[0] - 0.4, y = (double)j / size[1] - 0.6;
  return (float)(exp(-80 * (x * x + y * y)) + 0.01 * sin(0.7 * (double)i) * cos(0.3 * (double)j));
}

/* The same on one process. */
static float *alone(const clWaveOptions *o, int64_t steps) {
  clContext *context = clClusterContext(cluster);
  clWave *wave = NULL;
  float *u = calloc((size_t)o->nx * (size_t)o->ny, sizeof *u);
  for (int j = 0; j < o->ny; j++)
    for (int i = 0; i < o->nx; i++)
      u[j * o->nx + i] = bumps(NULL, i, j);
  CHECK_OK(clWaveCreate(&wave, context, o));
  CHECK_OK(clWaveUpload(wave, u, NULL));
  CHECK_OK(clWaveStep(wave, steps));
  CHECK_OK(clVectorDownload(clWaveHeight(wave), u));
  clWaveDestroy(wave);
  return u;
}

static void testWave(int nx, int ny, int px, int py, clWaveEdge edge) {
  enum { STEPS = 30 };
  clWaveOptions options = {.nx = nx, .ny = ny, .edge = {edge, edge, edge, edge}};
  clClusterWave *wave = NULL;
  size[0] = nx;
  size[1] = ny;
  float *all = calloc((size_t)nx * (size_t)ny, sizeof *all);
  CHECK_OK(clClusterWaveCreate(&wave, cluster, &options, px, py));
  CHECK_OK(clClusterWaveUpload(wave, bumps, NULL));
  /* between two exchanges */
  CHECK_OK(clClusterWaveStep(wave, 3));
  CHECK_OK(clClusterWaveStep(wave, STEPS - 3));
  CHECK_OK(clClusterWaveGather(wave, all));
  if (clClusterRank(cluster) == 0) {
    float *one = alone(&options, STEPS), most = 0;
    int different = 0;
    for (int k = 0; k < nx * ny; k++) {
      different += memcmp(&one[k], &all[k], sizeof *one) != 0;
      most = fmaxf(most, fabsf(one[k]));
    }
    if (different)
      fprintf(stderr, "%d x %d points in %d x %d parts, edge %d: %d points differ\n", nx, ny, px,
              py, (int)edge, different);
    CHECK(!different && most > 0.01f && most < 10);
    free(one);
  }
  clClusterWaveDestroy(wave);
  free(all);
}

/* More columns than one texture has. */
static void testLarge(void) {
  int most = 4 * clContextInspect(clClusterContext(cluster))->max_texture_size;
  size[0] = most + 64;
  size[1] = 8;
  clWaveOptions options = {.nx = size[0], .ny = size[1]};
  clWave *one = NULL;
  clClusterWave *wave = NULL;
  /* another device: too much for a test */
  if (most > 70000)
    return;
  CHECK_FAILS(clWaveCreate(&one, clClusterContext(cluster), &options), TEXLA_TOO_LARGE);
  CHECK_OK(clClusterWaveCreate(&wave, cluster, &options, 0, 0));
  CHECK_OK(clClusterWaveUpload(wave, bumps, NULL));
  CHECK_OK(clClusterWaveStep(wave, 8));
  clClusterWaveDestroy(wave);
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  int ranks = clClusterSize(cluster);
  testWave(60, 37, 0, 0, TEXLA_WAVE_EDGE_REFLECTING);
  testWave(61, 70, 0, 0, TEXLA_WAVE_EDGE_FIXED);
  /* ranks without points */
  testWave(5, 9, 1, ranks > 1 ? 2 : 1, TEXLA_WAVE_EDGE_REFLECTING);
  if (ranks == 4)
    testWave(50, 42, 2, 2, TEXLA_WAVE_EDGE_REFLECTING);
  if (ranks == 6)
    testWave(53, 42, 3, 2, TEXLA_WAVE_EDGE_FIXED);
  if (ranks == 2)
    testLarge();
  clClusterWave *none = NULL;
  clWaveOptions mixed = {.nx = 64, .ny = 64, .edge = {TEXLA_WAVE_EDGE_FIXED}};
  CHECK_FAILS(clClusterWaveCreate(&none, cluster, &mixed, 1, 1), TEXLA_UNSUPPORTED);
  return clusterEnd();
}
