/* Equations of the lab: read as lines of a scene, then translated into GLSL, which has to be
 * whole. */
#include "fuzz/fuzz.h"

#include "common/scene.h"
#include "lab/translate.h"

typedef struct Scene {
  demoScene scene;
  demoFormula rate[2];
} Scene;

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seed[] = {
      "title a\nsize 4, 4\nu' = D*lap(u) - u*v^2 + F*(1 - u)\nv' = div(1 + u^2, v) + "
      "dx(dy(u))\nparameter D = 0.2, 0, 1\nparameter F = 1\n",
      "title a\nsize 4, 4\nlet a = if(x < y, hypot(x, t), mod(y, h))\nu' = -(2 * "
      "lap(u^3 - u - 0.1 * lap(u)) / 3) + a * smooth(u, -1, 1)\n",
      "title a\nsize 4, 4\nfields prey, hunter\nhunter' = min(max(abs(prey), 1e30), "
      "tanh(q)) & (u >= 2 | -v ^ -2.5 < 3) - lap(lap(v))\n",
      "title a\nsize 4, 4\nu' = 6e14 * lap(u)\n"};
  *size = 0;
  return k < 4 ? seed[k] : NULL;
}

/* Brackets close, and none before it was opened. */
static void checkBrackets(const char *text) {
  int depth = 0;
  for (; *text; text++) {
    depth += (*text == '(') - (*text == ')');
    fuzzAssert(depth >= 0);
  }
  fuzzAssert(depth == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const fields[] = {"u", NULL};
  static const demoEntry rate[] = {{.kind = DEMO_RATES}, {0}};
  static const demoRule rules[] = {
      {"u'", rate, offsetof(Scene, rate[0])}, {"v'", rate, offsetof(Scene, rate[1])}, {0}};
  static Translation out;
  double variable[DEMO_VARIABLES] = {0};
  char *text = fuzzText(data, size);
  Scene *scene = calloc(1, sizeof *scene);
  clError error = {0};
  fuzzAssert(scene);
  clStatus status = demoSceneRead(&scene->scene, rules, fields, text, "fuzz", &error);
  fuzzAssert(status == TEXLA_OK || strncmp(error.message, "--scene: fuzz:", 14) == 0);
  for (int k = 0; k < scene->scene.parameters; k++)
    variable[DEMO_PARAMETER + k] = scene->scene.parameter[k].value;
  if (!status && translateRates(&out, scene->rate, 2, variable))
    checkBrackets(out.text);
  if (!status && translatePicture(&out, &scene->rate[0], 0, variable))
    checkBrackets(out.text);
  fuzzAssert(translateMissing(&scene->rate[0], 4) < 0);
  free(scene);
  free(text);
  return 0;
}
