/* Reading a choice of passes from its text, and asking whether a pass is one of them. */
#include "trace/choose.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "io/number.h"
#include "platform/platform.h"

/* "3" or "3-7" */
static bool parseRange(const char *text, int64_t range[2]) {
  const char *end = txIntegerParse(text, &range[0]);
  if (end && *end == '-')
    end = txIntegerParse(end + 1, &range[1]);
  else
    range[1] = range[0];
  return end && !*end && range[0] >= 0 && range[1] >= range[0];
}

/* A number of megabytes or texels, at least one. */
static bool parseCount(const char *text, int64_t *count) {
  const char *end = txIntegerParse(text, count);
  return end && !*end && *count >= 1 && *count <= INT32_MAX;
}

/* A word without "=" is a pattern, as "name=PATTERN" is. */
static bool parseName(txTraceChoice *out, const char *word) {
  if (out->names == TX_TRACE_NAMES)
    return false;
  strcpy(out->name[out->names++], word);
  return true;
}

/* "iteration=0-3", "pictures", "cg*" */
static bool chooseParseWord(txTraceChoice *out, char *word) {
  char *value = strchr(word, '=');
  if (!value && !strcmp(word, "pictures")) {
    out->pictures = true;
    return true;
  }
  if (!value)
    return parseName(out, word);
  *value++ = 0;
  if (!strcmp(word, "pass"))
    return parseRange(value, out->pass);
  if (!strcmp(word, "iteration")) {
    out->iterations = parseRange(value, out->iteration);
    return out->iterations;
  }
  if (!strcmp(word, "size"))
    return parseCount(value, &out->megabytes);
  if (!strcmp(word, "texels"))
    return parseCount(value, &out->texels);
  return !strcmp(word, "name") && parseName(out, value);
}

/* Words between commas; one that is empty is left out, so that lists may end with a comma. */
clStatus txTraceChoose(txTraceChoice *out, clError *error, const char *call, const char *list) {
  *out = (txTraceChoice){.pass = {1, INT64_MAX}, .megabytes = 32, .texels = 4096};
  while (list && *list) {
    char word[64];
    size_t n = strcspn(list, ",");
    bool good = n < sizeof word;
    snprintf(word, sizeof word, "%.*s", (int)n, list);
    if (n && (!good || !chooseParseWord(out, word)))
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "cannot choose '%.*s': it takes a name such as cg*, pass=1-200, iteration=0-3, "
                    "size=MIB, texels=COUNT, pictures, with commas between",
                    (int)n, list);
    list += n + (list[n] == ',');
  }
  return TEXLA_OK;
}

/* Solvers name their scopes "iteration", simulations theirs "step". */
static bool isIteration(const txScope *scope) {
  return scope->index >= 0 && (!strcmp(scope->name, "iteration") || !strcmp(scope->name, "step"));
}

/* Does some pattern match? */
static bool matches(const txTraceChoice *choice, const char *name) {
  for (int i = 0; i < choice->names; i++)
    if (txMatches(choice->name[i], name))
      return true;
  return false;
}

/* A pass that is part of a chosen iteration is chosen however deep it lies, so all scopes that are
 * open are looked at. */
bool txTraceChosen(const txTraceChoice *choice, const clContext *context,
                   const txPassReport *report, int64_t number) {
  int scopes;
  const txScope *scope = txScopesOf(context, &scopes);
  bool name =
      !choice->names || matches(choice, report->pass->kernel) || matches(choice, report->call);
  bool iteration = !choice->iterations;
  for (int i = 0; i < scopes; i++) {
    name = name || matches(choice, scope[i].name);
    iteration = iteration || (isIteration(&scope[i]) && scope[i].index >= choice->iteration[0] &&
                              scope[i].index <= choice->iteration[1]);
  }
  return name && iteration && number >= choice->pass[0] && number <= choice->pass[1];
}
