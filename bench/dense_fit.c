/* The orders of dense rows, and sentences below these: the documents' fit of times, and Octave. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "suite.h"

/* Powers of two from 256 on. */
int txBenchDenseSizes(const txBench *bench, double n[TX_BENCH_DENSE_SIZES]) {
  for (int k = 0; k < TX_BENCH_DENSE_SIZES; k++)
    n[k] = 256 << k;
  if (bench->size) {
    n[0] = (double)bench->size;
    return 1;
  }
  if (bench->quick)
    return 2;
  return TX_BENCH_DENSE_SIZES;
}

/* The least squares fit of t = a + b n^3, each time weighted by 1 / t, so that it is relative
 * errors that become least: the normal equations of two unknowns, by Cramer's rule. */
static void fit(const double *n, const double *t, int count, double *a, double *b) {
  double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
  for (int k = 0; k < count; k++) {
    double w = 1 / (t[k] * t[k]), x = n[k] * n[k] * n[k];
    s += w;
    sx += w * x;
    sxx += w * x * x;
    sy += w * t[k];
    sxy += w * x * t[k];
  }
  *b = (s * sxy - sx * sy) / (s * sxx - sx * sx);
  *a = (sy - *b * sx) / s;
}

/* Of texla and of its first peer, and the ratio of what the cubes cost. */
void txBenchReportFit(txBench *bench, const txBenchRow *rows, const double *n, int count) {
  double device[TX_BENCH_DENSE_SIZES], peer[TX_BENCH_DENSE_SIZES], a, b, peer_a, peer_b;
  for (int k = 0; k < count; k++) {
    device[k] = rows[k].device.min;
    peer[k] = rows[k].peer[0].min;
  }
  fit(n, device, count, &a, &b);
  fit(n, peer, count, &peer_a, &peer_b);
  if (bench->table)
    printf("  %s: %.3g ms + %.3g ns n^3; %s: %.3g ms + %.3g ns n^3; ratio %.3g\n", rows->c.name,
           a * 1e3, b * 1e9, rows->c.peer[0].name, peer_a * 1e3, peer_b * 1e9, peer_b / b);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "fit", rows->c.name);
  txJsonNumber(json, "a", a);
  txJsonNumber(json, "b", b);
  txJsonString(json, "peer", rows->c.peer[0].name);
  txJsonNumber(json, "peer_a", peer_a);
  txJsonNumber(json, "peer_b", peer_b);
  txJsonNumber(json, "ratio", peer_b / b);
  txJsonClose(json);
}

/* Seconds that Octave's rref of an n x (n + 1) matrix takes, without its start; 0: there is no
 * Octave. */
static double timeOctave(int n) {
  char command[200];
  double seconds = 0;
  snprintf(command, sizeof command,
           "octave-cli --norc --eval 'A = rand(%d, %d); tic; rref(A); printf(\"%%.6f\\n\", toc);' "
           "2>/dev/null",
           n, n + 1);
  /* What stands in the buffer would come after Octave's output otherwise. */
  fflush(stdout);
  FILE *octave = popen(command, "r");
  if (!octave)
    return 0;
  int read = fscanf(octave, "%lf", &seconds);
  pclose(octave);
  if (read != 1)
    return 0;
  return seconds;
}

/* Octave's rref is an interpreted loop, and what the documents compare with. */
void txBenchReportOctave(txBench *bench, const txBenchRow *row, int n) {
  double seconds = timeOctave(n);
  if (seconds == 0)
    return;
  if (bench->table)
    printf("  rref of %d x %d by octave-cli: %.0f ms; ratio %.3g\n", n, n + 1, seconds * 1e3,
           seconds / row->device.min);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "octave", "rref");
  txJsonInteger(json, "n", n);
  txJsonNumber(json, "seconds", seconds);
  txJsonNumber(json, "ratio", seconds / row->device.min);
  txJsonClose(json);
}
