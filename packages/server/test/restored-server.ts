import { join } from 'node:path'
import { ApiError } from '@vitrine/client'
import { readCheckpoint, readNote, type Checkpoint } from '@vitrine/transparency-log'
import { expect } from 'vitest'
import { readConfig } from '../src/config.ts'
import { faultText, withFaultyLogs } from '../src/upkeep/installation/renew-logs.ts'
import { startTestServer, type TestServer } from './server.ts'
import type { TestDatabase } from './test-database.ts'

/** A line of the server's log. */
export type LogLine = { msg: string; repo?: string; fault?: string }

/** A server whose database is put back to an earlier one, while its blobs stay. */
export type RestoredServer = TestServer & {
  lines: LogLine[]
  createRepo: (name: string) => Promise<unknown>
  importWords: (datasetId: string, from: number, to: number) => Promise<void>
  note: (datasetId: string, size?: number) => Promise<string>
  checkpoint: (datasetId: string, size?: number) => Promise<Checkpoint>
  /** Adds so many entries to the audit log. */
  act: (count: number) => Promise<void>
  /** Records checkpoints now, as otherwise every hour. */
  recordCheckpoints: () => Promise<unknown>
  /** Copies the database that it works on while it is stopped. */
  backUp: () => Promise<TestDatabase>
  /** Goes on with a copy of a backup. */
  restore: (backup: TestDatabase, meanwhile?: () => Promise<void>) => Promise<void>
  /** Opens the database that it works on for as long as something is done with it. */
  use: TestDatabase['use']
  /** Variables of a command beside it. */
  environment: () => Record<string, string>
  /** Lets the logs begin anew that cannot be signed, while it is stopped; returns why each could not. */
  renew: () => Promise<string[]>
}

export async function startRestoredServer(): Promise<RestoredServer> {
  const lines: LogLine[] = []
  const logOutput = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) }
  const env = { VITRINE_LOG_LEVEL: 'error', VITRINE_ADMINS: 'alice' }
  const server = await startTestServer(env, { restarts: true, logOutput })
  const { client, dataDir } = server
  /** Those beside the first one. */
  const databases: TestDatabase[] = []
  let current = server.database

  const variables = () => {
    const { address } = current
    const url = address.engine === 'sqlite' ? `sqlite:${address.file}` : address.url
    return { VITRINE_DATABASE_URL: url }
  }
  const environment = () => ({ VITRINE_DATA_DIR: dataDir, ...server.blobs.env, ...variables() })
  const copyOf = async (database: TestDatabase) => {
    const copied = await database.copy(join(dataDir, `copy-${databases.length}`))
    databases.push(copied)
    return copied
  }
  const note = async (datasetId: string, size?: number) =>
    (await client.logCheckpoint({ datasetId, ...(size !== undefined && { size }) })).text()

  return {
    ...server,
    lines,
    environment,
    use: (work) => current.use(work),
    note,
    createRepo: (name) =>
      client.repoCreate({
        body: { name, schema: [{ name: 'word', type: 'string', length: 20 }] },
      }),
    importWords: async (datasetId, from, to) => {
      const words = Array.from({ length: to - from }, (_, at) => `{"word":"w${from + at}"}`)
      const input = { datasetId, format: 'ndjson', wait: 60, body: `${words.join('\n')}\n` }
      expect(await client.importBegin(input as never)).toMatchObject({ state: 'done' })
    },
    checkpoint: async (datasetId, size) =>
      readCheckpoint(readNote(await note(datasetId, size))!.text)!,
    act: async (count) => {
      const body = { name: 'ci', scope: 'read' as const, expiresAt: null }
      for (let made = 0; made < count; made += 1) await client.tokenCreate({ body })
    },
    recordCheckpoints: () => server.upkeep({ recordingMs: 0 }),
    backUp: async () => {
      let copied: TestDatabase | undefined
      await server.restart(variables(), async () => {
        copied = await copyOf(current)
      })
      return copied!
    },
    restore: async (backup, meanwhile) => {
      const copied = await copyOf(backup)
      current = copied
      await server.restart(variables(), meanwhile)
    },
    renew: async () => {
      let faults: string[] = []
      await server.restart(variables(), () =>
        withFaultyLogs(readConfig(environment()), async (logs) => {
          const faulty = await logs.list()
          faults = faulty.map(({ repo, fault }) => faultText(repo?.name, fault))
          await logs.renew(faulty)
        }),
      )
      return faults
    },
    restart: (changed, meanwhile) => server.restart({ ...variables(), ...changed }, meanwhile),
    close: async () => {
      await server.close()
      for (const database of databases) await database.drop()
    },
  }
}

/** Returns the code of the error that a call is refused with; `none` where it is not. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return 'none'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
