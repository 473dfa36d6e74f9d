"""Writes the Parquet files that nested-column.test.ts reads, into the folder `files` beside it:

    pip install pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.0
    python write-nested.py
"""

from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.parquet

folder = Path(__file__).parent / "files"
moment = datetime(2026, 11, 22, 15, 4, 5, 250001, timezone.utc)
struct = pyarrow.struct({
    "id": pyarrow.int64(),
    "price": pyarrow.decimal128(9, 2),
    "at": pyarrow.timestamp("us", "UTC"),
    "day": pyarrow.date32(),
    "small": pyarrow.uint32(),
    "tags": pyarrow.list_(pyarrow.string()),
})
full = {"id": 2**53 - 1, "price": Decimal("5.00"), "at": moment, "day": date(1969, 12, 31), "small": 2**32 - 1,
        "tags": ["a", None, ""]}
bare = {"id": None, "price": None, "at": None, "day": None, "small": None, "tags": None}
columns = {
    "list": ([[1, None, 3], [], None, [2**53]], pyarrow.list_(pyarrow.int64())),
    "deep": ([[[["x"], []], [], None], [], None, [[[None]]]], pyarrow.list_(pyarrow.list_(pyarrow.list_(pyarrow.string())))),
    "struct": ([full, bare, None, {**full, "tags": []}], struct),
    "structs": ([[full, None, bare], [], None, [bare]], pyarrow.list_(struct)),
    "map": ([[("a", 1), ("b", None)], [], None, [("__proto__", 5)]], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
    "lists": ([[(1, [1.5]), (2, None)], [], None, [(3, [])]],
              pyarrow.map_(pyarrow.int32(), pyarrow.list_(pyarrow.float64()))),
    "twice": ([[("a", 1), ("a", 2)], [], None, []], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
    "fixed": ([[1, 2], [3, 4], None, [5, 6]], pyarrow.list_(pyarrow.int16(), 2)),
    "floats": ([[0.5, float("nan")], [float("inf")], None, [1e300]], pyarrow.list_(pyarrow.float64())),
    "bytes": ([[b"\xff"], [], None, []], pyarrow.list_(pyarrow.binary())),
    "took": ([{"for": 5}, None, None, None], pyarrow.struct({"for": pyarrow.duration("us")})),
}
table = pyarrow.table({name: pyarrow.array(values, kind) for name, (values, kind) in columns.items()})
for name, options in {
    "nested": {},
    "nested-plain": {"data_page_version": "2.0", "use_dictionary": False, "compression": "zstd"},
    "nested-legacy": {"use_compliant_nested_type": False, "row_group_size": 2},
}.items():
    pyarrow.parquet.write_table(table, folder / f"{name}.parquet", **options)

# Many pages, and rows whose lists have any length.
rows = [[{"n": row, "text": f"{row}" * (item % 3)} for item in range(row % 7)] if row % 11 else None for row in range(2000)]
many = pyarrow.table({"many": pyarrow.array(rows)})
for version in ("1.0", "2.0"):
    pyarrow.parquet.write_table(many, folder / f"nested-many-{version[0]}.parquet", data_page_version=version,
                                data_page_size=400, write_batch_size=64, row_group_size=1500)

polars.DataFrame({
    "list": [[1, None], [], None],
    "struct": [{"a": 1, "b": ["x"]}, {"a": None, "b": []}, None],
    "array": polars.Series([[1, 2], [3, 4], None], dtype=polars.Array(polars.Int64, 2)),
}).write_parquet(folder / "nested-polars.parquet")
duckdb.sql(f"""copy (
    select [1, null, 3] as list, {{'a': 1, 'b': [{{'c': 5.00::decimal(4, 2)}}]}} as struct,
        map {{'k': 1, 'l': null}} as map, map {{date '2026-11-22': ['x']}} as days,
        [uuid 'b5f1a3f0-0000-4000-8000-000000000001'] as uuids, ['x'::enum('x', 'y')] as enums,
        ['{{"a": 1.0}}'::json] as jsons, [1::ubigint << 63] as large, [12.5::float] as floats
) to '{folder / 'nested-duckdb.parquet'}' (format parquet)""")
