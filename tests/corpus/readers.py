"""Independent readers, and what each shows of a file.

A View says whether the reader could open the file and what it saw, as a
digest: two views with the same digest show the same.  `ok` is None when the
reader ran out of time.
"""

import hashlib
import json
import os
import select
import subprocess
import threading
import time
from dataclasses import dataclass

import tools

HERE = os.path.dirname(os.path.abspath(__file__))
NODE_FOLDER = os.path.join(HERE, "..", "readers")

MOST_PAGES = 40  # of each document are drawn
RESOLUTION = "40"

USER, OWNER = "user", "owner"


@dataclass
class View:
    ok: bool | None
    seen: str
    note: str = ""

    def brief(self):
        if self.ok is None:
            return "timeout"
        return self.seen[:8] if self.ok else "cannot"


def digest(data):
    return hashlib.sha256(data).hexdigest()


def view_of(outcome, data=None):
    """The view of a program that shows `data` (or its output) and ends
    with 0."""
    if outcome.status is None:
        return View(None, "", "no answer in time")
    if outcome.status != 0:
        return View(False, "", outcome.last_words())
    return View(True, digest(outcome.out if data is None else data))


class Poppler:
    """pdftotext and pdftoppm."""

    def __init__(self, program, options):
        self.name = program
        self.options = options

    def missing(self):
        return tools.missing(self.name)

    def look(self, path, password=None, role=USER):
        argv = [self.name] + self.options
        if password is not None:
            argv += ["-upw" if role == USER else "-opw", password]
        # Without a name for pictures pdftoppm writes them to stdout.
        argv += [path, "-"] if self.name == "pdftotext" else [path]
        return view_of(tools.run(argv))


class Mutool:
    """mutool draw, as pictures or as text."""

    def __init__(self, name, options):
        self.name = name
        self.options = options

    def missing(self):
        return tools.missing("mutool")

    def look(self, path, password=None, role=USER):
        argv = ["mutool", "draw", "-q"] + self.options
        if password is not None:
            argv += ["-p", password]
        outcome = tools.run(argv + [path, f"1-{MOST_PAGES}"])
        if "-s5" not in self.options:
            return view_of(outcome)
        # "page FILE NUMBER DIGEST" on stderr, beside warnings.
        digests = [line.split()[-1] for line in outcome.err.splitlines()
                   if line.startswith(b"page ") and len(line.split()[-1]) == 32]
        if outcome.status == 0 and not digests:
            return View(False, "", outcome.last_words())
        return view_of(outcome, b" ".join(digests))


class Ghostscript:
    name = "gs"

    def missing(self):
        return tools.missing("gs")

    def look(self, path, password=None, role=USER):
        argv = ["gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH",
                "-sDEVICE=pgmraw", "-r20", f"-dLastPage={MOST_PAGES}",
                "-sstdout=%stderr", "-sOutputFile=-"]
        if password is not None:
            argv.append(f"-sPDFPassword={password}")
        return view_of(tools.run(argv + [path]))


class NodeReader:
    """A program in tests/readers that answers one line per file.

    One process for each thread, started again when it is stuck or died.
    """

    def __init__(self, name):
        self.name = name
        self.script = os.path.join(NODE_FOLDER, f"{name}.mjs")
        self.local = threading.local()
        self.processes = []
        self.lock = threading.Lock()

    def missing(self):
        if tools.missing("node"):
            return "node is not installed"
        if not os.path.isdir(os.path.join(NODE_FOLDER, "node_modules")):
            return "not installed: run `npm ci` in tests/readers"
        return None

    def process(self):
        process = getattr(self.local, "process", None)
        if process is None or process.poll() is not None:
            process = subprocess.Popen(
                ["node", self.script], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=tools.environment(), start_new_session=True)
            self.local.process = process
            with self.lock:
                self.processes.append(process)
        return process

    def ask(self, question):
        """The answer's line; b"" when the process died, None in time."""
        process = self.process()
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return b""
        line = b""
        end = time.monotonic() + tools.TIMEOUT_S
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [],
                                              left)[0]:
                return None
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                return b""
            line += piece
        return line

    def look(self, path, password=None, role=USER):
        line = self.ask({"file": path, "password": password,
                         "pages": MOST_PAGES})
        if not line:
            tools.kill_group(self.local.process)
            self.local.process.wait()
            self.local.process = None
            if line is None:
                return View(None, "", "no answer in time")
            return View(False, "", "the reader crashed")
        answer = json.loads(line)
        if answer["error"] is not None:
            return View(False, "", answer["error"][:200])
        return View(True, digest(line))

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.stdin.close()
                process.wait()


def all_readers():
    return [
        Poppler("pdftotext", []),
        Poppler("pdftoppm", ["-r", RESOLUTION, "-l", str(MOST_PAGES)]),
        Mutool("mutool-draw", ["-r", RESOLUTION, "-s5"]),
        Mutool("mutool-text", ["-F", "txt"]),
        Ghostscript(),
        NodeReader("pdfium"),
        NodeReader("pdfjs"),
    ]
