/* The version of texla: the one place; the build reads it from here. */
#ifndef TEXLA_VERSION_H
#define TEXLA_VERSION_H

#define TEXLA_VERSION "0.2.0"

#endif
