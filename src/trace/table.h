/* A map from 64-bit numbers (versions of textures, hashes of programs and paths) to places in a
 * list. */
#ifndef TEXLA_TRACE_TABLE_H
#define TEXLA_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing: `capacity` is a power of two, and a key of 0 marks a free place. */
typedef struct txTable {
  uint64_t *key;
  int64_t *value;
  size_t capacity, count;
} txTable;

/* The value that was put for the key; -1 where there is none. */
int64_t txTableFind(const txTable *table, uint64_t key);
/* Puts or replaces a value; false where there is no memory. */
bool txTablePut(txTable *table, uint64_t key, int64_t value);
void txTableFree(txTable *table);

/* FNV-1a: the hash of what `hash` has seen, and these bytes. Begins with TX_HASH. */
#define TX_HASH 14695981039346656037u
uint64_t txHash(uint64_t hash, const void *bytes, size_t count);

#endif
