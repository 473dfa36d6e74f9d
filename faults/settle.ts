import type { Installation } from './installation.ts'
import type { Ledger } from './ledger.ts'
import type { Counts } from './scenario.ts'

/** Restarts what was ended, and counts what of everything acknowledged is there. */
export async function settleAndCompare(
  installation: Installation,
  ledger: Ledger,
  { isCut = false } = {},
): Promise<Counts> {
  await installation.start()
  const client = installation.patientClient()
  const before = { items: ledger.items, rows: ledger.rows, lost: ledger.lost.length }
  await ledger.settle(client, { isCut })
  await ledger.compare(client)
  for (const lost of ledger.lost.slice(before.lost)) console.error(`lost: ${lost}`)
  return {
    'items acknowledged': ledger.items - before.items,
    'rows acknowledged': ledger.rows - before.rows,
    lost: ledger.lost.length - before.lost,
  }
}

/** Reads every byte of an installation that no process works on, and counts what is damaged. */
export async function countDamage(installation: Installation): Promise<Counts> {
  const found = await installation.check()
  const damage = found.filter(({ kind }) => kind === 'damage')
  for (const { where, what } of damage) console.error(`damaged: ${where}: ${what}`)
  return { 'bytes read again': 1, damaged: damage.length }
}

export function add(...counts: Counts[]): Counts {
  const sum: Counts = {}
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) {
    sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}
