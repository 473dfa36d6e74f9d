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
