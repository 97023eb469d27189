#include "common/scene.h"
#include "common/formula_codes.h"
#include "common/strokes.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/try.h"
#include "core/numbers.h"

enum { MOST_RULES = 48, MOST_ENTRIES = 24, LARGEST_SIZE = 65536, MOST_STEPS = 100000 };

const demoEntry demoStrokeEntries[] = {{.kind = DEMO_STROKES}, {0}};

typedef struct Reader {
  demoScene *scene;
  /* its beginning */
  const char *file, *line;
  /* of the line */
  int number;
  clError *error;
  /* that a `let` may ask for, where w is the width unless w has an equation */
  int fields;
  /* now, a `let` */
  bool both;
  bool seen[MOST_RULES];
} Reader;

/* A part of a line, without spaces around it. */
typedef struct Part {
  const char *begin, *end;
} Part;

static clStatus wrong(const Reader *r, const char *format, ...) TEXLA_PRINTF(2, 3);
static clStatus wrong(const Reader *r, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  r->scene->wrong[0] = r->number;
  return txFail(r->error, TEXLA_BAD_FILE, "--scene", "%s:%d: %s", r->file, r->number, what);
}

static Part trim(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin))
    begin++;
  while (end > begin && isspace((unsigned char)end[-1]))
    end--;
  return (Part){begin, end};
}

static int lengthOf(Part p) {
  return (int)txLeast64(p.end - p.begin, 60);
}

static bool is(Part p, const char *name) {
  return name && strlen(name) == (size_t)(p.end - p.begin) &&
         memcmp(p.begin, name, strlen(name)) == 0;
}

/* Which of the fields' own names is this, with an `end` behind it? -1: none. */
static int placeOfName(const Reader *r, Part p, const char *end) {
  size_t length = (size_t)(p.end - p.begin), tail = strlen(end);
  if (length < tail || memcmp(p.end - tail, end, tail) != 0)
    return -1;
  for (int k = 0; k < r->scene->names; k++)
    if (is((Part){p.begin, p.end - tail}, r->scene->called[k]))
      return k;
  return -1;
}

/* Is it this name, or the scene's own one of the same field or equation? */
static bool means(const Reader *r, Part p, const char *name) {
  static const char *const field[] = {"u", "v", "w", "q"}, *const rate[] = {"u'", "v'", "w'", "q'"};
  int own = placeOfName(r, p, ""), equation = placeOfName(r, p, "'");
  return is(p, name) || (own >= 0 && strcmp(field[own], name) == 0) ||
         (equation >= 0 && strcmp(rate[equation], name) == 0);
}

/* The part up to the next comma that stands in no brackets; *rest <- what follows it, NULL:
 * nothing. */
static Part firstPart(Part line, const char **rest) {
  int depth = 0;
  const char *at = line.begin;
  for (; at < line.end && (*at != ',' || depth > 0); at++)
    depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
  *rest = at < line.end ? at + 1 : NULL;
  return trim(line.begin, at);
}

/* The names of words or entries, for messages. */
static const char *list(char text[256], const char *const *words) {
  size_t used = 0;
  text[0] = 0;
  for (int k = 0; words[k] && used < 255; k++)
    used += (size_t)snprintf(text + used, 256 - used, "%s%s", k ? ", " : "", words[k]);
  return text;
}

void demoSceneParameters(const demoScene *scene, double variable[DEMO_VARIABLES]) {
  for (int k = 0; k < scene->parameters; k++)
    variable[DEMO_PARAMETER + k] = scene->parameter[k].value;
}

/* What is wrong is told with its column, counted from the beginning of the line. */
static clStatus readFormula(const Reader *r, Part p, int fields, demoFormula *out) {
  char complaint[DEMO_COMPLAINT];
  const char *at = demoFormulaReadFields(out, p.begin, p.end, r->scene->let, r->scene->lets, fields,
                                         r->both, complaint);
  if (!at)
    return TEXLA_OK;
  int length = (int)demoFormulaUnknown(at, p.end);
  snprintf(r->scene->missing, DEMO_NAME, "%.*s", length < DEMO_NAME ? length : 0, at);
  r->scene->wrong[1] = (int)(at - r->line) + 1;
  return wrong(r, "column %d: %s", r->scene->wrong[1], complaint);
}

static clStatus readNumber(const Reader *r, const demoEntry *e, Part p, double *value) {
  double variable[DEMO_VARIABLES] = {0};
  demoFormula formula;
  TRY(readFormula(r, p, 0, &formula));
  demoSceneParameters(r->scene, variable);
  *value = demoFormulaAt(&formula, variable);
  if (demoFormulaVaries(&formula) || !isfinite(*value) || fabs(*value) > 1e30)
    return wrong(r, "'%.*s' must be a number that does not depend on place or time", lengthOf(p),
                 p.begin);
  if (e->kind == DEMO_WHOLE && *value != floor(*value))
    return wrong(r, "'%.*s' must be a whole number", lengthOf(p), p.begin);
  if (e->least < e->most && !(*value >= e->least && *value <= e->most))
    return wrong(r, "%.6g is out of range: from %g to %g", *value, e->least, e->most);
  if (e->kind == DEMO_WHOLE && fabs(*value) > INT_MAX)
    return wrong(r, "%.6g is too large", *value);
  return TEXLA_OK;
}

static clStatus readWord(const Reader *r, const demoEntry *e, Part p, int *value) {
  char text[256];
  for (int k = 0; e->words[k]; k++)
    if (means(r, p, e->words[k])) {
      *value = k;
      return TEXLA_OK;
    }
  return wrong(r, "'%.*s' must be one of %s", lengthOf(p), p.begin, list(text, e->words));
}

/* A line of what was drawn by hand, of which `p` is the rest. */
static clStatus checkStrokes(const Reader *r, Part p) {
  const char *begin = trim(r->line, p.end).begin;
  if (demoStrokeRead(begin, p.end, NULL, NULL))
    return TEXLA_OK;
  int length = lengthOf((Part){begin, p.end}), word = (int)strcspn(begin, " \t,");
  if (is((Part){begin, begin + word}, "move"))
    return wrong(r, "'%.*s' must be like 'move 0.5, 0.3, 0.8, 0.4' (two places)", length, begin);
  return wrong(r, "'%.*s' must be like '%.*s 0.04, 0.5, 0.3' (a radius and places)", length, begin,
               word, begin);
}

/* What is on an edge has no neighbours beyond it. */
static clStatus readEdge(const Reader *r, Part p, demoEdge *edge) {
  TRY(readFormula(r, p, DEMO_VARIABLES - DEMO_FIELD, &edge->formula));
  for (int k = 0; k < edge->formula.count; k++) {
    demoKind kind = demoOperations[edge->formula.operation[k].code].kind;
    double variable = edge->formula.operation[k].value;
    bool image = edge->formula.operation[k].code == CODE_VARIABLE && variable >= DEMO_IMAGE &&
                 variable < DEMO_PARAMETER;
    if (kind == KIND_FIELDS || kind == KIND_DERIVATIVE || image)
      return wrong(r, "'%.*s': on an edge there are no derivatives, neighbours, noise or pictures",
                   lengthOf(p), p.begin);
  }
  return TEXLA_OK;
}

/* A value of that kind becomes what the program has at `target`. */
static clStatus readValue(const Reader *r, const demoEntry *e, Part p, char *target) {
  double number = 0;
  switch (e->kind) {
  case DEMO_WORD:
    return readWord(r, e, p, (int *)(void *)target);
  case DEMO_REST:
    snprintf(target, DEMO_TEXT, "%.*s", (int)txLeast64(p.end - p.begin, DEMO_TEXT - 1), p.begin);
    return TEXLA_OK;
  case DEMO_FORMULAS:
    return readFormula(r, p, 0, (demoFormula *)(void *)target);
  case DEMO_RATES:
    return readFormula(r, p, DEMO_VARIABLES - DEMO_FIELD, (demoFormula *)(void *)target);
  case DEMO_EDGES:
    return readEdge(r, p, (demoEdge *)(void *)target);
  case DEMO_FLAG:
    *(bool *)target = true;
    return TEXLA_OK;
  case DEMO_STROKES:
    return checkStrokes(r, p);
  default:
    TRY(readNumber(r, e, p, &number));
  }
  if (e->kind == DEMO_WHOLE)
    *(int *)(void *)target = (int)number;
  else if (e->kind == DEMO_SINGLE)
    *(float *)(void *)target = (float)number;
  else
    *(double *)(void *)target = number;
  return TEXLA_OK;
}

/* `name = value` in its parts; false: there is no '=', and both are the whole. */
static bool splitNamed(Part whole, Part *name, Part *value) {
  const char *equals = memchr(whole.begin, '=', (size_t)(whole.end - whole.begin));
  *name = *value = whole;
  if (!equals)
    return false;
  *name = trim(whole.begin, equals);
  *value = trim(equals + 1, whole.end);
  return true;
}

/* `name: word` in its parts; *kind <- the word's place, from 1, if there is one. */
static clStatus splitKind(const Reader *r, const demoEntry *e, Part *name, int *kind) {
  const char *colon = memchr(name->begin, ':', (size_t)(name->end - name->begin));
  if (!colon)
    return TEXLA_OK;
  Part word = trim(colon + 1, name->end);
  *name = trim(name->begin, colon);
  TRY(readWord(r, e, word, kind));
  ++*kind;
  return TEXLA_OK;
}

/* One value that has a name: `name = value`, or the name of a flag. */
static clStatus readNamed(const Reader *r, const demoRule *rule, Part p, char *target,
                          bool given[MOST_ENTRIES]) {
  const char *names[MOST_ENTRIES + 1] = {NULL};
  Part name, value;
  bool equals = splitNamed(p, &name, &value);
  char text[256];
  int count = 0, kind = 1;
  for (int k = 0; rule->entries[k].kind; k++) {
    const demoEntry *e = &rule->entries[k];
    if (e->kind == DEMO_EDGES)
      TRY(splitKind(r, e, &name, &kind));
    if (e->name)
      names[count++] = e->name;
    if (!e->name || !means(r, name, e->name))
      continue;
    if (given[k])
      return wrong(r, "'%s' is given twice", e->name);
    if (e->kind == DEMO_FLAG && equals)
      return wrong(r, "'%s' takes no value", e->name);
    if (e->kind != DEMO_FLAG && !equals)
      return wrong(r, "'%s' needs a value: %s = ...", e->name, e->name);
    given[k] = true;
    if (e->kind == DEMO_EDGES)
      ((demoEdge *)(void *)(target + e->offset))->kind = kind;
    return readValue(r, e, value, target + e->offset);
  }
  if (!count)
    return wrong(r, "'%s' takes no further value, but here is '%.*s'", rule->name, lengthOf(p),
                 p.begin);
  return wrong(r, "'%s' knows no '%.*s'; it knows %s", rule->name, lengthOf(name), name.begin,
               list(text, names));
}

/* What follows a line's name: values in their order, then named ones. */
static clStatus readValues(const Reader *r, const demoRule *rule, Part line, char *target) {
  bool given[MOST_ENTRIES] = {false};
  const char *rest = line.begin;
  int k = 0;
  while (rest) {
    const demoEntry *e = &rule->entries[k];
    bool placed = e->kind && !e->name;
    Part p = trim(rest, line.end);
    if (placed && (e->kind == DEMO_REST || e->kind == DEMO_STROKES))
      rest = NULL;
    else
      p = firstPart((Part){rest, line.end}, &rest);
    Part name, value;
    bool skipped = placed && e->optional && e->kind == DEMO_WORD && splitNamed(p, &name, &value);
    if (p.begin == p.end)
      return wrong(r, "a value is missing behind '%s'", rule->name);
    if (placed && !skipped)
      TRY(readValue(r, e, p, target + e->offset));
    else
      TRY(readNamed(r, rule, p, target, given));
    k += placed;
  }
  if (rule->entries[k].kind && !rule->entries[k].name && !rule->entries[k].optional)
    return wrong(r, "'%s' needs more values", rule->name);
  return TEXLA_OK;
}

static bool isNewName(Part name) {
  size_t length = (size_t)(name.end - name.begin);
  bool good = length > 0 && length < DEMO_NAME && isalpha((unsigned char)*name.begin);
  for (size_t k = 0; k < length && good; k++)
    good = isalnum((unsigned char)name.begin[k]) || name.begin[k] == '_';
  return good;
}

/* The name in `name = ...`; false: there is none. */
static bool readNewName(Part line, Part *name, Part *value) {
  return splitNamed(line, name, value) && isNewName(*name);
}

/* Where the let of this name is, or a new one; -1: there is no room for it. */
static int placeOfLet(demoScene *s, Part name) {
  for (int k = 0; k < s->lets; k++)
    if (is(name, s->let[k].name))
      return k;
  if (s->lets == DEMO_LETS)
    return -1;
  return s->lets;
}

static clStatus nameLet(Reader *r, Part name, int place, const demoFormula *formula) {
  demoScene *s = r->scene;
  if (place < 0)
    return wrong(r, "at most %d lines may begin with 'let' or 'parameter'", DEMO_LETS);
  s->let[place].formula = *formula;
  snprintf(s->let[place].name, DEMO_NAME, "%.*s", (int)(name.end - name.begin), name.begin);
  s->lets += place == s->lets;
  return TEXLA_OK;
}

/* let name = formula */
static clStatus readLet(Reader *r, Part line) {
  Part name, value;
  demoFormula formula;
  if (!readNewName(line, &name, &value))
    return wrong(r, "'let' needs a name of letters and digits, '=' and a formula");
  r->both = true;
  TRY(readFormula(r, value, r->fields, &formula));
  r->both = false;
  return nameLet(r, name, placeOfLet(r->scene, name), &formula);
}

static int placeOfParameter(const demoScene *s, Part name) {
  int k = 0;
  while (k < s->parameters && !is(name, s->parameter[k].name))
    k++;
  return k;
}

/* Does the line begin with this word? */
static bool begins(Part line, const char *word) {
  size_t length = strlen(word), whole = (size_t)(line.end - line.begin);
  return whole >= length && memcmp(line.begin, word, length) == 0 &&
         (whole == length || isspace((unsigned char)line.begin[length]));
}

/* parameter name = number, least, most, unit */
static clStatus readParameter(Reader *r, Part whole) {
  Part line = trim(whole.begin + strlen("parameter"), whole.end);
  const demoEntry number = {.kind = DEMO_NUMBER};
  Part name, value;
  if (!readNewName(line, &name, &value))
    return wrong(r, "'parameter' needs a name of letters and digits, '=' and a number");
  double values[3] = {0};
  const char *rest = value.begin;
  int count = 0;
  for (; rest && count < 3; count++)
    TRY(readNumber(r, &number, firstPart((Part){rest, value.end}, &rest), &values[count]));
  Part unit = {value.end, value.end};
  if (rest)
    unit = trim(rest, value.end);
  if (count == 2 || unit.end - unit.begin >= DEMO_UNIT ||
      (count == 3 && !(values[1] <= values[0] && values[0] <= values[2] && values[1] < values[2])))
    return wrong(r,
                 "'parameter' takes a number, and the least and the most that it may be, if any, "
                 "and its unit");
  int place = placeOfParameter(r->scene, name);
  if (place == DEMO_PARAMETERS)
    return wrong(r, "at most %d lines may begin with 'parameter'", DEMO_PARAMETERS);
  const demoFormula formula = {.count = 1, .operation = {{CODE_VARIABLE, DEMO_PARAMETER + place}}};
  TRY(nameLet(r, name, placeOfLet(r->scene, name), &formula));
  demoParameter *p = &r->scene->parameter[place];
  *p = (demoParameter){.value = values[0], .least = values[1], .most = values[2]};
  snprintf(p->name, DEMO_NAME, "%.*s", (int)(name.end - name.begin), name.begin);
  snprintf(p->unit, DEMO_UNIT, "%.*s", (int)(unit.end - unit.begin), unit.begin);
  r->scene->parameters += place == r->scene->parameters;
  return TEXLA_OK;
}

/* fields name, name, ... */
static clStatus readFieldNames(Reader *r, Part whole) {
  demoScene *s = r->scene;
  const char *rest = trim(whole.begin + strlen("fields"), whole.end).begin;
  if (s->names)
    return wrong(r, "a second line 'fields'");
  while (rest) {
    Part part = firstPart((Part){rest, whole.end}, &rest);
    const demoFormula formula = {.count = 1, .operation = {{CODE_VARIABLE, DEMO_FIELD + s->names}}};
    if (s->names == DEMO_CALLED || !isNewName(part))
      return wrong(r, "'fields' takes up to %d names of letters and digits", DEMO_CALLED);
    TRY(nameLet(r, part, placeOfLet(s, part), &formula));
    snprintf(s->called[s->names++], DEMO_NAME, "%.*s", (int)(part.end - part.begin), part.begin);
  }
  return TEXLA_OK;
}

/* image name = "file" */
static clStatus readImage(Reader *r, Part whole) {
  demoScene *s = r->scene;
  Part name, value;
  bool good = readNewName(trim(whole.begin + strlen("image"), whole.end), &name, &value);
  int length = (int)(value.end - value.begin) - 2;
  if (!good || length < 1 || length >= DEMO_TEXT || *value.begin != '"' || value.end[-1] != '"')
    return wrong(r, "'image' needs a name of letters and digits, '=' and a file in quotes");
  if (s->images == DEMO_IMAGES)
    return wrong(r, "at most %d lines may begin with 'image'", DEMO_IMAGES);
  const demoFormula formula = {.count = 1, .operation = {{CODE_VARIABLE, DEMO_IMAGE + s->images}}};
  snprintf(s->image[s->images++], DEMO_TEXT, "%.*s", length, value.begin + 1);
  return nameLet(r, name, placeOfLet(s, name), &formula);
}

/* Lines that may stand there several times fill a list, others their one place. */
static clStatus takeLine(Reader *r, const demoRule *rule, int place, Part line) {
  char *target = (char *)r->scene + rule->offset;
  int *count = (int *)(void *)((char *)r->scene + rule->count);
  if (!rule->most && r->seen[place])
    return wrong(r, "a second line '%s'", rule->name);
  if (rule->most && *count == rule->most)
    return wrong(r, "at most %d lines may begin with '%s'", rule->most, rule->name);
  r->seen[place] = true;
  if (!rule->most)
    return readValues(r, rule, line, target);
  TRY(readValues(r, rule, line, target + (size_t)*count * rule->size));
  ++*count;
  return TEXLA_OK;
}

static clStatus readLine(Reader *r, const demoRule *rules, Part line) {
  const char *names[MOST_RULES + 3] = {"let"};
  int count = 1;
  char text[256];
  const char *at = line.begin;
  while (at < line.end && !isspace((unsigned char)*at))
    at++;
  Part name = {line.begin, at}, rest = trim(at, line.end);
  if (is(name, "let"))
    return readLet(r, rest);
  if (rest.begin < rest.end && *rest.begin == '=')
    rest = trim(rest.begin + 1, rest.end);
  for (int k = 0; rules[k].name; k++) {
    names[count++] = rules[k].name;
    if (means(r, name, rules[k].name))
      return takeLine(r, &rules[k], k, rest);
  }
  names[count] = "parameter";
  return wrong(r, "no line begins with '%.*s', but with one of %s", lengthOf(name), name.begin,
               list(text, names));
}

static bool hasRates(const demoRule *rules) {
  for (; rules->name; rules++)
    if (rules->entries->kind == DEMO_RATES)
      return true;
  return false;
}

/* Nothing that a terminal obeys, remarks included; a line may end with CR LF. */
static clStatus checkCharacters(Reader *r, const char *end) {
  for (const char *at = r->line; at < end; at++)
    if (txControl(at) && !(*at == '\r' && at + 1 == end))
      return wrong(r, "a control character (byte %d) in column %d", (unsigned char)*at,
                   (int)(at - r->line) + 1);
  return TEXLA_OK;
}

/* All lines, or those with parameters and the fields' names alone: these come first, so that they
 * may stand behind what asks for them. */
static clStatus readLines(Reader *r, const demoRule *rules, const char *text, bool names) {
  for (r->number = 0; *text;) {
    const char *end = text + strcspn(text, "\n");
    /* what follows a # is a remark */
    Part line = trim(text, text + strcspn(text, "#\n"));
    r->line = text;
    r->number++;
    TRY(checkCharacters(r, end));
    bool parameter = begins(line, "parameter"), fields = begins(line, "fields") && hasRates(rules);
    bool image = begins(line, "image") && hasRates(rules);
    bool wanted = line.begin < line.end && (parameter || fields || image) == names;
    if (names && begins(line, "w'"))
      r->fields = DEMO_VARIABLES - DEMO_FIELD;
    if (wanted && parameter)
      TRY(readParameter(r, line));
    else if (wanted && fields)
      TRY(readFieldNames(r, line));
    else if (wanted && image)
      TRY(readImage(r, line));
    else if (wanted)
      TRY(readLine(r, rules, line));
    text = end + (*end == '\n');
  }
  return TEXLA_OK;
}

static clStatus checkNeeded(const Reader *r, const demoRule *rules) {
  for (int k = 0; rules[k].name; k++)
    if (rules[k].needed && !r->seen[k])
      return wrong(r, "the scene ends without a line '%s'", rules[k].name);
  return TEXLA_OK;
}

clStatus demoSceneRead(demoScene *scene, const demoRule *rules, const char *const *fields,
                       const char *text, const char *file, clError *error) {
  static const demoEntry title[] = {{.kind = DEMO_REST}, {0}};
  static const demoEntry size[] = {
      {.kind = DEMO_WHOLE, .least = 1, .most = LARGEST_SIZE},
      {.kind = DEMO_WHOLE, .offset = sizeof(int), .least = 1, .most = LARGEST_SIZE},
      {0}};
  static const demoEntry steps[] = {{.kind = DEMO_WHOLE, .least = 1, .most = MOST_STEPS}, {0}};
#define COORDINATE(k)                                                                              \
  {                                                                                                \
    .kind = DEMO_NUMBER, .offset = (k) * sizeof(double), .least = -LARGEST_SIZE,                   \
    .most = LARGEST_SIZE                                                                           \
  }
  static const demoEntry probe[] = {COORDINATE(0), COORDINATE(1), {0}};
  static const demoEntry along[] = {
      COORDINATE(0), COORDINATE(1), COORDINATE(2), COORDINATE(3), {0}};
  const demoEntry field[] = {{.kind = DEMO_WORD, .words = fields}, {0}};
  demoRule all[MOST_RULES + 1] = {{"title", title, offsetof(demoScene, title), .needed = true},
                                  {"about", title, offsetof(demoScene, about)},
                                  {"size", size, offsetof(demoScene, size), .needed = true},
                                  {"steps", steps, offsetof(demoScene, steps)},
                                  {"field", field, offsetof(demoScene, field)},
                                  {"probe", probe, offsetof(demoScene, probe), .most = DEMO_PROBES,
                                   .size = sizeof scene->probe[0],
                                   .count = offsetof(demoScene, probes)},
                                  {"along", along, offsetof(demoScene, along)}};
  for (int k = 0, at = 7; rules[k].name && at < MOST_RULES; k++)
    all[at++] = rules[k];
  Reader r = {.scene = scene, .file = file, .error = error};
  scene->steps = 1;
  if (hasRates(rules))
    r.fields = 2;
  TRY(readLines(&r, all, text, true));
  TRY(readLines(&r, all, text, false));
  return checkNeeded(&r, all);
}

double demoValueAt(const demoFormula *formula, const double variable[DEMO_VARIABLES],
                   const int size[2], const double place[2]) {
  double v[DEMO_VARIABLES];
  memcpy(v, variable, sizeof v);
  v[DEMO_X] = place[0] * v[DEMO_W] / size[0];
  v[DEMO_Y] = place[1] / size[1];
  return demoFormulaAt(formula, v);
}

void demoTabulate(float *values, const demoFormula *formula, const double variable[DEMO_VARIABLES],
                  const int size[2], const double shift[2]) {
  double v[DEMO_VARIABLES];
  memcpy(v, variable, sizeof v);
  for (int j = 0; j < size[1]; j++)
    for (int i = 0; i < size[0]; i++) {
      v[DEMO_X] = (i + shift[0]) * v[DEMO_W] / size[0];
      v[DEMO_Y] = (j + shift[1]) / size[1];
      values[(size_t)j * (size_t)size[0] + (size_t)i] = (float)demoFormulaAt(formula, v);
    }
}
