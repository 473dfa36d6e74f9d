import { auditBeginning, auditFault, auditText, type AuditEntry } from '@vitrine/contract'
import type { Sha256 } from '../sha256.ts'

/** An entry of an audit log that all before it depend on. */
export type AuditHead = Pick<AuditEntry, 'number' | 'hash'>

/**
 * Checks a whole audit log, oldest entry first: each is what was written, and follows the one before.
 * @param known an entry that was seen before, and must be among them
 * @returns where it ends, or the first thing that is wrong
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditEntry>,
  { sha256, known }: { sha256: Sha256; known?: AuditHead | undefined },
): Promise<{ head: AuditHead } | { fault: string }> {
  let head: AuditHead = auditBeginning
  for await (const entry of entries) {
    const digest = await sha256(new Blob([auditText(entry)]), { onProgress: () => {} })
    const fault = auditFault(entry, head, digest)
    if (fault !== undefined) return { fault }
    if (entry.number === known?.number && entry.hash !== known.hash) {
      return { fault: `entry ${entry.number} is not the one that was seen before` }
    }
    head = entry
  }
  if (known !== undefined && head.number < known.number) {
    return { fault: `the log ends with entry ${head.number}, before entry ${known.number}` }
  }
  return { head }
}
