"""Checks that values of every type go out as Parquet and come in again as each tool writes them.

Needs what check-interchange.py needs.

    python tools/check-typed-interchange.py http://localhost:8080 < token.txt

adds rows with the extremes of every value type to a repository of its own, exports them as Parquet, and reads
them with each tool, which must give columns of the type that was meant. Then it has each tool write them, and
imports that into another repository: its rows must be those of the first, digests included. It ends with
status 1 at the first difference.
"""

import json
import sys
import tempfile
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import datasets
import duckdb
import mlcroissant
import pandas
import polars
import pyarrow
import pyarrow.parquet

server = sys.argv[1]
token = sys.stdin.read().strip()
datasets.disable_progress_bars()
mark = uuid.uuid4()
made = []


def call(method, path, body=None, content_type="application/json"):
    headers = {"authorization": f"Bearer {token}", "content-type": content_type}
    request = urllib.request.Request(server + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def create(name, fields):
    call("POST", "/api/repo", json.dumps({"name": name, "schema": fields}).encode())
    made.append(name)


def create_typed(name, but=""):
    fields = [
        {"name": "key", "type": "string", "length": 20},
        {"name": "size", "type": "string", "length": 10, "choices": ["small", "large"], "optional": True},
        {"name": "count", "type": "integer", "optional": True},
        {"name": "ratio", "type": "number", "optional": True},
        {"name": "flag", "type": "boolean", "optional": True},
        {"name": "day", "type": "date", "optional": True},
        {"name": "moment", "type": "timestamp", "optional": True},
        {"name": "took", "type": "duration", "optional": True},
        {"name": "more", "type": "json", "optional": True},
        {"name": "other", "type": "reference", "target": target, "optional": True},
    ]
    create(name, [field for field in fields if field["name"] != but])


def add(name, format, body):
    state = json.loads(call("POST", f"/api/repo/{name}/import?format={format}", body, "application/octet-stream"))
    if state["state"] != "done":
        sys.exit(f"{name}: {state}")


def export(name, format, options=""):
    return call("GET", f"/api/dataset/{name}/export?format={format}{options}")


def rows_of(name):
    """With the digests of all values; ids are each repository's own."""
    rows = [json.loads(line) for line in export(name, "ndjson", "&integrity=true").splitlines()]
    return [{key: value for key, value in row.items() if key not in ("id", "createdAt", "other.seal")} for row in rows]


def expect(what, got, wanted):
    if got != wanted:
        first = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]), (got, wanted))
        sys.exit(f"{what} differs, at first {first}")
    print(f"ok  {what}", flush=True)


extremes = {
    "size": ["small", "large"],
    "count": [0, -1, 2**53 - 1, 1 - 2**53],
    "ratio": [0, 0.1, -1.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 100],
    "flag": [True, False],
    "day": ["0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"],
    "moment": ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2026-11-22T15:04:05.25Z",
               "9999-12-31T23:59:59.999999Z"],
    "took": ["PT0S", "P1DT2H3M4.5S", "-PT0.000001S", "P104249DT23H47M34.740991S"],
    "more": [{"a": [1, "x", None], "ü": {}}, [], "text", 5, 0.1, True],
}
written = [{"key": f"{name} {at}", name: value} for name, values in extremes.items() for at, value in enumerate(values)]
written += [{"key": "nothing"}, {"key": "all", "other": 1, **{name: values[-1] for name, values in extremes.items()}}]

target, source = f"interchange-target-{mark}", f"interchange-{mark}"
create(target, [{"name": "title", "type": "string", "length": 20}])
add(target, "ndjson", b'{"title": "it"}\n')
create_typed(source)
add(source, "ndjson", "".join(json.dumps(row) + "\n" for row in written).encode())
wanted = rows_of(source)
names = ["key", *extremes]
expect("the repository", [{name: row[name] for name in ("key", *extremes, "other") if name in row} for row in wanted],
       written)


def check_types(folder, parquet):
    table = pyarrow.parquet.read_table(parquet)
    types = {name: str(table.schema.field(name).type) for name in ("count", "ratio", "flag", "day", "moment", "took", "other")}
    arrow = {"count": "int64", "ratio": "double", "flag": "bool", "day": "date32[day]",
             "moment": "timestamp[us, tz=UTC]", "took": "duration[us]", "other": "int64"}
    expect("pyarrow has the types", types, arrow)
    loaded = datasets.load_dataset("parquet", data_files=str(parquet), split="train", cache_dir=str(folder / "types"))
    features = {name: loaded.features[name].dtype for name in types}
    expect("load_dataset has the types", features,
           {**arrow, "ratio": "float64", "day": "date32"})
    frame = polars.read_parquet(parquet)
    expect("Polars has the types", [str(frame.schema[name]) for name in types],
           ["Int64", "Float64", "Boolean", "Date", "Datetime(time_unit='us', time_zone='UTC')",
            "Duration(time_unit='us')", "Int64"])
    described = duckdb.sql(f"describe select {', '.join(types)} from '{parquet}'").fetchall()
    expect("DuckDB has the types", [row[1] for row in described],
           ["BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIMESTAMP WITH TIME ZONE", "BIGINT", "BIGINT"])


def check_croissant(folder):
    # mlcroissant has no type for JSON, and fails at an object where it expects a text.
    name = f"interchange-croissant-{mark}"
    create_typed(name, but="more")
    rows = [{key: value for key, value in row.items() if key != "more"} for row in written]
    add(name, "ndjson", "".join(json.dumps(row) + "\n" for row in rows).encode())
    croissant = json.loads(export(name, "croissant"))
    for file in croissant["distribution"]:
        path = folder / file["name"]
        path.write_bytes(call("GET", file["contentUrl"].removeprefix(server)))
        file["contentUrl"] = str(path)
    described = folder / "croissant.json"
    described.write_text(json.dumps(croissant))
    loaded = mlcroissant.Dataset(jsonld=str(described))
    last = list(loaded.records(record_set=name))[-1]
    values = {field: last[f"{name}/{field}"] for field in ("count", "ratio", "flag")}
    expect("mlcroissant gives numbers and truth values", values, {field: rows[-1][field] for field in values})
    moments = [type(last[f"{name}/{field}"]).__name__ for field in ("day", "moment")]
    expect("mlcroissant gives dates", moments, ["Timestamp", "Timestamp"])


def check_writers(folder, parquet):
    path = folder / "written.parquet"
    table = pyarrow.parquet.read_table(parquet)

    def importing(what):
        copy = f"interchange-{uuid.uuid4()}"
        create_typed(copy)
        add(copy, "parquet", path.read_bytes())
        expect(f"Parquet by {what}", rows_of(copy), wanted)

    pyarrow.parquet.write_table(table, path)
    importing(f"pyarrow {pyarrow.__version__}")
    pyarrow.parquet.write_table(table, path, data_page_version="2.0", compression="brotli")
    importing("pyarrow, pages of version 2")
    frame = polars.read_parquet(parquet)
    frame.write_parquet(path)
    importing(f"Polars {polars.__version__}")
    # Microseconds to DuckDB, whose intervals in Parquet have no sign and no less than milliseconds.
    duckdb.sql(f"copy (select * replace (to_microseconds(took)::varchar as took) from '{parquet}') to '{path}' (format parquet)")
    importing(f"DuckDB {duckdb.__version__}")
    pandas.read_parquet(parquet).to_parquet(path)
    importing(f"pandas {pandas.__version__}, whose integers that are absent make floats")
    pandas.read_parquet(parquet, dtype_backend="pyarrow").to_parquet(path)
    importing("pandas with types of pyarrow")
    datasets.load_dataset("parquet", data_files=str(parquet), split="train",
                          cache_dir=str(folder / "c")).to_parquet(str(path))
    importing(f"Hugging Face datasets {datasets.__version__}")


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    parquet = folder / "rows.parquet"
    parquet.write_bytes(export(source, "parquet"))
    try:
        check_types(folder, parquet)
        check_writers(folder, parquet)
        check_croissant(folder)
    finally:
        for repo in reversed(made):
            call("DELETE", f"/api/repo/{repo}")
