import { type AuditHead, verifyAudit } from '@vitrine/client'
import type { AuditEntry } from '@vitrine/contract'
import { sha256 } from './sha256.ts'

/** Checks an export of a whole audit log: where it ends, or the first thing that is wrong. */
export function checkChain(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ head: AuditHead } | { fault: string }> {
  return verifyAudit(entriesOf(body), { sha256 })
}

async function* entriesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<AuditEntry> {
  for await (const line of linesOf(body)) yield JSON.parse(line) as AuditEntry
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
