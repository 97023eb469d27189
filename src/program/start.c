#include "program/start.h"
#include "platform/platform.h"
#include "program/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

/* path <- the program `name` in the folder of this one; false where that is not known. */
static bool besideThis(char path[PATH], const char *name) {
  if (!txProgramPath(path, PATH))
    return false;
  char *last = strrchr(path, '/');
  if (!last)
    return false;
  size_t room = (size_t)(path + PATH - (last + 1));
  return (size_t)snprintf(last + 1, room, "%s", name) < room;
}

int txProgramStart(const char *command, const char *name, char **argv) {
  char path[PATH];
  fflush(NULL);
  if (besideThis(path, name))
    txProgramBecome(path, argv);
  txProgramBecome(name, argv);
  fprintf(stderr,
          "%s: the program %s could not be started: %s. It is a package of its own, and is built "
          "beside %.*s from the same sources.\n",
          command, name, strerror(errno), (int)strcspn(command, " "), command);
  return TX_EXIT_BAD;
}
