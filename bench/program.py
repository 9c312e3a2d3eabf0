"""pdfpipe as a contender, and what it tells of its own run."""

import json
import os

from runs import timed

USER, OWNER = "bench-user", "bench-owner"


def write_line(path, text):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as f:
        f.write(text + "\n")
    return path


class Program:
    """A build of pdfpipe with passwords in files of the folder `work`."""

    def __init__(self, build, work):
        self.path = os.path.join(build, "pdfpipe")
        self.work = work
        self.user = write_line(os.path.join(work, "user"), USER)
        self.owner = write_line(os.path.join(work, "owner"), OWNER)

    def command(self, threads, source, target, *extra):
        return [self.path, "encrypt", "-q", "--threads", str(threads),
                "--user-password-file", self.user, "--owner-password-file",
                self.owner, *extra, "-o", target, source]

    def run(self, threads, source, target, timeout_s, *extra):
        """Its Measure and the sums of its report, or why it failed."""
        report = os.path.join(self.work, "report")
        argv = self.command(threads, source, target, "--report=-", *extra)
        with open(report, "wb") as out:
            measure = timed(argv, timeout_s, self.work, stdout=out)
        if isinstance(measure, str):
            return measure, None
        with open(report, "rb") as f:
            *_, last = f
        return measure, json.loads(last)["summary"]
