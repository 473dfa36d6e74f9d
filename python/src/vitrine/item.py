"""Items, and the files among their values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from vitrine.connection import Connection, path_of
from vitrine.duration import read_duration
from vitrine.field import Field

if TYPE_CHECKING:
    from vitrine.dataset import Dataset
    from vitrine.verification import Verification

_CHUNK = 1024 * 1024


class File:
    """A binary value of an item: its digest, and its bytes when they are asked for."""

    def __init__(
        self, connection: Connection, dataset: str, item_id: int, field: str, sha256: str, at: int | None
    ) -> None:
        self._connection = connection
        self._path = path_of("dataset", dataset, "item", item_id, field)
        self._query = {"at": at}
        #: The digest that it was committed with, in hexadecimal.
        self.sha256 = sha256

    def read(self) -> bytes:
        """All of its bytes, once they have this digest.

        :raises ValueError: where they have another one
        """
        content = self._connection.request("GET", self._path, query=self._query).content
        digest = hashlib.sha256(content).hexdigest()
        if digest != self.sha256:
            raise ValueError(f"The bytes have the digest {digest}, not {self.sha256}")
        return content

    def chunks(self) -> Iterator[bytes]:
        """Its bytes a piece at a time, unchecked: compare their sha256 when all are there."""
        with self._connection.stream(self._path, self._query) as reply:
            yield from reply.iter_bytes(_CHUNK)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, File) and other.sha256 == self.sha256

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __repr__(self) -> str:
        return f"<File sha256={self.sha256[:12]}…>"


@dataclass(frozen=True)
class Version:
    """A version of an item. Of one that a view does not have, only the id and the change are known."""

    id: int
    #: `added`, `corrected` or `withdrawn`.
    change: str
    created_at: datetime | None = None
    #: Why the version before was corrected or withdrawn.
    reason: str | None = None

    @classmethod
    def of(cls, version: Mapping[str, Any]) -> Version:
        created_at = version.get("createdAt")
        moment = None if created_at is None else read_moment(created_at)
        return cls(version["id"], version["change"], moment, version.get("reason"))


class Item(Mapping[str, Any]):
    """An item of a dataset: its values by the names of the fields that it has values for."""

    def __init__(self, dataset: Dataset, item_id: int, values: Mapping[str, Any], created_at: datetime | None) -> None:
        self._dataset = dataset
        self._values = values
        #: Given when it was added, unique in its repository, and kept by every view.
        self.id = item_id
        #: When it was committed.
        self.created_at = created_at

    @classmethod
    def of_row(cls, dataset: Dataset, row: Mapping[str, Any]) -> Item:
        """An item from a row of an export, or from the reply for a single one."""
        data = row.get("data", row)
        values = {
            field.name: python_value(field, data[field.name], dataset=dataset, item_id=row["id"])
            for field in dataset.schema
            if data.get(field.name) is not None
        }
        created_at = row.get("createdAt")
        return cls(dataset, row["id"], values, None if created_at is None else read_moment(created_at))

    def correct(self, values: Mapping[str, Any], *, reason: str) -> Item:
        """Corrects it by a new item, which replaces it (docs/corrections.md). Values that are not named stay; None
        takes a value away.

        :raises ApiError: where it was replaced before, or somebody else added it and one is no curator
        """
        from vitrine.add_item import correct_item

        return self._dataset.item(correct_item(self._dataset, self.id, values, reason))

    def withdraw(self, *, reason: str) -> Item:
        """Withdraws it, and returns the item that says so, which repeats its values.

        :raises ApiError: as for a correction
        """
        path = path_of("repo", self._dataset.name, "item", self.id, "withdrawal")
        reply = self._dataset.connection.request("POST", path, body={"reason": reason}, repeatable=True)
        return self._dataset.item(int(reply.json()["id"]))

    def versions(self) -> list[Version]:
        """What it was and is, from the first version on, at most 1,000 of them."""
        query = {"at": self._dataset.at, "pageSize": 1000}
        path = path_of("dataset", self._dataset.name, "version", self.id)
        return [Version.of(version) for version in self._dataset.connection.get(path, query)]

    def verify(self) -> Verification:
        """Compares the values with their digests, and these with the log of the repository (docs/log.md).

        :raises VerificationError: where something does not fit
        """
        from vitrine.verify_item import verify_item

        return verify_item(self._dataset, self.id)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<Item {self.id} of {self._dataset.name}: {dict(self._values)!r}>"


def python_value(field: Field, value: Any, *, dataset: Dataset, item_id: int) -> Any:
    """A value of JSON as Python has it."""
    if field.type == "binary":
        return File(dataset.connection, dataset.name, item_id, field.name, value, dataset.at)
    if field.type == "number":
        return float(value)
    if field.type == "date":
        return date.fromisoformat(value)
    if field.type == "timestamp":
        return read_moment(value)
    if field.type == "duration":
        return read_duration(value)
    return value


def read_moment(text: str) -> datetime:
    """Reads a canonical timestamp; Python 3.10 reads neither `Z` nor any number of digits after the point."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return datetime.fromisoformat(f"{whole}.{fraction.ljust(6, '0')}+00:00")
