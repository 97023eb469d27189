/* Mesa's llvmpipe reads the number of its worker threads from LP_NUM_THREADS when a display is
 * initialized, and never again: the contexts of a display share its threads. With none the calling
 * thread shades; a pass over 32 x 32 texels takes 4 us then, and 60 us where two workers must be
 * woken, which pays from about 512 x 512 on. So a process may have two displays with different
 * numbers: a device's and the surfaceless one (platform.c).
 *
 * EGL takes the number from the environment alone. It is put there by exchanging `environ` for a
 * copy and back, under a lock: setenv could move the array while another thread reads it, and a
 * copy that is never freed cannot disturb a reader. */
#define _GNU_SOURCE
#include "gl/displays.h"
#include "gl/traits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 40 };
static const char variable[] = "LP_NUM_THREADS";

typedef struct opened {
  EGLDisplay display;
  int threads;
  /* that it saw */
  char **environment;
} opened;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static opened list[MOST];
static int count;

void txDisplaysLock(void) {
  pthread_mutex_lock(&lock);
}

void txDisplaysUnlock(void) {
  pthread_mutex_unlock(&lock);
}

static int threadsUsual(void) {
  const char *user = getenv(variable);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int given = user ? atoi(user) : 0;
  return user ? (given > 0 ? given : 0) : processors > 1 ? (int)processors : 0;
}

int txThreadsWanted(const clContextOptions *options, int pinned) {
  if (options->threads)
    return options->threads > 0 ? options->threads : 0;
  if (getenv(variable))
    return threadsUsual();
  if (pinned >= 0)
    return pinned;
  return options->elements > 0 && options->elements <= TX_FEW_ELEMENTS ? 0 : threadsUsual();
}

static const opened *find(EGLDisplay display) {
  for (int i = 0; i < count; i++)
    if (list[i].display == display)
      return &list[i];
  return NULL;
}

/* A copy of the environment, but for the number of threads; one block. NULL: no memory. */
static char **environmentWith(int threads) {
  size_t n = 0, kept = 0, length = strlen(variable);
  while (environ && environ[n])
    n++;
  char **copy = malloc((n + 2) * sizeof *copy + sizeof variable + 16);
  if (!copy)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], variable, length) != 0 || environ[i][length] != '=')
      copy[kept++] = environ[i];
  copy[kept] = (char *)(copy + n + 2);
  snprintf(copy[kept++], sizeof variable + 16, "%s=%d", variable, threads);
  copy[kept] = NULL;
  return copy;
}

/* Of a display that the application has initialized only EGL knows. */
static bool isInitialized(EGLDisplay display) {
  bool yes = eglQueryString(display, EGL_VERSION) != NULL;
  if (!yes)
    eglGetError();
  return yes;
}

bool txDisplayOpen(EGLDisplay display, int threads) {
  if (find(display))
    return true;
  char **before = environ,
       **copy = isInitialized(display) || count == MOST ? NULL : environmentWith(threads);
  if (copy)
    environ = copy;
  bool ok = eglInitialize(display, NULL, NULL);
  if (copy)
    environ = before;
  if (ok && copy)
    list[count++] = (opened){display, threads, copy};
  else
    free(copy);
  return ok;
}

int txDisplayThreads(EGLDisplay display) {
  const opened *found = find(display);
  return found ? found->threads : isInitialized(display) ? threadsUsual() : -1;
}
