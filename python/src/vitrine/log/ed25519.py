"""Verifies Ed25519 signatures (RFC 8032 §5.1).

In Python alone: it is about public data, so that it need not take the same time for every input, and a checkpoint
has one signature, which takes some milliseconds. So nobody has to install a library of cryptography for it.
"""

from __future__ import annotations

import hashlib

_P = 2**255 - 19
#: The order of the base point.
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_SQRT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

#: Extended homogeneous coordinates: x = X/Z, y = Y/Z, x y = T/Z.
_Point = tuple[int, int, int, int]


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a message is signed by a key."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key = _decompress(public_key)
    commitment = _decompress(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    # A scalar beyond the order would be a second signature of the same message.
    if key is None or commitment is None or scalar >= _L:
        return False
    challenge = hashlib.sha512(signature[:32] + public_key + message).digest()
    expected = _multiply(int.from_bytes(challenge, "little") % _L, key)
    return _are_equal(_multiply(scalar, _BASE), _add(commitment, expected))


def _decompress(text: bytes) -> _Point | None:
    y = int.from_bytes(text, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= _P:
        return None
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if x_squared == 0:
        return None if sign else (0, y, 1, 0)
    x = pow(x_squared, (_P + 3) // 8, _P)
    if (x * x - x_squared) % _P != 0:
        x = x * _SQRT_OF_MINUS_ONE % _P
    if (x * x - x_squared) % _P != 0:
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _add(p: _Point, q: _Point) -> _Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _multiply(scalar: int, point: _Point) -> _Point:
    product: _Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            product = _add(product, point)
        point = _add(point, point)
        scalar >>= 1
    return product


def _are_equal(p: _Point, q: _Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % _P == 0 and (p[1] * q[2] - q[1] * p[2]) % _P == 0


def _base() -> _Point:
    point = _decompress((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


_BASE = _base()
