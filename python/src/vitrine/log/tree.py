"""Merkle trees, and proofs of them (RFC 6962 §2.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

#: The root of a tree without entries.
EMPTY_ROOT = hashlib.sha256(b"").digest()


class ProofError(ValueError):
    """A proof has not as many hashes as what it is to prove takes."""


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class TreeBuilder:
    """Collects the root of a tree from its leaves, and holds but a hash for each of its levels."""

    def __init__(self) -> None:
        #: Roots of complete subtrees, the largest first, each with its number of leaves.
        self._roots: list[tuple[int, bytes]] = []

    def add(self, leaf: bytes) -> None:
        leaves, root = 1, leaf
        while self._roots and self._roots[-1][0] == leaves:
            root = node_hash(self._roots.pop()[1], root)
            leaves *= 2
        self._roots.append((leaves, root))

    def root(self) -> bytes:
        if not self._roots:
            return EMPTY_ROOT
        root = self._roots[-1][1]
        for _, left in reversed(self._roots[:-1]):
            root = node_hash(left, root)
        return root


def root_by_inclusion(index: int, size: int, leaf: bytes, hashes: Sequence[bytes]) -> bytes:
    """The root of a tree of `size` entries by a proof of the leaf at `index`.

    :raises ProofError: where it has not as many hashes as such a proof
    """
    if not 0 <= index < size:
        raise ProofError("The tree has no entry there.")
    taken = _Taken(hashes)

    def within(start: int, end: int) -> bytes:
        if end - start == 1:
            return leaf
        middle = _middle(start, end)
        if index < middle:
            root = within(start, middle)
            return node_hash(root, taken.next())
        root = within(middle, end)
        return node_hash(taken.next(), root)

    root = within(0, size)
    taken.end()
    return root


def roots_by_consistency(before: int, size: int, root: bytes, hashes: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The roots of a tree before and now by a proof that it goes on where one of `before` entries ended. Both have
    to be compared with what is known.

    :raises ProofError: where it has not as many hashes as such a proof
    """
    if not 1 <= before <= size:
        raise ProofError("The tree was no smaller before.")
    taken = _Taken(hashes)

    def within(start: int, end: int, is_old: bool) -> tuple[bytes, bytes]:
        if end == before:
            own = root if is_old else taken.next()
            return own, own
        middle = _middle(start, end)
        if before <= middle:
            old, now = within(start, middle, is_old)
            return old, node_hash(now, taken.next())
        old, now = within(middle, end, False)
        beside = taken.next()
        return node_hash(beside, old), node_hash(beside, now)

    roots = within(0, size, True)
    taken.end()
    return roots


def _middle(start: int, end: int) -> int:
    """Where the left subtree ends: it has the largest power of two that is less than the number of entries."""
    return start + (1 << (end - start - 1).bit_length() - 1)


class _Taken:
    """Hashes of a proof, taken one after the other."""

    def __init__(self, hashes: Sequence[bytes]) -> None:
        self._hashes: Iterator[bytes] = iter(hashes)

    def next(self) -> bytes:
        try:
            return next(self._hashes)
        except StopIteration:
            raise ProofError("The proof has too few hashes.") from None

    def end(self) -> None:
        if next(self._hashes, None) is not None:
            raise ProofError("The proof has too many hashes.")
