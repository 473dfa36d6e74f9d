"""Checks the summaries of datasets against DuckDB's, of what is exported as Parquet.

Needs Python 3.11 and `pip install duckdb`.

    python tools/check-summaries.py http://localhost:8080 DATASET … < token.txt

adds rows of every value type, made up by chance, to a repository of its own, `summaries-…`, which it deletes
again, and compares its summary and those of the datasets with SUMMARIZE, histogram() and count(). It ends with
status 1 at the first difference. `npm run test:interchange` does it with the demo.
"""

import datetime
import json
import math
import random
import sys
import tempfile
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import duckdb

server, *names = sys.argv[1:]
token = sys.stdin.read().strip()
seed = random.randrange(1_000_000)
chance = random.Random(seed)
mark = uuid.uuid4()
database = duckdb.connect()
database.execute("set TimeZone = 'UTC'")
checks = 0


def call(method, path, body=None, content_type="application/json"):
    headers = {"authorization": f"Bearer {token}", "content-type": content_type}
    request = urllib.request.Request(server + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def expect(what, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        sys.exit(f"{what} differs (seed {seed}): {got} and DuckDB's {wanted}")


def near(what, got, wanted, within):
    global checks
    checks += 1
    if not math.isclose(got, wanted, rel_tol=within, abs_tol=1e-300):
        sys.exit(f"{what} differs (seed {seed}): {got} and DuckDB's {wanted}")


def one(sql, *parameters):
    return database.execute(sql, parameters).fetchone()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


# How DuckDB has a type, and the value just before another one.
types = {
    "integer": ("BIGINT", lambda value: value - 1),
    "number": ("DOUBLE", lambda value: math.nextafter(value, -math.inf)),
    "date": ("DATE", lambda value: value - datetime.timedelta(days=1)),
    "timestamp": ("TIMESTAMPTZ", lambda value: value - datetime.timedelta(microseconds=1)),
    "string": ("VARCHAR", None),
    "url": ("VARCHAR", None),
    "boolean": ("BOOLEAN", None),
    "reference": ("BIGINT", None),
}


def read(type, value):
    """A value of a summary as DuckDB has it; a moment as naive UTC, which Python's datetime holds up to year 9999."""
    if type == "date":
        return datetime.date.fromisoformat(value)
    if type == "timestamp":
        return datetime.datetime.fromisoformat(value.removesuffix("Z"))
    return float(value) if type == "number" else value


def check_field(name, field, rows, summarized):
    what = f"{name}.{field['name']}"
    type = field["type"]
    column = quoted(field["name"])
    present, = one(f"select count({column}) from {rows}")
    expect(f"{what} present", field["present"], present)
    total, = one(f"select count(*) from {rows}")
    expect(f"{what} missing", field["missing"], total - present)
    if type not in types:
        return
    sql, before = types[type]
    cell = f"({column} at time zone 'UTC')" if type == "timestamp" else column
    distinct, = one(f"select count(distinct {column}) from {rows}")
    isEstimated = field.get("estimated", False)
    near(f"{what} distinct", field["distinct"], distinct, 0.02 if isEstimated else 0)
    uncounted = field.get("uncounted", 0)
    for common in field["commonest"]:
        if common.get("cut"):
            continue
        count, = one(f"select count(*) from {rows} where {cell} = ?", read(type, common["value"]))
        if not common["count"] <= count <= common["count"] + uncounted:
            sys.exit(f"{what} (seed {seed}): {common} comes {count} times")
    if not isEstimated:
        counts = database.execute(
            f"select count(*) as n from {rows} where {column} is not null group by {column} order by n desc limit 20"
        ).fetchall()
        expect(f"{what} commonest", [each["count"] for each in field["commonest"]], [n for n, in counts])
    if "least" in field and len(str(field["least"])) < 100 and len(str(field["greatest"])) < 100:
        least, greatest = one(f"select min({cell}), max({cell}) from {rows}")
        expect(f"{what} least", read(type, field["least"]), least)
        expect(f"{what} greatest", read(type, field["greatest"]), greatest)
    if type == "integer":
        expect(f"{what} by SUMMARIZE", [str(field.get(end)) for end in ("least", "greatest")] if present else [],
               [summarized[end] for end in ("min", "max")] if present else [])
    if "mean" in field:
        mean, = one(f"select avg({column}) from {rows}")
        near(f"{what} mean", field["mean"], mean, 1e-9)
    if "histogram" in field:
        check_histogram(what, field["histogram"], f"select {cell} as value from {rows}", lambda value: read(type, value), before)
    if "lengths" in field:
        lengths = field["lengths"]
        least, greatest, mean = one(f"select min(length({column})), max(length({column})), avg(length({column})) from {rows}")
        expect(f"{what} lengths", [lengths["least"], lengths["greatest"]], [least, greatest])
        near(f"{what} mean length", lengths["mean"], mean, 1e-9)
        check_histogram(f"{what} lengths", lengths["histogram"], f"select length({column}) as value from {rows}",
                        int, lambda value: value - 1)


def check_histogram(what, bins, values, read, before):
    """histogram() counts up to a bound and with it, so each bin is asked for by its last value."""
    if not bins:
        return
    bounds = [before(read(each["to"])) for each in bins if "to" in each]
    counted = dict(one(f"select histogram(value, ?) from ({values})", bounds)[0]) if bounds else {}
    expect(f"{what} bins", [each["count"] for each in bins if "to" in each],
           [counted.get(bound, 0) for bound in bounds])
    total, = one(f"select count(value) from ({values})")
    expect(f"{what} all bins", sum(each["count"] for each in bins), total)


def check(name, folder):
    while not (summary := json.loads(call("GET", f"/api/dataset/{name}/summary?partial=true")))["exact"]:
        pass
    path = folder / f"{name}.parquet"
    path.write_bytes(call("GET", f"/api/dataset/{name}/export?format=parquet"))
    rows = f"read_parquet('{path}')"
    columns = [column for column, *_ in database.execute(f"describe select * from {rows}").fetchall()]
    described = database.execute(f"summarize select * from {rows}")
    heads = [head[0].replace("column_name", "name") for head in described.description]
    summarized = {row["name"]: row for row in (dict(zip(heads, cells)) for cells in described.fetchall())}
    total, = one(f"select count(*) from {rows}")
    expect(f"{name} items", summary["items"], total)
    seen = 0
    for field in summary["fields"]:
        if field["name"] in columns:
            check_field(name, field, rows, summarized[field["name"]])
            seen += 1
    print(f"ok  {name}: {total} items, {seen} of {len(summary['fields'])} fields", flush=True)


def made_up(count):
    """Rows of every type: few values and many, all alike, near and far, and none."""
    words = ["".join(chance.choices("abcdeé漢😀 ", k=chance.randrange(1, 12))) for _ in range(3000)]
    spread = lambda: chance.choice([1, -1]) * 10 ** chance.uniform(-12, 12)
    day = lambda: (datetime.date(1, 1, 1) + datetime.timedelta(days=chance.randrange(3_652_059))).isoformat()
    moment = lambda: f"{day()}T{chance.randrange(24):02}:{chance.randrange(60):02}:{chance.randrange(60):02}Z"
    recent = lambda: f"2026-11-{chance.randrange(1, 30):02}T{chance.randrange(24):02}:30:15.25Z"
    values = {
        "few": lambda: chance.choice(words[:12]),
        "many": lambda: chance.choice(words),
        "size": lambda: chance.choice(["small", "large"]),
        "small": lambda: chance.randrange(-3, 4),
        "wide": lambda: chance.choice([0, 1, 2**53 - 1, 1 - 2**53, chance.randrange(10**9)]),
        "different": lambda: chance.randrange(10**12),
        "ratio": lambda: chance.gauss(0, 1),
        "spread": spread,
        "flag": lambda: chance.random() < 0.3,
        "day": day,
        "moment": moment,
        "recent": recent,
        "address": lambda: f"https://example.org/{chance.randrange(500)}",
        "other": lambda: 1,
        "never": lambda: None,
    }
    for _ in range(count):
        row = {name: make() for name, make in values.items() if chance.random() < 0.9}
        yield {name: value for name, value in row.items() if value is not None}


def create(name, fields):
    call("POST", "/api/repo", json.dumps({"name": name, "schema": fields}).encode())


def add(name, body):
    state = json.loads(call("POST", f"/api/repo/{name}/import?format=ndjson", body, "application/octet-stream"))
    if state["state"] != "done":
        sys.exit(f"{name}: {state}")


target, source = f"summaries-target-{mark}", f"summaries-{mark}"
text = {"type": "string", "length": 100}
kinds = {
    "few": text, "many": text, "size": {"type": "string", "length": 10, "choices": ["small", "large"]},
    **dict.fromkeys(("small", "wide", "different"), {"type": "integer"}),
    **dict.fromkeys(("ratio", "spread"), {"type": "number"}),
    "flag": {"type": "boolean"}, "day": {"type": "date"},
    **dict.fromkeys(("moment", "recent"), {"type": "timestamp"}),
    "address": {"type": "url"}, "other": {"type": "reference", "target": target}, "never": {"type": "integer"},
}
create(target, [{"name": "title", **text}])
add(target, b'{"title": "it"}\n')
create(source, [{"name": name, **kind, "optional": True} for name, kind in kinds.items()])
add(source, "".join(json.dumps(row) + "\n" for row in made_up(30_000)).encode())
with tempfile.TemporaryDirectory() as name:
    try:
        for each in [source, *names]:
            check(each, Path(name))
    finally:
        for repo in (source, target):
            call("DELETE", f"/api/repo/{repo}")
print(f"{checks} numbers of summaries equal to DuckDB's {duckdb.__version__}")
