"""Frames that become items."""

import decimal
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import png

import vitrine

MOMENT = datetime(2026, 11, 22, 15, 4, 5, 250_000, tzinfo=timezone.utc)


def test_maps_the_types_of_arrow(server: vitrine.Server, name: str) -> None:
    columns: dict[str, tuple[Any, list[Any]]] = {
        "int8": (pa.int8(), [-1, None]),
        "uint64": (pa.uint64(), [2**53 - 1, 0]),
        "half": (pa.float16(), [1.5, 2.0]),
        "double": (pa.float64(), [0.1, 1e21]),
        "truth": (pa.bool_(), [True, False]),
        "day": (pa.date64(), [date(2026, 11, 22), date(1, 1, 1)]),
        "local": (pa.timestamp("ns"), [MOMENT.replace(tzinfo=None), None]),
        "moment": (pa.timestamp("s", tz="Europe/Berlin"), [MOMENT.replace(microsecond=0)] * 2),
        "took": (pa.duration("ns"), [timedelta(hours=1.5), None]),
        "clock": (pa.time64("us"), [time(15, 4), time(0, 0, 1)]),
        "text": (pa.string_view(), ["x" * 100, ""]),
        "size": (pa.dictionary(pa.int32(), pa.string()), ["small", "large"]),
        "price": (pa.decimal128(9, 2), [decimal.Decimal("5.00"), decimal.Decimal("-0.01")]),
        "count": (pa.decimal128(9, 0), [decimal.Decimal(7), None]),
        "exact": (pa.decimal128(30, 2), [decimal.Decimal("12345678901234567890.10")] * 2),
        "tags": (pa.list_(pa.string()), [["a"], []]),
        "camera": (
            pa.struct({"lens": pa.float64(), "on": pa.date32()}),
            [{"lens": 35.0, "on": date(2026, 1, 2)}, None],
        ),
        "nothing": (pa.null(), [None, None]),
        "file": (pa.binary(), [png(1), b"else"]),
        "picture": (pa.struct({"bytes": pa.binary(), "path": pa.string()}), [{"bytes": png(2), "path": None}] * 2),
    }
    table = pa.table({key: pa.array(values, kind) for key, (kind, values) in columns.items()})
    dataset = server.push(table, name, description="Every type").dataset
    assert dataset.info["description"] == "Every type"
    assert {field.name: (field.type, field.optional) for field in dataset.schema} == {
        "int8": ("integer", True),
        "uint64": ("integer", False),
        "half": ("number", False),
        "double": ("number", False),
        "truth": ("boolean", False),
        "day": ("date", False),
        "local": ("timestamp", True),
        "moment": ("timestamp", False),
        "took": ("duration", True),
        "clock": ("string", False),
        "text": ("string", False),
        "size": ("string", False),
        "price": ("number", False),
        "count": ("integer", True),
        "exact": ("string", False),
        "tags": ("json", False),
        "camera": ("json", True),
        "nothing": ("string", True),
        "file": ("binary", False),
        "picture": ("binary", False),
    }
    fields = {field.name: field for field in dataset.schema}
    assert (fields["text"].length, fields["size"].choices) == (200, ("small", "large"))
    assert (fields["file"].mime, fields["picture"].mime) == ("application/octet-stream", "image/png")
    first, second = dataset
    assert (first["int8"], "int8" in second) == (-1, False)
    assert (first["double"], second["double"], first["half"]) == (0.1, 1e21, 1.5)
    assert (first["day"], second["day"]) == (date(2026, 11, 22), date(1, 1, 1))
    assert (first["local"], first["moment"]) == (MOMENT, MOMENT.replace(microsecond=0))
    assert (first["clock"], first["exact"], first["price"]) == ("15:04:00", "12345678901234567890.10", 5.0)
    assert (first["tags"], first["camera"]) == (["a"], {"lens": 35, "on": "2026-01-02"})
    assert (first["file"].read(), second["file"].read(), first["picture"].read()) == (png(1), b"else", png(2))
    assert dataset.verify().items == 2


def frames() -> dict[str, Any]:
    rows = [{"word": "ja", "count": 3}, {"word": "nein", "count": 4}]
    return {
        "pandas": pd.DataFrame(rows),
        "Polars": pl.DataFrame(rows),
        "lazy Polars": pl.LazyFrame(rows),
        "a table": pa.Table.from_pylist(rows),
        "a batch": pa.RecordBatch.from_pylist(rows),
        "a reader": pa.Table.from_pylist(rows).to_reader(),
        "DuckDB": duckdb.sql("SELECT 'ja' AS word, 3 AS count UNION ALL SELECT 'nein', 4 ORDER BY count"),
        "dictionaries": rows,
    }


@pytest.mark.parametrize("kind", frames())
def test_takes_frames_of_each_library(server: vitrine.Server, name: str, kind: str) -> None:
    pushed = server.push(frames()[kind], name)
    assert (pushed.items, pushed.first_id) == (2, 1)
    assert [dict(item) for item in pushed.dataset] == [{"word": "ja", "count": 3}, {"word": "nein", "count": 4}]


def test_refuses_what_is_no_frame_and_what_no_field_takes(server: vitrine.Server, name: str) -> None:
    with pytest.raises(TypeError, match="str is no frame"):
        server.push("cities.csv", name)
    with pytest.raises(vitrine.VitrineError, match=r"column 'took' is month_day_nano_interval"):
        server.push(pa.table({"took": pa.array([(1, 2, 3)], pa.month_day_nano_interval())}), name)
    with pytest.raises(vitrine.ApiError) as refused:
        server.dataset(name)
    assert refused.value.code == "DATASET_NOT_FOUND"


def test_the_same_frame_again_changes_nothing(server: vitrine.Server, name: str) -> None:
    frame = pd.DataFrame({"word": ["ja", "nein"]})
    first = server.push(frame, name)
    again = server.push(frame, name)
    assert (again.first_id, again.key) == (first.first_id, first.key)
    assert len(first.dataset) == 2
    first.dataset.push(frame, key="once-more")
    first.dataset.push(frame, key="once-more")
    assert len(first.dataset) == 4
    assert first.dataset.push(frame.iloc[:1]).items == 1
    assert len(first.dataset) == 5


def test_tells_by_row_what_was_refused_or_leaves_it_out(server: vitrine.Server, name: str) -> None:
    dataset = server.push(pd.DataFrame({"word": ["ja"], "count": [1]}), name).dataset
    wrong = pd.DataFrame({"word": ["nein" * 30, "doch", None], "count": ["1", "2", "many"]})
    with pytest.raises(vitrine.RowsRefusedError, match="row 1, word: must be at most 100 characters") as refused:
        dataset.push(wrong)
    assert refused.value.code == "IMPORT_REFUSED"
    assert [(each.row, each.field) for each in refused.value.refusals] == [(1, "word"), (3, "word"), (3, "count")]
    assert len(dataset) == 1
    pushed = dataset.push(wrong, skip_refused=True)
    assert (pushed.items, [each.row for each in pushed.refusals]) == (1, [1, 3, 3])
    assert [item["word"] for item in dataset] == ["ja", "doch"]


def test_names_fields_as_fields_can_be_named(server: vitrine.Server, name: str) -> None:
    frame = pd.DataFrame([["x"] * 6], columns=["Full Name", "Größe", "2nd", "日本", "id", "Full_Name"])
    dataset = server.push(frame, name).dataset
    assert [field.name for field in dataset.schema] == ["Full_Name", "Groe", "column_2nd", "column", "Full_Name_2"]


def test_takes_fields_and_metadata_of_a_new_repository(server: vitrine.Server, name: str) -> None:
    countries = server.push(pd.DataFrame({"code": ["NZ", "AU"]}), f"{name}-countries").dataset
    frame = pd.DataFrame({"city": ["Otaki", "Sydney"], "country": [1, 2], "founded": ["1886-01-01", None]})
    cities = server.push(
        frame,
        name,
        fields={"country": {"type": "reference", "target": countries.name}, "founded": {"type": "date"}},
        license="CC0-1.0",
        label="city",
    ).dataset
    assert [(field.type, field.target) for field in cities.schema] == [
        ("string", None),
        ("reference", countries.name),
        ("date", None),
    ]
    assert cities.info["repo"]["license"] == "CC0-1.0"
    assert [item.get("founded") for item in cities] == [date(1886, 1, 1), None]
    with pytest.raises(vitrine.ApiError) as refused:
        server.delete(countries.name)
    assert refused.value.code == "DATASET_REFERENCED"
    server.delete(cities.name)
    server.delete(countries.name)


def test_sends_large_frames_in_parts(server: vitrine.Server, name: str) -> None:
    text = pa.array([f"{number:0>200}" for number in range(120_000)])
    table = pa.table({"number": pa.array(range(120_000)), "text": text})
    pushed = server.push(table, name)
    assert pushed.items == 120_000
    # More than one request reads it again, and each value is where it was.
    read = pushed.dataset.to_arrow()
    assert read.column("number").to_pylist() == list(range(120_000))
    assert read.column("text").combine_chunks() == text
