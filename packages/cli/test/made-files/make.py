"""Writes the table of made.json by programs in Python: python make.py, in this folder."""

import csv
import datetime as dt
import json

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import xlsxwriter

UTC = dt.timezone.utc
NAMES = ["name", "count", "price", "ok", "day", "moment"]
ROWS = [
    ('Ada "Lovelace"', 3, 0.1, True, dt.date(2026, 11, 22), dt.datetime(2026, 11, 22, 15, 4, 5, tzinfo=UTC)),
    ("Grüße, 世界", None, 1234.5, False, dt.date(1999, 12, 31), dt.datetime(2000, 2, 29, 23, 59, 59, 250000, UTC)),
    ("two\nlines", -7, None, True, None, None),
    ("007", 900719925474099, 2.5e-07, None, dt.date(2000, 2, 29), dt.datetime(1970, 1, 1, tzinfo=UTC)),
]
COLUMNS = {name: [row[at] for row in ROWS] for at, name in enumerate(NAMES)}
SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("count", pa.int64()),
        ("price", pa.float64()),
        ("ok", pa.bool_()),
        ("day", pa.date32()),
        ("moment", pa.timestamp("us", "UTC")),
    ]
)


def text(value):
    """A cell as the csv module of Python is usually given it."""
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return "" if value is None else str(value)


def with_csv_module():
    dialects = {
        "python-excel.csv": dict(dialect="excel", encoding="utf-8"),
        "python-unix.csv": dict(dialect="unix", encoding="utf-8"),
        "python-excel-tab.tsv": dict(dialect="excel-tab", encoding="utf-8"),
        "python-semicolon.csv": dict(delimiter=";", encoding="utf-8"),
        "python-sig.csv": dict(dialect="excel", encoding="utf-8-sig"),
        "python-utf16.csv": dict(dialect="excel", encoding="utf-16"),
    }
    for file, options in dialects.items():
        encoding = options.pop("encoding")
        with open(file, "w", newline="", encoding=encoding) as out:
            writer = csv.writer(out, **options)
            writer.writerow(NAMES)
            writer.writerows([[text(value) for value in row] for row in ROWS])


def with_json_module():
    rows = [{name: value for name, value in zip(NAMES, row)} for row in ROWS]
    with open("python.json", "w") as out:
        json.dump(rows, out, default=lambda value: value.isoformat(), indent=2)
    with open("python-ascii.ndjson", "w") as out:
        for row in rows:
            out.write(json.dumps(row, default=lambda value: value.isoformat()) + "\n")


def with_pandas():
    frame = pd.DataFrame(COLUMNS).astype({"count": "Int64", "ok": "boolean"})
    frame.to_csv("pandas.csv", index=False)
    frame.to_csv("pandas-index.csv")
    frame.to_csv("pandas-quoted.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)
    frame.to_csv("pandas.csv.gz", index=False)
    frame.to_csv("pandas-cp1252.csv", index=False, encoding="cp1252", errors="replace", sep=";")
    frame.to_json("pandas.ndjson", orient="records", lines=True, date_format="iso", date_unit="us")
    frame.to_json("pandas.json", orient="records", date_format="iso", date_unit="us")
    frame.to_parquet("pandas.parquet", index=False)
    frame.to_parquet("pandas-index.parquet", index=True)
    # Workbooks have no zones.
    local = frame.assign(moment=frame["moment"].dt.tz_localize(None))
    local.to_excel("pandas.xlsx", index=False)
    local.to_excel("pandas-xlsxwriter.xlsx", index=False, engine="xlsxwriter")


def with_polars():
    frame = pl.DataFrame(COLUMNS)
    frame.write_csv("polars.csv")
    frame.write_csv("polars.tsv", separator="\t")
    frame.write_csv("polars-quoted.csv", quote_style="always")
    frame.write_ndjson("polars.ndjson")
    frame.write_json("polars.json")
    frame.write_parquet("polars.parquet")
    frame.with_columns(pl.col("moment").dt.replace_time_zone(None)).write_excel("polars.xlsx")


def with_duckdb():
    people = pa.table(COLUMNS, SCHEMA)  # noqa: F841, DuckDB finds it by its name
    duckdb.sql("set timezone = 'UTC'")
    formats = {
        "duckdb.csv": "format csv, header",
        "duckdb.tsv": "format csv, header, delimiter '\t'",
        "duckdb-quoted.csv": "format csv, header, force_quote *",
        "duckdb.ndjson": "format json",
        "duckdb.json": "format json, array true",
        "duckdb.parquet": "format parquet",
        "duckdb-zstd.parquet": "format parquet, compression zstd",
    }
    for file, options in formats.items():
        duckdb.sql(f"copy (from people) to '{file}' ({options})")


def with_pyarrow():
    table = pa.table(COLUMNS, SCHEMA)
    pa.csv.write_csv(table, "pyarrow.csv")
    pa.parquet.write_table(table, "pyarrow.parquet")
    pa.parquet.write_table(table, "pyarrow-old.parquet", version="1.0", compression="gzip")


def with_openpyxl():
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("People")
    sheet.append(NAMES)
    for row in ROWS:
        sheet.append([value.replace(tzinfo=None) if isinstance(value, dt.datetime) else value for value in row])
    book.save("openpyxl.xlsx")


def with_xlsxwriter():
    options = {"constant_memory": True, "remove_timezone": True, "default_date_format": "dd/mm/yy hh:mm:ss"}
    with xlsxwriter.Workbook("xlsxwriter.xlsx", options) as book:
        day = book.add_format({"num_format": "d mmm yyyy"})
        sheet = book.add_worksheet()
        for line, row in enumerate([NAMES, *ROWS]):
            for column, value in enumerate(row):
                is_day = isinstance(value, dt.date) and not isinstance(value, dt.datetime)
                sheet.write(line, column, value, *([day] if is_day else []))


with_csv_module()
with_json_module()
with_pandas()
with_polars()
with_duckdb()
with_pyarrow()
with_openpyxl()
with_xlsxwriter()
