"""The inputs of whole runs, made by genpdf and warm in the page cache."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

NAMES = ("archive", "stream", "objects", "small")


@dataclass
class Input:
    name: str
    path: str
    bytes: int
    files: int

    def is_folder(self):
        return os.path.isdir(self.path)


def sizes(scale, form):
    """genpdf's options for each input at a scale."""
    return {
        "archive": ["--form", form, "--pages",
                    str(max(1, round(4200 * scale)))],
        "stream": ["--form", "objstm", "--size", str(round(2**30 * scale))],
        "objects": ["--form", form, "--count",
                    str(max(1, round(1000000 * scale)))],
        "small": ["--count", str(max(100, round(500 * scale)))],
    }


def check_names(names):
    for name in names:
        if name not in NAMES:
            sys.exit(f"bench: no input named {name}")


def make(build, work, name, arguments):
    # mutool knows files by the end of their names.
    path = os.path.join(work, f"in-{name}" +
                        ("" if name == "small" else ".pdf"))
    subprocess.run([os.path.join(build, "genpdf"), "--kind", name,
                    *arguments, "-o", path], check=True)
    paths = [path] if os.path.isfile(path) else \
        [os.path.join(path, n) for n in sorted(os.listdir(path))]
    for p in paths:
        with open(p, "rb") as f:
            while f.read(1 << 20):
                pass
    return Input(name, path, sum(map(os.path.getsize, paths)), len(paths))


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)
