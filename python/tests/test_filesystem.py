"""Datasets as files, by fsspec."""

import hashlib

import duckdb
import fsspec
import pandas as pd
import polars as pl
import pyarrow.dataset
import pyarrow.parquet
import pytest
from conftest import png

import vitrine


@pytest.fixture
def fs() -> fsspec.AbstractFileSystem:
    return fsspec.filesystem("vitrine", skip_instance_cache=True)


@pytest.fixture
def cities(server: vitrine.Server, name: str) -> str:
    server.push([{"city": f"city {number}", "population": number} for number in range(1001)], name)
    return name


def test_lists_datasets_rows_and_files(fs: fsspec.AbstractFileSystem, photos: vitrine.Dataset) -> None:
    photos.add(title="one", image=png(1))
    photos.add(title="none")
    name = photos.name
    assert name in fs.ls("vitrine://", detail=False)
    assert fs.ls(name, detail=False) == [
        f"{name}/snapshot.parquet",
        f"{name}/export.ndjson",
        f"{name}/export.csv",
        f"{name}/export.zip",
        f"{name}/image",
    ]
    assert fs.ls(f"vitrine://{name}/image", detail=False) == [f"{name}/image/1.png"]
    assert fs.glob(f"vitrine://{name}/*/*.png") == [f"{name}/image/1.png"]
    assert fs.isdir(name)
    assert fs.info(f"{name}/image/1.png")["size"] == len(png(1))
    for missing in ("no dataset", f"{name}/title", f"{name}/image/2.png", f"{name}/image/x", f"{name}/export.xls"):
        assert not fs.exists(missing)
    with pytest.raises(FileNotFoundError):
        fs.open("no dataset/snapshot.parquet")


def test_fetches_of_a_file_what_is_read(fs: fsspec.AbstractFileSystem, photos: vitrine.Dataset) -> None:
    large = png(7) + bytes(3_000_000)
    photos.add(title="large", image=large)
    with fs.open(f"vitrine://{photos.name}/image/1.png") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"
        file.seek(-3, 2)
        assert file.read() == b"\0\0\0"
        assert file.cache.total_requested_bytes < 200_000
    with fs.open(f"{photos.name}/image/1") as file:
        assert file.read() == large


def test_duckdb_polars_pandas_and_arrow_read_it(fs: fsspec.AbstractFileSystem, cities: str) -> None:
    path = f"vitrine://{cities}/snapshot.parquet"
    database = duckdb.connect()
    database.register_filesystem(fs)
    assert database.sql(f"SELECT avg(population) FROM read_parquet('{path}')").fetchall() == [(500.0,)]
    assert database.sql(f"SELECT max(population) FROM read_csv('vitrine://{cities}/export.csv')").fetchall() == [
        (1000,)
    ]
    assert pd.read_parquet(path, columns=["population"])["population"].mean() == 500
    assert pd.read_json(f"vitrine://{cities}/export.ndjson", lines=True).shape == (1001, 4)
    with fs.open(path) as file:
        assert pl.scan_parquet(file).select(pl.col("population").mean()).collect().item() == 500
    assert pyarrow.parquet.read_metadata(path, filesystem=fs).num_rows == 1001
    dataset = pyarrow.dataset.dataset(f"{cities}/snapshot.parquet", filesystem=fs)
    assert dataset.count_rows(filter=pyarrow.dataset.field("population") > 990) == 10


def test_fetches_of_a_snapshot_the_columns_that_are_read(
    fs: fsspec.AbstractFileSystem, server: vitrine.Server, name: str
) -> None:
    names = (hashlib.sha256(str(number).encode()).hexdigest() for number in range(20_011))
    rows = [{"city": city, "population": number} for number, city in enumerate(names)]
    server.push(rows, name)
    path = f"vitrine://{server.dataset(name).pinned().reference}/snapshot.parquet"
    with fs.open(path) as file:
        assert pyarrow.parquet.read_table(file, columns=["population"]).num_rows == 20_011
        fetched, size = file.cache.total_requested_bytes, file.size
    assert size == fs.info(path)["size"]
    assert fetched < size * 0.7, f"{fetched:,} of {size:,} bytes were fetched"
    assert len(fs.cat_file(path)) == size


def test_takes_server_and_token_as_storage_options(
    server: vitrine.Server, cities: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server": server.url, "token": server.connection._token}
    monkeypatch.setenv("VITRINE_TOKEN", "none")
    monkeypatch.delenv("VITRINE_SERVER")
    assert len(pd.read_csv(f"vitrine://{cities}/export.csv", storage_options=options)) == 1001


def test_is_for_reading(fs: fsspec.AbstractFileSystem, cities: str) -> None:
    with pytest.raises(NotImplementedError):
        fs.open(f"{cities}/snapshot.parquet", "wb")
    with pytest.raises(IsADirectoryError):
        fs.open(cities)
