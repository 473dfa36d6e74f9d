// Compares Parquet libraries by writing and reading rows of ten columns (docs/decisions/exports.md):
//   npm install --prefix FOLDER hyparquet hyparquet-compressors hyparquet-writer @duckdb/node-api parquet-wasm apache-arrow
//   node bench/parquet-libraries.mjs FOLDER write none|snappy|zstd|duckdb|wasm
//   node bench/parquet-libraries.mjs FOLDER read hyparquet|duckdb|wasm     (what `write duckdb` has written)
// It prints the seconds of processor time, those for making the values (`none`) included, and the most memory.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'

const [folder = '.', action, library] = process.argv.slice(2)
const rowCount = Number(process.env['ROWS'] ?? 1_000_000)
const groupRows = 8192
const load = (name) => import(createRequire(join(folder, 'package.json')).resolve(name))
const fileOf = (writer) => join(folder, `${writer}.parquet`)

/** Kinds of columns, and the value of each in a row. */
const columns = {
  id: ['int64', (row) => BigInt(row)],
  name: ['text', (row) => `City ${row}`],
  country: ['text', (row) => `C${row % 250}`],
  population: ['int64', (row) => (row % 11 === 0 ? null : BigInt(row * 7))],
  latitude: ['double', (row) => row / 1000],
  flag: ['boolean', (row) => row % 3 === 0],
  day: ['date', (row) => 20_000 + (row % 5000)],
  moment: ['timestamp', (row) => 1_700_000_000_000_000n + BigInt(row) * 1_000_001n],
  code: ['text', (row) => (row % 7 === 0 ? null : `code-${row % 1000}-x`)],
  about: ['text', (row) => `{"a":${row},"b":[1,2]}`],
}

function* groups(size = groupRows) {
  for (let from = 0; from < rowCount; from += size) {
    const length = Math.min(size, rowCount - from)
    yield Object.entries(columns).map(([name, [kind, valueOf]]) => {
      return { name, kind, data: Array.from({ length }, (_, at) => valueOf(from + at)) }
    })
  }
}

const params = { [constants.ZSTD_c_compressionLevel]: 1 }

async function writeHyparquet(codec) {
  const { ByteWriter, ParquetWriter } = await load('hyparquet-writer')
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  const elements = {
    int64: { type: 'INT64' },
    text,
    double: { type: 'DOUBLE' },
    boolean: { type: 'BOOLEAN' },
    date: { type: 'INT32', converted_type: 'DATE' },
    timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
  }
  const named = Object.entries(columns).map(([name, [kind]]) => {
    return { name, repetition_type: 'OPTIONAL', ...elements[kind] }
  })
  const writer = new ByteWriter()
  const schema = [{ name: 'root', num_children: named.length }, ...named]
  const compressors = { ZSTD: (bytes) => zstdCompressSync(bytes, { params }) }
  const parquet = new ParquetWriter({ writer, schema, codec, compressors })
  const chunks = []
  const take = () => {
    chunks.push(writer.getBytes().slice())
    writer.index = 0
  }
  for (const group of groups()) {
    await parquet.write({
      columnData: group.map(({ name, data }) => ({ name, data })),
      rowGroupSize: groupRows,
    })
    take()
  }
  await parquet.finish()
  take()
  return chunks
}

async function writeDuckdb() {
  const duckdb = await load('@duckdb/node-api')
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const types = {
    int64: 'bigint',
    text: 'varchar',
    double: 'double',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamptz',
  }
  const named = Object.entries(columns).map(([name, [kind]]) => `${name} ${types[kind]}`)
  await connection.run(`create table rows(${named.join(', ')})`)
  const appender = await connection.createAppender('rows')
  const kinds = {
    int64: duckdb.BIGINT,
    text: duckdb.VARCHAR,
    double: duckdb.DOUBLE,
    boolean: duckdb.BOOLEAN,
    date: duckdb.DATE,
    timestamp: duckdb.TIMESTAMPTZ,
  }
  const wrap = {
    date: (days) => new duckdb.DuckDBDateValue(days),
    timestamp: (micros) => new duckdb.DuckDBTimestampTZValue(micros),
  }
  for (const group of groups(2048)) {
    const chunk = duckdb.DuckDBDataChunk.create(group.map(({ kind }) => kinds[kind]))
    chunk.setColumns(
      group.map(({ kind, data }) => (wrap[kind] === undefined ? data : data.map(wrap[kind]))),
    )
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
  await connection.run(
    `copy rows to '${fileOf('duckdb')}' (format parquet, row_group_size ${groupRows})`,
  )
}

async function writeWasm() {
  const { Compression, Table, transformParquetStream, WriterPropertiesBuilder } =
    await load('parquet-wasm')
  const arrow = await load('apache-arrow')
  const types = {
    int64: new arrow.Int64(),
    text: new arrow.Utf8(),
    double: new arrow.Float64(),
    boolean: new arrow.Bool(),
    date: new arrow.Int32(),
    timestamp: new arrow.Int64(),
  }
  const input = new ReadableStream({
    start: (controller) => {
      for (const group of groups()) {
        const vectors = group.map(({ name, kind, data }) => [
          name,
          arrow.vectorFromArray(data, types[kind]),
        ])
        const bytes = arrow.tableToIPC(new arrow.Table(Object.fromEntries(vectors)), 'stream')
        for (const batch of Table.fromIPCStream(bytes).recordBatches()) controller.enqueue(batch)
      }
      controller.close()
    },
  })
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setMaxRowGroupSize(groupRows)
  return Array.fromAsync(await transformParquetStream(input, properties.build()))
}

async function readHyparquet() {
  const { asyncBufferFromFile, parquetRead } = await load('hyparquet')
  const { compressors } = await load('hyparquet-compressors')
  const file = await asyncBufferFromFile(fileOf('duckdb'))
  await parquetRead({ file, compressors, onChunk: ({ columnData }) => columnData.length })
}

async function readDuckdb() {
  const { DuckDBInstance } = await load('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const rows = await connection.stream(`select * from '${fileOf('duckdb')}'`)
  for (
    let chunk = await rows.fetchChunk();
    chunk !== null && chunk.rowCount > 0;
    chunk = await rows.fetchChunk()
  ) {
    for (let index = 0; index < chunk.columnCount; index += 1) chunk.getColumnValues(index)
  }
}

async function readWasm() {
  const { ParquetFile } = await load('parquet-wasm')
  const { tableFromIPC } = await load('apache-arrow')
  const file = await ParquetFile.fromFile(new Blob([readFileSync(fileOf('duckdb'))]))
  for await (const batch of await file.stream({ batchSize: 65_536 })) {
    const table = tableFromIPC(batch.intoIPCStream())
    for (const { name } of table.schema.fields) Array.from(table.getChild(name))
  }
}

const actions = {
  write: {
    none: async () => void Array.from(groups(), () => 0),
    snappy: () => writeHyparquet('SNAPPY'),
    zstd: () => writeHyparquet('ZSTD'),
    duckdb: writeDuckdb,
    wasm: writeWasm,
  },
  read: { hyparquet: readHyparquet, duckdb: readDuckdb, wasm: readWasm },
}

const before = process.cpuUsage()
const chunks = await actions[action][library]()
const { user, system } = process.cpuUsage(before)
if (chunks !== undefined) writeFileSync(fileOf(library), Buffer.concat(chunks))
const size =
  action === 'write' && library !== 'none' ? `${statSync(fileOf(library)).size} bytes, ` : ''
const memory = Math.round(process.resourceUsage().maxRSS / 1024)
console.log(`${action} ${library}: ${(user + system) / 1e6} s, ${size}${memory} MiB`)
