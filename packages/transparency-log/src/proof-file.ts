import { fromBase64, toBase64 } from './base64.ts'
import { hashBytes } from './tree.ts'

/** Proof that a log has an entry, which is verified without the log (https://c2sp.org/tlog-proof). */
export type LogProof = {
  /** Index of the entry in the log, from 0. */
  index: number
  /** Hashes of RFC 6962 §2.1.1, from the sibling of the leaf up. */
  hashes: Uint8Array[]
  /** Signed note of the log that has the entry. */
  checkpoint: string
  /** Bytes that a program adds; nothing of them is proven. */
  extra?: Uint8Array | undefined
}

const firstLine = 'c2sp.org/tlog-proof@v1'

/** Hashes of the longest proof: no tree is higher. */
const hashesMax = 63

/** Writes a proof as the text of a `.tlog-proof` file. */
export function proofText({ index, hashes, checkpoint, extra }: LogProof): string {
  const lines = [
    firstLine,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(toBase64),
  ]
  return `${lines.join('\n')}\n\n${checkpoint}`
}

/** Reads the text of a `.tlog-proof` file; undefined where it is none. */
export function readProof(text: string): LogProof | undefined {
  const end = text.indexOf('\n\n')
  if (end === -1) return undefined
  const [first, ...lines] = text.slice(0, end).split('\n')
  const extra = lines[0]?.startsWith('extra ') === true ? fromBase64(lines.shift()!.slice(6)) : null
  const [, digits] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? []
  const hashes = lines.map(fromBase64)
  const isProof =
    first === firstLine &&
    extra !== undefined &&
    digits !== undefined &&
    hashes.length <= hashesMax &&
    hashes.every((hash) => hash?.length === hashBytes)
  if (!isProof) return undefined
  return {
    index: Number(digits),
    hashes: hashes as Uint8Array[],
    checkpoint: text.slice(end + 2),
    ...(extra !== null && { extra }),
  }
}
