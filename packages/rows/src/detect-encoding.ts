import { encodingOf } from '@vitrine/contract/api/import'
import { markedEncoding } from './to-utf8.ts'

/** How sure the detection has to be, of 100; less is the most usual one. */
const confidenceMin = 40
const usual = 'windows-1252'

/**
 * Detects the encoding of a text by its first bytes, to propose it to somebody who sees the text; undefined where they
 * are UTF-8. The detection is 300 KB, and loaded only where they are not.
 */
export async function detectEncoding(head: Uint8Array): Promise<string | undefined> {
  const marked = markedEncoding(head)
  if (marked !== undefined) return marked === 'utf-8' ? undefined : marked
  // Every other byte of most texts in UTF-16 is 0, and none of other texts.
  const zero = head.subarray(0, 64).indexOf(0)
  if (zero !== -1) return zero % 2 === 0 ? 'utf-16be' : 'utf-16le'
  if (isUtf8(head)) return undefined
  const { analyse } = await import('chardet')
  for (const { name, confidence } of analyse(head)) {
    const encoding = encodingOf(name)
    if (confidence < confidenceMin) return usual
    if (encoding !== undefined && encoding !== 'utf-8') return encoding
  }
  return usual
}

/** Whether bytes are UTF-8, the last character aside, which may be cut off. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
