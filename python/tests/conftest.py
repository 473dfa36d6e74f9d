"""A server of its own for the tests, which `npm run test:python` starts, and a folder for what is remembered."""

import os
import struct
import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import vitrine


@pytest.fixture(scope="session")
def server() -> Iterator[vitrine.Server]:
    if "VITRINE_SERVER" not in os.environ:
        pytest.exit("Start the tests by `npm run test:python`, which gives them a server.", 2)
    with vitrine.connect() as connected:
        yield connected


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command line and this package keep what they verified."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    return tmp_path / "vitrine"


@pytest.fixture
def name() -> str:
    """A name that no other dataset has."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def photos(server: vitrine.Server, name: str) -> vitrine.Dataset:
    """A repository with a value of every type, and none in it."""
    schema = [
        {"name": "title", "type": "string", "length": 100},
        {"name": "width", "type": "integer", "optional": True},
        {"name": "rating", "type": "number", "optional": True},
        {"name": "public", "type": "boolean", "optional": True},
        {"name": "taken_on", "type": "date", "optional": True},
        {"name": "taken_at", "type": "timestamp", "optional": True},
        {"name": "page", "type": "url", "optional": True},
        {"name": "camera", "type": "json", "optional": True},
        {"name": "original", "type": "reference", "target": name, "optional": True},
        {"name": "image", "type": "binary", "mime": "image/png", "optional": True},
    ]
    return server.create({"name": name, "schema": schema})


def png(red: int) -> bytes:
    """A picture of one point."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(bytes([0, red, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
