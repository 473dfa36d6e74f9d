"""Checks imports and exports against the tools that people use.

Needs Python 3.11 and, in a virtual environment of its own:
    pip install pandas pyarrow duckdb mlcroissant

    python tools/check-interchange.py http://localhost:8080 DATASET < token.txt

exports DATASET in each format, reads it with each tool, and compares all values with the NDJSON as
Python's own json reads it. Then it has each tool write a file of the dataset's rows, and imports that into
a repository of its own, `interchange-…`, which it deletes again. It ends with status 1 at the first
difference.
"""

import hashlib
import io
import json
import sys
import tempfile
import urllib.error
import urllib.request
import uuid
import zipfile
from pathlib import Path

import duckdb
import mlcroissant
import pandas
import pyarrow.csv
import pyarrow.parquet

server, dataset = sys.argv[1:3]
token = sys.stdin.read().strip()


def call(method, path, body=None, content_type="application/json"):
    headers = {"authorization": f"Bearer {token}", "content-type": content_type}
    request = urllib.request.Request(server + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def export(format, options=""):
    return call("GET", f"/api/dataset/{dataset}/export?format={format}{options}")


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {len(got)} rows differ from {len(wanted)}: {got[:2]} {wanted[:2]}")
    print(f"ok  {what}")


schema = json.loads(call("GET", f"/api/dataset/{dataset}"))["schema"]
names = [field["name"] for field in schema]
exported = [json.loads(line) for line in export("ndjson").splitlines()]


def rows(frame):
    """A data frame as texts, with None for what is absent."""
    records = frame[names].astype(object).where(frame[names].notna(), None).to_dict("records")
    return [{name: None if row[name] is None else str(row[name]) for name in names} for row in records]


wanted = [
    {name: str(row[name]) if name in row else None for name in names} for row in exported
]

with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    csv = folder / "rows.csv"
    parquet = folder / "rows.parquet"
    csv.write_bytes(export("csv", "&guard=false"))
    parquet.write_bytes(export("parquet"))

    expect("pandas reads CSV", rows(pandas.read_csv(csv, dtype=str, keep_default_na=False, na_values=[])),
           [{name: value or "" for name, value in row.items()} for row in wanted])
    expect("pyarrow reads Parquet", rows(pyarrow.parquet.read_table(parquet).to_pandas(
        integer_object_nulls=True)), wanted)
    types = {name: "VARCHAR" for name in names}
    expect("DuckDB reads CSV", rows(duckdb.sql(
        f"select * from read_csv('{csv}', all_varchar=true, header=true, quote='\"', escape='\"')").df()),
        [{name: value or None for name, value in row.items()} for row in wanted])
    listed = ", ".join(f'"{name}"::varchar as "{name}"' for name in names)
    expect("DuckDB reads Parquet", rows(duckdb.sql(f"select {listed} from '{parquet}'").df()), wanted)

    with zipfile.ZipFile(io.BytesIO(export("zip"))) as archive:
        if archive.testzip() is not None:
            sys.exit("zip: a damaged entry")
        manifest = json.loads(archive.read("manifest.json"))
        for file in manifest["files"]:
            digest = hashlib.sha256(archive.read(file["path"])).hexdigest()
            if digest != file["sha256"]:
                sys.exit(f"zip: {file['path']} is not what the manifest says")
        print(f"ok  zip holds {len(manifest['files'])} files as its manifest says")

    # Its files need a token, so they are fetched for it.
    croissant = json.loads(export("croissant"))
    for file in croissant["distribution"]:
        path = folder / file["name"]
        path.write_bytes(call("GET", file["contentUrl"].removeprefix(server)))
        file["contentUrl"] = str(path)
    described = folder / "croissant.json"
    described.write_text(json.dumps(croissant))
    loaded = mlcroissant.Dataset(jsonld=str(described))
    ids = [record[f"{dataset}/id"] for record in loaded.records(record_set=dataset)]
    expect("mlcroissant reads Croissant", ids, [row["id"] for row in exported])

    def importing(what, format, body):
        copy = f"interchange-{uuid.uuid4()}"
        call("POST", "/api/repo", json.dumps({"name": copy, "schema": schema}).encode())
        try:
            state = json.loads(call("POST", f"/api/repo/{copy}/import?format={format}", body, "text/plain"))
            copied = call("GET", f"/api/dataset/{copy}/export?format=ndjson").splitlines()
            got = [json.loads(line) for line in copied]
            expect(f"{what}, {state['state']}",
                   [{name: row.get(name) for name in names} for row in got],
                   [{name: row.get(name) for name in names} for row in exported])
        finally:
            call("DELETE", f"/api/repo/{copy}")

    table = pyarrow.parquet.read_table(parquet)
    for what, options in [("zstd", {"compression": "zstd"}), ("gzip", {"compression": "gzip"})]:
        written = folder / "written.parquet"
        pyarrow.parquet.write_table(table, written, **options)
        importing(f"Parquet by pyarrow, {what}", "parquet", written.read_bytes())
    duckdb.sql(f"copy (select * from '{parquet}') to '{folder}/duck.parquet' (format parquet)")
    importing("Parquet by DuckDB", "parquet", (folder / "duck.parquet").read_bytes())
    duckdb.sql(f"copy (select * from '{parquet}') to '{folder}/duck.csv' (header)")
    importing("CSV by DuckDB", "csv", (folder / "duck.csv").read_bytes())
    ndjson = pandas.DataFrame(exported).to_json(orient="records", lines=True)
    importing("NDJSON by pandas", "ndjson", ndjson.encode())
