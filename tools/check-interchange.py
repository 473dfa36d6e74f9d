"""Checks imports and exports of one dataset against the tools that people use.

Needs Python 3.11 and, in a virtual environment of its own:
    pip install pandas polars pyarrow duckdb datasets mlcroissant "psycopg[binary]"

    python tools/check-interchange.py http://localhost:8080 DATASET < token.txt

exports DATASET in each format, reads it with each tool, and compares all values with the NDJSON as
Python's own json reads it. Then it has each tool write a file of the dataset's rows, and imports that into
a repository of its own, `interchange-…`, which it deletes again. It ends with status 1 at the first
difference.

--programs FILE  also runs the programs that the web app offers to copy, from JSON of `{tool: program}`
--postgres URL   also has PostgreSQL's COPY write the rows, in a temporary table

`npm run test:interchange` does all of it with the demo, on a server of its own.
"""

import argparse
import hashlib
import io
import json
import os
import runpy
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zipfile
from pathlib import Path

import datasets
import duckdb
import mlcroissant
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("server")
arguments.add_argument("dataset")
arguments.add_argument("--programs", type=Path)
arguments.add_argument("--postgres")
given = arguments.parse_args()
server, dataset = given.server, given.dataset
token = sys.stdin.read().strip()
datasets.disable_progress_bars()


def call(method, path, body=None, content_type="application/json"):
    headers = {"authorization": f"Bearer {token}", "content-type": content_type}
    request = urllib.request.Request(server + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def export(format, options="", of=dataset):
    return call("GET", f"/api/dataset/{urllib.parse.quote(of)}/export?format={format}{options}")


def expect(what, got, wanted):
    if got != wanted:
        first = next((pair for pair in zip(got, wanted) if pair[0] != pair[1]), None)
        sys.exit(f"{what}: {len(got)} rows differ from {len(wanted)}, at first {first}")
    print(f"ok  {what}", flush=True)


schema = json.loads(call("GET", f"/api/dataset/{dataset}"))["schema"]
names = [field["name"] for field in schema]
binaries = [field["name"] for field in schema if field["type"] == "binary"]
exported = [json.loads(line) for line in export("ndjson").splitlines()]


def text(value):
    """A value as CSV has it, whatever a tool has made of it; None of what is absent."""
    if value is None:
        return None
    if type(value).__name__ in ("bool", "bool_"):
        return str(bool(value)).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


wanted = [{name: text(row.get(name)) for name in names} for row in exported]
"""What CSV says to those for whom an empty cell is the empty text, or nothing."""
wanted_empty = [{name: value or "" for name, value in row.items()} for row in wanted]
wanted_absent = [{name: value or None for name, value in row.items()} for row in wanted]


def texts(records):
    """Rows as texts, with None for what is absent."""
    return [{name: text(row.get(name)) for name in names} for row in records]


def rows(frame):
    """The same of a data frame of pandas."""
    return texts(frame[names].astype(object).where(frame[names].notna(), None).to_dict("records"))


def records(items):
    """The same of whatever a tool has made of a file."""
    match items:
        case pandas.DataFrame():
            # Of integers some of which are absent, pandas makes floats.
            return rows(items.convert_dtypes())
        case polars.DataFrame():
            return texts(items.to_dicts())
        case pyarrow.Table():
            return texts(items.to_pylist())
        case duckdb.DuckDBPyRelation():
            return texts(items.to_arrow_table().to_pylist())
        case datasets.Dataset():
            return texts(items.to_list())


def check_readers(folder):
    paths = {format: folder / f"rows.{format}" for format in ("csv", "parquet", "ndjson")}
    for format, path in paths.items():
        path.write_bytes(export(format, "&guard=false" if format == "csv" else ""))
    csv, parquet, ndjson = (str(path) for path in paths.values())

    expect("pandas reads CSV", records(pandas.read_csv(csv, dtype=str, keep_default_na=False, na_values=[])),
           wanted_empty)
    expect("pandas reads Parquet", records(pandas.read_parquet(parquet)), wanted)
    read = pandas.read_json(ndjson, lines=True, dtype=False, precise_float=True)
    expect("pandas reads NDJSON", records(read), wanted)
    expect("Polars reads CSV", records(polars.read_csv(csv, infer_schema=False)),
           wanted)
    expect("Polars reads Parquet", records(polars.read_parquet(parquet)), wanted)
    expect("Polars reads NDJSON", records(polars.read_ndjson(ndjson, infer_schema_length=None)), wanted)
    expect("pyarrow reads Parquet", records(pyarrow.parquet.read_table(parquet)), wanted)
    listed = ", ".join(f'"{name}"' for name in names)
    expect("DuckDB reads CSV", records(duckdb.sql(
        f"select * from read_csv('{csv}', all_varchar=true, header=true, quote='\"', escape='\"')")),
        wanted_absent)
    expect("DuckDB reads Parquet", records(duckdb.sql(f"select {listed} from '{parquet}'")), wanted)
    columns = {name: "VARCHAR" for name in names}
    expect("DuckDB reads NDJSON", records(duckdb.sql(
        f"select * from read_ndjson('{ndjson}', columns={json.dumps(columns)})".replace('"', "'"))), wanted)
    # As JSON it takes texts for dates, whatever features it is told.
    loaded = datasets.load_dataset("parquet", data_files=parquet, split="train", cache_dir=str(folder / "a"))
    expect("Hugging Face datasets reads Parquet", records(loaded), wanted)
    features = datasets.Features({name: datasets.Value("string") for name in ("id", "createdAt", *names)})
    loaded = datasets.load_dataset("csv", data_files=csv, split="train", cache_dir=str(folder / "b"),
                                   features=features, keep_default_na=False)
    expect("Hugging Face datasets reads CSV", records(loaded), wanted_empty)


def check_zip():
    """Holds a zip to its manifest; the bytes of its files by their digests."""
    kept = {}
    with zipfile.ZipFile(io.BytesIO(export("zip"))) as archive:
        if archive.testzip() is not None:
            sys.exit("zip: a damaged entry")
        manifest = json.loads(archive.read("manifest.json"))
        for file in manifest["files"]:
            content = archive.read(file["path"])
            digest = hashlib.sha256(content).hexdigest()
            if digest != file["sha256"]:
                sys.exit(f"zip: {file['path']} is not what the manifest says")
            kept[digest] = content
    print(f"ok  zip holds {len(manifest['files'])} files as its manifest says")
    return kept


def check_croissant(folder):
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


def check_programs(folder):
    os.environ["VITRINE_TOKEN"] = token
    os.chdir(folder)
    for tool, program in json.loads(given.programs.read_text()).items():
        path = folder / "program.py"
        path.write_text(program)
        expect(f"the program for {tool} loads the dataset", records(runpy.run_path(str(path))["items"]), wanted)


def importing(what, format, body, options=""):
    copy = f"interchange-{uuid.uuid4()}"
    call("POST", "/api/repo", json.dumps({"name": copy, "schema": schema}).encode())
    try:
        path = f"/api/repo/{copy}/import?format={format}{options}"
        state = json.loads(call("POST", path, body, "text/plain"))["state"]
        got = [json.loads(line) for line in export("ndjson", of=copy).splitlines()]
        expect(f"{what}, {state}",
               [{name: row.get(name) for name in names} for row in got],
               [{name: row.get(name) for name in names} for row in exported])
    finally:
        call("DELETE", f"/api/repo/{copy}")


def check_writers(folder, kept):
    table = pyarrow.parquet.read_table(folder / "rows.parquet")
    frame = polars.read_parquet(folder / "rows.parquet")
    written = folder / "written"
    for compression in ("zstd", "gzip", "brotli", "lz4", "none"):
        pyarrow.parquet.write_table(table, written, compression=compression)
        importing(f"Parquet by pyarrow, {compression}", "parquet", written.read_bytes())
    pyarrow.parquet.write_table(table, written, data_page_version="2.0", row_group_size=1000,
                                use_dictionary=False, column_encoding={"id": "DELTA_BINARY_PACKED"})
    importing("Parquet by pyarrow, pages of version 2", "parquet", written.read_bytes())
    if binaries:
        for name in binaries:
            values = [digest and kept[digest] for digest in table[name].to_pylist()]
            at = table.column_names.index(name)
            table = table.set_column(at, name, pyarrow.array(values, pyarrow.binary()))
        pyarrow.parquet.write_table(table, written)
        importing("Parquet by pyarrow with the bytes themselves", "parquet", written.read_bytes())

    frame.write_parquet(written)
    importing("Parquet by Polars", "parquet", written.read_bytes())
    frame.write_csv(written)
    importing("CSV by Polars", "csv", written.read_bytes())
    frame.write_ndjson(written)
    importing("NDJSON by Polars", "ndjson", written.read_bytes())

    source = folder / "rows.parquet"
    for format, options in [("parquet", "format parquet"), ("csv", "header"), ("ndjson", "format json")]:
        duckdb.sql(f"copy (select * from '{source}') to '{written}' ({options})")
        importing(f"{format} by DuckDB", format, written.read_bytes())

    importing("NDJSON by pandas", "ndjson",
              pandas.DataFrame(exported).to_json(orient="records", lines=True).encode())
    typed = pandas.read_parquet(source, dtype_backend="pyarrow")
    importing("CSV by pandas", "csv", typed.to_csv(index=False).encode())
    typed.to_parquet(written)
    importing("Parquet by pandas", "parquet", written.read_bytes())
    loaded = datasets.load_dataset("parquet", data_files=str(source), split="train", cache_dir=str(folder / "c"))
    loaded.to_parquet(str(written))
    importing("Parquet by Hugging Face datasets", "parquet", written.read_bytes())
    # Without it, days are milliseconds since 1970, which could as well be integers.
    loaded.to_json(str(written), date_format="iso")
    importing("NDJSON by Hugging Face datasets", "ndjson", written.read_bytes())


def check_copy():
    import psycopg

    columns = ", ".join(f'"{name}"' for name in names)
    with psycopg.connect(given.postgres) as connection, connection.cursor() as cursor:
        cursor.execute("create temporary table rows (" + ", ".join(f'"{name}" text' for name in names) + ")")
        with cursor.copy(f"copy rows ({columns}) from stdin") as copy:
            for row in wanted:
                copy.write_row([row[name] for name in names])
        for format, options in [("csv", ""), ("tsv", ", delimiter E'\\t'"), ("csv", ", force_quote *")]:
            with cursor.copy(f"copy rows to stdout (format csv, header{options})") as copy:
                body = b"".join(copy)
            importing(f"{format} by PostgreSQL's COPY{options}", format, body)


with tempfile.TemporaryDirectory() as name:
    check_readers(Path(name))
    kept = check_zip()
    check_croissant(Path(name))
    check_writers(Path(name), kept)
    if given.programs is not None:
        given.programs = given.programs.absolute()
        check_programs(Path(name))
    if given.postgres is not None:
        check_copy()
