import { auditBeginning, auditFault, auditText, type AuditEntry } from '@vitrine/contract'
import { sha256 } from './sha256.ts'

type Head = Pick<AuditEntry, 'number' | 'hash'>

/** Checks an export of a whole audit log: where it ends, or the first thing that is wrong. */
export async function checkChain(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ head: Head } | { fault: string }> {
  let head: Head = auditBeginning
  for await (const line of linesOf(body)) {
    const entry = JSON.parse(line) as AuditEntry
    const digest = await sha256(new Blob([auditText(entry)]), { onProgress: () => {} })
    const fault = auditFault(entry, head, digest)
    if (fault !== undefined) return { fault }
    head = entry
  }
  return { head }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}
