"""Datasets as files, for everything that reads by fsspec: `vitrine://cities/snapshot.parquet`.

`vitrine://` has the datasets; `vitrine://cities`, or `vitrine://cities@1200` in the state with so many items, has its
rows as `snapshot.parquet`, `export.ndjson`, `export.csv` and `export.zip`, and a folder for each field of files;
`vitrine://emoji/picture/17.png` is the file of the item 17. Of that, and of a snapshot where the server makes one
(docs/snapshots.md), only what is read is fetched.
"""

from __future__ import annotations

import io
import mimetypes
import os
import tempfile
import weakref
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from vitrine.connection import Connection, Token, path_of
from vitrine.dataset import Dataset
from vitrine.errors import ApiError
from vitrine.export import Asked, download, rows
from vitrine.field import Field
from vitrine.item import read_moment
from vitrine.server import Server, connect

_SNAPSHOT = "snapshot.parquet"
#: Files of a dataset's rows, and the format of the export that they are.
_EXPORTS = {_SNAPSHOT: "parquet", "export.ndjson": "ndjson", "export.csv": "csv", "export.zip": "zip"}
#: Bytes that are fetched beyond what is asked for.
_BLOCK_BYTES = 64 * 1024
#: The same of a snapshot, whose columns are in pieces of some kilobytes.
_SNAPSHOT_BLOCK_BYTES = 4 * 1024


class VitrineFileSystem(AbstractFileSystem):  # type: ignore[misc]
    """The datasets of a server as folders and files, for reading."""

    protocol = "vitrine"
    # Datasets grow: an answer of before is none.
    use_listings_cache = False

    def __init__(self, server: str | None = None, token: Token | None = None, **options: Any) -> None:
        """Takes the address of a server and a token as :func:`vitrine.connect` does, also as `storage_options`."""
        super().__init__(**options)
        self._address, self._token = server, token
        self._server: Server | None = None
        #: Exports that are open, by their paths: DuckDB asks for the size of a path that it has opened.
        self._opened: weakref.WeakValueDictionary[str, DownloadedFile] = weakref.WeakValueDictionary()

    @property
    def server(self) -> Server:
        if self._server is None:
            self._server = connect(self._address, self._token)
        return self._server

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """What is in a folder, or a file by itself."""
        parts = self._parts(path)
        entries = list(self._entries(parts)) if len(parts) < 3 else [self.info(path)]
        return entries if detail else [entry["name"] for entry in entries]

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """What one path is; of a file of an item with its size, sha256 and media type.

        :raises FileNotFoundError: where there is nothing
        """
        parts = self._parts(path)
        if not parts:
            return _folder("")
        dataset = self._dataset(parts)
        name = "/".join(parts)
        if len(parts) == 1:
            return _folder(name)
        if len(parts) == 2 and parts[1] == _SNAPSHOT and (snapshot := self._snapshot(dataset)) is not None:
            return {"name": name, "type": "file", **snapshot}
        if len(parts) == 2 and parts[1] in _EXPORTS:
            return _export_info(parts[1], name)
        field = _binary_field(dataset, parts[1], name)
        if len(parts) == 2:
            return _folder(name)
        stem = parts[2].partition(".")[0]
        if len(parts) > 3 or not (stem.isascii() and stem.isdigit()):
            raise FileNotFoundError(name)
        try:
            item = dataset.connection.get(path_of("dataset", dataset.name, "item", int(stem)), {"at": dataset.at})
        except ApiError as error:
            raise _missing(error, name) from error
        seal = item.get("integrity", {}).get(field.name)
        if seal is None:
            raise FileNotFoundError(name)
        url = path_of("dataset", dataset.name, "item", int(stem), field.name)
        created = read_moment(item["createdAt"])
        own = {"sha256": seal["sha256"], "mime": seal["mime"], "created": created, "url": url, "at": dataset.at}
        return {"name": name, "size": seal["size"], "type": "file", **own}

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        if mode != "rb":
            raise NotImplementedError("Datasets are read here: add items with Dataset.add and Dataset.push")
        entry = self.info(path)
        if entry["type"] == "directory":
            raise IsADirectoryError(path)
        if "url" in entry:
            return RangedFile(self, path, self.server.connection, entry)
        dataset = self._dataset(self._parts(path))
        opened = DownloadedFile(dataset.connection, Asked(dataset.name, dataset.at), entry["format"])
        self._opened[entry["name"]] = opened
        return opened

    def size(self, path: str) -> int:
        """The bytes of a file; of an export, which has no size before it is made, it is made."""
        entry = self.info(path)
        if entry["size"] is not None:
            return int(entry["size"])
        opened = self._opened.get(entry["name"])
        if opened is not None and not opened.closed:
            return opened.size
        with self._open(path) as made:
            return int(made.size)

    def modified(self, path: str) -> datetime:
        """When a file came to be what it is: an export when it is made, the file of an item when that was added."""
        return self.info(path).get("created") or datetime.now(timezone.utc)

    created = modified

    def _entries(self, parts: list[str]) -> Iterator[dict[str, Any]]:
        if not parts:
            for name in self.server.datasets():
                yield _folder(name)
            return
        dataset = self._dataset(parts)
        name = "/".join(parts)
        if len(parts) == 1:
            for file in _EXPORTS:
                yield _export_info(file, f"{name}/{file}")
            for field in dataset.schema:
                if field.type == "binary":
                    yield _folder(f"{name}/{field.name}")
            return
        if parts[1] in _EXPORTS:
            yield self.info(name)
            return
        field = _binary_field(dataset, parts[1], name)
        for row in rows(dataset.connection, Asked(dataset.name, dataset.at), integrity=True):
            if row.get(field.name) is not None:
                mime = row.get(f"{field.name}.mime", "")
                ending = mimetypes.guess_extension(mime) or ""
                own = {"sha256": row[f"{field.name}.sha256"], "mime": mime}
                yield {"name": f"{name}/{row['id']}{ending}", "size": None, "type": "file", **own}

    def _snapshot(self, dataset: Dataset) -> dict[str, Any] | None:
        """The file that a snapshot is, of a state that the address names; None where there is none, or several files,
        and an export is read instead."""
        if "snapshots" not in self.server.features:
            return None
        try:
            found = dataset.connection.get(path_of("dataset", dataset.reference, "snapshot"))
        except ApiError as error:
            if error.code == "SNAPSHOT_TOO_LARGE":
                return None
            raise
        if len(found["parts"]) > 1:
            return None
        part = found["parts"][0]
        url = path_of("dataset", f"{dataset.name}@{found['at']}", _SNAPSHOT)
        own = {"sha256": part["sha256"], "url": url, "at": None, "block": _SNAPSHOT_BLOCK_BYTES}
        return {"size": part["bytes"], **own}

    def _dataset(self, parts: list[str]) -> Dataset:
        try:
            return self.server.dataset(parts[0])
        except ApiError as error:
            raise _missing(error, parts[0]) from error

    def _parts(self, path: str) -> list[str]:
        return [part for part in self._strip_protocol(path).split("/") if part]


class RangedFile(AbstractBufferedFile):  # type: ignore[misc]
    """A file of which only what is read is fetched."""

    def __init__(self, fs: VitrineFileSystem, path: str, connection: Connection, entry: dict[str, Any]) -> None:
        self._connection, self._url, self._query = connection, entry["url"], {"at": entry["at"]}
        block = entry.get("block", _BLOCK_BYTES)
        super().__init__(fs, path, mode="rb", block_size=block, cache_type="readahead", size=entry["size"])

    def _fetch_range(self, start: int, end: int) -> bytes:
        if start >= end:
            return b""
        with self._connection.stream(self._url, self._query, headers={"range": f"bytes={start}-{end - 1}"}) as reply:
            content = reply.read()
        # A server may send all of a file, which a range is cut out of.
        return content if reply.status_code == 206 else content[start:end]


class DownloadedFile(io.BufferedReader):
    """An export, which has no ranges: all of it is fetched, and kept on disk until it is closed, or let go of by
    libraries that do not close what they opened."""

    def __init__(self, connection: Connection, asked: Asked, format: str) -> None:
        with tempfile.TemporaryFile(buffering=0) as file:
            download(connection, asked.path, asked.query(format=format), file)
            self.size = file.seek(0, io.SEEK_END)
            file.seek(0)
            descriptor = os.dup(file.fileno())
        self._let_go = weakref.finalize(self, os.close, descriptor)
        super().__init__(io.FileIO(descriptor, closefd=False))

    def close(self) -> None:
        super().close()
        self._let_go()


def _export_info(file: str, name: str) -> dict[str, Any]:
    return {"name": name, "size": None, "type": "file", "format": _EXPORTS[file]}


def _folder(name: str) -> dict[str, Any]:
    return {"name": name, "size": 0, "type": "directory"}


def _binary_field(dataset: Dataset, field_name: str, path: str) -> Field:
    for field in dataset.schema:
        if field.name == field_name and field.type == "binary":
            return field
    raise FileNotFoundError(path)


def _missing(error: ApiError, path: str) -> Exception:
    return FileNotFoundError(path) if error.status == 404 else error
