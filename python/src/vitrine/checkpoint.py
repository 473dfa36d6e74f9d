"""Checks who has signed the log of a repository, and that it goes on from what was verified before (docs/log.md)."""

from __future__ import annotations

import base64
import re

from vitrine.connection import Connection, path_of
from vitrine.known_logs import KnownLog
from vitrine.log.note import Checkpoint, SignedNote, VerifierKey
from vitrine.log.tree import EMPTY_ROOT, ProofError, roots_by_consistency

#: Origin of the log of a repository, whose name ends with its generation.
_ORIGIN = re.compile(r"(?P<api>.+/api)/repo/(?P<name>[^/]+)\.[0-9a-f]{10}/log")


class CheckpointError(Exception):
    """A log does not pass; the message says why, as a sentence."""

    def __init__(self, message: str, checkpoints: tuple[str, str] | None = None) -> None:
        #: The checkpoint that was verified before, and the one of now, where they do not go together.
        self.checkpoints = checkpoints
        super().__init__(message)


def read_checkpoint(connection: Connection, repo: str, size: int | None = None) -> str:
    """The signed note of a repository, of now or of an earlier size."""
    return connection.request("GET", path_of("repo", repo, "log", "checkpoint"), query={"size": size}).text


def check_checkpoint(
    connection: Connection, repo: str, note: str, known: KnownLog | None
) -> tuple[Checkpoint, KnownLog]:
    """Checks a signed note.

    :returns: the checkpoint, and what to remember of it
    :raises CheckpointError: where it is not signed, or its log is not the one that was verified before
    """
    text = connection.request("GET", path_of("log", "key")).text.strip()
    installation, signed = VerifierKey.read(text), SignedNote.read(note)
    checkpoint = None if signed is None else signed.checkpoint()
    if installation is None or signed is None or checkpoint is None:
        raise CheckpointError("The server sent no signed checkpoint.")
    origin = checkpoint.origin
    log = _ORIGIN.fullmatch(origin)
    if log is None or (f"{log['api']}/log", log["name"]) != (installation.name, repo):
        raise CheckpointError(f"The checkpoint is that of another log: {origin}.")
    if not signed.is_signed_by(installation.with_name(origin)):
        raise CheckpointError("The checkpoint is not signed by the key of the server.")
    if known is not None:
        both = (known.note or _unsigned_note(repo, known), note)
        key = VerifierKey.read(known.key)
        # Its name has not always been the origin of a log.
        if key is None or key.public_key != installation.public_key:
            raise CheckpointError(f"The log has another key than {_before(known)}.", both)
        if known.origin not in (None, origin):
            raise CheckpointError(
                f"This is another log than that of {_before(known)}: {origin}, not {known.origin}. The repository "
                "was deleted and created again, or another is shown in its place.",
                both,
            )
        if checkpoint.size < known.size:
            raise CheckpointError(
                f"The log is shorter than {_before(known)}: items were removed, or an old state is shown.", both
            )
        before = Checkpoint(origin, known.size, bytes.fromhex(known.root))
        try:
            check_consistency(connection, repo, before, checkpoint)
        except CheckpointError as error:
            raise CheckpointError(str(error), both) from error
    return checkpoint, KnownLog(checkpoint.size, checkpoint.root.hex(), text, origin, note)


def check_consistency(connection: Connection, repo: str, before: Checkpoint, now: Checkpoint) -> None:
    """Proves that a log goes on where it ended before.

    :raises CheckpointError: where it does not
    """
    known = KnownLog(before.size, before.root.hex(), "")
    refused = CheckpointError(f"The log is not a continuation of {_before(known)}: its history was rewritten.")
    if before.size == 0:
        if before.root != EMPTY_ROOT:
            raise refused
        return
    if before.size == now.size:
        if before.root != now.root:
            raise refused
        return
    query = {"from": before.size, "to": now.size}
    hashes = connection.get(path_of("repo", repo, "log", "consistency"), query)["hashes"]
    try:
        roots = roots_by_consistency(before.size, now.size, before.root, [bytes.fromhex(each) for each in hashes])
    except ProofError as error:
        raise refused from error
    if roots != (before.root, now.root):
        raise refused


def _unsigned_note(repo: str, known: KnownLog) -> str:
    """What is known of a state whose signature was not kept, as its checkpoint was written."""
    root = base64.b64encode(bytes.fromhex(known.root)).decode()
    return f"{known.origin or repo}\n{known.size}\n{root}\n"


def _before(known: KnownLog) -> str:
    return f"the state with {known.size:,} items that was verified before"
