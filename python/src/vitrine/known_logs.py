"""The states of logs that were verified last with this account of the computer.

The command line keeps the same file, so that each compares with what the other has seen (docs/log.md).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vitrine.errors import VitrineError

#: Seconds: a lock is held for the time of one change; an older one was left by a crash.
_LOCK_STALE = 30.0
_LOCK_POLL = 0.05


@dataclass(frozen=True)
class KnownLog:
    """The state of a log that was verified."""

    size: int
    #: In hexadecimal.
    root: str
    #: The key of the installation that signed it.
    key: str
    #: Origin of its checkpoint; None of a state from before origins had a generation.
    origin: str | None = None
    #: The signed checkpoint; None of a state from before it was kept.
    note: str | None = None


def find_known_log(server: str, repo: str) -> KnownLog | None:
    known = _read().get(_key(server, repo))
    if known is None:
        return None
    return KnownLog(known["size"], known["root"], known["key"], known.get("origin"), known.get("note"))


def keep_known_log(server: str, repo: str, known: KnownLog) -> None:
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(folder / "logs.lock"):
        kept = _read()
        kept[_key(server, repo)] = {name: value for name, value in asdict(known).items() if value is not None}
        fresh = folder / "logs.json.new"
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(json.dumps(kept, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(folder / "logs.json")


def _read() -> dict[str, dict[str, Any]]:
    file = _folder() / "logs.json"
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        kept = None
    if not isinstance(kept, dict):
        remedy = "Delete it, and what was verified before is no longer compared with."
        raise VitrineError(f"{file} cannot be read. {remedy}")
    return kept


def _key(server: str, repo: str) -> str:
    return f"{server}/repo/{repo}"


def _folder() -> Path:
    """https://specifications.freedesktop.org/basedir-spec/latest/"""
    app_data = os.environ.get("APPDATA") if sys.platform == "win32" else None
    config = os.environ.get("XDG_CONFIG_HOME") or app_data or Path.home() / ".config"
    return Path(config) / "vitrine"


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    while True:
        try:
            os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            break
        except FileExistsError:
            pass
        try:
            is_stale = time.time() - lock.stat().st_mtime > _LOCK_STALE
        except FileNotFoundError:
            continue
        if is_stale:
            lock.unlink(missing_ok=True)
        else:
            time.sleep(_LOCK_POLL)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
