#include "triangle/qr_pivot.h"
#include "elimination/host_lower.h"

#include <math.h>
#include <stddef.h>

static double *columnOf(const txQrTriangle *p, int j) {
  return p->a + (size_t)j * (size_t)p->rows;
}

/* Columns i and j change places. */
static void exchange(txQrTriangle *p, int i, int j) {
  double *a = columnOf(p, i), *b = columnOf(p, j);
  int order = p->order[i];
  for (int r = 0; r < p->rows && i != j; r++) {
    double v = a[r];
    a[r] = b[r];
    b[r] = v;
  }
  p->order[i] = p->order[j];
  p->order[j] = order;
}

/* The longest of columns k, ... below row k; norms are computed anew each time: a panel is
 * narrow. */
static int longestOf(const txQrTriangle *p, int k, bool in_order, double *length) {
  int at = k;
  *length = txHostNorm(columnOf(p, k) + k, p->rows - k);
  for (int j = k + 1; j < p->cols && !in_order; j++) {
    double norm = txHostNorm(columnOf(p, j) + k, p->rows - k);
    if (norm > *length) {
      *length = norm;
      at = j;
    }
  }
  return at;
}

void txQrReflect(const txQrTriangle *p, int k, double *x) {
  const double *v = columnOf(p, k);
  double s = p->tau[k] * (x[k] + txHostDot(v + k + 1, x + k + 1, p->rows - k - 1));
  x[k] -= s;
  for (int r = k + 1; r < p->rows; r++)
    x[r] -= s * v[r];
}

/* The reflection I - tau v v^T, v_k = 1, that leaves of column k the entry -sign(a_kk) length. */
static void reflect(txQrTriangle *p, int k, double length) {
  double *a = columnOf(p, k), head = a[k], beta = length;
  /* The other sign than the head's, so that nothing cancels in head - beta. */
  if (head > 0)
    beta = -length;
  p->tau[k] = 0;
  if (length == 0)
    return;
  p->tau[k] = (beta - head) / beta;
  for (int r = k + 1; r < p->rows; r++)
    a[r] /= head - beta;
  a[k] = beta;
  for (int j = k + 1; j < p->cols; j++)
    txQrReflect(p, k, columnOf(p, j));
}

/* Column k of T: -tau_k T (V^T v_k), tau_k on the diagonal. */
static void extendT(txQrTriangle *p, int k) {
  const double *v = columnOf(p, k);
  int n = p->cols;
  for (int i = 0; i < k; i++) {
    const double *u = columnOf(p, i);
    p->t[i * n + k] = -p->tau[k] * (u[k] + txHostDot(u + k + 1, v + k + 1, p->rows - k - 1));
  }
  /* from the top: t_jk, j > i, are still the products */
  for (int i = 0; i < k; i++) {
    double sum = 0;
    for (int j = i; j < k; j++)
      sum += p->t[i * n + j] * p->t[j * n + k];
    p->t[i * n + k] = sum;
  }
  p->t[k * n + k] = p->tau[k];
}

/* Householder reflections with the longest column first, until the longest one left is shorter
 * than `least`: the next panel may have longer ones. */
void txQrPivot(txQrTriangle *p, bool in_order) {
  for (int i = 0; i < p->cols * p->cols && p->t; i++)
    p->t[i] = 0;
  for (int j = 0; j < p->cols; j++)
    p->order[j] = j;
  p->steps = 0;
  for (int k = 0; k < p->cols && k < p->rows; k++) {
    double length = 0;
    int at = longestOf(p, k, in_order, &length);
    if (!in_order && !(length > p->zero && (length > p->least || k < 2 || k % 2)))
      return;
    exchange(p, k, at);
    reflect(p, k, length);
    if (p->t)
      extendT(p, k);
    p->steps = k + 1;
  }
}
