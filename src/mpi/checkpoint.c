/* Vectors in files, written and read by all ranks at once (MPI-IO), in the order of all rows: any
 * number of ranks can read them. A checkpoint is such a file: x, the vectors of the method, and in
 * its head the method's scalars, by their bits. */
#include "mpi/checkpoint.h"
#include "core/try.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char save_call[] = "clClusterVectorSave", load_call[] = "clClusterVectorLoad";
/* Bytes of the head, a line of text and blanks, and how many scalars stand there. */
enum { HEAD = 256, SCALARS = 9 };

/* ---- The head -------------------------------------------------------------------------------- */

/* By their bits, so that a run goes on with the very numbers that it had. */
static void scalarsOf(const txStand *stand, uint32_t bits[SCALARS]) {
  memcpy(bits, &stand->rr0, sizeof stand->rr0);
  memcpy(bits + 1, stand->history, sizeof stand->history);
}

static void writeHead(char text[HEAD], int64_t elements, const txCheckpoint *p) {
  uint32_t bits[SCALARS];
  scalarsOf(&p->stand, bits);
  int length =
      snprintf(text, HEAD, "texla vectors 2 float%d %lld elements %lld iterations %d vectors %s %s",
               p->wide ? 64 : 32, (long long)elements, (long long)p->stand.iteration, p->vectors,
               p->method, p->preconditioner);
  for (int k = 0; k < SCALARS; k++)
    length += snprintf(text + length, (size_t)(HEAD - length), " %08x", (unsigned)bits[k]);
  memset(text + length, ' ', (size_t)(HEAD - length));
  text[HEAD - 1] = '\n';
}

/* The number of elements; -1: this is no head. */
static int64_t readHead(const char *text, txCheckpoint *p) {
  long long elements = -1, iterations = -1;
  unsigned bits[SCALARS];
  int at = 0, more, width = 0;
  if (sscanf(text, "texla vectors 2 float%d %lld elements %lld iterations %d vectors %15s %15s%n",
             &width, &elements, &iterations, &p->vectors, p->method, p->preconditioner, &at) != 6 ||
      (width != 32 && width != 64))
    return -1;
  p->wide = width == 64;
  for (int k = 0; k < SCALARS; k++, at += more)
    if (sscanf(text + at, "%8x%n", &bits[k], &more) != 1)
      return -1;
  p->stand.iteration = iterations;
  memcpy(&p->stand.rr0, bits, sizeof p->stand.rr0);
  memcpy(p->stand.history, bits + 1, sizeof p->stand.history);
  if (elements <= 0 || iterations < 0 || p->vectors <= 0 || p->vectors > TX_CHECKPOINT_VECTORS)
    return -1;
  return elements;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static MPI_Datatype numberOf(bool wide) {
  return wide ? MPI_DOUBLE : MPI_FLOAT;
}

/* The file's view of this rank: its rectangle of vector k among all. */
static void setView(MPI_File file, const clClusterMatrix *A, int k, bool wide, MPI_Datatype *type) {
  const txNumbering *n = &A->numbering;
  txRectangle r = txNumberingPart(n, A->cluster->rank);
  if (A->spread.local)
    MPI_Type_create_subarray(2, (int[]){n->ny, n->nx}, (int[]){r.ny, r.nx}, (int[]){r.y, r.x},
                             MPI_ORDER_C, numberOf(wide), type);
  else
    MPI_Type_contiguous(1, numberOf(wide), type);
  MPI_Type_commit(type);
  MPI_Offset bytes = (wide ? 8 : 4) * (MPI_Offset)clClusterMatrixRows(A);
  MPI_File_set_view(file, HEAD + bytes * k, numberOf(wide), *type, "native", MPI_INFO_NULL);
}

/* What MPI's code means for this rank, which does not end by it: MPI-IO returns errors, and ranks
 * agree on them. */
static clStatus failed(clCluster *c, const char *call, const char *what, const char *path,
                       int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS)
    return TEXLA_OK;
  MPI_Error_string(code, text, &length);
  return txFail(&c->error, TEXLA_IO_ERROR, call, "cannot %s %s: %.120s", what, path, text);
}

/* Collective, also for ranks without rows. */
static int writeVector(MPI_File file, clClusterMatrix *A, int k, bool wide, const void *values) {
  MPI_Datatype type;
  setView(file, A, k, wide, &type);
  int code =
      MPI_File_write_all(file, values, (int)A->spread.local, numberOf(wide), MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  return code;
}

/* A file that all ranks write to, or none. */
static clStatus openToWrite(clCluster *c, const char *path, MPI_File *file) {
  int code = MPI_File_open(c->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, file);
  return clClusterAgree(c, failed(c, save_call, "write", path, code), &c->error);
}

/* An empty file with the head, which rank 0 writes; MPI's code. */
static int writeHeadOf(MPI_File file, const clClusterMatrix *A, const txCheckpoint *p) {
  char head[HEAD];
  int code = MPI_File_set_size(file, 0);
  writeHead(head, clClusterMatrixRows(A), p);
  if (code == MPI_SUCCESS && A->cluster->rank == 0)
    code = MPI_File_write_at(file, 0, head, HEAD, MPI_CHAR, MPI_STATUS_IGNORE);
  return code;
}

/* The vectors, or `wide`; `values` has room for one. A rank that fails goes on writing, since
 * others wait for it in each write; the file does not take the place of the old one then. */
static clStatus writeVectors(MPI_File file, clClusterMatrix *A, const char *path,
                             const txCheckpoint *p, const clVector *const *vector,
                             const double *wide, float *values) {
  clCluster *c = A->cluster;
  clStatus status = TEXLA_OK;
  int code = writeHeadOf(file, A, p);
  for (int k = 0; k < p->vectors; k++) {
    if (!wide && status == TEXLA_OK)
      status = clVectorDownload(vector[k], values);
    const void *numbers = values;
    if (wide)
      numbers = wide;
    int written = writeVector(file, A, k, p->wide, numbers);
    if (code == MPI_SUCCESS)
      code = written;
  }
  if (status)
    c->error = *clContextError(c->context);
  else
    status = failed(c, save_call, "write", path, code);
  return clClusterAgree(c, status, &c->error);
}

static clStatus writeAll(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                         const clVector *const *vector, const double *wide) {
  clCluster *c = A->cluster;
  MPI_File file;
  float *values =
      txClusterReserve(c, save_call, (size_t)A->spread.local + 1, sizeof *values, "a vector");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openToWrite(c, path, &file));
  status = writeVectors(file, A, path, p, vector, wide, values);
  int closed = MPI_File_close(&file);
  if (status == TEXLA_OK)
    status = clClusterAgree(c, failed(c, save_call, "write", path, closed), &c->error);
cleanup:
  free(values);
  return status;
}

/* Written beside the old file and renamed by rank 0. */
static clStatus replace(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                        const clVector *const *vector, const double *wide) {
  clCluster *c = A->cluster;
  char part[4096];
  snprintf(part, sizeof part, "%.4000s.part", path);
  clStatus status = writeAll(A, part, p, vector, wide);
  /* a run that ends here leaves the checkpoint before */
  if (status == TEXLA_OK && c->rank == 0 && rename(part, path))
    status =
        txFail(&c->error, TEXLA_IO_ERROR, save_call, "cannot write %s: %s", path, strerror(errno));
  return clClusterAgree(c, status, &c->error);
}

clStatus txCheckpointSave(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                          const clVector *const *vector) {
  return replace(A, path, p, vector, NULL);
}

clStatus txCheckpointSaveWide(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                              const double *x) {
  return replace(A, path, p, NULL, x);
}

/* The head, which must be of vectors as long as A's. */
static clStatus checkHead(clClusterMatrix *A, MPI_File file, const char *path, txCheckpoint *p) {
  char head[HEAD + 1] = "";
  MPI_Offset size = 0;
  MPI_File_get_size(file, &size);
  MPI_File_read_at(file, 0, head, HEAD, MPI_CHAR, MPI_STATUS_IGNORE);
  int64_t count = readHead(head, p);
  if (count < 0)
    return txFail(&A->cluster->error, TEXLA_BAD_FILE, load_call,
                  "%s is no vector that texla has written", path);
  if (count != clClusterMatrixRows(A) ||
      size != HEAD + (p->wide ? 8 : 4) * (MPI_Offset)count * p->vectors)
    return txFail(
        &A->cluster->error, TEXLA_BAD_SHAPE, load_call,
        "%s holds %d vectors of %lld elements in %lld bytes, but the matrix has %lld rows", path,
        p->vectors, (long long)count, (long long)size, (long long)clClusterMatrixRows(A));
  return TEXLA_OK;
}

/* All ranks open the file together, or none. */
static clStatus openToRead(clCluster *c, const char *path, MPI_File *file) {
  clStatus status = failed(c, load_call, "read", path,
                           MPI_File_open(c->comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, file));
  return clClusterAgree(c, status, &c->error);
}

clStatus txCheckpointHead(clClusterMatrix *A, const char *path, txCheckpoint *p) {
  clCluster *c = A->cluster;
  MPI_File file;
  TRY(openToRead(c, path, &file));
  clStatus status = clClusterAgree(c, checkHead(A, file, path, p), &c->error);
  MPI_File_close(&file);
  return status;
}

/* This rank's part of vector k; the status is that of all ranks. */
static clStatus readVector(MPI_File file, clClusterMatrix *A, const char *path, int k, bool wide,
                           void *values) {
  clCluster *c = A->cluster;
  MPI_Datatype type;
  setView(file, A, k, wide, &type);
  int code =
      MPI_File_read_all(file, values, (int)A->spread.local, numberOf(wide), MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  return clClusterAgree(c, failed(c, load_call, "read", path, code), &c->error);
}

/* The first vectors of an open file; `values` has room for one. */
static clStatus readVectors(MPI_File file, clClusterMatrix *A, const char *path, int count,
                            clVector *const *vector, float *values) {
  clCluster *c = A->cluster;
  for (int k = 0; k < count; k++) {
    TRY(readVector(file, A, path, k, false, values));
    TRY(clClusterAgree(c, clVectorUpload(vector[k], values), txContextError(c->context)));
  }
  return TEXLA_OK;
}

clStatus txCheckpointLoad(clClusterMatrix *A, const char *path, int count,
                          clVector *const *vector) {
  clCluster *c = A->cluster;
  MPI_File file;
  float *values =
      txClusterReserve(c, load_call, (size_t)A->spread.local + 1, sizeof *values, "a vector");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openToRead(c, path, &file));
  status = readVectors(file, A, path, count, vector, values);
  MPI_File_close(&file);
cleanup:
  free(values);
  return status;
}

clStatus txCheckpointLoadWide(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                              double *x) {
  clCluster *c = A->cluster;
  MPI_File file;
  float *narrow =
      txClusterReserve(c, load_call, (size_t)A->spread.local + 1, sizeof *narrow, "a vector");
  if (!narrow)
    return TEXLA_OUT_OF_MEMORY;
  void *values = narrow;
  if (p->wide)
    values = x;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openToRead(c, path, &file));
  status = readVector(file, A, path, 0, p->wide, values);
  MPI_File_close(&file);
  for (int64_t i = 0; i < A->spread.local && !p->wide && status == TEXLA_OK; i++)
    x[i] = (double)narrow[i];
cleanup:
  free(narrow);
  return status;
}

clStatus clClusterVectorSave(clClusterMatrix *A, const clVector *x, const char *path,
                             int64_t iterations) {
  if (!A || !x || !path)
    return TEXLA_BAD_ARGUMENT;
  txCheckpoint p = {
      .vectors = 1, .method = "x", .preconditioner = "-", .stand = {.iteration = iterations}};
  return txCheckpointSave(A, path, &p, &x);
}

clStatus clClusterVectorSaveHost(clClusterMatrix *A, const double *x, const char *path,
                                 int64_t iterations) {
  if (!A || (A->spread.local && !x) || !path)
    return TEXLA_BAD_ARGUMENT;
  txCheckpoint p = {.vectors = 1,
                    .wide = true,
                    .method = "x",
                    .preconditioner = "-",
                    .stand = {.iteration = iterations}};
  return txCheckpointSaveWide(A, path, &p, x);
}

/* x <- the first vector, rounded; `wide` and `narrow` have room for it. */
static clStatus loadRounded(clClusterMatrix *A, clVector *x, const char *path,
                            const txCheckpoint *p, double *wide, float *narrow) {
  clCluster *c = A->cluster;
  TRY(txCheckpointLoadWide(A, path, p, wide));
  for (int64_t i = 0; i < A->spread.local; i++)
    narrow[i] = (float)wide[i];
  return clClusterAgree(c, clVectorUpload(x, narrow), txContextError(c->context));
}

clStatus clClusterVectorLoad(clClusterMatrix *A, clVector *x, const char *path,
                             int64_t *iterations) {
  if (!A || !x || !path)
    return TEXLA_BAD_ARGUMENT;
  txCheckpoint p = {0};
  TRY(txCheckpointHead(A, path, &p));
  size_t n = (size_t)A->spread.local + 1;
  /* Numbers in double, and behind them as many in single precision. */
  double *wide =
      txClusterReserve(A->cluster, load_call, n, sizeof *wide + sizeof(float), "a vector");
  if (!wide)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = loadRounded(A, x, path, &p, wide, (float *)(wide + n));
  if (status == TEXLA_OK && iterations)
    *iterations = p.stand.iteration;
  free(wide);
  return status;
}

/* Rank 0 needs room for the largest part, others for their own. */
static size_t roomOf(const clClusterMatrix *A) {
  const clCluster *c = A->cluster;
  int64_t most = A->spread.local;
  for (int r = 0; r < c->size && c->rank == 0; r++) {
    txRectangle part = txNumberingPart(&A->numbering, r);
    if ((int64_t)part.nx * part.ny > most)
      most = (int64_t)part.nx * part.ny;
  }
  return (size_t)most + 1;
}

/* To rank 0, one rank's part after the other, in the order of all rows. */
static void gather(double *all, const clClusterMatrix *A, float *part) {
  enum { TAG = 13 };
  const clCluster *c = A->cluster;
  if (c->rank)
    MPI_Send(part, (int)A->spread.local, MPI_FLOAT, 0, TAG, c->comm);
  for (int r = 0; r < c->size && c->rank == 0; r++) {
    txRectangle of = txNumberingPart(&A->numbering, r);
    int64_t count = (int64_t)of.nx * of.ny;
    if (r)
      MPI_Recv(part, (int)count, MPI_FLOAT, r, TAG, c->comm, MPI_STATUS_IGNORE);
    for (int64_t i = 0; i < count; i++)
      all[txNumberingGlobal(&A->numbering, r, i)] = (double)part[i];
  }
}

clStatus clClusterVectorGather(clClusterMatrix *A, const clVector *x, double *all) {
  if (!A || !x || (A->cluster->rank == 0 && !all))
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  float *part = txClusterReserve(c, "clClusterVectorGather", roomOf(A), sizeof *part, "a vector");
  if (!part)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clClusterAgree(c, clVectorDownload(x, part), txContextError(c->context));
  if (status == TEXLA_OK)
    gather(all, A, part);
  free(part);
  return status;
}
