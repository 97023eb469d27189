/* A text in a film: in the comment of an MP4's metadata, or in a GIF's comment. */
#ifndef DEMOS_COMMON_FILM_TEXT_H
#define DEMOS_COMMON_FILM_TEXT_H

#include "texla/status.h"

/* A GIF that is whole gets the text. (MP4 files get theirs while ffmpeg makes them.) */
clStatus demoFilmPutText(const char *path, const char *text, clError *error);

/* *text <- what begins with `mark` in the film's comment; the caller frees it. NULL: there is none.
 * Of MP4 files ffprobe, which comes with ffmpeg, tells it. */
clStatus demoFilmGetText(char **text, const char *path, const char *mark, clError *error);

#endif
