/* Linux, macOS and other systems of POSIX. */
#define _GNU_SOURCE /* gettid, O_TMPFILE, sched_getaffinity */
#include "platform/platform.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The machine ----------------------------------------------------------------------------- */

/* Those that are switched on, whoever may use them. */
int txProcessors(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 1 ? (int)online : 1;
}

void txSystemName(char *text, size_t size) {
  struct utsname system;
  if (uname(&system) < 0)
    snprintf(text, size, "POSIX");
  else
    snprintf(text, size, "%.30s %.30s", system.sysname, system.machine);
}

#ifdef __linux__
enum { MOST_PROCESSORS = 64 * TX_PROCESSOR_WORDS };

bool txAffinityRead(txProcessorSet *set, bool parent) {
  cpu_set_t allowed;
  *set = (txProcessorSet){{0}};
  if (sched_getaffinity(parent ? getppid() : 0, sizeof allowed, &allowed))
    return false;
  for (size_t p = 0; p < MOST_PROCESSORS && p < CPU_SETSIZE; p++)
    if (CPU_ISSET(p, &allowed))
      set->word[p / 64] |= (uint64_t)1 << p % 64;
  return true;
}

bool txAffinityWrite(const txProcessorSet *set) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  for (size_t p = 0; p < MOST_PROCESSORS && p < CPU_SETSIZE; p++)
    if (set->word[p / 64] >> p % 64 & 1)
      CPU_SET(p, &allowed);
  return sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

/* 0 where the kernel does not tell. */
static int topologyOf(int processor, const char *what) {
  char path[128];
  int value = 0;
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", processor, what);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  if (fscanf(file, "%d", &value) != 1)
    value = 0;
  fclose(file);
  return value;
}

int64_t txProcessorPlace(int processor) {
  int64_t socket = topologyOf(processor, "physical_package_id");
  int64_t core = topologyOf(processor, "core_id");
  return (socket << 40 | core << 20) + processor;
}
#else
bool txAffinityRead(txProcessorSet *set, bool parent) {
  (void)parent;
  *set = (txProcessorSet){{0}};
  return false;
}

bool txAffinityWrite(const txProcessorSet *set) {
  (void)set;
  return false;
}

int64_t txProcessorPlace(int processor) {
  return processor;
}
#endif

/* A system that does not tell has 2 GiB at least. */
size_t txMemory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0)
    return (size_t)pages * (size_t)bytes;
  return (size_t)1 << 31;
}

/* Only of whole pages; what the system cannot do it leaves. */
void txMemoryLarge(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)block + page - 1;
  begin -= begin % page;
  uintptr_t end = (uintptr_t)block + bytes;
  end -= end % page;
  if (begin < end)
    madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)block, (void)bytes;
#endif
}

bool txThreadIsMain(void) {
#ifdef __APPLE__
  return pthread_main_np() != 0;
#else
  return getpid() == gettid();
#endif
}

static int forks;

static void countFork(void) {
  forks++;
}

static void watchForks(void) {
  pthread_atfork(NULL, NULL, countFork);
}

int txForks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watchForks);
  return forks;
}

/* A thread inherits its mask of signals from the one that starts it. */
bool txThreadWithoutSignals(bool (*start)(void *user), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = start(user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

/* macOS has no conditions that wait by another clock than the one on the wall. */
#ifdef __APPLE__
static const clockid_t condition_clock = CLOCK_REALTIME;
#else
static const clockid_t condition_clock = CLOCK_MONOTONIC;
#endif

void txConditionCreate(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifndef __APPLE__
  pthread_condattr_setclock(&attributes, condition_clock);
#endif
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

void txConditionNow(struct timespec *now) {
  clock_gettime(condition_clock, now);
}

double txNow(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void txSleep(double seconds) {
  time_t whole = (time_t)seconds;
  nanosleep(&(struct timespec){.tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole))},
            NULL);
}

double txWorkTime(double *tick) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  *tick = 1e-6;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct tm txLocalTime(time_t seconds) {
  struct tm local = {0};
  localtime_r(&seconds, &local);
  return local;
}

void *txModuleOpen(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* C has no conversion from an object's pointer to a function's, which dlsym's answer is. */
bool txModuleFind(void *module, const char *name, void *function) {
  void *found = dlsym(module, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

bool txMatches(const char *pattern, const char *text) {
  return fnmatch(pattern, text, 0) == 0;
}

int txCompareLetters(const char *a, const char *b) {
  return strcasecmp(a, b);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Pipes, devices and sockets are neither file nor folder. */
static txPathKind kindOf(mode_t mode) {
  if (S_ISREG(mode))
    return TX_PATH_FILE;
  if (S_ISDIR(mode))
    return TX_PATH_FOLDER;
  return TX_PATH_OTHER;
}

txPathKind txPathLook(const char *path, unsigned *mode) {
  struct stat info;
  if (stat(path, &info) != 0)
    return TX_PATH_NOTHING;
  if (mode)
    *mode = info.st_mode;
  return kindOf(info.st_mode);
}

bool txPathIsLink(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

bool txPathReadable(const char *path) {
  return access(path, R_OK) == 0;
}

bool txPathWritable(const char *path) {
  return access(path, W_OK) == 0;
}

/* Two names of one file, as links are; devices may be the same without harm. */
bool txPathSame(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool txStreamIsTerminal(FILE *stream) {
  return isatty(fileno(stream)) != 0;
}

/* Without waiting: a pipe that nobody writes to would never open. */
int txFileOpen(const char *path) {
  return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

txPathKind txFileLook(int file, uint64_t *size) {
  struct stat info;
  if (fstat(file, &info) != 0)
    return TX_PATH_NOTHING;
  *size = (uint64_t)info.st_size;
  return kindOf(info.st_mode);
}

/* False, with the reason in errno, where no program opens the other end of a pipe in time. A read
 * tells whether one has: *first <- a byte that came meanwhile, else EOF. */
static bool waitForWriter(int file, int *first) {
  struct pollfd look = {.fd = file, .events = POLLIN};
  unsigned char byte;
  *first = EOF;
  for (int tenths = 0; tenths < 10 * TX_STREAM_WAIT; tenths++) {
    if (poll(&look, 1, 0) > 0 && (look.revents & POLLIN))
      return true;
    ssize_t count = read(file, &byte, 1);
    if (count > 0)
      *first = byte;
    if (count != 0 || (look.revents & POLLHUP))
      return count > 0 || errno == EAGAIN || (look.revents & POLLHUP);
    poll(NULL, 0, 100);
  }
  errno = ETIMEDOUT;
  return false;
}

FILE *txStreamOpen(const char *path, uint64_t *size) {
  int first = EOF, file = txFileOpen(path), reason = errno;
  struct stat info = {0};
  FILE *stream = NULL;
  *size = 0;
  if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode))
    *size = (uint64_t)info.st_size;
  if (file >= 0 && (!S_ISFIFO(info.st_mode) || waitForWriter(file, &first)))
    stream = fdopen(file, "rb");
  if (file >= 0)
    reason = errno;
  if (stream)
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  else if (file >= 0)
    close(file);
  if (stream && first != EOF)
    ungetc(first, stream);
  errno = reason;
  return stream;
}

/* Systems read less than 2 GiB in one call. */
int64_t txFileRead(int file, char *bytes, size_t size) {
  const size_t most = (size_t)1 << 30;
  size_t length = 0;
  while (length < size) {
    ssize_t more = read(file, bytes + length, size - length < most ? size - length : most);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0)
      return -1;
    if (more == 0)
      break;
    length += (size_t)more;
  }
  return (int64_t)length;
}

void txFileClose(int file) {
  close(file);
}

FILE *txFileCreate(const char *path) {
  return fopen(path, "wbx");
}

/* Without /proc such a file could not be given a name later. */
FILE *txFileUnnamed(const char *path) {
  FILE *result = NULL;
#ifdef O_TMPFILE
  const char *slash = strrchr(path, '/');
  char *folder, name[64];
  int file = -1;
  if (slash)
    folder = strndup(path, (size_t)(slash - path) + 1);
  else
    folder = strdup(".");
  if (folder)
    file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  free(folder);
  if (file >= 0)
    result = fdopen(file, "wb");
  if (!result && file >= 0)
    close(file);
  if (result)
    txFileUnnamedPath(result, name, sizeof name);
  if (result && access(name, F_OK) != 0) {
    fclose(result);
    result = NULL;
  }
#endif
  return result;
}

void txFileUnnamedPath(FILE *file, char *name, size_t size) {
  snprintf(name, size, "/proc/%ld/fd/%d", (long)getpid(), fileno(file));
}

/* The file, which had no name, gets one; it is whole by then. */
bool txFileName(FILE *file, const char *name) {
  char unnamed[64];
  txFileUnnamedPath(file, unnamed, sizeof unnamed);
  return linkat(AT_FDCWD, unnamed, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

char *txFileReal(const char *path) {
  return realpath(path, NULL);
}

bool txFileKeepMode(FILE *file, unsigned mode) {
  return fchmod(fileno(file), mode & 07777) == 0;
}

int txFileReason(void) {
  return errno;
}

bool txFileSync(FILE *file) {
  return fsync(fileno(file)) == 0;
}

bool txFileReplace(const char *from, const char *to) {
  return rename(from, to) == 0;
}

bool txFileLink(const char *from, const char *to) {
  return link(from, to) == 0;
}

bool txFileLine(FILE *file, char **line, size_t *room) {
  return getline(line, room, file) >= 0;
}

void txFolderList(const char *path, bool (*found)(void *user, const char *name), void *user) {
  DIR *folder = opendir(path);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder)) && found(user, entry->d_name);)
    ;
  closedir(folder);
}

bool txFolderCreate(const char *path) {
  return mkdir(path, 0777) == 0;
}

/* A lock on the folder itself, which the system takes back when the process ends. */
intptr_t txFolderClaim(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0)
    return folder;
  close(folder);
  errno = EWOULDBLOCK;
  return -1;
}

void txFolderRelease(intptr_t claim) {
  if (claim >= 0)
    close((int)claim);
}

/* As the XDG base directory specification has it; macOS has a folder of its own. */
bool txFolderCache(char *path, size_t size) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *within = "/.cache";
#ifdef __APPLE__
  within = "/Library/Caches";
#endif
  if (cache && *cache)
    return (size_t)snprintf(path, size, "%s", cache) < size;
  return home && *home && (size_t)snprintf(path, size, "%s%s", home, within) < size;
}

/* The file system of a folder that may have to be made yet, with its parents. */
static bool lookAtSystem(char *path, struct statvfs *system) {
  while (statvfs(path, system)) {
    char *slash = strrchr(path, '/');
    if (errno != ENOENT || !slash || slash == path)
      return false;
    *slash = 0;
  }
  return true;
}

bool txShaderCacheRoom(void) {
  enum { ROOM = 16 << 20 };
  const char *own = getenv("MESA_SHADER_CACHE_DIR");
  char path[4096];
  struct statvfs system;
  if (own && strlen(own) < sizeof path)
    strcpy(path, own);
  else if (!txFolderCache(path, sizeof path))
    return true;
  if (!lookAtSystem(path, &system) || (uint64_t)system.f_bavail * system.f_frsize >= ROOM)
    return true;
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  return false;
}

FILE *txMemoryOpen(char **text, size_t *size) {
  return open_memstream(text, size);
}

bool txMemoryFlush(FILE *file, char **text, size_t *size) {
  (void)text, (void)size;
  return fflush(file) == 0;
}

/* ---- Programs -------------------------------------------------------------------------------- */

bool txProgramPath(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return false;
  path[length] = 0;
  return true;
}

/* The kernel parts arguments by zeros. */
void txProgramCommand(char *text, size_t size) {
  FILE *file = fopen("/proc/self/cmdline", "rb");
  size_t n = 0;
  if (file) {
    n = fread(text, 1, size - 1, file);
    fclose(file);
  }
  text[n] = 0;
  for (size_t i = 0; i + 1 < n; i++)
    if (!text[i])
      text[i] = ' ';
}

void txProgramBecome(const char *program, char *const *argv) {
  execvp(program, argv);
}

/* Once: the handler is reset by the first signal, and a second Ctrl-C ends the program. */
txSignalHandler txSignalCatch(int number, txSignalHandler handler) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
  struct sigaction before = {.sa_handler = SIG_DFL};
  sigaction(number, NULL, &before);
  if (before.sa_handler != SIG_IGN)
    sigaction(number, &action, NULL);
  return before.sa_handler;
}

extern char **environ;

/* The child has a process group of its own, so that Ctrl-C in a terminal does not end it, and
 * the default for SIGPIPE, which this program may ignore. */
int txProcessStart(txProcess *process, const char *const *arguments, int end) {
  int ends[2];
  if (pipe(ends) != 0)
    return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[end], end);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  int failed =
      posix_spawnp(&child, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[end]);
  if (failed)
    close(ends[1 - end]);
  else
    *process = (txProcess){child, ends[1 - end]};
  return failed;
}

/* A child that has ended closes its end: that is a failure of the write, and no signal. */
bool txProcessFeed(const txProcess *process, const uint8_t *bytes, size_t count) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGPIPE, &ignore, &before);
  while (count > 0) {
    ssize_t done = write(process->pipe, bytes, count);
    if (done < 0 && errno != EINTR)
      break;
    if (done > 0) {
      bytes += done;
      count -= (size_t)done;
    }
  }
  sigaction(SIGPIPE, &before, NULL);
  return count == 0;
}

size_t txProcessRead(const txProcess *process, char *text, size_t size) {
  size_t length = 0;
  while (length < size) {
    ssize_t more = read(process->pipe, text + length, size - length);
    if (more <= 0)
      break;
    length += (size_t)more;
  }
  return length;
}

void txProcessClose(const txProcess *process) {
  close(process->pipe);
}

/* *signal <- what has ended the child, 0: it has ended itself. */
int txProcessWait(const txProcess *process, int *signal) {
  int result = 0;
  while (waitpid((pid_t)process->child, &result, 0) < 0 && errno == EINTR)
    ;
  *signal = WIFSIGNALED(result) ? WTERMSIG(result) : 0;
  return WIFEXITED(result) ? WEXITSTATUS(result) : 0;
}
