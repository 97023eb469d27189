#include "program/arguments.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "program/manual.h"
#include "io/number.h"
#include "texla/version.h"

enum { HELP_WIDTH = 80, HELP_COLUMN = 26, GENERAL_OPTIONS = 9, LONGEST_NAME = 32 };

typedef struct parsing {
  const txProgram *program;
  /* those that every program takes, and the end */
  txOption general[GENERAL_OPTIONS + 1];
  bool help, version;
  /* of the help: txHelpForm */
  int form;
} parsing;

int txUsageError(const txProgram *program, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  txDisarm(text);
  fprintf(stderr, "%s: %s\nSee '%s --help'.\n", program->name, text, program->name);
  return TX_EXIT_BAD;
}

/* Names. */

static size_t smaller(size_t a, size_t b) {
  if (a < b)
    return a;
  return b;
}

/* Levenshtein's distance, one row of its table at a time. */
static size_t editDistance(const char *a, const char *b) {
  size_t row[LONGEST_NAME + 1], n = strlen(b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = smaller(changed, smaller(row[j], row[j + 1]) + 1);
    }
  }
  return row[n];
}

const char *txNearestName(const char *text, const void *names, int count, int stride) {
  const char *nearest = NULL;
  /* as many slips are forgiven, less one */
  size_t length = strlen(text), best = length / 3 + 2;
  for (int k = 0; k < count; k++) {
    const char *name =
        *(const char *const *)(const void *)((const char *)names + (ptrdiff_t)k * stride);
    if (strlen(name) > LONGEST_NAME)
      continue;
    size_t shorter = smaller(length, strlen(name)), distance = 0;
    /* What begins alike is near in any case. */
    if (shorter < 3 || strncmp(text, name, shorter) != 0)
      distance = editDistance(text, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

static int countOptions(const txOption *options) {
  int count = 0;
  while (options && options[count].name)
    count++;
  return count;
}

static const txOption *findOption(const txOption *options, const char *name, size_t length) {
  for (; options && options->name; options++)
    if (strlen(options->name) == length && strncmp(options->name, name, length) == 0)
      return options;
  return NULL;
}

static int unknownOption(const parsing *parser, const char *text) {
  char name[LONGEST_NAME + 1];
  const txOption *options = parser->program->options;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text + strspn(text, "-"), "="),
           text + strspn(text, "-"));
  const char *nearest = txNearestName(name, options, countOptions(options), sizeof *options);
  if (!nearest)
    nearest = txNearestName(name, parser->general, countOptions(parser->general),
                            sizeof *parser->general);
  int shown = (int)strcspn(text, "=");
  if (nearest)
    return txUsageError(parser->program, "unknown option '%.*s'; did you mean '--%s'?", shown, text,
                        nearest);
  return txUsageError(parser->program, "unknown option '%.*s'", shown, text);
}

/* Values. A converter returns NULL, or what the value must be. */

static const char *outside(const txOption *option, char text[static 96]) {
  bool integer = option->kind == TX_OPTION_INTEGER;
  /* Bounds of real numbers are excluded; one just below zero means that zero is allowed. */
  bool from_zero = !integer && option->least < 0 && option->least > -1e-6;
  bool open = isinf(option->most);
  if (from_zero && open)
    snprintf(text, 96, "a number of at least 0");
  else if (from_zero)
    snprintf(text, 96, "a number from 0 to %.4g", option->most);
  else if (integer && open)
    snprintf(text, 96, "an integer of at least %.0f", option->least);
  else if (integer)
    snprintf(text, 96, "an integer from %.0f to %.0f", option->least, option->most);
  else if (open)
    snprintf(text, 96, "a number greater than %g", option->least);
  else
    snprintf(text, 96, "a number between %g and %g", option->least, option->most);
  return text;
}

static bool hasBounds(const txOption *option) {
  return option->least < option->most;
}

/* What a number must be, with its bounds where it has some. */
static const char *kindOf(const txOption *option, char text[static 96]) {
  if (hasBounds(option))
    return outside(option, text);
  if (option->kind == TX_OPTION_INTEGER)
    return "an integer";
  return "a number";
}

static const char *convertInteger(const txOption *option, const char *text, char must[static 96]) {
  int64_t value;
  const char *end = txIntegerParse(text, &value);
  bool inside =
      !hasBounds(option) || ((double)value >= option->least && (double)value <= option->most);
  if (!end || *end || !inside)
    return kindOf(option, must);
  if (value == INT64_MAX || value == -INT64_MAX)
    return "an integer that 64 bits can hold";
  *(int64_t *)option->target = value;
  return NULL;
}

static const char *convertReal(const txOption *option, const char *text, char must[static 96]) {
  double value;
  const char *end = txNumberParse(text, &value);
  if (!end || *end)
    return kindOf(option, must);
  if (!isfinite(value))
    return "a finite number";
  if (hasBounds(option) && !(value > option->least && value < option->most))
    return outside(option, must);
  *(double *)option->target = value;
  return NULL;
}

static const char *convertSize(const txOption *option, const char *text, char must[static 96]) {
  int64_t size[2] = {0};
  const char *end = txIntegerParse(text, &size[0]);
  if (end && (*end == 'x' || *end == 'X'))
    end = txIntegerParse(end + 1, &size[1]);
  else
    end = NULL;
  if (!end || *end || size[0] < 1 || size[1] < 1 || size[0] > INT_MAX || size[1] > INT_MAX) {
    /* the name of the value says what they are */
    snprintf(must, 96, "two positive integers %s, such as 4x2", option->metavar);
    return must;
  }
  int *target = option->target;
  target[0] = (int)size[0];
  target[1] = (int)size[1];
  return NULL;
}

static const char *convertChoice(const txOption *option, const char *text) {
  for (int k = 0; option->choices[k]; k++) {
    if (strcmp(text, option->choices[k]) == 0) {
      *(int *)option->target = k;
      return NULL;
    }
  }
  return "one of"; /* refuse() lists them */
}

/* Stores the value; returns NULL, or what it must be (in `must` when it has to be composed). */
static const char *convert(const txOption *option, const char *text, char must[static 96]) {
  switch (option->kind) {
  case TX_OPTION_FLAG:
    *(bool *)option->target = true;
    return NULL;
  case TX_OPTION_TEXT:
    *(const char **)option->target = text;
    if (!*text)
      return "not empty";
    return NULL;
  case TX_OPTION_INTEGER:
    return convertInteger(option, text, must);
  case TX_OPTION_REAL:
    return convertReal(option, text, must);
  case TX_OPTION_CHOICE:
    return convertChoice(option, text);
  case TX_OPTION_SIZE:
    return convertSize(option, text, must);
  }
  return NULL;
}

/* Says that the value of NAME, an argument or an option with its dashes, must be something else. */
static int refuse(const txProgram *program, const char *dashes, const txOption *option,
                  const char *must, const char *text) {
  const char *const *choice = NULL;
  char list[1024] = "";
  size_t used = 0;
  if (option->kind == TX_OPTION_CHOICE)
    choice = option->choices;
  for (const char *before = " "; choice && *choice && used < sizeof list; before = ", ")
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, *choice++);
  return txUsageError(program, "%s%s must be %s%s, not '%s'", dashes, option->name, must, list,
                      text);
}

bool txArgumentConvert(const txProgram *program, const txOption *option, const char *text) {
  char must[96];
  const char *wrong = convert(option, text, must);
  if (wrong)
    refuse(program, "", option, wrong, text);
  return !wrong;
}

/* Options. */

/* The option that --NAME or --NAME=VALUE means; NULL: none. */
static const txOption *optionOf(const parsing *parser, const char *text) {
  if (strcmp(text, "-h") == 0)
    text = "--help";
  if (strncmp(text, "--", 2) != 0)
    return NULL;
  text += 2;
  size_t length = strcspn(text, "=");
  const txOption *option = findOption(parser->program->options, text, length);
  if (!option)
    option = findOption(parser->general, text, length);
  return option;
}

/* What stands for an option's value in messages and in the help. */
static const char *valueName(const txOption *option) {
  if (option->metavar)
    return option->metavar;
  return "CHOICE";
}

/* Takes the option at argv[*k], and its value behind it; returns 0, or TX_EXIT_BAD after a
 * message. */
static int takeOption(parsing *parser, int argc, char **argv, int *k) {
  const char *value = strchr(argv[*k], '=');
  const txOption *option = optionOf(parser, argv[*k]);
  if (!option)
    return unknownOption(parser, argv[*k]);
  if (option->kind == TX_OPTION_FLAG && value)
    return txUsageError(parser->program, "--%s takes no value, but got '%s'", option->name,
                        value + 1);
  if (value) {
    value++;
  } else if (option->kind == TX_OPTION_FLAG) {
    value = "";
  } else {
    if (*k + 1 == argc || strncmp(argv[*k + 1], "--", 2) == 0)
      return txUsageError(parser->program, "--%s needs a value: --%s %s", option->name,
                          option->name, valueName(option));
    value = argv[++*k];
  }
  char must[96];
  const char *wrong = convert(option, value, must);
  if (option->given)
    *option->given = true;
  if (wrong)
    return refuse(parser->program, "--", option, wrong, value);
  return 0;
}

static bool isPositional(const char *text) {
  return text[0] != '-' || !text[1] || (text[1] >= '0' && text[1] <= '9') || text[1] == '.';
}

/* Moves the positional arguments to argv[0..*count). */
static int takeAll(parsing *parser, int argc, char **argv, int *count) {
  bool options = true;
  *count = 0;
  for (int k = 1; k < argc; k++) {
    int status = 0;
    if (options && strcmp(argv[k], "--") == 0)
      options = false;
    else if (!options || isPositional(argv[k]))
      argv[(*count)++] = argv[k];
    else
      status = takeOption(parser, argc, argv, &k);
    if (status)
      return status;
  }
  return 0;
}

static int checkCount(const txProgram *program, int count, char **argv) {
  if (count < program->least)
    return txUsageError(program, "an argument is missing: %s %s", program->name,
                        program->arguments);
  if (program->most == 0 && count && program->options && program->options->name)
    return txUsageError(program, "unexpected argument '%s': all are options, such as --%s", *argv,
                        program->options->name);
  if (program->most >= 0 && count > program->most)
    return txUsageError(program, "unexpected argument '%s'", argv[program->most]);
  if (program->common && program->common->quiet && program->common->verbose)
    return txUsageError(program, "--quiet and --verbose exclude each other");
  return 0;
}

static void addGeneralOptions(parsing *parser) {
  static const char *const forms[] = {"text", "man", "table", NULL};
  txOption *option = parser->general;
  txCommon *common = parser->program->common;
  const char *devices =
      "what computes: auto, llvmpipe (software), surfaceless, or an index from 'texla info'; "
      "without it the environment variable TEXLA_DEVICE counts";
  if (common && common->devices)
    devices = common->devices;
  if (common) {
    *option++ = (txOption){"device", TX_OPTION_TEXT, &common->device, "DEVICE", devices};
    *option++ = (txOption){
        "tuning", TX_OPTION_TEXT, &common->tuning, "FILE",
        "take the fastest shader variants from FILE instead of the user's cache, so that runs "
        "repeat bit for bit; what FILE lacks is measured and added"};
    *option++ = (txOption){"trace", TX_OPTION_TEXT, &common->trace, "DIR",
                           "write what every pass read and drew into DIR, as a page for a browser"};
    *option++ = (txOption){"trace-choose", TX_OPTION_TEXT, &common->trace_choose, "LIST",
                           "trace only some passes, with commas between: names such as cg*, "
                           "pass=1-200, iteration=0-3, size=MIB, texels=COUNT, pictures"};
    *option++ = (txOption){"quiet", TX_OPTION_FLAG, &common->quiet, NULL,
                           "print errors and asked-for data only"};
    *option++ =
        (txOption){"verbose", TX_OPTION_FLAG, &common->verbose, NULL, "say more on standard error"};
  }
  *option++ = (txOption){"version", TX_OPTION_FLAG, &parser->version, NULL, "print the version"};
  *option++ = (txOption){"help", TX_OPTION_FLAG, &parser->help, NULL, "print this help"};
  *option++ = (txOption){
      "help-as",
      TX_OPTION_CHOICE,
      &parser->form,
      NULL,
      "print it as text, as a manual page (roff), or as lines from which shells complete",
      .choices = forms,
      .given = &parser->help};
  *option = (txOption){0};
}

/* Help. */

/* Prints the text, broken at spaces, from `column` on; the cursor stands at `at`. */
static void wrap(const char *text, int at, int column) {
  while (*text) {
    int length = (int)strcspn(text, " ");
    bool first = at <= column;
    if (!first && at + 1 + length > HELP_WIDTH) {
      printf("\n");
      at = 0;
      first = true;
    }
    int space = 1;
    if (first)
      space = column - at;
    printf("%*s%.*s", space, "", length, text);
    at += space + length;
    text += length;
    text += *text == ' ';
  }
  printf("\n");
}

/* Prints " a|b|c" behind column `at`, on as many lines as it takes; returns the last column. */
static int printChoices(const char *const *choices, int at) {
  char before = ' ';
  for (; choices && *choices; choices++) {
    if (at + 1 + (int)strlen(*choices) > HELP_WIDTH)
      at = printf("\n%6s", "") - 1;
    at += printf("%c%s", before, *choices);
    before = '|';
  }
  return at;
}

static void printOption(const txOption *option) {
  int at = printf("  --%s", option->name);
  if (option->metavar)
    at += printf(" %s", option->metavar);
  else
    at = printChoices(option->choices, at);
  if (at + 2 > HELP_COLUMN) {
    printf("\n");
    at = 0;
  }
  wrap(option->help, at, HELP_COLUMN);
}

static void printOptions(const char *title, const txOption *options) {
  if (countOptions(options) > 0)
    printf("\n%s:\n", title);
  for (; options && options->name; options++)
    printOption(options);
}

static void printHelp(const parsing *parser) {
  const txProgram *program = parser->program;
  if (parser->form == TX_HELP_MAN)
    txManualPrint(program, parser->general);
  if (parser->form == TX_HELP_TABLE)
    txTablePrint(program, parser->general);
  if (parser->form != TX_HELP_TEXT)
    return;
  printf("Usage: %s ", program->name);
  if (program->arguments)
    printf("%s ", program->arguments);
  printf("[options]\n\n");
  wrap(program->summary, 0, 0);
  if (program->details)
    printf("\n%s", program->details);
  const char *title = "Options";
  if (program->options) {
    printOptions(title, program->options);
    title = "Common options";
  }
  printOptions(title, parser->general);
  if (program->notes)
    printf("\n%s", program->notes);
}

bool txArgumentsParse(const txProgram *program, int *argc, char **argv, int *status) {
  parsing parser = {.program = program};
  addGeneralOptions(&parser);
  int count = 0;
  *status = takeAll(&parser, *argc, argv, &count);
  if (*status)
    return false;
  *argc = count;
  if (parser.help)
    printHelp(&parser);
  else if (parser.version)
    printf("texla %s\n", TEXLA_VERSION);
  else
    *status = checkCount(program, count, argv);
  return !parser.help && !parser.version && !*status;
}
