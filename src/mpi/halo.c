/* Halo exchange: a pass gathers what others want, a pixel buffer brings it to the host while the
 * device multiplies the interior, and what has come is added as points at the rim. */
#include "mpi/halo.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterMatrix";
enum { SHIFT = 12, WIDTH = 1 << SHIFT, TAG = 11, FLOATS = 10 };

/* ---- Setup ----------------------------------------------------------------------------------- */

/* For qsort: by owner, and then by number, so that what one rank gives is contiguous. */
static int compare(const void *a, const void *b) {
  /* owner, number */
  const int64_t *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* The wanted elements, (owner, number) each, sorted and once each; *count of them. To be freed. */
static int64_t *listWanted(clCluster *c, const txNumbering *columns, const txGhostEntry *entry,
                           int64_t entries, int64_t *count) {
  int64_t *list = txClusterAllocate(c, 2 * (size_t)entries, sizeof *list, "a halo");
  for (int64_t k = 0; k < entries; k++) {
    list[2 * k] = txNumberingOwner(columns, entry[k].col);
    list[2 * k + 1] = entry[k].col;
  }
  qsort(list, (size_t)entries, 2 * sizeof *list, compare);
  *count = 0;
  for (int64_t k = 0; k < entries; k++)
    if (!*count || list[2 * k + 1] != list[2 * *count - 1]) {
      list[2 * *count] = list[2 * k];
      list[2 * *count + 1] = list[2 * k + 1];
      ++*count;
    }
  return list;
}

/* peers <- the ranks with bytes[r] / size elements each */
static txPeer *listPeers(clCluster *c, const size_t *bytes, size_t size, int *peers,
                         int *elements) {
  txPeer *peer = txClusterAllocate(c, (size_t)c->size, sizeof *peer, "a halo");
  *peers = *elements = 0;
  for (int r = 0; r < c->size; r++)
    if (bytes[r]) {
      peer[(*peers)++] = (txPeer){r, *elements, (int)(bytes[r] / size)};
      *elements += (int)(bytes[r] / size);
    }
  return peer;
}

/* At least one texel, and WIDTH of them a row: a halo may be longer than a texture is wide. */
static txTexture *makeTexture(clCluster *c, txFormat format, int count) {
  txTexture *t = NULL;
  int width = txLeast(count, WIDTH);
  if (count)
    txClusterMust(c, txTextureCreate(&t, c->context, call, format, width, (count - 1) / WIDTH + 1));
  if (t)
    txClusterMust(c, txTextureClear(t, call));
  return t;
}

/* The first `count` texels of a texture WIDTH wide, in one or two rectangles. */
static void writeTexels(const txHalo *h, txTexture *t, const float *values, int count, int lanes) {
  int whole = count / t->width, rest = count % t->width;
  if (whole)
    txClusterMust(h->cluster, txTextureWrite(t, call, (txRect){0, 0, t->width, whole}, values));
  if (rest)
    txClusterMust(h->cluster,
                  txTextureWrite(t, call, (txRect){0, whole, rest, 1},
                                 values + (size_t)lanes * (size_t)whole * (size_t)t->width));
}

/* Where the elements that others want stand in x. */
static void writePlaces(txHalo *h, const txLayout *x) {
  float *place = txClusterAllocate(h->cluster, (size_t)h->sent * 4, sizeof *place, "a halo");
  for (int k = 0; k < h->sent; k++) {
    int64_t i = h->given[k];
    place[4 * k] = (float)(i % x->row / 4);
    place[4 * k + 1] = (float)(i / x->row);
    place[4 * k + 2] = (float)(i % x->row % 4);
  }
  if (h->sent)
    writeTexels(h, h->places, place, h->sent, 4);
  free(place);
}

int64_t txHaloPlace(const txHalo *h, const txNumbering *columns, int64_t col) {
  int64_t key[2] = {txNumberingOwner(columns, col), col};
  const int64_t *found = bsearch(key, h->wanted, (size_t)h->received, sizeof key, compare);
  return (found - h->wanted) / 2;
}

/* Points of four entries of a row each; free ones hold 0 and a position that is read anyway. */
void txHaloValuesUpload(txHalo *h, txHaloValues which, const txNumbering *columns,
                        const txGhostEntry *entry, int64_t entries, const txLayout *y) {
  float *data = txClusterAllocate(h->cluster, (size_t)entries * FLOATS, sizeof *data, "a halo");
  int64_t points = 0;
  for (int64_t k = 0, lane = 0; k < entries; k++) {
    bool same = k && entry[k].row == entry[k - 1].row && lane < 3;
    lane = same ? lane + 1 : 0;
    points += !same;
    float *point = data + FLOATS * (points - 1);
    float position = (float)txHaloPlace(h, columns, entry[k].col);
    for (int64_t l = lane; l < 4; l++)
      point[l] = position;
    point[4 + lane] = (float)entry[k].value;
    point[8] = (float)(entry[k].row % y->row);
    point[9] = (float)(entry[k].row / y->row);
  }
  if (points)
    txClusterMust(h->cluster, txVerticesCreate(&h->points[which], h->cluster->context, call, data,
                                               points, (const int[]){4, 4, 2}, 3));
  free(data);
}

void txHaloFind(txHalo *out, clCluster *c, const txNumbering *columns, const txGhostEntry *entry,
                int64_t entries) {
  txHalo h = {.cluster = c};
  int64_t count;
  int64_t *list = listWanted(c, columns, entry, entries, &count);
  int64_t **wanted = txClusterAllocate(c, (size_t)c->size, sizeof *wanted, "a halo");
  size_t *bytes = txClusterAllocate(c, 2 * (size_t)c->size, sizeof *bytes, "a halo"),
         *came = bytes + c->size, all;
  int64_t *numbers = txClusterAllocate(c, (size_t)count, sizeof *numbers, "a halo");
  for (int64_t k = count - 1; k >= 0; k--) {
    numbers[k] = list[2 * k + 1];
    wanted[list[2 * k]] = numbers + k;
    bytes[list[2 * k]] += sizeof *numbers;
  }
  void *asked;
  txExchange(c, (void *const *)wanted, bytes, &asked, &all, came, c->comm);
  h.from = listPeers(c, bytes, sizeof *numbers, &h.froms, &h.received);
  h.to = listPeers(c, came, sizeof *numbers, &h.tos, &h.sent);
  h.requests = txClusterAllocate(c, (size_t)(h.tos + h.froms), sizeof(MPI_Request), "a halo");
  h.given = txClusterAllocate(c, (size_t)h.sent, sizeof *h.given, "a halo");
  for (int k = 0; k < h.sent; k++)
    h.given[k] = txNumberingLocal(columns, ((const int64_t *)asked)[k]);
  h.wanted = list;
  free(asked);
  free(numbers);
  free(bytes);
  free(wanted);
  *out = h;
}

/* All that does not change from product to product. It is kept on the device, so that an exchange
 * reads and writes numbers only. */
void txHaloUpload(txHalo *h, const txLayout *x) {
  clCluster *c = h->cluster;
  h->places = makeTexture(c, TX_RGBA32F, h->sent);
  h->taken = makeTexture(c, TX_R32F, h->sent);
  h->ghosts = makeTexture(c, TX_R32F, h->received);
  h->out = txClusterAllocate(c, (size_t)(h->taken ? h->taken->width * h->taken->height : 0),
                             sizeof *h->out, "a halo");
  h->in = txClusterAllocate(c, (size_t)h->received, sizeof *h->in, "a halo");
  writePlaces(h, x);
}

void txHaloDestroy(txHalo *h) {
  txTextureDestroy(h->places);
  txTextureDestroy(h->taken);
  txTextureDestroy(h->ghosts);
  for (int v = 0; v < TX_HALO_VALUES; v++)
    txVerticesDestroy(h->points[v]);
  free(h->to);
  free(h->from);
  free(h->given);
  free(h->wanted);
  free(h->out);
  free(h->in);
  free(h->requests);
  *h = (txHalo){0};
}

/* ---- Products -------------------------------------------------------------------------------- */

/* What others want is gathered by one pass into one texture, and begins to come to the host;
 * meanwhile the device has the product with the own columns. */
void txHaloStart(txHalo *h, const clVector *x) {
  if (!h->sent)
    return;
  txPass take = {.kernel = "halo_take",
                 .target = {h->taken},
                 .source = {{"x", x->texture, TX_EDGE}, {"places", h->places, TX_EDGE}}};
  txClusterMust(h->cluster, txPassRun(h->cluster->context, call, &take));
  txClusterMust(h->cluster, txReadStart(&h->read, h->taken, call,
                                        (txRect){0, 0, h->taken->width, h->taken->height}));
}

static void exchange(txHalo *h, void *in, const void *out, MPI_Datatype type, int size) {
  clCluster *c = h->cluster;
  MPI_Request *request = h->requests;
  double began = txTrafficBegin();
  for (int k = 0; k < h->froms; k++)
    MPI_Irecv((char *)in + (int64_t)size * h->from[k].first, h->from[k].count, type,
              h->from[k].rank, TAG, c->comm, request++);
  for (int k = 0; k < h->tos; k++)
    MPI_Isend((const char *)out + (int64_t)size * h->to[k].first, h->to[k].count, type,
              h->to[k].rank, TAG, c->comm, request++);
  txWaitall(c, h->tos + h->froms, h->requests);
  txTrafficEnd(c, began, (int64_t)h->received * size);
}

/* The same in double, from an array on the host. */
void txHaloFetch(txHalo *h, double *ghosts, const double *x) {
  double *out = txClusterAllocate(h->cluster, (size_t)h->sent, sizeof *out, "a halo");
  for (int k = 0; k < h->sent; k++)
    out[k] = x[h->given[k]];
  exchange(h, ghosts, out, MPI_DOUBLE, sizeof *out);
  free(out);
}

/* A rank whose rows need nothing from others, and which none needs anything from. */
bool txHaloEmpty(const txHalo *h) {
  return h->tos + h->froms == 0;
}

/* The messages, and then what their numbers add to y: points with blending, four entries of a row
 * each, so that rows without a neighbour on another rank cost nothing. */
void txHaloFinish(txHalo *h, txHaloValues which, clVector *y, float factor) {
  if (h->read)
    txClusterMust(h->cluster, txReadFinish(h->read, call, h->out));
  h->read = NULL;
  if (!txHaloEmpty(h))
    exchange(h, h->in, h->out, MPI_FLOAT, sizeof *h->in);
  if (!h->points[which])
    return;
  writeTexels(h, h->ghosts, h->in, h->received, 1);
  const txTexture *t = y->texture;
  txPass add = {.kernel = "points",
                .vertex = "points",
                .defines = "#define LANES\n",
                .target = {y->texture},
                .source = {{"x", h->ghosts, TX_EDGE}},
                .uniform = {{"factor", 1, {factor}},
                            {"cell", 2, {2 / (float)t->width, 2 / (float)t->height}},
                            {"x_shift", 1, {SHIFT}, NULL, true}},
                .shape = TX_POINTS,
                .vertices = h->points[which],
                .add = true};
  txClusterMust(h->cluster, txPassRun(h->cluster->context, call, &add));
}
