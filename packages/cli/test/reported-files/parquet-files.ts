import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ReportedFile } from './reported-file.ts'

const parquet = (name: string) => readFileSync(join(import.meta.dirname, name))

export const parquetFiles: ReportedFile[] = [
  {
    report: 'hyparam/hyparquet#99',
    what: 'moments with nanoseconds',
    name: 'nanoseconds.parquet',
    content: parquet('nanoseconds.parquet'),
    fields: { at: 'string' },
    rows: [{ at: '2022-12-31T05:33:14.127456789Z' }, { at: '2020-06-28T22:17:33.123456789Z' }],
  },
  {
    report: 'hyparam/hyparquet-writer#8',
    what: 'negative decimals of 29 digits',
    name: 'decimals.parquet',
    content: parquet('decimals.parquet'),
    fields: { amount: 'string' },
    rows: [
      { amount: '-12345.67' },
      { amount: '-123456789012345678901234567.89' },
      { amount: '0.05' },
    ],
  },
  {
    report: 'duckdb/duckdb#9852',
    what: 'integers without a sign, above 2^63',
    name: 'unsigned.parquet',
    content: parquet('unsigned.parquet'),
    fields: { n: 'string' },
    rows: [{ n: '0' }, { n: '9223372036854775808' }, { n: '18446744073709551615' }],
  },
  {
    report: 'aloneguid/parquet-dotnet#748',
    what: 'times of a day',
    name: 'times.parquet',
    content: parquet('times.parquet'),
    fields: { starts: 'string' },
    rows: [{ starts: '08:30:00' }, { starts: '23:59:59.25' }],
  },
  {
    report: 'apache/arrow#38271',
    what: 'pages packed as several members of gzip',
    name: 'members.parquet',
    content: Buffer.from(
      parquetWriteBuffer({
        columnData: [{ name: 'n', data: [1, 2, 3], type: 'INT32' }],
        codec: 'GZIP',
        compressors: {
          GZIP: (bytes) => Buffer.concat([gzipSync(bytes.slice(0, 5)), gzipSync(bytes.slice(5))]),
        },
      }),
    ),
    fields: { n: 'integer' },
    rows: [{ n: 1 }, { n: 2 }, { n: 3 }],
  },
]
