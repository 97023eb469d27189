/* The gateway between Octave or MATLAB and the queue: texla_mex (command, ...). It knows no
 * operation: names, operands and shapes are the queue's business (texla/queue.h), the class
 * gpuMatrix is the user's side. Ids are uint64 scalars, numbers are doubles.
 *
 * There is one queue, made at the first command that needs it; the MEX file stays locked while it
 * lives. Waiting is done in slices by the m-files, so that Ctrl-C interrupts it. At the end of the
 * process the worker is let go without a call of OpenGL. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mex.h"
#include "texla/texla.h"

/* The state of the MEX file: Octave calls it on its main thread alone. */
static clQueue *queue;
/* of the queue, in the bits of an id above the queue's own: values of an earlier one are lost */
static uint64_t generation;
/* the process is about to end: releasing values is nobody's business any more */
static bool ended;
/* What clContextOptions takes; empty: the library chooses. */
static char device[64];

/* of a clQueueId */
enum { ID_BITS = 53 };

/* The identifier of an error, by which m-files tell them apart (lasterror, try and catch). */
static const char *identifierOf(clStatus status) {
  switch (status) {
  case TEXLA_BAD_SHAPE:
    return "texla:nonconformant";
  case TEXLA_BAD_ARGUMENT:
    return "texla:badArgument";
  case TEXLA_OUT_OF_MEMORY:
    return "texla:outOfMemory";
  case TEXLA_TOO_LARGE:
    return "texla:tooLarge";
  case TEXLA_NO_DEVICE:
    return "texla:noDevice";
  case TEXLA_NOT_FINITE:
    return "texla:notFinite";
  case TEXLA_SINGULAR:
    return "texla:singular";
  case TEXLA_UNSUPPORTED:
    return "texla:unsupported";
  case TEXLA_CANCELLED:
    return "texla:cancelled";
  default:
    return "texla:error";
  }
}

/* Leaves the function when status is an error. */
static void check(clStatus status, const clError *error) {
  const char *message = error->message;
  if (!*message)
    message = clStatusText(status);
  if (status < 0)
    mexErrMsgIdAndTxt(identifierOf(status), "%s", message);
}

/* Octave ends: what the queue has begun is not waited for. */
static void letGo(void) {
  ended = true;
  clQueueAbandon(queue);
}

/* Made at the first call, with the device that was chosen last. */
static clQueue *theQueue(void) {
  if (!queue) {
    clError error = {0};
    clContextOptions context = {0};
    if (device[0])
      context.device = device;
    clQueueOptions options = {.context = &context, .patience = 0.2};
    check(clQueueCreate(&queue, &options, &error), &error);
    mexAtExit(letGo);
    mexLock();
  }
  return queue;
}

/* Ids of its values are lost from now on: the next queue has another number. */
static void stopQueue(void) {
  if (!queue)
    return;
  clQueueDestroy(queue);
  queue = NULL;
  generation = (generation + 1) % (UINT64_MAX >> ID_BITS);
  mexUnlock();
}

/* ---- Arguments and results ------------------------------------------------------------------- */

/* 0: the queue that it was of has ended. */
static clQueueId idOrLost(const mxArray *a) {
  if (!mxIsUint64(a) || mxGetNumberOfElements(a) != 1)
    mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: an id is a uint64 scalar");
  uint64_t id;
  memcpy(&id, mxGetData(a), sizeof id);
  if (id >> ID_BITS != generation)
    return 0;
  return (clQueueId)(id & (UINT64_MAX >> (64 - ID_BITS)));
}

/* Of a value that must be there. */
static clQueueId idOf(const mxArray *a) {
  clQueueId id = idOrLost(a);
  if (!id)
    mexErrMsgIdAndTxt("texla:badArgument",
                      "gpuMatrix: this value was lost when another device was chosen");
  return id;
}

/* Each with the number of the queue that knows it, so that ids of an earlier one are told apart; 0
 * stays 0. */
static mxArray *idsOf(const clQueueId *id, int count) {
  mxArray *a = mxCreateNumericMatrix(1, (mwSize)count, mxUINT64_CLASS, mxREAL);
  uint64_t *out = mxGetData(a);
  for (int k = 0; k < count; k++)
    if (id[k])
      out[k] = (uint64_t)id[k] | generation << ID_BITS;
  return a;
}

/* A text with its end in n characters. */
static void textOf(const mxArray *a, char *text, size_t n) {
  if (!mxIsChar(a) || mxGetString(a, text, (mwSize)n))
    mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: a short text is needed");
}

/* Has it been done in time? Errors do not return. */
static mxArray *answer(clStatus status, const clError *error) {
  check(status, error);
  return mxCreateLogicalScalar(status == TEXLA_OK);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Compressed columns come as they are: sorted within a column. */
static clStatus readSparse(clTriplets **T, const mxArray *a, clError *error) {
  int32_t rows = (int32_t)mxGetM(a), cols = (int32_t)mxGetN(a);
  const mwIndex *first = mxGetJc(a), *row = mxGetIr(a);
  const double *value = mxGetPr(a);
  clStatus status = clTripletsCreate(T, rows, cols, (int64_t)first[cols], error);
  for (int32_t j = 0; j < cols && status == TEXLA_OK; j++)
    for (mwIndex k = first[j]; k < first[j + 1] && status == TEXLA_OK; k++)
      status = clTripletsAdd(*T, (int32_t)row[k], j, value[k], error);
  if (status)
    return status;
  return clTripletsCompress(*T, error);
}

/* *id <- the value of a sparse matrix, 0 where there is no room now. */
static void putSparse(const mxArray *a, clQueueId *id) {
  clError error = {0};
  clTriplets *T = NULL;
  /* Errors of theQueue do not return: it is called before there is something to free. */
  clQueue *q = theQueue();
  clStatus status = readSparse(&T, a, &error);
  if (status == TEXLA_OK)
    status = clQueuePutTriplets(q, id, T, &error);
  clTripletsDestroy(T);
  check(status, &error);
  if (status == TEXLA_NOT_READY)
    *id = 0;
}

/* put, x -> id, or 0 when there is no room now */
static mxArray *put(int n, const mxArray *const *a) {
  clError error = {0};
  clQueueId id = 0;
  (void)n;
  if (mxIsComplex(a[0]))
    mexErrMsgIdAndTxt("texla:unsupported", "gpuMatrix: complex numbers are not supported");
  if (mxGetNumberOfDimensions(a[0]) > 2)
    mexErrMsgIdAndTxt("texla:unsupported",
                      "gpuMatrix: arrays of more than two dimensions are not supported");
  if (mxIsSparse(a[0])) {
    putSparse(a[0], &id);
    return idsOf(&id, 1);
  }
  if (!mxIsDouble(a[0]) && !mxIsSingle(a[0]))
    mexErrMsgIdAndTxt("texla:unsupported", "gpuMatrix: %s is not supported", mxGetClassName(a[0]));
  clHostMatrix A = {TEXLA_HOST_DOUBLE, (int64_t)mxGetM(a[0]), (int64_t)mxGetN(a[0]), 0, 0,
                    mxGetData(a[0])};
  if (mxIsSingle(a[0]))
    A.type = TEXLA_HOST_FLOAT;
  clStatus status = clQueuePut(theQueue(), &id, &A, &error);
  check(status, &error);
  return idsOf(&id, 1);
}

/* An operand as m-files give it: a value of the queue, or a number. */
static clQueueOperand idOrNumber(const mxArray *a) {
  if (mxIsUint64(a))
    return (clQueueOperand){.id = idOf(a)};
  return (clQueueOperand){.number = mxGetScalar(a)};
}

/* submit, operation, results, operand, ... -> ids, or 0 when there is no room now */
static mxArray *submit(int n, const mxArray *const *a) {
  char name[32];
  clError error = {0};
  clQueueId id[TEXLA_QUEUE_RESULTS] = {0};
  clQueueOperand operand[TEXLA_QUEUE_OPERANDS] = {{0}};
  textOf(a[0], name, sizeof name);
  int results = (int)mxGetScalar(a[1]), operands = n - 2;
  if (operands > TEXLA_QUEUE_OPERANDS)
    mexErrMsgIdAndTxt("texla:badArgument", "%s: %d operands", name, operands);
  for (int k = 0; k < operands; k++)
    operand[k] = idOrNumber(a[k + 2]);
  clStatus status = clQueueSubmit(theQueue(), name, operand, operands, id, results, &error);
  check(status, &error);
  if (status)
    results = 1;
  return idsOf(id, results);
}

/* Is a a full matrix of real doubles with entries? */
static bool isDoubles(const mxArray *a) {
  return mxIsDouble(a) && !mxIsComplex(a) && !mxIsSparse(a) && mxGetNumberOfElements(a) > 0 &&
         mxGetNumberOfDimensions(a) == 2;
}

/* Are these positions on a side? */
static bool areOn(const mxArray *a, int64_t side) {
  const double *k = mxGetPr(a);
  size_t n = mxGetNumberOfElements(a), good = 0;
  while (good < n && k[good] >= 1 && k[good] <= (double)side && k[good] == floor(k[good]))
    good++;
  return good == n;
}

/* Does x(i, j) = value need nothing but writing? */
static bool isSimple(const mxArray *i, const mxArray *j, const mxArray *value, int64_t rows,
                     int64_t cols) {
  return isDoubles(i) && isDoubles(j) && isDoubles(value) && areOn(i, rows) && areOn(j, cols) &&
         (mxGetNumberOfElements(value) == 1 ||
          (mxGetM(value) == mxGetNumberOfElements(i) && mxGetN(value) == mxGetNumberOfElements(j)));
}

/* A number, or a matrix, which is put: operand->id is 0 where there is no room. */
static clStatus operandOf(const mxArray *a, clQueueOperand *operand, clError *error) {
  operand->number = mxGetScalar(a);
  if (mxGetNumberOfElements(a) == 1)
    return TEXLA_OK;
  clHostMatrix A = {TEXLA_HOST_DOUBLE, (int64_t)mxGetM(a), (int64_t)mxGetN(a), 0, 0, mxGetData(a)};
  return clQueuePut(queue, &operand->id, &A, error);
}

/* The operands 1 to 3 become values of the queue, which the caller releases. */
static clStatus submitEntries(const mxArray *const *a, clQueueOperand operand[4], clQueueId *result,
                              clError *error) {
  for (int k = 1; k < 4; k++) {
    clStatus status = operandOf(a[k], &operand[k], error);
    if (status)
      return status;
  }
  return clQueueSubmit(queue, "write", operand, 4, result, 1, error);
}

/* write, id, rows, columns, values -> id of the matrix with those entries, or 0 where it is not as
 * simple as that, or there is no room now */
static mxArray *writeEntries(int n, const mxArray *const *a) {
  clError error = {0};
  clQueueId id = idOf(a[0]), result = 0;
  clQueueOperand operand[4] = {{.id = id}};
  int64_t rows, cols;
  (void)n;
  check(clQueueShape(theQueue(), id, &rows, &cols, &error), &error);
  if (!isSimple(a[1], a[2], a[3], rows, cols))
    return idsOf(&result, 1);
  clStatus status = submitEntries(a, operand, &result, &error);
  for (int k = 1; k < 4; k++)
    if (operand[k].id)
      clQueueRelease(queue, operand[k].id, NULL);
  check(status, &error);
  return idsOf(&result, 1);
}

/* Warnings of Octave's own, of what was computed meanwhile. */
static void tellNotes(void) {
  char text[160];
  while (clQueueNote(queue, text, sizeof text)) {
    const char *id = "Octave:nearly-singular-matrix";
    if (!strstr(text, "rcond"))
      id = "Octave:singular-matrix";
    mxArray *arguments[] = {mxCreateString(id), mxCreateString("%s"), mxCreateString(text)};
    mexCallMATLAB(0, NULL, 3, arguments, "warning");
    for (int k = 0; k < 3; k++)
      mxDestroyArray(arguments[k]);
  }
}

/* Octave's own sparse matrix: columns compressed, entries that are not 0. T is compressed. */
static mxArray *sparseOf(const clTriplets *T) {
  /* Octave wants room for one entry at least. */
  mwSize count = (mwSize)(T->count + (T->count == 0));
  mxArray *out = mxCreateSparse((mwSize)T->rows, (mwSize)T->cols, count, mxREAL);
  mwIndex *first = mxGetJc(out), *row = mxGetIr(out);
  double *value = mxGetPr(out);
  memset(first, 0, ((size_t)T->cols + 1) * sizeof *first);
  for (int64_t k = 0; k < T->count; k++)
    first[T->col[k] + 1] += T->value[k] != 0;
  for (int32_t j = 0; j < T->cols; j++)
    first[j + 1] += first[j];
  for (int64_t k = 0; k < T->count; k++)
    if (T->value[k] != 0) {
      mwIndex to = first[T->col[k]]++;
      row[to] = (mwIndex)T->row[k];
      value[to] = T->value[k];
    }
  for (int32_t j = T->cols; j > 0; j--)
    first[j] = first[j - 1];
  first[0] = 0;
  return out;
}

/* The empty text when it is not there yet. Octave has no sparse matrices in single precision, so
 * that there is no class to ask for. */
static mxArray *fetchSparse(clQueueId id, double seconds) {
  clError error = {0};
  clTriplets *T = NULL;
  clStatus status = clQueueFetchTriplets(queue, id, &T, seconds, &error);
  check(status, &error);
  if (status)
    return mxCreateString("");
  mxArray *out = sparseOf(T);
  clTripletsDestroy(T);
  return out;
}

/* formula, text, operand, ... -> id, or 0 when there is no room now */
static mxArray *formula(int n, const mxArray *const *a) {
  char text[4096];
  clError error = {0};
  clQueueId id = 0;
  clQueueOperand operand[3] = {{0}};
  textOf(a[0], text, sizeof text);
  if (n > 4)
    mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: a formula has at most three operands");
  for (int k = 1; k < n; k++)
    operand[k - 1] = idOrNumber(a[k]);
  check(clQueueFormula(theQueue(), text, operand, n - 1, &id, &error), &error);
  return idsOf(&id, 1);
}

/* fetch, id, class, seconds -> matrix; the empty text when it is not there yet */
static mxArray *fetch(int n, const mxArray *const *a) {
  char type[16];
  clError error = {0};
  clQueueId id = idOf(a[0]);
  int64_t rows, cols;
  (void)n;
  textOf(a[1], type, sizeof type);
  check(clQueueShape(theQueue(), id, &rows, &cols, &error), &error);
  if (clQueueIsSparse(queue, id))
    return fetchSparse(id, mxGetScalar(a[2]));
  check(clQueueRead(queue, id, &error), &error);
  clStatus status = clQueueWait(queue, id, mxGetScalar(a[2]), &error);
  check(status, &error);
  if (status)
    return mxCreateString("");
  mxClassID class = mxDOUBLE_CLASS;
  clHostMatrix to = {TEXLA_HOST_DOUBLE, rows, cols, 0, 0, NULL};
  if (!strcmp(type, "single")) {
    class = mxSINGLE_CLASS;
    to.type = TEXLA_HOST_FLOAT;
  }
  mxArray *out = mxCreateNumericMatrix((mwSize)rows, (mwSize)cols, class, mxREAL);
  to.values = mxGetData(out);
  check(clQueueFetch(queue, id, &to, -1, &error), &error);
  tellNotes();
  return out;
}

/* release, id: also after the end, when it does nothing */
static mxArray *releaseId(int n, const mxArray *const *a) {
  (void)n;
  clQueueId id = idOrLost(a[0]);
  if (queue && !ended && id)
    clQueueRelease(queue, id, NULL);
  return NULL;
}

/* read, id: begins to bring the value to the host, and does not wait */
static mxArray *readId(int n, const mxArray *const *a) {
  clError error = {0};
  (void)n;
  check(clQueueRead(theQueue(), idOf(a[0]), &error), &error);
  return NULL;
}

/* wait, id, seconds -> whether it is there */
static mxArray *waitId(int n, const mxArray *const *a) {
  clError error = {0};
  (void)n;
  clStatus status = clQueueWait(theQueue(), idOf(a[0]), mxGetScalar(a[1]), &error);
  tellNotes();
  return answer(status, &error);
}

/* cancel, id: what has not begun will not be computed */
static mxArray *cancelId(int n, const mxArray *const *a) {
  clError error = {0};
  (void)n;
  check(clQueueCancel(theQueue(), idOf(a[0]), &error), &error);
  return NULL;
}

/* shape, id -> rows, columns, sparse */
static mxArray *shapeOf(int n, const mxArray *const *a) {
  clError error = {0};
  int64_t rows, cols;
  (void)n;
  check(clQueueShape(theQueue(), idOf(a[0]), &rows, &cols, &error), &error);
  mxArray *out = mxCreateDoubleMatrix(1, 3, mxREAL);
  mxGetPr(out)[0] = (double)rows;
  mxGetPr(out)[1] = (double)cols;
  mxGetPr(out)[2] = clQueueIsSparse(queue, idOf(a[0]));
  return out;
}

/* ---- The queue ------------------------------------------------------------------------------- */

/* drain, seconds: waits for all that was asked for; true: it is done. */
static mxArray *drain(int n, const mxArray *const *a) {
  clError error = {0};
  (void)n;
  if (!queue)
    return mxCreateLogicalScalar(true);
  return answer(clQueueDrain(queue, mxGetScalar(a[0]), &error), &error);
}

/* hold, yes: nothing further is begun until hold, no */
static mxArray *hold(int n, const mxArray *const *a) {
  (void)n;
  clQueueHold(theQueue(), mxGetScalar(a[0]) != 0);
  return NULL;
}

/* stats -> a struct with the fields of clQueueStats */
static mxArray *stats(int n, const mxArray *const *a) {
  static const char *const names[] = {"queued",      "running",      "done",       "failed",
                                      "skipped",     "values",       "bytes",      "peak",
                                      "bytes_limit", "device_bytes", "device_peak"};
  clQueueStats s;
  (void)n, (void)a;
  clQueueStatistics(theQueue(), &s);
  const double value[] = {(double)s.queued,       (double)s.running,    (double)s.done,
                          (double)s.failed,       (double)s.skipped,    (double)s.values,
                          (double)s.bytes,        (double)s.bytes_peak, (double)s.bytes_limit,
                          (double)s.device_bytes, (double)s.device_peak};
  enum { FIELDS = sizeof value / sizeof *value };
  mxArray *out = mxCreateStructMatrix(1, 1, FIELDS, (const char **)(uintptr_t)names);
  for (int k = 0; k < FIELDS; k++)
    mxSetFieldByNumber(out, 0, k, mxCreateDoubleScalar(value[k]));
  return out;
}

/* info -> a struct that tells what the queue's device is */
static mxArray *info(int n, const mxArray *const *a) {
  static const char *const names[] = {"renderer", "vendor", "version",
                                      "platform", "texla",  "software"};
  (void)n, (void)a;
  const clContextInfo *i = clQueueInspect(theQueue());
  const char *const text[] = {i->renderer, i->vendor, i->version, i->platform, clVersion()};
  mxArray *out = mxCreateStructMatrix(1, 1, 6, (const char **)(uintptr_t)names);
  for (int k = 0; k < 5; k++)
    mxSetFieldByNumber(out, 0, k, mxCreateString(text[k]));
  mxSetFieldByNumber(out, 0, 5, mxCreateLogicalScalar(i->software));
  return out;
}

/* device, name: ends the queue; the next one is on that device */
static mxArray *chooseDevice(int n, const mxArray *const *a) {
  (void)n;
  stopQueue();
  textOf(a[0], device, sizeof device);
  return NULL;
}

/* stop: ends the queue, as device does */
static mxArray *stop(int n, const mxArray *const *a) {
  (void)n, (void)a;
  stopQueue();
  return NULL;
}

/* operations -> a cell, one row each: name, operands, results, help */
static mxArray *operations(int n, const mxArray *const *a) {
  clQueueOperationInfo o;
  int count = 0;
  (void)n, (void)a;
  while (clQueueOperation(count, &o))
    count++;
  mxArray *out = mxCreateCellMatrix((mwSize)count, 4);
  for (int k = 0; k < count && clQueueOperation(k, &o); k++) {
    mxSetCell(out, (mwIndex)k, mxCreateString(o.name));
    mxSetCell(out, (mwIndex)(k + count), mxCreateString(o.operands));
    mxSetCell(out, (mwIndex)(k + 2 * count), mxCreateDoubleScalar(o.results));
    mxSetCell(out, (mwIndex)(k + 3 * count), mxCreateString(o.help));
  }
  return out;
}

/* The commands, how many arguments each needs, and what runs it. A result of NULL leaves the
 * output empty. */
static const struct command {
  const char *name;
  /* at least */
  int arguments;
  mxArray *(*run)(int n, const mxArray *const *a);
} commands[] = {{"put", 1, put},
                {"submit", 2, submit},
                {"write", 4, writeEntries},
                {"formula", 2, formula},
                {"fetch", 3, fetch},
                {"release", 1, releaseId},
                {"read", 1, readId},
                {"wait", 2, waitId},
                {"cancel", 1, cancelId},
                {"shape", 1, shapeOf},
                {"drain", 1, drain},
                {"hold", 1, hold},
                {"stats", 0, stats},
                {"info", 0, info},
                {"device", 1, chooseDevice},
                {"stop", 0, stop},
                {"operations", 0, operations}};

/* What Octave calls. mexErrMsgIdAndTxt does not return: what is allocated here must be freed
 * before it is called. */
void mexFunction(int outputs, mxArray *output[], int inputs, const mxArray *input[]) {
  char name[16];
  if (inputs < 1)
    mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: a command is needed; users want gpuMatrix");
  textOf(input[0], name, sizeof name);
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
    if (!strcmp(commands[k].name, name)) {
      if (inputs - 1 < commands[k].arguments)
        mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: %s needs %d arguments", name,
                          commands[k].arguments);
      if (ended && commands[k].run != releaseId)
        mexErrMsgIdAndTxt("texla:cancelled", "texla_mex: %s comes too late, Octave is about to end",
                          name);
      mxArray *result = commands[k].run(inputs - 1, input + 1);
      if (result && (outputs > 0 || commands[k].run != releaseId))
        output[0] = result;
      return;
    }
  mexErrMsgIdAndTxt("texla:badArgument", "texla_mex: there is no command %s", name);
}
