"""Does the output show anything of the source in the clear?

Strings of eight bytes or more and pieces of streams are looked for in the
output's raw bytes: as they are, and strings in hexadecimal too.  What is
meant to stay readable is left out: names, /ID, the /Contents of signatures.
"""

import base64
import re

MIN_STRING = 8
MIN_STRING_DISTINCT = 4  # byte values in it; fewer may be chance
SLICE = 64
MIN_DISTINCT = 12        # byte values in a slice; fewer may be chance
SLICES_PER_STREAM = 16
BUDGET = 6 * 1000**3     # bytes to be searched in all

REGULAR = rb"[^\x00\t\n\f\r ()<>\[\]{}/%]"
STARTS_IN_NAME = re.compile(rb"/" + REGULAR + rb"*\Z")
ID_PAIR = re.compile(rb"/ID\s*\[\s*<[0-9A-Fa-f\s]*>\s*<[0-9A-Fa-f\s]*>\s*\]")
KEYWORDS = (b"endstream", b"startxref", b"endstream endobj")


def strings_of(value):
    """Every string below a value, but the /Contents of signatures."""
    pending = [value]
    while pending:
        v = pending.pop()
        if isinstance(v, dict):
            pending.extend(x for k, x in v.items()
                           if not (k == "/Contents" and "/ByteRange" in v))
        elif isinstance(v, list):
            pending.extend(v)
        elif isinstance(v, str) and v[:2] in ("u:", "b:"):
            yield v


def spellings(text):
    """The bytes that a string may have had in the source."""
    if text.startswith("b:"):
        return {bytes.fromhex(text[2:])}
    found = {text[2:].encode("utf-8", "surrogatepass"),
             text[2:].encode("utf-16-be", "surrogatepass")}
    try:
        found.add(text[2:].encode("latin-1"))
    except UnicodeEncodeError:
        pass
    return found


def parts_in_the_clear(string):
    """Stretches that look the same in every notation of a literal string."""
    return re.findall(rb"[ -'*-\[\]-~]{%d,}" % MIN_STRING, string)


def needles_of_strings(document):
    raw, hexadecimal = set(), set()
    for reference, entry in document.objects.items():
        value = entry["stream"]["dict"] if "stream" in entry else \
            entry.get("value")
        if document.dictionary(reference).get("/Type") == "/XRef":
            continue
        for text in strings_of(value):
            for string in spellings(text):
                if len(string) < MIN_STRING or \
                        len(set(string)) < MIN_STRING_DISTINCT:
                    continue
                hexadecimal.add(string.hex().encode())
                raw.add(string)
                raw.update(parts_in_the_clear(string))
    return raw, hexadecimal


def slices_of_streams(document, per_stream):
    for reference, entry in document.objects.items():
        if "stream" not in entry or \
                document.dictionary(reference).get("/Type") == "/XRef":
            continue
        data = base64.b64decode(entry["stream"].get("data", ""))
        last = len(data) - SLICE
        if last < 0:
            continue
        count = min(per_stream, -(-last // SLICE) + 1)  # both ends too
        for i in range(count):
            at = last * i // max(count - 1, 1)
            piece = data[at:at + SLICE]
            if len(set(piece)) >= MIN_DISTINCT:
                yield reference, piece


def stands_alone(raw, at):
    """Is what starts there no part of a name?"""
    return not STARTS_IN_NAME.search(raw[max(0, at - 128):at])


def finds_string(raw, needle):
    if needle in KEYWORDS:
        return False
    if not needle.strip(b"0123456789. -"):
        needle = b"(" + needle  # numbers stand everywhere
    at = raw.find(needle)
    while at >= 0:
        if stands_alone(raw, at):
            return True
        at = raw.find(needle, at + 1)
    return False


def thinned(items, most):
    items = sorted(items)
    step = max(1, -(-len(items) // max(most, 1)))
    return items[::step]


def leaks(source, output_bytes):
    """What of the source Document the output shows, one text each."""
    raw = ID_PAIR.sub(b"/ID", output_bytes)
    lower = raw.lower()
    for contents in signature_contents(source):  # they name people in clear
        lower = lower.replace(contents.hex().encode(), b"")
    searches = max(300, BUDGET // max(len(raw), 1))
    plain, hexadecimal = needles_of_strings(source)
    found = []
    for needle in thinned(plain, searches // 3):
        if finds_string(raw, needle):
            found.append(f"string {needle!r:.60} is in the clear")
    for needle in thinned(hexadecimal, searches // 3):
        if needle in lower:
            found.append(f"hexadecimal string <{needle[:40].decode()}> "
                         "is in the clear")
    streams = sum("stream" in e for e in source.objects.values())
    per_stream = min(SLICES_PER_STREAM,
                     max(2, searches // 3 // max(streams, 1)))
    for reference, piece in slices_of_streams(source, per_stream):
        if piece in raw:
            found.append(f"stream {reference} is in the clear")
    return found


def signature_contents(document):
    """The /Contents of every signature, as bytes."""
    pending = [e["stream"]["dict"] if "stream" in e else e.get("value")
               for e in document.objects.values()]
    while pending:
        v = pending.pop()
        if isinstance(v, dict):
            pending.extend(v.values())
            text = v.get("/Contents")
            if "/ByteRange" in v and isinstance(text, str) and \
                    text.startswith("b:"):
                yield bytes.fromhex(text[2:])
        elif isinstance(v, list):
            pending.extend(v)


def broken_signatures(source, source_bytes, output_bytes):
    """Signatures whose /Contents did not stay as it was."""
    before, after = source_bytes.lower(), output_bytes.lower()
    for contents in signature_contents(source):
        digits = contents.hex().encode()
        if digits in before and digits not in after:
            yield f"signature /Contents {digits[:16].decode()}... changed"
