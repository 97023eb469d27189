/* Stream functions summed up on the device, against the one that the velocities were made of. */
#include "common/streams.h"

#include "one_context.h"

static double psiAt(int i, int j) {
  return 2 * sin(0.7 * i + 0.2) * cos(0.45 * j) + 0.3 * i - 0.1 * j;
}

/* u = psi_y and v = -psi_x on the right and the top faces, psi being given in the cells' upper
 * right corners. */
static void checkSize(int nx, int ny) {
  demoVectors vectors = {.faces = true, .closed = true};
  clVector *u, *v;
  demoStreams *streams;
  const clVector *psi;
  const clFloat *most;
  size_t n = (size_t)nx * (size_t)ny;
  float *values = malloc(3 * n * sizeof *values), largest;
  for (int k = 0; k < nx * ny; k++) {
    values[k] = (float)(psiAt(k % nx, k / nx) - psiAt(k % nx, k / nx - 1));
    values[n + (size_t)k] = (float)(psiAt(k % nx - 1, k / nx) - psiAt(k % nx, k / nx));
  }
  CHECK(clVectorCreateGrid(&u, context, nx, ny));
  CHECK(clVectorCreateGrid(&v, context, nx, ny));
  CHECK(clVectorUpload(u, values));
  CHECK(clVectorUpload(v, values + n));
  vectors.u = u;
  vectors.v = v;
  CHECK(demoStreamsCreate(&streams, context, nx, ny));
  CHECK(demoStreamsFunction(streams, &vectors, &psi, &most));
  CHECK(clVectorDownload(psi, values));
  CHECK(clFloatDownload(most, &largest));
  double shift = (double)values[0] - psiAt(0, 0), expected = 0;
  for (int k = 0; k < nx * ny; k++) {
    assert_true(fabs((double)values[k] - psiAt(k % nx, k / nx) - shift) < 2e-5 * (nx + ny));
    expected = fmax(expected, fabs((double)values[k]));
  }
  assert_true((double)largest == expected);
  demoStreamsDestroy(streams);
  clVectorDestroy(u);
  clVectorDestroy(v);
  free(values);
}

static void streamFunctionsOfAnyShape(void **state) {
  checkSize(1, 1);
  checkSize(5, 3);
  checkSize(33, 17);
  checkSize(64, 1);
  checkSize(1, 9);
  checkSize(50, 70);
}

TEST_MAIN(setUp, testContextDestroy, streamFunctionsOfAnyShape)
