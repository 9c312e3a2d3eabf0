"""One file: what pdfpipe made of it, and whether that is right."""

import os
from dataclasses import dataclass, field

import compare
import leak
import program
import qpdf
import readers
from manifest import Expected

# Larger files are not taken apart in memory; the readers still see them.
MOST_BYTES = 64 * 1024 * 1024

ROLES = ((readers.USER, program.USER_PASSWORD),
         (readers.OWNER, program.OWNER_PASSWORD))

SEVERITY = {0: 0, qpdf.WARNINGS: 1, 2: 2}


@dataclass
class Case:
    """A file under judgement, and what was found."""

    name: str              # as the report shows it
    expected: Expected
    source: str            # a copy that nobody writes to
    output: str            # where pdfpipe's output is, or would be
    folder: str            # scratch
    answer: program.Answer | None = None
    forced: program.Answer | None = None  # with --on-signed=encrypt
    faults: list = field(default_factory=list)
    remarks: list = field(default_factory=list)
    said: dict = field(default_factory=dict)  # reader: "before/after"

    def fault(self, text):
        self.faults.append(text)

    def remark(self, text):
        self.remarks.append(text)


def judge_refusal(case, in_place):
    """Was it right to leave the file alone, and was that said properly?"""
    answer, expected = case.answer, case.expected
    right_code = program.EXIT_OF[answer.result]
    if answer.status != right_code:
        case.fault(f"exit code {answer.status} with result {answer.result}")
    if not answer.reason or answer.reason == "ok":
        case.fault("refused without a reason")
    if answer.result == "failed" and not answer.message:
        case.fault("failed without a message")
    if expected is Expected.ENCRYPTED and \
            answer.reason != "already_encrypted":
        case.fault(f"reason {answer.reason}, not already_encrypted")
    elif expected is Expected.SIGNED and answer.reason != "signed":
        case.fault(f"reason {answer.reason}, not signed")
    elif expected is Expected.ENCRYPT or \
            expected is Expected.REPAIRED and not in_place:
        case.fault(f"refused, but should be encrypted: {answer.message}")
    elif expected is Expected.UNKNOWN:
        judge_unexpected_refusal(case)


def judge_unexpected_refusal(case):
    """No manifest: is there what the reason says?"""
    reason = case.answer.reason
    if reason == "already_encrypted":
        if not qpdf.is_encrypted(case.source) and \
                qpdf.check(case.source)[0] in (0, qpdf.WARNINGS):
            case.fault("refused as encrypted, but it is not")
        return
    if reason == "signed":
        if not looks_signed(case.source):
            case.fault("refused as signed, but it is not")
        return
    if qpdf.check(case.source)[0] == 0:
        case.fault(f"refused as {reason}, but qpdf finds nothing wrong")


def looks_signed(path):
    document = qpdf.load(path)
    if isinstance(document, str):
        return True
    dictionaries = [compare.content(e) for e in document.objects.values()]
    while dictionaries:
        v = dictionaries.pop()
        if isinstance(v, dict):
            if "/ByteRange" in v or "/UR3" in v or "/DocMDP" in v:
                return True
            dictionaries.extend(v.values())
        elif isinstance(v, list):
            dictionaries.extend(v)
    return False


def judge_success_allowed(case):
    """Should this file have been refused?"""
    if case.expected in (Expected.ENCRYPTED, Expected.REFUSE):
        case.fault(f"encrypted, but expected {case.expected.value}")
    elif case.expected is Expected.SIGNED:
        case.fault("signed, and encrypted without being forced")
    elif case.expected is Expected.UNKNOWN and qpdf.is_encrypted(case.source):
        case.fault("encrypted although it was already")


def judge_output(case, all_readers):
    """Everything that is asked of an encrypted file."""
    before = qpdf.check(case.source)
    judge_qpdf(case, before)
    judge_encryption(case)
    judge_wrong_password(case)
    control = Control(case, before[0])
    for reader in all_readers:
        judge_reader(case, reader, control)
    judge_bytes(case, before[0])


def judge_qpdf(case, before):
    after = []
    for role, password in ROLES:
        status, words = qpdf.check(case.output, password)
        after.append(status)
        if before[0] is None or status is None:
            case.remark("qpdf --check: no answer in time")
        elif SEVERITY.get(status, 9) > SEVERITY.get(before[0], 9):
            case.fault(f"qpdf --check with the {role} password: {status} "
                       f"instead of {before[0]}: {words}")
    case.said["qpdf"] = f"{before[0]}/" + ",".join(map(str, after))


def judge_encryption(case):
    for role, password in ROLES:
        lines = qpdf.encryption(case.output, password)
        for wanted in ("R = 6", "stream encryption method: AESv3",
                       "string encryption method: AESv3",
                       f"Supplied password is {role} password"):
            if wanted not in lines:
                case.fault(f"qpdf --show-encryption ({role}) lacks: {wanted}")


def judge_wrong_password(case):
    for password in ("wrong", ""):
        status, words = qpdf.check(case.output, password)
        if status != 2 or "invalid password" not in words:
            case.fault(f"password {password!r}: qpdf ends with {status}: "
                       f"{words}")


class Control:
    """qpdf's own encrypted rewrite, made when a reader sees a difference.

    It tells pdfpipe's mistakes from the readers'.  Some go wrong on every
    encrypted form of a file: they see a difference in qpdf's rewrite of a
    sound file too.  And damage is mended by each reader in its own way, but
    leaves nothing to mend in an output: there the reader must see the same
    in qpdf's rewrite as in pdfpipe's output.
    """

    def __init__(self, case, source_status):
        self.case = case
        self.damaged = source_status != 0
        self.path = os.path.join(case.folder, "control.pdf")
        self.made = None

    def excuses(self, reader, before, view):
        """The remark that the difference comes to, or None."""
        if self.made is None:
            self.made = qpdf.rewrite(self.case.source, self.path,
                                     program.USER_PASSWORD,
                                     program.OWNER_PASSWORD)
        if not self.made:
            return None
        control = reader.look(self.path, program.USER_PASSWORD)
        if control.ok and control.seen == before.seen:
            return None
        if not self.damaged:
            return "goes wrong on qpdf's encrypted rewrite too"
        if (control.ok, control.seen) == (view.ok, view.seen):
            return "sees the same in qpdf's rewrite of this damaged file"
        return None


def judge_reader(case, reader, control):
    before = reader.look(case.source)
    if not before.ok:
        case.said[reader.name] = f"{before.brief()}/-"
        return
    after = []
    for role, password in ROLES:
        view = reader.look(case.output, password, role)
        after.append(view.brief())
        if view.ok and view.seen == before.seen:
            continue
        excuse = control.excuses(reader, before, view)
        if excuse:
            case.remark(f"{reader.name} ({role}) {excuse}")
        elif view.ok is None:
            case.fault(f"{reader.name} ({role}): no answer in time")
        elif not view.ok:
            case.fault(f"{reader.name} ({role}) cannot open it: {view.note}")
        else:
            case.fault(f"{reader.name} ({role}) shows something else")
    case.said[reader.name] = f"{before.brief()}/" + ",".join(after)


def judge_bytes(case, source_status):
    """Objects compared one by one; nothing readable in the output."""
    if os.path.getsize(case.source) > MOST_BYTES:
        case.remark("too large to compare objects and to look for leaks")
        return
    source = qpdf.load(case.source)
    if isinstance(source, str):
        case.remark(f"objects not compared: {source}")
        return
    output = qpdf.load(case.output, program.USER_PASSWORD)
    if isinstance(output, str):
        case.fault(f"objects not compared: {output}")
        return
    damaged = source_status != 0
    found = compare.differences(source, output, damaged)
    with open(case.output, "rb") as f:
        output_bytes = f.read()
    with open(case.source, "rb") as f:
        source_bytes = f.read()
    found += leak.leaks(source, output_bytes)
    found += leak.broken_signatures(source, source_bytes, output_bytes)
    case.said["objects"] = str(len(source.objects))
    for text in found[:5]:
        case.fault(text)
    if len(found) > 5:
        case.fault(f"and {len(found) - 5} more of this kind")
