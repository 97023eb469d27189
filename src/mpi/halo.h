/* The halo of a rank: elements of vectors that its rows of a matrix need and other ranks have. */
#ifndef TEXLA_MPI_HALO_H
#define TEXLA_MPI_HALO_H

#include "gl/pass.h"
#include "mpi/numbering.h"
#include "texla/matrix.h"
#include "vector/layout.h"

typedef struct txPeer {
  /* `first` and `count` are those of the elements that are exchanged with it. */
  int rank, first, count;
} txPeer;

/* H with one choice of values: the same entries, weighted for what they are added to. */
typedef enum txHaloValues {
  TX_HALO_PLAIN,
  TX_HALO_SCALED,
  TX_HALO_STARTED,
  TX_HALO_VALUES
} txHaloValues;

/* Products with what stands right of the own columns: y += factor H x, where x are other ranks'
 * elements. */
typedef struct txHalo {
  clCluster *cluster;
  txPeer *to, *from;
  int tos, froms, sent, received;
  /* What others want, and where it stands in x. */
  txTexture *places, *taken;
  /* What others have sent. */
  txTexture *ghosts;
  /* H, four entries to a point; NULL where it has none, or was not asked for. */
  txVertices *points[TX_HALO_VALUES];
  /* On the host: local numbers of `places`; owner and number of each ghost, in order. */
  int64_t *given, *wanted;
  float *out, *in;
  /* The same in double. */
  double *out_wide, *in_wide;
  void *requests;
  /* What is on its way to the host. */
  txRead *read;
} txHalo;

/* An entry of H: local row, number of the column among all. Sorted by row. */
typedef struct txGhostEntry {
  int64_t row, col;
  double value;
} txGhostEntry;

/* Tells the owners what is wanted, on the host; products there can follow. Collective: the status
 * is that of all ranks. */
clStatus txHaloFind(txHalo *out, clCluster *cluster, const txNumbering *columns,
                    const txGhostEntry *entry, int64_t count);
/* Room on the device for exchanges of elements of vectors that are laid out as x. Of this rank, as
 * the next one. */
clStatus txHaloUpload(txHalo *halo, const txLayout *x);
/* The same entries, perhaps with other values, to the device; y is the layout of products. */
clStatus txHaloValuesUpload(txHalo *halo, txHaloValues which, const txNumbering *columns,
                            const txGhostEntry *entry, int64_t count, const txLayout *y);
void txHaloDestroy(txHalo *halo);

/* What others want of x is on its way to the host: nothing is waited for. */
void txHaloStart(txHalo *halo, const clVector *x);
/* Messages, then y += factor H x. */
void txHaloFinish(txHalo *halo, txHaloValues which, clVector *y, float factor);
/* Does this rank exchange nothing with others? */
bool txHaloEmpty(const txHalo *halo);

/* The same on the host, in double: halo->in_wide <- other ranks' elements of x, halo->received of
 * them. Returns it. */
const double *txHaloFetch(txHalo *halo, const double *x);
/* Which of the ghosts an element is, by its number among all. */
int64_t txHaloPlace(const txHalo *halo, const txNumbering *columns, int64_t col);

#endif
