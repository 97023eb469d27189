#include "common/record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

extern char **environ;

static bool endsWith(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && strcasecmp(text + n - m, end) == 0;
}

bool demoRecordIsFilm(const char *out) {
  return endsWith(out, ".gif") || endsWith(out, ".mp4");
}

/* Starts a program without a shell. Its standard input (end 0) or output (end 1) is one end of a
 * pipe, *ours <- the other one. 0 or the reason as errno has it. */
static int start(pid_t *child, const char *const *arguments, int end, int *ours) {
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
  /* Ctrl-C is not for it: it ends with its input */
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  int failed =
      posix_spawnp(child, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[end]);
  if (failed)
    close(ends[1 - end]);
  else
    *ours = ends[1 - end];
  return failed;
}

/* Waits for a program's end; 0 if that was a good one. */
static int waitFor(pid_t child) {
  int result = 0;
  while (waitpid(child, &result, 0) < 0 && errno == EINTR)
    ;
  return result;
}

static clStatus startFilm(demoRecord *r, const char *const *arguments, clError *error) {
  int failed = start(&r->child, arguments, STDIN_FILENO, &r->pipe);
  if (failed)
    txOutputAbort(&r->output);
  if (failed == ENOENT)
    return txFail(error, TEXLA_UNSUPPORTED, "--out",
                  "%s needs the program ffmpeg, which is not installed; a folder for PNG pictures "
                  "needs nothing",
                  r->path);
  return failed ? txFail(error, TEXLA_UNSUPPORTED, "--out", "cannot start ffmpeg for %s: %s",
                         r->path, strerror(failed))
                : TEXLA_OK;
}

/* How many pictures the film has, by ffprobe, which comes with ffmpeg; -1 where that cannot be
 * told. */
static int64_t countPictures(const demoRecord *r) {
  char name[4200] = "file:", text[64] = "";
  const char *arguments[] = {"ffprobe",
                             "-v",
                             "error",
                             "-count_packets",
                             "-select_streams",
                             "v:0",
                             "-show_entries",
                             "stream=nb_read_packets",
                             "-of",
                             "csv=p=0",
                             name,
                             NULL};
  pid_t child;
  int pipe;
  txOutputName(&r->output, name + 5, sizeof name - 5);
  if (start(&child, arguments, STDOUT_FILENO, &pipe) != 0)
    return -1;
  size_t length = 0;
  for (ssize_t more = 1; more > 0 && length<sizeof text - 1; length += more> 0 ? (size_t)more : 0)
    more = read(pipe, text + length, sizeof text - 1 - length);
  close(pipe);
  return waitFor(child) == 0 && length > 0 ? strtoll(text, NULL, 10) : 0;
}

static clStatus openFilm(demoRecord *r, clError *error) {
  static const char gif[] =
      "scale='min(640,iw)':-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=full[p];"
      "[b][p]paletteuse=dither=bayer:bayer_scale=4";
  static const char mp4[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p";
  bool isGif = endsWith(r->path, ".gif");
  /* whatever the name looks like */
  char size[32], destination[4200] = "file:";
  clStatus status = txOutputOpen(&r->output, r->path, "--out", error);
  if (status)
    return status;
  snprintf(size, sizeof size, "%dx%d", r->frames.width, r->frames.height);
  txOutputName(&r->output, destination + 5, sizeof destination - 5);
  const char *arguments[] = {"ffmpeg",
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "rgb24",
                             "-s",
                             size,
                             "-r",
                             isGif ? "25" : "30",
                             "-i",
                             "pipe:0",
                             "-vf",
                             isGif ? gif : mp4,
                             "-f",
                             isGif ? "gif" : "mp4",
                             isGif ? "-loop" : "-crf",
                             isGif ? "0" : "18",
                             destination,
                             NULL};
  return startFilm(r, arguments, error);
}

clStatus demoRecordOpen(demoRecord *r, const char *out, const char *name, int width, int height,
                        int first, clError *error) {
  clStatus status = TEXLA_OK;
  *r = (demoRecord){.frames = {.name = name, .width = width, .height = height}};
  if (!demoRecordIsFilm(out))
    status = demoFramesOpen(&r->frames, out, name, width, height, error);
  else if (strlen(out) >= sizeof r->path)
    status = txFail(error, TEXLA_BAD_ARGUMENT, "--out", "the name of the film is too long");
  else {
    snprintf(r->path, sizeof r->path, "%s", out);
    status = openFilm(r, error);
  }
  if (!status && !*r->path)
    demoFramesClear(&r->frames, first);
  r->frames.count = r->first = first;
  r->open = !status;
  return status;
}

/* A reader that has gone is an error here, not the end of the program. */
static bool feed(int pipe, const uint8_t *bytes, size_t count) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGPIPE, &ignore, &old);
  ssize_t done = 0;
  for (; count > 0 && (done >= 0 || errno == EINTR);
       bytes += done > 0 ? done : 0, count -= done > 0 ? (size_t)done : 0)
    done = write(pipe, bytes, count);
  sigaction(SIGPIPE, &old, NULL);
  return count == 0;
}

clStatus demoRecordWrite(demoRecord *r, const uint8_t *rgb, clError *error) {
  if (!*r->path)
    return demoFramesWrite(&r->frames, rgb, error);
  r->frames.count++;
  if (feed(r->pipe, rgb, 3 * (size_t)r->frames.width * (size_t)r->frames.height))
    return TEXLA_OK;
  clStatus status = demoRecordClose(r, error);
  return status ? status
                : txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg takes no more pictures for %s",
                         r->path);
}

clStatus demoRecordClose(demoRecord *r, clError *error) {
  if (!r->open)
    return TEXLA_OK;
  r->open = false;
  if (!*r->path)
    return TEXLA_OK;
  close(r->pipe);
  int result = waitFor(r->child);
  int64_t fed = r->frames.count - r->first, count = result == 0 ? countPictures(r) : 0;
  if (result == 0 && (count < 0 || count == fed))
    return txOutputCommit(&r->output, error);
  txOutputAbort(&r->output);
  if (result == 0)
    return txFail(error, TEXLA_IO_ERROR, "--out",
                  "ffmpeg has written only %lld of %lld pictures of %s: is there room on the disk?",
                  (long long)count, (long long)fed, r->path);
  return txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg failed (%s %d) and has not made %s",
                WIFEXITED(result) ? "exit status" : "signal",
                WIFEXITED(result) ? WEXITSTATUS(result) : WTERMSIG(result), r->path);
}
