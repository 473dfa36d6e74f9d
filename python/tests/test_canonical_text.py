"""Texts over which digests are, by the examples of RFC 8785 and ECMA-262."""

from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from vitrine.canonical_text import canonical_json, canonical_text, number_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        # RFC 8785, Appendix B.
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (9007199254740992.0, "9007199254740992"),
        (295147905179352830000.0, "295147905179352830000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (1e23, "1e+23"),
        (999999999999999700000.0, "999999999999999700000"),
        (1e21, "1e+21"),
        (9.999999999999997e-7, "9.999999999999997e-7"),
        (0.000001, "0.000001"),
        (333333333.3333332, "333333333.3333332"),
        (1e20, "100000000000000000000"),
        (123456.75, "123456.75"),
        (0.1, "0.1"),
        (-12.0, "-12"),
    ],
)
def test_writes_numbers_as_ecma_262_does(number: float, text: str) -> None:
    assert number_text(number) == text


def test_writes_json_as_rfc_8785_does() -> None:
    value = {"\u20ac": "Euro", "\r": "CR", "\ufb33": 1, "1": [1e30, 4.50, 2e-3, None, True], "\U0001f600": "\x0f\n"}
    assert canonical_json(value) == (
        '{"\\r":"CR","1":[1e+30,4.5,0.002,null,true],"\u20ac":"Euro","\U0001f600":"\\u000f\\n","\ufb33":1}'
    )


@pytest.mark.parametrize(
    ("field_type", "value", "text"),
    [
        ("integer", -5, "-5"),
        ("integer", 5.0, "5"),
        ("number", 3, "3"),
        ("boolean", False, "false"),
        ("date", date(2026, 11, 22), "2026-11-22"),
        ("duration", timedelta(days=1, hours=2, minutes=3, seconds=4.5), "P1DT2H3M4.5S"),
        ("duration", timedelta(microseconds=-1), "-PT0.000001S"),
        ("duration", timedelta(days=-1), "-P1D"),
        ("duration", timedelta(0), "PT0S"),
        ("timestamp", datetime(2026, 11, 22, 15, 4, 5, 250_000), "2026-11-22T15:04:05.25Z"),  # noqa: DTZ001
        ("timestamp", datetime(2026, 11, 22, 1, tzinfo=timezone(timedelta(hours=2))), "2026-11-21T23:00:00Z"),
        ("json", {"b": 1, "a": []}, '{"a":[],"b":1}'),
        ("string", "a\r\nb", "a\r\nb"),
    ],
)
def test_writes_values_of_each_type(field_type: str, value: Any, text: str) -> None:
    assert canonical_text(field_type, value) == text


@pytest.mark.parametrize(
    ("field_type", "value"),
    [("integer", 1.5), ("integer", True), ("integer", "5"), ("number", float("nan")), ("number", "1"), ("boolean", 1),
     ("date", datetime(2026, 1, 1, tzinfo=timezone.utc)), ("json", {1, 2})],
)  # fmt: skip
def test_refuses_what_a_type_has_no_text_for(field_type: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"is n|not a day|nothing"):
        canonical_text(field_type, value)
