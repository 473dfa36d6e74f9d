"""Imports a file of rows in parts (docs/import-export.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import IO, Any

from vitrine.connection import Connection, path_of
from vitrine.errors import ApiError, Refusal, RowsRefusedError

_MIB = 1024 * 1024
#: Parts: small enough to be held, large enough that a slow reply to each costs little.
_PART_FIRST, _PART_MOST = _MIB, 16 * _MIB
#: Seconds that a part is to take, so that an interruption costs little.
_PART_SECONDS = 1.0
_FAILURES_MAX = 12
#: Seconds before a server that could not be reached is asked again.
_PATIENCE = (0.25, 10.0)
_GOES_ON = {408, 429, 502, 503, 504}


def import_file(
    connection: Connection,
    repo: str,
    file: IO[bytes],
    *,
    format: str,
    key: str,
    mode: str = "all",
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Imports a file, going on where it was when the connection fails. With the same key a later call does so too,
    and once the import is done changes nothing.

    :param options: further ones of the call that begins it
    :returns: the state of the import, which is done, or waits to be confirmed
    :raises RowsRefusedError: where rows do not conform; nothing was imported
    :raises ApiError: where it fails otherwise
    """
    size = file.seek(0, 2)
    base = path_of("repo", repo, "import")
    own = path_of("repo", repo, "import", key)
    begin = {"format": format, "mode": mode, "key": key, "complete": False, "wait": 0, **(options or {})}
    part, failures = _PART_FIRST, 0
    state: dict[str, Any] | None = None
    while True:
        try:
            if state is None:
                state = connection.request("POST", base, query=begin, content=b"", repeatable=True).json()
            elif state["state"] == "receiving":
                offset = int(state["receivedBytes"])
                file.seek(offset)
                content = file.read(part)
                query = {"offset": offset, "complete": offset + len(content) >= size}
                began = time.monotonic()
                state = connection.request("POST", own, query=query, content=content, repeatable=False).json()
                wanted = len(content) / max(time.monotonic() - began, 0.001) * _PART_SECONDS
                part = int(max(min(wanted, 2 * len(content), _PART_MOST), _PART_FIRST))
            else:
                state = connection.get(own, {"wait": 1})
        except ApiError as error:
            # What was lost may have arrived, whole or in part: the server knows.
            may_go_on = error.lost or error.code == "IMPORT_OFFSET" or error.status in _GOES_ON
            failures += 1
            if not may_go_on or failures > _FAILURES_MAX:
                raise
            time.sleep(min(_PATIENCE[0] * 2 ** (failures - 1), _PATIENCE[1]))
            state, part = None, _PART_FIRST
            continue
        failures = 0
        assert state is not None
        if state["state"] in ("done", "checked"):
            return state
        if state["state"] in ("failed", "cancelled"):
            raise _failure_of(connection, repo, key, state)


def refusals_of(connection: Connection, repo: str, key: str) -> list[Refusal]:
    """The rows that an import refused, and why."""
    report = connection.request("GET", path_of("repo", repo, "import", key, "report")).text
    lines = [json.loads(line) for line in report.split("\n") if line]
    return [Refusal(line["row"], line["field"], line["reason"]) for line in lines]


def _failure_of(connection: Connection, repo: str, key: str, state: dict[str, Any]) -> ApiError:
    said = state.get("error") or {"message": f"the import was {state['state']}"}
    status = 422 if str(said.get("code")) in ("IMPORT_REFUSED", "IMPORT_MALFORMED") else 0
    error = ApiError(said["message"], status=status, code=said.get("code"), details=said.get("details"), body=said)
    if error.code != "IMPORT_REFUSED":
        return error
    return RowsRefusedError(error, refusals_of(connection, repo, key))
