"""Signed links, for programs that send no headers."""

import os

import httpx
import pandas as pd
import polars as pl
import pytest

import vitrine


@pytest.fixture
def link(server: vitrine.Server, name: str) -> str:
    """A link to the first 1,001 rows of a dataset of that name."""
    server.push([{"city": f"city {number}", "population": number} for number in range(1001)], name)
    reply = httpx.post(
        f"{server.url}/api/dataset/{name}/link",
        headers={"authorization": f"Bearer {os.environ['VITRINE_TEST_SIGN_IN']}"},
        json={"name": "paper", "hours": 1, "at": 1001},
    )
    assert reply.status_code == 201, reply.text
    return str(reply.json()["link"])


def test_polars_and_pandas_read_by_a_link_alone(server: vitrine.Server, name: str, link: str) -> None:
    parquet = f"{server.url}/api/dataset/{name}@1001/snapshot.parquet?link={link}"
    assert pl.scan_parquet(parquet).select(pl.col("population").mean()).collect().item() == 500
    assert pd.read_parquet(parquet, columns=["population"])["population"].mean() == 500
    csv = f"{server.url}/api/dataset/{name}/export?format=csv&at=1001&link={link}"
    assert len(pd.read_csv(csv)) == 1001
    assert httpx.get(f"{server.url}/api/dataset/{name}/export?format=csv&link={link}").status_code == 404
