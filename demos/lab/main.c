/* lab: type a right-hand side and look at what it does. Reaction and diffusion, waves,
 * Schroedinger's equation, patterns: clEvolution, in a window or, without a display, as pictures or
 * a film. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mask.h"
#include "common/show.h"
#include "core/error.h"
#include "io/number.h"
#include "scenes.h"
#include "translate.h"
#include "core/try.h"

enum { FIELDS = TEXLA_EVOLUTION_FIELDS };

typedef struct Program {
  demoShow *show;
  clEvolution *evolution;
  /* the one that runs */
  Scene scene;
  Translation rates, picture;
  TranslateEdges edges;
  /* of all cells; NULL: the scene names none */
  float *image[DEMO_IMAGES], *domain;
  /* -1: the scene's own */
  int scheme, edge;
  double height;
} Program;

/* It is kept apart from the program, of which `create` makes a second one for a moment. */
static Scene theScene;
/* What may be shown: the first two are made of the scene's picture, the others are fields. */
enum { FIELD_PICTURE, FIELD_VIEW, FIELD_FIRST };
static const char *const fieldNames[] = {"picture", "view", "u", "v", "w", "q", NULL};

/* --- the scene --- */

/* Fields are counted up to the last one that has an equation; one without in between is an error
 * that checkFields tells. */
static int fieldsOf(const Scene *scene) {
  int count = FIELDS;
  while (count > 1 && !scene->rate[count - 1].count)
    count--;
  return count;
}

/* What the scene's text says line by line may not fit together: equations and the picture may ask
 * for fields that nobody computes. */
static clStatus checkFields(Program *p, const Scene *scene) {
  int fields = fieldsOf(scene);
  for (int f = 0; f < fields; f++) {
    int missing = f;
    if (scene->rate[f].count)
      missing = translateMissing(&scene->rate[f], fields);
    if (missing >= 0)
      return txFail(&p->show->error, TEXLA_BAD_FILE, "the scene",
                    "%c has no equation: add a line  %c' = ...", demoLetters[missing],
                    demoLetters[missing]);
  }
  int missing = translateMissing(&scene->picture, fields);
  if (missing >= 0)
    return txFail(&p->show->error, TEXLA_BAD_FILE, "the scene",
                  "the picture asks for %c, which has no equation", demoLetters[missing]);
  for (int s = 0; s < 4; s++)
    for (int f = 0; f < FIELDS; f++) {
      const demoEdge *edge = &scene->given[s][f];
      missing = edge->kind ? f : 0;
      if (missing < fields)
        missing = translateMissing(&edge->formula, fields);
      if (missing >= 0)
        return txFail(&p->show->error, TEXLA_BAD_FILE, "the scene",
                      "an edge asks for %c, which has no equation", demoLetters[missing]);
      if (edge->kind && scene->edge[s] == TEXLA_EVOLUTION_PERIODIC)
        return txFail(&p->show->error, TEXLA_BAD_FILE, "the scene",
                      "a periodic edge has no values of its own");
    }
  const char *only = translateOfRates(&scene->picture);
  if (only)
    return txFail(&p->show->error, TEXLA_BAD_FILE, "the scene",
                  "the picture cannot ask for %s: give it a field of its own", only);
  if (demoField(p->show) >= FIELD_FIRST + fields)
    return txFail(&p->show->error, TEXLA_BAD_ARGUMENT, "--field",
                  "%s has no equation in this scene", fieldNames[demoField(p->show)]);
  return TEXLA_OK;
}

/* Of the domain, in the scene's units. */
static double heightOf(const Program *p) {
  if (p->height > 0)
    return p->height;
  if (p->scene.height > 0)
    return p->scene.height;
  return 1;
}

/* What formulas may ask for, in the scene's own units. */
static void setVariables(const Program *p, double variable[DEMO_VARIABLES]) {
  demoVariables(p->show, variable);
  variable[DEMO_W] *= heightOf(p);
  variable[DEMO_H] *= heightOf(p);
}

/* --- the evolution --- */

/* --edge stands for the edges of all sides. */
static clEvolutionEdge edgeOf(const Program *p, int side) {
  if (p->edge >= 0)
    return (clEvolutionEdge)p->edge;
  return (clEvolutionEdge)p->scene.edge[side];
}

/* The equations and the picture become GLSL. Without a line that says what is coloured it is u. */
static clStatus translate(Program *p) {
  const demoFormula u = {.count = 1, .operation = {{1, DEMO_FIELD}}}, *picture = &u;
  const Scene *scene = &p->scene;
  double variable[DEMO_VARIABLES];
  setVariables(p, variable);
  if (scene->picture.count)
    picture = &scene->picture;
  bool fixed[4], others = p->edge >= 0 && p->edge != TEXLA_EVOLUTION_FIXED;
  static const demoEdge none[4][FIELDS];
  for (int s = 0; s < 4; s++)
    fixed[s] = edgeOf(p, s) == TEXLA_EVOLUTION_FIXED;
  if (translateRates(&p->rates, scene->rate, fieldsOf(scene), variable) &&
      translatePicture(&p->picture, picture, p->rates.totals, variable) &&
      translateEdges(&p->edges, others ? none : scene->given, fixed, fieldsOf(scene), variable))
    return TEXLA_OK;
  if (p->rates.totals > TEXLA_EVOLUTION_TOTALS || p->picture.totals > TEXLA_EVOLUTION_TOTALS)
    return txFail(&p->show->error, TEXLA_TOO_LARGE, "the scene",
                  "there may be %d means, integrals, min and max in all", TEXLA_EVOLUTION_TOTALS);
  return txFail(&p->show->error, TEXLA_TOO_LARGE, "the scene", "these equations are too long");
}

/* How long a step of the classical Runge-Kutta scheme may be for D lap and -B lap lap: their
 * fastest mode, a chessboard, may decay at the rate 2.78 / dt. */
static double explicitLimit(const Translation *rates, int fields, double h) {
  double fastest = 0;
  for (int f = 0; f < fields; f++) {
    double second = 8 / (h * h) * fabs(rates->diffusion[f]);
    double fourth = 64 / pow(h, 4) * fabs(rates->fourth[f]);
    fastest = fmax(fastest, second + fourth);
  }
  return 2.7 / fastest;
}

/* The scene's step belongs to its own grid and scheme; a finer grid takes shorter ones, and so does
 * what has become explicit. */
static double stepOf(const Program *p, const clEvolutionOptions *o) {
  const demoOptions *options = &p->show->options;
  const bool implicit = o->scheme != TEXLA_EVOLUTION_RK4;
  double step = 0.1, finer = (double)p->scene.scene.size[1] / options->size[1];
  if (options->dt > 0)
    return options->dt;
  if (p->scene.dt > 0)
    step = p->scene.dt;
  step *= pow(fmin(finer, 1), translateStiffness(&p->rates, o->fields, implicit));
  if (implicit)
    return step;
  return fmin(step, explicitLimit(&p->rates, o->fields, o->h));
}

/* The domain's cells are squares; D and B are what the translation has found to be linear, so that
 * it can be solved for implicitly. */
static clEvolutionOptions evolutionOptions(const Program *p) {
  const demoOptions *options = &p->show->options;
  const Scene *scene = &p->scene;
  clEvolutionOptions o = {.nx = options->size[0],
                          .ny = options->size[1],
                          .h = heightOf(p) / options->size[1],
                          .fields = fieldsOf(scene),
                          .rate = p->rates.text,
                          .seed = (int)(options->seed & 0xffffff),
                          .scheme = (clEvolutionScheme)scene->scheme};
  if (p->scheme >= 0)
    o.scheme = (clEvolutionScheme)p->scheme;
  o.dt = stepOf(p, &o);
  for (int k = 0; k < p->picture.totals; k++) {
    const Translation *t = &p->rates;
    if (k >= p->rates.totals)
      t = &p->picture;
    o.total[k] = t->total[k];
    o.total_kind[k] = t->kind[k];
  }
  memcpy(o.diffusion, p->rates.diffusion, sizeof o.diffusion);
  memcpy(o.fourth, p->rates.fourth, sizeof o.fourth);
  for (int k = 0; k < scene->scene.parameters; k++)
    o.parameter[k] = scene->scene.parameter[k].value;
  for (int s = 0; s < 4; s++) {
    o.side[s].edge = edgeOf(p, s);
    if (o.side[s].edge != TEXLA_EVOLUTION_PERIODIC)
      o.side[s].edge = TEXLA_EVOLUTION_MIXED;
    memcpy(o.side[s].value, p->edges.value[s], sizeof o.side[s].value);
    memcpy(o.side[s].weight, p->edges.weight[s], sizeof o.side[s].weight);
    memcpy(o.side[s].slope, p->edges.slope[s], sizeof o.side[s].slope);
  }
  if (*p->edges.text)
    o.edges = p->edges.text;
  return o;
}

static void tabulate(const Program *p, float *values, const demoFormula *formula) {
  const int *size = p->show->options.size;
  double variable[DEMO_VARIABLES];
  setVariables(p, variable);
  for (int j = 0; j < size[1]; j++)
    for (int i = 0; i < size[0]; i++) {
      size_t cell = (size_t)j * (size_t)size[0] + (size_t)i;
      variable[DEMO_X] = (i + 0.5) * variable[DEMO_H];
      variable[DEMO_Y] = (j + 0.5) * variable[DEMO_H];
      for (int k = 0; k < DEMO_IMAGES && p->image[k]; k++)
        variable[DEMO_IMAGE + k] = (double)p->image[k][cell];
      values[cell] = (float)demoFormulaAt(formula, variable);
    }
}

/* Pictures, and where the domain is, of all cells. */
static clStatus load(Program *p) {
  const int *size = p->show->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  for (int k = 0; k < p->scene.scene.images; k++) {
    p->image[k] = malloc(n * sizeof *p->image[k]);
    if (!p->image[k])
      return demoOutOfMemory(p->show);
    TRY(demoMaskGrey(p->image[k], size[0], size[1], p->scene.scene.image[k], "image",
                     &p->show->error));
  }
  if (!p->scene.domain.count)
    return TEXLA_OK;
  p->domain = malloc(n * sizeof *p->domain);
  if (!p->domain)
    return demoOutOfMemory(p->show);
  tabulate(p, p->domain, &p->scene.domain);
  for (size_t k = 0; k < n; k++)
    p->domain[k] = p->domain[k] > 0;
  return TEXLA_OK;
}

/* The pointers become NULL, since `create` calls this before it makes another one. */
static void destroy(void *self) {
  Program *p = self;
  clEvolutionDestroy(p->evolution);
  p->evolution = NULL;
  for (int k = 0; k < DEMO_IMAGES; k++) {
    free(p->image[k]);
    p->image[k] = NULL;
  }
  free(p->domain);
  p->domain = NULL;
}

static clStatus make(Program *p) {
  TRY(checkFields(p, &p->scene));
  TRY(translate(p));
  TRY(load(p));
  clEvolutionOptions o = evolutionOptions(p);
  for (int k = 0; k < TEXLA_EVOLUTION_GIVEN; k++)
    o.given[k] = p->image[k];
  o.domain = p->domain;
  o.domain_fixed = p->scene.domain_fixed;
  return demoCheck(p->show, clEvolutionCreate(&p->evolution, p->show->context, &o));
}

/* A second program is filled, and takes the place of the first one when it works. It is static:
 * with two translations it is too large for the stack. */
static clStatus create(void *self, demoShow *show) {
  static Program next;
  Program *p = self;
  p->show = show;
  next = *p;
  next.evolution = NULL;
  memset(next.image, 0, sizeof next.image);
  next.domain = NULL;
  next.scene = theScene;
  clStatus status = make(&next);
  if (status) {
    destroy(&next);
    return status;
  }
  destroy(p);
  *p = next;
  return TEXLA_OK;
}

/* The text and D and B must stay: these are compiled, and solved for. */
static bool tune(void *self, const demoScene *scene) {
  static Program next;
  Program *p = self;
  next = *p;
  /* Apart from its parameters the scene must be the one that runs. */
  memcpy(&next.scene, scene, sizeof next.scene);
  memcpy(next.scene.scene.parameter, p->scene.scene.parameter, sizeof p->scene.scene.parameter);
  /* a step, an edge, the domain or a colour depends on it */
  if (p->domain)
    return false;
  if (memcmp(&next.scene, &p->scene, sizeof next.scene) != 0)
    return false;
  memcpy(&next.scene, scene, sizeof next.scene);
  if (translate(&next) || strcmp(next.rates.text, p->rates.text) != 0 ||
      memcmp(next.rates.diffusion, p->rates.diffusion, sizeof p->rates.diffusion) != 0 ||
      memcmp(next.rates.fourth, p->rates.fourth, sizeof p->rates.fourth) != 0 ||
      memcmp(next.rates.total, p->rates.total, sizeof p->rates.total) != 0 ||
      memcmp(&next.edges, &p->edges, sizeof p->edges) != 0)
    return false;
  clEvolutionOptions o = evolutionOptions(&next);
  if (clEvolutionParameters(p->evolution, o.parameter))
    return false;
  p->scene = next.scene;
  return true;
}

/* Equations of the user's know no obstacles. */
static clStatus obstacles(void *self) {
  (void)self;
  return TEXLA_OK;
}

/* The fields' formulas at time 0. */
static clStatus begin(void *self) {
  Program *p = self;
  const int *size = p->show->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  float *values = malloc(FIELDS * n * sizeof *values);
  const float *each[FIELDS] = {NULL};
  if (!values)
    return demoOutOfMemory(p->show);
  for (int f = 0; f < FIELDS; f++) {
    each[f] = values + (size_t)f * n;
    tabulate(p, values + (size_t)f * n, &p->scene.start[f]);
  }
  clStatus status = demoCheck(p->show, clEvolutionUpload(p->evolution, each));
  free(values);
  return status;
}

/* Fields that are not finite any more are found after the last step of a picture (demoLooks). */
static clStatus step(void *self, double *time) {
  Program *p = self;
  double mean[FIELDS], square[FIELDS];
  clStatus status = demoCheck(p->show, clEvolutionStep(p->evolution, 1));
  clEvolutionInfo info = clEvolutionInspect(p->evolution);
  *time = info.time;
  if (status || !demoLooks(p->show, info.steps))
    return status;
  return demoCheck(p->show, clEvolutionMeasure(p->evolution, mean, square));
}

/* The first touch adds all of the brush to the fields, a drag less of it in each picture: it does
 * not pile up. */
static clStatus paint(void *self, const demoTouch *t) {
  Program *p = self;
  clEvolutionInfo info = clEvolutionInspect(p->evolution);
  double sum = 0, strength = 0.3, amount[FIELDS] = {0};
  if (t->first)
    strength = 1;
  if (t->mode)
    strength = -strength;
  for (int f = 0; f < FIELDS; f++) {
    sum += fabs(p->scene.brush[f]);
    amount[f] = strength * p->scene.brush[f];
  }
  /* a scene that says nothing of its brush: the first field */
  if (sum == 0)
    amount[0] = strength;
  return demoCheck(p->show, clEvolutionPaint(p->evolution, t->x * info.width, t->y * info.height,
                                             fmax(t->brush * info.height, info.h), amount));
}

/* In the view a drag turns it. */
static clStatus touch(void *self, const demoTouch *t) {
  Program *p = self;
  if (demoField(p->show) != FIELD_VIEW)
    return paint(p, t);
  demoCameraTurn(&p->show->options.camera, t->dx, t->dy);
  return TEXLA_OK;
}

/* --- what is seen --- */

/* The picture, the same as a surface, then the fields that have an equation. */
static const char *called(void *self, int field) {
  const Scene *scene = &((const Program *)self)->scene;
  int own = field - FIELD_FIRST;
  if (own >= fieldsOf(scene))
    return NULL;
  if (own >= 0 && own < scene->scene.names)
    return scene->scene.called[own];
  return fieldNames[field];
}

/* Two fields that the scene names as a vector; without such a line there are none. */
static clStatus vectors(void *self, demoVectors *v) {
  const Program *p = self;
  *v = (demoVectors){.u = clEvolutionField(p->evolution, p->scene.arrow[0] - 1),
                     .v = clEvolutionField(p->evolution, p->scene.arrow[1] - 1)};
  /* A scene that names one of both only has no arrows. */
  if (!v->v)
    v->u = NULL;
  return TEXLA_OK;
}

/* Fields are shown as they are; the picture is a formula of them. Ranges keep what they have
 * reached while the values decay, so that this is seen. */
static clStatus view(void *self, int field, demoView *v) {
  static const demoRange ranges[] = {DEMO_BY_VALUES, DEMO_SIGNED, DEMO_POSITIVE, DEMO_CENTRED};
  Program *p = self;
  const Scene *scene = &p->scene;
  if (field >= FIELD_FIRST) {
    *v = (demoView){.values = clEvolutionField(p->evolution, field - FIELD_FIRST),
                    .range = DEMO_BY_VALUES,
                    .high = 1e-6,
                    .colormap = TEXLA_COLORMAP_VIRIDIS,
                    .falling = true,
                    .keeps = true};
    if (v->values)
      return TEXLA_OK;
  }
  *v = (demoView){.range = ranges[scene->range],
                  .low = scene->low,
                  .high = 1e-6,
                  .colormap = (clColormap)scene->colours,
                  .lit = scene->lit,
                  .clips = scene->range == RANGE_SIGNED,
                  .aslant = field == FIELD_VIEW,
                  .falling = true,
                  .keeps = true};
  if (scene->low < scene->high) {
    v->range = DEMO_FIXED;
    v->high = scene->high;
    v->clips = false;
  }
  if (field == FIELD_VIEW)
    v->camera = &p->show->options.camera;
  return demoCheck(p->show, clEvolutionPicture(&v->values, p->evolution, p->picture.text));
}

/* The line below the picture: what is solved for implicitly takes cycles of multigrid, or sweeps.
 * */
static void tell(void *self, char *text, size_t size) {
  clEvolutionInfo i = clEvolutionInspect(((Program *)self)->evolution);
  int n = snprintf(text, size, "time %.5g  step %lld  dt %.4g", i.time, (long long)i.steps, i.dt);
  const char *kind = "sweeps";
  if (i.residual > 0)
    kind = "cycles";
  if (i.iterations && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, "  %d %s", i.iterations, kind);
}

/* For --verbose: what is implicit, the solver, and the GLSL that was made of the equations. */
static void describe(void *self) {
  const Program *p = self;
  clEvolutionInfo i = clEvolutionInspect(p->evolution);
  fprintf(stderr, "lab: %g x %g, cells of %g, dt = %g\n", i.width, i.height, i.h, i.dt);
  for (int f = 0; f < i.fields; f++)
    fprintf(stderr, "lab: %c: implicit D = %g, B = %g\n", demoLetters[f], p->rates.diffusion[f],
            p->rates.fourth[f]);
  fprintf(stderr, "lab: %s\n", i.solver);
  fprintf(stderr, "%s", p->rates.text);
}

/* What an option amounts to that has not been given. */
static double own(void *self, const char *option) {
  const Program *p = self;
  if (strcmp(option, "dt") == 0)
    return clEvolutionInspect(p->evolution).dt;
  if (strcmp(option, "height") == 0)
    return heightOf(p);
  return 0;
}

/* --- results --- */

/* A line of --stats: dt, the sum of squares, then mean and root of the mean square of each field.
 * */
static clStatus measure(void *self, double *values) {
  Program *p = self;
  double mean[FIELDS], square[FIELDS];
  clStatus status = demoCheck(p->show, clEvolutionMeasure(p->evolution, mean, square));
  clEvolutionInfo i = clEvolutionInspect(p->evolution);
  *values++ = i.dt;
  *values = 0;
  for (int f = 0; f < FIELDS; f++)
    *values += square[f];
  values++;
  for (int f = 0; f < FIELDS; f++) {
    *values++ = mean[f];
    *values++ = sqrt(square[f]);
  }
  *values++ = i.iterations;
  *values = i.residual;
  return status;
}

/* All fields along the two centre lines. */
static clStatus profile(void *self, FILE *file) {
  Program *p = self;
  clEvolutionInfo info = clEvolutionInspect(p->evolution);
  /* Both lines are walks through the same memory: where they begin, and how far the next cell is.
   * */
  const int length[] = {info.nx, info.ny}, stride[] = {1, info.nx};
  const int begin[] = {info.ny / 2 * info.nx, info.nx / 2};
  size_t n = (size_t)info.nx * (size_t)info.ny;
  float *values = malloc(FIELDS * n * sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  for (int f = 0; f < info.fields; f++)
    TRY_CLEANUP(demoCheck(
        p->show, clVectorDownload(clEvolutionField(p->evolution, f), values + (size_t)f * n)));
  fprintf(file, "line,s");
  for (int f = 0; f < info.fields; f++)
    fprintf(file, ",%c", demoLetters[f]);
  fprintf(file, "\n");
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < length[axis]; k++) {
      const float *at = values + begin[axis] + k * stride[axis];
      fprintf(file, "%c,%.9g", "xy"[axis], (k + 0.5) * info.h);
      for (int f = 0; f < info.fields; f++)
        fprintf(file, ",%.9g", (double)at[(size_t)f * n]);
      fprintf(file, "\n");
    }
cleanup:
  free(values);
  return status;
}

/* A step reads the fields and the clock alone. */
static clStatus state(void *self, demoState *state) {
  static const char *const name[] = {"u", "v", "w", "q"};
  Program *p = self;
  clEvolutionInfo info = clEvolutionInspect(p->evolution);
  double steps = (double)info.steps;
  demoStateNumbers(state, "steps", &steps, 1);
  for (int f = 0; f < info.fields; f++)
    TRY(demoStateVector(p->show, state, name[f], clEvolutionField(p->evolution, f)));
  if (!demoStateLoads(state))
    return demoStateStatus(state);
  return demoCheck(p->show, clEvolutionResume(p->evolution, (int64_t)steps));
}

/* --- the program --- */

/* The equations, how they begin, what is seen, and the edges. */
static const char *const edgeNames[] = {"no-flux", "periodic", "fixed", NULL};
static const char rateHelp[] = "of u, v, w, q, x, y, t, and lap(a), dx(a), dy(a), div(c, a), "
                               "rootlap(u), noise(k), exp, sin ...; a new "
                               "name becomes a parameter with a slider";
static const char startHelp[] = "how it begins: a formula of x, y, random(k) ...; empty: 0";
/* Rows are shown once the row so many places on has something in it: w after v, and starts with
 * their equations. */
#define RATE(field, place)                                                                         \
  { field "'", NULL, "%s =", rateHelp, .needs = place }
#define START(field, place)                                                                        \
  { "start", field, "%s(0) =", startHelp, .needs = place, .anew = true }
#define EDGE(side, other)                                                                          \
  {                                                                                                \
    side, "", "%s", "of the domain: no flux through it, periodic, or fixed values there",          \
        edgeNames, other, "periodic"                                                               \
  }
static const demoFormRow form[] = {
    {"title", NULL, "%s", "the scene's name"},
    RATE("u", 0),
    RATE("v", -1),
    RATE("w", -1),
    RATE("q", -1),
    START("u", 0),
    START("v", -4),
    START("w", -4),
    START("q", -4),
    {"picture", NULL, "%s", "what is coloured, a formula of the fields; empty: u"},
    {"step", "dt", "%s", "the time step; empty: 0.1"},
    {"height", NULL, "%s", "of the domain; empty: 1"},
    EDGE("left", 1),
    EDGE("right", -1),
    EDGE("bottom", 1),
    EDGE("top", -1),
    {NULL}};

/* What options and menus may be; NULL stands behind the last one. */
static const char *const schemes[] = {"imex", "euler", "rk4", NULL};
static const char *const modes[] = {"paint", "take away", NULL};
static const demoStrokeKind paints[] = {DEMO_PAINT, DEMO_TAKE};
static const char *const curves[] = {"mean_u,mean_v", "rms_u,rms_v", "mean_w,mean_q", "rms_w,rms_q",
                                     NULL};
/* Columns of --stats with the seconds of passes whose names begin so. */
static const demoStage stages[] = {
    {"rates", "rate"},
    {"implicit", "evolution sweep,evolution residual,grid,colour,line"},
    {"totals", "reduce"},
    {"others", NULL},
    {NULL, NULL}};
static Program theProgram = {.scheme = -1, .edge = -1};
/* A number of 0, or a choice of -1, leaves what the scene says. */
static const txOption options[] = {{"scheme", TX_OPTION_CHOICE, &theProgram.scheme, NULL,
                                    "of time (default: the scene's own)", .choices = schemes},
                                   {"edge", TX_OPTION_CHOICE, &theProgram.edge, NULL,
                                    "of all sides (default: the scene's own)",
                                    .choices = edgeNames},
                                   {"height", TX_OPTION_REAL, &theProgram.height, "L",
                                    "of the domain, in the scene's units", 0, INFINITY},
                                   {0}};
/* What the frame needs to know: the texts of --help, and what to call when. */
static const demoProgram program = {
    .name = "lab",
    .summary = "Type an equation u' = ... and look at what it does: reaction and diffusion, waves, "
               "quantum mechanics, patterns. In a window, or as numbered PNG pictures or a film "
               "where there is no display or --device asks for another device than the window's.",
    .examples = "  lab                                      spots that divide, in a window\n"
                "  lab --equations \"u' = D*lap(u) + u*(1 - u); parameter D = 0.001; "
                "start u = x < 0.1\" --dt 0.05\n"
                "  lab --scene schroedinger --headless --frames 200 --out packet.mp4\n"
                "  lab --scene my.scene --set F=0.03,k=0.06\n",
    .scenes = demoScenes,
    .rules = sceneRules,
    .scene = &theScene,
    .scene_size = sizeof theScene,
    .fields = fieldNames,
    .options = options,
    .with = "equations",
    .blank = "title your own equations\nsize 256, 256\nsteps 4\n",
    .form = form,
    .modes = modes,
    .curves = curves,
    .called = called,
    .own = own,
    .vectors = vectors,
    .touch_help = "paint, or with M take away",
    .cell_bytes = 155,
    .columns = "dt,energy,mean_u,rms_u,mean_v,rms_v,mean_w,rms_w,mean_q,rms_q,iterations,residual",
    .energy_column = 1,
    .stages = stages,
    .create = create,
    .tune = tune,
    .obstacles = obstacles,
    .begin = begin,
    .step = step,
    .view = view,
    .touch = touch,
    .sketch = sceneSketch,
    .paints = paints,
    .paint = paint,
    .paints_start = true,
    .measure = measure,
    .tell = tell,
    .describe = describe,
    .profile = profile,
    .state = state,
    .destroy = destroy};

int main(int argc, char **argv) {
  return demoMain(&program, &theProgram, argc, argv);
}
