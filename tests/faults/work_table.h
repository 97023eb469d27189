/* All works, each with the numbers that it computes. */
#ifndef TEXLA_TESTS_FAULTS_WORK_TABLE_H
#define TEXLA_TESTS_FAULTS_WORK_TABLE_H

#include "faults/queues.h"

static const Work works[] = {
    {"queue", runQueue, {17, 7, 7, 10}},
    {"background", runBackground, {4, 14}},
    {"matrices", runMatrices, {1, 2, 7, 3, 4}},
    {"crout on the host", runCrout, {4, 0, 1, 2.75, 4, 0, 1, 2.75}},
    {"queued maps", runMaps, {8, 9, 16, 12, 3, 4, 16, 4}, true},
    {"queued folds", runFolds, {5, 4, 1, 41, 6.403, 4, 5, 4}},
    {"queued products", runProducts, {17, 24, 17, 17, 17, 416, 4, 4}},
    {"queued eliminations", runEliminations, {1, 4, 4, 2, -0.97, 1, 0.273, 11}},
    {"queued systems", runSystems, {1, 1, 1, 1, 2.375, 1, 1, 1}},
    {"files", runFiles, {33, 4, 1, 2, 3, 4, 5, 6}},
};
enum { WORKS = sizeof works / sizeof *works };

#endif
