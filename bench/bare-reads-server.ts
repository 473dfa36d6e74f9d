import { DatabaseSync } from 'node:sqlite'
import Fastify, { type FastifyReply } from 'fastify'
import { Pool } from 'pg'
import { readConfig } from '../packages/server/src/config.ts'

/**
 * The limit of reading: bare Fastify and the driver of the engine, the rows of an item or of a page by
 * their key, as JSON of as many bytes as the request says.
 */
type Select = (values: unknown[]) => unknown[] | Promise<unknown[]>

const { port, database } = readConfig(process.env)
const prepare = database.engine === 'sqlite' ? onSqlite(database.file) : onPostgres(database.url)

const [repo] = await prepare('select id from datasets where name = $1')([process.env['BENCH_REPO']])
const table = `items_${(repo as { id: number | string }).id}`
const selectItem = prepare(
  `select id, f0, f1, f2, created_at, f2_mime, f2_size, digests from ${table} where id = $1`,
)
const selectPage = prepare(
  `select id, f0, f1, f2 from ${table} where position >= $1 and position < $2 order by position`,
)
const filler = 'x'.repeat(1_000_000)

const app = Fastify()
app.get('/readyz', async () => ({ status: 'ready' }))
app.get<{ Params: { id: string } }>('/item/:id', async ({ params, headers }, reply) =>
  send(reply, await selectItem([Number(params.id)]), headers['x-bytes']),
)
app.get<{ Querystring: { page: string; pageSize: string } }>(
  '/page',
  async ({ query, headers }, reply) => {
    const [page, pageSize] = [Number(query.page), Number(query.pageSize)]
    const rows = await selectPage([page * pageSize, (page + 1) * pageSize])
    return send(reply, rows, headers['x-bytes'])
  },
)
process.on('SIGTERM', () => process.exit())
await app.listen({ port, host: '127.0.0.1' })

function send(reply: FastifyReply, rows: unknown, bytes: unknown): string {
  const head = `{"rows":${JSON.stringify(rows)},"filler":"`
  reply.header('content-type', 'application/json; charset=utf-8')
  return `${head}${filler.slice(0, Math.max(0, Number(bytes) - head.length - 2))}"}`
}

function onSqlite(file: string): (text: string) => Select {
  const opened = new DatabaseSync(file, { readOnly: true })
  return (text) => {
    const statement = opened.prepare(text.replaceAll('$', '?'))
    return (values) => statement.all(...(values as number[]))
  }
}

function onPostgres(url: string): (text: string) => Select {
  const pool = new Pool({ connectionString: url })
  return (text) => async (values) => (await pool.query(text, values)).rows as unknown[]
}
