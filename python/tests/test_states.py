"""Datasets as they were when their repository had so many items."""

import fsspec
import pytest
from conftest import png

import vitrine


def test_reads_a_repository_and_a_view_as_they_were(server: vitrine.Server, name: str) -> None:
    words = server.push([{"word": f"word {number}"} for number in range(300)], name).dataset
    view = server.create({"name": f"{name}-last", "base": name, "order": ["-id"], "limit": 2})
    before = words.pinned()
    assert (before.reference, before.pinned().at) == (f"{name}@300", 300)
    words.add(word="later")
    for then in (before, server.dataset(f"{name}@300")):
        assert len(then) == 300
        assert then.to_arrow().num_rows == 300
        assert [item.id for item in then.items(order="-id")][:2] == [300, 299]
    assert server.dataset(f"{name}@299").verify().entries == 299
    # It is compared with the log of now, which has to go on from there.
    assert (words.verify().entries, before.verify().entries) == (301, 300)
    assert [item.id for item in server.dataset(f"{view.name}@300")] == [300, 299]
    assert view.to_arrow().column("id").to_pylist() == [301, 300]
    with pytest.raises(vitrine.ApiError, match="repository has fewer items") as refused:
        server.dataset(f"{name}@302")
    assert refused.value.code == "STATE_NOT_FOUND"
    server.delete(view.name)


def test_compares_two_states(server: vitrine.Server, name: str) -> None:
    words = server.push([{"word": f"word {number}"} for number in range(1200)], name).dataset
    last = server.create({"name": f"{name}-last", "base": name, "order": ["-id"], "limit": 2})
    corrected = words.item(7).correct({"word": "word seven"}, reason="in letters")
    words.item(8).withdraw(reason="twice")
    diff = server.dataset(f"{name}@100").diff()
    assert (diff.earlier.at, diff.later.at, diff.added, diff.removed) == (100, 1202, 1102, 0)
    # What comes while it is read is of a later state.
    words.add(word="later")
    changes = list(diff)
    assert [change.item.id for change in changes] == list(range(101, 1203))
    assert (changes[-2].item["word"], changes[-2].replaces) == ("word seven", 7)
    assert (changes[-1].change, changes[-1].withdraws) == ("added", 8)
    frame = server.dataset(f"{name}@1199").diff(to=1201).to_pandas()
    assert frame["id"].tolist() == [1200, corrected.id]
    assert frame["word"].tolist() == ["word 1199", "word seven"]
    assert frame["replaces"].tolist()[1] == 7
    of_view = server.dataset(f"{last.name}@1200").diff(to=1201)
    assert [(each.change, each.item.id) for each in of_view] == [("removed", 1199), ("added", 1201)]
    nothing = words.pinned().diff()
    assert (list(nothing), len(nothing), bool(nothing)) == ([], 0, True)
    assert nothing.to_pandas().columns.tolist()[-1] == "word"
    with pytest.raises(ValueError, match="Name the earlier state"):
        words.diff()
    with pytest.raises(vitrine.ApiError, match="must be at most to"):
        server.dataset(f"{name}@1199").diff(to=3)
    server.delete(last.name)


def test_files_are_those_of_the_state(photos: vitrine.Dataset) -> None:
    photos.add(title="first", image=png(1))
    photos.add(title="second", image=png(2))
    fs = fsspec.filesystem("vitrine", skip_instance_cache=True)
    folder = f"{photos.name}@1/image"
    assert fs.ls(folder, detail=False) == [f"{folder}/1.png"]
    assert not fs.exists(f"{folder}/2.png")
    with fs.open(f"{folder}/1.png") as file:
        assert file.read() == png(1)
    with fs.open(f"vitrine://{photos.name}@1/export.ndjson") as file:
        assert len(file.readlines()) == 1
