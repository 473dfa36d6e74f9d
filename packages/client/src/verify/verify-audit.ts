import { AuditChain, type AuditEntry, type AuditHead, auditText } from '@vitrine/contract'
import type { Sha256 } from '../sha256.ts'

export type { AuditHead }

/**
 * Checks a whole audit log, oldest entry first: each is what was written, or what an erasure left of it, and follows the
 * one before.
 * @param known an entry that was seen before, and must be among them
 * @returns where it ends, or the first thing that is wrong
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditEntry>,
  { sha256, known }: { sha256: Sha256; known?: AuditHead | undefined },
): Promise<{ head: AuditHead } | { fault: string }> {
  const chain = new AuditChain()
  for await (const entry of entries) {
    const digest = await sha256(new Blob([auditText(entry)]), { onProgress: () => {} })
    const fault = chain.add(entry, digest)
    if (fault !== undefined) return { fault }
    if (entry.number === known?.number && entry.hash !== known.hash) {
      return { fault: `entry ${entry.number} is not the one that was seen before` }
    }
  }
  const [fault] = chain.end()
  if (fault !== undefined) return { fault }
  const head = chain.last
  if (known !== undefined && head.number < known.number) {
    return { fault: `the log ends with entry ${head.number}, before entry ${known.number}` }
  }
  return { head }
}
