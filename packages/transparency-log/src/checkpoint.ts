import { fromBase64, toBase64 } from './base64.ts'
import { hashBytes } from './tree.ts'

/** Statement of a log: the number of its entries and the root of its tree (https://c2sp.org/tlog-checkpoint). */
export type Checkpoint = {
  /** Name of the log. */
  origin: string
  size: number
  root: Uint8Array
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Reads the text of a checkpoint, which may have lines that we do not know at its end. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', digits = '', base64 = '', ...more] = text.split('\n')
  const root = fromBase64(base64)
  // Each line has something, and ends.
  const hasLines = origin !== '' && more.pop() === '' && !more.includes('')
  const isCheckpoint = hasLines && /^(?:0|[1-9]\d{0,15})$/.test(digits)
  if (!isCheckpoint || root?.length !== hashBytes) return undefined
  return { origin, size: Number(digits), root }
}

/**
 * Writes the policy that accepts checkpoints of one log by its key alone, without witnesses, for programs that read
 * https://c2sp.org/tlog-policy. The origin of the checkpoints is the name of the key.
 */
export function policyText(verifierKey: string): string {
  return `log ${verifierKey}\nquorum none\n`
}
