/* Linear probing: a place is found by a multiplicative hash (Knuth, volume 3, section 6.4), and
 * what is taken already goes to the next free place. */
#include "trace/table.h"

#include <stdlib.h>

/* Open addressing: the place of the key, or the free one where it would go. */
static size_t tablePlace(const txTable *t, uint64_t key) {
  size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (t->capacity - 1);
  while (t->key[i] && t->key[i] != key)
    i = (i + 1) & (t->capacity - 1);
  return i;
}

/* An empty table has no places at all. */
int64_t txTableFind(const txTable *t, uint64_t key) {
  if (!t->capacity)
    return -1;
  size_t i = tablePlace(t, key);
  if (!t->key[i])
    return -1;
  return t->value[i];
}

/* Twice the room, where all keys get new places. */
static bool tableGrow(txTable *t) {
  txTable bigger = {.capacity = t->capacity ? 2 * t->capacity : 1024};
  bigger.key = calloc(bigger.capacity, sizeof *bigger.key);
  bigger.value = calloc(bigger.capacity, sizeof *bigger.value);
  if (!bigger.key || !bigger.value) {
    txTableFree(&bigger);
    return false;
  }
  for (size_t i = 0; i < t->capacity; i++)
    if (t->key[i])
      txTablePut(&bigger, t->key[i], t->value[i]);
  txTableFree(t);
  *t = bigger;
  return true;
}

/* At most half of all places are taken, so that searches are short. */
bool txTablePut(txTable *t, uint64_t key, int64_t value) {
  if (2 * t->count >= t->capacity && !tableGrow(t))
    return false;
  size_t i = tablePlace(t, key);
  t->count += !t->key[i];
  t->key[i] = key;
  t->value[i] = value;
  return true;
}

void txTableFree(txTable *t) {
  free(t->key);
  free(t->value);
  *t = (txTable){0};
}

uint64_t txHash(uint64_t hash, const void *bytes, size_t count) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ b[i]) * 1099511628211u;
  return hash;
}
