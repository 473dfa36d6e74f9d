"""Durations as ISO 8601 writes them, in days of 24 hours, to the microsecond (docs/value-types.md)."""

from __future__ import annotations

import re
from datetime import timedelta

_CANONICAL = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?")


def duration_text(duration: timedelta) -> str:
    """The canonical text of a duration: ``P1DT2H3M4.5S``."""
    micros = duration // timedelta(microseconds=1)
    if micros == 0:
        return "PT0S"
    seconds, fraction = divmod(abs(micros), 1_000_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    rest = f".{fraction:06}".rstrip("0") if fraction else ""
    date = f"{days}D" if days else ""
    time = "".join(f"{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M")) if count)
    time += f"{seconds}{rest}S" if seconds or rest else ""
    return f"{'-' if micros < 0 else ''}P{date}{'T' if time else ''}{time}"


def read_duration(text: str) -> timedelta:
    """Reads a canonical duration.

    :raises ValueError: where it is none
    """
    match = _CANONICAL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no duration")
    sign, days, hours, minutes, seconds, fraction = match.groups()
    size = timedelta(
        days=int(days or 0),
        hours=int(hours or 0),
        minutes=int(minutes or 0),
        seconds=int(seconds or 0),
        microseconds=int((fraction or "").ljust(6, "0")),
    )
    return -size if sign else size
