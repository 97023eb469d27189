/* ESRI ASCII grids: what is written reads back, and what is wrong is refused with its place. */

#include "texla/terrain.h"

#include "common.h"
#include <unistd.h>

static clError error;
static char path[64];

static void writeText(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void readsBack(void **state) {
  float height[] = {1.5f, -2, 0.1f, 1e-30f, NAN, -12345.678f};
  clTerrain t = {.nx = 3, .ny = 2, .x = 1e6 + 0.25, .y = -7, .cell = 0.1, .height = height},
            back = {0};
  assert_int_equal(clTerrainWrite(path, &t, &error), TEXLA_OK);
  assert_int_equal(clTerrainRead(&back, path, &error), TEXLA_OK);
  assert_true(back.nx == 3 && back.ny == 2 && back.x == t.x && back.y == t.y &&
              back.cell == t.cell);
  for (int k = 0; k < 6; k++)
    assert_true(back.height[k] == height[k] || (isnan(height[k]) && isnan(back.height[k])));
  clTerrainFree(&back);
}

static void readsOthers(void **state) {
  AT_END(clTerrainFree) clTerrain t = {0};
  writeText("NROWS 2\r\nncols 2\r\nXLLCENTER 10\nyllcenter 20\nCellSize 4\nnodata_value -1\n 1 "
            "2\n3 -1\n");
  assert_int_equal(clTerrainRead(&t, path, &error), TEXLA_OK);
  assert_true(t.x == 8 && t.y == 18 && t.cell == 4);
  assert_true(t.height[0] == 3 && isnan(t.height[1]) && t.height[2] == 1 && t.height[3] == 2);
}

static void refuses(void **state) {
  static const struct {
    const char *text;
    clStatus status;
    const char *message;
  } bad[] = {
      {"", TEXLA_BAD_FILE, "ncols, nrows and cellsize are needed"},
      {"ncols 2\nnrows 2\n1 2 3 4\n", TEXLA_BAD_FILE, ":3: ncols, nrows and cellsize"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 2\n3\n", TEXLA_BAD_FILE, "ends after 3 of 4 heights"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 2\n3 4 5\n", TEXLA_BAD_FILE,
       ":5: '5' follows the last of 4"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 2\n3 x\n", TEXLA_BAD_FILE,
       ":5: a height is not a number: 'x'"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 nan\n3 4\n", TEXLA_NOT_FINITE, "height nan of cell (1, 1)"},
      {"ncols 2\nnrows 2\ncellsize 1\n1 2\n1e39 4\n", TEXLA_NOT_FINITE, "of cell (0, 0)"},
      {"ncols 2.5\nnrows 2\ncellsize 1\n", TEXLA_BAD_FILE, "positive integers"},
      {"ncols -2\nnrows 2\ncellsize 1\n", TEXLA_BAD_FILE, "positive integers"},
      {"ncols 100000\nnrows 100000\ncellsize 1\n", TEXLA_TOO_LARGE, "100000 x 100000 cells"},
      {"ncols 2\nnrows 2\ncellsize 0\n", TEXLA_BAD_FILE, "cellsize (0)"},
      {"ncols 2\nnrows 2\nncols 2\n", TEXLA_BAD_FILE, ":3: ncols is given twice"},
      {"ncols 2\nrows 2\n", TEXLA_BAD_FILE, ":2: unknown key 'rows'"},
      {"ncols two\n", TEXLA_BAD_FILE, "ncols is not a number: 'two'"},
      {"ncols 2\nnrows 2\ncellsize 1\nxllcorner inf\n1 2 3 4", TEXLA_NOT_FINITE, "xllcorner (inf)"},
      {"\x89PNG\r\n", TEXLA_BAD_FILE, "unknown key"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    clTerrain t = {.nx = 77};
    writeText(bad[k].text);
    clStatus status = clTerrainRead(&t, path, &error);
    if (status != bad[k].status || !strstr(error.message, bad[k].message))
      fail_msg("'%s': status %d, %s", bad[k].text, (int)status, error.message);
    assert_int_equal(t.nx, 77);
  }
  clTerrain t = {0};
  assert_int_equal(clTerrainRead(&t, "no/such/file", &error), TEXLA_IO_ERROR);
  float height[] = {1, -9999};
  assert_int_equal(clTerrainWrite(path, &(clTerrain){2, 1, 0, 0, 1, height}, &error),
                   TEXLA_NOT_FINITE);
  height[1] = INFINITY;
  assert_int_equal(clTerrainWrite(path, &(clTerrain){2, 1, 0, 0, 1, height}, &error),
                   TEXLA_NOT_FINITE);
  assert_int_equal(clTerrainWrite(path, &(clTerrain){2, 1, 0, 0, 0, height}, &error),
                   TEXLA_BAD_ARGUMENT);
}

/* All in one temporary file. */
static int setUpFile(void **state) {
  strcpy(path, "/tmp/texla-terrain-XXXXXX");
  int file = mkstemp(path);
  return file < 0 || close(file);
}

static int removeFile(void **state) {
  return remove(path);
}

TEST_MAIN(setUpFile, removeFile, readsBack, readsOthers, refuses)
