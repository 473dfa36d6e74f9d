"""Datasets as frames of each library."""

import json
import pickle
from datetime import date, datetime, timezone

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import vitrine


@pytest.fixture
def days(server: vitrine.Server, name: str) -> vitrine.Dataset:
    rows = [
        {
            "number": number if number % 3 else None,
            "day": date(2026, 1, number),
            "at": datetime(2026, 1, number, 12, tzinfo=timezone.utc),
            "share": number / 8,
            "even": number % 2 == 0,
            "word": ["odd", "even"][number % 2 == 0],
            "more": {"square": number**2},
        }
        for number in range(1, 10)
    ]
    return server.push(rows, name).dataset


def test_gives_the_same_rows_to_each_library(days: vitrine.Dataset) -> None:
    rows = days.to_arrow().to_pylist()
    assert [row["number"] for row in rows] == [1, 2, None, 4, 5, None, 7, 8, None]
    assert rows[0]["at"] == datetime(2026, 1, 1, 12, tzinfo=timezone.utc)
    frame = days.to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert [json.loads(row.pop("more")) for row in frame.to_dicts()] == [{"square": n**2} for n in range(1, 10)]
    assert frame.drop("more").to_dicts() == days.to_arrow().drop(["more"]).to_pylist()
    pandas = days.to_pandas(columns=["number", "day", "even"], types_mapper=pd.ArrowDtype)
    assert pandas["number"].sum() == 27
    assert list(pandas.columns) == ["number", "day", "even"]
    assert days.to_pandas()["share"].mean() == 0.625
    relation = days.to_duckdb()
    assert relation.aggregate("sum(number), max(day), bool_or(even)").fetchall() == [(27, date(2026, 1, 9), True)]
    own = duckdb.connect()
    assert days.to_duckdb(own, where={"even": {"eq": True}}).aggregate("count(*)").fetchall() == [(4,)]


def test_reads_what_is_asked(days: vitrine.Dataset) -> None:
    assert days.to_arrow(columns=["word", "id"], order="-day").slice(0, 2).to_pylist() == [
        {"word": "odd", "id": 9},
        {"word": "even", "id": 8},
    ]
    assert [item.id for item in days.items(where={"number": {"gt": 4}}, order=["even", "-number"])] == [7, 5, 8]
    assert days.count(where={"number": {"empty": True}}) == 3
    assert days.count(q="EVEN") == 4
    with pytest.raises(vitrine.ApiError, match="nmber") as refused:
        days.to_arrow(where={"nmber": {"gt": 4}})
    assert refused.value.code == "QUERY_INVALID"


def test_reads_batches_and_nothing_at_all(days: vitrine.Dataset, server: vitrine.Server, name: str) -> None:
    assert [batch.num_rows for batch in days.batches(batch_size=4)] == [4, 4, 1]
    nothing = days.to_arrow(columns=["day"], where={"number": {"gt": 99}})
    assert (nothing.num_rows, nothing.schema) == (0, pa.schema([("day", pa.date32())]))
    empty = server.create({"name": f"{name}-empty", "schema": [{"name": "title", "type": "string"}]})
    assert empty.to_pandas().columns.tolist() == ["id", "createdAt", "title"]
    assert list(empty) == []
    assert empty.verify().items == 0


def test_reads_views_in_their_order(days: vitrine.Dataset, server: vitrine.Server) -> None:
    view = server.create(
        {"name": f"{days.name}-view", "base": days.name, "where": {"even": {"eq": True}}, "order": ["-day"], "limit": 3}
    )
    assert view.is_view
    assert view.to_arrow().column("id").to_pylist() == [8, 6, 4]
    item = next(iter(view))
    assert item.id == 8
    # It is proven by the log of the repository that has it.
    assert item.verify().entries == 9
    assert view.verify().entries is None
    server.delete(view.name)


def test_arrow_has_the_declared_types(days: vitrine.Dataset) -> None:
    read, declared = days.to_arrow().schema, days.arrow_schema()
    assert read.names == declared.names
    for name in ("id", "number", "day", "at", "share", "even", "word"):
        assert read.field(name).type == declared.field(name).type


def test_goes_into_other_processes(days: vitrine.Dataset) -> None:
    copied = pickle.loads(pickle.dumps(days))
    assert copied.to_arrow(columns=["day"]).num_rows == 9
