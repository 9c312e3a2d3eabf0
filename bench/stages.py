"""A model of the pipeline: how long a run takes with more CPUs than there are.

Reader and writer are a thread each, workers as many as there are CPUs.  Their
work overlaps, so the slowest of them decides, or the CPUs do when all work is
more than they can do at a time.  Of a folder the committer works beside the
others; of a single file it comes last, as do start and end of the program, and
is part of the rest, which nothing shortens.

It knows nothing of memory that is too slow for all CPUs, of disks, and of CPUs
that share a core.
"""

from dataclasses import dataclass


@dataclass
class Stages:
    """Seconds that each has been busy in a run with one worker."""

    reader: float
    writer: float
    workers: float
    committer: float  # 0: what it did is part of the rest
    rest: float = 0.0

    def busy(self):
        """What takes CPUs; a committer mostly waits for the disk."""
        return self.reader + self.writer + self.workers

    def alone(self):
        """Those that more CPUs do not divide, by name."""
        return {"reader": self.reader, "writer": self.writer,
                "committer": self.committer}

    def overlapped(self, workers, cpus):
        return max(*self.alone().values(), self.workers / workers,
                   self.busy() / cpus)

    def wall(self, cpus):
        """Of a run with as many workers as CPUs."""
        return self.rest + self.overlapped(cpus, cpus)

    def bound(self):
        """What is slowest in the end, and beyond how many CPUs."""
        name = max(self.alone(), key=self.alone().get)
        seconds = self.alone()[name]
        return name, max(self.busy(), seconds) / seconds

    def gain(self):
        """How many times as fast as on one CPU, at most."""
        return self.wall(1) / (self.rest + max(self.alone().values()))


def of_run(sums, files, wall_s, cpus):
    """From the sums of a report of a run with one worker on `cpus` CPUs."""
    s = Stages(sums["read_ms"] / 1e3, sums["write_ms"] / 1e3,
               sums["work_ms"] / 1e3,
               sums["commit_ms"] / 1e3 if files > 1 else 0.0)
    s.rest = max(0.0, wall_s - s.overlapped(1, cpus))
    return s
