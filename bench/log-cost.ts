import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@vitrine/client'
import { build } from '../tools/build.mjs'
import type { Engine } from './engine.ts'
import { insertsPerSecond } from './inserts.ts'
import type { Figure, Measurement } from './measurement.ts'
import { secondsOf } from './peers/comparison.ts'
import { type SignedInServer, startSignedInServer } from './signed-in-server.ts'
import { inTurns, mean, median } from './statistics.ts'
import { importFile, names, rowOf, writeRows } from './transfers.ts'

/** `LOG_ROWS=10000000 npm run bench log-cost` for the figures of docs/performance.md. */
const rowCount = Number(process.env['LOG_ROWS'] ?? 1_000_000)
const rounds = 7
/** In both orders, as what comes later finds fuller disks. */
const importRounds = 2
const ways = ['in one request', '64 a request'] as const
const schema = [
  { name: 'title', type: 'string', length: 120 },
  { name: 'note', type: 'string', length: 400 },
]

/** The server as its sources are, for in a build no module can be replaced. */
const file = fileURLToPath(import.meta.resolve('../packages/server/src/main.ts'))
const preload = `--import=${import.meta.resolve('./without-log.ts')}`

/** Imports, inserts and disk of a server with its log, beside those of one that writes none. */
export const logCost: Measurement = {
  name: 'log-cost',
  run: async (opened, engine) => {
    build()
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-log-cost-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const rows = join(folder, 'rows.csv')
    writeRows(rows, [names.join(',')], (row) => rowOf(row).join(','), rowCount)
    const open = async (name: string, env: Record<string, string> = {}) => {
      const dataDir = join(folder, name)
      mkdirSync(dataDir)
      const database = await engine.newDatabase()
      const signedIn = await startSignedInServer({ ...database, ...env }, { dataDir, file })
      return { ...opened.use(signedIn), dataDir }
    }
    const without = await open('without', { NODE_OPTIONS: preload })
    const logged = await open('with')
    const what = 'without the log'
    const count = rowCount.toLocaleString('en')

    let repos = 0
    const importInto = async (signedIn: SignedInServer) => {
      const name = `rows-${(repos += 1)}`
      const seconds = await secondsOf(() =>
        importFile(clientOf(signedIn), { format: 'csv', file: rows, name }),
      )
      return { seconds, name }
    }
    const imports = await inTurns<'without' | 'logged', { seconds: number; checkpoint?: number }>(
      importRounds,
      {
        without: () => importInto(without),
        logged: async () => {
          const { seconds, name } = await importInto(logged)
          const read = () => clientOf(logged).logCheckpoint({ datasetId: name })
          return { seconds, checkpoint: await secondsOf(read) }
        },
      },
    )
    const figures: Figure[] = [
      {
        what: `import of ${count} rows, one of ${importRounds} each`,
        value: mean(imports.logged.map(({ seconds }) => seconds)),
        unit: 's',
        limit: { what, value: mean(imports.without.map(({ seconds }) => seconds)) },
      },
      {
        what: 'the first checkpoint after it',
        value: mean(imports.logged.map(({ checkpoint }) => checkpoint!)),
        unit: 's',
      },
    ]
    const size = sizeOn(engine)
    if (size !== undefined) {
      const [value, limit] = [logged, without].map(
        ({ dataDir }) => size(dataDir) / rowCount / importRounds,
      ) as [number, number]
      figures.push({
        what: `disk for each of ${count} rows`,
        value,
        unit: 'bytes',
        limit: { what, value: limit },
      })
    }

    const repo = 'inserts'
    const servers = { logged, without }
    for (const { server, token } of Object.values(servers)) {
      const client = createClient({ baseUrl: server.url, token: () => token })
      await client.repoCreate({ body: { name: repo, schema } })
    }
    for (const way of ways) {
      for (const clients of [1, 64]) {
        const measure =
          ({ server, token }: SignedInServer) =>
          () =>
            insertsPerSecond(token, {
              ports: [server.port],
              repo,
              names: schema.map(({ name }) => name),
              clients,
              way,
            })
        const both = { logged: measure(logged), without: measure(without) }
        await inTurns(1, both)
        const values = await inTurns(rounds, both)
        figures.push({
          what: `items ${way}, ${clients === 1 ? '1 client' : `${clients} clients`}`,
          value: median(values.logged),
          unit: '/s',
          limit: { what, value: median(values.without) },
        })
      }
    }
    return figures
  },
}

const clientOf = ({ server, token }: SignedInServer) =>
  createClient({ baseUrl: server.url, token: () => token })

/** Returns what measures a database in a data folder, in bytes; undefined of one that is elsewhere. */
function sizeOn({ name }: Engine): ((dataDir: string) => number) | undefined {
  return name === 'sqlite' ? (dataDir) => statSync(join(dataDir, 'vitrine.db')).size : undefined
}
