import { checkData } from '@vitrine/server/check'
import { readConfig } from '@vitrine/server/config'
import { CommandError, type Given } from '../command.ts'
import { counted } from '../counted.ts'
import { untilInterrupted } from '../interruption.ts'
import { visible } from '../table.ts'
import { orBackupError } from './backup-errors.ts'

/** Checks an installation where it is kept, with the server's variables (`vitrine verify --data`). */
export async function verifyData(folder: string, { values, io }: Given): Promise<void> {
  const { console, env } = io
  const config = readConfig({ ...env, VITRINE_DATA_DIR: folder })
  const asJson = values['json'] === true
  const counts = { damage: 0, leftover: 0 }
  const look = async (signal: AbortSignal) => {
    for await (const finding of checkData(config)) {
      signal.throwIfAborted()
      const { kind, where, what } = finding
      counts[kind] += 1
      if (asJson) console.log(JSON.stringify(finding))
      else if (kind === 'damage') console.log(visible(`${where}: ${what}`))
    }
  }
  await untilInterrupted(io, 'Not everything was verified.', (signal) =>
    orBackupError(look(signal)),
  )
  const { damage, leftover } = counts
  if (asJson) console.log(JSON.stringify({ verified: folder, ...counts }))
  else {
    const left = leftover === 0 ? '' : `, ${counted(leftover, 'leftover')} to be collected`
    console.log(`Verified ${folder}: every item and every byte${left}.`)
  }
  if (damage > 0) throw new CommandError(`Damaged: ${counted(damage, 'place')}.`, { exitCode: 8 })
}
