"""A dataset of a server, to be read, added to and verified."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

from vitrine.connection import Connection, path_of
from vitrine.export import Asked, record_batches, rows
from vitrine.field import Field
from vitrine.item import Item
from vitrine.require import require

if TYPE_CHECKING:
    from vitrine.diff import Diff
    from vitrine.push import Pushed
    from vitrine.verification import Verification

#: A condition of a view, as `{"population": {"gt": 1000000}}`.
Where = Mapping[str, Any]
#: Paths to order by, a hyphen before those that are turned around.
Order = str | Sequence[str]

#: Rows of a batch, where nothing is said.
BATCH_SIZE = 16_384


class Dataset:
    """A repository or a view, as it is or as it was when its repository had so many items."""

    def __init__(self, connection: Connection, name: str, at: int | None, info: Mapping[str, Any]) -> None:
        self.connection = connection
        self.name = name
        #: How many items its repository had in the state that is meant; None for as it is now.
        self.at = at
        #: What the server says of it: description, references, the definition of a view.
        self.info = info
        self.schema: list[Field] = [Field.of(field) for field in info["schema"]]

    @property
    def is_view(self) -> bool:
        """Whether it is derived from another dataset, so that nothing can be added to it."""
        return "view" in self.info

    def count(self, *, where: Where | None = None, q: str | None = None, current: bool = False) -> int:
        """How many items pass; those that pass are counted up to 10,000."""
        query = {"at": self.at, "where": where, "q": q, "current": current or None}
        return int(self.connection.get(path_of("dataset", self.name, "count"), query)["totalItems"])

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return True

    def item(self, item_id: int) -> Item:
        """The item with an id."""
        found = self.connection.get(path_of("dataset", self.name, "item", item_id), {"at": self.at})
        return Item.of_row(self, found)

    def __iter__(self) -> Iterator[Item]:
        return self.items()

    def items(
        self,
        *,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
    ) -> Iterator[Item]:
        """Items one after the other, as they are when this begins; the `current` ones are those that no other item
        replaces and that withdraw none (docs/corrections.md)."""
        for row in rows(self.connection, self._asked(where, order, q, current)):
            yield Item.of_row(self, row)

    def batches(
        self,
        *,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
        batch_size: int = BATCH_SIZE,
    ) -> Iterator[Any]:
        """Record batches of Arrow one after the other, whatever the size of the dataset."""
        return record_batches(
            self.connection,
            self._asked(where, order, q, current),
            columns=columns,
            grows_at_end=order is None and not self.is_view and not current,
            batch_size=batch_size,
        )

    def to_arrow(
        self,
        *,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
    ) -> Any:
        """A `pyarrow.Table`: `id`, `createdAt` and the fields, or the `columns` of these that are named."""
        pa = require("pyarrow")
        batches = self.batches(columns=columns, where=where, order=order, q=q, current=current)
        return pa.Table.from_batches(list(batches))

    def to_pandas(
        self,
        *,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
        **options: Any,
    ) -> Any:
        """A `pandas.DataFrame`; `options` are those of `pyarrow.Table.to_pandas`."""
        require("pandas")
        return self.to_arrow(columns=columns, where=where, order=order, q=q, current=current).to_pandas(**options)

    def to_polars(
        self,
        *,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
    ) -> Any:
        """A `polars.DataFrame`; JSON is text in it."""
        table = self.to_arrow(columns=columns, where=where, order=order, q=q, current=current)
        return require("polars").from_arrow(_json_as_text(table))

    def to_duckdb(
        self,
        connection: Any = None,
        *,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
    ) -> Any:
        """A relation of DuckDB, in `connection` or that of the module."""
        duckdb = require("duckdb")
        table = self.to_arrow(columns=columns, where=where, order=order, q=q, current=current)
        return (connection or duckdb.default_connection()).from_arrow(table)

    def to_hf(
        self,
        *,
        streaming: bool = False,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        order: Order | None = None,
        q: str | None = None,
        current: bool = False,
    ) -> Any:
        """A `datasets.Dataset` of Hugging Face, or an `IterableDataset` that reads as it is iterated."""
        datasets = require("datasets")
        asked: dict[str, Any] = {"columns": columns, "where": where, "order": order, "q": q, "current": current}
        if not streaming:
            return datasets.Dataset(_json_as_text(self.to_arrow(**asked)))
        schema = self.arrow_schema(columns)
        return datasets.IterableDataset.from_generator(
            _rows_of_batches,
            features=datasets.Features.from_arrow_schema(schema),
            gen_kwargs={"dataset": self, "asked": asked},
        )

    def arrow_schema(self, columns: Sequence[str] | None = None) -> Any:
        """The `pyarrow.Schema` of its tables."""
        pa = require("pyarrow")
        types = {"id": pa.int64(), "createdAt": pa.timestamp("ms", tz="UTC")}
        types |= {field.name: field.arrow_type() for field in self.schema}
        return pa.schema([(name, types[name]) for name in (types if columns is None else columns)])

    def push(self, frame: Any, *, key: str | None = None, skip_refused: bool = False) -> Pushed:
        """Adds the rows of a frame, all of them or none; see :meth:`vitrine.Server.push`."""
        from vitrine.push import push

        return push(self, frame, key=key, skip_refused=skip_refused)

    def correct(self, frame: Any, *, match: str | Sequence[str], reason: str, dry_run: bool = False) -> Pushed:
        """Corrects the items from which the rows of a frame differ, all of them or none. A row that no item is like is
        added; what the frame has no column for stays as it is, and what is null there is taken away.

        :param match: fields whose values are those of the item, or ``"id"`` of a frame that has the ids of items, or
            ``"id.replaces"`` of one whose rows say in the columns ``id.replaces``, ``id.withdraws`` and ``id.reason``
            what they correct, and why
        :param dry_run: whether nothing is changed, and ``changes`` says what would be
        :raises RowsRefusedError: where rows do not conform, or are like several items; nothing is changed
        """
        from vitrine.push import push_matched

        names = [match] if isinstance(match, str) else list(match)
        return push_matched(self, frame, match=names, reason=reason, dry_run=dry_run)

    def add(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Item:
        """Adds an item by its values, each sealed by its sha256: texts, numbers, days, moments, JSON, the item that a
        reference leads to; of a file its path, its bytes or an open file.

        :raises ApiError: where a value does not conform; nothing is added
        """
        from vitrine.add_item import add_item

        return self.item(add_item(self, {**(values or {}), **more}))

    def verify(self) -> Verification:
        """Reads every value down to the last byte, compares its sha256 with the one that it was committed with, and
        a repository with its log: that it is signed, has every item, and goes on from the state that was verified
        before with this account of the computer (docs/log.md).

        :raises VerificationError: where something does not fit
        """
        from vitrine.verify_dataset import verify_dataset

        return verify_dataset(self)

    def diff(self, to: int | None = None) -> Diff:
        """Compares this state with the later one of ``to`` items, or with the dataset as it is now: how many items
        only one of them has, and these items.

        :raises ValueError: for a dataset as it is now, which has no later state
        :raises ApiError: where the server compares no states, or has no such state
        """
        from vitrine.diff import diff_of

        return diff_of(self, to)

    def pinned(self) -> Dataset:
        """The dataset in the state that it has now, which stays as it is: what is cited, and read again alike.

        :raises ApiError: where the server has no states
        """
        if self.at is not None:
            return self
        state = self.connection.get(path_of("dataset", self.name, "state"))
        return self.at_state(int(state["at"]))

    def at_state(self, at: int) -> Dataset:
        """The dataset as it is, with the schema of now, in a state that it has."""
        return Dataset(self.connection, self.name, at, self.info)

    @cached_property
    def reference(self) -> str:
        """Its name with the state that is meant: `cities@1200`."""
        return self.name if self.at is None else f"{self.name}@{self.at}"

    def _asked(self, where: Where | None, order: Order | None, q: str | None, current: bool) -> Asked:
        return Asked(self.name, self.at, where, order, q, current)

    def __repr__(self) -> str:
        return f"<{'View' if self.is_view else 'Repository'} {self.reference} at {self.connection.url}>"


#: A value of a file: its path, its bytes, or a file that is open for reading bytes.
FileValue = bytes | os.PathLike[str] | IO[bytes]


def _json_as_text(table: Any) -> Any:
    """A table for libraries that do not know Arrow's type for JSON."""
    pa = require("pyarrow")
    kept = [
        pa.field(each.name, pa.string(), each.nullable) if isinstance(each.type, pa.BaseExtensionType) else each
        for each in table.schema
    ]
    return table.cast(pa.schema(kept))


def _rows_of_batches(dataset: Dataset, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for batch in dataset.batches(**asked):
        yield from batch.to_pylist()
