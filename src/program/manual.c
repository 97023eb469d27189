#include "program/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "texla/version.h"

/* A character as roff wants it; at the beginning of a line a point or a quote would be a
 * command. */
static void printCharacter(char c, bool begins) {
  if (begins && (c == '.' || c == '\''))
    printf("\\&");
  if (c == '\\')
    printf("\\e");
  else if (c == '-')
    printf("\\-");
  else
    putchar(c);
}

static void printRoff(const char *text) {
  bool begins = true;
  for (; *text; begins = *text++ == '\n')
    printCharacter(*text, begins);
}

/* Lines as they are. */
static void printLines(const char *text) {
  printf(".nf\n");
  printRoff(text);
  printf(".fi\n");
}

/* "texla solve" becomes texla-solve. */
static void printPageName(const char *name, bool capital) {
  for (; *name; name++) {
    char c = *name;
    if (c == ' ')
      c = '-';
    else if (capital)
      c = (char)toupper((unsigned char)c);
    printCharacter(c, false);
  }
}

static void printChoices(const txOption *option, const char *between) {
  for (int k = 0; option->choices && option->choices[k]; k++) {
    if (k > 0)
      printf("%s", between);
    printf("%s", option->choices[k]);
  }
  if (!option->choices && option->metavar)
    printf("%s", option->metavar);
}

static void printOption(const txOption *option) {
  printf(".TP\n\\fB\\-\\-");
  printRoff(option->name);
  printf("\\fR ");
  printChoices(option, "|");
  printf("\n");
  printRoff(option->help);
  printf("\n");
}

/* Up to the first end of a sentence, which is all that the list of pages shows. */
static void printBrief(const char *summary) {
  size_t n = strcspn(summary, ".;:");
  if (n > 0)
    printCharacter((char)tolower((unsigned char)summary[0]), true);
  for (size_t k = 1; k < n; k++)
    printCharacter(summary[k], false);
}

void txManualPrint(const txProgram *program, const txOption *general) {
  printf(".TH \"");
  printPageName(program->name, true);
  printf("\" 1 \"\" \"texla %s\" \"User Commands\"\n.ad l\n.SH NAME\n", TEXLA_VERSION);
  printPageName(program->name, false);
  printf(" \\- ");
  printBrief(program->summary);
  printf("\n.SH SYNOPSIS\n.B %s\n", program->name);
  if (program->arguments)
    printf("%s ", program->arguments);
  printf("[options]\n.SH DESCRIPTION\n");
  printRoff(program->summary);
  printf("\n");
  if (program->details) {
    printf(".PP\n");
    printLines(program->details);
  }
  printf(".SH OPTIONS\n");
  for (const txOption *option = program->options; option && option->name; option++)
    printOption(option);
  for (const txOption *option = general; option->name; option++)
    printOption(option);
  if (program->notes) {
    printf(".SH NOTES\n");
    printLines(program->notes);
  }
}

static void tableOption(const txOption *option) {
  static const char *const kinds[] = {"flag", "text", "integer", "real", "choice", "size"};
  printf("--%s\t%s\t", option->name, kinds[option->kind]);
  printChoices(option, " ");
  printf("\t%s\n", option->help);
}

/* "  name   text": a list has such lines, indented by two. */
static void tableWords(const char *text) {
  for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n') {
    size_t length = strcspn(text, "\n"), name = 0;
    if (length > 2)
      name = strcspn(text + 2, " \n[");
    size_t gap = strspn(text + 2 + name, " ");
    bool listed =
        strncmp(text, "  ", 2) == 0 && name && islower((unsigned char)text[2]) && gap >= 2;
    if (listed && 2 + name + gap < length)
      printf("%.*s\tword\t\t%.*s\n", (int)name, text + 2, (int)(length - 2 - name - gap),
             text + 2 + name + gap);
  }
}

void txTablePrint(const txProgram *program, const txOption *general) {
  for (const txOption *option = program->options; option && option->name; option++)
    tableOption(option);
  for (const txOption *option = general; option->name; option++)
    tableOption(option);
  tableWords(program->details);
  if (!program->details)
    tableWords(program->notes);
}
