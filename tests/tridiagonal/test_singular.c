/* Systems of small integers, of which many are singular: which ones, and whether the right-hand
 * side suits them, is known exactly, from ranks modulo a prime. */
#include "texla/tridiagonal.h"

#include "one_context.h"

enum { SYSTEMS = 100, MOST = 12, PRIME = 1000003 };

typedef struct batch {
  int n;
  bool periodic;
  double sub[SYSTEMS * MOST], main[SYSTEMS * MOST], super[SYSTEMS * MOST], rhs[SYSTEMS * MOST];
} batch;

static int64_t residueOf(int64_t v) {
  return (v % PRIME + PRIME) % PRIME;
}

/* Of the first `cols` columns of w, rows x lead, which is eliminated. */
static int rankOf(int64_t *w, int rows, int cols, int lead) {
  int rank = 0;
  for (int j = 0; j < cols && rank < rows; j++) {
    int at = rank;
    while (at < rows && w[at * lead + j] == 0)
      at++;
    if (at == rows)
      continue;
    for (int k = 0; k < lead; k++) {
      int64_t v = w[at * lead + k];
      w[at * lead + k] = w[rank * lead + k];
      w[rank * lead + k] = v;
    }
    for (int i = rank + 1; i < rows; i++) {
      int64_t pivot = w[rank * lead + j], factor = w[i * lead + j];
      for (int k = 0; k < lead; k++)
        w[i * lead + k] = residueOf(w[i * lead + k] * pivot - w[rank * lead + k] * factor);
    }
    rank++;
  }
  return rank;
}

static clTridiagonalState stateOf(const batch *b, int j) {
  int n = b->n, lead = n + 1, ranks[2];
  for (int t = 0; t < 2; t++) {
    int64_t w[MOST * (MOST + 1)] = {0};
    for (int i = 0; i < n; i++) {
      int at = j * n + i;
      if (i > 0 || b->periodic)
        w[i * lead + (i + n - 1) % n] += (int64_t)b->sub[at];
      w[i * lead + i] += (int64_t)b->main[at];
      if (i + 1 < n || b->periodic)
        w[i * lead + (i + 1) % n] += (int64_t)b->super[at];
      w[i * lead + n] = (int64_t)b->rhs[at];
    }
    for (int k = 0; k < n * lead; k++)
      w[k] = residueOf(w[k]);
    ranks[t] = rankOf(w, n, n + t, lead);
  }
  if (ranks[0] == n)
    return TEXLA_TRIDIAGONAL_SOLVED;
  return ranks[1] == ranks[0] ? TEXLA_TRIDIAGONAL_CONSISTENT : TEXLA_TRIDIAGONAL_SINGULAR;
}

static int randomInteger(uint64_t *random) {
  return (int)(randomBits(random) % 5) - 2;
}

/* Every second right-hand side is A times a vector of integers. */
static void fill(batch *b, int n, bool periodic, uint64_t *random) {
  b->n = n;
  b->periodic = periodic;
  for (int j = 0; j < SYSTEMS; j++) {
    double x[MOST];
    for (int i = 0; i < n; i++) {
      int at = j * n + i;
      b->sub[at] = randomInteger(random);
      b->main[at] = randomInteger(random);
      b->super[at] = randomInteger(random);
      b->rhs[at] = randomInteger(random);
      x[i] = randomInteger(random);
    }
    for (int i = 0; i < n && j % 2; i++) {
      int at = j * n + i;
      double left = i > 0 || periodic ? b->sub[at] : 0;
      double right = i + 1 < n || periodic ? b->super[at] : 0;
      b->rhs[at] = left * x[(i + n - 1) % n] + b->main[at] * x[i] + right * x[(i + 1) % n];
    }
  }
}

/* Counts what was right. */
typedef struct tally {
  int tried, right, singular, consistent;
} tally;

static void compare(tally *t, const char *way, const batch *b, const clTridiagonalState *states) {
  for (int j = 0; j < SYSTEMS; j++) {
    clTridiagonalState wanted = stateOf(b, j);
    t->tried++;
    t->right += states[j] == wanted;
    t->singular += wanted != TEXLA_TRIDIAGONAL_SOLVED;
    t->consistent += wanted == TEXLA_TRIDIAGONAL_CONSISTENT;
    if (states[j] != wanted)
      for (int i = 0; i < b->n; i++)
        printf("%g,%g,%g,%g\n", b->sub[j * b->n + i], b->main[j * b->n + i], b->super[j * b->n + i],
               b->rhs[j * b->n + i]);
    if (states[j] != wanted)
      print_message("%s: system %d of %d rows%s: state %d, not %d\n", way, j, b->n,
                    b->periodic ? ", periodic" : "", (int)states[j], (int)wanted);
  }
}

static void tryHost(tally *t, const batch *b, bool refine) {
  double x[SYSTEMS * MOST];
  clTridiagonalState states[SYSTEMS];
  clTridiagonalBatch given = {SYSTEMS, b->n, b->periodic, b->sub, b->main, b->super, b->rhs};
  clTridiagonalHostOptions options = {.refine = refine};
  clTridiagonalSolveHost(context, x, &given, &options, NULL, states);
  compare(t, refine ? "refined" : "host", b, states);
}

static clVector *upload(const batch *b, const double *values) {
  clVector *v = NULL;
  float single[SYSTEMS * MOST];
  for (int i = 0; i < SYSTEMS * b->n; i++)
    single[i] = (float)values[i];
  CHECK(clVectorCreateGrid(&v, context, b->n, SYSTEMS));
  CHECK(clVectorUpload(v, single));
  return v;
}

static void tryDevice(tally *t, const batch *b) {
  clVector *v[] = {upload(b, b->sub), upload(b, b->main), upload(b, b->super), upload(b, b->rhs)};
  clTridiagonal *T = NULL;
  clTridiagonalState states[SYSTEMS];
  CHECK(clTridiagonalCreate(&T, context, b->n, SYSTEMS,
                            &(clTridiagonalOptions){.periodic = b->periodic}));
  clTridiagonalBands bands = {.sub = v[0], .main = v[1], .super = v[2]};
  clTridiagonalSolveChecked(T, v[3], &bands, v[3], NULL, states);
  compare(t, "device", b, states);
  clTridiagonalDestroy(T);
  for (int k = 0; k < 4; k++)
    clVectorDestroy(v[k]);
}

static void integers(void **state) {
  static batch b;
  uint64_t random = 29;
  for (int periodic = 0; periodic < 2; periodic++) {
    tally t = {0};
    for (int n = 1; n <= MOST; n++) {
      fill(&b, n, periodic, &random);
      tryHost(&t, &b, false);
      tryHost(&t, &b, true);
      tryDevice(&t, &b);
    }
    print_message("%s systems: %d tried, %d of them singular, %d consistent; %d right\n",
                  periodic ? "periodic" : "open", t.tried, t.singular, t.consistent, t.right);
    assert_int_equal(t.right, t.tried);
  }
}

/* -1 2 -1, insulated at both ends or a ring, of many rows; the regular one that is held at its ends
 * is solved. */
static void insulated(void **state) {
  static const int sizes[] = {3, 64, 1000, 5000};
  for (int k = 0; k < 12; k++) {
    int n = sizes[k / 3], kind = k % 3;
    double *values = malloc(5 * (size_t)n * sizeof *values);
    double *sub = values, *main = sub + n, *super = main + n, *rhs = super + n, *x = rhs + n;
    for (int i = 0; i < n; i++) {
      bool end = i == 0 || i == n - 1;
      sub[i] = super[i] = -0.3;
      main[i] = kind == 0 && end ? 0.3 : 0.6;
      rhs[i] = 1;
    }
    clTridiagonalState outcome = TEXLA_TRIDIAGONAL_SOLVED;
    for (int zero = 0; zero < 2; zero++) {
      if (zero)
        for (int i = 0; i < n; i++)
          rhs[i] = (i == 0) - (i > 0 && i == n - 1);
      clTridiagonalBatch given = {1, n, kind == 1, sub, main, super, rhs};
      clTridiagonalSolveHost(context, x, &given, NULL, NULL, &outcome);
      clTridiagonalState wanted = zero ? TEXLA_TRIDIAGONAL_CONSISTENT : TEXLA_TRIDIAGONAL_SINGULAR;
      if (kind == 2)
        wanted = TEXLA_TRIDIAGONAL_SOLVED;
      if (outcome != wanted)
        fail_msg("%d rows, kind %d, %s: state %d, not %d", n, kind, zero ? "sum 0" : "ones",
                 (int)outcome, (int)wanted);
    }
    free(values);
  }
}

TEST_MAIN(setUp, testContextDestroy, integers, insulated)
