/* The worker threads of a software renderer: chosen by size, by the caller, by the user, by a
 * tuning file; the environment stays as it was. A display keeps its number, so what a process may
 * choose is tested in processes of their own. */
#include "common.h"

#include "folder.h"
#include "gl/gl.h"
#include "texla/vector.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

/* In a child: the checks that fail end it with 1. */
#define HOLDS(condition)                                                                           \
  ((condition) ? (void)0 : (print_error("%s:%d: %s\n", __FILE__, __LINE__, #condition), _exit(1)))

static void inOwnProcess(void (*function)(void)) {
  int status = -1;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    unsetenv("LP_NUM_THREADS");
    function();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static clContext *openWith(clContextOptions options) {
  clContext *context = NULL;
  clError error = {0};
  options.no_tuning_cache = true;
  options.device = options.device ? options.device : "llvmpipe";
  if (clContextCreate(&context, &options, &error))
    print_error("%s\n", error.message);
  HOLDS(context);
  HOLDS(clContextInspect(context)->threads == txContextTraits(context)->threads);
  const char *key = NULL;
  int value = 0, tabled = -1;
  for (int i = 0; clContextTuning(context, i, &key, &value); i++)
    if (!strcmp(key, "trait.threads"))
      tabled = value;
  HOLDS(tabled == clContextInspect(context)->threads);
  return context;
}

/* The number of this process's threads whose name says that they are workers of llvmpipe. */
static int workers(void) {
  int found = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *e; tasks && (e = readdir(tasks));) {
    char path[300], name[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.200s/comm", e->d_name);
    FILE *file = fopen(path, "r");
    if (file && fgets(name, sizeof name, file))
      found += !strncmp(name, "llvmpipe-", 9);
    if (file)
      fclose(file);
  }
  if (tasks)
    closedir(tasks);
  return found;
}

static float sumOf(clContext *context, int n) {
  OWN(clVector) *x = NULL;
  OWN(clFloat) *s = NULL;
  float sum = 0;
  HOLDS(!clVectorCreate(&x, context, n) && !clVectorFill(x, 0.5f) && !clFloatCreate(&s, context));
  HOLDS(!clVectorSum(s, x) && !clFloatDownload(s, &sum));
  return sum;
}

static void bySize(void) {
  clContext *small = openWith((clContextOptions){.elements = 1000});
  HOLDS(clContextInspect(small)->threads == 0 && workers() == 0);
  clContext *large = openWith((clContextOptions){.elements = 1 << 20}),
            *unknown = openWith((clContextOptions){0});
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int many = processors > 1 ? (int)processors : 0;
  HOLDS(clContextInspect(large)->threads == many && clContextInspect(unknown)->threads == many);
  HOLDS(!many || workers() > 0);
  HOLDS(sumOf(small, 100000) == 50000 && sumOf(large, 100000) == 50000 && sumOf(small, 10) == 5);
  HOLDS(!getenv("LP_NUM_THREADS"));
  clContextDestroy(large);
  HOLDS(sumOf(small, 100000) == 50000);
  clContextDestroy(small);
  clContextDestroy(unknown);
}

/* A third number is not to be had: what there is is told. */
static void byTheCaller(void) {
  OWN(clContext) *three = openWith((clContextOptions){.threads = 3, .elements = 10});
  HOLDS(clContextInspect(three)->threads == 3 && workers() == 3);
  OWN(clContext) *none = openWith((clContextOptions){.threads = -1});
  HOLDS(clContextInspect(none)->threads == 0 && workers() == 3);
  OWN(clContext) *again = openWith((clContextOptions){.threads = 3}),
                 *two = openWith((clContextOptions){.threads = 2});
  HOLDS(clContextInspect(again)->threads == 3 && clContextInspect(two)->threads == 3 &&
        workers() == 3);
  HOLDS(sumOf(two, 70000) == 35000 && sumOf(none, 70000) == 35000);
}

static void byTheUser(void) {
  setenv("LP_NUM_THREADS", "1", 1);
  const char *text = getenv("LP_NUM_THREADS");
  OWN(clContext) *small = openWith((clContextOptions){.elements = 10}),
                 *large = openWith((clContextOptions){0});
  HOLDS(clContextInspect(small)->threads == 1 && clContextInspect(large)->threads == 1 &&
        workers() == 1);
  /* a program that insists */
  OWN(clContext) *none = openWith((clContextOptions){.threads = -1});
  HOLDS(clContextInspect(none)->threads == 0 && workers() == 1);
  HOLDS(getenv("LP_NUM_THREADS") == text && !strcmp(text, "1"));
}

static void byAFile(void) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  folderWrite(&folder, "pinned", "trait.threads 2\n");
  clContext *pinned =
      openWith((clContextOptions){.tuning = folderPath(&folder, "pinned"), .elements = 10});
  HOLDS(clContextInspect(pinned)->threads == 2);
  clContextDestroy(pinned);
  clContext *written =
      openWith((clContextOptions){.tuning = folderPath(&folder, "new"), .elements = 10});
  HOLDS(clContextInspect(written)->threads == 0);
  clContextDestroy(written);
  /* large, but pinned to none */
  clContext *again = openWith((clContextOptions){.tuning = folderPath(&folder, "new")});
  HOLDS(clContextInspect(again)->threads == 0);
  clContextDestroy(again);
}

/* The surfaceless platform itself has one display. */
static void onOneDisplay(void) {
  OWN(clContext) *none = openWith((clContextOptions){.device = "surfaceless", .elements = 10});
  OWN(clContext) *large = openWith((clContextOptions){.device = "surfaceless"});
  HOLDS(clContextInspect(none)->threads == 0 && clContextInspect(large)->threads == 0 &&
        workers() == 0);
  HOLDS(!strcmp(clContextInspect(large)->platform, "EGL surfaceless"));
}

static void *openInThread(void *user) {
  OWN(clContext) *context = openWith((clContextOptions){.threads = *(int *)user});
  int wanted = *(int *)user > 0 ? *(int *)user : 0;
  HOLDS(clContextInspect(context)->threads == wanted);
  HOLDS(sumOf(context, 5000) == 2500);
  return NULL;
}

static void atOnce(void) {
  enum { THREADS = 6 };
  pthread_t thread[THREADS];
  int number[2] = {-1, 2};
  for (int i = 0; i < THREADS; i++)
    HOLDS(!pthread_create(&thread[i], NULL, openInThread, &number[i % 2]));
  for (int i = 0; i < THREADS; i++)
    HOLDS(!pthread_join(thread[i], NULL));
  HOLDS(!getenv("LP_NUM_THREADS") && workers() == 2);
}

/* Variables that a thread changes while displays are being opened. They are there before: adding
 * one may move the environment while the driver reads it. */
enum { VARIABLES = 2000 };
typedef struct Settings {
  atomic_int set;
  atomic_bool stop;
} Settings;

static void setVariable(int i, const char *value) {
  char name[32];
  snprintf(name, sizeof name, "TEXLA_TEST_%d", i);
  HOLDS(!setenv(name, value, 1));
}

static bool isSet(int i) {
  char name[32];
  snprintf(name, sizeof name, "TEXLA_TEST_%d", i);
  const char *value = getenv(name);
  return value && !strcmp(value, "after");
}

static void *setVariables(void *user) {
  Settings *settings = user;
  for (int i = 0; i < VARIABLES && !settings->stop; i++) {
    setVariable(i, "after");
    settings->set = i + 1;
    usleep(20);
  }
  return NULL;
}

/* What another thread puts into the environment stays there, whatever is opened meanwhile. */
static void besideSetenv(void) {
  Settings settings = {0};
  pthread_t thread;
  for (int i = 0; i < VARIABLES; i++)
    setVariable(i, "before");
  HOLDS(!pthread_create(&thread, NULL, setVariables, &settings));
  while (settings.set < 5)
    usleep(20);
  clContext *none = openWith((clContextOptions){.threads = -1}),
            *two = openWith((clContextOptions){.threads = 2});
  settings.stop = true;
  HOLDS(!pthread_join(thread, NULL));
  for (int i = 0; i < settings.set; i++)
    HOLDS(isSet(i));
  HOLDS(!getenv("LP_NUM_THREADS"));
  clContextDestroy(none), clContextDestroy(two);
}

static bool hasLlvmpipe(void) {
  OWN(clContext) *context = NULL;
  const clContextOptions options = {.device = "llvmpipe", .no_tuning_cache = true};
  bool yes = !clContextCreate(&context, &options, NULL) &&
             !strncmp(clContextInspect(context)->renderer, "llvmpipe", 8);
  return yes;
}

/* Asked in a child: a display must not be initialized before the others are forked. */
static bool isTestable(void) {
  int status = -1;
  pid_t child = fork();
  if (child == 0)
    _exit(hasLlvmpipe() ? 0 : 1);
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

static void (*const function[])(void) = {bySize,       byTheCaller, byTheUser,   byAFile,
                                         onOneDisplay, atOnce,      besideSetenv};

static void chosen(void **state) {
  inOwnProcess(function[*(const int *)*state]);
}

int main(void) {
  static const int number[] = {0, 1, 2, 3, 4, 5, 6};
  if (!isTestable()) {
    print_message("skipped: no llvmpipe here\n");
    return 77;
  }
#define CASE(i, text)                                                                              \
  { text, chosen, NULL, NULL, (void *)&number[i] }
  const struct CMUnitTest tests[] = {CASE(0, "by size"),        CASE(1, "by the caller"),
                                     CASE(2, "by the user"),    CASE(3, "by a file"),
                                     CASE(4, "on one display"), CASE(5, "at once"),
                                     CASE(6, "beside setenv")};
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
