import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReply, type Client } from '@vitrine/client'
import type { IntegrityByField } from '@vitrine/contract'
import { createEmptyPlace } from '../packages/server/test/empty-place.ts'
import { openInstallation, type Installation } from './installation.ts'
import { Ledger, otherFields, rows, things } from './ledger.ts'
import type { Counts, Scenario } from './scenario.ts'
import { startServerProcess } from './server-process.ts'
import { prepare, work } from './workload.ts'

const vitrine = join(import.meta.dirname, '../packages/cli/src/main.ts')
const pageSize = 1000

/** Items and rows that are acknowledged before a backup begins, at least. */
const firstMin = { items: 500, rows: 2000 }

/**
 * Backs an installation up while 64 clients insert and two import, restores it to where there is nothing,
 * reads all of that again, and looks for what was acknowledged before the backup began.
 */
export const backups: Scenario = {
  name: 'backups',
  open: async (opened) => {
    const installation = await openInstallation(opened)
    const ledger = new RowLedger()
    await installation.start()
    await prepare(installation.patientClient())
    return async () => {
      await using round = new AsyncDisposableStack()
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-backup-'))
      round.defer(() => rmSync(folder, { recursive: true }))
      const place = await createEmptyPlace(join(folder, 'restored'))
      round.defer(place.drop)

      const load = work(installation, ledger, { inserts: 64, imports: 2, deletions: 0, views: 0 })
      const before = { items: ledger.acknowledged.size, rows: ledger.done.size }
      const began = {
        items: before.items + firstMin.items,
        rows: before.rows + firstMin.rows,
      }
      while (ledger.acknowledged.size < began.items || ledger.done.size < began.rows)
        await sleep(20)
      const acknowledged = { items: new Map(ledger.acknowledged), rows: new Set(ledger.done) }
      const backup = join(folder, 'backup')
      await run(['backup', backup], installation.env)
      const during = ledger.acknowledged.size - acknowledged.items.size
      await load.stop()

      await run(['restore', backup, '--check'], {})
      await run(['restore', backup], place.env)
      const damaged = await run(['verify', '--data', join(folder, 'restored')], place.env)
      const lost = await countLost(installation, place.env, acknowledged, join(folder, 'log'))
      return {
        backups: 1,
        'items acknowledged before': acknowledged.items.size,
        'rows acknowledged before': acknowledged.rows.size,
        'items acknowledged meanwhile': during,
        damaged,
        lost,
      }
    }
  },
}

/** Also knows which imported rows were acknowledged. */
class RowLedger extends Ledger {
  readonly done = new Set<string>()

  override importDone(key: string): void {
    for (const text of this.imports.get(key)!) this.done.add(text)
    super.importDone(key)
  }
}

/** Runs a command of the command line; returns 1 where it says that something is damaged, 0 where not. */
async function run(words: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [vitrine, ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, told] = [text(child.stdout), text(child.stderr)]
  const [code] = (await once(child, 'close')) as [number | null]
  const printed = (await said) + (await told)
  console.log(`  ${words[0]}: ${printed.trim().split('\n').at(-1)}`)
  if (code === 0) return 0
  if (code === 8) {
    console.error(`damaged: ${printed}`)
    return 1
  }
  throw new Error(`vitrine ${words.join(' ')} ended with ${code}: ${printed}`)
}

type Acknowledged = { items: ReadonlyMap<number, IntegrityByField>; rows: ReadonlySet<string> }

/** Starts a server on what was restored, and counts what it lacks of what was acknowledged. */
async function countLost(
  { env, patientClient }: Installation,
  place: Record<string, string>,
  { items, rows: texts }: Acknowledged,
  log: string,
): Promise<Counts[string]> {
  const { VITRINE_DATABASE_URL: _, VITRINE_BLOB_URL: __, ...others } = env
  const server = await startServerProcess({ env: { ...others, ...place }, log })
  try {
    const client = patientClient(server.url)
    const missing = [...(await missingItems(client, items)), ...(await missingRows(client, texts))]
    for (const what of missing.slice(0, 20)) console.error(`lost: ${what}`)
    return missing.length
  } finally {
    server.signal('SIGTERM')
    await server.ended
  }
}

async function missingItems(client: Client, items: Acknowledged['items']): Promise<string[]> {
  const left = new Map(items)
  for (let page = 0; ; page += 1) {
    const found = await client.datasetItemList({ datasetId: things, page, pageSize })
    for (const { id, data } of found) {
      if (otherFields(data, left.get(id) ?? {}).length === 0) left.delete(id)
    }
    if (found.length < pageSize) return [...left.keys()].map((id) => `item ${id}`)
  }
}

async function missingRows(client: Client, texts: Acknowledged['rows']): Promise<string[]> {
  const left = new Set(texts)
  const reply = await openReply(client, 'datasetExport', { datasetId: rows, format: 'ndjson' })
  for (const line of (await reply.text()).split('\n')) {
    if (line !== '') left.delete((JSON.parse(line) as { text: string }).text)
  }
  return [...left].map((text) => `row ${text}`)
}
