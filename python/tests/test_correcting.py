"""Items that are corrected and withdrawn."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from conftest import png

import vitrine

MOMENT = datetime(2026, 11, 28, 10, tzinfo=timezone.utc)
COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "text": (pa.string(), ["first", "second"]),
    "whole": (pa.int64(), [2**53 - 1, None]),
    "double": (pa.float64(), [0.1, 1e21]),
    "truth": (pa.bool_(), [True, None]),
    "day": (pa.date32(), [date(2026, 11, 28), date(1, 1, 1)]),
    "moment": (pa.timestamp("us", tz="UTC"), [MOMENT, None]),
    "local": (pa.timestamp("ns"), [MOMENT.replace(tzinfo=None), None]),
    "took": (pa.duration("ns"), [timedelta(hours=1.5), None]),
    "tags": (pa.list_(pa.string()), [["a"], []]),
    "file": (pa.binary(), [png(1), b"else"]),
}
MANY_TYPES = pa.table({name: pa.array(values, kind) for name, (kind, values) in COLUMNS.items()})


def test_corrects_withdraws_and_brings_back(photos: vitrine.Dataset) -> None:
    old = photos.add(title="Mroning", width=4000, image=png(7))
    new = old.correct({"title": "Morning", "width": None}, reason="a typing error")
    assert (new["title"], "width" in new, new["image"].read()) == ("Morning", False, png(7))
    assert photos.item(old.id)["title"] == "Mroning"
    gone = new.withdraw(reason="added twice")
    assert new.withdraw(reason="added twice").id == gone.id
    back = gone.correct({}, reason="it is ours")
    assert [(version.id, version.change, version.reason) for version in old.versions()] == [
        (old.id, "added", None),
        (new.id, "corrected", "a typing error"),
        (gone.id, "withdrawn", "added twice"),
        (back.id, "corrected", "it is ours"),
    ]
    assert all(version.created_at for version in old.versions())
    for item in (old, new, gone, back):
        item.verify()
    photos.verify()


def test_reads_current_items_alone(photos: vitrine.Dataset) -> None:
    everything = len(photos)
    old = photos.add(title="Mroning")
    new = old.correct({"title": "Morning"}, reason="a typing error")
    gone = photos.add(title="Fog")
    gone.withdraw(reason="added twice")
    assert photos.count(current=True) == everything + 1
    ids = [item.id for item in photos.items(current=True)]
    assert new.id in ids
    assert not {old.id, gone.id, gone.id + 1} & set(ids)
    assert photos.to_arrow(current=True)["id"].to_pylist() == ids
    assert [item["title"] for item in photos.items(q="mroning", current=True)] == []
    assert len(list(photos.items(current=False))) == everything + 4


def test_tells_what_has_replaced_an_item(photos: vitrine.Dataset) -> None:
    old = photos.add(title="Mroning")
    old.correct({"title": "Morning"}, reason="a typing error")
    with pytest.raises(vitrine.ApiError, match="replaced") as refused:
        old.correct({"title": "Moaning"}, reason="another")
    assert (refused.value.code, refused.value.status) == ("ITEM_REPLACED", 409)
    with pytest.raises(vitrine.ApiError, match="title: is required"):
        photos.add(title="Fog").correct({"title": None}, reason="no")


def test_corrects_items_by_a_frame(server: vitrine.Server, name: str) -> None:
    frame = pd.DataFrame({"code": ["a", "b"], "size": [1.5, 2], "day": [MOMENT] * 2})
    towns = server.push(frame, name).dataset
    corrected = pd.DataFrame({"code": ["b", "c", "a"], "size": [2.5, None, 1.5]})
    with pytest.raises(vitrine.RowsRefusedError) as refused:
        towns.correct(corrected, match="code", reason="the register")
    assert "is required" in refused.value.refusals[0].reason
    corrected = corrected.dropna()
    tried = towns.correct(corrected, match=["code"], reason="the register", dry_run=True)
    assert (tried.items, tried.corrected, tried.unchanged) == (1, 1, 1)
    assert tried.changes == [vitrine.Change(2, {"size": 2}, {"size": 2.5})]
    assert len(towns) == 2
    done = towns.correct(corrected, match="code", reason="the register")
    assert (done.items, done.corrected, done.unchanged, done.changes) == (1, 1, 1, [])
    assert [version.reason for version in towns.item(done.first_id or 0).versions()] == [None, "the register"]
    towns.verify()


def test_corrects_by_the_ids_of_a_frame_that_was_read(server: vitrine.Server, name: str) -> None:
    server.push(MANY_TYPES, name)
    read = server.dataset(name).to_pandas()
    same = server.dataset(name).correct(read, match="id", reason="nothing")
    assert (same.items, same.unchanged) == (0, 2)
    read.loc[1, "text"] = "corrected"
    done = server.dataset(name).correct(read, match="id", reason="a typing error")
    assert (done.corrected, done.unchanged) == (1, 1)
    current = server.dataset(name).to_pandas(current=True)
    assert current["text"].tolist() == ["first", "corrected"]
    assert current.drop(columns=["id", "createdAt", "text"]).equals(read.drop(columns=["id", "createdAt", "text"]))


def test_corrects_what_the_rows_of_a_frame_say(server: vitrine.Server, name: str) -> None:
    towns = server.push(pd.DataFrame({"code": ["a", "b", "c"], "size": [1.5, 2, 3]}), name).dataset
    rows = pd.DataFrame(
        {
            "code": ["a", "b", "d"],
            "size": [1.75, 2, 4],
            "id.replaces": [1, None, None],
            "id.withdraws": [None, 2, None],
            "id.reason": ["measured anew", None, None],
        }
    )
    tried = towns.correct(rows, match="id.replaces", reason="the register", dry_run=True)
    assert tried.changes == [
        vitrine.Change(1, {"size": 1.5}, {"size": 1.75}),
        vitrine.Change(2, {}, {}, withdraws=True),
        vitrine.Change(None, {}, {"code": "d", "size": 4}),
    ]
    done = towns.correct(rows, match="id.replaces", reason="the register")
    assert (done.items, done.corrected) == (3, 2)
    assert towns.to_pandas(current=True)["code"].tolist() == ["c", "a", "d"]
    versions = [version for item_id in (1, 2) for version in towns.item(item_id).versions()]
    assert [version.reason for version in versions] == [None, "measured anew", None, "the register"]
    assert [version.change for version in versions] == ["added", "corrected", "added", "withdrawn"]
