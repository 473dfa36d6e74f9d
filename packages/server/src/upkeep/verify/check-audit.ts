import { hash } from 'node:crypto'
import { AuditChain, type AuditEntry } from '@vitrine/contract'
import { tileWidth } from '@vitrine/transparency-log'
import { listAuditHashes, listAuditRows, readAuditHead } from '../../store/audit-log.ts'
import { leafOfText } from '../../store/leaf.ts'
import { auditNodesId } from '../../store/log-nodes.ts'
import type { Db } from '../../store/store.ts'
import { isTileCorrupt, listCorruptNodes } from './check-log.ts'

const rowsMax = 500

/** Checks that the audit log is the chain that was written, as long as it was. Yields what is wrong. */
export async function* checkAudit(db: Db): AsyncGenerator<{ where: string; what: string }> {
  const where = 'audit log'
  const head = await readAuditHead(db)
  const chain = new AuditChain()
  for (;;) {
    const rows = await listAuditRows(db, { after: chain.last.number, limit: rowsMax })
    if (rows.length === 0) break
    for (const row of rows) {
      const { number } = row
      const entry = readEntry(row.entry)
      // The columns are what is searched, the text is what was hashed.
      const agrees =
        entry?.number === number &&
        Date.parse(entry.at) === row.at &&
        entry.what === row.what &&
        (entry.by?.subject ?? null) === row.subject &&
        (entry.by?.name ?? null) === row.name &&
        (entry.dataset?.id ?? null) === row.dataset_id &&
        (entry.dataset?.name ?? null) === row.dataset
      const { previous = '', remainders } = entry ?? {}
      const fault = chain.add(
        { number, previous, hash: row.hash, remainders },
        agrees ? hash('sha256', row.entry) : '',
      )
      const isOther = number === head.number && row.hash !== head.hash
      if (fault !== undefined || isOther) {
        yield { where, what: fault ?? `entry ${number} is not what was written` }
      }
    }
  }
  for (const what of chain.end()) yield { where, what }
  // What was written since the head was read follows it.
  const { last } = chain
  if (last.number < head.number) {
    yield { where, what: `entry ${last.number + 1} is missing` }
  }
  const { number } = await readAuditHead(db)
  if (number < last.number) yield { where, what: `entry ${last.number} was not written by it` }
  for await (const from of listCorruptHashes(db, last.number)) {
    yield { where, what: `its log is not that of its entries from entry ${from + 1}` }
  }
}

/** Yields the first entry of each hash of the tree that is not that of what is below it. */
async function* listCorruptHashes(db: Db, count: number): AsyncGenerator<number> {
  const id = auditNodesId
  for (let from = 0; from + tileWidth <= count; from += tileWidth) {
    const leaves = (await listAuditHashes(db, { from, to: from + tileWidth })).map(leafOfText)
    if (await isTileCorrupt(db, { id, from, leaves })) yield from
  }
  yield* listCorruptNodes(db, { id, count })
}

function readEntry(text: string): AuditEntry | undefined {
  try {
    return JSON.parse(text) as AuditEntry
  } catch {
    return undefined
  }
}
