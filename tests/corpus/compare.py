"""Object for object: the source against the decrypted output.

Everything must be equal but what encryption has to change: stream lengths,
the catalog's /Extensions, the trailer's /ID, /Encrypt and bookkeeping,
cross-reference streams, and linearization, which a rewrite removes.
"""

import base64
import re

REFERENCE = re.compile(r"^\d+ \d+ R$")

# Bookkeeping of the file's own form: not part of the document.
TRAILER_OWN = {"/Prev", "/XRefStm", "/Size", "/ID", "/Encrypt", "/Type", "/W",
               "/Index", "/Length", "/Filter", "/DecodeParms", "/F",
               "/FFilter", "/FDecodeParms", "/DL", "/AuthCode"}


def references(value):
    """Every reference below a value, without recursion."""
    pending = [value]
    while pending:
        v = pending.pop()
        if isinstance(v, dict):
            pending.extend(v.values())
        elif isinstance(v, list):
            pending.extend(v)
        elif isinstance(v, str) and REFERENCE.match(v):
            yield v


def content(entry):
    if "stream" in entry:
        return entry["stream"]["dict"]
    return entry.get("value")


def reachable(document):
    """The references of all objects that the trailer leads to."""
    pending = [r for key in ("/Root", "/Info")
               for r in references(document.trailer.get(key))]
    seen = set()
    while pending:
        reference = pending.pop()
        if reference in seen or reference not in document.objects:
            continue
        seen.add(reference)
        pending.extend(references(content(document.objects[reference])))
    return seen


def is_type(document, reference, name):
    return document.dictionary(reference).get("/Type") == name


def has_string(value):
    """Is there a string in the value?"""
    pending = [value]
    while pending:
        v = pending.pop()
        if isinstance(v, dict):
            pending.extend(v.values())
        elif isinstance(v, list):
            pending.extend(v)
        elif isinstance(v, str) and v[:2] in ("u:", "b:"):
            return True
    return False


def without_signature_contents(value):
    """A copy in which /Contents beside /ByteRange is left out.

    qpdf takes only /Type /Sig for a signature and decrypts the /Contents of
    a time stamp, which is not encrypted.  The bytes are compared in leak.py.
    """
    if isinstance(value, dict):
        signature = "/ByteRange" in value
        return {k: without_signature_contents(v) for k, v in value.items()
                if not (signature and k == "/Contents")}
    if isinstance(value, list):
        return [without_signature_contents(v) for v in value]
    return value


def without_crypt(dictionary):
    """Without an identity /Crypt filter, which encryption makes void."""
    filters = dictionary.get("/Filter")
    if filters != "/Crypt" and (not isinstance(filters, list) or
                                filters[:1] != ["/Crypt"]):
        return dictionary
    rest = dict(dictionary)
    rest.pop("/Filter")
    parms = rest.pop("/DecodeParms", None)
    if isinstance(filters, list) and filters[1:]:
        rest["/Filter"] = filters[1:]
        if isinstance(parms, list) and any(parms[1:]):
            rest["/DecodeParms"] = parms[1:]
    return rest


def unpack(dictionary):
    """[/X] and /X say the same in /Filter; so do absent parameters."""
    result = dict(dictionary)
    for key in ("/Filter", "/DecodeParms"):
        v = result.get(key)
        if isinstance(v, list) and len(v) == 1:
            result[key] = v[0]
    return result


def normal(document, reference):
    """The object in the form in which it is compared."""
    entry = document.objects.get(reference)
    if entry is None or entry.get("value", "") is None:
        return None
    if "stream" in entry:
        dictionary = {k: v for k, v in entry["stream"]["dict"].items()
                      if k != "/Length"}
        if without_crypt(dictionary) is not dictionary:
            dictionary = unpack(without_crypt(dictionary))
        return {"dict": without_signature_contents(dictionary),
                "data": entry["stream"].get("data")}
    value = entry["value"]
    if reference == document.trailer.get("/Root") and isinstance(value, dict):
        value = {k: v for k, v in value.items() if k != "/Extensions"}
    return without_signature_contents(value)


def extension_objects(document):
    """Objects of the catalog's /Extensions: the level in them is raised."""
    catalog = document.dictionary(document.trailer.get("/Root"))
    found = set()
    pending = [catalog.get("/Extensions")]
    while pending:
        for reference in references(pending.pop()):
            if reference not in found:
                found.add(reference)
                pending.append(document.objects.get(reference, {}).get("value"))
    return found


def is_superseded(document, reference):
    """qpdf lists an object of which a newer generation is in the file."""
    number, generation = map(int, reference.split()[:2])
    return any(f"{number} {newer} R" in document.objects
               for newer in range(generation + 1, generation + 10))


def may_be_dropped(source, reference, linearized):
    """Is this an object of the file's form that a rewrite leaves out?"""
    dictionary = source.dictionary(reference)
    if dictionary.get("/Type") in ("/XRef", "/ObjStm"):
        return True
    if "/Linearized" in dictionary:
        return True
    if linearized and isinstance(dictionary.get("/S"), int) and \
            "stream" in source.objects[reference]:
        return True  # hint stream
    return is_superseded(source, reference)


def means_null(document, value):
    """Does it refer to an object that is not there, null or superseded?"""
    if not isinstance(value, str) or not REFERENCE.match(value):
        return False
    return normal(document, value) is None or is_superseded(document, value)


def compare_trailers(source, output):
    for key in (set(source.trailer) | set(output.trailer)) - TRAILER_OWN:
        a, b = source.trailer.get(key), output.trailer.get(key)
        if key == "/Info" and isinstance(a, dict):
            b = output.follow(b)  # a direct one has become an object
        elif b is None and (has_string(a) or means_null(source, a)):
            continue  # nobody would decrypt it; it means null
        if a != b:
            yield f"trailer {key}: {a!r} has become {b!r}"
    a, b = source.trailer.get("/ID"), output.trailer.get("/ID")
    if not isinstance(b, list) or len(b) != 2 or not all(b):
        yield f"trailer /ID: {b!r}"
    elif isinstance(a, list) and a and a[0] not in ("u:", "b:") and \
            a[0] != b[0]:
        yield f"trailer /ID: the first part {a[0]!r} has become {b[0]!r}"


def new_objects(source, output):
    """References of objects that the output may have in addition."""
    allowed = {output.trailer.get("/Encrypt")}
    if isinstance(source.trailer.get("/Info"), dict):
        allowed.add(output.trailer.get("/Info"))
    allowed |= {r for r in output.objects if is_type(output, r, "/XRef")}
    return allowed


def is_same_but_for_ends(a, b):
    """Streams whose data differ in white space at the ends: where data
    begins after an odd end of line is a matter of opinion."""
    if not (isinstance(a, dict) and isinstance(b, dict) and
            set(a) == set(b) == {"dict", "data"} and a["dict"] == b["dict"]):
        return False
    return base64.b64decode(a["data"] or "").strip() == \
        base64.b64decode(b["data"] or "").strip()


def differences(source, output, damaged):
    """What is not as it was, one text each.

    damaged: the source's cross-reference had to be guessed.  Then qpdf and
    pdfpipe may differ in what else lies around: only what can be reached
    from the trailer counts.
    """
    linearized = any("/Linearized" in source.dictionary(r)
                     for r in source.objects)
    extensions = extension_objects(source)
    wanted = reachable(source) if damaged else set(source.objects)
    found = list(compare_trailers(source, output))
    for reference in sorted(wanted, key=lambda r: int(r.split()[0])):
        a, b = normal(source, reference), normal(output, reference)
        if a == b or reference in extensions or \
                is_type(source, reference, "/XRef") or \
                damaged and is_same_but_for_ends(a, b):
            continue
        if b is not None:
            found.append(f"object {reference}: {tell(a, b)}")
        elif not may_be_dropped(source, reference, linearized):
            found.append(f"object {reference} is missing")
    allowed = new_objects(source, output)
    for reference in set(output.objects) - set(source.objects) - allowed:
        if not damaged and normal(output, reference) is not None:
            found.append(f"object {reference} is new")
    return found


def tell(a, b):
    """Where two objects differ, in one line."""
    for key in ("dict", "data"):
        if isinstance(a, dict) and isinstance(b, dict) and \
                set(a) == set(b) == {"dict", "data"} and a[key] != b[key]:
            if key == "data":
                return "its stream has other bytes"
            a, b = a[key], b[key]
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                return f"{key}: {a.get(key)!r:.80} has become " \
                       f"{b.get(key)!r:.80}"
    return f"{a!r:.80} has become {b!r:.80}"
