"""Runs other programs: a time limit for each, everything captured."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass

TIMEOUT_S = 30


@dataclass
class Outcome:
    """How a program ended.  status is None when its time ran out."""

    status: int | None
    out: bytes
    err: bytes

    def last_words(self):
        lines = (self.err or self.out).decode("utf-8", "replace").split("\n")
        lines = [line.strip() for line in lines if line.strip()]
        return lines[-1][:200] if lines else ""


def environment():
    """The caller's, without what would change a program's answers."""
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith("PDFPIPE_") and k != "CREDENTIALS_DIRECTORY"}
    kept["LC_ALL"] = "C.UTF-8"
    return kept


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it ended by itself


def run(argv, timeout_s=TIMEOUT_S):
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environment(), start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout_s)
        return Outcome(process.returncode, out, err)
    except subprocess.TimeoutExpired:
        kill_group(process)
        out, err = process.communicate()
        return Outcome(None, out, err)


def missing(program):
    """None, or why the program cannot be used."""
    return None if shutil.which(program) else f"{program} is not installed"
