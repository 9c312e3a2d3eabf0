"""What machine this is, for the first line of every result."""

import os
import platform


def cpus():
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def model():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def describe():
    return f"machine: {model()}, {cpus()} CPUs, Linux {platform.release()}"
