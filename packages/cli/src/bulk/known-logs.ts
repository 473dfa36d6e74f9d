import type { KnownLog } from '@vitrine/client'
import * as z from 'zod/mini'
import type { Io } from '../io.ts'
import { changeSettings, readSettings, type SettingsFile } from '../sign-in/settings-file.ts'

const knownLogs = z.record(
  z.string(),
  z.object({ size: z.number(), root: z.string(), key: z.string() }),
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

export async function findKnownLog(
  io: Pick<Io, 'env'>,
  place: LogPlace,
): Promise<KnownLog | undefined> {
  return (await readSettings(io, file))[keyOf(place)]
}

export async function keepKnownLog(
  io: Pick<Io, 'env'>,
  place: LogPlace,
  known: KnownLog,
): Promise<void> {
  await changeSettings(io, file, async (kept) => {
    kept[keyOf(place)] = known
  })
}
