/* Command lines: words divided by line ends, for a program with an option of each kind. Messages go
 * nowhere. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "program/arguments.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {"--count\n5\n--size=3x4\nfile.mtx",
                                      "--real\n-1e-3\n--choice\nsecond\n--flag\n--\n--text",
                                      "--help",
                                      "--version",
                                      "--cuont\n3",
                                      "--device\nllvmpipe\n--quiet\na\nb",
                                      NULL};
  (void)size;
  return seeds[k];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const choices[] = {"first", "second", NULL};
  bool flag = false;
  const char *given = NULL;
  int64_t count = 3;
  double real = 0.5;
  int choice = 0, dimensions[2] = {1, 1}, status = 0, argc = 1;
  txCommon common = {0};
  const txOption options[] = {
      {"flag", TX_OPTION_FLAG, &flag, NULL, "a flag"},
      {"text", TX_OPTION_TEXT, &given, "FILE", "a text"},
      {"count", TX_OPTION_INTEGER, &count, "N", "a number", 1, 100},
      {"real", TX_OPTION_REAL, &real, "T", "another", 0, INFINITY},
      {"choice", TX_OPTION_CHOICE, &choice, NULL, "one of two", .choices = choices},
      {"size", TX_OPTION_SIZE, dimensions, "NxM", "two"},
      {0}};
  const txProgram program = {.name = "fuzz",
                             .arguments = "A B",
                             .least = 0,
                             .most = 2,
                             .summary = "Nothing.",
                             .options = options,
                             .common = &common};
  char *text = fuzzText(data, size), *argv[66] = {text};
  for (char *word = strtok(text, "\n"); word && argc < 64; word = strtok(NULL, "\n"))
    argv[argc++] = word;
  static bool silenced;
  if (!silenced)
    silenced = freopen("/dev/null", "w", stdout) != NULL;
  FILE *messages = stderr;
  static FILE *nowhere;
  nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
  stderr = nowhere ? nowhere : messages;
  bool good = txArgumentsParse(&program, &argc, argv, &status);
  stderr = messages;
  if (good) {
    fuzzAssert(argc >= 0 && argc <= 2);
    fuzzAssert(count >= 1 && count <= 100 && real > 0 && (choice == 0 || choice == 1));
    fuzzAssert(dimensions[0] >= 1 && dimensions[1] >= 1);
  } else {
    fuzzAssert(status == TX_EXIT_GOOD || status == TX_EXIT_BAD);
  }
  free(text);
  return 0;
}
