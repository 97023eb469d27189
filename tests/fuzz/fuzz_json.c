/* JSON strings: whatever the bytes are, what is written is one string of printable characters,
 * escapes and whole UTF-8 sequences, without a character that means something to HTML. */
#include "fuzz/fuzz.h"

#include "io/json.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {"plain",
                                      "quote \" back \\ slash",
                                      "tab\tline\n",
                                      "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                                      "\xff\xc3(\xe2\x82",
                                      "\x01\x1f\x7f",
                                      NULL};
  (void)size;
  return seeds[k];
}

/* The length of the UTF-8 sequence at `text`, 0 when it is none. */
static int sequence(const unsigned char *text) {
  static const struct {
    int mask, first;
  } form[] = {{0, -1}, {0x80, 0}, {0xe0, 0xc0}, {0xf0, 0xe0}, {0xf8, 0xf0}};
  int length = 4;
  while (length > 0 && (text[0] & form[length].mask) != form[length].first)
    length--;
  for (int k = 1; k < length; k++)
    if ((text[k] & 0xc0) != 0x80)
      return 0;
  return length;
}

static void check(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  fuzzAssert(*at++ == '"');
  while (*at && *at != '"') {
    fuzzAssert(*at >= 0x20 && !strchr("<>&", *at));
    fuzzAssert(memcmp(at, "\xe2\x80\xa8", 3) && memcmp(at, "\xe2\x80\xa9", 3));
    int length = *at == '\\' ? 2 : sequence(at);
    fuzzAssert(length > 0 && (*at != '\\' || strchr("\"\\/bfnrtu", at[1])));
    at += length;
  }
  fuzzAssert(strcmp((const char *)at, "\"\n") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = fuzzText(data, size), *written = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&written, &length);
  txJson json;
  fuzzAssert(file);
  txJsonStart(&json, file);
  txJsonString(&json, NULL, text);
  fclose(file);
  /* the end of a line belongs to objects */
  if (length && written[length - 1] != '\n') {
    char *line = realloc(written, length + 2);
    fuzzAssert(line);
    written = line;
    strcpy(written + length, "\n");
  }
  check(written);
  free(written);
  free(text);
  return 0;
}
