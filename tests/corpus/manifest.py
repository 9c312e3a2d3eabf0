"""What is expected of each file: the columns `expected` and `name` of a
manifest (tab separated, one heading line)."""

import csv
from enum import Enum


class Expected(Enum):
    ENCRYPT = "encrypt_ok"
    EITHER = "encrypt_or_refuse"
    REPAIRED = "encrypt_with_warning"   # in place: either
    ENCRYPTED = "refuse_encrypted"      # it is encrypted already
    SIGNED = "refuse_signed"            # unless forced
    REFUSE = "refuse_other"
    UNKNOWN = "unknown"                 # not in the manifest


def classify(text):
    """The class of an entry in the column `expected`."""
    if "encrypt: refuse, already encrypted" in text:
        return Expected.ENCRYPTED
    if text.startswith("refuse unless forced"):
        return Expected.SIGNED
    if text.startswith("encrypt ok") and "or refuse" in text:
        return Expected.EITHER
    if text.startswith("encrypt ok with a warning"):
        return Expected.REPAIRED
    if text.startswith("encrypt ok"):
        return Expected.ENCRYPT
    if text.startswith(("refuse", "needs password", "opens with")):
        return Expected.REFUSE
    return Expected.UNKNOWN


def read(path):
    """Maps file names to what is expected of them."""
    with open(path, encoding="utf-8", newline="") as f:
        rows = csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"name", "expected"} <= set(rows.fieldnames or ()):
            raise ValueError(f"{path}: no columns `name` and `expected`")
        return {row["name"]: classify(row["expected"]) for row in rows}
