"""Media types of files, by what they are called and by their first bytes."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection

#: Of a value for which none was given (RFC 2046 §4.5.1).
OCTET_STREAM = "application/octet-stream"

_SIGNATURES = (
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF8"),
    ("image/webp", 8, b"WEBP"),
)


def image_type(head: bytes) -> str | None:
    """The media type of an image by its first bytes; None for anything else."""
    for mime, at, signature in _SIGNATURES:
        if head[at : at + len(signature)] == signature:
            return mime
    return None


def media_type_of(name: str | None, head: bytes, declared: str | None) -> str:
    """The media type of a file: by its name, by its first bytes, or as its field declares it."""
    by_name = None if name is None else mimetypes.guess_type(name)[0]
    exact = None if declared is None or declared.endswith("*") else declared
    return by_name or image_type(head) or exact or OCTET_STREAM


def common_media_type(mimes: Collection[str]) -> str:
    """One media type where all are the same, else what they have in common."""
    if len(mimes) < 2:
        return next(iter(mimes), OCTET_STREAM)
    families = {mime.partition("/")[0] for mime in mimes}
    return f"{families.pop()}/*" if len(families) == 1 else OCTET_STREAM
