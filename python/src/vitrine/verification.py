"""What came of comparing values with their digests, and items with their log."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Damage:
    """Something that is not what was committed, or not what was shown before."""

    what: str
    #: The item that has it; None where it is the log itself.
    item: int | None = None
    field: str | None = None
    #: The checkpoint of a log that was verified before, and the one of now, where they do not go together.
    checkpoints: tuple[str, str] | None = None

    def __str__(self) -> str:
        if self.item is None:
            return self.what
        return f"item {self.item}{'' if self.field is None else f', {self.field}'}: {self.what}"


@dataclass
class Verification:
    """How much was looked at, and what does not fit."""

    items: int = 0
    values: int = 0
    bytes: int = 0
    #: Entries of the log that the items were compared with; None of a view, which has no log.
    entries: int | None = None
    damage: list[Damage] = field(default_factory=list)
