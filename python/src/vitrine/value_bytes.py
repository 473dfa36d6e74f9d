"""The bytes of values of an export, over which their digests are."""

from __future__ import annotations

import hashlib
from typing import Any

from vitrine.canonical_text import canonical_text
from vitrine.connection import Connection, path_of
from vitrine.errors import ApiError
from vitrine.field import Field

_CHUNK = 1024 * 1024
#: How often a file whose bytes break off is read.
_TRIES = 3


def text_bytes(field: Field, value: Any) -> bytes:
    """The bytes of a value of a type other than binary, as JSON has it."""
    try:
        return canonical_text(field.type, value).encode()
    except (ValueError, TypeError, OverflowError):
        # It is none that the type has: so its digest cannot be that of one.
        return str(value).encode("utf-8", "surrogatepass")


def file_digest(connection: Connection, dataset: str, item_id: int, field: str) -> tuple[str | None, int]:
    """The sha256 of a file as it is read now, None where it cannot be read; and how many bytes came.

    :raises ApiError: where the server cannot be reached, or refuses
    """
    path = path_of("dataset", dataset, "item", item_id, field)
    for tries in range(1, _TRIES + 1):
        digest, size = hashlib.sha256(), 0
        try:
            with connection.stream(path) as reply:
                for chunk in reply.iter_bytes(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
            return digest.hexdigest(), size
        except ApiError as error:
            if error.code in ("VALUE_DAMAGED", "INTERNAL"):
                return None, size
            if not error.lost or tries == _TRIES:
                raise
    raise AssertionError
