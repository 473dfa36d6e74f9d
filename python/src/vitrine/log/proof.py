"""Proofs that a log has an entry, as files (https://c2sp.org/tlog-proof)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

_FIRST = "c2sp.org/tlog-proof@v1"
#: No tree is higher.
_HASHES_MAX = 63


@dataclass(frozen=True)
class LogProof:
    """A proof, taken apart; nothing of `extra` is proven."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None

    @classmethod
    def read(cls, text: str) -> LogProof | None:
        """Takes the text of a file apart; None where it is none."""
        head, separator, checkpoint = text.partition("\n\n")
        first, *lines = head.split("\n")
        extra = None
        if lines and lines[0].startswith("extra "):
            extra = _decode(lines.pop(0).removeprefix("extra "))
            if extra is None:
                return None
        found = re.fullmatch(r"index (0|[1-9]\d{0,15})", lines.pop(0), re.ASCII) if lines else None
        hashes = [_decode(line) for line in lines]
        if separator == "" or first != _FIRST or found is None or len(hashes) > _HASHES_MAX:
            return None
        known = tuple(each for each in hashes if each is not None and len(each) == 32)
        return cls(int(found[1]), known, checkpoint, extra) if len(known) == len(hashes) else None


def _decode(encoded: str) -> bytes | None:
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded).decode() == encoded else None
