"""Adds or corrects an item in three steps: initialize, upload, commit with the sha256 of every value."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from vitrine.canonical_text import canonical_text
from vitrine.connection import path_of
from vitrine.field import Field
from vitrine.item import Item
from vitrine.media_type import media_type_of

if TYPE_CHECKING:
    import httpx

    from vitrine.dataset import Dataset

_CHUNK = 1024 * 1024


def add_item(dataset: Dataset, values: Mapping[str, Any]) -> int:
    """Adds an item and returns its id.

    :raises ApiError: where a step is refused; nothing is visible until the commit succeeded
    """
    path = path_of("repo", dataset.name, "item")
    return _insert(dataset, values, lambda: dataset.connection.request("POST", path), kept={})


def correct_item(dataset: Dataset, item_id: int, values: Mapping[str, Any], reason: str) -> int:
    """Corrects an item by a new one and returns the id of that. Values that are not named stay, and are not sent;
    None takes a value away.

    :raises ApiError: where a step is refused; nothing is visible until the commit succeeded
    """
    connection = dataset.connection
    item = connection.get(path_of("dataset", dataset.name, "item", item_id))
    kept = {name: {"sha256": seal["sha256"]} for name, seal in item["integrity"].items() if name not in values}
    body = {"reason": reason, "keep": list(kept)}
    path = path_of("repo", dataset.name, "item", item_id, "correction")
    return _insert(dataset, values, lambda: connection.request("POST", path, body=body), kept=kept)


def _insert(
    dataset: Dataset,
    values: Mapping[str, Any],
    begin: Callable[[], httpx.Response],
    *,
    kept: Mapping[str, Mapping[str, str]],
) -> int:
    """The three steps of an insert that has some values, whose digests are `kept`, from its beginning."""
    fields = {field.name: field for field in dataset.schema}
    connection = dataset.connection
    with ExitStack() as opened:
        parts: dict[str, tuple[str | None, bytes | IO[bytes], str]] = {}
        integrity: dict[str, Mapping[str, str]] = dict(kept)
        for name, value in values.items():
            if value is None:
                continue
            field = fields.get(name)
            if field is not None and field.type == "binary":
                file, mime, digest = _read_file(value, field, opened)
                parts[name] = (name, file, mime)
            else:
                # Every value travels as bytes: text parts of a form may have their line breaks rewritten.
                text = _text_of(field, value).encode()
                digest = hashlib.sha256(text).hexdigest()
                parts[name] = (name, text, "text/plain")
            integrity[name] = {"sha256": digest}
        begun = begin().json()
        path = path_of("repo", dataset.name, "item", begun["id"])
        if parts:
            connection.request("POST", path, form=parts, repeatable=True)
        # The same commit again changes nothing, and tells what became of this one.
        committed = connection.request("POST", f"{path}/commit", body={"integrity": integrity}, repeatable=True).json()
    return int(committed["id"])


def _text_of(field: Field | None, value: Any) -> str:
    if isinstance(value, Item):
        return str(value.id)
    if field is None:
        # The server says that there is no such field.
        return str(value)
    try:
        return canonical_text(field.type, value)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{field.name}: {error}") from error


def _read_file(value: Any, field: Field, opened: ExitStack) -> tuple[IO[bytes], str, str]:
    """A file open at its beginning, its media type and its sha256."""
    file: IO[bytes]
    if isinstance(value, (bytes, bytearray, memoryview)):
        file = io.BytesIO(value)
    elif isinstance(value, (str, os.PathLike)):
        file = opened.enter_context(Path(value).open("rb"))  # noqa: SIM115
    elif hasattr(value, "read"):
        file = value
    else:
        raise ValueError(f"{field.name}: a file is given as its path, its bytes or open for reading")
    digest = hashlib.sha256()
    file.seek(0)
    head = b""
    while chunk := file.read(_CHUNK):
        head = head or chunk[:16]
        digest.update(chunk)
    file.seek(0)
    name = getattr(file, "name", None)
    return file, media_type_of(name if isinstance(name, str) else None, head, field.mime), digest.hexdigest()
