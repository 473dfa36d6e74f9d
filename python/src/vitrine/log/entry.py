"""What the log of a repository says of an item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from vitrine.canonical_text import canonical_json


@dataclass(frozen=True)
class Entry:
    """An entry of a log."""

    id: int
    created_at: str
    seal: str
    #: Not known of items that are older than the log.
    by: str | None = None

    @classmethod
    def read(cls, text: bytes) -> Entry | None:
        """Reads an entry; None where it is not in the form of RFC 8785 that servers write."""
        try:
            read = json.loads(text)
            entry = cls(read["id"], read["createdAt"], read["seal"], read.get("by"))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        is_written_so = canonical_json(read).encode() == text and type(entry.id) is int
        return entry if is_written_so else None


def seal_of(digests: Mapping[str, tuple[str, str | None]]) -> str:
    """The sha256 that seals an item, by the digest of each value and its media type where it is a file."""
    members = {
        field: {"sha256": sha256} if mime is None else {"mime": mime, "sha256": sha256}
        for field, (sha256, mime) in digests.items()
    }
    return hashlib.sha256(canonical_json(members).encode()).hexdigest()
