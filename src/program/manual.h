/* The help in other forms, from the same tables and texts: a manual page, and lines for the
 * completion of shells. */
#ifndef TEXLA_PROGRAM_MANUAL_H
#define TEXLA_PROGRAM_MANUAL_H

#include "program/arguments.h"

typedef enum txHelpForm { TX_HELP_TEXT, TX_HELP_MAN, TX_HELP_TABLE } txHelpForm;

/* `general`: what every program takes. */
void txManualPrint(const txProgram *program, const txOption *general);

/* Lines of words between tabs: "--name", its kind, its choices or what its value is called, its
 * help; and "name", "word", "", what the texts say of it, for each command, scene or suite that
 * they list. */
void txTablePrint(const txProgram *program, const txOption *general);

#endif
