#include "common/film_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"
#include "core/try.h"
#include "platform/platform.h"

enum { LARGEST = 1 << 28, MOST_TEXT = 1 << 17, BLOCK = 255 };

/* A GIF ends with a trailer; a comment begins with two bytes, has blocks of at most 255 bytes with
 * their lengths before them, and ends with an empty one. */
static const uint8_t trailer = 0x3b, comment[] = {0x21, 0xfe};

clStatus demoFilmPutText(const char *path, const char *text, clError *error) {
  FILE *file = fopen(path, "r+b");
  bool whole = file && fseek(file, -1, SEEK_END) == 0 && fgetc(file) == trailer &&
               fseek(file, -1, SEEK_END) == 0;
  if (whole) {
    fwrite(comment, 1, sizeof comment, file);
    for (size_t rest = strlen(text); rest > 0;) {
      size_t length = rest < BLOCK ? rest : BLOCK;
      fputc((int)length, file);
      fwrite(text, 1, length, file);
      text += length;
      rest -= length;
    }
    fputc(0, file);
    fputc(trailer, file);
    whole = ferror(file) == 0;
  }
  if (file)
    whole &= fclose(file) == 0;
  if (whole)
    return TEXLA_OK;
  return txFail(error, TEXLA_IO_ERROR, "--out", "cannot write a comment into the film %s", path);
}

/* The blocks of the comment that begins with `mark`. */
static clStatus textOfGif(char text[MOST_TEXT], const char *path, const char *mark,
                          clError *error) {
  char *bytes = NULL;
  size_t count = 0, length = strlen(mark), used = 0;
  TRY(txInputRead(&bytes, &count, path, LARGEST, "--scene", error));
  const uint8_t *b = (const uint8_t *)bytes;
  size_t at = 0;
  while (at + 3 + length < count &&
         (memcmp(b + at, comment, sizeof comment) != 0 || memcmp(b + at + 3, mark, length) != 0))
    at++;
  for (at += 2; at < count && b[at] > 0 && at + b[at] < count; at += 1 + (size_t)b[at]) {
    if (used + b[at] >= MOST_TEXT)
      break;
    memcpy(text + used, b + at + 1, b[at]);
    used += b[at];
  }
  text[used] = 0;
  free(bytes);
  return TEXLA_OK;
}

static clStatus textOfMp4(char text[MOST_TEXT], const char *path, clError *error) {
  char name[4200];
  snprintf(name, sizeof name, "file:%s", path);
  /* Whatever a stranger's file is: no list of other files, no address of a network. */
  const char *arguments[] = {"ffprobe",
                             "-v",
                             "error",
                             "-protocol_whitelist",
                             "file",
                             "-f",
                             "mov",
                             "-show_entries",
                             "format_tags=comment",
                             "-of",
                             "default=nokey=1:noprint_wrappers=1",
                             name,
                             NULL};
  txProcess ffprobe;
  int ended;
  if (txProcessStart(&ffprobe, arguments, 1) != 0)
    return txFail(error, TEXLA_UNSUPPORTED, "--scene",
                  "%s needs the program ffprobe, which comes with ffmpeg and is not installed",
                  path);
  text[txProcessRead(&ffprobe, text, MOST_TEXT - 1)] = 0;
  txProcessClose(&ffprobe);
  if (txProcessWait(&ffprobe, &ended) == 0 && !ended)
    return TEXLA_OK;
  return txFail(error, TEXLA_BAD_FILE, "--scene", "ffprobe cannot read %s", path);
}

clStatus demoFilmGetText(char **text, const char *path, const char *mark, clError *error) {
  const char *ending = strrchr(path, '.');
  *text = NULL;
  int file = txFileOpen(path);
  uint64_t size = 0;
  txPathKind kind = file < 0 ? TX_PATH_NOTHING : txFileLook(file, &size);
  txFileClose(file);
  if (kind == TX_PATH_NOTHING)
    return txFail(error, TEXLA_IO_ERROR, "--scene", "cannot open %s: there is no such file", path);
  if (kind != TX_PATH_FILE || size > LARGEST)
    return txFail(error, TEXLA_BAD_FILE, "--scene",
                  "cannot read %s: it is not a regular file of at most %d MiB", path,
                  LARGEST >> 20);
  char *found = calloc(1, MOST_TEXT);
  if (!found)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--scene", "no memory for the text of %s", path);
  clStatus status = TEXLA_OK;
  if (ending && txCompareLetters(ending, ".gif") == 0)
    status = textOfGif(found, path, mark, error);
  else
    status = textOfMp4(found, path, error);
  if (!status && strncmp(found, mark, strlen(mark)) == 0)
    *text = found;
  else
    free(found);
  return status;
}
