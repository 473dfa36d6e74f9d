import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Client, createClient, importFile } from '@vitrine/client'
import { startSignedInServer } from '../../bench/signed-in-server.ts'
import { forwardRequest } from '../forward-request.ts'
import { ensurePythonEnvironment } from '../python-environment.ts'
import { askDuckDbWasm } from './duckdb-wasm.ts'

// `npm run test:readers`: programs of others read a snapshot that takes a sign-in, each by one line: how many rows it has,
// and the mean of one column of ten. Says what they answer, and what they fetch. `READERS_ROWS` says how many rows
// there are, and `READERS` which programs read, as their names parted by commas.

const rows = Number(process.env['READERS_ROWS'] ?? 200_000)
const chosen = process.env['READERS']?.split(',')

type Question = 'count' | 'mean'
type Reader = { lines: Record<Question, string>; takesToken?: true }

const wasm = 'DuckDB-WASM'

/** Lines of Python by which programs read; `urls` are addresses with a signed link, which is all that they are given. */
const readers: Record<string, Reader> = {
  DuckDB: {
    lines: {
      count:
        'import duckdb; print(duckdb.sql(f"select count(*) from read_parquet({urls})").fetchone()[0])',
      mean: 'import duckdb; print(duckdb.sql(f"select avg(population) from read_parquet({urls})").fetchone()[0])',
    },
  },
  Polars: {
    lines: {
      count: 'import polars as pl; print(pl.scan_parquet(urls).select(pl.len()).collect().item())',
      mean: 'import polars as pl; print(pl.scan_parquet(urls).select(pl.col("population").mean()).collect().item())',
    },
  },
  pandas: {
    lines: {
      count:
        'import pandas as pd; print(sum(len(pd.read_parquet(url, columns=["population"])) for url in urls))',
      mean: 'import pandas as pd; print(pd.concat(pd.read_parquet(url, columns=["population"]) for url in urls)["population"].mean())',
    },
  },
  fsspec: {
    lines: {
      count:
        'import fsspec, pyarrow.parquet as pq; print(sum(pq.read_metadata(fsspec.open(url, cache_type="none").open()).num_rows for url in urls))',
      mean: 'import fsspec, pyarrow as pa, pyarrow.compute as pc, pyarrow.parquet as pq; print(pc.mean(pa.concat_tables(pq.read_table(fsspec.open(url, cache_type="none").open(), columns=["population"]) for url in urls)["population"]))',
    },
  },
  pyarrow: {
    lines: {
      count:
        'import fsspec, pyarrow.dataset as ds; print(ds.dataset(urls, filesystem=fsspec.filesystem("http", cache_type="none")).count_rows())',
      mean: 'import fsspec, pyarrow.compute as pc, pyarrow.dataset as ds; print(pc.mean(ds.dataset(urls, filesystem=fsspec.filesystem("http", cache_type="none")).to_table(columns=["population"])["population"]))',
    },
  },
  datasets: {
    lines: {
      count:
        'import datasets; print(sum(1 for _ in datasets.load_dataset("parquet", data_files=urls, split="train", streaming=True, columns=["population"])))',
      mean: 'import datasets, statistics; print(statistics.fmean(row["population"] for row in datasets.load_dataset("parquet", data_files=urls, split="train", streaming=True, columns=["population"])))',
    },
  },
  // It reads Croissant by a link, and the files that this names, whose addresses have none, by the token in
  // CROISSANT_BASIC_AUTH_PASSWORD.
  mlcroissant: {
    takesToken: true,
    lines: {
      count:
        'import mlcroissant as mlc; print(sum(1 for _ in mlc.Dataset(jsonld=croissant).records("cities")))',
      mean: 'import mlcroissant as mlc, statistics; print(statistics.fmean(row["cities/population"] for row in mlc.Dataset(jsonld=croissant).records("cities")))',
    },
  },
}

/** Loads the extension of DuckDB for addresses, which it gets from the network otherwise. */
const loadExtension = [
  'import duckdb, duckdb_extension_httpfs, pathlib',
  'path, = pathlib.Path(duckdb_extension_httpfs.__path__[0]).rglob("*.duckdb_extension")',
  'duckdb.load_extension(str(path))',
]

const counted = { requests: 0, bytes: 0 }
let target = 0
const proxy = createServer((incoming, outgoing) => {
  const forward = async () => {
    const reply = await forwardRequest(incoming, target)
    counted.requests += 1
    outgoing.writeHead(reply.statusCode!, reply.headers)
    reply.on('data', (chunk: Buffer) => (counted.bytes += chunk.length))
    await pipeline(reply, outgoing)
  }
  forward().catch(() => outgoing.destroy())
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
const publicUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`

const python = ensurePythonEnvironment(join(import.meta.dirname, 'requirements.txt'))
await using started = await startSignedInServer({ VITRINE_PUBLIC_URL: publicUrl })
await using closing = new AsyncDisposableStack()
closing.defer(() => void proxy.close())
target = started.server.port
const client = createClient({ baseUrl: publicUrl, token: () => started.token })
await fill(client)
const began = performance.now()
const state = { datasetId: `cities@${rows}` }
const { parts, bytes } = await client.datasetSnapshot(state)
console.log(
  `${rows.toLocaleString('en')} rows of ten columns: ${parts.length} files of ${bytes.toLocaleString('en')} bytes, after ${seconds(began)} s`,
)
const named = { name: 'test:readers', hours: 1 }
const { link } = await client.linkCreate({ datasetId: 'cities', body: named })
const { token } = await client.tokenCreate({
  body: { name: 'test:readers', scope: 'read', expiresAt: null },
})
const urls = parts.map(({ url }) => `${url}?link=${link}`)
const croissant = `${publicUrl}/api/dataset/cities/export?format=croissant&at=${rows}&link=${link}`
const wanted = { count: rows, mean: (rows - 1) / 2 }

let failures = 0
for (const name of [...Object.keys(readers), wasm]) {
  if (chosen !== undefined && !chosen.includes(name)) continue
  for (const question of ['count', 'mean'] as const) {
    Object.assign(counted, { requests: 0, bytes: 0 })
    const from = performance.now()
    const answer = await ask(name, question).catch((error: unknown) => String(error))
    const isRight = Number(answer) === wanted[question]
    if (!isRight) failures += 1
    const fetched = `${counted.requests} requests, ${counted.bytes.toLocaleString('en')} bytes`
    console.log(
      `${name}, ${question}: ${isRight ? fetched : `WRONG: ${answer}`}, ${seconds(from)} s`,
    )
  }
}
if (failures > 0) process.exitCode = 1

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1)
}

async function ask(name: string, question: Question): Promise<string> {
  if (name === wasm) return askDuckDbWasm(question, urls)
  const { lines, takesToken } = readers[name]!
  const given = `urls = ${JSON.stringify(urls)}; croissant = ${JSON.stringify(croissant)}`
  const program = [given, ...(name === 'DuckDB' ? loadExtension : []), lines[question]]
  const password = takesToken && {
    CROISSANT_BASIC_AUTH_USERNAME: 'x',
    CROISSANT_BASIC_AUTH_PASSWORD: token,
  }
  const child = spawn(python, ['-c', program.join('\n')], { env: { ...process.env, ...password } })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (stdout === '') throw new Error(stderr.trim().split('\n').at(-1))
  return stdout.trim()
}

/** Makes cities with ten fields, of which `population` counts from 0. */
async function fill(client: Client): Promise<void> {
  const integers = ['population', 'area', 'founded', 'height']
  const texts = ['name', 'country', 'region', 'mayor', 'river', 'motto']
  const schema = [
    ...integers.map((name) => ({ name, type: 'integer' })),
    ...texts.map((name) => ({ name, type: 'string', length: 40 })),
  ]
  await client.repoCreate({ body: { name: 'cities', schema } })
  const batch = 1000
  async function* lines() {
    yield Buffer.from(`${[...integers, ...texts].join(',')}\n`)
    for (let from = 0; from < rows; from += batch) {
      const some = Array.from({ length: Math.min(batch, rows - from) }, (_, at) =>
        cityOf(from + at),
      )
      yield Buffer.from(some.join(''))
    }
  }
  await importFile(client, 'cities', lines(), { format: 'csv' })
}

function cityOf(number: number): string {
  const chance = (number * 2_654_435_761) % 4_294_967_296
  const cells = [
    number,
    chance % 10_000,
    chance % 2026,
    chance % 4000,
    `City ${number}`,
    `Country ${chance % 200}`,
    `Region ${chance % 3000}`,
    `Mayor ${chance % 100_000}`,
    `River ${chance % 500}`,
    `Motto ${chance % 50}`,
  ]
  return `${cells.join(',')}\n`
}
