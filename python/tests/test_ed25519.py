"""The test vectors of RFC 8032 §7.1, and what must not pass."""

import pytest

from vitrine.log import ed25519

# Key, message and signature of TEST 1, 2, 3 and of TEST SHA(abc).
VECTORS = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd"
        "25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c3"
        "87b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594"
        "a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303"
        "dca179c138ac17ad9bef1177331a704",
    ),
]
ORDER = 2**252 + 27742317777372353535851937790883648493


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_takes_the_signatures_of_the_rfc(key: str, message: str, signature: str) -> None:
    assert ed25519.verify(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))


@pytest.mark.parametrize("at", [0, 31, 32, 63])
def test_refuses_a_signature_in_which_a_bit_differs(at: int) -> None:
    key, message, signature = (bytes.fromhex(each) for each in VECTORS[2])
    changed = bytearray(signature)
    changed[at] ^= 1
    assert not ed25519.verify(key, message, bytes(changed))
    assert not ed25519.verify(key, message + b"\0", signature)


def test_refuses_a_second_signature_by_a_scalar_beyond_the_order() -> None:
    key, message, signature = (bytes.fromhex(each) for each in VECTORS[0])
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    assert not ed25519.verify(key, message, signature[:32] + scalar.to_bytes(32, "little"))


@pytest.mark.parametrize("key", [b"", b"\xff" * 32, (2).to_bytes(32, "little")])
def test_refuses_keys_that_are_no_point(key: bytes) -> None:
    assert not ed25519.verify(key, b"", bytes.fromhex(VECTORS[0][2]))
