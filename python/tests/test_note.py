"""Notes and checkpoints that the formats do not allow; a real server signs those that they do."""

import base64

import pytest

from vitrine.log.note import Checkpoint, SignedNote, VerifierKey

ROOT = bytes(range(32))
SIGNATURE = "\u2014 example.org " + base64.b64encode(bytes(68)).decode() + "\n"
TEXT = f"example.org/repo/x\n5\n{base64.b64encode(ROOT).decode()}\n"


def test_reads_a_checkpoint_with_lines_that_it_does_not_know() -> None:
    for more in ("", "more\n", "more\nand more\n"):
        note = SignedNote.read(f"{TEXT}{more}\n{SIGNATURE}")
        assert note is not None
        assert note.checkpoint() == Checkpoint("example.org/repo/x", 5, ROOT)


@pytest.mark.parametrize(
    "text", [TEXT.replace("5", "05"), TEXT.replace("5\n", "-5\n"), "\n" + TEXT, TEXT[:-8] + "\n", TEXT[:30], "x\n"]
)
def test_refuses_what_is_no_checkpoint(text: str) -> None:
    note = SignedNote.read(f"{text}\n{SIGNATURE}")
    assert note is None or note.checkpoint() is None


@pytest.mark.parametrize("note", ["", TEXT, f"{TEXT}\n", f"{TEXT}\n{SIGNATURE[:-1]}", f"{TEXT}\r\n\n{SIGNATURE}",
                                  f"{TEXT}\n- example.org AAAA\n", f"{TEXT}\n{SIGNATURE}x\n"])  # fmt: skip
def test_refuses_what_is_no_note(note: str) -> None:
    assert SignedNote.read(note) is None


def test_takes_a_key_by_its_id_alone() -> None:
    # The key and the note of https://pkg.go.dev/golang.org/x/mod/sumdb/note.
    text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    key = VerifierKey.read(text)
    assert key is not None
    assert VerifierKey.read(text.replace("c74f20a3", "c74f20a4")) is None
    said = (
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
        "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6R"
        "yyBwJnAM=\n"
    )
    note = SignedNote.read(said)
    assert note is not None
    assert note.is_signed_by(key)
    altered = SignedNote.read(said.replace("answer", "ANSWER"))
    assert altered is not None
    assert not altered.is_signed_by(key)
