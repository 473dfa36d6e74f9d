import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import { Client } from 'pg'
import { installS3Server, startS3Server } from '../../tools/s3-server.mjs'
import { type Connection, expectJson, requestBytes } from '../connection.ts'
import type { Engine } from '../engine.ts'
import { countPerSecond, insertsPerSecond } from '../inserts.ts'
import { startPeopleServer } from '../people-server.ts'
import { selectPeople } from '../people.ts'
import { startProcesses, startSignedInServer } from '../signed-in-server.ts'
import { exportAll, importFile, names, rowCount, rowOf, writeRows } from '../transfers.ts'
import { type Comparison, secondsOf } from './comparison.ts'
import { warmUps, ways } from './inserts.ts'
import { pageSize, type PeopleProgram } from './people-program.ts'
import { type PostGraphile, queryOver, startPostGraphile } from './postgraphile.ts'
import { compareReads } from './reads.ts'

const processCounts = [1, 3]

/** Items of two texts added one after the other by each client, all at one process or at three. */
export async function postgresInserts(
  opened: AsyncDisposableStack,
  engine: Engine,
): Promise<Comparison[]> {
  const { server, token, ports } = await startProcesses(opened, await engine.newDatabase(), 3)
  const schema = ['title', 'note'].map((name) => ({ name, type: 'string', length: 400 }))
  await createClient({ baseUrl: server.url, token: () => token }).repoCreate({
    body: { name: 'notes', schema },
  })
  const table =
    'create table notes (id bigserial primary key, title text not null, note text not null)'
  const { port } = await postGraphileWith(opened, engine, table)
  return Object.entries(ways).flatMap(([name, { way }]) =>
    [
      { clients: 1, processes: 1 },
      ...processCounts.map((processes) => ({ clients: 64, processes })),
    ].map(({ clients, processes }): Comparison => ({
      what: `insert, ${name}, ${counted(clients, 'client')}, ${counted(processes, 'process')}`,
      unit: '/s',
      rounds: 5,
      warmUps,
      vitrine: () =>
        insertsPerSecond(token, {
          ports: ports.slice(0, processes),
          repo: 'notes',
          names: schema.map((field) => field.name),
          clients,
          way,
        }),
      peers: [
        {
          name: 'PostGraphile',
          measure: () => countPerSecond(createNote, { ports: [port], clients }),
        },
      ],
    })),
  )
}

let notes = 0

async function createNote(connection: Connection): Promise<number> {
  notes += 1
  const text = (name: string) => `The ${name} of item ${notes}, as long as such a text often is`
  await queryOver(
    connection,
    `mutation ($title: String!, $note: String!) {
      createNote(input: { note: { title: $title, note: $note } }) { note { rowId } }
    }`,
    { title: text('title'), note: text('note') },
  )
  return 1
}

/** The comparisons of `reads`, and pages that many clients read at one process or at three. */
export async function postgresReads(
  opened: AsyncDisposableStack,
  engine: Engine,
): Promise<Comparison[]> {
  const size = 1_000_000
  const vitrine = await startPeopleServer(opened, engine, size, { processes: 3 })
  const postGraphile = await postGraphileWith(
    opened,
    engine,
    `create table people (id bigint primary key, name text not null);
    insert into people (id, name) ${selectPeople('n + 1', size)}`,
  )
  const clients = 32
  let pages = 0
  const nextPage = () => {
    pages += 1
    return (pages * 7_919) % Math.floor(size / pageSize)
  }
  const readPage = async (connection: Connection) => {
    const path = `/api/dataset/people/item?page=${nextPage()}&pageSize=${pageSize}`
    const headers = { authorization: `Bearer ${vitrine.token}` }
    expectJson(await connection.send(requestBytes('GET', path, headers)), 200)
    return 1
  }
  const readPageBeside = async (connection: Connection) => {
    await queryOver(connection, pageQuery, { offset: nextPage() * pageSize })
    return 1
  }
  return [
    ...(await compareReads(vitrine, [peopleOf(postGraphile)], size)),
    ...processCounts.map((processes): Comparison => ({
      what: `pages anywhere of ${size.toLocaleString('en')}, ${clients} clients, ${counted(processes, 'process')}`,
      unit: '/s',
      warmUps: 1,
      vitrine: () =>
        countPerSecond(readPage, { ports: vitrine.ports.slice(0, processes), clients }),
      peers: [
        {
          name: 'PostGraphile',
          measure: () => countPerSecond(readPageBeside, { ports: [postGraphile.port], clients }),
        },
      ],
    })),
  ]
}

const person = 'nodes { rowId name }'
const pageQuery = `query ($offset: Int!) {
  allPeople(first: ${pageSize}, offset: $offset) { ${person} }
}`

const peopleOf = ({ query }: PostGraphile): PeopleProgram => ({
  name: 'PostGraphile',
  search: (text, { isSorted }) =>
    query(
      `query ($text: String!) {
        allPeople(
          first: ${pageSize}, filter: { name: { includes: $text } }, orderBy: ${isSorted ? 'NAME_ASC' : 'PRIMARY_KEY_ASC'}
        ) { ${person} }
      }`,
      { text },
    ),
  page: (number) => query(pageQuery, { offset: number * pageSize }),
  count: () => query('{ allPeople { totalCount } }'),
})

/** Rows in and out of files, which Vitrine keeps in a bucket of S3 meanwhile, beside COPY. */
export async function postgresTransfers(
  opened: AsyncDisposableStack,
  engine: Engine,
): Promise<Comparison[]> {
  if (!installS3Server()) throw new Error('there is no S3 server on this machine')
  const s3 = await startS3Server()
  opened.defer(s3.stop)
  const { VITRINE_TEST_BLOB_URL: bucket, ...credentials } = s3.env
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-transfers-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const csv = join(folder, 'rows.csv')
  writeRows(csv, [names.join(',')], (row) => rowOf(row).join(','))

  let installations = 0
  const start = async () => {
    installations += 1
    // Each has files of its own.
    const files = new URL(bucket)
    files.pathname = `installation-${installations}`
    const database = await engine.newDatabase()
    return startSignedInServer({ ...database, ...credentials, VITRINE_BLOB_URL: files.href })
  }
  const importRows = async ({ server, token }: Awaited<ReturnType<typeof start>>) => {
    const client = createClient({ baseUrl: server.url, token: () => token })
    await importFile(client, { format: 'csv', file: csv })
  }
  const importAlone = async () => {
    await using signedIn = await start()
    // Waited for, as the server ends with this function.
    return await secondsOf(() => importRows(signedIn))
  }
  const exporting = opened.use(await start())
  await importRows(exporting)

  const url = await newDatabaseUrl(engine)
  const psql = async (command: string) =>
    secondsOf(() => void execFileSync('psql', [url, '-c', command], { stdio: 'ignore' }))
  await psql(`create table rows (${names.map((name) => `${name} text`).join(', ')})`)
  const of = `of ${rowCount.toLocaleString('en')} rows`
  return [
    {
      what: `import ${of} of CSV`,
      unit: 's',
      vitrine: importAlone,
      peers: [
        {
          name: 'psql \\copy',
          measure: async () => {
            await psql('truncate rows')
            return psql(`\\copy rows from '${csv}' (format csv, header)`)
          },
        },
      ],
    },
    {
      what: `CSV file ${of}`,
      unit: 's',
      vitrine: () => secondsOf(() => exportAll(exporting, 'csv', join(folder, 'ours.csv'))),
      peers: [
        {
          name: 'psql \\copy',
          measure: () =>
            psql(`\\copy rows to '${join(folder, 'theirs.csv')}' (format csv, header)`),
        },
      ],
    },
  ]
}

const counted = (count: number, what: 'client' | 'process') =>
  `${count} ${what}${count === 1 ? '' : what === 'client' ? 's' : 'es'}`

/** A PostGraphile on a new database in which some statements have run. */
async function postGraphileWith(
  opened: AsyncDisposableStack,
  engine: Engine,
  statements: string,
): Promise<PostGraphile> {
  const url = await newDatabaseUrl(engine)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.query('vacuum analyze')
  await client.end()
  return startPostGraphile(opened, url)
}

async function newDatabaseUrl(engine: Engine): Promise<string> {
  const { VITRINE_DATABASE_URL: url } = await engine.newDatabase()
  if (url === undefined) throw new Error('PostgreSQL alone has an address')
  return url
}
