/* Where obstacles end: distances from a disc that covers parts of cells, and from whole cells. */
#include "common.h"
#include "common/walls.h"

enum { NX = 60, NY = 45, CELLS = NX * NY };
static const double middle[2] = {28.3, 21.8}, radius = 11.4;
/* in cells: beside the edge, and as far as four cells from it */
static const double besideError = 0.12, nearError = 0.2;

static double discAt(double x, double y) {
  return hypot(x - middle[0], y - middle[1]) - radius;
}

static void discsAreRound(void **state) {
  float cover[CELLS], distance[CELLS];
  for (int k = 0; k < CELLS; k++) {
    cover[k] = 0;
    for (int s = 0; s < DEMO_PLACES; s++) {
      double place[2];
      demoWallsPlace(place, s);
      cover[k] += discAt(k % NX + place[0], k / NX + place[1]) < 0;
    }
    cover[k] /= DEMO_PLACES;
  }
  demoWalls(distance, cover, NX, NY);
  assert_true(demoWallsCut(distance, CELLS));
  for (int k = 0; k < CELLS; k++) {
    double d = discAt(k % NX + 0.5, k / NX + 0.5), error = fabs((double)distance[k] - d);
    if (fabs(d) < 0.4)
      assert_true(error < besideError);
    if (fabs(d) < 4)
      assert_true(error < nearError);
    assert_true((distance[k] < 0) == (d < 0) || fabs(d) < besideError);
  }
}

static void wholeCellsStayWhole(void **state) {
  float cover[CELLS], distance[CELLS];
  for (int k = 0; k < CELLS; k++) {
    int i = k % NX, j = k / NX;
    cover[k] = i >= 20 && i < 31 && j >= 10 && j < 30;
  }
  demoWalls(distance, cover, NX, NY);
  assert_false(demoWallsCut(distance, CELLS));
  for (int i = 0; i < 20; i++)
    assert_true(fabs((double)distance[20 * NX + i] - (19.5 - i)) < 1e-4);
  assert_true(fabs((double)distance[20 * NX + 25] + 5.5) < 1e-4);
}

static void nothingIsFar(void **state) {
  float cover[CELLS] = {0}, distance[CELLS];
  demoWalls(distance, cover, NX, NY);
  for (int k = 0; k < CELLS; k++)
    assert_true(distance[k] == DEMO_FAR);
}

TEST_MAIN(NULL, NULL, discsAreRound, wholeCellsStayWhole, nothingIsFar)
