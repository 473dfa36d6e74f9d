"""Items that are corrected and withdrawn."""

import pytest
from conftest import png

import vitrine


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
