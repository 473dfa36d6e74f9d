import { fail } from '../failure.ts'
import { listAuditHashes, readAuditHead } from '../store/audit-log.ts'
import { leafOfText } from '../store/leaf.ts'
import { auditNodesId } from '../store/log-nodes.ts'
import { LogTree, type LogStore } from './log-tree.ts'

/**
 * The tree over the audit log. Its entries are the hashes of those of the audit log, in hex: they stay where a name is
 * erased (docs/log.md).
 */
export class AuditTree extends LogTree {
  constructor(store: LogStore, stopping: AbortSignal) {
    const { reads } = store
    const leaves = {
      id: auditNodesId,
      count: async () => (await readAuditHead(reads)).number,
      list: async (range: { from: number; to: number }) =>
        (await listAuditHashes(reads, range)).map(leafOfText),
      hold: async () => {},
      failForMissing: async () => {
        throw fail('LOG_DAMAGED')
      },
    }
    super(store, leaves, stopping)
  }
}
