#include "common/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/formula.h"
#include "core/numbers.h"

/* A text that grows; `text` NULL: no memory. */
typedef struct Text {
  char *text;
  size_t used;
} Text;

static void append(Text *t, const char *part, size_t length) {
  char *text = t->text ? realloc(t->text, t->used + length + 1) : NULL;
  if (!text)
    free(t->text);
  t->text = text;
  if (!text)
    return;
  memcpy(text + t->used, part, length);
  t->used += length;
  text[t->used] = 0;
}

/* A line's first word; of `let` and `parameter` also the name behind it. Equations and numbers may
 * stand close to their '='. */
static const char *wordOf(const char *line, const char *end, size_t *length) {
  const char *begin = line + strspn(line, " \t");
  size_t n = begin < end ? strcspn(begin, " \t=;#\n") : 0;
  if ((n == 3 && strncmp(begin, "let", n) == 0) ||
      (n == 9 && strncmp(begin, "parameter", n) == 0)) {
    const char *name = begin + n + strspn(begin + n, " \t");
    n = (size_t)(name - begin) + strcspn(name, " \t=;#\n");
  }
  *length = n;
  return begin;
}

/* Do both lines name the same? Spaces between two words may differ. */
static bool sameWords(const char *a, size_t n, const char *b, size_t m) {
  while (n && m && *a == *b) {
    /* a letter, or all spaces on both sides */
    size_t skip_a = strspn(a, " \t"), skip_b = strspn(b, " \t");
    skip_a += !skip_a;
    skip_b += !skip_b;
    a += skip_a, n -= skip_a;
    b += skip_b, m -= skip_b;
  }
  return n == 0 && m == 0;
}

static const char *endOfLine(const char *line) {
  return line + strcspn(line, ";\n");
}

/* Appends those of `lines` that begin with that word (NULL: all) and are not done yet: done[where a
 * line begins]. */
static void appendSame(Text *out, const char *lines, bool *done, const char *word, size_t length) {
  for (const char *line = lines, *end; *line; line = end + (*end != 0)) {
    size_t n;
    end = endOfLine(line);
    const char *own = wordOf(line, end, &n);
    if (!n || (word && !sameWords(own, n, word, length)) || done[line - lines])
      continue;
    done[line - lines] = true;
    append(out, own, (size_t)(end - own));
    append(out, "\n", 1);
  }
}

static bool hasSame(const char *lines, const char *word, size_t length) {
  for (const char *line = lines, *end; *line; line = end + (*end != 0)) {
    size_t n;
    end = endOfLine(line);
    const char *own = wordOf(line, end, &n);
    if (n && sameWords(own, n, word, length))
      return true;
  }
  return false;
}

/* A scene's text, with other lines (';' or ends of lines between them) where those stood that begin
 * with the same words, and the rest behind it. The caller's; NULL: no memory. */
char *demoLinesVaried(const char *text, const char *lines) {
  bool *done = calloc(strlen(lines) + 1, sizeof *done);
  if (!done)
    return NULL;
  Text out = {calloc(1, 1), 0};
  while (*text) {
    const char *end = text + strcspn(text, "\n");
    size_t n;
    const char *word = wordOf(text, end, &n);
    if (!n || !hasSame(lines, word, n)) {
      append(&out, text, (size_t)(end - text));
      append(&out, "\n", 1);
    } else
      appendSame(&out, lines, done, word, n);
    text = end + (*end == '\n');
  }
  appendSame(&out, lines, done, NULL, 0);
  free(done);
  return out.text;
}

/* A scene's text with another number in the line `parameter NAME = ...`; the bounds behind it
 * stay. */
char *demoLinesParameter(const char *text, const char *name, const char *number) {
  char words[DEMO_NAME + 16];
  size_t length = (size_t)snprintf(words, sizeof words, "parameter %s", name);
  Text out = {calloc(1, 1), 0};
  while (*text) {
    const char *end = text + strcspn(text, "\n");
    size_t n;
    const char *word = wordOf(text, end, &n), *equals = memchr(text, '=', (size_t)(end - text));
    if (equals && sameWords(word, n, words, length)) {
      const char *rest = equals + 1 + strcspn(equals + 1, ",#\n");
      append(&out, text, (size_t)(equals + 1 - text));
      append(&out, " ", 1);
      append(&out, number, strlen(number));
      append(&out, " ", *rest == '#');
      text = rest;
    }
    append(&out, text, (size_t)(end - text));
    append(&out, "\n", 1);
    text = end + (*end == '\n');
  }
  return out.text;
}

char *demoLinesWithout(const char *text, const char *word) {
  Text out = {calloc(1, 1), 0};
  while (*text) {
    const char *end = text + strcspn(text, "\n");
    size_t n;
    const char *own = wordOf(text, end, &n);
    if (!word || !n || !sameWords(own, n, word, strlen(word))) {
      append(&out, text, (size_t)(end - text));
      append(&out, "\n", 1);
    }
    text = end + (*end == '\n');
  }
  return out.text;
}

bool demoLinesHave(const char *lines, const char *word) {
  return hasSame(lines, word, strlen(word));
}

/* --- values --- */

/* From the beginning of what follows a line's word to its end, before a remark, without spaces. */
static demoSpan contentOf(const char *text, const char *after, const char *end) {
  const char *remark = memchr(after, '#', (size_t)(end - after));
  if (remark)
    end = remark;
  after += strspn(after, " \t");
  if (after < end && *after == '=')
    after += 1 + strspn(after + 1, " \t");
  while (end > after && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  return (demoSpan){(size_t)(after - text), (size_t)(end - text)};
}

/* The first line of that word: where it begins, and what stands in it. False: there is none. */
static bool findLine(const char *text, const char *word, size_t *begin, demoSpan *content) {
  for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
    size_t n;
    end = line + strcspn(line, "\n");
    const char *own = wordOf(line, end, &n);
    if (!n || !sameWords(own, n, word, strlen(word)))
      continue;
    *begin = (size_t)(line - text);
    *content = contentOf(text, own + n, end);
    return true;
  }
  return false;
}

/* The part of a line that begins there, up to a comma that stands in no brackets. */
static demoSpan partAt(const char *text, size_t at, size_t end) {
  int depth = 0;
  at += strspn(text + at, " \t");
  demoSpan part = {at, at};
  for (; part.end < end && (text[part.end] != ',' || depth > 0); part.end++)
    depth += (text[part.end] == '(') - (text[part.end] == ')');
  return part;
}

/* Without spaces at its end. */
static demoSpan trimmed(const char *text, demoSpan span) {
  while (span.end > span.begin && strchr(" \t", text[span.end - 1]))
    span.end--;
  return span;
}

/* In `name = value`: the value. False: the part has another name. */
static bool isNamed(const char *text, demoSpan part, const char *name, demoSpan *value) {
  size_t length = strlen(name), at = part.begin + length;
  if (part.end - part.begin <= length || strncmp(text + part.begin, name, length) != 0)
    return false;
  at += strspn(text + at, " \t");
  if (at >= part.end || text[at] != '=')
    return false;
  at++;
  at += strspn(text + at, " \t");
  *value = trimmed(text, (demoSpan){(size_t)txLeast64((int64_t)at, (int64_t)part.end), part.end});
  return true;
}

/* Finds the part of a line with that name ("": the first part), and the value in it. */
static bool findPart(const char *text, demoSpan content, const char *name, demoSpan *part,
                     demoSpan *value) {
  size_t at = content.begin;
  while (at < content.end) {
    *part = partAt(text, at, content.end);
    *value = trimmed(text, *part);
    if (!*name || isNamed(text, *part, name, value))
      return true;
    at = part->end + 1;
  }
  return false;
}

bool demoLinesFind(const char *text, const char *word, const char *name, demoSpan *value) {
  demoSpan content, part;
  size_t begin;
  if (!findLine(text, word, &begin, &content))
    return false;
  *value = content;
  return !name || findPart(text, content, name, &part, value);
}

/* The text with this in place of a part of it. */
static char *replaced(const char *text, size_t begin, size_t end, const char *with) {
  Text out = {calloc(1, 1), 0};
  append(&out, text, begin);
  append(&out, with, strlen(with));
  append(&out, text + end, strlen(text + end));
  return out.text;
}

/* Without the line that begins there. */
static char *withoutLine(const char *text, size_t begin) {
  size_t end = begin + strcspn(text + begin, "\n");
  return replaced(text, begin, end + (text[end] == '\n'), "");
}

/* Without a part of a line, and the comma before it, or behind it. */
static char *withoutPart(const char *text, size_t begin, demoSpan content, demoSpan part) {
  if (part.begin <= content.begin && part.end >= content.end)
    return withoutLine(text, begin);
  if (part.begin > content.begin)
    while (text[part.begin] != ',')
      part.begin--;
  else
    part.end += 1 + strspn(text + part.end + 1, " \t");
  return replaced(text, part.begin, part.end, "");
}

/* With a line more at the end; equations have a '=' behind their word. */
static char *withLine(const char *text, const char *word, const char *name, const char *value) {
  const char *equals = word[strlen(word) - 1] == '\'' ? "= " : "";
  Text out = {calloc(1, 1), 0};
  size_t length = strlen(text);
  append(&out, text, length);
  append(&out, "\n", length > 0 && text[length - 1] != '\n');
  append(&out, word, strlen(word));
  append(&out, " ", 1);
  append(&out, equals, strlen(equals));
  if (name && *name) {
    append(&out, name, strlen(name));
    append(&out, " = ", 3);
  }
  append(&out, value, strlen(value));
  append(&out, "\n", 1);
  return out.text;
}

/* With a named value more in a line. */
static char *withPart(const char *text, size_t end, const char *name, const char *value) {
  Text out = {calloc(1, 1), 0};
  append(&out, text, end);
  append(&out, ", ", 2);
  append(&out, name, strlen(name));
  append(&out, " = ", 3);
  append(&out, value, strlen(value));
  append(&out, text + end, strlen(text + end));
  return out.text;
}

char *demoLinesWith(const char *text, const char *word, const char *name, const char *value) {
  demoSpan content, part, old;
  size_t begin;
  bool line = findLine(text, word, &begin, &content);
  part = old = content;
  bool found = line && (!name || findPart(text, content, name, &part, &old));
  if (!found && !*value)
    return strdup(text);
  if (!line)
    return withLine(text, word, name, value);
  if (!found)
    return withPart(text, content.end, name, value);
  if (!*value)
    return withoutPart(text, begin, content, part);
  return replaced(text, old.begin, old.end, value);
}

/* --- parameters that come with what asks for them --- */

static const char typed[] = "  # typed";

char *demoLinesName(const char *text, const char *name) {
  char line[DEMO_NAME + 64];
  snprintf(line, sizeof line, "parameter %s = 1, 0, 2%s\n", name, typed);
  Text out = {calloc(1, 1), 0};
  size_t length = strlen(text);
  append(&out, text, length);
  append(&out, "\n", length > 0 && text[length - 1] != '\n');
  append(&out, line, strlen(line));
  return out.text;
}

static bool isLetter(char c) {
  return c && (strchr("_0123456789", c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* Does the text ask for the name, outside of the line that begins there? */
static bool asksFor(const char *text, const char *line, const char *name, size_t length) {
  const char *end = line + strcspn(line, "\n");
  for (const char *at = text; *at; at++) {
    bool begins = at == text || !isLetter(at[-1]), own = at >= line && at < end;
    if (!own && begins && strncmp(at, name, length) == 0 && !isLetter(at[length]))
      return true;
  }
  return false;
}

char *demoLinesForget(const char *text) {
  const char first[] = "parameter ";
  Text out = {calloc(1, 1), 0};
  for (const char *line = text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    end += *end == '\n';
    const char *name = line + strlen(first), *mark = strstr(line, typed);
    bool own = strncmp(line, first, strlen(first)) == 0 && mark && mark < end;
    if (!own || asksFor(text, line, name, strcspn(name, " =")))
      append(&out, line, (size_t)(end - line));
  }
  return out.text;
}
