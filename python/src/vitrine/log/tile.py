"""Addresses of tiles and bundles of entries (https://c2sp.org/tlog-tiles)."""

from __future__ import annotations

#: Hashes of a full tile, and entries of a full bundle.
TILE_WIDTH = 256


def bundle_path(index: int, width: int) -> str:
    """The address of a bundle of entries, from the level on."""
    groups = [f"{index % 1000:03}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03}")
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return f"entries/{'/'.join(groups)}{partial}"


def read_bundle(bundle: bytes) -> list[bytes]:
    """The entries of a bundle, each after its length in 16 bits; what is cut off is left out."""
    entries = []
    at = 0
    while at + 2 <= len(bundle):
        end = at + 2 + int.from_bytes(bundle[at : at + 2], "big")
        if end > len(bundle):
            break
        entries.append(bundle[at + 2 : end])
        at = end
    return entries
