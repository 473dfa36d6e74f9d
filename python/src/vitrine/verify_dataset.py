"""Compares every value of a dataset with its digest, and a repository with its log."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from vitrine.checkpoint import CheckpointError, check_checkpoint, check_consistency, read_checkpoint
from vitrine.connection import Connection, path_of
from vitrine.dataset import Dataset
from vitrine.errors import ApiError, VerificationError
from vitrine.export import Asked, rows
from vitrine.field import Field
from vitrine.known_logs import KnownLog, find_known_log, keep_known_log
from vitrine.log.entry import Entry, seal_of
from vitrine.log.note import Checkpoint
from vitrine.log.tile import TILE_WIDTH, bundle_path, read_bundle
from vitrine.log.tree import TreeBuilder, leaf_hash
from vitrine.value_bytes import file_digest, text_bytes
from vitrine.verification import Damage, Verification

#: Files that are read at once, and those that may wait for it.
_READERS, _WAITING = 4, 256

#: Reasons for which a server has no checkpoint of a log.
_UNSIGNED = {
    "LOG_DAMAGED": "items are missing that the log has",
    "LOG_NOT_SIGNED": "the server does not sign the log, as it is not what was signed before",
}


def verify_dataset(dataset: Dataset) -> Verification:
    """:raises VerificationError: where something does not fit"""
    found = Verification()
    log = None if dataset.is_view else _LogReader.open(dataset, found)
    try:
        with _FileReader(dataset, found) as files:
            for row in rows(dataset.connection, Asked(dataset.name, dataset.at), integrity=True):
                found.items += 1
                for field in dataset.schema:
                    if row.get(field.name) is not None or f"{field.name}.sha256" in row:
                        _check_value(field, row, found, files)
                if log is not None:
                    log.compare(row)
    except ApiError:
        # Rows cannot be read where some are missing, which was told.
        if not found.damage:
            raise
    else:
        if log is not None:
            log.end()
    if found.damage:
        raise VerificationError(found)
    if log is not None:
        keep_known_log(dataset.connection.url, dataset.name, log.known)
    return found


def _check_value(field: Field, row: dict[str, Any], found: Verification, files: _FileReader) -> None:
    found.values += 1
    item, wanted = int(row["id"]), row.get(f"{field.name}.sha256")
    if not isinstance(wanted, str):
        found.damage.append(Damage("has no digest", item, field.name))
    elif row.get(field.name) is None:
        found.damage.append(Damage("has a digest and no value", item, field.name))
    elif field.type == "binary":
        files.check(item, field.name, wanted)
    else:
        content = text_bytes(field, row[field.name])
        found.bytes += len(content)
        if hashlib.sha256(content).hexdigest() != wanted:
            found.damage.append(Damage(f"is not what has the digest {wanted}", item, field.name))


class _FileReader:
    """Reads files beside the rows; equal bytes once."""

    def __init__(self, dataset: Dataset, found: Verification) -> None:
        self._dataset = dataset
        self._found = found
        self._pool = ThreadPoolExecutor(_READERS)
        self._read: dict[str, Future[tuple[str | None, int]]] = {}
        self._waiting: deque[tuple[int, str, str, bool]] = deque()

    def check(self, item: int, field: str, wanted: str) -> None:
        is_new = wanted not in self._read
        if is_new:
            arguments = (self._dataset.connection, self._dataset.name, item, field)
            self._read[wanted] = self._pool.submit(file_digest, *arguments)
        self._waiting.append((item, field, wanted, is_new))
        if len(self._waiting) > _WAITING:
            self._take()

    def _take(self) -> None:
        item, field, wanted, is_new = self._waiting.popleft()
        digest, size = self._read[wanted].result()
        if is_new:
            self._found.bytes += size
        if digest is None:
            self._found.damage.append(Damage("cannot be read", item, field))
        elif digest != wanted:
            self._found.damage.append(Damage(f"its bytes have the digest {digest}, not {wanted}", item, field))

    def __enter__(self) -> _FileReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            while self._waiting and kind is None:
                self._take()
        finally:
            self._pool.shutdown(cancel_futures=True)


class _LogReader:
    """Compares the rows of a repository with the entries of its log, one after the other."""

    def __init__(self, dataset: Dataset, found: Verification, checkpoint: Checkpoint, known: KnownLog) -> None:
        self._dataset = dataset
        self._found = found
        self._checkpoint = checkpoint
        self._builder = TreeBuilder()
        self._entries = _entries(dataset.connection, dataset.name, checkpoint.size, self._builder)
        #: What is remembered once all of it has passed.
        self.known = known

    @classmethod
    def open(cls, dataset: Dataset, found: Verification) -> _LogReader | None:
        """Begins with the checkpoint; None where it does not pass, which is told."""
        connection, repo = dataset.connection, dataset.name
        try:
            known = find_known_log(connection.url, repo)
            now, remembered = check_checkpoint(connection, repo, read_checkpoint(connection, repo), known)
            meant = now
            if dataset.at is not None and dataset.at < now.size:
                note = read_checkpoint(connection, repo, dataset.at)
                meant, _ = check_checkpoint(connection, repo, note, None)
                check_consistency(connection, repo, meant, now)
        except CheckpointError as error:
            found.damage.append(Damage(str(error), checkpoints=error.checkpoints))
            return None
        except ApiError as error:
            what = _UNSIGNED.get(error.code or "")
            if what is None:
                raise
            found.damage.append(Damage(what))
            return None
        found.entries = meant.size
        return cls(dataset, found, meant, remembered)

    def compare(self, row: dict[str, Any]) -> None:
        # What was added since the log was asked for is left to the next time.
        if self._found.items > self._checkpoint.size:
            return
        item = int(row["id"])
        entry = next(self._entries, None)
        while entry is not None and entry.id < item:
            self._found.damage.append(Damage("is in the log alone", entry.id))
            entry = next(self._entries, None)
        if entry is None or entry.id != item:
            self._found.damage.append(Damage("is not in the log", item))
        elif (entry.seal, entry.created_at) != (self._seal_of(row), row.get("createdAt")):
            self._found.damage.append(Damage("is not what its entry in the log says", item))

    def end(self) -> None:
        for entry in self._entries:
            what = "an entry of the log has no item" if entry is None else "is in the log alone"
            self._found.damage.append(Damage(what, None if entry is None else entry.id))
        if self._builder.root() != self._checkpoint.root:
            self._found.damage.append(Damage("The entries of the log are not those that its checkpoint is signed for."))

    def _seal_of(self, row: dict[str, Any]) -> str:
        digests = {
            field.name: (row[f"{field.name}.sha256"], row.get(f"{field.name}.mime"))
            for field in self._dataset.schema
            if isinstance(row.get(f"{field.name}.sha256"), str)
        }
        return seal_of(digests)


def _entries(connection: Connection, repo: str, size: int, builder: TreeBuilder) -> Iterator[Entry | None]:
    """The first `size` entries of a log, in order, which are added to a tree; None for one that cannot be read."""
    for index in range(-(-size // TILE_WIDTH)):
        width = min(TILE_WIDTH, size - index * TILE_WIDTH)
        path = path_of("repo", repo, "log", "tile", *bundle_path(index, width).split("/"))
        bundle = read_bundle(connection.request("GET", path).content)
        for entry in [*bundle, *[b""] * (width - len(bundle))][:width]:
            builder.add(leaf_hash(entry))
            yield Entry.read(entry)
