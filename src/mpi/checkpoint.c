/* Vectors in files, written and read by all ranks at once (MPI-IO), in the order of all rows: any number of ranks can read them. */
#include "mpi/matrix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char save_call[] = "clClusterVectorSave", load_call[] = "clClusterVectorLoad";
enum { HEAD = 64 }; /* bytes: a line of text and blanks */
static const char format[] = "texla vector 1 float32 %lld elements %lld iterations";

/* The file's view of this rank: its rectangle among all. */
static void setView(MPI_File file, const clClusterMatrix *A, MPI_Datatype *type) {
  const txNumbering *n = &A->numbering;
  txRectangle r = txNumberingPart(n, A->cluster->rank);
  if (A->spread.local)
    MPI_Type_create_subarray(2, (int[]){n->ny, n->nx}, (int[]){r.ny, r.nx}, (int[]){r.y, r.x}, MPI_ORDER_C, MPI_FLOAT,
                             type);
  else
    MPI_Type_contiguous(1, MPI_FLOAT, type);
  MPI_Type_commit(type);
  MPI_File_set_view(file, HEAD, MPI_FLOAT, *type, "native", MPI_INFO_NULL);
}

static clStatus failed(clCluster *c, const char *call, const char *what, const char *path, int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS)
    return TEXLA_OK;
  MPI_Error_string(code, text, &length);
  return txFail(&c->error, TEXLA_IO_ERROR, call, "cannot %s %s: %.120s", what, path, text);
}

static clStatus writeAll(clClusterMatrix *A, const char *path, int64_t iterations, const float *values) {
  clCluster *c = A->cluster;
  MPI_File file;
  MPI_Datatype type;
  clStatus status = failed(c, save_call, "write", path,
                           MPI_File_open(c->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
  status = clClusterAgree(c, status, &c->error);
  if (status)
    return status;
  char head[HEAD + 32];
  memset(head, ' ', sizeof head);
  int length = snprintf(head, sizeof head, format, (long long)clClusterMatrixRows(A), (long long)iterations);
  head[length] = ' ';
  head[HEAD - 1] = '\n';
  int code = MPI_File_set_size(file, 0);
  if (code == MPI_SUCCESS && c->rank == 0)
    code = MPI_File_write_at(file, 0, head, HEAD, MPI_CHAR, MPI_STATUS_IGNORE);
  setView(file, A, &type);
  int written = MPI_File_write_all(file, values, (int)A->spread.local, MPI_FLOAT, MPI_STATUS_IGNORE);
  code = code == MPI_SUCCESS ? written : code;
  MPI_Type_free(&type);
  int closed = MPI_File_close(&file);
  return clClusterAgree(c, failed(c, save_call, "write", path, code == MPI_SUCCESS ? closed : code), &c->error);
}

clStatus clClusterVectorSave(clClusterMatrix *A, const clVector *x, const char *path, int64_t iterations) {
  if (!A || !x || !path)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  char part[4096];
  float *values = txClusterAllocate(c, (size_t)A->spread.local + 1, sizeof *values, "a vector");
  txClusterMust(c, clVectorDownload(x, values));
  snprintf(part, sizeof part, "%.4000s.part", path);
  clStatus status = writeAll(A, part, iterations, values);
  free(values);
  if (!status && c->rank == 0 && rename(part, path)) /* a run that ends here leaves the checkpoint before */
    status = txFail(&c->error, TEXLA_IO_ERROR, save_call, "cannot write %s: %s", path, strerror(errno));
  return clClusterAgree(c, status, &c->error);
}

/* The header, which must be of a vector as long as A's. */
static clStatus readHead(clClusterMatrix *A, MPI_File file, const char *path, int64_t *iterations) {
  char head[HEAD + 1] = "";
  long long count = -1, done = 0;
  MPI_Offset size = 0;
  MPI_File_get_size(file, &size);
  MPI_File_read_at(file, 0, head, HEAD, MPI_CHAR, MPI_STATUS_IGNORE);
  bool known = sscanf(head, format, &count, &done) == 2 && count > 0;
  if (!known || count != clClusterMatrixRows(A) || size != HEAD + 4 * (MPI_Offset)count)
    return txFail(&A->cluster->error, known ? TEXLA_BAD_SHAPE : TEXLA_BAD_FILE, load_call,
                  known ? "%s holds %lld elements in %lld bytes, but the matrix has %lld rows"
                        : "%s is no vector that clClusterVectorSave has written",
                  path, count, (long long)size, (long long)clClusterMatrixRows(A));
  *iterations = done;
  return TEXLA_OK;
}

clStatus clClusterVectorLoad(clClusterMatrix *A, clVector *x, const char *path, int64_t *iterations) {
  if (!A || !x || !path)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  MPI_File file;
  MPI_Datatype type;
  int64_t done = 0;
  clStatus status =
      failed(c, load_call, "read", path, MPI_File_open(c->comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  status = clClusterAgree(c, status, &c->error);
  if (status)
    return status;
  float *values = txClusterAllocate(c, (size_t)A->spread.local + 1, sizeof *values, "a vector");
  status = clClusterAgree(c, readHead(A, file, path, &done), &c->error);
  if (!status) {
    setView(file, A, &type);
    int code = MPI_File_read_all(file, values, (int)A->spread.local, MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    status = clClusterAgree(c, failed(c, load_call, "read", path, code), &c->error);
  }
  MPI_File_close(&file);
  if (!status)
    txClusterMust(c, clVectorUpload(x, values));
  if (!status && iterations)
    *iterations = done;
  free(values);
  return status;
}

clStatus clClusterVectorGather(clClusterMatrix *A, const clVector *x, double *all) {
  if (!A || !x || (A->cluster->rank == 0 && !all))
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  enum { TAG = 13 };
  float *mine = txClusterAllocate(c, (size_t)A->spread.local + 1, sizeof *mine, "a vector");
  txClusterMust(c, clVectorDownload(x, mine));
  if (c->rank)
    MPI_Send(mine, (int)A->spread.local, MPI_FLOAT, 0, TAG, c->comm);
  for (int r = 0; r < c->size && c->rank == 0; r++) {
    txRectangle part = txNumberingPart(&A->numbering, r);
    int64_t count = (int64_t)part.nx * part.ny;
    float *from = r ? txClusterAllocate(c, (size_t)count + 1, sizeof *from, "a vector") : mine;
    if (r)
      MPI_Recv(from, (int)count, MPI_FLOAT, r, TAG, c->comm, MPI_STATUS_IGNORE);
    for (int64_t i = 0; i < count; i++)
      all[txNumberingGlobal(&A->numbering, r, i)] = (double)from[i];
    if (r)
      free(from);
  }
  free(mine);
  return TEXLA_OK;
}
