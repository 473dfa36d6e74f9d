"""Differences between two states of a dataset (docs/states.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vitrine.connection import path_of
from vitrine.item import File, Item
from vitrine.require import require

if TYPE_CHECKING:
    from vitrine.dataset import Dataset

#: Items of a page, the most that a server gives.
_PAGE_SIZE = 1000


@dataclass(frozen=True)
class ItemChange:
    """An item that only one of two states has."""

    #: `added`, or `removed` from a view with a limit, whose repository has it still.
    change: str
    item: Item
    #: The item that an added one corrects, and the one that it withdraws.
    replaces: int | None = None
    withdraws: int | None = None


class Diff:
    """How many items only one of two states has, and these items one after the other."""

    def __init__(self, earlier: Dataset, later: Dataset, first: Mapping[str, Any]) -> None:
        self.earlier = earlier
        self.later = later
        #: How many items only the later state has, and how many only the earlier one.
        self.added: int = first["added"]
        self.removed: int = first["removed"]
        #: Extensions of the schema of a repository between the states, newest first.
        self.extensions: list[Mapping[str, Any]] = first["extensions"]
        self._first = first

    def __iter__(self) -> Iterator[ItemChange]:
        """Goes through the items in the order in which they came to the repository, a page at a time."""
        page, number = self._first, 0
        while True:
            for change in page["changes"]:
                item = Item.of_row(self.later, change["item"])
                yield ItemChange(change["change"], item, change.get("replaces"), change.get("withdraws"))
            if len(page["changes"]) < _PAGE_SIZE:
                return
            number += 1
            page = _page_of(self.earlier, self.later.at, number)

    def __len__(self) -> int:
        return self.added + self.removed

    def __bool__(self) -> bool:
        return True

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of these items; files are their sha256."""
        names = ["change", "id", "createdAt", "replaces", "withdraws", *(field.name for field in self.later.schema)]
        rows = [
            {
                **{name: value.sha256 if isinstance(value, File) else value for name, value in each.item.items()},
                "change": each.change,
                "id": each.item.id,
                "createdAt": each.item.created_at,
                "replaces": each.replaces,
                "withdraws": each.withdraws,
            }
            for each in self
        ]
        return require("pandas").DataFrame(rows, columns=names)

    def __repr__(self) -> str:
        states = f"{self.earlier.reference} to {self.later.reference}"
        return f"<Diff {states}: {self.added} added, {self.removed} removed>"


def diff_of(dataset: Dataset, to: int | None) -> Diff:
    """Compares a state with a later one, or with the dataset as it is now.

    :raises ValueError: for a dataset as it is now
    """
    if dataset.at is None:
        raise ValueError(f"Name the earlier state, as {dataset.name}@1200.")
    first = _page_of(dataset, to, 0)
    # What comes after the first page is of the state that was the current one then.
    return Diff(dataset, dataset.at_state(first["to"]["at"]), first)


def _page_of(dataset: Dataset, to: int | None, page: int) -> Any:
    query = {"from": dataset.at, "to": to, "page": page, "pageSize": _PAGE_SIZE}
    return dataset.connection.get(path_of("dataset", dataset.name, "diff"), query)
