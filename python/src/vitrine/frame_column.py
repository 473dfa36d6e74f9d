"""What a column of a frame becomes: a field, and a column of Parquet that an import takes."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import Any

from vitrine.errors import VitrineError
from vitrine.field import Field
from vitrine.media_type import OCTET_STREAM, common_media_type, image_type
from vitrine.require import require

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
#: An import gives its own.
GIVEN_BY_IMPORT = ("id", "createdAt")
_CHOICES_MAX = 1000
_LENGTH_MIN, _LENGTH_MAX = 100, 1_000_000
#: Decimals of so many digits are told apart as 64-bit floating point numbers.
_EXACT_DIGITS = 15


class FrameColumn:
    """Converts a column batch by batch, and learns on the way which field it fits."""

    def __init__(self, name: str, field_name: str, arrow_type: Any) -> None:
        self.name = name
        self.field_name = field_name
        self.type, self.written = _types_of(name, arrow_type)
        self._nulls = 0
        self._longest = _length_of(self.written) if self.type == "string" else 0
        self._mimes: set[str] = set()
        is_categorical = self.type == "string" and require("pyarrow").types.is_dictionary(arrow_type)
        #: The categories of a column that has them, as long as they can be choices.
        self._choices: dict[str, None] | None = {} if is_categorical else None

    def convert(self, array: Any) -> Any:
        """An array as it is written to Parquet."""
        pa, pc = require("pyarrow"), require("pyarrow.compute")
        if isinstance(array, pa.ExtensionArray):
            array = array.storage
        if self._choices is not None:
            self._note_choices(array.dictionary.to_pylist())
        if pa.types.is_dictionary(array.type):
            # The texts of Polars, views, cannot be taken from.
            array = array.dictionary.cast(self.written).take(array.indices)
        if self.type == "json" and pa.types.is_nested(array.type):
            array = pa.array([_json_text(value) for value in array.to_pylist()], pa.string())
        elif self.type == "binary" and pa.types.is_struct(array.type):
            array = array.field("bytes")
        if array.type != self.written:
            array = array.cast(self.written)
        self._nulls += array.null_count
        if self.type == "string" and array.type == pa.large_string():
            self._longest = max(self._longest, pc.max(pc.utf8_length(array)).as_py() or 0)
        if self.type == "binary":
            heads = (value.as_buffer()[:16].to_pybytes() for value in array if value.is_valid)
            self._mimes.update(image_type(head) or OCTET_STREAM for head in heads)
        return array

    def field(self) -> Field:
        """The field that all values fit that were converted."""
        optional = self._nulls > 0
        if self.type == "binary":
            return Field(self.field_name, "binary", optional, mime=common_media_type(self._mimes))
        if self.type != "string":
            return Field(self.field_name, self.type, optional)
        choices = None if not self._choices else tuple(self._choices)
        longest = max([self._longest, *map(len, choices or ())])
        return Field(self.field_name, "string", optional, length=_room_for(longest), choices=choices)

    def _note_choices(self, categories: list[Any]) -> None:
        if self._choices is not None:
            self._choices.update(dict.fromkeys(category for category in categories if category is not None))
            if len(self._choices) > _CHOICES_MAX:
                self._choices = None


def field_names(columns: list[str]) -> dict[str, str]:
    """The name of a field for each column: `Full Name` becomes `Full_Name`."""
    names: dict[str, str] = {}
    for column in columns:
        name, number = _field_name(column), 2
        while name in names.values():
            name, number = f"{_field_name(column)[:60]}_{number}", number + 1
        names[column] = name
    return names


def _field_name(column: str) -> str:
    if _NAME.fullmatch(column):
        return column
    plain = unicodedata.normalize("NFKD", column).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_")
    return (plain if re.match(r"[A-Za-z]", plain) else f"column_{plain}".removesuffix("_"))[:63]


def _types_of(name: str, arrow_type: Any) -> tuple[str, Any]:
    """The type of a field, and the type that its column is written with."""
    pa = require("pyarrow")
    is_ = pa.types
    if isinstance(arrow_type, pa.BaseExtensionType):
        if arrow_type.extension_name == "arrow.json":
            return "json", pa.large_string()
        arrow_type = arrow_type.storage_type
    if is_.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    if is_.is_boolean(arrow_type):
        return "boolean", pa.bool_()
    if is_.is_integer(arrow_type):
        return "integer", arrow_type
    if is_.is_floating(arrow_type):
        return "number", pa.float64()
    if is_.is_decimal(arrow_type):
        if arrow_type.precision > _EXACT_DIGITS:
            return "string", arrow_type
        return "integer" if arrow_type.scale == 0 else "number", arrow_type
    if is_.is_date(arrow_type):
        return "date", pa.date32()
    if is_.is_timestamp(arrow_type):
        return "timestamp", arrow_type
    if is_.is_duration(arrow_type):
        return "duration", arrow_type
    if is_.is_time(arrow_type):
        return "string", arrow_type
    if is_.is_string(arrow_type) or is_.is_large_string(arrow_type) or is_.is_string_view(arrow_type):
        return "string", pa.large_string()
    if is_.is_null(arrow_type):
        return "string", pa.large_string()
    if is_.is_binary(arrow_type) or is_.is_large_binary(arrow_type) or is_.is_fixed_size_binary(arrow_type):
        return "binary", pa.large_binary()
    if is_.is_struct(arrow_type) and [field.name for field in arrow_type] == ["bytes", "path"]:
        # Images and sounds of Hugging Face.
        return "binary", pa.large_binary()
    if is_.is_nested(arrow_type):
        return "json", pa.large_string()
    raise VitrineError(f"The column {name!r} is {arrow_type}, which no field takes: convert it, or leave it out")


def _json_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False, default=_json_default)


def _json_default(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise VitrineError(f"JSON has nothing for a value of {type(value).__name__} in a list or a structure")


def _length_of(arrow_type: Any) -> int:
    """The most characters that values have which an import writes as text; 0 of text itself."""
    is_ = require("pyarrow").types
    if is_.is_decimal(arrow_type):
        return int(arrow_type.precision) + len("-0.")
    return len("15:04:05.123456789") if is_.is_time(arrow_type) else 0


def _room_for(longest: int) -> int:
    """A quarter more than the longest value, rounded up to 100, 200, 500 and so on: other frames may come."""
    wanted = max(longest * 1.25, _LENGTH_MIN)
    power = 10 ** math.floor(math.log10(wanted))
    room = next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)
    return int(min(room, _LENGTH_MAX))
