import { type Finding, checkData, checkDerived } from '@vitrine/server/check'
import { readConfig } from '@vitrine/server/config'
import { CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { counted, visible } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { orBackupError } from './backup-errors.ts'

/** Checks an installation where it is kept, with the server's variables (`vitrine verify --data`). */
export async function verifyData(
  folder: string,
  {
    derived: isWhole,
    asJson,
    io,
  }: { derived: boolean | undefined; asJson: boolean | undefined; io: Io },
): Promise<void> {
  const { console, env } = io
  const config = readConfig({ ...env, VITRINE_DATA_DIR: folder })
  const counts = { damage: 0, leftover: 0, derived: 0 }
  const tell = (finding: Finding) => {
    const { kind, where, what } = finding
    counts[kind] += 1
    if (asJson) console.log(JSON.stringify(finding))
    else if (kind !== 'leftover') console.log(visible(`${where}: ${what}`))
  }
  const look = async (signal: AbortSignal) => {
    for await (const finding of checkData(config)) {
      signal.throwIfAborted()
      tell(finding)
    }
    const extent = isWhole ? 'whole' : 'sample'
    const checking = checkDerived(config, extent, signal)
    for (;;) {
      const { done, value } = await checking.next()
      if (done === true) return value
      tell(value)
    }
  }
  const isDerivedCompared = await untilInterrupted(io, 'Not everything was verified.', (signal) =>
    orBackupError(look(signal)),
  )
  const { damage, leftover, derived } = counts
  if (asJson) {
    // Null where it was not compared.
    const figures = { ...counts, derived: isDerivedCompared ? derived : null }
    console.log(JSON.stringify({ verified: folder, ...figures }))
  } else {
    const left = leftover === 0 ? '' : `, ${counted(leftover, 'leftover')} to be collected`
    console.log(`Verified ${folder}: every item and every byte${left}.`)
    if (!isDerivedCompared) {
      console.log(
        'What is derived of items was not compared: a server works on it, which does so itself within 30 days, or it is read-only.',
      )
    }
    if (derived > 0) console.log('What was wrongly derived of items is made again when it is read.')
  }
  const wrong = damage + derived
  if (wrong > 0) throw new CommandError(`Damaged: ${counted(wrong, 'place')}.`, { exitCode: 8 })
}
