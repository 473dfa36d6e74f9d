"""Frames that become items."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from vitrine.connection import Connection, path_of
from vitrine.dataset import Dataset
from vitrine.errors import ApiError, Refusal
from vitrine.field import Field
from vitrine.frame_batches import batches_of
from vitrine.frame_column import GIVEN_BY_IMPORT, FrameColumn, field_names
from vitrine.import_file import import_file, refusals_of
from vitrine.require import require

if TYPE_CHECKING:
    from vitrine.server import Server

#: Bytes and rows of a group of rows in Parquet: an import takes 512 MiB, and reads a group at a time.
_GROUP_BYTES = 32 * 1024 * 1024
_GROUP_ROWS = 100_000
#: Columns about items by what rows are matched by, where that is no field.
_ABOUT_ITEMS = {"id": ("id",), "id.replaces": ("id.replaces", "id.withdraws", "id.reason")}
#: Changes that are asked for at once.
_PAGE_SIZE = 1000


@dataclass(frozen=True)
class Change:
    """An item that a frame is to add: the values that differ from those of the item that it replaces."""

    #: The id of the item that is replaced; ``None`` of a new one.
    replaces: int | None
    #: Values by field, as JSON has them; of files their sha256. What is absent on one side has no value there.
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    #: Whether that item is withdrawn.
    withdraws: bool = False


@dataclass(frozen=True)
class Pushed:
    """What became of a frame."""

    dataset: Dataset
    #: How many items it is; after a dry run, how many it would be.
    items: int
    #: The id of its first item; the others are counted from there.
    first_id: int | None
    #: By which the import is known: the same frame under the same key is not added again.
    key: str
    #: Rows that were left out, with `skip_refused`.
    refusals: list[Refusal] = field(default_factory=list)
    #: How many of the items replace another one, and how many rows were as their item is, where rows are matched.
    corrected: int = 0
    unchanged: int = 0
    #: After a dry run, the items that would be added.
    changes: list[Change] = field(default_factory=list)


def create_and_push(
    server: Server,
    frame: Any,
    name: str,
    *,
    fields: Mapping[str, Mapping[str, Any]],
    key: str | None,
    skip_refused: bool,
    metadata: Mapping[str, str],
) -> Pushed:
    with tempfile.TemporaryFile() as file:
        schema = write_parquet(frame, file)
        try:
            dataset = server.dataset(name)
        except ApiError as error:
            if error.code != "DATASET_NOT_FOUND":
                raise
            described = [{**each.description(), **fields.get(each.name, {})} for each in schema]
            dataset = server.create({"name": name, **metadata, "schema": [_consistent(each) for each in described]})
        return _import(dataset, file, key=key, skip_refused=skip_refused)


def push(dataset: Dataset, frame: Any, *, key: str | None, skip_refused: bool) -> Pushed:
    with tempfile.TemporaryFile() as file:
        write_parquet(frame, file)
        return _import(dataset, file, key=key, skip_refused=skip_refused)


def push_matched(dataset: Dataset, frame: Any, *, match: Sequence[str], reason: str, dry_run: bool) -> Pushed:
    """Adds the rows that differ from the items that they are matched with."""
    connection, repo = dataset.connection, dataset.name
    # The same frame may differ again from what is there by then.
    key = f"push-{uuid4()}"
    options = {"match": ",".join(match), "reason": reason, "confirm": dry_run}
    with tempfile.TemporaryFile() as file:
        write_parquet(frame, file, about_items=[name for each in match for name in _ABOUT_ITEMS.get(each, ())])
        state = import_file(connection, repo, file, format="parquet", key=key, options=options)
    changes: list[Change] = []
    if state["state"] == "checked":
        changes = list(_changes_of(connection, repo, key))
        connection.request("DELETE", path_of("repo", repo, "import", key), repeatable=True)
    corrected, unchanged = int(state["changedRows"]), int(state["unchangedRows"])
    items = int(state["rows"]) - unchanged
    first_id = state.get("items", {}).get("firstId")
    return Pushed(dataset, items, first_id, key, corrected=corrected, unchanged=unchanged, changes=changes)


def _changes_of(connection: Connection, repo: str, key: str) -> Iterator[Change]:
    path = path_of("repo", repo, "import", key, "difference")
    for page in itertools.count():
        changes = connection.get(path, {"page": page, "pageSize": _PAGE_SIZE})
        for change in changes:
            values = change["values"].items()
            before = {name: value["before"] for name, value in values if "before" in value}
            after = {name: value["after"] for name, value in values if "after" in value}
            yield Change(change["replaces"], before, after, change.get("withdraws", False))
        if len(changes) < _PAGE_SIZE:
            return


def write_parquet(frame: Any, file: IO[bytes], *, about_items: Sequence[str] = ()) -> list[Field]:
    """Writes a frame as Parquet that an import takes.

    :param about_items: columns that say with which items rows are matched
    :returns: the fields that its columns fit
    """
    pa, pq = require("pyarrow"), require("pyarrow.parquet")
    with batches_of(frame) as reader:
        columns = _columns_of(reader.schema, about_items)
        schema = pa.schema([(column.field_name, column.written) for column in columns])
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for batch in reader:
                for rows in _groups_of(batch):
                    arrays = [column.convert(rows.column(column.name)) for column in columns]
                    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return [column.field() for column in columns]


def _columns_of(schema: Any, about_items: Sequence[str]) -> list[FrameColumn]:
    ids = [FrameColumn(name, name, schema.field(name).type) for name in about_items if name in schema.names]
    names = [name for name in schema.names if name not in {*GIVEN_BY_IMPORT, *about_items}]
    if len(set(names)) < len(names):
        raise ValueError(f"Two columns have one name: {', '.join(names)}")
    by_column = field_names(names)
    return [*ids, *(FrameColumn(name, by_column[name], schema.field(name).type) for name in names)]


def _groups_of(batch: Any) -> list[Any]:
    rows = batch.num_rows
    group = max(1, min(_GROUP_ROWS, rows * _GROUP_BYTES // max(batch.nbytes, 1)))
    return [batch.slice(start, group) for start in range(0, rows, group)]


def _import(dataset: Dataset, file: IO[bytes], *, key: str | None, skip_refused: bool) -> Pushed:
    connection, mode = dataset.connection, "skip" if skip_refused else "all"
    own_key = key or f"push-{mode}-{_digest_of(file)[:32]}"
    state = import_file(connection, dataset.name, file, format="parquet", key=own_key, mode=mode)
    refusals = refusals_of(connection, dataset.name, own_key) if state["refusedRows"] else []
    items = int(state["rows"]) - int(state["refusedRows"])
    return Pushed(dataset, items, state.get("items", {}).get("firstId") if items else None, own_key, refusals)


def _digest_of(file: IO[bytes]) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(1024 * 1024):
        digest.update(chunk)
    return digest.hexdigest()


def _consistent(described: Mapping[str, Any]) -> dict[str, Any]:
    """A field without what only another type says, where its type was changed."""
    own = {"string": ("length", "choices"), "binary": ("mime",), "reference": ("target",)}
    kept = {"name", "type", "optional", *own.get(described["type"], ())}
    return {key: value for key, value in described.items() if key in kept}
