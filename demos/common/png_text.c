#include "common/png_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"
#include "core/output.h"
#include "core/try.h"

/* A file is a signature and then chunks: the length of its data in four bytes, its name in four,
 * the data, a checksum of name and data in four; numbers have their high byte first. */
enum { SIGNATURE = 8, FRAME = 12, NAME = 4, LARGEST = 1 << 28, FIRST_CHUNK = FRAME + 13 };
static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static uint32_t numberAt(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void putNumber(uint8_t *p, uint32_t number) {
  for (int k = 0; k < 4; k++)
    p[k] = (uint8_t)(number >> (24 - 8 * k));
}

/* The checksum of the standard (ISO 3309), a bit at a time. */
static uint32_t checksum(const uint8_t *bytes, size_t count) {
  const uint32_t polynomial = 0xedb88320;
  uint32_t sum = 0xffffffff;
  for (size_t k = 0; k < count; k++) {
    sum ^= bytes[k];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
  }
  return ~sum;
}

/* The whole file; it is checked that it begins as PNG files do. */
static clStatus readFile(uint8_t **out, size_t *count, const char *path, clError *error) {
  char *bytes = NULL;
  *out = NULL;
  TRY(txInputRead(&bytes, count, path, LARGEST, "picture", error));
  if (!bytes)
    return txFail(error, TEXLA_IO_ERROR, "picture", "cannot open %s: there is no such file", path);
  *out = (uint8_t *)bytes;
  if (*count > SIGNATURE + FIRST_CHUNK && memcmp(bytes, signature, SIGNATURE) == 0)
    return TEXLA_OK;
  free(bytes);
  *out = NULL;
  return txFail(error, TEXLA_BAD_FILE, "picture", "%s is no PNG file", path);
}

clStatus demoPngPutText(const char *path, const char *keyword, const char *text, clError *error) {
  size_t count = 0, key = strlen(keyword) + 1, length = strlen(text);
  uint8_t *bytes = NULL;
  txOutput output = {0};
  clStatus status = TEXLA_OK;
  uint8_t *chunk = malloc(FRAME + key + length);
  if (!chunk)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "picture", "no memory for the text of %s", path);
  putNumber(chunk, (uint32_t)(key + length));
  memcpy(chunk + NAME, "tEXt", NAME);
  memcpy(chunk + 2 * NAME, keyword, key);
  memcpy(chunk + 2 * NAME + key, text, length);
  putNumber(chunk + 2 * NAME + key + length, checksum(chunk + NAME, NAME + key + length));
  TRY_CLEANUP(readFile(&bytes, &count, path, error));
  TRY_CLEANUP(txOutputOpen(&output, path, "picture", error));
  /* behind the header, which comes first */
  const size_t head = SIGNATURE + FIRST_CHUNK;
  fwrite(bytes, 1, head, output.file);
  fwrite(chunk, 1, FRAME + key + length, output.file);
  fwrite(bytes + head, 1, count - head, output.file);
  status = txOutputCommit(&output, error);
cleanup:
  free(bytes);
  free(chunk);
  return status;
}

/* A text of so many bytes, ended by a zero; NULL: no memory. */
static char *copyOf(const uint8_t *bytes, size_t count) {
  char *copy = malloc(count + 1);
  if (copy) {
    memcpy(copy, bytes, count);
    copy[count] = 0;
  }
  return copy;
}

clStatus demoPngGetText(char **text, const char *path, const char *keyword, clError *error) {
  uint8_t *bytes = NULL;
  size_t count = 0, key = strlen(keyword) + 1;
  *text = NULL;
  TRY(readFile(&bytes, &count, path, error));
  clStatus status = TEXLA_OK;
  for (size_t at = SIGNATURE; at < count && !*text && !status;) {
    size_t rest = count - at, length = rest >= FRAME ? numberAt(bytes + at) : count;
    const uint8_t *data = bytes + at + 2 * NAME;
    if (rest < FRAME || length > rest - FRAME)
      status = txFail(error, TEXLA_BAD_FILE, "picture", "%s ends in the middle of a part", path);
    else if (memcmp(bytes + at + NAME, "tEXt", NAME) == 0 && length >= key &&
             memcmp(data, keyword, key) == 0) {
      *text = copyOf(data + key, length - key);
      if (!*text)
        status = txFail(error, TEXLA_OUT_OF_MEMORY, "picture", "no memory for a text of %s", path);
    }
    at += FRAME + length;
  }
  free(bytes);
  return status;
}
