import { hash } from 'node:crypto'
import { type Client, type KnownLog, type Seen, verifyDataset as verify } from '@vitrine/client'
import * as z from 'zod/mini'
import { showTransfer } from '../command/progress.ts'
import { readValue } from './read-value.ts'
import type { Verified, VerifyOptions } from './verified.ts'
import type { Io } from '../command/io.ts'
import { type SettingsFile, changeSettings, readSettings } from '../sign-in/settings-file.ts'

/**
 * Verifies a dataset as `@vitrine/client` does, and remembers the state of its log.
 * @param at the state that is verified, as it is now where nothing is said
 * @param silenceMs how long a value may send no byte
 * @throws ApiError when the server cannot be reached, or refuses
 */
export async function verifyDataset(
  client: Client,
  datasetId: string,
  {
    io,
    seen,
    signal,
    onDamage,
    hasLog = false,
    at,
    silenceMs,
  }: VerifyOptions & {
    seen: Seen
    hasLog?: boolean
    at?: number | undefined
    silenceMs?: number | undefined
  },
): Promise<Verified> {
  const server = client.options.baseUrl
  const progress = showTransfer(io, datasetId)
  try {
    const { items, values, bytes, entries, log } = await verify(client, datasetId, {
      hash: (read) => new Uint8Array(hash('sha256', read, 'buffer')),
      readFile: (value) => readValue(client, value, { signal, silenceMs }),
      hasLog,
      at,
      findKnown: (repo) => findKnownLog(io, { server, repo }),
      onDamage,
      onProgress: (done) => {
        progress.update(done.bytes)
        progress.note(`${done.items.toLocaleString('en')} items`)
      },
      signal,
      seen,
    })
    if (log?.known !== undefined) await keepKnownLog(io, { server, repo: log.repo }, log.known)
    return { items, values, bytes, ...(entries !== undefined && { entries }) }
  } finally {
    progress.stop()
  }
}

const knownLogs = z.record(
  z.string(),
  z.object({
    origin: z.optional(z.string()),
    size: z.number(),
    root: z.string(),
    key: z.string(),
    note: z.optional(z.string()),
  }),
)

/** The states of logs that were verified last with this account of the computer. */
const file: SettingsFile<z.infer<typeof knownLogs>> = {
  name: 'logs',
  schema: knownLogs,
  empty: () => ({}),
  remedy: 'and what was verified before is no longer compared with',
}

/** A repository of a server. */
export type LogPlace = { server: string; repo: string }

const keyOf = ({ server, repo }: LogPlace) => `${server}/repo/${repo}`

async function findKnownLog(io: Pick<Io, 'env'>, place: LogPlace): Promise<KnownLog | undefined> {
  return (await readSettings(io, file))[keyOf(place)]
}

async function keepKnownLog(
  io: Pick<Io, 'env'>,
  place: LogPlace,
  knownLog: KnownLog,
): Promise<void> {
  await changeSettings(io, file, async (logs) => {
    logs[keyOf(place)] = knownLog
  })
}
