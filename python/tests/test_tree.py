"""Trees and proofs by the definitions of RFC 6962 §2.1."""

import hashlib

import pytest

from vitrine.log.tree import ProofError, TreeBuilder, leaf_hash, node_hash, root_by_inclusion, roots_by_consistency

LEAVES = [leaf_hash(bytes([number])) for number in range(20)]


def largest_power(size: int) -> int:
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def root(leaves: list[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = largest_power(len(leaves))
    return node_hash(root(leaves[:split]), root(leaves[split:]))


def path(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    split = largest_power(len(leaves))
    if index < split:
        return [*path(index, leaves[:split]), root(leaves[split:])]
    return [*path(index - split, leaves[split:]), root(leaves[:split])]


def proof(before: int, leaves: list[bytes], is_old: bool = True) -> list[bytes]:
    if before == len(leaves):
        return [] if is_old else [root(leaves)]
    split = largest_power(len(leaves))
    if before <= split:
        return [*proof(before, leaves[:split], is_old), root(leaves[split:])]
    return [*proof(before - split, leaves[split:], False), root(leaves[:split])]


@pytest.mark.parametrize("size", range(len(LEAVES) + 1))
def test_collects_the_root(size: int) -> None:
    builder = TreeBuilder()
    for leaf in LEAVES[:size]:
        builder.add(leaf)
    assert builder.root() == root(LEAVES[:size])


@pytest.mark.parametrize("size", range(1, len(LEAVES) + 1))
def test_proves_every_leaf_and_every_earlier_size(size: int) -> None:
    leaves = LEAVES[:size]
    for index in range(size):
        assert root_by_inclusion(index, size, leaves[index], path(index, leaves)) == root(leaves)
        before = index + 1
        expected = (root(leaves[:before]), root(leaves))
        assert roots_by_consistency(before, size, expected[0], proof(before, leaves)) == expected


def test_refuses_proofs_of_another_length() -> None:
    hashes = path(3, LEAVES[:7])
    for wrong in (hashes[:-1], [*hashes, LEAVES[0]]):
        with pytest.raises(ProofError):
            root_by_inclusion(3, 7, LEAVES[3], wrong)
    for before, hashes in ((0, []), (8, []), (3, proof(3, LEAVES[:7])[:-1])):
        with pytest.raises(ProofError):
            roots_by_consistency(before, 7, root(LEAVES[:3]), hashes)
