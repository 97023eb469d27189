/* Windows. A program whose manifest says that its code page is UTF-8 names files in any letters. */
#include "platform/platform.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <math.h>
#include <process.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* What Windows failed with last, as errno. */
static void setReason(void) {
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
    errno = ENOENT;
    break;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS:
    errno = EEXIST;
    break;
  case ERROR_ACCESS_DENIED:
    errno = EACCES;
    break;
  case ERROR_SHARING_VIOLATION:
  case ERROR_LOCK_VIOLATION:
    errno = EWOULDBLOCK;
    break;
  case ERROR_DISK_FULL:
    errno = ENOSPC;
    break;
  default:
    errno = EIO;
  }
}

static bool succeeded(BOOL result) {
  if (!result)
    setReason();
  return result != 0;
}

/* ---- The machine ----------------------------------------------------------------------------- */

void txSystemName(char *text, size_t size) {
  snprintf(text, size, "Windows, %d bits", (int)(8 * sizeof(void *)));
}

int txProcessors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (int)info.dwNumberOfProcessors;
}

/* Ranks of MPI, which alone ask, do not run on Windows. */
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

size_t txMemory(void) {
  MEMORYSTATUSEX status = {.dwLength = sizeof status};
  if (!GlobalMemoryStatusEx(&status))
    return (size_t)1 << 31;
  return (size_t)status.ullTotalPhys;
}

/* Large pages are a privilege there. */
void txMemoryLarge(void *block, size_t bytes) {
  (void)block, (void)bytes;
}

/* Any thread may make windows, and sees to their messages itself. */
bool txThreadIsMain(void) {
  return true;
}

/* There is no fork. */
int txForks(void) {
  return 0;
}

bool txThreadWithoutSignals(bool (*start)(void *user), void *user) {
  return start(user);
}

/* winpthreads takes another clock for a condition without an error, and waits by the one on the
 * wall. */
void txConditionCreate(pthread_cond_t *condition) {
  pthread_cond_init(condition, NULL);
}

void txConditionNow(struct timespec *now) {
  clock_gettime(CLOCK_REALTIME, now);
}

double txNow(void) {
  LARGE_INTEGER ticks, a_second;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&a_second);
  return (double)ticks.QuadPart / (double)a_second.QuadPart;
}

void txSleep(double seconds) {
  Sleep((DWORD)ceil(1e3 * seconds));
}

/* By the processors' cycles, as if each made 3e9 a second; where Windows counts none (Wine) by
 * times that go in steps of a sixty-fourth second. */
double txWorkTime(double *tick) {
  ULONG64 cycles = 0;
  FILETIME begin, end, kernel, user;
  *tick = 1e-6;
  if (QueryProcessCycleTime(GetCurrentProcess(), &cycles) && cycles)
    return (double)cycles / 3e9;
  *tick = 1. / 64;
  if (!GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user))
    return 0;
  double high = (double)kernel.dwHighDateTime + (double)user.dwHighDateTime;
  double low = (double)kernel.dwLowDateTime + (double)user.dwLowDateTime;
  return 1e-7 * (0x1p32 * high + low);
}

struct tm txLocalTime(time_t seconds) {
  struct tm local = {0};
  localtime_s(&local, &seconds);
  return local;
}

void *txModuleOpen(const char *name) {
  return LoadLibraryA(name);
}

bool txModuleFind(void *module, const char *name, void *function) {
  FARPROC found = GetProcAddress(module, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

/* Is c in the set behind a "["? *end <- behind its "]"; NULL where there is none. */
static bool isInSet(const char *set, char c, const char **end) {
  bool negated = *set == '!' || *set == '^', found = false;
  const char *at = set + negated;
  do {
    char first = *at, last = first;
    if (at[0] && at[1] == '-' && at[2] && at[2] != ']') {
      last = at[2];
      at += 2;
    }
    found = found || (c >= first && c <= last);
  } while (*at && *++at && *at != ']');
  *end = *at ? at + 1 : NULL;
  return found != negated;
}

bool txMatches(const char *pattern, const char *text) {
  const char *end = NULL;
  if (!*pattern)
    return !*text;
  if (*pattern == '*')
    return txMatches(pattern + 1, text) || (*text && txMatches(pattern, text + 1));
  if (!*text)
    return false;
  if (*pattern == '?')
    return txMatches(pattern + 1, text + 1);
  if (*pattern == '[') {
    bool in = isInSet(pattern + 1, *text, &end);
    if (end)
      return in && txMatches(end, text + 1);
  }
  return *pattern == *text && txMatches(pattern + 1, text + 1);
}

int txCompareLetters(const char *a, const char *b) {
  return _stricmp(a, b);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static txPathKind kindOf(unsigned mode) {
  if ((mode & _S_IFMT) == _S_IFREG)
    return TX_PATH_FILE;
  if ((mode & _S_IFMT) == _S_IFDIR)
    return TX_PATH_FOLDER;
  return TX_PATH_OTHER;
}

txPathKind txPathLook(const char *path, unsigned *mode) {
  struct _stat64 info;
  if (_stat64(path, &info) != 0)
    return TX_PATH_NOTHING;
  if (mode)
    *mode = info.st_mode;
  return kindOf(info.st_mode);
}

bool txPathIsLink(const char *path) {
  DWORD attributes = GetFileAttributesA(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

bool txPathReadable(const char *path) {
  enum { READ = 4 };
  return _access(path, READ) == 0;
}

bool txPathWritable(const char *path) {
  enum { WRITE = 2 };
  return _access(path, WRITE) == 0;
}

/* Of a file, not of a folder; false where there is none. */
static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *info) {
  const DWORD all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE file = CreateFileA(path, 0, all, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return false;
  bool known = GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, info);
  CloseHandle(file);
  return known;
}

/* The C library's stat has no numbers of files. */
bool txPathSame(const char *a, const char *b) {
  BY_HANDLE_FILE_INFORMATION of_a, of_b;
  return identify(a, &of_a) && identify(b, &of_b) &&
         of_a.dwVolumeSerialNumber == of_b.dwVolumeSerialNumber &&
         of_a.nFileIndexHigh == of_b.nFileIndexHigh && of_a.nFileIndexLow == of_b.nFileIndexLow;
}

bool txStreamIsTerminal(FILE *stream) {
  return _isatty(_fileno(stream)) != 0;
}

int txFileOpen(const char *path) {
  return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

txPathKind txFileLook(int file, uint64_t *size) {
  struct _stat64 info;
  if (_fstat64(file, &info) != 0)
    return TX_PATH_NOTHING;
  *size = (uint64_t)info.st_size;
  return kindOf(info.st_mode);
}

int64_t txFileRead(int file, char *bytes, size_t size) {
  const size_t most = (size_t)1 << 30;
  size_t length = 0;
  while (length < size) {
    int more = _read(file, bytes + length, (unsigned)(size - length < most ? size - length : most));
    if (more < 0)
      return -1;
    if (more == 0)
      break;
    length += (size_t)more;
  }
  return (int64_t)length;
}

void txFileClose(int file) {
  _close(file);
}

FILE *txFileCreate(const char *path) {
  int file =
      _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  if (file < 0)
    return NULL;
  FILE *result = _fdopen(file, "wb");
  if (!result)
    _close(file);
  return result;
}

FILE *txFileUnnamed(const char *path) {
  (void)path;
  return NULL;
}

void txFileUnnamedPath(FILE *file, char *name, size_t size) {
  (void)file;
  if (size)
    *name = 0;
}

bool txFileName(FILE *file, const char *name) {
  (void)file, (void)name;
  errno = ENOSYS;
  return false;
}

/* Paths have slashes everywhere in texla. */
static void useSlashes(char *path) {
  for (; path && *path; path++)
    if (*path == '\\')
      *path = '/';
}

char *txFileReal(const char *path) {
  char *real = _fullpath(NULL, path, 0);
  useSlashes(real);
  return real;
}

bool txFileKeepMode(FILE *file, unsigned mode) {
  (void)file, (void)mode;
  return true;
}

/* The C library calls a pipe without a reader a wrong argument. */
int txFileReason(void) {
  bool gone = _doserrno == ERROR_NO_DATA || _doserrno == ERROR_PIPE_NOT_CONNECTED;
  if (errno == EINVAL && gone)
    return EPIPE;
  return errno;
}

bool txFileSync(FILE *file) {
  return _commit(_fileno(file)) == 0;
}

bool txFileReplace(const char *from, const char *to) {
  return succeeded(MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH));
}

bool txFileLink(const char *from, const char *to) {
  return succeeded(CreateHardLinkA(to, from, NULL));
}

bool txFileLine(FILE *file, char **line, size_t *room) {
  size_t length = 0;
  for (int c = 0; c != '\n' && (c = getc(file)) != EOF;) {
    if (length + 1 >= *room) {
      size_t more = 2 * *room + 128;
      char *grown = realloc(*line, more);
      if (!grown)
        return false;
      *line = grown;
      *room = more;
    }
    (*line)[length++] = (char)c;
    (*line)[length] = 0;
  }
  return length > 0;
}

void txFolderList(const char *path, bool (*found)(void *user, const char *name), void *user) {
  char pattern[MAX_PATH];
  WIN32_FIND_DATAA entry;
  if ((size_t)snprintf(pattern, sizeof pattern, "%s/*", path) >= sizeof pattern)
    return;
  HANDLE folder = FindFirstFileA(pattern, &entry);
  if (folder == INVALID_HANDLE_VALUE)
    return;
  while (found(user, entry.cFileName) && FindNextFileA(folder, &entry))
    ;
  FindClose(folder);
}

bool txFolderCreate(const char *path) {
  return _mkdir(path) == 0;
}

/* A folder cannot be locked, but a file in it, which disappears with its handle. */
intptr_t txFolderClaim(const char *path) {
  char name[MAX_PATH];
  if ((size_t)snprintf(name, sizeof name, "%s/texla.lock", path) >= sizeof name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  HANDLE file = CreateFileA(name, GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                            FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    setReason();
    return -1;
  }
  return (intptr_t)file;
}

void txFolderRelease(intptr_t claim) {
  if (claim != -1)
    CloseHandle((HANDLE)claim);
}

bool txFolderCache(char *path, size_t size) {
  const char *local = getenv("LOCALAPPDATA");
  return local && *local && (size_t)snprintf(path, size, "%s", local) < size;
}

/* A temporary file, which is read again. */
FILE *txStreamOpen(const char *path, uint64_t *size) {
  *size = 0;
  return fopen(path, "rb");
}

bool txShaderCacheRoom(void) {
  return true;
}

FILE *txMemoryOpen(char **text, size_t *size) {
  char folder[MAX_PATH], name[MAX_PATH];
  *text = NULL;
  *size = 0;
  if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "tex", 0, name))
    return NULL;
  return fopen(name, "w+bTD");
}

bool txMemoryFlush(FILE *file, char **text, size_t *size) {
  if (fflush(file) != 0)
    return false;
  long length = ftell(file);
  char *all = length < 0 ? NULL : realloc(*text, (size_t)length + 1);
  if (!all)
    return false;
  rewind(file);
  size_t count = fread(all, 1, (size_t)length, file);
  all[count] = 0;
  *text = all;
  *size = count;
  return fseek(file, 0, SEEK_END) == 0 && count == (size_t)length;
}

/* ---- Programs -------------------------------------------------------------------------------- */

bool txProgramPath(char *path, size_t size) {
  DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
  if (length)
    useSlashes(path);
  return length > 0 && length < size;
}

void txProgramCommand(char *text, size_t size) {
  snprintf(text, size, "%s", GetCommandLineA());
}

/* An argument as the C library of the other program takes it apart: in quotes, with a backslash
 * before each quote and before backslashes that stand in front of one. */
static char *quote(char *out, const char *argument) {
  *out++ = '"';
  for (size_t slashes = 0;; argument++) {
    if (*argument == '\\') {
      slashes++;
      continue;
    }
    size_t count = *argument && *argument != '"' ? slashes : 2 * slashes + (*argument == '"');
    memset(out, '\\', count);
    out += count;
    slashes = 0;
    if (!*argument)
      break;
    *out++ = *argument;
  }
  *out++ = '"';
  *out = 0;
  return out;
}

/* All arguments as one line; the caller frees it. */
static char *commandLine(const char *const *arguments) {
  size_t size = 1;
  for (int k = 0; arguments[k]; k++)
    size += 2 * strlen(arguments[k]) + 4;
  char *line = malloc(size), *end = line;
  for (int k = 0; line && arguments[k]; k++) {
    if (k)
      *end++ = ' ';
    end = quote(end, arguments[k]);
  }
  return line;
}

/* The console is shared; a program of Windows cannot become another one, so this one waits. */
void txProgramBecome(const char *program, char *const *argv) {
  char file[MAX_PATH];
  char *line = commandLine((const char *const *)argv);
  STARTUPINFOA start = {.cb = sizeof start};
  PROCESS_INFORMATION other;
  DWORD status = 1;
  if (!line || !SearchPathA(NULL, program, ".exe", sizeof file, file, NULL) ||
      !CreateProcessA(file, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &other)) {
    setReason();
    free(line);
    return;
  }
  free(line);
  WaitForSingleObject(other.hProcess, INFINITE);
  GetExitCodeProcess(other.hProcess, &status);
  exit((int)status);
}

txSignalHandler txSignalCatch(int number, txSignalHandler handler) {
  txSignalHandler before = signal(number, handler);
  if (before == SIG_ERR)
    return SIG_DFL;
  if (before == SIG_IGN)
    signal(number, SIG_IGN);
  return before;
}

static HANDLE standardHandle(int end, int own, HANDLE theirs) {
  if (end == own)
    return theirs;
  return GetStdHandle(own == 0 ? STD_INPUT_HANDLE : STD_OUTPUT_HANDLE);
}

int txProcessStart(txProcess *process, const char *const *arguments, int end) {
  HANDLE ends[2];
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
  if (!CreatePipe(&ends[0], &ends[1], &inherited, 0)) {
    setReason();
    return errno;
  }
  SetHandleInformation(ends[1 - end], HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOA start = {.cb = sizeof start,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = standardHandle(end, 0, ends[end]),
                        .hStdOutput = standardHandle(end, 1, ends[end]),
                        .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
  PROCESS_INFORMATION other;
  char *line = commandLine(arguments);
  bool started = line && CreateProcessA(NULL, line, NULL, NULL, TRUE, CREATE_NEW_PROCESS_GROUP,
                                        NULL, NULL, &start, &other);
  if (!started)
    setReason();
  int reason = errno;
  free(line);
  CloseHandle(ends[end]);
  if (!started) {
    CloseHandle(ends[1 - end]);
    return reason;
  }
  CloseHandle(other.hThread);
  int mode = end == 0 ? _O_WRONLY : _O_RDONLY;
  *process = (txProcess){(intptr_t)other.hProcess,
                         _open_osfhandle((intptr_t)ends[1 - end], mode | _O_BINARY)};
  return 0;
}

bool txProcessFeed(const txProcess *process, const uint8_t *bytes, size_t count) {
  const size_t most = 1 << 20;
  while (count > 0) {
    int done = _write(process->pipe, bytes, (unsigned)(count < most ? count : most));
    if (done <= 0)
      return false;
    bytes += done;
    count -= (size_t)done;
  }
  return true;
}

size_t txProcessRead(const txProcess *process, char *text, size_t size) {
  size_t length = 0;
  while (length < size) {
    int more = _read(process->pipe, text + length, (unsigned)(size - length));
    if (more <= 0)
      break;
    length += (size_t)more;
  }
  return length;
}

void txProcessClose(const txProcess *process) {
  _close(process->pipe);
}

int txProcessWait(const txProcess *process, int *signal) {
  DWORD status = 1;
  *signal = 0;
  WaitForSingleObject((HANDLE)process->child, INFINITE);
  GetExitCodeProcess((HANDLE)process->child, &status);
  CloseHandle((HANDLE)process->child);
  return (int)status;
}
