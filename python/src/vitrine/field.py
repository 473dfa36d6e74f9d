"""Fields of a schema (docs/value-types.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vitrine.require import require


@dataclass(frozen=True)
class Field:
    """One field of a dataset's schema."""

    name: str
    #: string, integer, number, boolean, date, timestamp, url, json, reference or binary.
    type: str
    #: Whether items may have no value for it.
    optional: bool = False
    #: The most code points of a string.
    length: int | None = None
    #: The only values of a string, in their order.
    choices: tuple[str, ...] | None = None
    #: The dataset that a reference leads to.
    target: str | None = None
    #: The media type of a binary, or `image/*`.
    mime: str | None = None

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> Field:
        """Reads a field as the server describes it."""
        choices = described.get("choices")
        return cls(
            name=described["name"],
            type=described["type"],
            optional=described.get("optional", False),
            length=described.get("length"),
            choices=None if choices is None else tuple(choices),
            target=described.get("target"),
            mime=described.get("mime"),
        )

    def description(self) -> dict[str, Any]:
        """The field as a description has it."""
        said: dict[str, Any] = {"name": self.name, "type": self.type}
        for key in ("length", "target", "mime"):
            if getattr(self, key) is not None:
                said[key] = getattr(self, key)
        if self.choices is not None:
            said["choices"] = list(self.choices)
        if self.optional:
            said["optional"] = True
        return said

    def arrow_type(self) -> Any:
        """The type of its column in Arrow, as exports in Parquet have it; of a binary that of its sha256."""
        pa = require("pyarrow")
        if self.type in ("integer", "reference"):
            return pa.int64()
        if self.type == "timestamp":
            return pa.timestamp("us", tz="UTC")
        if self.type == "duration":
            return pa.duration("us")
        known = {"number": pa.float64(), "boolean": pa.bool_(), "date": pa.date32()}
        return known.get(self.type, pa.string())
