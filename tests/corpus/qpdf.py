"""qpdf as judge: is a file sound, how is it encrypted, what is in it."""

import json
from dataclasses import dataclass

import tools

WARNINGS = 3  # its exit status: it read the file, and complained


def with_password(argv, password):
    return argv if password is None else argv + [f"--password={password}"]


def check(path, password=None):
    """0 clean, 3 warnings, 2 errors, None no answer in time; and why."""
    outcome = tools.run(with_password(["qpdf", "--check"], password) + [path])
    return outcome.status, outcome.last_words()


def encryption(path, password):
    """The lines of --show-encryption."""
    outcome = tools.run(
        with_password(["qpdf", "--show-encryption"], password) + [path])
    return outcome.out.decode("utf-8", "replace").splitlines()


def is_encrypted(path):
    """True also when qpdf cannot make sense of the encryption."""
    outcome = tools.run(["qpdf", "--is-encrypted", path])
    return outcome.status == 0


def rewrite(source, output, user, owner):
    """qpdf's own encryption of the source, to compare with; True: done."""
    outcome = tools.run(["qpdf", "--stream-data=preserve", source,
                         "--encrypt", user, owner, "256", "--", output])
    return outcome.status in (0, WARNINGS)


@dataclass
class Document:
    """Every object of a file, decrypted, streams as they stand in the file.

    objects maps "12 0 R" to {"value": ...} or {"stream": {"dict", "data"}},
    where names begin with /, strings with u: or b:, and data is base64.
    """

    objects: dict
    trailer: dict

    def dictionary(self, reference):
        """The dictionary of the object, a stream's too; {} without one."""
        if isinstance(reference, dict):
            return reference  # it stands where a reference should
        entry = self.objects.get(reference, {})
        value = entry["stream"]["dict"] if "stream" in entry else \
            entry.get("value")
        return value if isinstance(value, dict) else {}

    def follow(self, value):
        """The value, or what it refers to."""
        if isinstance(value, str) and value in self.objects:
            return self.objects[value].get("value")
        return value


def load(path, password=None):
    """The Document, or a text that says why there is none."""
    outcome = tools.run(
        with_password(["qpdf", "--json=2", "--json-key=qpdf",
                       "--json-stream-data=inline", "--decode-level=none"],
                      password) + [path])
    if outcome.status not in (0, WARNINGS):
        return f"qpdf cannot list the objects: {outcome.last_words()}"
    try:
        # Names of damaged files are not always text.
        text = outcome.out.decode("utf-8", "surrogateescape")
        entries = json.loads(text)["qpdf"][1]
    except (ValueError, KeyError, IndexError) as e:
        return f"qpdf's list of objects cannot be read: {e}"
    trailer = entries.pop("trailer", {}).get("value", {})
    objects = {key.removeprefix("obj:"): entry
               for key, entry in entries.items()}
    return Document(objects, trailer)
