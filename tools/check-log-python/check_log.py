"""Verifies the log of a repository, or without one the audit log, by aics-tlog (docs/log.md).

Every tile and every entry; then, of sizes at which tiles end and of random ones, the checkpoint, the partial tiles, the
proofs of the last and of a random entry, and the consistency with the present and with a random size. Each is altered
in turn. Ends with 1 where any of that is accepted, and prints a report as JSON otherwise.

    VITRINE_TOKEN=… python check_log.py -server http://localhost:8080 -repo photos -proofs 1000
"""

import argparse
import base64
import json
import os
import random
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass
from functools import cache

import aics_tlog as tlog
from aics_tlog.tiles import entry_bundle_path, tile_path

# Sizes at which tiles, and those of the level above, begin and end.
EDGES = [0, 1, 2, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537]


@dataclass
class Server:
    """A log as its server's HTTP API shows it; the reader of tiles that aics-tlog asks for."""

    url: str
    token: str
    repo: str

    def __post_init__(self) -> None:
        self.log = f"/api/repo/{self.repo}/log" if self.repo else "/api/audit/log"
        self.get = cache(self._get)

    def _get(self, path: str) -> bytes:
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request) as reply:
            return reply.read()

    def read_tile(self, level: int, index: int, width: int | None) -> bytes | None:
        return self.find(f"{self.log}/{tile_path(level, index, width)}")

    def read_entry_bundle(self, index: int, width: int | None) -> bytes | None:
        return self.find(f"{self.log}/{entry_bundle_path(index, width)}")

    def find(self, path: str) -> bytes | None:
        try:
            return self.get(path)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def vkey(self) -> str:
        return self.get(f"{self.log}/vkey").decode().strip()

    def checkpoint(self, size: int | None = None) -> str:
        return self.get(f"{self.log}/checkpoint" + ("" if size is None else f"?size={size}")).decode()

    def consistency(self, old: int, new: int) -> list[bytes]:
        hashes = json.loads(self.get(f"{self.log}/consistency?from={old}&to={new}"))["hashes"]
        return [bytes.fromhex(each) for each in hashes]

    def proof(self, item: int, size: int) -> tuple[int, bytes, list[bytes]]:
        """Returns the index, the entry and the hashes of a .tlog-proof file (https://c2sp.org/tlog-proof)."""
        file = self.get(f"/api/repo/{self.repo}/item/{item}/proof?size={size}").decode()
        _, extra, index, *hashes = file.partition("\n\n")[0].split("\n")
        entry = base64.b64decode(extra.removeprefix("extra "), validate=True)
        return int(index.removeprefix("index ")), entry, [base64.b64decode(each, validate=True) for each in hashes]


class Check:
    def __init__(self, server: Server, key: str | None, seed: int) -> None:
        self.server = server
        served = server.vkey()
        if key not in (None, served):
            raise ValueError(f"the key of the server is {served}, not {key}")
        self.key = tlog.parse_vkey(served)
        self.random = random.Random(seed)
        self.refused: Counter[str] = Counter()
        self.roots: dict[int, bytes] = {}

    def open(self, text: str) -> tlog.Checkpoint | None:
        """Returns a checkpoint of the log that its key has signed."""
        try:
            note = tlog.parse_note(text)
        except (ValueError, UnicodeError):
            return None
        result = tlog.verify_checkpoint(note, self.key, expected_origin=self.key.name)
        return tlog.parse_checkpoint(note.text) if result.ok else None

    def root(self, size: int) -> bytes:
        if size not in self.roots:
            checkpoint = self.open(self.server.checkpoint(size))
            require(checkpoint is not None and checkpoint.size == size, f"the checkpoint of {size} entries")
            self.roots[size] = checkpoint.root
        return self.roots[size]

    def altered(self, what: str, accepted: bool) -> None:
        require(not accepted, f"an altered {what} was accepted instead of being refused")
        self.refused[what] += 1

    def flip(self, data: bytes) -> bytes:
        at = self.random.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << self.random.randrange(8)]) + data[at + 1 :]

    def flip_one(self, hashes: list[bytes]) -> list[bytes]:
        at = self.random.randrange(len(hashes))
        return [*hashes[:at], self.flip(hashes[at]), *hashes[at + 1 :]]

    def checkpoint(self, text: str) -> None:
        """Alters a checkpoint at each of its characters."""
        for at, character in enumerate(text):
            other = "A" if character != "A" else "B"
            self.altered("checkpoint", self.open(text[:at] + other + text[at + 1 :]) is not None)

    def tiles(self, size: int) -> list[bytes]:
        """Verifies all tiles and entries of the log; returns its entries."""
        audited = tlog.audit_tiles(self.server, size, self.root(size))
        require(audited.size == size, "the tiles")
        verified = tlog.VerifiedTileReader(self.server, size, self.root(size))
        return [verified.entry(index) for index in range(size)]

    def partial_tiles(self, size: int) -> None:
        """Verifies the tiles at the end of a log, as wide as they were when it had this size."""
        tlog.VerifiedTileReader(self.server, size, self.root(size)).check_root()
        try:
            tlog.VerifiedTileReader(self.server, size, self.flip(self.root(size))).check_root()
            accepted = True
        except tlog.TileVerificationError:
            accepted = False
        self.altered("root of tiles", accepted)

    def inclusion(self, entries: list[bytes], index: int, size: int, now: int) -> None:
        entry = entries[index]
        hashes = tlog.inclusion_proof_from_tiles(self.server, index, size, now)
        if self.server.repo:
            sent = self.server.proof(json.loads(entry)["id"], size)
            require(sent == (index, entry, hashes), f"the proof of entry {index} in {size}")

        def includes(
            index: int = index, entry: bytes = entry, hashes: list[bytes] = hashes, root: bytes = self.root(size)
        ) -> bool:
            return tlog.verify_leaf_inclusion(entry, index, size, hashes, root)

        require(includes(), f"entry {index} in {size}")
        self.altered("entry of a proof", includes(entry=self.flip(entry)))
        self.altered("root of a proof", includes(root=self.flip(self.root(size))))
        self.altered("length of a proof", includes(hashes=[*hashes, entry[:32]]))
        if size > 1:
            self.altered("index of a proof", includes(index=(index + 1) % size))
            self.altered("hash of a proof", includes(hashes=self.flip_one(hashes)))
            self.altered("length of a proof", includes(hashes=hashes[1:]))

    def consistency(self, old: int, new: int, now: int, old_root: bytes | None = None) -> None:
        old_root = self.root(old) if old_root is None else old_root
        hashes = self.server.consistency(old, new)
        require(hashes == tlog.consistency_proof_from_tiles(self.server, old, new, now), f"{old} to {new}")

        def continues(hashes: list[bytes] = hashes, before: bytes = old_root, after: bytes = self.root(new)) -> bool:
            return tlog.verify_consistency(old, new, before, after, hashes)

        require(continues(), f"a log of {new} after one of {old}")
        self.altered("root before", continues(before=self.flip(old_root)))
        if old > 0:
            self.altered("root after", continues(after=self.flip(self.root(new))))
        self.altered("length of a consistency proof", continues(hashes=[*hashes, old_root]))
        if hashes:
            self.altered("hash of a consistency proof", continues(hashes=self.flip_one(hashes)))
            self.altered("length of a consistency proof", continues(hashes=hashes[1:]))


def require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(f"does not verify: {what}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-server", required=True)
    parser.add_argument("-repo", default="", help="the audit log where none is named")
    parser.add_argument("-proofs", type=int, default=1000, help="random sizes")
    parser.add_argument("-key", help="the verifier key; without it the server's is trusted")
    parser.add_argument("-before", help="a state that was verified earlier, as size:root")
    parser.add_argument("-seed", type=int, default=random.randrange(1 << 32))
    words = parser.parse_args()

    check = Check(Server(words.server, os.environ["VITRINE_TOKEN"], words.repo), words.key, words.seed)
    text = check.server.checkpoint()
    checkpoint = check.open(text)
    require(checkpoint is not None, f"the checkpoint {text}")
    now = checkpoint.size
    check.roots[now] = checkpoint.root
    check.checkpoint(text)
    entries = check.tiles(now)
    if words.before:
        size, _, root = words.before.partition(":")
        check.consistency(int(size), now, now, base64.b64decode(root))
    edges = [size for size in EDGES if size < now]
    sizes = [*edges, now, *(check.random.randint(0, now) for _ in range(words.proofs))]
    for size in sizes:
        require(tlog.tree_root_from_tiles(check.server, size, now) == check.root(size), f"the root of {size}")
        check.partial_tiles(size)
        if size > 0:
            check.inclusion(entries, size - 1, size, now)
            check.inclusion(entries, check.random.randrange(size), size, now)
        check.consistency(size, now, now)
        check.consistency(size, check.random.randint(size, now), now)
    report = {
        "key": check.server.vkey(),
        "origin": checkpoint.origin,
        "size": now,
        "root": base64.b64encode(checkpoint.root).decode(),
        "entries": len(entries),
        "sizes": [*edges, now],
        "proofs": words.proofs,
        "refused": check.refused,
        "seed": words.seed,
    }
    print(json.dumps(report))


main()
