import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../chromium.mjs'

const folder = import.meta.dirname
const dist = '/node_modules/@duckdb/duckdb-wasm/dist'

/** A page of another site, with what DuckDB-WASM imports. */
const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify(
  {
    imports: {
      'apache-arrow': '/node_modules/apache-arrow/Arrow.dom.mjs',
      tslib: '/node_modules/tslib/tslib.es6.mjs',
      flatbuffers: '/node_modules/flatbuffers/mjs/flatbuffers.js',
    },
  },
)}</script>`

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

const selects = { count: 'count(*)', mean: 'avg(population)' }

/** Has DuckDB-WASM, in a page of another site, read Parquet files; returns the answer as text. */
export async function askDuckDbWasm(
  question: keyof typeof selects,
  urls: readonly string[],
): Promise<string> {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const site = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const isPage = pathname === '/'
    response.setHeader('content-type', types[extname(pathname)] ?? 'text/html')
    const send = async () => response.end(isPage ? page : await readFile(join(folder, pathname)))
    send().catch(() => response.writeHead(404).end())
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const listed = urls.map((url) => `'${url}'`).join(', ')
    const query = `select ${selects[question]} as answer from read_parquet([${listed}])`
    return await tab.evaluate(
      async ({ query, dist }) => {
        const { AsyncDuckDB, VoidLogger } = (await import(`${dist}/duckdb-browser.mjs`)) as DuckDb
        const worker = new Worker(`${dist}/duckdb-browser-eh.worker.js`)
        const database = new AsyncDuckDB(new VoidLogger(), worker)
        await database.instantiate(new URL(`${dist}/duckdb-eh.wasm`, location.href).href)
        const connection = await database.connect()
        const [row] = (await connection.query(query)).toArray()
        return String(row!.answer)
      },
      { query, dist },
    )
  } finally {
    await browser.close()
    site.close()
  }
}

/** The part of DuckDB-WASM that is used; it is not among the packages of the project. */
type DuckDb = {
  VoidLogger: new () => object
  AsyncDuckDB: new (
    logger: object,
    worker: Worker,
  ) => {
    instantiate: (address: string) => Promise<void>
    connect: () => Promise<{
      query: (text: string) => Promise<{ toArray: () => { answer: unknown }[] }>
    }>
  }
}
