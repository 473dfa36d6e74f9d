import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@vitrine/client'
import { startSignedInServer } from '../signed-in-server.ts'
import { exportAll, importFile, names, rowCount, rowOf, writeRows } from '../transfers.ts'
import { type Comparison, secondsOf } from './comparison.ts'
import { ensurePeersPython } from './datasette.ts'
import { newPocketBase } from './pocketbase.ts'

/** Rows in and out of files, and what they take on the disk. */
export async function transfers(opened: AsyncDisposableStack): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-transfers-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const csv = join(folder, 'rows.csv')
  writeRows(csv, [names.join(',')], (row) => rowOf(row).join(','))
  const newFolder = () => mkdtempSync(join(folder, 'round-'))

  const importAlone = async (): Promise<number> => {
    const dataDir = newFolder()
    await using signedIn = await startSignedInServer({}, { dataDir })
    const client = createClient({ baseUrl: signedIn.server.url, token: () => signedIn.token })
    // Waited for, as the server ends with this function.
    return await secondsOf(() => importFile(client, { format: 'csv', file: csv }))
  }
  const shellImport = async () => {
    const database = join(newFolder(), 'shell.db')
    return secondsOf(() => {
      execFileSync('sqlite3', [database, '.mode csv', `.import ${csv} rows`], { stdio: 'ignore' })
    })
  }

  // One server for what is exported, which has imported the rows before.
  const dataDir = join(folder, 'exports')
  mkdirSync(dataDir)
  {
    await using signedIn = await startSignedInServer({}, { dataDir })
    const client = createClient({ baseUrl: signedIn.server.url, token: () => signedIn.token })
    await importFile(client, { format: 'csv', file: csv })
  }
  const exporting = opened.use(await startSignedInServer({}, { dataDir }))

  return [
    {
      what: `import of ${rowCount.toLocaleString('en')} rows of CSV`,
      unit: 's',
      vitrine: importAlone,
      peers: [{ name: 'sqlite3 .import', measure: shellImport, goal: 0.4 }],
    },
    {
      what: `Parquet file of ${rowCount.toLocaleString('en')} rows`,
      unit: 's',
      vitrine: () => secondsOf(() => exportAll(exporting, 'parquet', join(folder, 'ours.parquet'))),
      peers: [{ name: 'DuckDB', measure: duckdbExport(folder, csv), goal: 0.33 }],
    },
    {
      what: `bytes on the disk for each of ${rowCount.toLocaleString('en')} rows`,
      unit: 'bytes',
      rounds: 1,
      // By now the file that was sent has been removed, as it is within minutes.
      vitrine: async () => bytesOf(dataDir) / rowCount,
      peers: [{ name: 'PocketBase', measure: () => pocketBaseRowBytes(opened), goal: 1 / 1.3 }],
    },
  ]
}

/** DuckDB writes its own table as it comes; what its start and reading the rows take does not count. */
function duckdbExport(folder: string, csv: string): () => Promise<number> {
  const python = ensurePeersPython()
  const database = join(folder, 'duck.db')
  const run = (code: string) =>
    execFileSync(
      python,
      ['-c', `import duckdb, time; c = duckdb.connect(${JSON.stringify(database)})\n${code}`],
      { encoding: 'utf8' },
    )
  run(`c.execute("create table rows as select * from read_csv('${csv}', all_varchar = true)")`)
  const target = join(folder, 'theirs.parquet')
  return async () =>
    Number(
      run(
        `t = time.perf_counter(); c.execute("copy rows to '${target}' (format parquet)"); print(time.perf_counter() - t)`,
      ),
    )
}

async function pocketBaseRowBytes(opened: AsyncDisposableStack): Promise<number> {
  const { folder, databaseFile, start } = newPocketBase(opened)
  {
    await using empty = await start()
    const fields = names.map((name) => ({ name, type: 'text', max: 100 }))
    await empty.call('collections', { name: 'rows', type: 'base', fields })
  }
  const empty = bytesOf(folder)
  using database = new DatabaseSync(databaseFile)
  const insert = database.prepare(
    `insert into rows (id, ${names.join(', ')}) values (?${', ?'.repeat(names.length)})`,
  )
  database.exec('begin')
  for (let row = 0; row < rowCount; row += 1) {
    insert.run(`r${String(row).padStart(14, '0')}`, ...rowOf(row))
  }
  database.exec('commit; PRAGMA wal_checkpoint(TRUNCATE)')
  return (bytesOf(folder) - empty) / rowCount
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
