"""Writes the Parquet files of reported-files.ts, with pyarrow 26.0.1."""

from datetime import datetime, time, timezone
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

pq.write_table(
    pa.table({"at": pa.array([1672464794127456789, 1593382653123456789], pa.timestamp("ns", tz="UTC"))}),
    "nanoseconds.parquet",
)
amounts = [Decimal("-12345.67"), Decimal("-123456789012345678901234567.89"), Decimal("0.05")]
pq.write_table(pa.table({"amount": pa.array(amounts, pa.decimal128(29, 2))}), "decimals.parquet")
pq.write_table(pa.table({"n": pa.array([0, 2**63, 2**64 - 1], pa.uint64())}), "unsigned.parquet")
pq.write_table(pa.table({"starts": pa.array([time(8, 30), time(23, 59, 59, 250000)], pa.time64("us"))}), "times.parquet")
