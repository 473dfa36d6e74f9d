"""The canonical text of values, over which their digests are (docs/value-types.md)."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, timedelta, timezone
from typing import Any

from vitrine.duration import duration_text

#: The largest whole number that 64-bit floating point numbers count exactly to.
SAFE_INTEGER_MAX = 2**53 - 1


def canonical_text(field_type: str, value: Any) -> str:
    """The canonical text of a value of a type other than binary.

    :raises ValueError: where the type has no such value
    """
    if field_type in ("integer", "reference"):
        if isinstance(value, (bool, str)) or int(value) != value:
            raise ValueError(f"{value!r} is no whole number")
        return str(int(value))
    if field_type == "number":
        if isinstance(value, (bool, str)):
            raise ValueError(f"{value!r} is no number")
        return number_text(float(value))
    if field_type == "boolean":
        if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
            raise ValueError(f"{value!r} is neither True nor False")
        return "true" if value else "false"
    if field_type == "date":
        if isinstance(value, datetime):
            raise ValueError(f"{value!r} is a moment, not a day")
        return value.isoformat() if isinstance(value, date) else str(value)
    if field_type == "timestamp":
        return moment_text(value) if isinstance(value, datetime) else str(value)
    if field_type == "duration":
        return duration_text(value) if isinstance(value, timedelta) else str(value)
    if field_type == "json":
        return canonical_json(value)
    return str(value)


def moment_text(moment: datetime) -> str:
    """A moment as RFC 3339 in UTC, with no zeros at the end of its fraction; without a zone it is UTC."""
    utc = moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
    text = utc.replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if "." in text else text) + "Z"


def number_text(number: float) -> str:
    """The shortest text that reads back, as ECMA-262 and RFC 8785 §3.2.2.3 write it."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is no finite number")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    # The number is 0.DIGITS times ten to the power of this.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0")
        return sign + text[:point] + (f".{text[point:]}" if len(text) > point else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if power > 0 else '-'}{abs(power)}"


def canonical_json(value: Any) -> str:
    """JSON in the canonical form of RFC 8785; numbers are 64-bit floating point numbers."""
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value) if abs(value) <= SAFE_INTEGER_MAX else number_text(float(value))
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(canonical_json, value))}]"
    if isinstance(value, dict):
        # Keys stand in the order of their UTF-16 code units.
        keys = sorted(value, key=lambda key: str(key).encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical_json(str(key))}:{canonical_json(value[key])}" for key in keys) + "}"
    raise ValueError(f"{type(value).__name__} is nothing that JSON has")
