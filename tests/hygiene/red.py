"""red.py BUILD [REGEX]: a test of the tests that are scripts. Runs each with stubs in place of programs. A stub prints nothing and
ends with 1, ends with 0, or is missing. Two passes:
  - the programs of the build folder that a test names are stubs: the test must be red;
  - they and all tools beyond the shell's own are stubs: the test must be red, or skipped with a reason."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build, wanted = pathlib.Path(sys.argv[1]).resolve(), re.compile((sys.argv[2:] or [""])[0])
# These need the shell's own tools alone.
texts_only = {"hygiene/faults", "hygiene/progress", "docs/messages", "octave/matlab"}
# The shell's own tools, which stay. Everything else on the PATH is a tool that may fail.
language = set("""[ awk basename bash cat chmod cmp comm cp cut date dd diff dirname echo env expand expr false find fold getconf grep
  gzip head id kill ln ls mkdir mkfifo mknod mktemp mv nproc od paste pgrep printf ps pwd readlink realpath rm rmdir sed seq sh sha256sum
  sleep sort split stat tac tail tar tee test timeout touch tr true tsort uname uniq wait wc xargs yes""".split())
endings = {1: "end with 1", 0: "end with 0", None: "are missing"}


class Stubs:
    """A folder for the PATH and a mirror of the build folder with stubs in them. `status` None: programs are missing."""

    def __init__(self, work, status, tools):
        self.path, self.mirror, self.stub, self.status = work / "path", work / "build", work / "stub", status
        self.path.mkdir(parents=True)
        self.stub.write_text(f"#!/bin/sh\nexit {status}\n")
        self.stub.chmod(0o755)
        for folder in os.environ["PATH"].split(":"):
            for file in pathlib.Path(folder).glob("*"):
                if not os.path.lexists(self.path / file.name):
                    self.put(self.path / file.name, file, tools and file.name not in language)
        self.mirror.mkdir()
        for entry in build.iterdir():
            place = self.mirror / entry.name
            if entry.name not in ("bin", "lessons", "plain", "tests"):
                place.symlink_to(entry)
                continue
            place.mkdir()
            for file in entry.iterdir():
                self.put(place / file.name, file, file.is_file() and os.access(file, os.X_OK))

    def put(self, place, original, is_program):
        if not is_program:
            place.symlink_to(original)
        elif self.status is not None:
            place.symlink_to(self.stub)

    def word(self, text):
        """A word of a test's command or environment: the build folder becomes its mirror, and tools are those of the PATH."""
        if text == str(build) or text.startswith(f"{build}/"):
            return str(self.mirror) + text[len(str(build)):]
        file = pathlib.Path(text)
        if file.is_absolute() and file.is_file() and os.access(file, os.X_OK) and file.suffix != ".sh":
            return str(self.path / file.name)
        return text


def variables(test):
    properties = {p["name"]: p["value"] for p in test["properties"]}
    return dict(line.split("=", 1) for line in properties.get("ENVIRONMENT", []))


def names_programs(test):
    """Does the command or the environment name a program of the build folder?"""
    words = test["command"] + list(variables(test).values())
    return any(word.startswith(f"{build}/") and os.path.isfile(word) and os.access(word, os.X_OK) and ".so" not in word for word in words)


def run(test, stubs, work, may_skip):
    """What is wrong with how the test ends, or None."""
    environment = dict(os.environ, PATH=str(stubs.path), TEXLA_TEST_FIRST="1")
    environment.update((name, stubs.word(value)) for name, value in variables(test).items())
    keep = 2 if "python" in test["command"][0] else 1 # the interpreter and its script
    command = test["command"][:keep] + [stubs.word(word) for word in test["command"][keep:]]
    try:
        done = subprocess.run(command, env=environment, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return "does not end within 60 s"
    if done.returncode == 0:
        return "passes"
    if done.returncode == 77 and not may_skip and not done.stdout.startswith("skipped: no /"): # data from elsewhere
        return "is skipped"
    if done.returncode == 77 and not re.search("^skipped: .", done.stdout, re.M):
        return "is skipped without a reason"
    return None


def main():
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
    tests = [test for test in json.loads(listed)["tests"] if "command" in test and wanted.search(test["name"])
             and not test["command"][0].startswith(f"{build}/") and test["name"] not in texts_only | {"hygiene/red"}
             and not re.search("_[2-9]$", test["name"])] # the same on more ranks
    ran, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for tools, status in (False, 1), (False, 0), (True, 1), (True, 0), (True, None):
            work = pathlib.Path(folder, f"{tools}{status}")
            stubs = Stubs(work, status, tools)
            chosen = [test for test in tests if tools or names_programs(test)]
            for test, what in zip(chosen, pool.map(lambda test: run(test, stubs, work, tools), chosen)):
                ran += 1
                wrong += bool(what)
                if what:
                    print(f"{test['name']} {what} when {'all tools' if tools else 'its programs'} {endings[status]}", flush=True)
    print(f"{ran} runs, {wrong} of them wrong")
    sys.exit(wrong > 0 or ran < 1)


main()
