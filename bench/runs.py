"""Runs a program and measures it: wall time, CPU time, peak memory."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Measure:
    """One run, or the best of several."""

    wall_s: float
    cpu_s: float
    rss_bytes: int


class TimeIsUp(Exception):
    pass


def end_time(_signal, _frame):
    raise TimeIsUp


def knows_peak():
    """A child's peak memory counts from the fork, so it is never below this
    program's own.  GNU time is small, and tells that of its child."""
    return shutil.which("time") is not None


def wait(child, timeout_s):
    """Status and use of a child and of all that it waited for."""
    signal.signal(signal.SIGALRM, end_time)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        _, status, use = os.wait4(child.pid, 0)
    except BaseException:
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise
    signal.setitimer(signal.ITIMER_REAL, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return use


def last_line(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        lines = f.read().strip().splitlines()
    return lines[-1] if lines else ""


def timed(argv, timeout_s, work, stdout=subprocess.DEVNULL):
    """Runs it; returns its Measure, or why it failed."""
    said, peak = os.path.join(work, "said"), os.path.join(work, "peak")
    if knows_peak():
        argv = ["time", "-q", "-f", "%M", "-o", peak, *argv]
    with open(said, "wb") as err:
        start = time.monotonic()
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL,
                                 stdout=stdout, stderr=err,
                                 start_new_session=True)
        try:
            use = wait(child, timeout_s)
        except TimeIsUp:
            return f"no end after {timeout_s} s"
        wall = time.monotonic() - start
    if child.returncode != 0:
        return f"status {child.returncode}: {last_line(said)}"
    rss_kib = use.ru_maxrss
    if knows_peak():
        rss_kib = int(last_line(peak).split()[-1])
    return Measure(wall, use.ru_utime + use.ru_stime, rss_kib * 1024)
