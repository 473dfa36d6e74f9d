"""Items added one by one."""

import io
from datetime import date, datetime, timezone
from pathlib import Path

import pytest
from conftest import png

import vitrine


def test_adds_an_item_with_a_value_of_every_type(photos: vitrine.Dataset, tmp_path: Path) -> None:
    file = tmp_path / "pass.png"
    file.write_bytes(png(255))
    moment = datetime(2026, 11, 22, 15, 4, 5, 250_000, tzinfo=timezone.utc)
    values = {
        "title": "Pass,\r\nat dawn \U0001f304",
        "width": 4000,
        "rating": 4.5,
        "public": True,
        "taken_on": date(2026, 11, 22),
        "taken_at": moment,
        "page": "https://example.org/",
        "camera": {"lens": [35, 1.8], "flash": None},
    }
    first = photos.add(values, image=file)
    second = photos.add(title="Copy", original=first, width=None)
    read = photos.item(first.id)
    assert {name: read[name] for name in values} == values
    assert read["image"].read() == png(255)
    assert b"".join(read["image"].chunks()) == png(255)
    assert read.created_at is not None
    assert dict(second) == {"title": "Copy", "original": first.id}
    assert [item.id for item in photos] == [first.id, second.id]
    assert len(photos) == 2
    assert read.verify().values == 9


def test_takes_files_as_bytes_and_as_open_files(photos: vitrine.Dataset, tmp_path: Path) -> None:
    assert photos.add(title="bytes", image=png(1))["image"].read() == png(1)
    assert photos.add(title="memory", image=io.BytesIO(png(2)))["image"].read() == png(2)
    (tmp_path / "no ending").write_bytes(png(3))
    assert photos.add(title="path", image=str(tmp_path / "no ending"))["image"].read() == png(3)


def test_tells_what_does_not_conform_by_its_code(photos: vitrine.Dataset, tmp_path: Path) -> None:
    with pytest.raises(vitrine.ApiError, match="title: is required") as refused:
        photos.add(width=1)
    assert (refused.value.code, refused.value.status) == ("DATA_NOT_CONFORMING", 422)
    with pytest.raises(vitrine.ApiError) as refused:
        photos.add(title="x", hight=1)
    assert refused.value.code == "FIELD_NOT_IN_SCHEMA"
    (tmp_path / "notes.txt").write_text("text")
    with pytest.raises(vitrine.ApiError) as refused:
        photos.add(title="x", image=tmp_path / "notes.txt")
    assert refused.value.code == "DATA_NOT_CONFORMING"
    with pytest.raises(ValueError, match=r"width: 'wide' is no whole number"):
        photos.add(title="x", width="wide")
    assert len(photos) == 0


def test_tells_who_is_not_signed_in_and_what_is_not_there(server: vitrine.Server) -> None:
    with pytest.raises(vitrine.ApiError) as refused:
        vitrine.Server(server.url, "no token").dataset("cities")
    assert refused.value.code == "TOKEN_INVALID"
    with pytest.raises(vitrine.ApiError) as refused:
        server.dataset("there is none")
    assert refused.value.code == "DATASET_NOT_FOUND"
    with pytest.raises(vitrine.VitrineError, match="No Vitrine answers at http://127"):
        vitrine.connect("http://127.0.0.1:9")
    # A token is asked for at every call, for those that expire.
    token = server.connection._token
    assert len(list(vitrine.Server(server.url, lambda: str(token)).datasets())) > 0
