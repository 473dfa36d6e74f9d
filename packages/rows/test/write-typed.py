"""Writes the Parquet files that parquet-columns.test.ts reads, into the folder `files` beside it:

    pip install pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.0
    python write-typed.py
"""

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.parquet

folder = Path(__file__).parent / "files"
prices = [Decimal("5.00"), Decimal("0.35"), Decimal("-0.01"), None]
before_1970 = datetime(1969, 12, 31, 23, 59, 59, 999999)
moments = [before_1970, datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 500000), None]
utc = [moment and moment.replace(tzinfo=timezone.utc) for moment in moments]
days = [date(1969, 12, 31), date(1, 1, 1), date(9999, 12, 31), None]
times = [time(0), time(23, 59, 59, 999999), time(12, 30, 0, 250000), None]
wide = [Decimal("9" * 70 + ".123456"), Decimal("-1e-6"), Decimal("0.000000"), None]
nanos = [-1, 0, 1_500_000_000, None]


def column(values, type):
    return pyarrow.array(values, type)


table = pyarrow.table({
    "int32": column(prices, pyarrow.decimal128(9, 2)),
    "int64": column(prices, pyarrow.decimal128(18, 2)),
    "fixed": column(prices, pyarrow.decimal128(38, 2)),
    "wide": column(wide, pyarrow.decimal256(76, 6)),
    "whole": column([Decimal(10**37), Decimal(-1), Decimal(0), None], pyarrow.decimal128(38, 0)),
    "milli": column([-1, 0, 1500, None], pyarrow.timestamp("ms")),
    "micro": column(moments, pyarrow.timestamp("us")),
    "micro_utc": column(utc, pyarrow.timestamp("us", "UTC")),
    "nano": column(nanos, pyarrow.timestamp("ns")),
    "nano_utc": column(nanos, pyarrow.timestamp("ns", "UTC")),
    "day": column(days, pyarrow.date32()),
    "time": column(times, pyarrow.time64("us")),
    "time_milli": column([0, 1, 86_399_999, None], pyarrow.time32("ms")),
    "large": column([1e20, -1.5, 0.1, None], pyarrow.float64()),
    "bytes": column([b"\x00\xff", b"", b"a", None], pyarrow.binary()),
})
pyarrow.parquet.write_table(table, folder / "pyarrow.parquet", store_decimal_as_integer=True)
pyarrow.parquet.write_table(
    table.select(["fixed", "wide"]), folder / "pyarrow-plain.parquet", use_dictionary=False,
    data_page_version="2.0", compression="zstd")
pyarrow.parquet.write_table(
    table.select(["nano"]), folder / "pyarrow-int96.parquet", use_deprecated_int96_timestamps=True)
pyarrow.parquet.write_table(
    pyarrow.table({
        "far": column([1, 4_000_000, 2**31 - 1], pyarrow.date32()),
        "took": column([timedelta(1), None, None], pyarrow.duration("us")),
    }), folder / "pyarrow-odd.parquet")
pyarrow.parquet.write_table(
    pyarrow.table({
        "second": column([86_401, -90_061, None], pyarrow.duration("s")),
        "milli": column([1500, -1, None], pyarrow.duration("ms")),
        "micro": column([1, 0, None], pyarrow.duration("us")),
        "nano": column([1, -(2**63 - 1), None], pyarrow.duration("ns")),
    }), folder / "pyarrow-durations.parquet")
rows = range(200)


def sparse(value, type):
    return column([None if row % 7 == 3 else value(row) for row in rows], type)


pyarrow.parquet.write_table(
    pyarrow.table({
        "int32": sparse(lambda row: row * row - 5000, pyarrow.int32()),
        "int64": sparse(lambda row: (-1) ** row * 10**9 * row**4, pyarrow.int64()),
        "length": sparse(lambda row: "x" * (row % 5) + str(row), pyarrow.string()),
        "prefix": sparse(lambda row: f"common/{row // 3}", pyarrow.string()),
        "fixed": sparse(lambda row: f"{row // 50:05}".encode(), pyarrow.binary(5)),
        "double": sparse(lambda row: row / 8, pyarrow.float64()),
        "float": sparse(lambda row: row / 4, pyarrow.float32()),
        "truth": sparse(lambda row: row % 3 == 0, pyarrow.bool_()),
    }), folder / "pyarrow-deltas.parquet", data_page_version="2.0", compression="zstd",
    use_dictionary=False, data_page_size=200, write_batch_size=50, write_statistics=False,
    column_encoding={
        "int32": "DELTA_BINARY_PACKED", "int64": "DELTA_BINARY_PACKED", "length": "DELTA_LENGTH_BYTE_ARRAY",
        "prefix": "DELTA_BYTE_ARRAY", "fixed": "DELTA_BYTE_ARRAY", "double": "BYTE_STREAM_SPLIT",
        "float": "BYTE_STREAM_SPLIT", "truth": "RLE",
    })
categories = [f"kind {number}" for number in range(100)]
pyarrow.parquet.write_table(
    pyarrow.table({
        "kind": pyarrow.DictionaryArray.from_arrays(pyarrow.array([3, None, 90], pyarrow.int32()), categories),
    }), folder / "pyarrow-categories.parquet", store_schema=False)
polars.DataFrame({
    "price": polars.Series(prices, dtype=polars.Decimal(20, 2)),
    "milli": polars.Series(moments, dtype=polars.Datetime("ms")),
    "micro": polars.Series(moments, dtype=polars.Datetime("us")),
    "nano_utc": polars.Series([None, None, before_1970.replace(tzinfo=timezone.utc), None],
                              dtype=polars.Datetime("ns", "UTC")),
    "day": days,
    "time": times,
    "took": [timedelta(1), None, None, None],
}).write_parquet(folder / "polars.parquet")
duckdb.sql(f"""copy (
    select 5.00::decimal(4, 2) as int16, 0.35::decimal(9, 2) as int32, -0.01::decimal(18, 2) as int64,
        12345678901234567890123456789012345.678::decimal(38, 3) as fixed,
        timestamp '1969-12-31 23:59:59.999999' as micro, timestamp_ns '1969-12-31 23:59:59.999999999' as nano,
        timestamp_ms '2026-01-02 03:04:05.678' as milli,
        timestamptz '2026-01-02 03:04:05.25+02' as zoned, date '1969-12-31' as day,
        time '23:59:59.999999' as time, interval 3 day as took, '{{"a": [1, 2.50]}}'::json as json,
        'b5f1a3f0-0000-4000-8000-000000000001'::uuid as uuid, 'x'::enum('x', 'y') as enum
) to '{folder / 'duckdb.parquet'}' (format parquet)""")
