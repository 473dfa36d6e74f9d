"""What is raised when something goes wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

    from vitrine.verification import Verification


class VitrineError(Exception):
    """Everything that this package raises by itself."""


class MissingLibraryError(VitrineError, ImportError):
    """A library that is not installed is needed for what was asked."""


class ApiError(VitrineError):
    """A call that did not succeed. Programs branch on ``code`` (docs/errors.md)."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str | None = None,
        details: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
        lost: bool = False,
    ) -> None:
        self.message = message
        #: HTTP status, or 0 when no reply came.
        self.status = status
        #: The catalogued code, where the server gave one.
        self.code = code
        #: What the server says beside it.
        self.details: Mapping[str, Any] = details or {}
        #: The whole reply; a 409 has the existing dataset's info beside code and message.
        self.body: Mapping[str, Any] = body or {}
        #: Seconds after which the server would be asked again, where it said so.
        self.retry_after = retry_after
        #: Whether the connection failed, so that the outcome of the call is unknown.
        self.lost = lost
        super().__init__(". ".join([message, *self.problems[:5]]))

    @property
    def problems(self) -> list[str]:
        """What is wrong and where, one sentence each, as far as the server named it."""
        sentences = [_sentence(problem) for problem in self.details.get("problems", [])]
        for difference in self.details.get("differences", []):
            field, change = difference.get("field"), difference.get("change", "")
            reason = difference.get("reason")
            place = f"{field}: " if field else ""
            sentences.append(f"{place}{change}" + (f", but {reason}" if reason else ""))
        referenced_by = self.details.get("referencedBy")
        if referenced_by:
            sentences.append(f"referenced by {', '.join(referenced_by)}")
        return sentences


@dataclass(frozen=True)
class Refusal:
    """Why a row of a file or a frame was refused."""

    #: Counted from 1.
    row: int
    #: The field, where it is one that is wrong.
    field: str | None
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}{'' if self.field is None else f', {self.field}'}: {self.reason}"


class RowsRefusedError(ApiError):
    """Rows do not conform, so nothing was imported."""

    def __init__(self, error: ApiError, refusals: Sequence[Refusal]) -> None:
        #: All of them that the report of the import has.
        self.refusals = list(refusals)
        super().__init__(
            error.message,
            status=error.status,
            code=error.code,
            details=error.details,
            body=error.body,
        )

    @property
    def problems(self) -> list[str]:
        """What is wrong with which row, one sentence each."""
        return [str(refusal) for refusal in self.refusals]


class VerificationError(VitrineError):
    """What the server has is not what was committed, or not what it showed before."""

    def __init__(self, verification: Verification) -> None:
        #: What was looked at, and everything that does not fit.
        self.verification = verification
        damage = verification.damage
        more = f", and {len(damage) - 5} more" if len(damage) > 5 else ""
        super().__init__("; ".join(map(str, damage[:5])) + more)


def error_of(reply: httpx.Response) -> ApiError:
    """The error that a reply of a status other than success stands for; its body has been read."""
    try:
        body = json.loads(reply.text)
    except ValueError:
        body = None
    is_ours = isinstance(body, dict) and isinstance(body.get("code"), str)
    retry_after = reply.headers.get("retry-after", "")
    return ApiError(
        str(body.get("message")) if is_ours else f"{reply.status_code} {reply.reason_phrase}",
        status=reply.status_code,
        code=body["code"] if is_ours else None,
        details=body.get("details") if is_ours else None,
        body=body if is_ours else None,
        retry_after=float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None,
    )


def _sentence(problem: Mapping[str, Any]) -> str:
    path, reason = list(problem.get("path", [])), str(problem.get("reason", ""))
    if not path:
        return reason
    if isinstance(path[0], int):
        return f"{', '.join([f'row {path[0]}', *map(str, path[1:])])}: {reason}"
    return f"{'.'.join(map(str, path))}: {reason}"
