/* The JSON writer. */
#include "common.h"

#include "io/json.h"

typedef struct Document {
  txJson json;
  FILE *file;
  char *text;
  size_t size;
} Document;

static txJson *start(Document *document) {
  document->file = open_memstream(&document->text, &document->size);
  assert_non_null(document->file);
  txJsonStart(&document->json, document->file);
  return &document->json;
}

static void finish(Document *document, const char *expected) {
  assert_int_equal(document->json.depth, 0);
  fclose(document->file);
  assert_string_equal(document->text, expected);
  free(document->text);
}

static void nestedValuesArePrettyPrinted(void **state) {
  Document document;
  txJson *json = start(&document);
  txJsonObject(json, NULL);
  txJsonString(json, "name", "A");
  txJsonInteger(json, "nnz", -9223372036854775807 - 1);
  txJsonNumber(json, "residual", 0.1);
  txJsonBool(json, "good", true);
  txJsonBool(json, "bad", false);
  txJsonString(json, "none", NULL);
  txJsonObject(json, "empty");
  txJsonClose(json);
  txJsonArray(json, "list");
  txJsonInteger(json, NULL, 1);
  txJsonArray(json, NULL);
  txJsonClose(json);
  txJsonObject(json, NULL);
  txJsonInteger(json, "k", 2);
  txJsonClose(json);
  txJsonClose(json);
  txJsonInteger(json, "last", 3);
  txJsonClose(json);
  finish(&document, "{\n"
                    "  \"name\": \"A\",\n"
                    "  \"nnz\": -9223372036854775808,\n"
                    "  \"residual\": 0.10000000000000001,\n"
                    "  \"good\": true,\n"
                    "  \"bad\": false,\n"
                    "  \"none\": null,\n"
                    "  \"empty\": {},\n"
                    "  \"list\": [\n"
                    "    1,\n"
                    "    [],\n"
                    "    {\n"
                    "      \"k\": 2\n"
                    "    }\n"
                    "  ],\n"
                    "  \"last\": 3\n"
                    "}\n");
}

static void numbersThatJsonLacksAreNull(void **state) {
  const double values[] = {NAN, INFINITY, -INFINITY, -0., 1e300, 3};
  const char *texts[] = {"null\n", "null\n", "null\n", "-0\n", "1.0000000000000001e+300\n", "3\n"};
  for (int k = 0; k < 6; k++) {
    Document document;
    txJsonNumber(start(&document), NULL, values[k]);
    finish(&document, texts[k]);
  }
}

static void stringsAreEscaped(void **state) {
  static const struct {
    const char *text, *json;
  } cases[] = {
      {"", "\"\"\n"},
      {"a\"b\\c/d", "\"a\\\"b\\\\c/d\"\n"},
      {"\n\t\r\b\f\x01\x1f\x7f", "\"\\n\\t\\r\\b\\f\\u0001\\u001f\x7f\"\n"},
      {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n"},
      /* what ends a script or begins markup */
      {"</script><img src=x onerror=a()>&",
       "\"\\u003c/script\\u003e\\u003cimg src=x onerror=a()\\u003e\\u0026\"\n"},
      {"<!--\xe2\x80\xa8-\xe2\x80\xa9\xe2\x80\xaa", "\"\\u003c!--\\u2028-\\u2029\xe2\x80\xaa\"\n"},
      /* Latin-1 */
      {"x\xe9y", "\"x\\ufffdy\"\n"},
      /* cut off */
      {"\xc3", "\"\\ufffd\"\n"},
      /* cut off */
      {"\xe2\x82", "\"\\ufffd\\ufffd\"\n"},
      /* overlong */
      {"\xc0\xaf", "\"\\ufffd\\ufffd\"\n"},
      /* surrogate */
      {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n"},
      /* above U+10FFFF */
      {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n"},
      {"\xff\x80", "\"\\ufffd\\ufffd\"\n"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Document document;
    txJsonString(start(&document), NULL, cases[k].text);
    finish(&document, cases[k].json);
  }
  Document document;
  txJson *json = start(&document);
  txJsonObject(json, NULL);
  txJsonInteger(json, "\"k\n", 1);
  txJsonClose(json);
  finish(&document, "{\n  \"\\\"k\\n\": 1\n}\n");
}

TEST_MAIN(NULL, NULL, nestedValuesArePrettyPrinted, numbersThatJsonLacksAreNull, stringsAreEscaped)
