"""Files of proofs that the format does not allow; a real server writes those that it does."""

import base64

import pytest

from vitrine.log.proof import LogProof

ONE, TWO = (base64.b64encode(bytes([each]) * 32).decode() for each in (1, 2))
TEXT = f"c2sp.org/tlog-proof@v1\nextra Bw==\nindex 1\n{ONE}\n{TWO}\n\nexample.org/log\n3\nroot\n\nsigned\n"


def test_reads_a_proof() -> None:
    checkpoint = "example.org/log\n3\nroot\n\nsigned\n"
    assert LogProof.read(TEXT) == LogProof(1, (b"\x01" * 32, b"\x02" * 32), checkpoint, b"\x07")
    alone = TEXT.replace("extra Bw==\n", "").replace(f"{ONE}\n{TWO}\n", "").replace("index 1", "index 0")
    assert LogProof.read(alone) == LogProof(0, (), checkpoint, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@v1", "@v2"),
        ("index 1", "index 01"),
        ("index 1", "index -1"),
        ("index 1\n", ""),
        ("\n\n", "\n"),
        (ONE, ONE[4:]),
        (TWO, f"{TWO[:-2]}J="),
        ("Bw==", "*"),
        (f"{ONE}\n", f"{ONE}\n" * 63),
    ],
)
def test_refuses_what_is_no_proof(old: str, new: str) -> None:
    assert LogProof.read(TEXT.replace(old, new)) is None
    assert LogProof.read("") is None
