"""Frames of other libraries as batches of Arrow."""

from __future__ import annotations

from typing import Any

from vitrine.require import require


def batches_of(frame: Any) -> Any:
    """A `pyarrow.RecordBatchReader` of a frame of pandas, Polars, Arrow, DuckDB or Hugging Face, or of a list of
    dictionaries.

    :raises TypeError: of anything else
    """
    pa = require("pyarrow")
    if isinstance(frame, pa.RecordBatchReader):
        return frame
    if isinstance(frame, pa.RecordBatch):
        frame = pa.Table.from_batches([frame])
    if isinstance(frame, (list, tuple)):
        frame = pa.Table.from_pylist(list(frame))
    library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    if library == "pandas" and kind == "DataFrame":
        # An index without a name only counts the rows.
        is_named = any(name is not None for name in frame.index.names)
        frame = pa.Table.from_pandas(frame, preserve_index=is_named).replace_schema_metadata()
    elif library == "polars" and kind == "LazyFrame":
        frame = frame.collect()
    elif library == "datasets" and kind == "Dataset":
        frame = frame.with_format("arrow")[:]
    elif library == "datasets" and kind == "IterableDataset":
        schema = frame.features.arrow_schema
        tables = frame.with_format("arrow").iter(batch_size=1000)
        batches = (batch for table in tables for batch in table.cast(schema).to_batches())
        return pa.RecordBatchReader.from_batches(schema, batches)
    if isinstance(frame, pa.Table):
        return frame.to_reader()
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(frame)
    kinds = "pandas, Polars, Arrow, DuckDB or Hugging Face"
    raise TypeError(f"{type(frame).__qualname__} is no frame: take one of {kinds}")
