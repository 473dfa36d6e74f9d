"""Frames that become items."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

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


@dataclass(frozen=True)
class Pushed:
    """What became of a frame."""

    dataset: Dataset
    #: How many items it is.
    items: int
    #: The id of its first item; the others are counted from there.
    first_id: int | None
    #: By which the import is known: the same frame under the same key is not added again.
    key: str
    #: Rows that were left out, with `skip_refused`.
    refusals: list[Refusal] = field(default_factory=list)


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


def write_parquet(frame: Any, file: IO[bytes]) -> list[Field]:
    """Writes a frame as Parquet that an import takes.

    :returns: the fields that its columns fit
    """
    pa, pq = require("pyarrow"), require("pyarrow.parquet")
    with batches_of(frame) as reader:
        columns = _columns_of(reader.schema)
        schema = pa.schema([(column.field_name, column.written) for column in columns])
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for batch in reader:
                for rows in _groups_of(batch):
                    arrays = [column.convert(rows.column(column.name)) for column in columns]
                    writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return [column.field() for column in columns]


def _columns_of(schema: Any) -> list[FrameColumn]:
    names = [name for name in schema.names if name not in GIVEN_BY_IMPORT]
    if len(set(names)) < len(names):
        raise ValueError(f"Two columns have one name: {', '.join(names)}")
    by_column = field_names(names)
    return [FrameColumn(name, by_column[name], schema.field(name).type) for name in names]


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
