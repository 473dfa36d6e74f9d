"""Signed notes and the checkpoints in them (https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from vitrine.log import ed25519

#: Which kind of signature it is: Ed25519.
_ALGORITHM = b"\x01"
_KEY = re.compile(r"([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
#: Of control characters a note has line feeds alone.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_SIGNATURE = re.compile(r"\u2014 ([^+\s]+) ([A-Za-z0-9+/=]+)")


@dataclass(frozen=True)
class VerifierKey:
    """A key by which signatures of notes are verified."""

    name: str
    id: bytes
    public_key: bytes

    def with_name(self, name: str) -> VerifierKey:
        """The same key under another name."""
        own = hashlib.sha256(name.encode() + b"\n" + _ALGORITHM + self.public_key).digest()[:4]
        return VerifierKey(name, own, self.public_key)

    @classmethod
    def read(cls, text: str) -> VerifierKey | None:
        """Reads a key as `name+id+key`; None where it is none."""
        found = _KEY.fullmatch(text)
        if found is None:
            return None
        name, key_id, encoded = found.groups()
        key = _decode(encoded)
        if key is None or len(key) != 33 or key[:1] != _ALGORITHM:
            return None
        read = cls(name, b"", key[1:]).with_name(name)
        return read if read.id.hex() == key_id else None


@dataclass(frozen=True)
class Checkpoint:
    """What a log says of itself: how many entries it has, and the root of its tree."""

    origin: str
    size: int
    root: bytes


@dataclass(frozen=True)
class SignedNote:
    """A note: its text, which ends with a line feed, and its signatures by name and id of the key."""

    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    @classmethod
    def read(cls, note: str) -> SignedNote | None:
        """Takes a note apart, without verifying it; None where it is none."""
        text, separator, signed = note.rpartition("\n\n")
        if separator == "" or not signed.endswith("\n") or _CONTROL.search(note) is not None:
            return None
        signatures = []
        for line in signed[:-1].split("\n"):
            found = _SIGNATURE.fullmatch(line)
            decoded = None if found is None else _decode(found[2])
            if found is None or decoded is None or len(decoded) <= 4:
                return None
            signatures.append((found[1], decoded[:4], decoded[4:]))
        return cls(f"{text}\n", tuple(signatures))

    def is_signed_by(self, key: VerifierKey) -> bool:
        for name, key_id, signature in self.signatures:
            if (name, key_id) == (key.name, key.id):
                return ed25519.verify(key.public_key, self.text.encode(), signature)
        return False

    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint in it; lines at its end that are not known here are passed over."""
        lines = self.text.split("\n")
        # Each line has something, and ends.
        if len(lines) < 4 or lines.pop() != "" or "" in lines:
            return None
        origin, digits, encoded = lines[:3]
        root = _decode(encoded)
        if re.fullmatch(r"0|[1-9]\d{0,15}", digits, re.ASCII) is None:
            return None
        return None if root is None or len(root) != 32 else Checkpoint(origin, int(digits), root)


def _decode(encoded: str) -> bytes | None:
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
