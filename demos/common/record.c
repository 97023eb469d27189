#include "common/record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program.h"
#include "core/error.h"

extern char **environ;

static bool endsWith(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && strcasecmp(text + n - m, end) == 0;
}

bool demoRecordIsFilm(const char *out) {
  return endsWith(out, ".gif") || endsWith(out, ".mp4");
}

/* Starts ffmpeg with the read end of a pipe as its input; no shell sees any name. */
static clStatus spawn(demoRecord *r, char *const *arguments, clError *error) {
  int ends[2];
  if (pipe(ends) != 0)
    return txFail(error, TEXLA_IO_ERROR, "--out", "cannot make a pipe to ffmpeg: %s", strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int failed = posix_spawnp(&r->child, "ffmpeg", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[0]);
  r->pipe = ends[1];
  if (!failed)
    return TEXLA_OK;
  close(ends[1]);
  if (failed == ENOENT)
    return txFail(error, TEXLA_UNSUPPORTED, "--out",
                  "%s needs the program ffmpeg, which is not installed; a folder for PNG pictures needs nothing",
                  r->path);
  return txFail(error, TEXLA_UNSUPPORTED, "--out", "cannot start ffmpeg for %s: %s", r->path, strerror(failed));
}

static clStatus openFilm(demoRecord *r, clError *error) {
  static const char gif[] = "scale='min(640,iw)':-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=full[p];"
                            "[b][p]paletteuse=dither=bayer:bayer_scale=4";
  static const char mp4[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p";
  bool isGif = endsWith(r->path, ".gif");
  char size[32], destination[sizeof r->part + 8];
  snprintf(size, sizeof size, "%dx%d", r->frames.width, r->frames.height);
  snprintf(r->part, sizeof r->part, "%s.part", r->path);
  snprintf(destination, sizeof destination, "file:%s", r->part); /* whatever the name looks like */
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
  clStatus status = txProgramCheckOutput(r->path, error);
  return status ? status : spawn(r, (char *const *)arguments, error);
}

clStatus demoRecordOpen(demoRecord *r, const char *out, const char *name, int width, int height, int first,
                        clError *error) {
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
  r->frames.count = first;
  r->open = !status;
  return status;
}

/* A reader that has gone is an error here, not the end of the program. */
static bool feed(int pipe, const uint8_t *bytes, size_t count) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGPIPE, &ignore, &old);
  ssize_t done = 0;
  for (; count > 0 && (done >= 0 || errno == EINTR); bytes += done > 0 ? done : 0, count -= done > 0 ? (size_t)done : 0)
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
  return status ? status : txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg takes no more pictures for %s", r->path);
}

clStatus demoRecordClose(demoRecord *r, clError *error) {
  int result = 0;
  if (!r->open)
    return TEXLA_OK;
  r->open = false;
  if (!*r->path)
    return TEXLA_OK;
  close(r->pipe);
  while (waitpid(r->child, &result, 0) < 0 && errno == EINTR)
    ;
  bool good = WIFEXITED(result) && WEXITSTATUS(result) == 0;
  if (good && rename(r->part, r->path) == 0)
    return TEXLA_OK;
  int why = errno;
  unlink(r->part);
  if (good)
    return txFail(error, TEXLA_IO_ERROR, "--out", "cannot write %s: %s", r->path, strerror(why));
  return txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg failed (%s %d) and has not made %s",
                WIFEXITED(result) ? "exit status" : "signal",
                WIFEXITED(result) ? WEXITSTATUS(result) : WTERMSIG(result), r->path);
}
