/* A scene's text, line by line: other lines, other values in them. Lines are known by their first
 * word, of `let` and `parameter` by the name behind it. All texts that are returned are new ones,
 * the caller's; NULL: no memory. */
#ifndef DEMOS_COMMON_LINES_H
#define DEMOS_COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a text. */
typedef struct demoSpan {
  size_t begin, end;
} demoSpan;

/* Other lines (';' or ends of lines between them) where those stood that begin with the same words,
 * and the rest behind them. */
char *demoLinesVaried(const char *text, const char *lines);

/* Another number in the line `parameter NAME = ...`; the bounds behind it stay. */
char *demoLinesParameter(const char *text, const char *name, const char *number);

/* Does one of the lines begin with the word? */
bool demoLinesHave(const char *lines, const char *word);

/* Where the value stands in the line of that word: all of it (name NULL), its first value (""), or
 * the one that has the name. False: there is none. */
bool demoLinesFind(const char *text, const char *word, const char *name, demoSpan *value);

/* Another value there; what was not there is added, what becomes empty is left out, with the line
 * where nothing else stands in it. */
char *demoLinesWith(const char *text, const char *word, const char *name, const char *value);

/* Without the lines that begin with the word (NULL: all stay); ends with the end of a line. */
char *demoLinesWithout(const char *text, const char *word);

/* A parameter more, of value 1 from 0 to 2, that came because a formula asks for it ... */
char *demoLinesName(const char *text, const char *name);
/* ... and without those of them that nothing asks for any more. */
char *demoLinesForget(const char *text);

#endif
