"""Runs pdfpipe and reads what it reports."""

import base64
import json
import os
from dataclasses import dataclass, field

import tools

TIMEOUT_S = 120
USER_PASSWORD = "corpus-user"
OWNER_PASSWORD = "corpus-owner"

# The exit code that goes with a result.
EXIT_OF = {"encrypted": 0, "skipped": 0, "failed": 1}


@dataclass
class Answer:
    """What pdfpipe said of one file."""

    status: int | None  # exit code of the run
    result: str = ""    # "" when there is no line for the file
    reason: str = ""
    message: str = ""
    warnings: list = field(default_factory=list)

    def refused(self):
        return self.result in ("skipped", "failed")

    def brief(self):
        text = f"{self.result or 'no result'}"
        if self.reason and self.reason != "ok":
            text += f":{self.reason}"
        return f"{text} (exit {self.status})"


def write_passwords(folder):
    """Options that name the password files."""
    options = []
    for role, word in (("user", USER_PASSWORD), ("owner", OWNER_PASSWORD)):
        path = os.path.join(folder, f"{role}.password")
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "w") as f:
            f.write(word + "\n")
        options += [f"--{role}-password-file", path]
    return options


def parse(out):
    """Path (as bytes) to the object of its line."""
    lines = {}
    for line in out.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if not isinstance(entry, dict) or "path" not in entry:
            continue
        path = base64.b64decode(entry["path_b64"]) if "path_b64" in entry \
            else os.fsencode(entry["path"])
        lines[path] = entry
    return lines


def answer_from(status, entry):
    if entry is None:
        return Answer(status)
    return Answer(status, entry.get("result", ""), entry.get("reason") or "",
                  entry.get("message") or "", entry.get("warnings") or [])


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.passwords = write_passwords(folder)

    def encrypt(self, source, output, extra=()):
        """One file; returns the Answer and what went to stderr."""
        outcome = tools.run(
            [self.path, "encrypt", "--json", *self.passwords, *extra,
             "-o", output, "--", source], TIMEOUT_S)
        lines = parse(outcome.out)
        entry = lines.get(os.fsencode(source))
        if entry is None and len(lines) == 1:
            entry = next(iter(lines.values()))
        return answer_from(outcome.status, entry), outcome

    def encrypt_folder(self, folder, threads, timeout_s):
        """A whole folder in place; returns path to Answer, the Outcome."""
        outcome = tools.run(
            [self.path, "--threads", str(threads), "--json", *self.passwords,
             "--", folder], timeout_s)
        # The exit code is the run's: each line is judged by its result.
        return {path: answer_from(EXIT_OF.get(entry.get("result")), entry)
                for path, entry in parse(outcome.out).items()}, outcome
