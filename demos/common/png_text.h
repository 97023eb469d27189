/* Texts in PNG files: chunks tEXt, which programs that show pictures skip. */
#ifndef DEMOS_COMMON_PNG_TEXT_H
#define DEMOS_COMMON_PNG_TEXT_H

#include "texla/status.h"

/* Puts a text under this keyword (1 to 79 letters) into a PNG file, which is replaced once the new
 * one is whole. */
clStatus demoPngPutText(const char *path, const char *keyword, const char *text, clError *error);

/* *text <- the text under this keyword, the caller's; NULL where the file has none. TEXLA_BAD_FILE
 * where it is no PNG file or ends too early. */
clStatus demoPngGetText(char **text, const char *path, const char *keyword, clError *error);

#endif
