/* texla bench: each figure beside its limits, measured in the same run. */
#ifndef TEXLA_BENCH_BENCH_H
#define TEXLA_BENCH_BENCH_H

/* argv[0] is the command's name; returns the exit status. */
int txBenchMain(int argc, char **argv);

#endif
