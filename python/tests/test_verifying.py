"""What verifying finds: values, logs and histories that were changed behind the server's back."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import png

import vitrine


@pytest.fixture
def words(server: vitrine.Server, name: str) -> vitrine.Dataset:
    """A repository of 300 items: more than one tile of its log."""
    return server.push([{"word": f"word {number}"} for number in range(300)], name).dataset


def change(statement: str, name: str) -> None:
    """Changes the items of a repository in the database of the server."""
    with closing(sqlite3.connect(Path(os.environ["VITRINE_TEST_DATA_DIR"]) / "vitrine.db")) as database, database:
        (number,) = database.execute("SELECT id FROM datasets WHERE name = ?", (name,)).fetchone()
        assert database.execute(statement.replace("items", f"items_{number}")).rowcount == 1


def test_passes_and_remembers_what_it_saw(words: vitrine.Dataset, settings: Path) -> None:
    first = words.verify()
    assert (first.items, first.values, first.entries, first.damage) == (300, 300, 300, [])
    words.add(word="one more")
    words.item(301).verify()
    kept = json.loads((settings / "logs.json").read_text())
    key = f"{words.connection.url}/repo/{words.name}"
    assert kept[key]["size"] == 301
    assert (settings / "logs.json").stat().st_mode & 0o077 == 0
    assert words.verify().entries == 301


def test_tells_a_value_that_was_changed(words: vitrine.Dataset) -> None:
    change("UPDATE items SET f0 = 'changed' WHERE id = 7", words.name)
    with pytest.raises(vitrine.VerificationError, match="item 7, word: is not what has the digest") as found:
        words.verify()
    # The entry of its item is another one, too, so the log is not what was signed.
    assert [(each.item, each.field) for each in found.value.verification.damage] == [(7, "word"), (None, None)]
    with pytest.raises(vitrine.VerificationError, match="item 7, word: is not what was added"):
        words.item(7).verify()
    words.item(8).verify()


def test_tells_a_value_that_is_gone_and_a_moment_that_was_changed(photos: vitrine.Dataset) -> None:
    photos.add(title="one", width=3)
    photos.add(title="two")
    photos.verify()
    change("UPDATE items SET f1 = NULL WHERE id = 1", photos.name)
    with pytest.raises(vitrine.VerificationError, match="item 1: is not what its entry in the log says"):
        photos.verify()
    change("UPDATE items SET created_at = created_at + 1000 WHERE id = 2", photos.name)
    with pytest.raises(vitrine.VerificationError, match="not those that its checkpoint is signed for"):
        photos.verify()


def test_tells_an_item_that_was_removed(words: vitrine.Dataset) -> None:
    words.verify()
    change("DELETE FROM items WHERE id = 300", words.name)
    with pytest.raises((vitrine.VerificationError, vitrine.ApiError)) as found:
        words.verify()
    assert "missing" in str(found.value) or "in the log alone" in str(found.value)


def test_tells_a_history_that_was_rewritten(words: vitrine.Dataset, settings: Path) -> None:
    words.verify()
    file = settings / "logs.json"
    kept = json.loads(file.read_text())
    (key,) = kept

    def remember(**changed: object) -> None:
        file.write_text(json.dumps({key: {**kept[key], **changed}}))

    words.add(word="one more")
    remember(root="0" * 64)
    with pytest.raises(vitrine.VerificationError, match="its history was rewritten") as found:
        words.verify()
    (damage,) = found.value.verification.damage
    assert damage.checkpoints is not None
    before, now = damage.checkpoints
    assert before == kept[key]["note"]
    assert now.split("\n")[1] == "301"
    remember(size=400)
    with pytest.raises(vitrine.VerificationError, match="shorter than the state with 400 items"):
        words.item(1).verify()
    remember(key="another")
    with pytest.raises(vitrine.VerificationError, match="has another key"):
        words.verify()
    remember(origin="localhost/api/repo/words.0000000000/log")
    with pytest.raises(vitrine.VerificationError, match=r"another log than .*deleted and created again"):
        words.verify()
    remember(key="another")
    # What did not pass is not remembered.
    assert json.loads(file.read_text())[key]["key"] == "another"
    remember(origin=None)
    assert words.verify().entries == 301


def test_tells_a_file_that_was_damaged(photos: vitrine.Dataset) -> None:
    item = photos.add(title="Pass", image=png(200))
    photos.add(title="Same bytes", image=png(200))
    assert photos.verify().bytes == len(png(200)) + len("PassSame bytes")
    blobs = Path(os.environ["VITRINE_TEST_DATA_DIR"]) / "blobs"
    (blob,) = [file for file in blobs.rglob("*") if file.name.endswith(item["image"].sha256[-40:])]
    blob.chmod(0o600)
    blob.write_bytes(png(201))
    with pytest.raises(vitrine.VerificationError, match=r"item 1, image: .*; item 2, image: "):
        photos.verify()
    with pytest.raises(vitrine.VerificationError, match="item 1, image: is not what was added"):
        photos.item(1).verify()
    with pytest.raises(ValueError, match="The bytes have the digest"):
        item["image"].read()
