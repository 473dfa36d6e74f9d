import type { ConflictingCheckpoints, KnownLog } from '@vitrine/client'
import * as z from 'zod/mini'
import type { Io } from '../command/io.ts'
import { type SettingsFile, changeSettings, readSettings } from './settings-file.ts'

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

/** The log of a repository of a server; without one, its audit log. */
export type LogPlace = { server: string; repo?: string }

const keyOf = ({ server, repo }: LogPlace) =>
  repo === undefined ? `${server}/audit` : `${server}/repo/${repo}`

export async function findKnownLog(
  io: Pick<Io, 'env'>,
  place: LogPlace,
): Promise<KnownLog | undefined> {
  return (await readSettings(io, file))[keyOf(place)]
}

export async function keepKnownLog(
  io: Pick<Io, 'env'>,
  place: LogPlace,
  knownLog: KnownLog,
): Promise<void> {
  await changeSettings(io, file, async (logs) => {
    logs[keyOf(place)] = knownLog
  })
}

/** Shows the checkpoints of a history that does not go on from what was verified before, line by line. */
export function checkpointLines(checkpoints: ConflictingCheckpoints | undefined): string[] {
  if (checkpoints === undefined) return []
  const { before, now } = checkpoints
  const indented = (note: string) =>
    note
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`)
  return ['  verified before:', ...indented(before), '  shown now:', ...indented(now)]
}
