/* The observer and the scopes. */
#include "gl/gl.h"
#include "platform/platform.h"

void txContextObserve(clContext *context, txObserver *observer) {
  context->observer = observer;
}

txObserver *txContextObserver(const clContext *context) {
  return context->observer;
}

void txScopeEnter(clContext *context, const char *name, int64_t index) {
  if (context && context->scopes++ < TX_MOST_SCOPES)
    context->scope[context->scopes - 1] = (txScope){name, index};
}

clStatus txScopeLeave(clContext *context, clStatus status) {
  if (context)
    context->scopes--;
  return status;
}

const txScope *txScopesOf(const clContext *context, int *count) {
  *count = context->scopes < TX_MOST_SCOPES ? context->scopes : TX_MOST_SCOPES;
  return context->scope;
}

/* What the observer has to see of a context must not see the observer. */
static void hide(clContext *context, clContext *kept) {
  *kept = *context;
  context->observer = NULL;
  context->options.listener = NULL;
}

static void show(clContext *context, const clContext *kept) {
  const clContextCounters *before = &kept->counters;
  clContextCounters *count = &context->counters;
  context->observer = kept->observer;
  context->options.listener = kept->options.listener;
  context->error = kept->error;
  count->passes = before->passes;
  count->draws = before->draws;
  count->readbacks = before->readbacks;
  count->programs = before->programs;
  count->bytes_peak = before->bytes_peak;
}

bool txObserveBegin(clContext *context, const txPassReport *report) {
  clContext kept;
  hide(context, &kept);
  bool wanted = kept.observer->begin(kept.observer, report);
  show(context, &kept);
  return wanted;
}

void txObserveEnd(clContext *context, const txPassReport *report) {
  clContext kept;
  hide(context, &kept);
  kept.observer->end(kept.observer, report);
  show(context, &kept);
}

void txHostBegin(clContext *context, const char *call, const txPass *step) {
  if (!context->observer)
    return;
  context->host = *step;
  txPassReport report = {.call = call, .pass = &context->host, .rect = step->rect};
  bool wanted = txObserveBegin(context, &report);
  report.seconds = txNow();
  context->host_report = wanted ? report : (txPassReport){0};
}

void txHostEnd(clContext *context) {
  txPassReport report = context->host_report;
  if (!report.pass || !context->observer)
    return;
  context->host_report = (txPassReport){0};
  report.seconds = txNow() - report.seconds;
  txObserveEnd(context, &report);
}
