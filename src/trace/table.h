/* A map from 64-bit numbers (versions of textures, hashes of programs and paths) to places in a
 * list. */
#ifndef TEXLA_TRACE_TABLE_H
#define TEXLA_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct txTable {
  /* 0: free */
  uint64_t *key;
  int64_t *value;
  size_t capacity, count;
} txTable;

/* -1: it is not there */
int64_t txTableFind(const txTable *table, uint64_t key);
/* false: no memory */
bool txTablePut(txTable *table, uint64_t key, int64_t value);
void txTableFree(txTable *table);

/* FNV-1a: the hash of what `hash` has seen, and these bytes. Begins with TX_HASH. */
#define TX_HASH 14695981039346656037u
uint64_t txHash(uint64_t hash, const void *bytes, size_t count);

#endif
