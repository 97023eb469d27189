/* Scene files of the demos: lines, lists, words, numbers, formulas. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "common/scene.h"

typedef struct Scene {
  demoScene scene;
  int edge, count;
  float u;
  bool flag;
  struct {
    double x;
    demoFormula height;
  } drop[3];
} Scene;

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seed[] = {
      "# a scene\ntitle a wake\nabout words, and more\nsize 320, 120\nsteps 4\nfield dye\n"
      "let r = hypot(x - 0.45, y) # a remark\nleft inflow, u = 1.5, flag\n"
      "probe 0.3, 0.5\nprobe 1/3, 2\nalong 0.1, 0.5, 0.9, 1e-3\n"
      "drop x = 2 * pi, height = if(r < 0.1 & t > 2, -r ^ 2, random(n + 1))\ndrop x = 1\n",
      "title a\nsize 1, 1\nlet a = x + y\nlet b = a * a / w\nlet c = smooth(b, a, h) | nu <= 1e-3\n"
      "drop height = c + (((mod(b, max(a, 2)))))\n"};
  *size = 0;
  return k < 2 ? seed[k] : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const fields[] = {"u", "dye", NULL}, *const edges[] = {"wall", "inflow", NULL};
  static const demoEntry left[] = {
      {.kind = DEMO_WORD, .offset = offsetof(Scene, edge), .words = edges},
      {"u", DEMO_SINGLE, offsetof(Scene, u)},
      {"flag", DEMO_FLAG, offsetof(Scene, flag)},
      {0}};
  static const demoEntry drop[] = {{"x", DEMO_NUMBER, 0, .least = -10, .most = 10},
                                   {"height", DEMO_FORMULAS, sizeof(double)},
                                   {0}};
  static const demoRule rules[] = {{"left", left},
                                   {"drop", drop, offsetof(Scene, drop), false, 3,
                                    sizeof(((Scene *)0)->drop[0]), offsetof(Scene, count)},
                                   {0}};
  const double place[DEMO_VARIABLES] = {0.3, 0.6, 1.5, 0.01, 2, 3, 1e-3, 7};
  char *text = fuzzText(data, size);
  Scene *scene = calloc(1, sizeof *scene);
  clError error = {0};
  fuzzAssert(scene);
  clStatus status = demoSceneRead(&scene->scene, rules, fields, text, "fuzz.scene", &error);
  fuzzAssert(status == TEXLA_OK || strncmp(error.message, "--scene: fuzz.scene:", 20) == 0);
  fuzzAssert(scene->count <= 3 && scene->scene.lets <= DEMO_LETS && (unsigned)scene->edge < 2);
  if (!status)
    fuzzAssert(scene->scene.size[0] > 0 && scene->scene.size[1] > 0 && scene->scene.steps > 0);
  fuzzAssert(scene->scene.probes <= DEMO_PROBES);
  for (int k = 0; k < scene->scene.probes; k++)
    fuzzAssert(isfinite(scene->scene.probe[k][0]) && isfinite(scene->scene.probe[k][1]));
  for (int k = 0; k < scene->count; k++) {
    fuzzAssert(fabs(scene->drop[k].x) <= 10);
    demoFormulaAt(&scene->drop[k].height, place);
  }
  free(scene);
  free(text);
  return 0;
}
