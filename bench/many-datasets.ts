import { readConfig } from '../packages/server/src/config.ts'
import { findDataset } from '../packages/server/src/store/datasets.ts'
import { openStore } from '../packages/server/src/store/store.ts'
import { startIssuer } from '../packages/server/test/issuer.ts'
import { Connection, expectJson, requestBytes } from './connection.ts'
import type { DatabaseEnv } from './engine.ts'
import { sizes } from './fill-database.ts'
import { expectItems } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startServerProcess } from './server-process.ts'
import { inTurns, median } from './statistics.ts'

const datasets = 100_000
const groups = 1000
/** Groups of whoever asks: as many as a token of a large tenant lists. */
const own = 200
const pageSize = 20
/** The last page of what they may read, a fifth of all. */
const lastPage = (datasets * own) / groups / pageSize - 1
const rowsAtOnce = 500
const rounds = { list: 40, refusal: 200 }

const requests = {
  'first page': { path: `dataset?pageSize=${pageSize}`, rows: pageSize },
  'last page': { path: `dataset?pageSize=${pageSize}&page=${lastPage}`, rows: pageSize },
  'by name': { path: `search?pageSize=${pageSize}&sort=name`, rows: pageSize },
  'a word': { path: `search?pageSize=${pageSize}&q=dataset-77`, rows: pageSize },
}

/** Lists of what somebody may read among many datasets, and refusals of one that they may not. */
export const manyDatasets: Measurement = {
  name: 'many-datasets',
  run: async (opened, engine) => {
    const issuer = await startIssuer()
    opened.defer(() => issuer.close())
    const groupsOf = Array.from({ length: own }, (_, index) => nameOfGroup(index * (groups / own)))
    const token = await issuer.token({ sub: 'bob', groups: groupsOf })
    const startServer = async (everyone: string) => {
      const database = await engine.filledDatabase(opened)
      await fill(database)
      const server = await startServerProcess({
        env: {
          VITRINE_OIDC_AUTHORITY: issuer.issuer,
          VITRINE_OIDC_CLIENT_ID: issuer.clientId,
          VITRINE_OIDC_AUDIENCE: issuer.audience,
          VITRINE_OIDC_GROUPS_CLAIM: 'groups',
          VITRINE_EVERYONE: everyone,
          ...database,
        },
      })
      opened.use(server)
      const connection = await Connection.open(server.port)
      opened.defer(() => connection.close())
      return async (path: string, status: number, rows?: number) => {
        const request = requestBytes('GET', `/api/${path}`, { authorization: `Bearer ${token}` })
        const began = performance.now()
        const reply = await connection.send(request)
        const took = performance.now() - began
        const body = expectJson(reply, status)
        if (rows !== undefined) expectItems(rows)(body)
        return took
      }
    }
    const [without, withRoles] = [await startServer('owner'), await startServer('none')]
    const figures: Figure[] = []
    for (const [what, { path, rows }] of Object.entries(requests)) {
      const things = {
        without: () => without(path, 200, rows),
        withRoles: () => withRoles(path, 200, rows),
      }
      await inTurns(rounds.list / 10, things)
      const took = await inTurns(rounds.list, things)
      figures.push({
        what: `${what} of 20,000 among 100,000`,
        value: median(took.withRoles),
        unit: 'ms',
        limit: { what: 'of all, without roles', value: median(took.without) },
      })
    }
    for (const path of ['', '/item', '/item/1']) {
      // Of the group that they are not in.
      const things = {
        hidden: () => withRoles(`dataset/${nameOfDataset(1)}${path}`, 404),
        absent: () => withRoles(`dataset/${nameOfDataset(datasets)}${path}`, 404),
      }
      await inTurns(rounds.refusal, things)
      const took = await inTurns(rounds.refusal, things)
      figures.push({
        what: `404 of what is hidden${path}`,
        value: median(took.hidden),
        unit: 'ms',
        limit: { what: 'of what is not there', value: median(took.absent) },
        goal: { atMost: 1.05 },
      })
    }
    return figures
  },
}

const nameOfGroup = (index: number) => `group-${index}`
const nameOfDataset = (index: number) => `dataset-${index}`

/** Adds views on the smallest repository, each given to one of the groups. */
async function fill(env: DatabaseEnv): Promise<void> {
  const store = await openStore(readConfig({ VITRINE_DATA_DIR: 'unused', ...env }))
  const by = 'https://issuer.example bench'
  const base = (await findDataset(store.reads, `items-${sizes[0]}`))!
  for (let from = 0; from < datasets; from += rowsAtOnce) {
    await store.write(async (transaction) => {
      const rows = Array.from({ length: rowsAtOnce }, (_, at) => {
        const name = nameOfDataset(from + at)
        return {
          name,
          kind: 'view' as const,
          definition: JSON.stringify({ name, base: base.name }),
          schema: JSON.stringify(base.schema),
          base_id: base.id,
          created_at: from + at,
          generation: '',
          nonce_key: '',
          created_by: by,
        }
      })
      const ids = await transaction.insertInto('datasets').values(rows).returning('id').execute()
      const grants = ids.map(({ id }, at) => ({
        dataset_id: id,
        kind: 'group' as const,
        principal: nameOfGroup((from + at) % groups),
        role: 'reader' as const,
        granted_by: by,
        granted_at: from,
      }))
      await transaction.insertInto('grants').values(grants).execute()
    })
  }
  await store.close()
}
