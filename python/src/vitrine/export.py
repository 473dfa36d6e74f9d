"""What is asked of a dataset, as Arrow or as rows."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vitrine.connection import Connection, path_of
from vitrine.errors import ApiError
from vitrine.require import require

#: Rows that one request asks for, where several may.
_ROWS_A_REQUEST = 50_000
#: Bytes of a file that are kept in memory before they go to a temporary file.
_SPOOLED = 32 * 1024 * 1024
_CHUNK = 256 * 1024
#: How often in a row the connection may fail while rows arrive.
_FAILURES_MAX = 12


@dataclass(frozen=True)
class Asked:
    """Which items of a dataset, and in what order (docs/views.md, "Exploring")."""

    dataset: str
    at: int | None = None
    where: Mapping[str, Any] | str | None = None
    order: str | Sequence[str] | None = None
    q: str | None = None
    current: bool = False

    def query(self, **more: object) -> dict[str, object]:
        asked = {"at": self.at, "where": self.where, "order": self.order, "q": self.q}
        return {**asked, "current": self.current or None, **more}

    @property
    def path(self) -> str:
        return path_of("dataset", self.dataset, "export")


def record_batches(
    connection: Connection, asked: Asked, *, columns: Sequence[str] | None, grows_at_end: bool, batch_size: int
) -> Iterator[Any]:
    """Batches of Arrow, one after the other, as the dataset is when this begins; memory does not grow with it.

    :param grows_at_end: whether what is added comes after what is there, so that it can be read in parts
    """
    pa, pq = require("pyarrow"), require("pyarrow.parquet")
    chosen = None if columns is None else list(columns)
    start, end, is_empty = 0, None, True
    while end is None or start < end:
        stop = start + _ROWS_A_REQUEST if grows_at_end else None
        if end is not None and stop is not None:
            stop = min(stop, end)
        query = asked.query(format="parquet", to=stop, **({"from": start} if start else {}))
        with tempfile.SpooledTemporaryFile(_SPOOLED) as file:
            extent = download(connection, asked.path, query, file)
            # SpooledTemporaryFile of Python 3.10 does not say that it can be read.
            parquet = pq.ParquetFile(pa.PythonFile(file, mode="r"))
            for batch in parquet.iter_batches(batch_size, columns=chosen):
                is_empty = False
                yield batch
            if is_empty:
                schema = parquet.schema_arrow
                kept = schema if chosen is None else pa.schema([schema.field(name) for name in chosen])
                yield pa.RecordBatch.from_pylist([], kept)
        if extent is None or not grows_at_end:
            return
        start, total = extent
        end = total if end is None else end


def rows(connection: Connection, asked: Asked, *, integrity: bool = False) -> Iterator[dict[str, Any]]:
    """Rows of an export as NDJSON. Where the connection fails, it goes on after the last whole row, as it was."""
    read, end, at, failures = 0, None, asked.at, 0
    while True:
        query = asked.query(format="ndjson", integrity=integrity, to=end, at=at, **({"from": read} if read else {}))
        try:
            with connection.stream(asked.path, query) as reply:
                if at is None and "vitrine-state" in reply.headers:
                    at = int(reply.headers["vitrine-state"])
                if end is None:
                    extent = _extent(reply.headers.get("vitrine-exported"))
                    end = None if extent is None else extent[0]
                rest = b""
                for chunk in reply.iter_bytes(_CHUNK):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        read, failures = read + 1, 0
                        yield json.loads(line)
            return
        except ApiError as error:
            failures += 1
            # In an order, items that were added since may have moved the others.
            may_go_on = error.lost and end is not None and (at is not None or asked.order is None)
            if not may_go_on or failures > _FAILURES_MAX:
                raise


def download(connection: Connection, path: str, query: Mapping[str, object], file: Any) -> tuple[int, int] | None:
    """Writes a file of an export anew as often as it is cut off; returns where its rows end, and of how many."""
    for failures in range(_FAILURES_MAX):
        try:
            with connection.stream(path, query) as reply:
                for chunk in reply.iter_bytes(_CHUNK):
                    file.write(chunk)
                file.seek(0)
                return _extent(reply.headers.get("vitrine-exported"))
        except ApiError as error:
            # What could not even be begun was tried often enough.
            if not error.lost or file.tell() == 0 or failures == _FAILURES_MAX - 1:
                raise
            file.seek(0)
            file.truncate()
    raise AssertionError


def _extent(header: str | None) -> tuple[int, int] | None:
    """`120000-3000000/3000000`: the positions that a reply holds, the last left out, of how many."""
    if header is None:
        return None
    span, _, total = header.partition("/")
    return int(span.partition("-")[2]), int(total)
